package board

import (
	"context"
	"time"

	"herarena/arena/rating"
)

// Query chooses the battles of a board; empty fields choose all.
type Query struct {
	Source    string
	Scene     string // id
	Character string
	Language  string
	Dimension string        // of a critic's principles
	Within    time.Duration // of now
	// Without is the id of a duel that is left out: one in play whose contestants
	// are not to be known yet.
	Without string
}

// narrowed tells whether anything but the source is chosen.
func (q Query) narrowed() bool {
	return q.Scene != "" || q.Character != "" || q.Language != "" || q.Dimension != "" || q.Within > 0
}

// Choice is a value that a filter can have.
type Choice struct {
	Value string
	Title string
}

// Choices are what the battles of a source can be filtered by.
type Choices struct{ Scenes, Characters, Languages, Dimensions []Choice }

// View is all that the pages of a board show.
type View struct {
	Board      rating.Board
	History    rating.History
	Agreements []rating.Agreement // of all sources
	Positions  []rating.Position
	Next       rating.Next
	NextNote   string // why there is none
	Meetings   []Meeting
	Choices    Choices
}

// Meeting is one battle, the newest first in a view.
type Meeting struct {
	A, B    string // by the sides they stood on
	Outcome rating.Outcome
	Flip    bool // half of a verdict whose orders disagree
	DuelID  string
	Turn    int
	Scene   string
	Judge   string
	At      time.Time
}

// Maker makes a view; it may block until ctx ends.
type Maker func(ctx context.Context, q Query) (View, error)

// Drawn is a pair that was drawn to meet next, and what is to be said of it.
type Drawn struct{ A, B, Text string }

// Seat asks for the casting with two contestants chosen.
type Seat struct{ A, B string }

// OpenDuel asks for the reading of a past duel at a turn.
type OpenDuel struct {
	DuelID string
	Turn   int
}
