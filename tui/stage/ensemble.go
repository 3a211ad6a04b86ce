package stage

import (
	"context"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// Scenes in which the contestants play several characters: who speaks is said
// above each reply, the scene can go on without a line of the person, and a line
// can be said to somebody.

// Ensemble is a duel whose contestants may play several characters; arena.Duel is
// one.
type Ensemble interface {
	GoOn(ctx context.Context) error
	GoOnAs(ctx context.Context, name string) error
	SayTo(ctx context.Context, line, name string) error
	Next() string
}

var _ Ensemble = (*arena.Duel)(nil)

// ensemble returns the duel as one of several characters; ok is false where one
// alone is played and the surroundings are silent.
func (s *Stage) ensemble() (Ensemble, bool) {
	d, ok := s.o.Duel.(Ensemble)
	return d, ok && (s.o.Scene.Ensemble() || s.o.Scene.Environment)
}

func (s *Stage) hasEnsemble() bool {
	_, ok := s.ensemble()
	return ok
}

// next is who goes on, as far as it is known.
type next struct {
	choosing bool // the stagehand has been asked
	chosen   arena.NextChosen
	scenery  string // what the surroundings do, while it is written and until the next turn
	fault    *arena.Fault
}

// staging are the commands of scenes of several.
func staging() keys.Set[*Stage] {
	return keys.Set[*Stage]{Title: "In scenes of several characters", Scope: anywhere, Text: true, Commands: []command{
		whole(act("stage.scene.on", "let the scene go on without a line of yours", (*Stage).sceneOn).If((*Stage).mayGoOn).Hinted("the scene goes on")),
		whole(act("stage.scene.next", "choose who goes on, or to whom your line is said", (*Stage).chooseNext, "alt+u").If((*Stage).hasEnsemble).Hinted("who is next")),
	}}
}

// mayGoOn reports whether the scene may go on now.
func (s *Stage) mayGoOn() bool {
	t := s.play.last()
	return s.hasEnsemble() && !s.play.next.choosing && !s.play.playing() && (t == nil || t.settled())
}

// onNext takes in who goes on, and what the surroundings do meanwhile.
func (p *play) onNext(ev arena.Event) change {
	c := change{turn: -1, person: true, scene: true}
	n := &p.next
	switch e := ev.(type) {
	case arena.NextAsked:
		if !p.stale(e.Epoch) {
			*n = next{choosing: true}
		}
	case arena.SceneryDelta:
		if !p.stale(e.Epoch) {
			n.scenery = e.Text
		}
	case arena.SceneryEnded:
		if !p.stale(e.Epoch) {
			n.scenery, n.fault = e.Text, e.Fault
		}
	case arena.NextChosen:
		if !p.stale(e.Epoch) {
			n.choosing, n.chosen = false, e
			c.chosen = &e
		}
	}
	return c
}

// sceneOn lets the scene go on.
func (s *Stage) sceneOn() tea.Cmd {
	d, ok := s.ensemble()
	switch {
	case !ok:
		return nil
	case s.replying():
		return notice("a reply is still being written: esc stops it", false)
	}
	s.toNewest()
	return s.call("", func(ctx context.Context) error { return d.GoOn(ctx) })
}

// toNewest looks at the end, where what is played now will stand.
func (s *Stage) toNewest() {
	if n := len(s.play.turns); n > 0 {
		s.turnTo(n - 1 - s.judged)
	}
	for _, p := range s.panes {
		p.Bottom()
	}
	s.stale(allParts)
}

// chooseNext opens the list of who can go on. With a line in the composer the one
// who is chosen answers it.
func (s *Stage) chooseNext() tea.Cmd {
	d, ok := s.ensemble()
	switch {
	case !ok:
		return nil
	case s.replying():
		return notice("a reply is still being written: esc stops it", false)
	}
	saying := s.job == nil && !s.writer.empty() && !s.scripted()
	m := &menu{title: "Who goes on?", foot: "a number chooses   esc shuts"}
	if saying {
		m.title = "To whom is it said?"
	}
	likely := d.Next()
	add := func(text string, name string, do func() tea.Cmd) {
		note := func() string { return "" }
		if name == likely {
			note = func() string { return s.look.Paint(look.Dim, "next by the scene itself") }
			m.at = len(m.items)
		}
		m.items = append(m.items, menuItem{key: string(rune('1' + len(m.items)%9)), text: text, note: note, possible: true, do: do})
	}
	for _, name := range s.o.Scene.Speakers() {
		add(guard.Line(name), name, func() tea.Cmd {
			if saying {
				return s.sayTo(d, s.writer.take(), name)
			}
			s.toNewest()
			return s.call("", func(ctx context.Context) error { return d.GoOnAs(ctx, name) })
		})
	}
	if s.o.Scene.Environment && !saying {
		add("the surroundings", characters.EnvironmentName, func() tea.Cmd {
			s.toNewest()
			return s.call("", func(ctx context.Context) error { return d.GoOnAs(ctx, characters.EnvironmentName) })
		})
	}
	return s.open(m)
}

// sayTo says a line to a played character; it comes back where the duel does not
// take it.
func (s *Stage) sayTo(d Ensemble, line, name string) tea.Cmd {
	s.toNewest()
	return s.call(line, func(ctx context.Context) error { return d.SayTo(ctx, line, name) })
}

// addressee takes "@name" from the beginning of a line: whom it is said to, and
// the line itself. ok is false where it begins otherwise, or names nobody.
func (s *Stage) addressee(line string) (name, rest string, ok bool) {
	after, at := strings.CutPrefix(strings.TrimSpace(line), "@")
	if !at || !s.hasEnsemble() {
		return "", line, false
	}
	for _, who := range s.callNames() {
		if len(after) < len(who.call) || !strings.EqualFold(after[:len(who.call)], who.call) {
			continue
		}
		rest = after[len(who.call):]
		if rest != "" && (unicode.IsLetter([]rune(rest)[0]) || unicode.IsDigit([]rune(rest)[0])) {
			continue
		}
		return who.name, strings.TrimSpace(strings.TrimLeft(rest, " ,:;，：")), true
	}
	return "", line, false
}

// callName is what a played character may be called behind an @.
type callName struct{ call, name string }

// callNames are the names of the played characters, the longest first, and behind
// them the single words of names that are one character's alone.
func (s *Stage) callNames() []callName {
	var out []callName
	owners := map[string][]string{}
	for _, name := range s.o.Scene.Speakers() {
		out = append(out, callName{name, name})
		for _, w := range strings.Fields(name) {
			owners[strings.ToLower(w)] = append(owners[strings.ToLower(w)], name)
		}
	}
	for w, of := range owners {
		if len(of) == 1 && len(w) > 2 {
			out = append(out, callName{w, of[0]})
		}
	}
	slices.SortFunc(out, func(a, b callName) int {
		if d := len(b.call) - len(a.call); d != 0 {
			return d
		}
		return strings.Compare(a.call, b.call)
	})
	return out
}

// completions are the names that an @ at the beginning of the composer may become;
// none while no such name is being written.
func (s *Stage) completions() []string {
	after, at := strings.CutPrefix(s.writer.area.Value(), "@")
	if !at || !s.hasEnsemble() || s.job != nil || strings.ContainsAny(after, "\n,:") {
		return nil
	}
	begun := strings.ToLower(after)
	var out []string
	for _, name := range s.o.Scene.Speakers() {
		low := strings.ToLower(name)
		fits := strings.HasPrefix(low, begun) && low != begun
		for _, w := range strings.Fields(low) {
			fits = fits || begun != "" && strings.HasPrefix(w, begun) && low != begun
		}
		if fits {
			out = append(out, name)
		}
	}
	return out
}

// complete writes the first of the names.
func (s *Stage) complete() {
	if all := s.completions(); len(all) > 0 {
		s.writer.change("@" + all[0] + " ")
	}
}

// sceneRow says who is next, or whom a name may become; "" where there is nothing
// to say.
func (s *Stage) sceneRow() string {
	l := s.look
	if all := s.completions(); len(all) > 0 {
		for i := range all {
			all[i] = guard.Line(all[i])
		}
		return s.bannerRow(look.Accent, "@", strings.Join(all, l.Paint(look.Dim, ", ")), s.bound("stage.suggest").Hinted("completes"))
	}
	n := &s.play.next
	if !s.hasEnsemble() || s.replying() {
		return ""
	}
	pick := s.bound("stage.scene.next")
	switch {
	case n.choosing && n.scenery != "":
		return s.bannerRow(look.Accent, l.Glyphs.Dot, "the surroundings are described", s.bound("stage.back"))
	case n.choosing:
		return s.bannerRow(look.Accent, l.Glyphs.Dot, "it is being decided who goes on", s.bound("stage.back"))
	case n.chosen.Over:
		return s.bannerRow(look.Accent, l.Glyphs.Dot, "the scene could end here; it goes on with a line of yours", pick)
	case n.chosen.Person:
		return s.bannerRow(look.Accent, l.Glyphs.Dot, "it is "+guard.Line(n.chosen.Name)+"'s turn, which is yours", pick)
	case !s.mayGoOn() || !s.writer.empty():
		return ""
	}
	name := s.likelyNext()
	who := guard.Line(name)
	switch name {
	case s.o.Scene.User.Name:
		who += l.Paint(look.Dim, ", which is you")
	case characters.EnvironmentName:
		who = "the surroundings"
	}
	return s.bannerRow(look.Accent, l.Glyphs.Dot, l.Paint(look.Dim, "next: ")+who, s.bound("stage.send").Hinted("the scene goes on"), pick)
}

// likely is who is next by what can be told, and what that was told from: the duel
// reads all that was said for it.
type likely struct {
	known          bool
	turns, canon   int
	swipes, spoken int
	name           string
}

func (s *Stage) likelyNext() string {
	d, ok := s.ensemble()
	if !ok {
		return ""
	}
	now := likely{known: true, turns: len(s.play.turns), spoken: len(s.play.next.scenery)}
	if t := s.play.last(); t != nil {
		now.canon, now.swipes = t.canon, len(t.columns[0].takes)+len(t.columns[1].takes)
	}
	now.name = s.likely.name
	if now != s.likely {
		now.name = d.Next()
		s.likely = now
	}
	return s.likely.name
}

// sceneChanged carries what is said about who goes on over to the screen.
func (s *Stage) sceneChanged(c change) []tea.Cmd {
	s.stale(composerPart)
	number := s.pastTurns() + 1
	if t := s.play.last(); t != nil {
		number = t.number + 1
	}
	s.setScenery(number, s.play.next.scenery)
	if f := s.play.next.fault; f != nil {
		s.play.next.fault = nil
		if f.Kind != arena.Cancelled {
			return []tea.Cmd{notice("the surroundings stay silent: "+f.Error(), true)}
		}
	}
	if c.chosen != nil && c.chosen.Why != "" && c.chosen.By != arena.NextByNobody {
		return []tea.Cmd{notice(c.chosen.String()+" "+c.chosen.Why, false)}
	}
	return nil
}
