package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

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

// castWords names whom the contestants play.
func castWords(s characters.Scene) string {
	text := strings.Join(s.Speakers(), ", ")
	if s.Environment {
		text += " and the surroundings"
	}
	return text
}
