package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/judge/principles"
	"herarena/tui/board"
)

// mostMeetings is how many battles the screen lists, the newest.
const mostMeetings = 5000

// boardView makes all pages of the board screen.
func (th *theatre) boardView(ctx context.Context, q board.Query) (board.View, error) {
	f := ledger.BattleFilter{
		Source: arena.Source(q.Source), SceneID: q.Scene, Character: q.Character, Language: q.Language, Without: q.Without, Counted: true,
	}
	if q.Within > 0 {
		f.Since = time.Now().Add(-q.Within)
	}
	flags := &boardFlags{source: q.Source, course: true, agreement: true}
	flags.narrow.dimension = q.Dimension
	if strings.HasSuffix(q.Source, string(arena.SourceVote)) {
		flags.narrow.dimension = "" // votes name none
	}
	g := newGathering(flags, "", rating.Options{Matrix: true})
	if err := g.fromLedger(ctx, th.ledger, f); err != nil {
		return board.View{}, err
	}
	if err := g.beside(ctx, th.ledger, f); err != nil {
		return board.View{}, err
	}
	b := g.board()
	v := board.View{Board: b, Agreements: b.Agreement, Positions: b.Positions}
	if b.History != nil {
		v.History = *b.History
	}
	var err error
	if v.Next, err = g.slicer.NextPairs(rating.Options{}); err != nil {
		v.NextNote = err.Error()
	}
	if q.Without != "" {
		v.Board.Warnings = append([]string{"The duel in play is blind: all its turns are left out of this board until you show its names for good or leave it, since the seats of the turns to come are still secret."}, v.Board.Warnings...)
	}
	return v, th.fillView(ctx, f, &v)
}

// fillView adds the battles and what they can be filtered by.
func (th *theatre) fillView(ctx context.Context, f ledger.BattleFilter, v *board.View) error {
	scenes, characters, languages, err := th.ledger.Facets(ctx, f.Source)
	if err != nil {
		return err
	}
	choices := func(list []ledger.Facet) (out []board.Choice) {
		for _, x := range list {
			out = append(out, board.Choice{Value: x.Value, Title: x.Title})
		}
		return out
	}
	v.Choices = board.Choices{Scenes: choices(scenes), Characters: choices(characters), Languages: choices(languages)}
	if !strings.HasSuffix(string(f.Source), string(arena.SourceVote)) {
		for _, d := range principles.Dimensions() {
			v.Choices.Dimensions = append(v.Choices.Dimensions, board.Choice{Value: d.Name, Title: d.Name})
		}
	}
	titles := make(map[string]string)
	for _, s := range scenes {
		titles[s.Value] = s.Title
	}
	battles, err := th.ledger.Battles(ctx, f)
	if err != nil {
		return err
	}
	for _, b := range slices.Backward(battles[max(len(battles)-mostMeetings, 0):]) {
		scene := titles[b.SceneID]
		if scene == "" {
			scene = b.SceneID
		}
		v.Meetings = append(v.Meetings, board.Meeting{
			A: b.A, B: b.B, Outcome: rating.OutcomeOf(b.Outcome), Flip: b.Flip, DuelID: b.DuelID, Turn: b.Turn, Scene: scene, Judge: b.Judge, At: b.At,
		})
	}
	return nil
}

// drawPair draws who should meet next for the board screen.
func (th *theatre) drawPair(_ context.Context, source string, n rating.Next) (board.Drawn, error) {
	p, err := drawPair(source, n, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	if err != nil {
		return board.Drawn{}, err
	}
	return board.Drawn{A: p.A, B: p.B, Text: p.String() + " Kept in " + pairsLog()}, nil
}
