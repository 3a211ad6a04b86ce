package again

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// editing is the scope of keys while something is written: no part of the
// screen's own, whose keys are text then.
const editing = "wording"

// Limits of what is written, in characters.
const (
	wordsLimit  = 1 << 15
	criticLimit = 2000
)

// editor is where a candidate's words, or a critic's name or address, are
// written. It lies over the rulings.
type editor struct {
	area   textarea.Model
	critic bool
	side   arena.Side // whose words, unless a critic is written
	was    string     // what stood there at first, as the text area shows it
	base   string     // the candidate as it was said
	fault  string
}

func newEditor(l *look.Look, text string, limit int) *editor {
	a := textarea.New()
	a.ShowLineNumbers = false
	a.CharLimit, a.MaxHeight = limit, 0
	a.SetVirtualCursor(false)
	for _, b := range []*key.Binding{&a.KeyMap.InsertNewline, &a.KeyMap.Paste, &a.KeyMap.TransposeCharacterBackward} {
		b.SetEnabled(false) // pasting comes as a message of its own, cleaned
	}
	a.SetPromptFunc(1, func(textarea.PromptInfo) string { return " " })
	a.SetValue(text)
	a.Focus()
	e := &editor{area: a, was: a.Value()}
	e.setLook(l)
	return e
}

func (e *editor) setLook(l *look.Look) {
	plain := textarea.StyleState{
		Base: lipgloss.NewStyle(), Text: l.Style(look.Input), CursorLine: l.Style(look.Input),
		Placeholder: l.Style(look.Dim), Prompt: l.Style(look.Accent), EndOfBuffer: lipgloss.NewStyle(),
		Selection: l.Style(look.Selected),
	}
	styles := e.area.Styles()
	styles.Focused, styles.Blurred = plain, plain
	e.area.SetStyles(styles)
}

// paste takes text in, as much as there is room for.
func (e *editor) paste(text string) {
	room := e.area.CharLimit - utf8.RuneCountInString(e.area.Value())
	if most := 4 * max(room, 0); len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
		e.fault = "there was no room for all that was pasted"
	}
	if e.critic {
		text = guard.Line(text)
	} else {
		text = guard.Text(text)
	}
	e.area.InsertString(text)
}

// editWords opens a candidate's words.
func (s *Screen) editWords(side arena.Side) tea.Cmd {
	if s.o.Candidates == nil || s.Running() {
		return nil
	}
	base, err := s.candidates()
	if err != nil {
		s.told = guard.Line(err.Error())
		return nil
	}
	text := guard.Text(changed(base[side], s.ask.Words[side]))
	s.edit = newEditor(s.look, text, wordsLimit)
	s.edit.side, s.edit.base = side, base[side]
	if utf8.RuneCountInString(text) > wordsLimit {
		s.edit, s.told = nil, "the words of "+side.String()+" are too many to be changed here: herarena judge rerun changes them"
	}
	return nil
}

// typeCritic opens a line for a critic that is not in the list.
func (s *Screen) typeCritic() {
	if s.Running() {
		return
	}
	s.edit = newEditor(s.look, "", criticLimit)
	s.edit.critic = true
	s.edit.area.Placeholder = "the name of a critic, or URL#model"
}

// restore puts back what the model said.
func (s *Screen) restore() {
	if e := s.edit; e != nil && !e.critic {
		e.area.SetValue(guard.Text(e.base))
	}
}

// takeEdit ends the writing and keeps what was written, unless it cannot be used.
func (s *Screen) takeEdit() {
	e := s.edit
	text := e.area.Value()
	switch {
	case e.critic:
		if e.fault = s.choose(strings.TrimSpace(text)); e.fault != "" {
			return
		}
	case strings.TrimSpace(text) == "":
		e.fault = "a candidate cannot be empty"
		return
	case text == guard.Text(e.base):
		s.ask.Words[e.side] = arena.Replacement{}
	case text != e.was:
		s.ask.Words[e.side] = change(e.side, e.base, text)
	}
	s.edit = nil
}

// choose takes a critic by its name or address, and says why it cannot be asked.
func (s *Screen) choose(name string) (fault string) {
	if name == "" {
		return ""
	}
	for i, known := range s.o.Critics {
		if known == name || s.o.CriticLabel(known) == name {
			s.critic = i
			s.pick(0)
			return ""
		}
	}
	if s.o.Check == nil {
		return "there is no critic of that name here"
	}
	if err := s.o.Check(name); err != nil {
		return guard.Line(err.Error())
	}
	s.o.Critics = append(s.o.Critics[:len(s.o.Critics):len(s.o.Critics)], name)
	s.critic = len(s.o.Critics) - 1
	s.pick(0)
	return ""
}

// candidates are both texts as the critic would get them, words unchanged.
func (s *Screen) candidates() ([2]string, error) {
	a := s.ask
	a.Words = [2]arena.Replacement{}
	return s.o.Candidates(a)
}

// refit takes back changes of words that do not stand in a candidate any more,
// because thoughts were taken out of it or its end was cut.
func (s *Screen) refit() {
	if s.o.Candidates == nil || s.ask.Words == ([2]arena.Replacement{}) {
		return
	}
	base, err := s.candidates()
	for side, w := range s.ask.Words {
		if w.Old != "" && (err != nil || strings.Count(base[side], w.Old) != 1) {
			s.ask.Words[side] = arena.Replacement{}
			s.told = "the words of " + arena.Side(side).String() + " are as they were: those changed are no longer in what is judged"
		}
	}
}

// asked are both candidates in segments as they are judged now.
func (s *Screen) asked() (out [2][]layers.Segment, ok bool) {
	if s.o.Candidates == nil || s.ask.Words == ([2]arena.Replacement{}) {
		return out, false
	}
	base, err := s.candidates()
	if err != nil {
		return out, false
	}
	for side := range out {
		out[side] = layers.Parse(changed(base[side], s.ask.Words[side]), layers.Options{}).Segments
	}
	return out, true
}

func changed(base string, w arena.Replacement) string {
	if w.Old == "" {
		return base
	}
	return strings.ReplaceAll(base, w.Old, w.New)
}

// change is the replacement that makes one text of another: the shortest run of
// whole words that holds all differences and stands in the text but once.
func change(side arena.Side, base, text string) arena.Replacement {
	from, to := 0, 0 // of the base, what is replaced
	for from < len(base) && from < len(text) && base[from] == text[from] {
		from++
	}
	for tail := 0; ; tail++ {
		to = len(base) - tail
		if to <= from || len(text)-tail <= from || base[to-1] != text[len(text)-tail-1] {
			break
		}
	}
	from, to = wordBefore(base, from+1), wordAfter(base, to-1)
	for strings.Count(base, base[from:to]) != 1 || strings.Index(base, base[from:to]) != from {
		was := [2]int{from, to}
		if from = wordBefore(base, from); from == was[0] {
			if to = wordAfter(base, to); to == was[1] {
				break // all of it
			}
		}
	}
	return arena.Replacement{Side: side, Old: base[from:to], New: text[from : len(text)-(len(base)-to)]}
}

// wordBefore is where the word before a place begins, wordAfter where the one
// behind it ends.
func wordBefore(s string, at int) int {
	at = max(min(at, len(s)), 0)
	head := strings.TrimRight(s[:max(at-1, 0)], " \n")
	if i := strings.LastIndexAny(head, " \n"); i >= 0 {
		return i + 1
	}
	return 0
}

func wordAfter(s string, at int) int {
	at = max(min(at+1, len(s)), 0)
	skipped := len(s[at:]) - len(strings.TrimLeft(s[at:], " \n"))
	if i := strings.IndexAny(s[at+skipped:], " \n"); i >= 0 {
		return at + skipped + i
	}
	return len(s)
}
