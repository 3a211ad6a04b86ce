package page

import (
	"fmt"
	"strings"
)

// writer puts paragraphs together.
type writer struct{ strings.Builder }

func (w *writer) para(text string) {
	if text == "" {
		return
	}
	w.WriteString(text)
	w.WriteString("\n\n")
}

func (w *writer) paraf(format string, args ...any) { w.para(fmt.Sprintf(format, args...)) }

// markdown writes a duel.
func markdown(d doc) string {
	w := &writer{}
	w.paraf("# %s", inline(d.Title))
	for _, f := range d.Facts {
		fmt.Fprintf(w, "- %s: %s\n", f.Name, inline(f.Value))
	}
	w.WriteByte('\n')
	if d.Hidden {
		w.paraf("%s played by two contestants, and who stood where stays hidden:", d.played())
	} else {
		w.paraf("%s played by:", d.played())
	}
	for _, p := range d.Parties {
		fmt.Fprintf(w, "- **%s**", inline(p.Name))
		for _, f := range p.Facts {
			fmt.Fprintf(w, "; %s: %s", f.Name, inline(f.Value))
		}
		w.WriteByte('\n')
	}
	w.WriteByte('\n')
	if d.Scenario != "" {
		w.para("## Scene")
		w.para(block("", d.Scenario))
	}
	if len(d.Opening) > 0 {
		w.paraf("**%s**", inline(d.Character))
		w.layers(d.Opening)
	}
	for _, p := range d.Past {
		w.paraf("## Before: turn %d", p.Number)
		w.scenery(p.Scenery)
		w.note(p.Note)
		if p.Line != "" || p.Speaker == "" && p.Scenery == "" {
			w.line(d.User, p.Line, "")
		}
		if p.HasReply {
			w.paraf("**%s**%s", inline(either(p.Speaker, d.Character)), about(p))
			w.layers(p.Segments)
		}
	}
	for i := range d.Turns {
		w.turn(&d, &d.Turns[i])
	}
	return w.String()
}

func about(p pastTurn) string {
	var parts []string
	if p.By != "" {
		parts = append(parts, inline(p.By))
	}
	if p.Edited {
		parts = append(parts, "edited by hand")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// played says who is played, with a verb.
func (d *doc) played() string {
	if d.Cast != "" {
		return inline(d.Cast) + " are"
	}
	return inline(d.Character) + " is"
}

// scenery writes what the surroundings did.
func (w *writer) scenery(text string) {
	if text != "" {
		w.para("*Around them:*")
		w.para(block("> ", text))
	}
}

// either is the first of two texts that is not empty.
func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (w *writer) note(text string) {
	if text != "" {
		w.para("*Director's note:*")
		w.para(block("> ", text))
	}
}

func (w *writer) line(user, line, auto string) {
	by := ""
	if auto != "" {
		by = " (written by " + inline(auto) + ")"
	}
	w.paraf("**%s**%s", inline(user), by)
	w.para(block("> ", line))
}

func (w *writer) layers(all []segment) {
	for _, s := range all {
		switch s.Kind {
		case "speech":
			w.speech(s)
		default:
			w.paraf("*%s:*", s.Name)
			w.para(block("> ", s.Text))
		}
	}
}

func (w *writer) turn(d *doc, t *turn) {
	w.paraf("## Turn %d", t.Number)
	w.scenery(t.Scenery)
	w.note(t.Note)
	if t.Line != "" || t.Speaker == "" && t.Scenery == "" {
		w.line(d.User, t.Line, t.Auto)
	}
	if t.Speaker != "" {
		does := "goes on"
		if t.Line != "" {
			does = "answers"
		}
		w.paraf("*%s %s*", inline(t.Speaker), does)
	}
	for i := range t.Sides {
		s := &t.Sides[i]
		title := "### " + s.Letter
		if s.Name != "" {
			title += " · " + inline(s.Name)
		}
		w.para(title)
		if len(s.Replies) == 0 {
			w.para("*no reply*")
		}
		for j := range s.Replies {
			w.reply(&s.Replies[j])
		}
	}
	for i := range t.Rulings {
		w.ruling(&t.Rulings[i])
	}
	for _, v := range t.Votes {
		w.para(voteLine(v))
	}
}

func (w *writer) reply(r *reply) {
	var marks []string
	if r.Title != "" {
		marks = append(marks, r.Title)
	}
	if r.Canon {
		marks = append(marks, "canon")
	}
	if r.Chosen {
		marks = append(marks, "the vote")
	}
	if r.Invalid != "" {
		marks = append(marks, "does not count: "+inline(r.Invalid))
	}
	if r.Stats != "" {
		marks = append(marks, r.Stats)
	}
	if len(marks) > 0 {
		w.paraf("*%s*", strings.Join(marks, " · "))
	}
	w.layers(r.Segments)
	for _, remark := range r.Remarks {
		w.paraf("*Remark:* %s", inline(remark))
	}
}

func (w *writer) ruling(r *ruling) {
	head := fmt.Sprintf("**%s: %s**", inline(r.Critic), r.Sum)
	for _, part := range []string{r.Orders, r.Time} {
		if part != "" {
			head += ", " + part
		}
	}
	if r.Old {
		head += ", on replies that were asked for again"
	}
	if r.Why != "" {
		head += "; does not count: " + inline(r.Why)
	}
	w.para(head)
	for _, p := range r.Cards {
		fmt.Fprintf(w, "- **%s**", inline(p.Name))
		if p.About != "" {
			fmt.Fprintf(w, " (%s)", inline(p.About))
		}
		fmt.Fprintf(w, ": %s", p.Goes)
		if p.Degree != "" && p.Goes != "tie" {
			fmt.Fprintf(w, ", %s", inline(p.Degree))
		}
		w.WriteByte('\n')
		for _, o := range p.Opinions {
			fmt.Fprintf(w, "  - %s: %s\n    - A: %s\n    - B: %s\n    - why: %s\n", o.Order, o.Goes, inline(o.A), inline(o.B), inline(o.Reason))
		}
	}
	if len(r.Cards) > 0 {
		w.WriteByte('\n')
	}
	for _, p := range r.Prose {
		w.paraf("*%s:* %s", p.Name, inline(p.Value))
	}
	for _, f := range r.Faults {
		w.paraf("*Remark:* %s", inline(f))
	}
}

func voteLine(v vote) string {
	s := "**Vote: " + v.Text + "**"
	if v.By != "" {
		s += ", by " + inline(v.By)
	}
	if v.At != "" {
		s += ", " + v.At
	}
	if v.Why != "" {
		s += "; does not count: " + inline(v.Why)
	}
	if !v.Holds {
		s += " (no longer holds)"
	}
	return s
}
