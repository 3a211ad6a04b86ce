package stage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/clip"
	"herarena/tui/guard"
)

// terminalLimit is what a terminal's clipboard takes at least, in bytes: more
// than 100,000 of base64 many drop without a word.
const terminalLimit = 74994

// clipped is what came of giving text to the system's clipboard.
type clipped struct {
	what string
	by   string
	err  error
	size int
	file string // how to write it to a file
}

// clip copies a text: to the terminal's clipboard, which says nothing of whether
// it took it, and to the system's where a tool is there.
func (s *Stage) clip(text, what, file string) tea.Cmd {
	text = strings.TrimRight(text, "\n")
	if strings.TrimSpace(text) == "" {
		return notice("nothing to copy: "+what+" is empty", false)
	}
	s.taken = [2]string{what, text}
	give, ctx := s.o.Clipboard, s.ctx
	if give == nil {
		give = clip.Here().Copy
	}
	return tea.Batch(tea.SetClipboard(text), func() tea.Msg {
		by, err := give(ctx, text)
		return clipped{what, by, err, len(text), file}.notice()
	})
}

// notice says what is known, and no more.
func (c clipped) notice() Notice {
	text := c.what + " sent to the terminal's clipboard"
	switch {
	case c.err == nil:
		text = c.what + " copied with " + c.by
	case c.size > terminalLimit:
		text += fmt.Sprintf("; it has %d kB, and many terminals take no more than 73", c.size/1024)
	case !errors.Is(c.err, clip.ErrNone) && !errors.Is(c.err, context.Canceled):
		text += "; " + c.err.Error()
	}
	if c.err != nil && c.file != "" {
		text += "; should nothing arrive there, " + c.file
	}
	return Notice{Text: sentence(text)}
}

// save writes a text into a file and says its whole path.
func (s *Stage) save(text, what string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		return notice("nothing to write: "+what+" is empty", false)
	}
	write := s.o.Save
	if write == nil {
		write = func(name, text string) (string, error) { return clip.Save(clip.Folders(), name, text) }
	}
	return func() tea.Msg {
		path, err := write(what, text)
		if err != nil {
			return Notice{Text: guard.Line(err.Error()), Bad: true}
		}
		return Notice{Text: what + " is written to " + guard.Line(path), Path: path}
	}
}

// here is what is selected, else the reply of the turn that is read.
func (s *Stage) here() (text, what string, ok bool) {
	if s.selection.on {
		return s.selected(), "the selection", true
	}
	side := s.sideAt()
	t := s.readTurn()
	if t == nil || t.columns[side].shown() == nil {
		return "", "", false
	}
	return replyText(t.columns[side].shown()), s.replyName(t, side), true
}

// copyHere copies what is selected, else the reply of the turn that is read.
func (s *Stage) copyHere() tea.Cmd {
	text, what, ok := s.here()
	if !ok {
		return notice("nothing to copy yet", false)
	}
	return s.clip(text, what, s.fileHint("stage.copy.file"))
}

// saveHere writes the same to a file.
func (s *Stage) saveHere() tea.Cmd {
	text, what, ok := s.here()
	if !ok {
		return notice("nothing to write to a file yet", false)
	}
	return s.save(text, what)
}

// fileHint says how what has just been copied gets into a file.
func (s *Stage) fileHint(command string) string {
	b := s.bound(command)
	switch {
	case len(b.Keys) == 0:
		return ""
	case command == "stage.copy.menu":
		return b.ShownIn(s.look.ASCII) + " f writes it to a file"
	}
	return b.ShownIn(s.look.ASCII) + " writes it to a file"
}

func (s *Stage) copySelected() tea.Cmd {
	return s.clip(s.selected(), "the selection", s.fileHint("stage.copy.file"))
}

// replyName is "reply A", with its turn where that is not the last.
func (s *Stage) replyName(t *turn, side arena.Side) string {
	if t.before != nil {
		return fmt.Sprintf("the reply of turn %d", t.number)
	}
	name := "reply " + side.String()
	if t != s.play.last() {
		name += fmt.Sprintf(" of turn %d", t.number)
	}
	return name
}

// openCopy opens the menu of what can be copied of the turn that is read.
func (s *Stage) openCopy() tea.Cmd {
	t, side := s.readTurn(), s.sideAt()
	if t == nil {
		return notice("nothing to copy yet: write a line first", false)
	}
	reply := t.columns[side].shown()
	name := s.replyName(t, side)
	m := &menu{title: "Copy", foot: "a letter copies   esc shuts"}
	add := func(key, what, text string) {
		m.items = append(m.items, menuItem{
			key: key, text: what, possible: strings.TrimSpace(text) != "",
			do: func() tea.Cmd { return s.clip(text, what, s.fileHint("stage.copy.menu")) },
		})
	}
	if s.selection.on {
		add("x", "the selection", s.selected())
	}
	add("r", name+", what is done and said", replyText(reply))
	add("w", name+" as written, with its marks", writtenText(reply))
	for i, l := range []layers.Layer{layers.System, layers.Native, layers.Think, layers.Act, layers.Speech} {
		add("pntas"[i:i+1], layerWords[l]+" of "+name, layerText(reply, l))
	}
	whole := "line, both replies, verdict"
	if t.before != nil {
		whole = "line and reply"
	}
	add("v", fmt.Sprintf("verdict on turn %d", t.number), s.verdictText(t.asSeen()))
	add("u", fmt.Sprintf("turn %d whole: "+whole, t.number), s.turnText(t))
	if last := s.taken; last[1] != "" {
		m.items = append(m.items, menuItem{
			key: "f", text: "to a file: " + last[0] + ", which was copied last", possible: true,
			do: func() tea.Cmd { return s.save(last[1], last[0]) },
		})
	}
	state := "off"
	if s.o.Reading.CopySelected {
		state = "on"
	}
	m.items = append(m.items, menuItem{
		key: "m", text: "copy what the mouse selects at once: " + state, possible: true,
		do: func() tea.Cmd {
			s.o.Reading.CopySelected = !s.o.Reading.CopySelected
			word := map[bool]string{true: "is copied at once", false: "is copied with y alone"}[s.o.Reading.CopySelected]
			return tea.Batch(s.remember(), notice("what the mouse selects "+word, false))
		},
	})
	return s.open(m)
}

// replyText is what is done and said in a reply.
func replyText(t *take) string {
	if t == nil {
		return ""
	}
	var lines []string
	for _, seg := range t.reply.Segments {
		switch text := guard.Text(seg.Text); {
		case seg.Layer == layers.Act && text != "":
			lines = append(lines, "*"+text+"*")
		case seg.Layer == layers.Speech && text != "":
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// writtenText is a reply as it was sent, tags and all; only what a terminal
// would obey is taken out.
func writtenText(t *take) string {
	switch {
	case t == nil:
		return ""
	case t.reply.Raw != "":
		return guard.Text(t.reply.Raw)
	}
	var lines []string
	for _, seg := range t.reply.Segments {
		lines = append(lines, guard.Text(seg.Text))
	}
	return strings.Join(lines, "\n")
}

// layerText is all of one layer.
func layerText(t *take, l layers.Layer) string {
	if t == nil {
		return ""
	}
	var texts []string
	for _, seg := range t.reply.Segments {
		if seg.Layer == l {
			texts = append(texts, guard.Text(seg.Text))
		}
	}
	return strings.Join(texts, "\n\n")
}

// who is a side with the name of who stands there, as far as it may be known.
func (s *Stage) who(t *turn, side arena.Side) string {
	if name, known := s.bill.name(t, side); known {
		return side.String() + " (" + name + ")"
	}
	return side.String()
}

// whoOf is who wrote the reply of a side; what lies before the duel is said by the
// character, on both sides alike.
func (s *Stage) whoOf(t *turn, side arena.Side) string {
	if t.before == nil {
		return s.who(t, side)
	}
	who := guard.Line(s.o.Scene.Character.Name)
	if by := guard.Line(t.before.By); by != "" && !s.hushed() {
		who += " (" + by + ")"
	}
	return who
}

// verdictText is a verdict in words: winner, orders, and each principle.
func (s *Stage) verdictText(t *turn) string {
	r := t.ruling
	if r == nil {
		return ""
	}
	var b strings.Builder
	choice := func(c arena.Choice) string {
		switch c {
		case arena.ChoseA:
			return s.who(t, arena.A)
		case arena.ChoseB:
			return s.who(t, arena.B)
		case arena.Tie:
			return "tie"
		case arena.BothBad:
			return "both bad"
		}
		return "no verdict"
	}
	fmt.Fprintf(&b, "%s on turn %d: ", guard.Line(t.critic), t.number)
	switch r.Agreement {
	case arena.Flip:
		b.WriteString("flip, the orders disagree")
	case arena.Agree:
		b.WriteString(choice(r.Winner) + ", both orders agree")
	case arena.OneFailed:
		b.WriteString(choice(r.Winner) + ", one order alone answered")
	default:
		b.WriteString("no verdict")
	}
	b.WriteByte('\n')
	for o, v := range r.Verdicts {
		order := arena.Order(o)
		fmt.Fprintf(&b, "\n%s: %s\n", order, choice(order.Side(v.Better)))
		for _, c := range v.Comparisons {
			degree := ""
			if c.Degree != "" {
				degree = ", " + guard.Line(c.Degree)
			}
			fmt.Fprintf(&b, "- %s: %s%s\n", guard.Line(c.Name), choice(order.Side(c.Winner)), degree)
			first, second := "A", "B"
			if order == arena.BFirst {
				first, second = "B", "A"
			}
			for _, part := range [][2]string{{first, c.First}, {second, c.Second}, {"why", c.Reason}} {
				if text := guard.Line(part[1]); text != "" {
					fmt.Fprintf(&b, "    %s: %s\n", part[0], text)
				}
			}
		}
	}
	if t.vote != nil {
		fmt.Fprintf(&b, "\nvote: %s\n", choice(t.vote.Choice))
	}
	return b.String()
}

// turnText is a whole turn: the line, both replies layer by layer, the verdict.
func (s *Stage) turnText(t *turn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d\n", t.number)
	if t.scenery != "" {
		fmt.Fprintf(&b, "\n%s: %s\n", characters.EnvironmentName, guard.Text(t.scenery))
	}
	if name, text := t.spoken(); text != "" {
		if name == "" {
			name = s.me()
		}
		fmt.Fprintf(&b, "\n%s: %s\n", guard.Line(name), guard.Text(text))
	}
	if t.speaker != "" {
		fmt.Fprintf(&b, "\n%s:\n", guard.Line(t.speaker))
	}
	for side := range t.columns {
		take := t.columns[side].shown()
		if take == nil || t.before != nil && side > 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", s.whoOf(t, arena.Side(side)))
		for _, seg := range take.reply.Segments {
			text := guard.Text(seg.Text)
			switch seg.Layer {
			case layers.Speech:
			case layers.Act:
				text = "*" + text + "*"
			default:
				text = "[" + layerWords[min(int(seg.Layer), layerCount-1)] + ": " + text + "]"
			}
			b.WriteString(text + "\n")
		}
	}
	if v := s.verdictText(t.asSeen()); v != "" {
		b.WriteString("\n" + v)
	}
	return b.String()
}
