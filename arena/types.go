// Package arena is the domain of HER Arena: scenes played as duels between two
// contestants, the layers of their replies, what each may see of the other, the
// verdicts of critics and the votes of persons.
//
// It knows no terminal and no SQL. A Duel is driven by method calls and emits
// typed events on one channel; the terminal, the headless runner and the tests
// consume the same events.
package arena

import (
	"fmt"
	"time"

	"herarena/arena/layers"
)

// Side is a column of the duel: A (left) or B (right). Which contestant stands
// on which side can change per turn.
type Side int

// The two sides.
const (
	A Side = 0
	B Side = 1
)

// Other returns the opposite side.
func (s Side) Other() Side { return 1 - s }

// String returns "A" or "B".
func (s Side) String() string {
	if s == B {
		return "B"
	}
	return "A"
}

// Choice is the answer to "which of two": of a person's vote, a critic's
// verdict, or a single principle. Choices name sides in votes and rulings, and
// shown positions in a Verdict (First = cand_1).
type Choice string

// The choices. NoChoice is the zero value and means that no answer was given.
const (
	NoChoice Choice = ""
	ChoseA   Choice = "a"
	ChoseB   Choice = "b"
	Tie      Choice = "tie"
	BothBad  Choice = "both_bad"

	// First and Second are the shown positions of a verdict: cand_1 and cand_2.
	First  Choice = "cand_1"
	Second Choice = "cand_2"
)

// Sampling holds the generation parameters of a request. A nil pointer leaves
// the parameter to the server; a pointer to zero is sent as a literal zero.
type Sampling struct {
	Temperature       *float64 `json:"temperature,omitempty" toml:"temperature,omitempty"`
	TopP              *float64 `json:"top_p,omitempty" toml:"top_p,omitempty"`
	TopK              *int     `json:"top_k,omitempty" toml:"top_k,omitempty"`
	MinP              *float64 `json:"min_p,omitempty" toml:"min_p,omitempty"`
	RepetitionPenalty *float64 `json:"repetition_penalty,omitempty" toml:"repetition_penalty,omitempty"`
	PresencePenalty   *float64 `json:"presence_penalty,omitempty" toml:"presence_penalty,omitempty"`
	FrequencyPenalty  *float64 `json:"frequency_penalty,omitempty" toml:"frequency_penalty,omitempty"`
	MaxTokens         int      `json:"max_tokens,omitempty" toml:"max_tokens,omitempty"` // tokens; 0 leaves it to the server
	Seed              *int     `json:"seed,omitempty" toml:"seed,omitempty"`
	Stop              []string `json:"stop,omitempty" toml:"stop,omitempty"`
	// Thinking switches the model's own reasoning on or off; nil leaves it.
	Thinking *bool `json:"thinking,omitempty" toml:"thinking,omitempty"`
}

// Message is one message of a request to a model.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Name    string `json:"name,omitempty"`
	Content string `json:"content"`
}

// Usage counts the tokens of one request as the server reported them.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
	// Cost is what the server says the request cost, in US dollars; 0 where it
	// says nothing.
	Cost float64 `json:"cost,omitempty"`
}

// Price is what tokens cost, in US dollars per million.
type Price struct {
	Input  float64 `toml:"input" json:"input"`
	Output float64 `toml:"output" json:"output"`
}

// FaultKind is the small taxonomy of what goes wrong with an endpoint.
type FaultKind string

// The kinds of fault.
const (
	Unreachable  FaultKind = "unreachable"
	Unauthorised FaultKind = "unauthorised"
	NoSuchModel  FaultKind = "no_such_model"
	TooLong      FaultKind = "too_long"
	Overloaded   FaultKind = "overloaded"
	Loading      FaultKind = "loading"
	BadRequest   FaultKind = "bad_request"
	ServerFault  FaultKind = "server_fault"
	CutOff       FaultKind = "cut_off"
	Stalled      FaultKind = "stalled"
	Cancelled    FaultKind = "cancelled"
)

// Fault is an error a person can act on: what happened, in the server's own
// words where it had any, and the next step. It never holds a key.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Message string    `json:"message"`
	Hint    string    `json:"hint"`
	// Status is the HTTP status, 0 where there was none.
	Status int `json:"status,omitempty"`
	// Wait is how long the server asked to wait, 0 where it did not.
	Wait time.Duration `json:"-"`
}

// Error returns the message and the hint as one sentence.
func (f *Fault) Error() string {
	if f.Hint == "" {
		return f.Message
	}
	return fmt.Sprintf("%s (%s)", f.Message, f.Hint)
}

// Contestant is a model under test. Its Name is what boards know it by.
type Contestant struct {
	Name     string
	Model    string         // model id at the endpoint
	Endpoint string         // base URL, for the record; holds no key
	Dialect  layers.Dialect // how it writes layers; Auto detects per reply
	Prefill  string         // sent as the beginning of each reply, e.g. "<system_thinking>"
	Sampling Sampling
	// KeepSystem keeps the contestant's own past system thinking in its history.
	KeepSystem bool
	// Rehearsal marks a scripted player of the embedded default, whose battles
	// never mix into other boards.
	Rehearsal bool
	// Price is what its tokens cost; nil where that is not known.
	Price *Price `json:"-"`
	// Context is how many tokens its context holds, 0 where that is not known.
	Context int    `json:"-"`
	Player  Player `json:"-"`
}

// Cost is what a reply of the contestant cost, in US dollars: what the server
// said, else by the price. It is not known where neither is, or where the
// server counted no tokens.
func (c *Contestant) Cost(r *Reply) (dollars float64, known bool) {
	switch {
	case r == nil || r.Usage == nil:
		return 0, false
	case r.Usage.Cost > 0:
		return r.Usage.Cost, true
	case c.Price == nil:
		return 0, false
	}
	const million = 1e6
	return (float64(r.Usage.PromptTokens)*c.Price.Input + float64(r.Usage.CompletionTokens)*c.Price.Output) / million, true
}

// Finish reasons as servers send them are kept verbatim; these two the program
// itself depends on.
const (
	FinishStop   = "stop"
	FinishLength = "length"
)

// Reply is what a contestant sent for one turn, in one swipe.
type Reply struct {
	ID         string
	TurnID     string
	Contestant int // 0 or 1: index into the duel's contestants
	Swipe      int // 0 for the first try, counted up by Regenerate

	Prefill   string // what was sent as the beginning of the reply, "" for nothing
	Raw       string // content as sent, prefill not included unless echoed
	Reasoning string // what the server sent apart from the content
	Segments  []layers.Segment
	Dialect   layers.Dialect
	Truncated bool     // ended inside a layer or by the token limit
	SpokeFor  []string // other characters the reply spoke for

	Finish   string
	Complete bool // a finish reason or the end mark was seen
	Damaged  int  // damaged frames skipped
	Usage    *Usage
	Fault    *Fault
	Notes    []string // sentences on what did not go as asked
	// Sampling is what was asked for where it is not the contestant's own; nil
	// where it is.
	Sampling *Sampling

	Started   time.Time
	FirstByte time.Duration // time to the first token, 0 if none came
	Total     time.Duration
}

// Validity says whether a reply can be compared, and if not why. Invalid
// replies are not losses.
func (r *Reply) Validity() (ok bool, why string) {
	switch {
	case r == nil:
		return false, "no reply"
	case r.Fault != nil && r.Fault.Kind == Cancelled:
		return false, "stopped"
	case r.Fault != nil:
		return false, string(r.Fault.Kind)
	case !layers.HasSpeech(r.Segments):
		return false, "no speech"
	case r.Truncated || r.Finish == FinishLength:
		return false, "truncated"
	case !r.Complete:
		return false, "cut off"
	}
	return true, ""
}

// Turn is the person's line and the replies to it, swipes included.
type Turn struct {
	ID     string
	DuelID string
	Number int    // from 1
	Line   string // what the person wrote, "" where the scene went on without
	// Speaker is the played character who answers, on both sides; "" is the
	// scene's Character.
	Speaker string
	// Scenery is what the surroundings did since the turn before, "" for nothing.
	Scenery string
	Note    string // the director's note that went with it, "" for none
	Auto    string // the contestant who wrote the line for the person, "" for the person
	Seats   [2]int // contestant index by side
	Swipes  [2][]*Reply
	Ruling  *Ruling
	Vote    *Vote
	Canon   int // contestant whose reply is canon, -1 while undecided
	Started time.Time
}

// Reply returns the latest reply on a side, nil before the first.
func (t *Turn) Reply(side Side) *Reply { return t.Last(t.Seats[side]) }

// Last returns the latest reply of a contestant, nil before the first.
func (t *Turn) Last(contestant int) *Reply {
	s := t.Swipes[contestant]
	if len(s) == 0 {
		return nil
	}
	return s[len(s)-1]
}

// Vote is a person's answer for one turn, in sides as they stood.
type Vote struct {
	ID     string
	TurnID string
	Choice Choice // ChoseA, ChoseB, Tie or BothBad
	Voter  string
	At     time.Time
	// Dwell is the time from both replies being done to the vote.
	Dwell time.Duration
	// Counted is false, with the reason in Why, where the vote is kept but must
	// not enter a board (an invalid reply, differing contexts).
	Counted bool
	Why     string
}

// Source names what battles come from: "vote" or "critic:NAME", with the
// prefix "rehearsal/" where scripted players met.
type Source string

// SourceVote is the source of persons' votes.
const SourceVote Source = "vote"

// CriticSource returns the source of a critic's verdicts.
func CriticSource(name string) Source { return Source("critic:" + name) }

// Battle is one comparison that counts: two contestants, a source, an outcome.
type Battle struct {
	ID       string
	DuelID   string
	TurnID   string
	Turn     int
	SceneID  string
	Source   Source
	A, B     string // contestants' names by the sides they stood on
	Outcome  Choice // ChoseA, ChoseB, Tie or BothBad
	Weight   float64
	Flip     bool // one of the two half-weight outcomes of a flip
	Counted  bool
	Why      string // why it does not count
	At       time.Time
	Judge    string // voter or critic
	Language string
}
