package card_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/characters/card"
)

type manifestRow struct {
	File     string
	Kind     card.Kind
	Format   string
	Expect   map[string]any
	Warnings []string
	Error    *string
}

func manifest(t testing.TB) []manifestRow {
	t.Helper()
	data, err := os.ReadFile("testdata/cases/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []manifestRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestCases reads every file of the collection and compares all that its
// manifest says: names, counts, warnings and errors, no more and no fewer.
func TestCases(t *testing.T) {
	t.Parallel()
	rows := manifest(t)
	if len(rows) < 142 {
		t.Fatalf("the manifest has %d rows", len(rows))
	}
	for _, row := range rows {
		t.Run(row.File, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			f, err := card.Open(filepath.Join("testdata", "cases", row.File))
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if row.Error != nil {
				var fault *card.Error
				if !errors.As(err, &fault) || fault.Code != *row.Error {
					t.Fatalf("got error %v, want %s", err, *row.Error)
				}
				if !strings.Contains(err.Error(), row.File) || len(fault.Message) < 12 {
					t.Errorf("the error says too little: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Kind != row.Kind {
				t.Errorf("kind %s, want %s", f.Kind, row.Kind)
			}
			checkWarnings(t, f.Warnings, row.Warnings)
			checkExpect(t, f, row.Expect)
		})
	}
}

// checkWarnings compares codes; what stands behind a colon must be in the
// message.
func checkWarnings(t *testing.T, got []card.Warning, want []string) {
	t.Helper()
	codes := map[string]bool{}
	for _, w := range got {
		codes[w.Code] = true
		if len(w.Message) < 12 {
			t.Errorf("the warning %s says too little: %q", w.Code, w.Message)
		}
	}
	wanted := map[string]bool{}
	for _, w := range want {
		code, detail, _ := strings.Cut(w, ":")
		wanted[code] = true
		found := false
		for _, g := range got {
			found = found || g.Code == code && strings.Contains(g.Message, detail)
		}
		if !found {
			t.Errorf("no warning %s in %v", w, got)
		}
	}
	var extra []string
	for code := range codes {
		if !wanted[code] {
			extra = append(extra, code)
		}
	}
	sort.Strings(extra)
	if len(extra) > 0 {
		t.Errorf("warnings that are not expected: %v in %v", extra, got)
	}
}

func checkExpect(t *testing.T, f *card.File, expect map[string]any) {
	t.Helper()
	data, err := json.Marshal(f.Data)
	if err != nil {
		t.Fatal(err)
	}
	var d map[string]any
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	for key, want := range expect {
		if prefix, ok := want.(string); ok && key == "name_prefix" {
			if name, _ := d["name"].(string); !strings.HasPrefix(name, prefix) {
				t.Errorf("name %q, want it to begin with %q", name, prefix)
			}
			continue
		}
		got, ok := observed(f, d, key)
		if !ok {
			t.Errorf("the test knows no %q", key)
			continue
		}
		if n, ok := got.(int); ok {
			got = float64(n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

func observed(f *card.File, d map[string]any, key string) (any, bool) {
	n := f.Counts()
	switch key {
	case "name", "description", "tags":
		return d[key], true
	case "spec":
		return f.Spec, true
	case "char_macro":
		return f.CharName(), true
	case "display_name":
		return f.DisplayName(), true
	case "user_name":
		return f.UserName, true
	case "greetings":
		return n.Greetings, true
	case "group_greetings":
		return n.GroupGreetings, true
	case "examples":
		return n.Examples, true
	case "book_entries":
		return n.BookEntries, true
	case "assets":
		return n.Assets, true
	case "avatar":
		_, ext := f.Avatar()
		return ext, true
	case "chats":
		return n.Chats, true
	case "scenarios":
		return n.Scenarios, true
	}
	if len(f.Scenarios) > 0 {
		return observedScenario(f.Scenarios[0], key)
	}
	if len(f.Chats) > 0 {
		return observedChat(f, f.Chats[0], key)
	}
	return nil, false
}

func observedScenario(s card.Scenario, key string) (any, bool) {
	switch key {
	case "characters":
		return len(s.Cast), true
	case "reference_turns":
		return len(s.Lines), true
	case "speakers":
		return s.Speakers(), true
	case "motivation":
		return s.Cast[0].Motivation, true
	}
	return nil, false
}

func observedChat(f *card.File, c card.Chat, key string) (any, bool) {
	hidden := 0
	swipes := []any{}
	var first, last *card.Message
	names := map[string]bool{}
	for i, m := range c.Messages {
		if m.Hidden {
			hidden++
		}
		if len(m.Swipes) > 0 {
			swipes = append(swipes, float64(len(m.Swipes)))
			if first == nil {
				first = &c.Messages[i]
			}
			last = &c.Messages[i]
		}
		names[m.Name] = true
	}
	var speakers []any
	for name := range names {
		speakers = append(speakers, name)
	}
	sort.Slice(speakers, func(i, j int) bool { return speakers[i].(string) < speakers[j].(string) })
	switch key {
	case "messages":
		return f.Counts().Messages, true
	case "hidden":
		return hidden, true
	case "user":
		return c.UserName, true
	case "char":
		return c.CharName, true
	case "swipes":
		return swipes, true
	case "selected":
		return first.Text, true
	case "selected_index":
		return first.Swipe, true
	case "chosen_swipe":
		return last.Text, true
	case "group":
		return c.Group, true
	case "speakers":
		return speakers, true
	}
	return nil, false
}
