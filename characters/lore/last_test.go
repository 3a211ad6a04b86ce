package lore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/characters/lore"
)

// over scans a conversation that grows by one message a step and returns at
// which lengths an entry was in.
func over(b *lore.Book, seed uint64, messages ...string) map[string][]int {
	sc := lore.NewScanner(b)
	var m lore.Memory
	in := map[string][]int{}
	for i := range messages {
		r := sc.Scan(lore.Request{Messages: say(messages[:i+1]...), Memory: m, Seed: seed, Turn: i + 1})
		m = r.Memory
		for _, h := range r.Hits {
			in[h.Entry.ID] = append(in[h.Entry.ID], i+1)
		}
	}
	return in
}

func TestWhatLasts(t *testing.T) {
	t.Parallel()
	depth := 1
	book := func(change func(e *lore.Entry)) *lore.Book {
		e := entry("key", "text")
		change(&e)
		return &lore.Book{ScanDepth: &depth, Entries: []lore.Entry{e}}
	}
	messages := []string{"key", "-", "-", "key", "-", "key", "key", "-", "-", "key"}
	for name, c := range map[string]struct {
		change func(e *lore.Entry)
		want   []int
	}{
		"nothing lasts":                         {func(*lore.Entry) {}, []int{1, 4, 6, 7, 10}},
		"sticky":                                {func(e *lore.Entry) { e.Sticky = 2 }, []int{1, 2, 4, 5, 6, 7, 10}},
		"sticky does not run on while it lasts": {func(e *lore.Entry) { e.Sticky = 3 }, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		"cooldown":                              {func(e *lore.Entry) { e.Cooldown = 3 }, []int{1, 4, 7, 10}},
		"sticky and cooldown":                   {func(e *lore.Entry) { e.Sticky, e.Cooldown = 2, 4 }, []int{1, 2, 7, 8}},
		"delay":                                 {func(e *lore.Entry) { e.Delay = 6 }, []int{6, 7, 10}},
		"keep":                                  {func(e *lore.Entry) { e.Content = "@@keep_activate_after_match\ntext"; e.Delay = 4 }, []int{4, 5, 6, 7, 8, 9, 10}},
		"once":                                  {func(e *lore.Entry) { e.Content = "@@dont_activate_after_match\ntext" }, []int{1}},
		"constant cools":                        {func(e *lore.Entry) { e.Constant, e.Cooldown = true, 4 }, []int{1, 5, 9}},
		"never ends":                            {func(e *lore.Entry) { e.Sticky = 1 << 62 }, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		if diff := cmp.Diff(c.want, over(book(c.change), 1, messages...)["key"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestStickyIsNotDrawnAgain: what stays has thrown its dice.
func TestStickyIsNotDrawnAgain(t *testing.T) {
	t.Parallel()
	e := entry("key", "text")
	e.Probability, e.Sticky = 50, 5
	depth := 1
	b := &lore.Book{ScanDepth: &depth, Entries: []lore.Entry{e}}
	for seed := range uint64(50) {
		if got := over(b, seed, "key", "-", "-", "-", "-")["key"]; len(got) != 0 && len(got) != 5 {
			t.Fatalf("seed %d: it is in at %v", seed, got)
		}
	}
}

// TestMemoryIsNotChanged scans twice from one memory, as a reply asked for again
// does.
func TestMemoryIsNotChanged(t *testing.T) {
	t.Parallel()
	e := entry("key", "text")
	e.Sticky, e.Cooldown = 2, 2
	sc := lore.NewScanner(&lore.Book{Entries: []lore.Entry{e}})
	m := sc.Scan(lore.Request{Messages: say("key")}).Memory
	var want []string
	for i := range 5 {
		r := sc.Scan(lore.Request{Messages: say("key", "-", "key"), Memory: m, Turn: 2})
		if got := texts(r.Hits); i == 0 {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("scan %d (-first +now):\n%s", i, diff)
		}
	}
}

// TestWhatDoesNotFitBringsNothing: an entry over the budget is as if it had not
// matched.
func TestWhatDoesNotFitBringsNothing(t *testing.T) {
	t.Parallel()
	low, high := 1, 2
	first, second, third := entry("storm", strings.Repeat("calls Hester ", 40)), entry("Hester", "H"), entry("storm", "small")
	third.ID = "third"
	first.Priority, second.Priority, third.Priority = &low, &high, &high
	b := &lore.Book{Recursive: true, Budget: 20, Entries: []lore.Entry{first, second, third}}
	r := lore.Scan(b, lore.Request{Messages: say("storm")})
	if diff := cmp.Diff([]string{"small"}, texts(r.Hits)); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Entry.ID != "storm" || !strings.Contains(r.Dropped[0].Why, "over the budget") {
		t.Errorf("dropped are %+v", r.Dropped)
	}
	third.Content = "@@ignore_on_max_context\n" + strings.Repeat("x", 60)
	first.Content, first.Priority = strings.Repeat("y", 60), &low
	b = &lore.Book{Entries: []lore.Entry{first, third}}
	r = lore.Scan(b, lore.Request{Messages: say("storm"), Budget: 20})
	if len(r.Hits) != 1 || r.Hits[0].Entry.ID != "storm" {
		t.Errorf("of two, one of which may go, %v stayed", texts(r.Hits))
	}
}

func TestGroupsScoreAndOverlap(t *testing.T) {
	t.Parallel()
	one, two, other := entry("storm", "one"), entry("storm", "two"), entry("bell", "other")
	one.Group, two.Group, other.Group = "weather", "weather, sound", "sound"
	one.GroupScoring, two.GroupScoring = true, true
	two.Keys = []string{"storm", "bell"}
	other.GroupWeight = 0
	for seed := range uint64(30) {
		r := lore.Scan(&lore.Book{Entries: []lore.Entry{one, two, other}}, lore.Request{Messages: say("storm bell"), Seed: seed})
		if diff := cmp.Diff([]string{"two"}, texts(r.Hits)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
		if len(r.Refused) != 2 || !strings.Contains(r.Refused[0].Why, "its group chose") {
			t.Fatalf("refused are %+v", r.Refused)
		}
	}
	depth := 1
	one.Sticky, one.GroupScoring, two.GroupScoring, two.Group = 3, false, false, "weather"
	two.Keys, two.ID = []string{"bell"}, "two"
	b := &lore.Book{ScanDepth: &depth, Entries: []lore.Entry{one, two}}
	for seed := range uint64(10) {
		got := over(b, seed, "storm", "bell", "bell", "bell")
		if diff := cmp.Diff([]int{1, 2, 3}, got["storm"]); diff != "" {
			t.Fatalf("what stays lost its group (-want +got):\n%s", diff)
		}
	}
}

func TestDecoratorsOfPlace(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"@@depth 3\n@@role user\nx":                       "depth 3 user false",
		"@@reverse_depth 1\nx":                            "depth 1 system true",
		"@@depth 2\n@@reverse_depth 1\nx":                 "depth 2 system false",
		"@@instruct_depth 2\n@@@depth 4\nx":               "depth 4 system false",
		"@@position before_desc\nx":                       "before_char 0 system false",
		"@@position pt_x\n@@@position scenario\nx":        "scenario 0 system false",
		"@@is_user_icon main\nx":                          "after_char 0 system false",
		"@@disable_ui_prompt system_prompt\nx":            "after_char 0 system false [system_prompt]",
		"@@disable_ui_prompt everything\n@@@role user\nx": "after_char 0 user false",
	} {
		r := lore.Scan(&lore.Book{Entries: []lore.Entry{entry("key", content)}}, lore.Request{Messages: say("key")})
		if len(r.Hits) != 1 {
			t.Errorf("%q is not in", content)
			continue
		}
		h := r.Hits[0]
		got := fmt.Sprintf("%s %d %s %v", h.Place, h.Depth, h.Role, h.Top)
		if len(h.Without) > 0 {
			got += fmt.Sprint(" ", h.Without)
		}
		if got != want || h.Text != "x" {
			t.Errorf("%q goes to %q with %q, want %q", content, got, h.Text, want)
		}
	}
}

// bigBook is a book of n entries, a tenth of them patterns.
func bigBook(n int) *lore.Book {
	b := &lore.Book{Recursive: true, Budget: 2000}
	for i := range n {
		e := entry(fmt.Sprintf("harbour%04d", i), fmt.Sprintf("Berth %04d is taken by the harbour%04d.", i, (i*7)%n))
		e.Keys = append(e.Keys, fmt.Sprintf("Berth %04d", i), fmt.Sprintf("the quay of %04d", i))
		e.Order, e.Sticky = i, i%5
		switch i % 10 {
		case 0:
			e.UseRegex, e.Keys = true, []string{fmt.Sprintf(`/\bpier\s*%d\b/i`, i)}
		case 1:
			e.WholeWords = true
		case 2:
			e.Selective, e.Secondary = true, []string{"night", "fog"}
		}
		b.Entries = append(b.Entries, e)
	}
	return b
}

// talk is a conversation of n messages of about 600 bytes.
func talk(n int) []lore.Message {
	var out []lore.Message
	for i := range n {
		text := strings.Repeat("The night is long and the boats lie still. ", 13) + fmt.Sprintf("See harbour%04d and pier %d.", i*3%1000, i*10%1000)
		out = append(out, lore.Message{Text: text, Char: i%2 == 1})
	}
	return out
}

// BenchmarkScan is a scan of a book of 1,000 entries at the end of 200 turns.
func BenchmarkScan(b *testing.B) {
	sc, messages := lore.NewScanner(bigBook(1000)), talk(400)
	b.ReportAllocs()
	hits := 0
	for b.Loop() {
		hits = len(sc.Scan(lore.Request{Messages: messages, Turn: 200}).Hits)
	}
	b.ReportMetric(float64(hits), "hits")
}

// BenchmarkTurns is all of 200 turns, as a branch from the last works them out.
func BenchmarkTurns(b *testing.B) {
	messages := talk(400)
	b.ReportAllocs()
	for b.Loop() {
		sc := lore.NewScanner(bigBook(1000))
		var m lore.Memory
		for turn := range 200 {
			m = sc.Scan(lore.Request{Messages: messages[:2*turn+1], Memory: m, Turn: turn}).Memory
		}
	}
}

// TestSlowPatternsAreNotTriedAgain scans many turns with a book made to stall.
func TestSlowPatternsAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	b := &lore.Book{}
	for i := range 8 {
		e := entry(fmt.Sprintf(`^(a+)+%d$`, i), "slow")
		e.UseRegex = true
		b.Entries = append(b.Entries, e)
	}
	sc := lore.NewScanner(b)
	messages := say(strings.Repeat("a", 5000) + "!")
	for range 20 {
		sc.Scan(lore.Request{Messages: messages})
	}
	began := time.Now()
	r := sc.Scan(lore.Request{Messages: messages})
	if took := time.Since(began); took > 200*time.Millisecond || len(r.Slow) != 8 {
		t.Errorf("after 20 scans one takes %v and gives up %d patterns", took, len(r.Slow))
	}
}
