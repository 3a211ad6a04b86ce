package playbook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/characters"
	"herarena/characters/lore"
	"herarena/characters/playbook"
)

func scene(p characters.Play) characters.Scene {
	p.Char = "Mara"
	s := characters.Scene{ID: "s", Title: "S", Character: characters.Character{Name: "Mara"}, User: characters.Character{Name: "Wren"}, Play: &p}
	return s.Filled()
}

func entry(key, content string, place lore.Place) lore.Entry {
	return lore.Entry{ID: key, Keys: []string{key}, Content: content, Enabled: true, Probability: 100, Place: place, GroupWeight: 100}
}

// talk is a conversation of turns: the person's lines, each answered by "…".
func talk(lines ...string) []playbook.Line {
	out := []playbook.Line{{Name: "Mara", Text: "Hello.", Char: true}}
	for i, line := range lines {
		if i > 0 {
			out = append(out, playbook.Line{Turn: i, Name: "Mara", Text: "Hm.", Char: true})
		}
		out = append(out, playbook.Line{Turn: i + 1, Name: "Wren", Text: line})
	}
	return out
}

func TestASceneWithoutACardHasNoPlaybook(t *testing.T) {
	t.Parallel()
	for _, s := range []characters.Scene{{}, scene(characters.Play{Description: "x", System: "y", Note: " "})} {
		b := playbook.Open(s)
		page := b.Turn(1, talk("x"), "")
		if b != nil || !page.Empty() {
			t.Errorf("got %+v", page)
		}
	}
}

// TestEntriesGoWhereTheySay has one entry for each place.
func TestEntriesGoWhereTheySay(t *testing.T) {
	t.Parallel()
	deep := entry("x", "deep", lore.AtDepth)
	deep.Depth, deep.Role = 3, "assistant"
	odd := entry("x", "odd", "nowhere")
	page := playbook.Open(scene(characters.Play{
		Note: "note of {{char}}", NoteDepth: 2, NoteRole: "user", After: "last, {{user}}. {{original}}",
		Book: &lore.Book{Entries: []lore.Entry{
			entry("x", "before", lore.BeforeChar), entry("x", "after", lore.AfterChar), entry("x", "pers", lore.Personality),
			entry("x", "scen", lore.Scenario), entry("x", "top", lore.ExamplesTop), entry("x", "bottom", lore.ExamplesBottom),
			entry("x", "above", lore.NoteTop), entry("x", "below", lore.NoteBottom), deep, odd,
		}},
	})).Turn(1, talk("x"), "")
	want := characters.Lore{Before: "before", After: "after\nodd", Personality: "pers", Scenario: "scen", ExamplesTop: "top", ExamplesBottom: "bottom"}
	if diff := cmp.Diff(want, page.Lore); diff != "" {
		t.Errorf("in the system prompt (-want +got):\n%s", diff)
	}
	var got []string
	for _, c := range append(page.Deep, page.After) {
		got = append(got, fmt.Sprintf("%s %d %s", c.Role, c.Depth, c.Text))
	}
	if diff := cmp.Diff([]string{"assistant 3 deep", "system 4 above\nbelow", "user 2 note of Mara", "system 0 last, Wren."}, got); diff != "" {
		t.Errorf("among the messages (-want +got):\n%s", diff)
	}
	for _, f := range page.Fired {
		if !f.In || f.Why != "key x" || f.Where == "" || f.Tokens == 0 {
			t.Errorf("fired is %+v", f)
		}
	}
}

// TestVariablesFlow from the greeting over lore to the end of the prompt, and
// from turn to turn, however often a turn is asked for.
func TestVariablesFlow(t *testing.T) {
	t.Parallel()
	s := scene(characters.Play{
		Greetings: []string{"{{setvar::count::5}}Hello."}, After: "{{incvar::count}} {{getvar::seen}}",
		Book: &lore.Book{Entries: []lore.Entry{entry("storm", "{{setvar::seen::storm}}It storms.", lore.AfterChar)}},
	})
	lines := []string{"a", "storm", "b", "c"}
	want := []string{"6", "7 storm", "8 storm", "9 storm"}
	b := playbook.Open(s)
	for range 3 {
		for i := len(lines) - 1; i >= 0; i-- {
			if got := b.Turn(i+1, talk(lines[:i+1]...), "").After.Text; got != want[i] {
				t.Errorf("turn %d ends with %q, want %q", i+1, got, want[i])
			}
		}
	}
	// Another line in the middle is another conversation.
	if got := b.Turn(3, talk("a", "calm", "b"), "").After.Text; got != "8" {
		t.Errorf("a branch without a storm ends with %q", got)
	}
}

// TestTheSameAnswerInAnyOrder asks one playbook turn by turn and another for the
// last turn alone.
func TestTheSameAnswerInAnyOrder(t *testing.T) {
	t.Parallel()
	luck, stays := entry("x", "{{random::a::b::c}} {{roll::d100}}", lore.AfterChar), entry("y", "{{pick::a::b::c}} {{time}}", lore.BeforeChar)
	luck.Probability, stays.Sticky, stays.Cooldown = 40, 3, 4
	s := scene(characters.Play{Seed: 5, Started: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Book: &lore.Book{Entries: []lore.Entry{luck, stays}}, After: "{{random::1::2::3::4}}"})
	var lines []string
	for i := range 30 {
		lines = append(lines, []string{"x", "x y", "z"}[i%3])
	}
	grown := playbook.Open(s)
	seen := map[string]bool{}
	for i := range lines {
		page := grown.Turn(i+1, talk(lines[:i+1]...), "")
		if diff := cmp.Diff(playbook.Open(s).Turn(i+1, talk(lines[:i+1]...), ""), page); diff != "" {
			t.Fatalf("turn %d (-at once +grown):\n%s", i+1, diff)
		}
		seen[page.After.Text] = true
	}
	if len(seen) != 4 {
		t.Errorf("over 30 turns {{random}} gave %v", seen)
	}
}

// TestTheCardsOwnWordsAreForItsOwnCharacter: lore is for all.
func TestTheCardsOwnWordsAreForItsOwnCharacter(t *testing.T) {
	t.Parallel()
	s := scene(characters.Play{After: "end", Note: "note", Book: &lore.Book{Entries: []lore.Entry{entry("x", "{{char}} of {{group}}", lore.AfterChar)}}})
	s.Others, s.Played = []characters.Character{{Name: "Ost"}}, []string{"Ost"}
	b := playbook.Open(s)
	for who, own := range map[string]bool{"": true, "Mara": true, "Ost": false} {
		page := b.Turn(1, talk("x"), who)
		if (page.After.Text != "") != own || (len(page.Deep) > 0) != own || page.Lore.After != "Mara of Mara, Ost" {
			t.Errorf("to %q it says %+v", who, page)
		}
	}
}

// TestChatTextIsNeverFilledIn: macros that a person or a model writes are text.
func TestChatTextIsNeverFilledIn(t *testing.T) {
	t.Parallel()
	b := playbook.Open(scene(characters.Play{After: "You said: {{lastUserMessage}}", Book: &lore.Book{Entries: []lore.Entry{entry("Wren", "NAMED", lore.AfterChar)}}}))
	page := b.Turn(1, talk("{{user}} {{setvar::a::b}}"), "")
	if page.After.Text != "You said: {{user}} {{setvar::a::b}}" || len(page.Fired) != 0 {
		t.Errorf("got %+v", page)
	}
}

func FuzzTurn(f *testing.F) {
	f.Add("{{char}}", "@@depth 1\nx {{incvar::a}}", "/a+/i", "aaa", 3, 2)
	f.Add("{{if x}}", "@@reverse_depth 9\n@@role assistant\ny", "k", "k", -1, 1<<40)
	f.Fuzz(func(t *testing.T, note, content, key, said string, depth, lasts int) {
		e := entry(key, content, lore.AtDepth)
		e.Depth, e.Sticky, e.Cooldown, e.Role = depth, lasts, lasts, said
		s := scene(characters.Play{Note: note, NoteDepth: depth, NoteRole: key, After: content, Greeting: depth, Examples: content, Seed: uint64(lasts), Book: &lore.Book{Recursive: true, Entries: []lore.Entry{e}}})
		lines := talk(said, said, key)
		a, b := playbook.Open(s).Turn(3, lines, ""), playbook.Open(s).Turn(3, lines, "")
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("two answers:\n%s", diff)
		}
		for _, c := range a.Deep {
			if c.Depth < 0 || c.Role != "system" && c.Role != "user" && c.Role != "assistant" {
				t.Errorf("a cue has the role %q at depth %d", c.Role, c.Depth)
			}
		}
	})
}

// BenchmarkTurn is a turn of a duel with a book of 1,000 entries, for both
// contestants, behind 200 turns that were played.
func BenchmarkTurn(b *testing.B) {
	book := &lore.Book{Recursive: true}
	for i := range 1000 {
		e := entry(fmt.Sprintf("harbour%04d", i), fmt.Sprintf("Berth %04d of {{char}}.", i), lore.AfterChar)
		e.Keys = append(e.Keys, fmt.Sprintf("berth %04d", i))
		book.Entries = append(book.Entries, e)
	}
	play := playbook.Open(scene(characters.Play{Book: book, After: "end"}))
	var lines []string
	for i := range 200 {
		lines = append(lines, strings.Repeat("The night is long and the boats lie still. ", 13)+fmt.Sprintf("See harbour%04d.", i*3))
	}
	all := talk(lines...)
	play.Turn(len(lines), all, "")
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		now := append(all[:len(all):len(all)], playbook.Line{Turn: 200, Char: true, Text: "Hm."}, playbook.Line{Turn: 201, Text: fmt.Sprintf("harbour%04d, %d", n%1000, n)})
		for range 2 {
			play.Turn(201, now, "")
		}
	}
}
