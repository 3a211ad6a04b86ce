package arena

import (
	"context"
	"fmt"
	"time"
)

// Critic judges a pair in one order. Judge blocks until the verdict is done,
// calls on with snapshots of the growing verdict (each newer one replaces the
// older), honours ctx within 100 ms, and reports failure inside the Verdict.
// A Critic is asked in both orders at the same time and must allow that.
type Critic interface {
	// Name is the critic's name on boards, e.g. "house" or "her-rm".
	Name() string
	Judge(ctx context.Context, c Case, on func(Verdict)) Verdict
}

// ContextLine is one line of the shared context as a critic sees it: no system
// thinking, no native reasoning.
type ContextLine struct {
	Role    string `json:"role"` // system, user or assistant
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Case is what a critic is asked: one context, two candidates in shown order.
type Case struct {
	Context   []ContextLine `json:"context"`
	Character string        `json:"character"`
	// User is the name of whom the person plays; "" if unknown.
	User string `json:"user,omitempty"`
	// Language is the scene's language as a BCP 47 tag; "" if unknown.
	Language string `json:"language,omitempty"`
	// Cand1 and Cand2 are the candidates as text, system thinking and native
	// reasoning removed.
	Cand1 string `json:"cand_1"`
	Cand2 string `json:"cand_2"`
	// Session is a stable id for the duel.
	Session string `json:"-"`
}

// Swapped returns the case with the candidates in the other order.
func (c Case) Swapped() Case {
	c.Cand1, c.Cand2 = c.Cand2, c.Cand1
	return c
}

// VerdictStatus says how well a critic's output could be read.
type VerdictStatus string

// The statuses of a verdict. Pending is a verdict still being written.
const (
	VerdictPending  VerdictStatus = "pending"
	VerdictOK       VerdictStatus = "ok"
	VerdictRepaired VerdictStatus = "repaired"
	VerdictPartial  VerdictStatus = "partial"      // cut before the final label
	VerdictOnly     VerdictStatus = "verdict_only" // a label without principles
	VerdictFailed   VerdictStatus = "failed"
)

// Phase is what a critic is doing while it streams.
type Phase string

// The phases of a critic, for an honest progress line.
const (
	PhaseWaiting    Phase = "waiting"    // no byte yet
	PhaseThinking   Phase = "thinking"   // native reasoning
	PhaseReading    Phase = "reading"    // repeating the candidates
	PhasePrinciples Phase = "principles" // naming principles
	PhaseComparing  Phase = "comparing"  // comparing on them
	PhaseDeciding   Phase = "deciding"   // summary and label
	PhaseDone       Phase = "done"
)

// Principle is a rule that the critic chose for this case. Fields keep the
// critic's own words.
type Principle struct {
	Name       string `json:"principle_name"`
	Dimension  string `json:"dimension_name"`
	Polarity   string `json:"polarity"`        // negative, positive or ""
	Level      string `json:"principle_level"` // sentence, session or ""
	Definition string `json:"main_content"`
	Reason     string `json:"reason_for_choosing"`
}

// Comparison is the critic's analysis of both candidates under one principle.
type Comparison struct {
	Name   string `json:"principle_name"`
	First  string `json:"cand_1_performance"`
	Second string `json:"cand_2_performance"`
	Reason string `json:"comparison_reason"`
	Winner Choice `json:"winner"` // First, Second, Tie or ""
	Degree string `json:"degree"` // slight, clear, significant or ""
}

// Tally counts the winners of the comparisons.
type Tally struct {
	First  int `json:"cand_1"`
	Second int `json:"cand_2"`
	Tie    int `json:"tie"`
}

// LabelOdds are the probabilities of the three answers, which sum to 1.
type LabelOdds struct {
	First  float64 `json:"cand_1"`
	Second float64 `json:"cand_2"`
	Tie    float64 `json:"tie"`
}

// Verdict is a critic's answer in one order. Choices name shown positions.
type Verdict struct {
	Status      VerdictStatus `json:"status"`
	Better      Choice        `json:"better_response"` // First, Second, Tie; NoChoice = no verdict
	Principles  []Principle   `json:"principles"`
	Comparisons []Comparison  `json:"comparisons"`
	Overall     string        `json:"overall_analysis"`
	Summary     string        `json:"principle_summary"`
	Tally       Tally         `json:"tally"`
	// Label is how likely the critic held each answer to be, from the
	// probabilities of the label's tokens; nil where the server gives none.
	Label *LabelOdds `json:"label,omitempty"`
	// TallyDisagrees is set when the label and the tally of principles differ;
	// it is shown and counted, and overwrites nothing.
	TallyDisagrees bool `json:"tally_disagrees"`

	Phase      Phase         `json:"-"`
	Raw        string        `json:"-"` // the critic's output, unchanged
	Reasoning  string        `json:"-"` // native reasoning
	PromptHash string        `json:"-"` // SHA-256 of the template, hex
	Model      string        `json:"-"`
	Usage      *Usage        `json:"-"`
	Fault      *Fault        `json:"-"`
	FirstByte  time.Duration `json:"-"`
	Total      time.Duration `json:"-"`
}

// Order is the order in which the sides were shown to a critic.
type Order int

// The two orders.
const (
	AFirst Order = 0 // side A as cand_1
	BFirst Order = 1 // side B as cand_1
)

// String returns "A first" or "B first".
func (o Order) String() string {
	if o == BFirst {
		return "B first"
	}
	return "A first"
}

// Side maps a shown position to the side that stood there under the order.
// Tie and NoChoice stay as they are.
func (o Order) Side(c Choice) Choice {
	switch {
	case c == First && o == AFirst, c == Second && o == BFirst:
		return ChoseA
	case c == Second && o == AFirst, c == First && o == BFirst:
		return ChoseB
	}
	return c
}

// Agreement says how the two orders of a ruling relate.
type Agreement string

// The agreements.
const (
	Agree     Agreement = "agree"      // both orders name the same
	Flip      Agreement = "flip"       // the orders disagree
	OneFailed Agreement = "one_failed" // one order gave no verdict
	OneOrder  Agreement = "one_order"  // only one order was asked, by policy
	NoVerdict Agreement = "no_verdict" // neither did
)

// Ruling is what came of a case: the verdicts of both orders and their sum, in
// sides.
type Ruling struct {
	ID        string
	TurnID    string
	Critic    string
	Verdicts  [2]Verdict // by Order
	Agreement Agreement
	Winner    Choice // ChoseA, ChoseB, Tie; NoChoice on a flip or without verdict
	At        time.Time
	Total     time.Duration
	Counted   bool
	Why       string
	ReplyA    string // reply ids that were judged
	ReplyB    string
	// Rerun says what was changed where the turn was judged again on purpose; ""
	// is the ruling of play.
	Rerun string
	// Orders is the policy by which the second order was asked or not.
	Orders OrderPolicy
}

// OrderPolicy says when a critic is asked in the second order too. A verdict of
// one order alone carries the critic's preference for a place, so it counts half.
type OrderPolicy string

// The policies.
const (
	// OrdersAlways asks both orders at the same time. The zero value means it too.
	OrdersAlways OrderPolicy = "always"
	// OrdersNever asks one order; which one changes from case to case.
	OrdersNever OrderPolicy = "never"
	// OrdersClose asks the second when the first was close, tied or unreadable.
	OrdersClose OrderPolicy = "close"
)

// OrderChooser is a Critic with a policy of its own for the second order.
type OrderChooser interface{ Orders() OrderPolicy }

// ParseOrderPolicy reads a policy's word; "" is OrdersAlways, an unknown word an
// error that lists the known ones.
func ParseOrderPolicy(word string) (OrderPolicy, error) {
	switch p := OrderPolicy(word); p {
	case "":
		return OrdersAlways, nil
	case OrdersAlways, OrdersNever, OrdersClose:
		return p, nil
	}
	return "", fmt.Errorf("unknown order policy %q (want always, never or close)", word)
}
