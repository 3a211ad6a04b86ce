package stage

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

func TestALongPasteIsWholeAndCanBeChanged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("a", 32_000), strings.Repeat("words of it ", 2500), strings.Repeat("a row\n", 2000) + "end"} {
		p := set(t, 80, 24)
		p.run(p.Update(tea.PasteMsg{Content: text}))
		if v := p.writer.area.Value(); v != text || len(p.notices) != 0 {
			t.Fatalf("of %d characters %d are there, it says %q", len(text), len(v), p.notices)
		}
		begun := time.Now()
		p.press("backspace", "'x", "'y")
		p.screen(t)
		if v := p.writer.area.Value(); v != text[:len(text)-1]+"xy" {
			t.Errorf("changed, it ends in %q", v[len(v)-5:])
		}
		t.Logf("three keys and a frame: %v", time.Since(begun))
	}
}

func TestAPasteThatIsCutSaysSo(t *testing.T) {
	t.Parallel()
	p := set(t, 80, 24)
	p.press("'ab")
	p.run(p.Update(tea.PasteMsg{Content: strings.Repeat("é", 100_000)}))
	if n := utf8.RuneCountInString(p.writer.area.Value()); n != composerLimit {
		t.Errorf("the line has %d characters", n)
	}
	if len(p.notices) != 1 || !strings.Contains(p.notices[0], "cut to 32,766 of 100,000 characters") {
		t.Fatalf("it says %q", p.notices)
	}
	p.press("'c")
	if len(p.notices) != 2 || !strings.Contains(p.notices[1], "the line is full: it holds 32,768 characters") {
		t.Errorf("a key that is not taken says %q", p.notices)
	}
	p.press("backspace", "backspace", "'z")
	if v := p.writer.area.Value(); !strings.HasSuffix(v, "éz") || utf8.RuneCountInString(v) != composerLimit-1 || len(p.notices) != 2 {
		t.Errorf("deleting and typing do not work in a full line: %q, %q", v[len(v)-4:], p.notices)
	}
	p.press("ctrl+z")
	p.screen(t)
}

func TestAPasteOfTooManyRowsSaysSo(t *testing.T) {
	t.Parallel()
	p := set(t, 80, 24)
	p.run(p.Update(tea.PasteMsg{Content: strings.Repeat("a\n", 12_000)}))
	if n := p.writer.area.LineCount(); n != composerLines {
		t.Errorf("the line has %d rows", n)
	}
	if len(p.notices) != 1 || !strings.Contains(p.notices[0], "of 24,000 characters") {
		t.Errorf("it says %q", p.notices)
	}
}
