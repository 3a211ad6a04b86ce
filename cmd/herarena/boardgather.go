package main

import (
	"context"
	"slices"
	"strings"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/judge/principles"
)

// gathering is what a board is made of: the ratings, and what is asked for beside
// them.
type gathering struct {
	f         *boardFlags
	by        rating.By
	o         rating.Options
	dimension string // the only one of a critic's that counts, "" for the winner
	slicer    *rating.Slicer
	historian *rating.Historian // nil where it is not asked for
	accord    *rating.Accord    // nil where they are not asked for
	places    *rating.Places
}

// moments is how many boards a history holds at most.
const moments = 60

func newGathering(f *boardFlags, by rating.By, o rating.Options) *gathering {
	g := &gathering{f: f, by: by, o: o, slicer: rating.NewSlicer(by, o)}
	if f.course || f.html != "" && len(f.composite) == 0 {
		g.historian = rating.NewHistorian(moments, o)
	}
	if f.agreement || f.html != "" {
		g.accord, g.places = rating.NewAccord(rating.FlipRule(f.flips)), rating.NewPlaces()
	}
	if f.narrow.dimension != "" {
		g.dimension, _ = principles.Dimension(f.narrow.dimension)
		if g.dimension == "" {
			g.dimension = f.narrow.dimension
		}
	}
	return g
}

// fromFile takes a battle of a file, and what a critic said of it.
func (g *gathering) fromFile(b rating.Battle) {
	g.add(b)
	if g.places == nil {
		return
	}
	g.places.Add("winner", b.Outcome, 1)
	if b.About == nil || b.About.Orders == [2]rating.Outcome{} {
		return
	}
	ab, ba := b.About.Orders[0], b.About.Orders[1]
	switch {
	case ba == 0:
		g.places.AddOrder("judge", ab, true)
		g.accord.Add([]rating.Answer{rating.Sole("winner", b.Outcome), rating.Sole("judge", ab)})
	case ab == 0:
		g.places.AddOrder("judge", ba, false)
		g.accord.Add([]rating.Answer{rating.Sole("winner", b.Outcome), rating.Sole("judge", ba)})
	default:
		g.places.AddOrders("judge", ab, ba)
		g.places.Add("judge", ab, 0.5)
		g.places.Add("judge", ba, 0.5)
		g.accord.Add([]rating.Answer{rating.Sole("winner", b.Outcome), rating.Halves("judge", ab, ba)})
	}
}

func (g *gathering) add(b rating.Battle) {
	g.slicer.Add(b)
	if g.historian != nil {
		g.historian.Add(b)
	}
}

// fromLedger counts the battles of a source.
func (g *gathering) fromLedger(ctx context.Context, l *ledger.Ledger, f ledger.BattleFilter) error {
	plain := g.by == "" && !g.o.Style && g.o.DailyCap == 0 && g.o.System != rating.AmElo && g.historian == nil && g.dimension == ""
	if plain {
		return l.EachRated(ctx, f, g.add)
	}
	f.Counted = true
	battles, err := l.Battles(ctx, f)
	if err != nil {
		return err
	}
	whole := g.by == rating.ByCharacter || g.by == rating.ByDimension || g.o.Style || g.dimension != ""
	if !whole {
		for _, b := range rating.Counting(battles) {
			g.add(b)
		}
		return nil
	}
	return g.ofDuels(ctx, l, battles)
}

// ofDuels counts battles with what only whole duels know. Duels are read some at
// a time, and their battles counted in the order of time.
func (g *gathering) ofDuels(ctx context.Context, l *ledger.Ledger, battles []arena.Battle) error {
	var ids []string
	seen := make(map[string]bool)
	for _, b := range battles {
		if !seen[b.DuelID] {
			seen[b.DuelID] = true
			ids = append(ids, b.DuelID)
		}
	}
	known := make(map[string]*turnTold) // by turn
	characters := make(map[string]string)
	err := l.EachDuel(ctx, ids, func(d *ledger.DuelFull) error {
		characters[d.ID] = d.Character
		for i := range d.Turns {
			known[d.Turns[i].ID] = g.tellTurn(&d.Turns[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	judged := make(map[string]bool) // turns whose dimensions are counted
	for _, b := range battles {
		rated := rating.Counting([]arena.Battle{b})[0]
		rated.About.Character = characters[b.DuelID]
		t := known[b.TurnID]
		if t != nil {
			if t.speaker != "" {
				rated.About.Character = t.speaker
			}
			rated.About.Style, rated.About.Styled = t.style, t.styled
		}
		if g.dimension == "" {
			if g.by != rating.ByDimension {
				g.add(rated)
				continue
			}
			g.slicer.Tally.Add(rated)
		}
		if t == nil || judged[b.TurnID] || !strings.HasSuffix(string(b.Source), ":"+t.critic) {
			continue
		}
		judged[b.TurnID] = true
		for _, part := range rating.Dimensions(t.ruling, b.A, b.B) {
			part.About.Character, part.About.At, part.About.Voter = rated.About.Character, b.At, b.Judge
			switch {
			case g.dimension == "":
				g.slicer.AddPart(part)
			case part.About.Dimension == g.dimension:
				g.add(part)
			}
		}
	}
	return nil
}

// turnTold is what a board needs of a turn beyond its battle.
type turnTold struct {
	speaker string
	style   [2]rating.Style
	styled  bool
	critic  string
	ruling  *arena.Ruling // nil unless dimensions are asked for
}

func (g *gathering) tellTurn(t *ledger.FullTurn) *turnTold {
	told := &turnTold{speaker: t.Speaker}
	if x, y := t.Reply(arena.A), t.Reply(arena.B); g.o.Style && x != nil && y != nil {
		told.style = [2]rating.Style{rating.StyleOf(x.Segments), rating.StyleOf(y.Segments)}
		told.styled = true
	}
	if r := t.Ruling; r != nil && (g.by == rating.ByDimension || g.dimension != "") {
		// What principles were compared is enough; the prose is long.
		light := arena.Ruling{Critic: r.Critic, Agreement: r.Agreement}
		for i, v := range r.Verdicts {
			light.Verdicts[i] = arena.Verdict{Status: v.Status, Principles: v.Principles, Comparisons: slices.Clone(v.Comparisons)}
		}
		told.critic, told.ruling = r.Critic, &light
	}
	return told
}

// beside gathers how sources agree and what places are worth.
func (g *gathering) beside(ctx context.Context, l *ledger.Ledger, f ledger.BattleFilter) error {
	if g.accord == nil {
		return nil
	}
	return besides(ctx, l, f, g.accord, g.places)
}

// besides gathers agreement and places over all sources of the same battles.
func besides(ctx context.Context, l *ledger.Ledger, f ledger.BattleFilter, accord *rating.Accord, places *rating.Places) error {
	f.Source = ""
	if err := l.Answers(ctx, f, accord.Add); err != nil {
		return err
	}
	if err := l.Ends(ctx, f, places.Add); err != nil {
		return err
	}
	return l.Shown(ctx, f, func(source string, said [2]rating.Outcome, asked [2]bool) {
		switch {
		case asked[0] && asked[1]:
			places.AddOrders(source, said[0], said[1])
		case asked[0]:
			places.AddOrder(source, said[0], true)
		default:
			places.AddOrder(source, said[1], false)
		}
	})
}

// board rates what was gathered.
func (g *gathering) board() rating.Board {
	b := g.slicer.Board(g.o)
	g.tell(&b)
	if g.historian != nil {
		h := g.historian.History()
		b.History = &h
	}
	if g.f.next {
		n, err := g.slicer.NextPairs(g.o)
		if err != nil {
			n.Reason = err.Error()
		}
		b.Next = &n
	}
	return b
}

// tell adds what is beside the ratings.
func (g *gathering) tell(b *rating.Board) {
	if g.accord == nil {
		return
	}
	var note string
	if b.Agreement, note = g.accord.Table(0); note != "" {
		b.Warnings = append(b.Warnings, note)
	}
	b.Positions = g.places.Table(0)
	g.apart(b)
}

// apart leaves what rehearsals said out of what is told beside a board of models,
// and the other way round.
func (g *gathering) apart(b *rating.Board) {
	source := g.f.source
	if len(g.f.composite) > 0 {
		source = g.f.composite[0]
	}
	if source == "" || g.f.from != "" {
		return
	}
	scripted := func(name string) bool { return strings.HasPrefix(name, "rehearsal/") }
	here := scripted(source)
	b.Positions = slices.DeleteFunc(b.Positions, func(p rating.Position) bool { return scripted(p.Source) != here })
	b.Agreement = slices.DeleteFunc(b.Agreement, func(a rating.Agreement) bool { return scripted(a.A) != here || scripted(a.B) != here })
}
