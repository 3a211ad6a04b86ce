package plain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/casting"
)

// errLeft says that the person left before the duel began.
var errLeft = errors.New("left")

// cast puts the duel together: from what was given, from what a person answers
// and, for the rest, from what the preset stands on. It is nil when the person
// left.
func (s *session) cast() (*casting.Cast, error) {
	o := &s.o
	if len(o.Scenes) == 0 || len(o.Contestants) == 0 || len(o.Critics) == 0 {
		return nil, errors.New("there is nothing to cast: no scene, no contestant or no critic")
	}
	if o.Note != "" {
		s.out.line("Note: " + full(o.Note))
	}
	c, err := s.questions()
	if errors.Is(err, errLeft) {
		return nil, nil
	}
	return c, err
}

// asker asks one question after the other until the person takes what is left.
type asker struct {
	s    *session
	rest bool // no further questions
	err  error
}

func (s *session) questions() (*casting.Cast, error) {
	o := &s.o
	ask := &asker{s: s, rest: !s.o.Person}
	c := &casting.Cast{}

	var titles []string
	for _, scene := range o.Scenes {
		titles = append(titles, named(scene.ID, scene.Title, scene.Blurb))
	}
	c.Scene = o.Scenes[ask.choose("Scene", titles, indexOf(o.Scenes, o.Preset.SceneID, sceneID, 0), o.Given.Scene)]

	if !ask.rest && ask.err == nil && !(o.Given.A && o.Given.B) {
		s.offered()
	}
	var players []string
	for _, k := range o.Contestants {
		players = append(players, named(k.Name, "", k.Model))
	}
	a := ask.choose("Side A", players, indexOf(o.Contestants, o.Preset.A, contestantName, 0), o.Given.A)
	b := ask.choose("Side B", players, indexOf(o.Contestants, o.Preset.B, contestantName, min(1, len(players)-1)), o.Given.B)
	c.Contestants = [2]arena.Contestant{o.Contestants[a], o.Contestants[b]}

	var judges []string
	for _, k := range o.Critics {
		label := k.Label
		if label == "" {
			label = k.Name
		}
		judges = append(judges, named(label, "", k.Note))
	}
	c.Critic = o.Critics[ask.choose("Critic", judges, indexOf(o.Critics, o.Preset.Critic, criticName, 0), o.Given.Critic)]

	policies := []arena.CanonPolicy{arena.CanonVote, arena.CanonCritic, arena.CanonA, arena.CanonB, arena.CanonParallel}
	var terms []string
	for _, p := range policies {
		terms = append(terms, named(string(p), "", canonWords(p)))
	}
	c.Canon = policies[ask.choose("Canon", terms, indexOf(policies, string(o.Preset.Canon), policyName, 0), o.Given.Canon)]

	blind := 0
	if o.Preset.Blind {
		blind = 1
	}
	c.Blind = ask.choose("Blind", []string{"no: who is who is told", "yes: sides are shuffled each turn, names are told after your vote"}, blind, o.Given.Blind) == 1
	return c, ask.err
}

func named(name, title, note string) string {
	text := one(name)
	if title = one(title); title != "" && title != text {
		text += ", " + title
	}
	if note = one(note); note != "" && note != text {
		text += ": " + note
	}
	return text
}

// choose asks for one of a list unless it is given or the rest is taken.
func (a *asker) choose(title string, choices []string, preset int, given bool) int {
	if given || a.rest || a.err != nil {
		return preset
	}
	s := a.s
	s.out.linef("%s. Enter takes %d. A number or a name takes another; start takes all that is left.", title, preset+1)
	for i, c := range choices {
		s.out.linef("%d. %s", i+1, full(c))
	}
	for {
		line, err := s.answer()
		word := strings.ToLower(line)
		switch {
		case err != nil:
			a.err = err
			return preset
		case word == "":
			return preset
		case word == "start":
			a.rest = true
			return preset
		case word == "/quit":
			a.err = errLeft
			return preset
		}
		if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(choices) {
			return n - 1
		}
		if i, ok := matching(choices, word); ok {
			return i
		}
		s.out.linef("There is no %q here. Type a number from 1 to %d, or press Enter for %d.", one(line), len(choices), preset+1)
	}
}

// matching finds the only choice that begins with a word, or is called so.
func matching(choices []string, word string) (int, bool) {
	found, n := 0, 0
	for i, c := range choices {
		c = strings.ToLower(c)
		if name, _, _ := strings.Cut(c, ":"); name == word {
			return i, true
		}
		if strings.HasPrefix(c, word) {
			found, n = i, n+1
		}
	}
	return found, n == 1
}

// answer waits for a line of the person.
func (s *session) answer() (string, error) {
	if s.out.err != nil {
		return "", errLeft
	}
	select {
	case e, ok := <-s.lines:
		switch {
		case !ok:
			return "", errLeft
		case e.err != nil:
			return "", fmt.Errorf("the input cannot be read: %w", e.err)
		}
		return e.text, nil
	case <-s.o.Interrupts:
	case <-s.ctx.Done():
	}
	return "", context.Canceled
}

// offered adds what was found on this machine, if that is known soon.
func (s *session) offered() {
	select {
	case offer, ok := <-s.o.Offers:
		if !ok {
			return
		}
		s.out.line(full(offer.Text))
		for _, c := range offer.Contestants {
			if indexOf(s.o.Contestants, c.Name, contestantName, -1) < 0 {
				s.o.Contestants = append(s.o.Contestants, c)
			}
		}
	case <-time.After(offerTime):
	case <-s.ctx.Done():
	}
}

// indexOf finds a name in a list, and otherwise where it is missing.
func indexOf[T any](list []T, name string, of func(T) string, otherwise int) int {
	for i, item := range list {
		if name != "" && of(item) == name {
			return i
		}
	}
	return otherwise
}

func sceneID(s characters.Scene) string        { return s.ID }
func contestantName(c arena.Contestant) string { return c.Name }
func criticName(c casting.CriticChoice) string { return c.Name }
func policyName(p arena.CanonPolicy) string    { return string(p) }
