package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"herarena/arena"
	"herarena/characters"
	"herarena/characters/testset"
	"herarena/tui/guard"
)

// sceneSet reads a file of scenes in a form of others; ok is false where it is
// something else, or is not there.
func sceneSet(file string) (set testset.Set, ok bool, err error) {
	if !testset.Readable(file) {
		return set, false, nil
	}
	set, err = testset.Load(file)
	if errors.Is(err, testset.ErrNotASet) || errors.Is(err, os.ErrNotExist) {
		return set, false, nil
	}
	return set, true, err
}

// splitScene splits FILE#WHICH, unless there is a file of the whole name.
func splitScene(arg string) (file, which string) {
	i := strings.LastIndexByte(arg, '#')
	if _, err := os.Stat(arg); err == nil || i <= 0 {
		return arg, ""
	}
	return arg[:i], arg[i+1:]
}

// findInSet takes FILE or FILE#WHICH of a file of scenes; without a name it is
// the first. ok is false where the file is something else.
func findInSet(arg string) (item testset.Item, ok bool, err error) {
	file, which := splitScene(arg)
	set, ok, err := sceneSet(file)
	switch {
	case err != nil, !ok && which == "":
		return item, ok, err
	case !ok:
		if _, err := os.Stat(file); err != nil {
			return item, false, nil
		}
		return item, true, fmt.Errorf("%s is no file of several scenes: leave #%s out", file, which)
	case which == "" && len(set.Items) > 0:
		return set.Items[0], true, nil
	}
	item, err = set.Find(which)
	return item, true, err
}

// listSet lists the scenes of a file.
func (a *app) listSet(file string, asJSON bool) error {
	set, ok, err := sceneSet(file)
	switch {
	case err != nil:
		return err
	case !ok:
		s, err := findScene(file)
		if err != nil {
			return err
		}
		set.Items = []testset.Item{{Number: 1, Scene: s}}
	}
	for _, fault := range set.Faults {
		_, _ = fmt.Fprintln(a.errw, "left out: "+guard.Line(fault.Error()))
	}
	type row struct {
		Number int `json:"number"`
		sceneRow
		Played      []string `json:"played"`
		Environment bool     `json:"environment"`
		Reference   int      `json:"reference_lines"`
		Notes       []string `json:"notes"`
	}
	rows := make([]row, 0, len(set.Items))
	for _, it := range set.Items {
		s := it.Scene
		rows = append(rows, row{
			Number: it.Number, sceneRow: sceneRow{s.ID, s.Title, s.Character.Name, s.User.Name, s.Language, s.Bundled},
			Played: append([]string{}, s.Played...), Environment: s.Environment, Reference: len(it.Reference), Notes: append([]string{}, it.Notes...),
		})
	}
	if asJSON {
		return a.printJSON(rows)
	}
	for i, r := range rows {
		if _, err := fmt.Fprintf(a.out, "%3d  %-28s %s: %s, with you as %s\n", r.Number, guard.Line(r.ID), guard.Line(r.Title), guard.Line(castWords(set.Items[i].Scene)), guard.Line(r.User)); err != nil {
			return err
		}
		for _, n := range r.Notes {
			_, _ = fmt.Fprintln(a.errw, fmt.Sprintf("note: scene %d: ", r.Number)+guard.Line(n))
		}
	}
	return nil
}

// recast gives the person the role of --as, and the duel the beginning that
// --rounds takes from the scene's own dialogue.
func (th *theatre) recast(s characters.Scene) (characters.Scene, error) {
	a := th.app
	if a.as != "" {
		var err error
		if s, err = s.PlayedBy(a.as); err != nil {
			return s, usagef("--as: %w", err)
		}
	}
	if a.rounds == 0 {
		return s, nil
	}
	item, ok, err := findInSet(th.cfg.Scene)
	switch n := len(item.Reference); {
	case err != nil:
		return s, err
	case !ok || n == 0:
		return s, usagef("--rounds %d: %s has no dialogue of its own", a.rounds, th.cfg.Scene)
	case a.rounds < 0 || a.rounds > n:
		return s, usagef("--rounds %d: the dialogue has %d lines", a.rounds, n)
	}
	// What is said there takes the place of an opening line.
	s.Opening = ""
	th.chat = &chatPast{s.ID, arena.PastOf(s, item.Reference[:a.rounds])}
	return s, nil
}

// takeStagehand finds the model that says who goes on.
func (th *theatre) takeStagehand() error {
	if th.cfg.Stagehand == "" {
		return nil
	}
	c, err := th.roster.Contestant(th.cfg.Stagehand)
	if err != nil {
		return fmt.Errorf("the stagehand: %w", err)
	}
	th.stage = c.Player
	return nil
}

// castWords names whom the contestants play.
func castWords(s characters.Scene) string {
	text := strings.Join(s.Speakers(), ", ")
	if s.Environment {
		text += " and the surroundings"
	}
	return text
}
