package lore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/characters/lore"
)

func entry(key, content string) lore.Entry {
	return lore.Entry{ID: key, Keys: []string{key}, Content: content, Enabled: true, Probability: 100, Place: lore.AfterChar, GroupWeight: 100}
}

func texts(hits []lore.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Text)
	}
	return out
}

func say(texts ...string) []lore.Message {
	var out []lore.Message
	for _, t := range texts {
		out = append(out, lore.Message{Text: t, Char: true})
	}
	return out
}

func TestNoBookHasNoHits(t *testing.T) {
	t.Parallel()
	if r := lore.Scan(nil, lore.Request{Messages: say("x")}); len(r.Hits) != 0 {
		t.Errorf("got %v", r)
	}
}

// TestSlowPatternsAreGivenUp tries patterns that take exponential time.
func TestSlowPatternsAreGivenUp(t *testing.T) {
	t.Parallel()
	b := &lore.Book{}
	for i := range 100 {
		e := entry(fmt.Sprintf(`^(a+)+%d$`, i), "slow")
		e.UseRegex = true
		b.Entries = append(b.Entries, e)
	}
	b.Entries = append(b.Entries, entry("aaa", "plain"))
	began := time.Now()
	r := lore.Scan(b, lore.Request{Messages: say(strings.Repeat("a", 5000) + "!")})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if diff := cmp.Diff([]string{"plain"}, texts(r.Hits)); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	if len(r.Slow) != 100 {
		t.Errorf("%d patterns are reported as slow", len(r.Slow))
	}
}

func TestGroupsLeaveOne(t *testing.T) {
	t.Parallel()
	b := &lore.Book{}
	for _, name := range []string{"a", "b", "c"} {
		e := entry("x", name)
		e.Group = "g"
		b.Entries = append(b.Entries, e)
	}
	seen := map[string]int{}
	for seed := range uint64(300) {
		r := lore.Scan(b, lore.Request{Messages: say("x"), Seed: seed})
		if len(r.Hits) != 1 {
			t.Fatalf("seed %d gives %v", seed, texts(r.Hits))
		}
		seen[r.Hits[0].Text]++
		if again := lore.Scan(b, lore.Request{Messages: say("x"), Seed: seed}); again.Hits[0].Text != r.Hits[0].Text {
			t.Fatal("one seed, two answers")
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		if seen[name] < 60 {
			t.Errorf("the lot is not fair: %v", seen)
		}
	}
	b.Entries[1].GroupOverride = true
	if r := lore.Scan(b, lore.Request{Messages: say("x")}); r.Hits[0].Text != "b" {
		t.Errorf("the one that overrides lost to %v", texts(r.Hits))
	}
}

func TestProbabilityIsDrawnBySeed(t *testing.T) {
	t.Parallel()
	e := entry("x", "p")
	e.Probability = 30
	hits := 0
	for seed := range uint64(1000) {
		hits += len(lore.Scan(&lore.Book{Entries: []lore.Entry{e}}, lore.Request{Messages: say("x"), Seed: seed}).Hits)
	}
	if hits < 240 || hits > 360 {
		t.Errorf("30%% gave %d of 1000", hits)
	}
}

func TestRecursionFlags(t *testing.T) {
	t.Parallel()
	first, second, third := entry("a", "b"), entry("b", "c"), entry("c", "end")
	b := func(change func(e []lore.Entry)) []string {
		list := []lore.Entry{first, second, third}
		change(list)
		return texts(lore.Scan(&lore.Book{Recursive: true, Entries: list}, lore.Request{Messages: say("a")}).Hits)
	}
	for name, c := range map[string]struct {
		change func([]lore.Entry)
		want   []string
	}{
		"chain":   {func([]lore.Entry) {}, []string{"b", "c", "end"}},
		"exclude": {func(e []lore.Entry) { e[1].ExcludeRecursion = true }, []string{"b"}},
		"prevent": {func(e []lore.Entry) { e[1].PreventRecursion = true }, []string{"b", "c"}},
		"delay":   {func(e []lore.Entry) { e[0].DelayRecursion = true }, []string{}},
		"delayed": {func(e []lore.Entry) { e[2].DelayRecursion = true }, []string{"b", "c", "end"}},
	} {
		if diff := cmp.Diff(c.want, b(c.change)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDecorators(t *testing.T) {
	t.Parallel()
	for content, want := range map[string][]string{
		"@@activate_only_after 2\nx":                         {"x"},
		"@@activate_only_after 4\nx":                         {},
		"@@activate_only_every 3\nx":                         {"x"},
		"@@activate_only_every 2\nx":                         {},
		"@@exclude_keys z,key\nx":                            {},
		"@@additional_keys other\n@@additional_keys no\nx":   {},
		"@@additional_keys other\nx":                         {"x"},
		"@@depth two\n@@@dont_activate\nx":                   {},
		"@@depth 2\n@@@dont_activate\nx":                     {"x"},
		"@@a\n@@@b\n@@@c\n@@@d\n@@@e\n@@@dont_activate\n\nx": {},
		"@@role pirate\n\n\n@@position nowhere\n\nx":         {"x"},
		"@@scan_depth 1\nx":                                  {},
		"@@is_greeting 0\nx":                                 {"x"},
		"@@activate":                                         {},
	} {
		b := &lore.Book{Entries: []lore.Entry{entry("key", content)}}
		r := lore.Scan(b, lore.Request{Messages: say("key", "other", "third")})
		if diff := cmp.Diff(want, texts(r.Hits)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", content, diff)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("fog", "@@depth 1\n@@@role user\nx", "the fog", true)
	f.Add("/(?<=a)b+/i", "x", "ab", false)
	f.Add("(a+)+$", "{{// c", "aaaaaaaaaaaaaaaaaaaaaaaa!", true)
	f.Fuzz(func(t *testing.T, key, content, message string, pattern bool) {
		e := entry(key, content)
		e.UseRegex, e.WholeWords = pattern, !pattern
		b := &lore.Book{Recursive: true, Budget: 5, Entries: []lore.Entry{e, entry("x", key)}}
		began := time.Now()
		r := lore.Scan(b, lore.Request{Messages: say(message, content)})
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if len(r.Hits)+len(r.Dropped) > 2 {
			t.Errorf("%d hits of two entries", len(r.Hits)+len(r.Dropped))
		}
	})
}
