package macro_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"herarena/characters/macro"
)

type env struct {
	Char, User, Nickname, Description, Personality, Scenario, Persona string
	Group                                                             []string
	Original                                                          string
}

func (e env) macros(field string) *macro.Env {
	m := &macro.Env{Char: e.Char, User: e.User, Group: e.Group, Seed: 7, Fields: map[string]string{
		"description": e.Description, "personality": e.Personality, "scenario": e.Scenario, "persona": e.Persona,
	}}
	if e.Nickname != "" {
		m.Char = e.Nickname
	}
	return m
}

// TestCases runs the collection of macros with their right answers.
func TestCases(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/cases_macros.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Env   json.RawMessage
		Cases []struct {
			In        string
			Want      *string
			OneOf     []string `json:"one_of"`
			IntRange  []int    `json:"int_range"`
			Stable    bool
			Unchanged bool `json:"allow_unchanged"`
			Field     string
			Env       json.RawMessage
			Note      string
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Cases) < 64 {
		t.Fatalf("there are %d cases", len(all.Cases))
	}
	for i, c := range all.Cases {
		var e env
		if err := json.Unmarshal(all.Env, &e); err != nil {
			t.Fatal(err)
		}
		if c.Env != nil {
			if err := json.Unmarshal(c.Env, &e); err != nil {
				t.Fatal(err)
			}
		}
		expand := func(seed uint64) string {
			m := e.macros(c.Field)
			m.Seed = seed
			if c.Field == "system_prompt" {
				return m.Override(c.In, e.Original)
			}
			return m.Expand(c.In)
		}
		began := time.Now()
		got := expand(1)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("case %d took %v", i, took)
		}
		if again := expand(1); again != got {
			t.Errorf("case %d, %.60q: %.60q and then %.60q with one seed", i, c.In, got, again)
		}
		switch {
		case c.Want != nil:
			if got != *c.Want && (!c.Unchanged || got != c.In) {
				t.Errorf("case %d, %.60q: got %.60q, want %.60q (%s)", i, c.In, got, *c.Want, c.Note)
			}
		case c.OneOf != nil:
			seen := map[string]bool{}
			for seed := range uint64(200) {
				got := expand(seed)
				if seen[got] = true; !slices.Contains(c.OneOf, got) {
					t.Fatalf("case %d, %q: got %q, want one of %q", i, c.In, got, c.OneOf)
				}
			}
			if len(seen) != len(c.OneOf) {
				t.Errorf("case %d, %q: 200 seeds gave only %v", i, c.In, seen)
			}
		case c.IntRange != nil:
			for seed := range uint64(200) {
				if n, err := strconv.Atoi(expand(seed)); err != nil || n < c.IntRange[0] || n > c.IntRange[1] {
					t.Fatalf("case %d, %q: got %q, want %v", i, c.In, expand(seed), c.IntRange)
				}
			}
		case c.Stable:
			if strings.Contains(got, "{") {
				t.Errorf("case %d, %q: got %q", i, c.In, got)
			}
		}
	}
}

func TestPickStaysAndRandomMoves(t *testing.T) {
	t.Parallel()
	text := "{{pick::a::b::c::d::e::f::g::h}} {{random::a::b::c::d::e::f::g::h}}"
	picks, randoms := map[string]bool{}, map[string]bool{}
	for turn := range 50 {
		m := macro.Env{Seed: 3, Turn: turn}
		pick, random, _ := strings.Cut(m.Expand(text), " ")
		picks[pick], randoms[random] = true, true
	}
	if len(picks) != 1 || len(randoms) < 4 {
		t.Errorf("over 50 turns pick gave %v and random %v", picks, randoms)
	}
}

func TestTimeMacros(t *testing.T) {
	t.Parallel()
	m := macro.Env{Now: time.Date(2026, 3, 7, 15, 4, 5, 0, time.UTC)}
	for in, want := range map[string]string{
		"{{time}}": "3:04 PM", "{{date}}": "March 7, 2026", "{{weekday}}": "Saturday", "{{isotime}}": "15:04", "{{isodate}}": "2026-03-07",
		"{{datetimeformat DD.MM.YYYY HH:mm}}": "07.03.2026 15:04", "{{datetimeformat::[at] h A}}": "at 3 PM",
	} {
		if got := m.Expand(in); got != want {
			t.Errorf("%s gave %q, want %q", in, got, want)
		}
	}
	if got := new(macro.Env).Expand("{{time}}"); got != "{{time}}" {
		t.Errorf("without a clock {{time}} gave %q", got)
	}
}

func TestConditionsNest(t *testing.T) {
	t.Parallel()
	m := macro.Env{Fields: map[string]string{"a": "x", "b": ""}}
	for in, want := range map[string]string{
		"{{if a}}1{{if b}}2{{else}}3{{/if}}4{{/if}}5": "1345",
		"{{if b}}1{{if a}}2{{/if}}{{else}}n{{/if}}":   "n",
		"{{if !b}}y{{/if}}":                           "y",
		"{{if a}}open":                                "{{if a}}open",
		"{{else}}{{/if}}":                             "{{else}}{{/if}}",
	} {
		if got := m.Expand(in); got != want {
			t.Errorf("%s gave %q, want %q", in, got, want)
		}
	}
}

// TestNothingGrowsWithoutBound asks for much with little.
func TestNothingGrowsWithoutBound(t *testing.T) {
	t.Parallel()
	m := macro.Env{Char: "M", Fields: map[string]string{}}
	for i := range 12 {
		name := string(rune('a' + i))
		var b strings.Builder
		for j := range 12 {
			b.WriteString("{{" + string(rune('a'+j)) + "}}")
		}
		m.Fields[name] = b.String()
	}
	texts := []string{
		"{{a}}",
		"{{setvar::x::ab}}" + strings.Repeat("{{setvar::x::{{getvar::x}}{{getvar::x}}}}", 200) + "{{getvar::x}}",
		strings.Repeat("{{", 100_000), strings.Repeat("}}", 100_000), strings.Repeat("{{a", 50_000) + strings.Repeat("}}", 50_000),
		strings.Repeat("{{random:", 50_000), strings.Repeat("{{if a}}", 20_000) + strings.Repeat("{{/if}}", 20_000),
		strings.Repeat("{{space::9999}}", 10_000), strings.Repeat("{{trim}}", 50_000),
	}
	for _, text := range texts {
		began := time.Now()
		if got := m.Expand(text); len(got) > 8<<20 {
			t.Errorf("%.30q grew to %d bytes", text, len(got))
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%.30q took %v", text, took)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"{{char}} {{random::a::{{user}}}}", "{{if x}}{{else}}{{/if}}", `\{\{`, "{{{", "<USER>{{//", "{{roll:9d9+9}}{{trim}}\n", "{{reverse:\u0301e}}"} {
		f.Add(seed, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		run := func() string {
			e := macro.Env{Char: "C", User: "U", Seed: seed, Fields: map[string]string{"description": text}}
			return e.Expand(text)
		}
		began := time.Now()
		got := run()
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if again := run(); again != got {
			t.Errorf("%q and then %q", got, again)
		}
	})
}

// TestPartsThatNameEachOtherEnd names each of a card's parts a thousand times in
// each of the others.
func TestPartsThatNameEachOtherEnd(t *testing.T) {
	marks := strings.Repeat("{{description}}{{personality}}{{scenario}}{{mesexamples}}", 600)
	e := macro.Env{Char: "A", User: "B", Fields: map[string]string{"description": marks, "personality": marks, "scenario": marks, "mesexamples": marks}}
	done := make(chan int, 1)
	go func() { done <- len(e.Expand(marks)) }()
	select {
	case n := <-done:
		if n > 4<<20 {
			t.Errorf("%d bytes", n)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	if got := e.Expand("{{description}}"); len(got) == 0 {
		t.Error("the next text has none")
	}
}
