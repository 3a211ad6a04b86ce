package stage

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"herarena/tui/guard"
	"herarena/tui/look"
)

const (
	composerRows  = 5       // rows the composer grows to
	composerLimit = 1 << 15 // characters of a line; with more the text area answers keys late
	composerLines = 5000    // line feeds of a line; the text area would lose what goes beyond 10,000
	historyLimit  = 200     // lines remembered
)

// composer is where the person writes. It keeps the lines sent, and what was
// being written while older lines are looked at.
type composer struct {
	area    textarea.Model
	look    *look.Look
	history []string
	at      int // index into history; len(history) is the line being written
	draft   string
	hint    string // suggestion shown while empty
	edits   edits
}

func newComposer(l *look.Look) composer {
	a := textarea.New()
	a.ShowLineNumbers = false
	a.CharLimit = composerLimit
	a.DynamicHeight, a.MinHeight, a.MaxHeight = true, 1, composerRows
	a.SetVirtualCursor(false)
	// Pasting comes as a message of its own, cleaned; the keys are the stage's.
	for _, b := range []*key.Binding{&a.KeyMap.InsertNewline, &a.KeyMap.Paste, &a.KeyMap.InputBegin, &a.KeyMap.InputEnd, &a.KeyMap.PageUp, &a.KeyMap.PageDown, &a.KeyMap.TransposeCharacterBackward} {
		b.SetEnabled(false)
	}
	c := composer{area: a}
	c.setLook(l)
	c.area.Focus()
	return c
}

func (c *composer) setLook(l *look.Look) {
	c.look = l
	plain := textarea.StyleState{
		Base: lipgloss.NewStyle(), Text: l.Style(look.Input), CursorLine: l.Style(look.Input),
		Placeholder: l.Style(look.Dim), Prompt: l.Style(look.Accent), EndOfBuffer: lipgloss.NewStyle(),
		Selection: l.Style(look.Selected),
	}
	styles := c.area.Styles()
	styles.Focused, styles.Blurred = plain, plain
	styles.Blurred.Prompt = l.Style(look.Dim)
	c.area.SetStyles(styles)
	prompt := " " + l.Glyphs.Prompt + " "
	c.area.SetPromptFunc(3, func(i textarea.PromptInfo) string {
		if i.LineNumber == 0 {
			return prompt
		}
		return "   "
	})
}

func (c *composer) setWidth(w int) { c.area.SetWidth(max(w, 8)) }

// rows is the height the text asks for.
func (c *composer) rows() int { return max(c.area.Height(), 1) }

// plain draws the text where it is a single row of w cells without a selection,
// as it mostly is: the text area takes longer over that than the rest of a frame.
func (c *composer) plain(w int) (row string, ok bool) {
	text := c.area.Value()
	if c.rows() > 1 || c.area.HasSelection() || strings.ContainsAny(text, "\n\t") || look.Width(text) > w-8 {
		return "", false
	}
	return " " + c.look.Paint(look.Accent, c.look.Glyphs.Prompt) + " " + c.look.Paint(look.Input, text), true
}

func (c *composer) empty() bool { return strings.TrimSpace(c.area.Value()) == "" }

// suggest sets what an empty composer proposes.
func (c *composer) suggest(line string) {
	c.hint = guard.Line(line)
	c.area.Placeholder = c.hint
}

// take returns what was written, remembers it and empties the composer.
func (c *composer) take() string {
	line := strings.TrimSpace(c.area.Value())
	c.remember(line)
	c.at, c.draft = len(c.history), ""
	c.edits.past, c.edits.future, c.edits.typing = nil, nil, false
	c.area.Reset()
	return line
}

// remember puts a line into the history.
func (c *composer) remember(line string) {
	if line == "" || len(c.history) > 0 && c.history[len(c.history)-1] == line {
		return
	}
	c.history = append(c.history, line)
	if over := len(c.history) - historyLimit; over > 0 {
		c.history = c.history[over:]
	}
	c.at = len(c.history)
}

// put writes a line into the composer, the cursor behind it.
func (c *composer) put(line string) {
	c.area.SetValue(line)
	c.area.MoveToEnd()
}

// atEdge reports whether a key up (by -1) or down is for the history, and not
// for the cursor within the text.
func (c *composer) atEdge(by int) bool {
	info, row := c.area.LineInfo(), c.area.Line()
	if by < 0 {
		return row == 0 && info.RowOffset == 0
	}
	return row >= c.area.LineCount()-1 && info.RowOffset >= info.Height-1
}

// browse goes through the history: by -1 to older lines.
func (c *composer) browse(by int) {
	next := c.at + by
	if next < 0 || next > len(c.history) {
		return
	}
	if c.at == len(c.history) {
		c.draft = c.area.Value()
	}
	c.at = next
	if next == len(c.history) {
		c.put(c.draft)
	} else {
		c.put(c.history[next])
	}
}

// update gives a message to the text.
func (c *composer) update(msg tea.Msg) tea.Cmd {
	before := c.area.Value()
	if m, ok := msg.(tea.PasteMsg); ok {
		return c.paste(guard.Text(m.Content))
	}
	var cmd tea.Cmd
	c.area, cmd = c.area.Update(msg)
	if k, ok := msg.(tea.KeyPressMsg); ok {
		after := c.area.Value()
		c.edits.note(before, after, k)
		if k.Text != "" && before == after && c.area.Length() >= composerLimit {
			return tea.Batch(cmd, notice("the line is full: it holds "+grouped(composerLimit)+" characters", false))
		}
	}
	return cmd
}

// paste inserts a cleaned text, as much of it as there is room for, and says
// what it left out.
func (c *composer) paste(text string) tea.Cmd {
	before := c.area.Value()
	text = strings.ReplaceAll(text, "\t", "    ") // as the text area would, so that it is counted
	whole := utf8.RuneCountInString(text)
	text = within(text, composerLimit-c.area.Length(), composerLines-c.area.LineCount())
	c.area.InsertString(text)
	c.edits.note(before, c.area.Value(), tea.KeyPressMsg{})
	if kept := utf8.RuneCountInString(text); kept < whole {
		return notice(fmt.Sprintf("the paste is cut to %s of %s characters: a line holds %s characters and %s rows", grouped(kept), grouped(whole), grouped(composerLimit), grouped(composerLines)), true)
	}
	return nil
}

// within is the beginning of a text that has at most so many characters and
// line feeds.
func within(text string, characters, feeds int) string {
	for i, r := range text {
		if r == '\n' {
			feeds--
		}
		if characters <= 0 || feeds < 0 {
			return text[:i]
		}
		characters--
	}
	return text
}

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
