package ledger

import (
	"net/url"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

// The rows of the tables, which are also the lines of an export. Columns and
// fields stand in the same order; values gives them to a statement, targets
// takes them from a query.

const duelColumns = "id, scene_id, scene_title, scene, played, person, language, critic, canon, blind, rehearsal, seed, started, origin, past"

type duelRow struct {
	ID          string           `json:"id"`
	SceneID     string           `json:"scene_id"`
	SceneTitle  string           `json:"scene_title"`
	Scene       string           `json:"scene"`
	Character   string           `json:"character"`
	User        string           `json:"user"`
	Language    string           `json:"language"`
	Critic      string           `json:"critic"`
	Canon       string           `json:"canon"`
	Blind       bool             `json:"blind"`
	Rehearsal   bool             `json:"rehearsal"`
	Seed        int64            `json:"seed"`
	Started     int64            `json:"started"`
	Origin      *arena.Origin    `json:"origin,omitempty"`
	Past        []arena.PastTurn `json:"past,omitempty"`
	Contestants []contestantRow  `json:"contestants"`
}

func (r *duelRow) fields() []any {
	return []any{
		&r.ID, &r.SceneID, &r.SceneTitle, &r.Scene, &r.Character, &r.User, &r.Language,
		&r.Critic, &r.Canon, &r.Blind, &r.Rehearsal, &r.Seed, &r.Started,
		asJSON(&r.Origin), asJSON(&r.Past),
	}
}

func newDuelRow(d arena.DuelRecord) duelRow {
	r := duelRow{
		ID: d.ID, SceneID: d.SceneID, SceneTitle: d.SceneTitle, Scene: d.SceneJSON, Character: d.Character,
		User: d.User, Language: d.Language, Critic: d.Critic, Canon: string(d.Canon), Blind: d.Blind,
		Rehearsal: d.Rehearsal, Seed: d.Seed, Started: toMillis(d.Started), Past: d.Past,
	}
	if d.Origin != (arena.Origin{}) {
		r.Origin = &d.Origin
	}
	for seat, c := range d.Contestants {
		r.Contestants = append(r.Contestants, contestantRow{
			DuelID: d.ID, Seat: seat, Name: c.Name, Model: c.Model, Endpoint: withoutSecrets(c.Endpoint),
			Dialect: string(c.Dialect), Prefill: c.Prefill, Sampling: c.Sampling,
			KeepSystem: c.KeepSystem, Rehearsal: c.Rehearsal,
		})
	}
	return r
}

func (r *duelRow) record() arena.DuelRecord {
	d := arena.DuelRecord{
		ID: r.ID, SceneID: r.SceneID, SceneTitle: r.SceneTitle, SceneJSON: r.Scene, Character: r.Character,
		User: r.User, Language: r.Language, Critic: r.Critic, Canon: arena.CanonPolicy(r.Canon), Blind: r.Blind,
		Rehearsal: r.Rehearsal, Seed: r.Seed, Started: fromMillis(r.Started), Past: r.Past,
	}
	if r.Origin != nil {
		d.Origin = *r.Origin
	}
	for _, c := range r.Contestants {
		if c.Seat == 0 || c.Seat == 1 {
			d.Contestants[c.Seat] = arena.Contestant{
				Name: c.Name, Model: c.Model, Endpoint: c.Endpoint, Dialect: layers.Dialect(c.Dialect),
				Prefill: c.Prefill, Sampling: c.Sampling, KeepSystem: c.KeepSystem, Rehearsal: c.Rehearsal,
			}
		}
	}
	return d
}

// withoutSecrets returns an endpoint's URL without user, password, query and
// fragment, any of which may hold a key.
func withoutSecrets(endpoint string) string {
	if u, err := url.Parse(endpoint); err == nil && u.Opaque == "" {
		u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
		// "user:key@host" without a scheme parses as a path.
		if u.Host != "" || !strings.Contains(u.Path, "@") {
			return u.String()
		}
	}
	plain, _, _ := strings.Cut(endpoint, "#")
	plain, _, _ = strings.Cut(plain, "?")
	scheme, rest, found := strings.Cut(plain, "://")
	if !found {
		scheme, rest = "", plain
	}
	rest = rest[strings.LastIndex(rest, "@")+1:]
	if found {
		return scheme + "://" + rest
	}
	return rest
}

const contestantColumns = "duel_id, seat, name, model, endpoint, dialect, prefill, sampling, keep_system, rehearsal"

type contestantRow struct {
	DuelID     string         `json:"-"`
	Seat       int            `json:"seat"`
	Name       string         `json:"name"`
	Model      string         `json:"model"`
	Endpoint   string         `json:"endpoint"`
	Dialect    string         `json:"dialect"`
	Prefill    string         `json:"prefill"`
	Sampling   arena.Sampling `json:"sampling"`
	KeepSystem bool           `json:"keep_system"`
	Rehearsal  bool           `json:"rehearsal"`
}

func (r *contestantRow) fields() []any {
	return []any{
		&r.DuelID, &r.Seat, &r.Name, &r.Model, &r.Endpoint, &r.Dialect, &r.Prefill,
		asJSON(&r.Sampling), &r.KeepSystem, &r.Rehearsal,
	}
}

const turnColumns = "id, duel_id, number, line, seat_a, seat_b, canon, started, note, auto, speaker, scenery"

type turnRow struct {
	ID      string `json:"id"`
	DuelID  string `json:"duel_id"`
	Number  int    `json:"number"`
	Line    string `json:"line"`
	SeatA   int    `json:"seat_a"`
	SeatB   int    `json:"seat_b"`
	Canon   int    `json:"canon"`
	Started int64  `json:"started"`
	Note    string `json:"note,omitempty"`
	Auto    string `json:"auto,omitempty"`
	Speaker string `json:"speaker,omitempty"`
	Scenery string `json:"scenery,omitempty"`
}

func (r *turnRow) fields() []any {
	return []any{&r.ID, &r.DuelID, &r.Number, &r.Line, &r.SeatA, &r.SeatB, &r.Canon, &r.Started, &r.Note, &r.Auto, &r.Speaker, &r.Scenery}
}

func newTurnRow(t arena.Turn) turnRow {
	return turnRow{
		ID: t.ID, DuelID: t.DuelID, Number: t.Number, Line: t.Line, SeatA: t.Seats[0], SeatB: t.Seats[1],
		Canon: t.Canon, Started: toMillis(t.Started), Note: t.Note, Auto: t.Auto, Speaker: t.Speaker, Scenery: t.Scenery,
	}
}

func (r *turnRow) turn() arena.Turn {
	return arena.Turn{
		ID: r.ID, DuelID: r.DuelID, Number: r.Number, Line: r.Line, Seats: [2]int{r.SeatA, r.SeatB},
		Canon: r.Canon, Started: fromMillis(r.Started), Note: r.Note, Auto: r.Auto, Speaker: r.Speaker, Scenery: r.Scenery,
	}
}

// State says how far a reply has come.
type State string

// The states of a reply. A reply that failed or was stopped is Done: its fault
// says so. CutOff means that the program that received it ended before it did.
const (
	Streaming State = "streaming"
	Done      State = "done"
	CutOff    State = "cut_off"
)

const replyColumns = "id, turn_id, contestant, swipe, state, writer, raw, reasoning, segments, dialect, truncated, spoke_for, " +
	"finish, complete, damaged, token_use, fault, started, first_byte, total, notes, prefill, sampling"

type replyRow struct {
	ID         string           `json:"id"`
	TurnID     string           `json:"turn_id"`
	Contestant int              `json:"contestant"`
	Swipe      int              `json:"swipe"`
	State      string           `json:"state"`
	Writer     string           `json:"-"`
	Raw        string           `json:"raw"`
	Reasoning  string           `json:"reasoning"`
	Segments   []layers.Segment `json:"segments"`
	Dialect    string           `json:"dialect"`
	Truncated  bool             `json:"truncated"`
	SpokeFor   []string         `json:"spoke_for"`
	Finish     string           `json:"finish"`
	Complete   bool             `json:"complete"`
	Damaged    int              `json:"damaged"`
	Usage      *arena.Usage     `json:"usage"`
	Fault      *arena.Fault     `json:"fault"`
	Started    int64            `json:"started"`
	FirstByte  int64            `json:"first_byte_ns"`
	Total      int64            `json:"total_ns"`
	Notes      []string         `json:"notes,omitempty"`
	Prefill    string           `json:"prefill,omitempty"`
	Sampling   *arena.Sampling  `json:"sampling,omitempty"`
}

func (r *replyRow) fields() []any {
	return []any{
		&r.ID, &r.TurnID, &r.Contestant, &r.Swipe, &r.State, &r.Writer, &r.Raw, &r.Reasoning,
		asJSON(&r.Segments), &r.Dialect, &r.Truncated, asJSON(&r.SpokeFor), &r.Finish, &r.Complete, &r.Damaged,
		asJSON(&r.Usage), asJSON(&r.Fault), &r.Started, &r.FirstByte, &r.Total,
		asJSON(&r.Notes), &r.Prefill, asJSON(&r.Sampling),
	}
}

func newReplyRow(p arena.Reply) replyRow {
	return replyRow{
		ID: p.ID, TurnID: p.TurnID, Contestant: p.Contestant, Swipe: p.Swipe, Raw: p.Raw, Reasoning: p.Reasoning,
		Segments: p.Segments, Dialect: string(p.Dialect), Truncated: p.Truncated, SpokeFor: p.SpokeFor, Finish: p.Finish,
		Complete: p.Complete, Damaged: p.Damaged, Usage: p.Usage, Fault: p.Fault, Started: toMillis(p.Started),
		FirstByte: int64(p.FirstByte), Total: int64(p.Total), Notes: p.Notes, Prefill: p.Prefill, Sampling: p.Sampling,
	}
}

func (r *replyRow) reply() arena.Reply {
	return arena.Reply{
		ID: r.ID, TurnID: r.TurnID, Contestant: r.Contestant, Swipe: r.Swipe, Raw: r.Raw, Reasoning: r.Reasoning,
		Segments: r.Segments, Dialect: layers.Dialect(r.Dialect), Truncated: r.Truncated, SpokeFor: r.SpokeFor, Finish: r.Finish,
		Complete: r.Complete, Damaged: r.Damaged, Usage: r.Usage, Fault: r.Fault, Started: fromMillis(r.Started),
		FirstByte: time.Duration(r.FirstByte), Total: time.Duration(r.Total), Notes: r.Notes, Prefill: r.Prefill, Sampling: r.Sampling,
	}
}

const voteColumns = "id, turn_id, choice, voter, dwell, counted, why, given"

type voteRow struct {
	ID      string `json:"id"`
	TurnID  string `json:"turn_id"`
	Choice  string `json:"choice"`
	Voter   string `json:"voter"`
	Dwell   int64  `json:"dwell_ns"`
	Counted bool   `json:"counted"`
	Why     string `json:"why"`
	Given   int64  `json:"at"`
}

func (r *voteRow) fields() []any {
	return []any{&r.ID, &r.TurnID, &r.Choice, &r.Voter, &r.Dwell, &r.Counted, &r.Why, &r.Given}
}

func newVoteRow(v arena.Vote) voteRow {
	return voteRow{
		ID: v.ID, TurnID: v.TurnID, Choice: string(v.Choice), Voter: v.Voter, Dwell: int64(v.Dwell),
		Counted: v.Counted, Why: v.Why, Given: toMillis(v.At),
	}
}

func (r *voteRow) vote() arena.Vote {
	return arena.Vote{
		ID: r.ID, TurnID: r.TurnID, Choice: arena.Choice(r.Choice), Voter: r.Voter, At: fromMillis(r.Given),
		Dwell: time.Duration(r.Dwell), Counted: r.Counted, Why: r.Why,
	}
}

const battleColumns = "id, duel_id, turn_id, turn, scene_id, source, a, b, outcome, weight, flip, counted, why, judge, language, given"

type battleRow struct {
	ID       string  `json:"id"`
	DuelID   string  `json:"duel_id"`
	TurnID   string  `json:"turn_id"`
	Turn     int     `json:"turn"`
	SceneID  string  `json:"scene_id"`
	Source   string  `json:"source"`
	A        string  `json:"a"`
	B        string  `json:"b"`
	Outcome  string  `json:"outcome"`
	Weight   float64 `json:"weight"`
	Flip     bool    `json:"flip"`
	Counted  bool    `json:"counted"`
	Why      string  `json:"why"`
	Judge    string  `json:"judge"`
	Language string  `json:"language"`
	Given    int64   `json:"at"`
}

func (r *battleRow) fields() []any {
	return []any{
		&r.ID, &r.DuelID, &r.TurnID, &r.Turn, &r.SceneID, &r.Source, &r.A, &r.B, &r.Outcome, &r.Weight,
		&r.Flip, &r.Counted, &r.Why, &r.Judge, &r.Language, &r.Given,
	}
}

func newBattleRow(b arena.Battle) battleRow {
	return battleRow{
		ID: b.ID, DuelID: b.DuelID, TurnID: b.TurnID, Turn: b.Turn, SceneID: b.SceneID,
		Source: string(b.Source), A: b.A, B: b.B, Outcome: string(b.Outcome), Weight: b.Weight, Flip: b.Flip,
		Counted: b.Counted, Why: b.Why, Judge: b.Judge, Language: b.Language, Given: toMillis(b.At),
	}
}

func (r *battleRow) battle() arena.Battle {
	return arena.Battle{
		ID: r.ID, DuelID: r.DuelID, TurnID: r.TurnID, Turn: r.Turn, SceneID: r.SceneID,
		Source: arena.Source(r.Source), A: r.A, B: r.B, Outcome: arena.Choice(r.Outcome), Weight: r.Weight, Flip: r.Flip,
		Counted: r.Counted, Why: r.Why, Judge: r.Judge, Language: r.Language, At: fromMillis(r.Given),
	}
}
