package arena_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
)

// scripted is a player that answers from a list and keeps the calls it got.
type scripted struct {
	mu        sync.Mutex
	calls     []arena.Call
	replies   []string
	reasoning string
	hold      chan struct{} // when not nil, a reply waits for it after its first half
	held      chan struct{} // closed-over signal: a reply has reached the hold
	fault     *arena.Fault
	finish    string
}

func (p *scripted) Play(ctx context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	p.mu.Lock()
	n := len(p.calls)
	p.calls = append(p.calls, call)
	text := p.replies[n%len(p.replies)]
	hold, held, fault, finish := p.hold, p.held, p.fault, p.finish
	p.mu.Unlock()
	out := arena.Outcome{Reasoning: p.reasoning, Finish: "stop", Complete: true, FirstByte: time.Millisecond}
	if finish != "" {
		out.Finish = finish
	}
	if p.reasoning != "" {
		on(arena.Chunk{Kind: arena.ChunkReasoning, Text: p.reasoning})
	}
	half := len(text) / 2
	on(arena.Chunk{Text: text[:half]})
	out.Content = text[:half]
	if hold != nil {
		held <- struct{}{}
		select {
		case <-hold:
		case <-ctx.Done():
			out.Complete, out.Finish = false, ""
			out.Fault = &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}
			return out
		}
	}
	if fault != nil {
		out.Complete, out.Finish, out.Fault = false, "", fault
		return out
	}
	on(arena.Chunk{Text: text[half:]})
	out.Content = text
	return out
}

func (p *scripted) call(i int) arena.Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[i]
}

// fixedCritic answers by a function of the case.
type fixedCritic struct {
	name   string
	answer func(arena.Case) arena.Choice
	hold   bool // waits for ctx
	mu     sync.Mutex
	cases  []arena.Case
}

func (c *fixedCritic) Name() string { return c.name }

func (c *fixedCritic) Judge(ctx context.Context, k arena.Case, on func(arena.Verdict)) arena.Verdict {
	c.mu.Lock()
	c.cases = append(c.cases, k)
	c.mu.Unlock()
	on(arena.Verdict{Status: arena.VerdictPending, Phase: arena.PhaseReading})
	if c.hold {
		<-ctx.Done()
		return arena.Verdict{Status: arena.VerdictFailed, Fault: &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}}
	}
	better := c.answer(k)
	if better == arena.NoChoice {
		return arena.Verdict{Status: arena.VerdictFailed}
	}
	return arena.Verdict{Status: arena.VerdictOK, Better: better, Raw: "raw"}
}

// memory is a recorder that keeps everything.
type memory struct {
	mu      sync.Mutex
	duels   []arena.DuelRecord
	turns   []arena.Turn
	replies map[string]arena.Reply
	done    map[string]bool
	rulings []arena.Ruling
	votes   []arena.Vote
	battles map[string][]arena.Battle // by turn id + source
	err     error
}

func newMemory() *memory {
	return &memory{replies: map[string]arena.Reply{}, done: map[string]bool{}, battles: map[string][]arena.Battle{}}
}

func (m *memory) RecordDuel(d arena.DuelRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.duels = append(m.duels, d)
	return nil
}

func (m *memory) RecordTurn(t arena.Turn) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns = append(m.turns, t)
	return m.err
}

func (m *memory) RecordReply(r arena.Reply, done bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies[r.ID] = r
	m.done[r.ID] = m.done[r.ID] || done
	return m.err
}

func (m *memory) RecordRuling(r arena.Ruling) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rulings = append(m.rulings, r)
	return m.err
}

func (m *memory) RecordVote(v arena.Vote) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.votes = append(m.votes, v)
	return m.err
}

func (m *memory) RecordBattles(b []arena.Battle) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.battles[b[0].TurnID+string(b[0].Source)] = b
	return m.err
}

func (m *memory) reply(id string) arena.Reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.replies[id]
}

func (m *memory) allBattles() []arena.Battle {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []arena.Battle
	for _, b := range m.battles {
		out = append(out, b...)
	}
	return out
}

func scene() characters.Scene {
	return characters.Scene{
		ID: "test", Title: "Test", Language: "en", Scenario: "A quay at night.",
		Character: characters.Character{Name: "Mara", Profile: "A smuggler.", Thoughts: "CANARYMOTIVE"},
		User:      characters.Character{Name: "Teller", Profile: "A customs officer.", Thoughts: "CANARYUSERTHOUGHT"},
		Opening:   "<role_action>coils a rope</role_action>Late, officer.",
	}
}

// heard collects events until want says stop.
type heard struct {
	t      *testing.T
	duel   *arena.Duel
	events []arena.Event
}

func (h *heard) until(what string, want func(arena.Event) bool) arena.Event {
	h.t.Helper()
	timeout := time.After(5 * time.Second)
	for {
		select {
		case ev, ok := <-h.duel.Events():
			if !ok {
				h.t.Fatalf("events ended while waiting for %s", what)
			}
			h.events = append(h.events, ev)
			if want(ev) {
				return ev
			}
		case <-timeout:
			h.t.Fatalf("no %s; heard %T…", what, h.events)
		}
	}
}

func (h *heard) rulingEnded() arena.RulingEnded {
	h.t.Helper()
	return h.until("ruling", is[arena.RulingEnded]).(arena.RulingEnded)
}

func is[T arena.Event](ev arena.Event) bool { _, ok := ev.(T); return ok }

func start(t *testing.T, o arena.DuelOptions) *heard {
	t.Helper()
	if o.Scene.ID == "" {
		o.Scene = scene()
	}
	d, err := arena.NewDuel(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return &heard{t: t, duel: d}
}

func contestant(name string, p arena.Player, d layers.Dialect) arena.Contestant {
	return arena.Contestant{Name: name, Model: name, Player: p, Dialect: d}
}
