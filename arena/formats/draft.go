package formats

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/characters"
)

// imported is the mark of origin of a duel that was not played here. It stands
// in the scene, beside the scene's own fields.
type imported struct {
	Format string `json:"format"`
	File   string `json:"file,omitempty"`
	Row    int    `json:"row,omitempty"`
	// System is the system message as it stood; nil where there was none.
	System *string `json:"system,omitempty"`
	// Named is set where the contestants' names were shown to the voter.
	Named bool `json:"named,omitempty"`
	// Labels are the contestants as the log calls them.
	Labels *[2]string `json:"labels,omitempty"`
	// UserTokens are the lengths of the person's messages as the file had them.
	UserTokens []int `json:"user_tokens,omitempty"`
	// Rest are the fields that the ledger has no place for.
	Rest map[string]json.RawMessage `json:"rest,omitempty"`
}

// markedScene is a scene with the mark.
type markedScene struct {
	characters.Scene
	Imported *imported `json:"imported,omitempty"`
}

// originOf returns the mark of a duel, nil for one that was played.
func originOf(d *arena.DuelRecord) *imported {
	if !strings.HasPrefix(d.SceneID, "imported-") {
		return nil
	}
	var m markedScene
	if json.Unmarshal([]byte(d.SceneJSON), &m) != nil {
		return nil
	}
	return m.Imported
}

// Names of those who are not named by what is imported.
const (
	unnamedA  = "unnamed A"
	unnamedB  = "unnamed B"
	someone   = "the character"
	theUser   = "the person"
	whyNoName = "the file does not say whose replies these are"
)

// draft is a duel being made of a row.
type draft struct {
	im    *importer
	full  ledger.DuelFull
	mark  imported
	scene characters.Scene
	at    time.Time
	// counted is false, with the reason, where the row must not enter a board.
	counted bool
	why     string
}

// newDraft begins a duel. Side A is contestant 0 in every turn.
func (im *importer) newDraft(duel string, names [2]string, at time.Time) *draft {
	if at.Equal(im.o.Now) && im.row != nil {
		// Rows without a time keep their order.
		at = at.Add(time.Duration(im.row.line) * time.Millisecond)
	}
	d := &draft{im: im, at: at, counted: true, mark: imported{Format: im.f.Name, File: filepath.Base(im.o.File)}}
	if im.o.File == "" {
		d.mark.File = ""
	}
	if im.row != nil {
		d.mark.Row = im.row.line
	}
	d.full.ID, d.full.Started, d.full.Canon = duel, at, arena.CanonVote
	for i, n := range names {
		d.full.Contestants[i] = arena.Contestant{Name: n, Dialect: layers.Auto}
	}
	if names[0] == names[1] {
		d.counted, d.why = false, "the same contestant stands on both sides"
	}
	d.scene = characters.Scene{ID: im.sceneID(), Title: "Imported from " + im.f.Title}
	d.scene.Character.Name, d.scene.User.Name = someone, theUser
	return d
}

// unnamed marks a duel whose contestants are not known.
func (d *draft) unnamed() { d.counted, d.why = false, whyNoName }

func (d *draft) system(text string) {
	d.mark.System = &text
	d.scene.Scenario = text
}

// message is one message of a conversation.
type message struct {
	Role, Content string
	Tokens        int // 0 where not known
}

// exchange is a line of the person and the replies to it.
type exchange struct {
	line  string
	note  string // a system message before the line
	reply [2]*message
	user  int // tokens of the line
}

// talk cuts a conversation into the system message and exchanges on a side.
// A message of an unknown role is an error that names it.
func (d *draft) talk(field string, side arena.Side, msgs []message) ([]exchange, error) {
	if len(msgs) > maxMessages {
		return nil, d.im.row.fault(field, "the conversation has %d messages; at most %d are read", len(msgs), maxMessages)
	}
	var out []exchange
	note := ""
	for i := range msgs {
		m := &msgs[i]
		switch m.Role {
		case "system", "developer":
			switch {
			case i == 0:
				d.system(m.Content)
			case note != "":
				note += "\n\n" + m.Content
			default:
				note = m.Content
			}
		case "user", "human":
			out = append(out, exchange{line: m.Content, note: note, user: m.Tokens})
			note = ""
		case "assistant", "gpt", "ai", "model", "bot":
			if n := len(out); n == 0 || out[n-1].reply[side] != nil {
				out = append(out, exchange{note: note})
				note = ""
			}
			out[len(out)-1].reply[side] = m
		default:
			return nil, d.im.row.fault(fmt.Sprintf("%s[%d].role", field, i), "the role %q is not known (want system, user or assistant)", clip(m.Role))
		}
	}
	return out, nil
}

// both lays the conversations of two sides beside each other. They were had
// apart, so that each side has a history of its own.
func (d *draft) both(a, b []exchange) {
	all := a
	for i := range b {
		if i >= len(all) {
			all = append(all, exchange{line: b[i].line, note: b[i].note, user: b[i].user})
		}
		if all[i].line == "" {
			all[i].line = b[i].line
		}
		all[i].reply[arena.B] = b[i].reply[arena.B]
	}
	if len(all) > 1 {
		d.full.Canon = arena.CanonParallel
	}
	for i := range all {
		d.turn(&all[i])
	}
}

// turn adds a turn.
func (d *draft) turn(e *exchange) *ledger.FullTurn {
	n := len(d.full.Turns) + 1
	t := ledger.FullTurn{States: map[string]ledger.State{}}
	t.ID, t.DuelID, t.Number = fmt.Sprintf("%s-%d", d.full.ID, n), d.full.ID, n
	t.Line, t.Note, t.Canon, t.Started, t.Seats = e.line, e.note, -1, d.at, [2]int{0, 1}
	for side, m := range e.reply {
		if m == nil {
			continue
		}
		parsed := layers.Parse(m.Content, layers.Options{})
		r := &arena.Reply{
			ID: fmt.Sprintf("%s-%d%s", d.full.ID, n, arena.Side(side)), TurnID: t.ID, Contestant: side, Raw: m.Content,
			Segments: parsed.Segments, Dialect: parsed.Dialect, Truncated: parsed.Truncated, SpokeFor: parsed.SpokeFor,
			Finish: arena.FinishStop, Complete: true, Started: d.at,
		}
		if m.Tokens > 0 {
			r.Usage = &arena.Usage{CompletionTokens: m.Tokens, TotalTokens: m.Tokens}
		}
		t.Swipes[side], t.States[r.ID] = []*arena.Reply{r}, ledger.Done
	}
	if t.Swipes[0] == nil && t.Swipes[1] != nil {
		t.Canon = 1
	} else if t.Swipes[0] != nil {
		t.Canon = 0
	}
	d.mark.UserTokens = append(d.mark.UserTokens, e.user)
	d.full.Turns = append(d.full.Turns, t)
	return &d.full.Turns[len(d.full.Turns)-1]
}

// last is the turn that is judged; a row without text has an empty one.
func (d *draft) last() *ledger.FullTurn {
	if len(d.full.Turns) == 0 {
		return d.turn(&exchange{})
	}
	return &d.full.Turns[len(d.full.Turns)-1]
}

// vote adds a person's answer on the last turn, and its battle.
func (d *draft) vote(c arena.Choice, voter string) {
	t := d.last()
	v := arena.Vote{ID: d.full.ID + "-v", TurnID: t.ID, Choice: c, Voter: voter, At: d.at, Counted: d.counted, Why: d.why}
	t.Votes = append(t.Votes, v)
	if c == arena.ChoseB && t.Swipes[1] != nil {
		t.Canon = 1
	}
	d.battles(arena.SourceVote, voter, []arena.Weighted{{Choice: c, Weight: 1}}, false)
}

// ruling adds a critic's verdicts on the last turn, and their battles.
func (d *draft) ruling(critic string, verdicts [2]arena.Verdict, orders arena.OrderPolicy) {
	t := d.last()
	g := arena.Ruling{ID: d.full.ID + "-r", TurnID: t.ID, Critic: critic, Verdicts: verdicts, At: d.at, Counted: d.counted, Why: d.why, Orders: orders}
	d.full.Critic = critic
	ab, ba := arena.AFirst.Side(verdicts[0].Better), arena.BFirst.Side(verdicts[1].Better)
	switch {
	case ab == arena.NoChoice && ba == arena.NoChoice:
		g.Agreement, g.Counted, g.Why = arena.NoVerdict, false, "no verdict"
	case ab == ba:
		g.Agreement, g.Winner = arena.Agree, ab
	case ab != arena.NoChoice && ba != arena.NoChoice:
		g.Agreement = arena.Flip
	default:
		g.Agreement, g.Winner = arena.OneFailed, ab
		if orders == arena.OrdersNever {
			g.Agreement = arena.OneOrder
		}
		if ab == arena.NoChoice {
			g.Winner = ba
		}
	}
	for side, to := range []*string{&g.ReplyA, &g.ReplyB} {
		if r := t.Last(side); r != nil {
			*to = r.ID
		}
	}
	if g.Winner == arena.ChoseB && t.Swipes[1] != nil {
		t.Canon = 1
	}
	t.Rulings = append(t.Rulings, g)
	d.battles(arena.CriticSource(critic), critic, g.Outcomes(), g.Agreement == arena.Flip)
}

func (d *draft) battles(source arena.Source, judge string, outcomes []arena.Weighted, flip bool) {
	t := d.last()
	for i, w := range outcomes {
		d.full.Battles = append(d.full.Battles, arena.Battle{
			ID: fmt.Sprintf("%s-b%d", d.full.ID, i), DuelID: d.full.ID, TurnID: t.ID, Turn: t.Number, SceneID: d.scene.ID,
			Source: d.im.source(source), A: d.full.Contestants[0].Name, B: d.full.Contestants[1].Name,
			Outcome: w.Choice, Weight: w.Weight, Flip: flip, Counted: d.counted, Why: d.why, At: d.at, Judge: judge,
			Language: d.scene.Language,
		})
	}
}

// done returns the duel with its scene.
func (d *draft) done() (*ledger.DuelFull, error) {
	if !anyPositive(d.mark.UserTokens) {
		d.mark.UserTokens = nil
	}
	scene, err := json.Marshal(markedScene{d.scene, &d.mark})
	if err != nil {
		return nil, fmt.Errorf("the mark of origin cannot be written: %w", err)
	}
	f := &d.full
	f.SceneID, f.SceneTitle, f.SceneJSON = d.scene.ID, d.scene.Title, string(scene)
	f.Character, f.User, f.Language = d.scene.Character.Name, d.scene.User.Name, d.scene.Language
	for i := range f.Battles {
		f.Battles[i].Language = f.Language
	}
	return f, nil
}

func anyPositive(list []int) bool {
	for _, n := range list {
		if n > 0 {
			return true
		}
	}
	return false
}
