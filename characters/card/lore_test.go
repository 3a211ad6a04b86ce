package card_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/characters/card"
	"herarena/characters/lore"
	"herarena/characters/macro"
)

// TestLoreCases runs the collection of lorebooks with their right answers.
func TestLoreCases(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cases/cases_lore.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Note string
		Book       json.RawMessage
		Messages   []string
		Want       []string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 40 {
		t.Fatalf("there are %d cases", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			f, err := card.Read([]byte(fmt.Sprintf(`{"spec":"lorebook_v3","data":%s}`, c.Book)), "book.json")
			if err != nil {
				t.Fatal(err)
			}
			req := lore.Request{Expand: func(text string, recursion bool) string {
				e := macro.Env{Char: "Marrow", User: "Wren", HiddenKeys: recursion}
				return e.Expand(text)
			}}
			for _, m := range c.Messages {
				req.Messages = append(req.Messages, lore.Message{Text: m, Char: true})
			}
			r := lore.Scan(f.Book, req)
			got := []string{}
			for _, h := range r.Hits {
				got = append(got, h.Text)
				if h.Why == "" {
					t.Errorf("%q has no reason", h.Text)
				}
			}
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.Note, diff)
			}
			if c.Name != "position" {
				return
			}
			var where []string
			for _, h := range r.Hits {
				at := string(h.Place)
				if h.Place == lore.AtDepth {
					at = fmt.Sprintf("depth %d %s", h.Depth, h.Role)
				}
				where = append(where, at)
			}
			want := []string{"before_char", "after_char", "personality", "depth 0 assistant", "depth 2 user", "before_char"}
			if diff := cmp.Diff(want, where); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExampleCases runs the collection of example dialogue.
func TestExampleCases(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cases/cases_examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		In, User, Char, Note string
		Members              []string
		Want                 [][][2]string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		got := [][][2]string{}
		for _, block := range card.Examples(c.In, c.User, c.Char, c.Members) {
			var lines [][2]string
			for _, l := range block {
				lines = append(lines, [2]string{l.Name, l.Text})
			}
			got = append(got, lines)
		}
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%q, %s (-want +got):\n%s", c.In, c.Note, diff)
		}
	}
}
