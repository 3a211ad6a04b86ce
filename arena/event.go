package arena

import (
	"time"

	"herarena/arena/layers"
)

// Event map of the duel engine. Every event carries the epoch its duel was
// given, so that a consumer that has moved on to another duel can tell late
// events apart. Within a duel none is late: no delta follows its ReplyEnded.
//
//	Say ──► TurnStarted ─► ReplyStarted(A) ─► ReplyDelta* ─► ReplyEnded(A) ─┐
//	                     └► ReplyStarted(B) ─► ReplyDelta* ─► ReplyEnded(B) ─┤
//	             RulingStarted ◄─ both replies valid ◄───────────────────────┘
//	               ├► VerdictUpdated(order)*     (newer replaces older)
//	               └► RulingEnded ─► CanonChosen
//	Vote ─► Voted ─► CanonChosen                 (canon policy "vote")
//	Regenerate ─► ReplyStarted(side) … as above, a new swipe
//	Unvote ─► Unvoted ─► CanonChosen
//	Direct ─► Directed        Reveal ─► Revealed
//	Auto ─► AutoChanged ─► LineDelta* ─► LineEnded ─► TurnStarted … ─► AutoChanged
//	GoOn ─► NextAsked ─► SceneryDelta* ─► SceneryEnded ─► NextChosen ─► TurnStarted …
//	     └► NextChosen (without a stagehand, at once; no turn where it is the person's)
//	Impersonate ─► LineDelta* ─► LineEnded
//	any time ─► Trouble (the recorder failed; play goes on)
//
// ReplyDelta, LineDelta, SceneryDelta and VerdictUpdated may be merged by a mailbox; all others must be
// delivered.

// Event is what a Duel emits.
type Event interface{ event() }

// TurnStarted opens a turn. Turn is a copy, safe to keep.
type TurnStarted struct {
	Epoch int
	Turn  Turn
}

// ReplyStarted says that a request has been sent for a side.
type ReplyStarted struct {
	Epoch int
	Turn  int
	Side  Side
	Reply Reply
}

// ReplyDelta holds edits to the segments of a streaming reply, in order.
// Tokens counts the chunks so far, an estimate of tokens.
type ReplyDelta struct {
	Epoch  int
	Turn   int
	Side   Side
	Swipe  int
	Edits  []layers.Edit
	Tokens int
}

// ReplyRetrying says that a request is being tried again after Wait.
type ReplyRetrying struct {
	Epoch int
	Turn  int
	Side  Side
	Fault Fault
	Wait  time.Duration
}

// ReplyEnded closes a reply; Reply is final.
type ReplyEnded struct {
	Epoch int
	Turn  int
	Side  Side
	Reply Reply
}

// RulingStarted says that the critic has been asked, in both orders.
type RulingStarted struct {
	Epoch  int
	Turn   int
	Critic string
}

// VerdictUpdated is a snapshot of one order's growing verdict.
type VerdictUpdated struct {
	Epoch   int
	Turn    int
	Order   Order
	Verdict Verdict
}

// RulingEnded closes the judging of a turn.
type RulingEnded struct {
	Epoch  int
	Turn   int
	Ruling Ruling
}

// RulingSkipped says why a turn was not judged.
type RulingSkipped struct {
	Epoch int
	Turn  int
	Why   string
}

// Voted confirms a vote.
type Voted struct {
	Epoch int
	Turn  int
	Vote  Vote
}

// Unvoted says that the vote of a turn was taken back.
type Unvoted struct {
	Epoch int
	Turn  int
}

// Directed holds the director's note that goes with the next line; "" is none.
type Directed struct {
	Epoch int
	Note  string
}

// Revealed says that the names of a blind duel have been shown.
type Revealed struct{ Epoch int }

// LineDelta is more of a line that a model writes for the person: Text is all of
// it so far.
type LineDelta struct {
	Epoch int
	Text  string
}

// LineEnded closes a line that a model wrote for the person. By is the
// contestant's name; Fault is set where none came of it.
type LineEnded struct {
	Epoch int
	By    string
	Text  string
	Fault *Fault
	// Contestant is the one whose model wrote it, Usage what the server counted,
	// Tokens the pieces of its stream, an estimate where Usage is nil.
	Contestant       int
	Usage            *Usage
	Tokens           int
	FirstByte, Total time.Duration
}

// AutoChanged tells how a model plays the person: By is its name, Left how many
// turns it has still to play, Paused whether it waits. With Left 0 the person
// plays again, and Why says why.
type AutoChanged struct {
	Epoch  int
	By     string
	Left   int
	Paused bool
	Why    string
}

// CanonChosen names the side whose reply is history from now on.
type CanonChosen struct {
	Epoch int
	Turn  int
	Side  Side
	By    CanonPolicy
}

// Trouble is a fault beside the play, such as a ledger that cannot be written.
type Trouble struct {
	Epoch int
	Err   error
}

func (TurnStarted) event()    {}
func (ReplyStarted) event()   {}
func (ReplyDelta) event()     {}
func (ReplyRetrying) event()  {}
func (ReplyEnded) event()     {}
func (RulingStarted) event()  {}
func (VerdictUpdated) event() {}
func (RulingEnded) event()    {}
func (RulingSkipped) event()  {}
func (Voted) event()          {}
func (CanonChosen) event()    {}
func (Trouble) event()        {}
func (Unvoted) event()        {}
func (Directed) event()       {}
func (Revealed) event()       {}
func (LineDelta) event()      {}
func (LineEnded) event()      {}
func (AutoChanged) event()    {}

// CanonPolicy says who chooses the canon reply of a turn.
type CanonPolicy string

// The canon policies. A policy that gives no answer (no vote, no verdict)
// falls through: vote, then critic, then side A.
const (
	CanonVote     CanonPolicy = "vote"
	CanonCritic   CanonPolicy = "critic"
	CanonA        CanonPolicy = "a"
	CanonB        CanonPolicy = "b"
	CanonParallel CanonPolicy = "parallel"
)
