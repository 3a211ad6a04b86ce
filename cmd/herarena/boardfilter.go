package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/judge/principles"
)

// boardFilter chooses battles of the ledger.
type boardFilter struct{ scene, character, language, dimension, since string }

func (f *boardFilter) flags(fl *pflag.FlagSet) {
	fl.StringVar(&f.scene, "scene", "", "only battles in the scene of this `ID`")
	fl.StringVar(&f.character, "character", "", "only battles of this character")
	fl.StringVar(&f.language, "language", "", "only battles in this language")
	fl.StringVar(&f.dimension, "dimension", "", "a critic's winners in this dimension alone")
	fl.StringVar(&f.since, "since", "", "only battles since a day (2026-01-31) or within a time (30d, 12h)")
}

// nothingMatches says that the filters leave nothing, and what there is.
func nothingMatches(ctx context.Context, l *ledger.Ledger, f *boardFlags) string {
	n := &f.narrow
	var asked, here []string
	note := func(flag, value, plural string, facets []ledger.Facet) {
		if value == "" {
			return
		}
		asked = append(asked, flag+" "+value)
		var names []string
		for _, x := range facets {
			names = append(names, x.Value)
		}
		if len(names) > 0 {
			here = append(here, plural+": "+strings.Join(names, ", "))
		}
	}
	scenes, characters, languages, err := l.Facets(ctx, arena.Source(f.source))
	if err != nil {
		scenes, characters, languages = nil, nil, nil
	}
	note("--scene", n.scene, "scenes", scenes)
	note("--character", n.character, "characters", characters)
	note("--language", n.language, "languages", languages)
	var dimensions []ledger.Facet
	for _, d := range principles.Dimensions() {
		dimensions = append(dimensions, ledger.Facet{Value: d.Name})
	}
	note("--dimension", n.dimension, "dimensions", dimensions)
	note("--since", n.since, "", nil)
	text := fmt.Sprintf("No battle of %s matches %s.", f.source, strings.Join(asked, " "))
	if len(here) > 0 {
		text += " There are " + strings.Join(here, "; ") + "."
	}
	return text
}

func (f *boardFilter) narrowed() bool { return *f != boardFilter{} }

func (f *boardFilter) filter(source arena.Source) (ledger.BattleFilter, error) {
	out := ledger.BattleFilter{Source: source, SceneID: f.scene, Character: f.character, Language: f.language}
	if f.since == "" {
		return out, nil
	}
	if t, err := time.ParseInLocation("2006-01-02", f.since, time.Local); err == nil {
		out.Since = t
		return out, nil
	}
	d, err := time.ParseDuration(f.since)
	if days, ok := strings.CutSuffix(f.since, "d"); ok {
		n, nerr := strconv.ParseFloat(days, 64)
		d, err = time.Duration(n*24*float64(time.Hour)), nerr
	}
	if err != nil || d <= 0 || d > 100*365*24*time.Hour {
		return out, usagef("--since %q: write a day such as 2026-01-31, or a time such as 30d or 12h", f.since)
	}
	out.Since = time.Now().Add(-d)
	return out, nil
}
