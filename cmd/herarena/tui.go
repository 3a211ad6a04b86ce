package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/characters"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui"
	"herarena/tui/casting"
	"herarena/tui/portrait"
	"herarena/tui/stage"
)

// noteOn says of a duel what is scripted in it, "" where nothing is.
func noteOn(a, b arena.Contestant, critic string) string {
	switch {
	case a.Rehearsal && b.Rehearsal && critic == roster.HouseCritic:
		return "rehearsal: scripted players, house critic, no model"
	case a.Rehearsal && b.Rehearsal:
		return "rehearsal: scripted players"
	case a.Rehearsal || b.Rehearsal:
		return "rehearsal: one side is scripted, its battles keep to boards of their own"
	}
	return ""
}

// theatre holds what a run of the TUI keeps open.
type theatre struct {
	app    *app
	cfg    config.Config
	roster *roster.Roster
	ledger *ledger.Ledger
	mu     sync.Mutex
	epoch  int
	quick  []arena.Contestant // of this run alone, from --a and --b
	shelf  *shelf             // nil in plain mode
	chat   *chatPast          // of --chat or --rounds, nil without them
	stage  arena.Player       // the stagehand, nil without one
}

func (a *app) runTUI(ctx context.Context) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := a.overlay(&cfg); err != nil {
		return err
	}
	if a.plain || !isTerminal(a.in) || !isTerminal(a.out) {
		return a.runPlain(ctx, cfg)
	}
	keymap, err := keymap(cfg)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		// A screen makes little garbage and lives long: memory is worth more.
		debug.SetGCPercent(50)
	}
	r, done, err := a.openRoster(cfg, roster.Options{Rehearse: true, Pace: a.pace})
	if err != nil {
		return err
	}
	defer done()
	th := &theatre{app: a, cfg: cfg, roster: r}
	preset, err := th.preset(characters.Bundled(), nil) // the rest comes when the screen stands
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, a.ledgerPath(cfg))
	if err != nil {
		return err
	}
	th.ledger, th.quick, th.shelf = l, preset.contestants, newShelf()
	if a.chat == "" {
		preset.choice.Given = th.shelf.give(cfg.Scene, preset.choice.SceneID)
	}
	defer func() { _ = l.Close() }()
	offers := make(chan casting.Offer, 1)
	looking, stopLooking := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(offers)
		if o, ok := discover(looking); ok {
			offers <- o
		}
	})
	defer wg.Wait()
	defer stopLooking()
	opts := tui.Options{
		Scenes: preset.scenes, Contestants: preset.contestants, Critics: preset.critics, Preset: preset.choice,
		StartDuel: th.startDuel, Sources: th.sources, Board: th.board, BoardView: th.boardView, DrawPair: th.drawPair, Family: l.Family, History: th.history, Offers: offers, Note: preset.note,
		NoteOn: func(c casting.Cast) string {
			return noteOn(c.Contestants[0], c.Contestants[1], c.Critic.OnBoards())
		},
		Shelf: th.shelf, Portraits: portrait.Setting(cfg.Portraits),
		ASCII: os.Getenv("HERARENA_ASCII") != "",
		Theme: cfg.Theme, Background: cfg.Background, Keys: keymap, Hints: cfg.Hints == nil || *cfg.Hints, SynchronizedOutput: cfg.SynchronizedOutput,
	}
	opts.Archive, opts.Continue, opts.Again = th.archive(), th.goOn, th.judgeAgain
	remembering(&opts)
	err = tui.Run(ctx, opts)
	if errors.Is(err, tea.ErrInterrupted) {
		return context.Canceled
	}
	return err
}

// overlay puts the flags over the configuration.
func (a *app) overlay(cfg *config.Config) error {
	for _, f := range []struct {
		flag string
		to   *string
	}{{a.quickA, &cfg.A}, {a.quickB, &cfg.B}, {a.critic, &cfg.Critic}, {a.scene, &cfg.Scene}, {a.stagehand, &cfg.Stagehand}} {
		if f.flag != "" {
			*f.to = f.flag
		}
	}
	if a.as != "" && cfg.Scene == "" {
		return usagef("--as %q says whom you play and wants a scene: add --scene", a.as)
	}
	if a.rounds != 0 && cfg.Scene == "" {
		return usagef("--rounds %d wants the dialogue of a scene file: add --scene", a.rounds)
	}
	if a.canon != "" {
		switch p := arena.CanonPolicy(a.canon); p {
		case arena.CanonVote, arena.CanonCritic, arena.CanonA, arena.CanonB, arena.CanonParallel:
			cfg.Canon = p
		default:
			return usagef("--canon %q is unknown (want vote, critic, a, b or parallel)", a.canon)
		}
	}
	cfg.Blind = cfg.Blind || a.blind
	return a.cards.overlay(cfg)
}

// isTerminal reports whether a stream is a character device.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// preset is what the casting screen opens with.
type preset struct {
	scenes      []characters.Scene
	contestants []arena.Contestant
	critics     []casting.CriticChoice
	choice      casting.Preset
	chat        string // what --chat goes on from, "" without it
	note        string
}

// preset puts together what a casting opens with, from the scenes at hand; faults
// are those of files that should have been among them.
func (th *theatre) preset(scenes []characters.Scene, faults []error) (preset, error) {
	cfg, r := th.cfg, th.roster
	p := preset{scenes: scenes, contestants: r.Contestants()}
	p.choice.Seed = int64(th.app.cards.seed)
	if len(faults) > 0 {
		p.note = fmt.Sprintf("%d scene files could not be read (herarena cast list says why)", len(faults))
	}
	if th.app.chat != "" {
		if err := th.takeChat(&p); err != nil {
			return p, err
		}
	} else if cfg.Scene != "" {
		s, err := findScene(cfg.Scene)
		if err != nil {
			return p, err
		}
		if s, err = th.recast(s); err != nil {
			return p, err
		}
		if s, err = th.app.cards.greeted(s); err != nil {
			return p, err
		}
		p.choice.SceneID = s.ID
		p.scenes = withScene(p.scenes, s)
	}
	if err := th.takeStagehand(); err != nil {
		return p, err
	}
	for _, c := range r.Critics() {
		p.critics = append(p.critics, criticChoice(c))
	}
	p.critics = append(p.critics, casting.CriticChoice{Label: "no critic", Note: "votes alone"})
	for _, want := range []struct {
		name string
		to   *string
	}{{cfg.A, &p.choice.A}, {cfg.B, &p.choice.B}} {
		if want.name == "" {
			continue
		}
		c, err := r.Contestant(want.name)
		if err != nil {
			return p, err
		}
		p.contestants = withContestant(p.contestants, c)
		*want.to = c.Name
	}
	p.defaults(len(cfg.Contestants))
	if cfg.Critic != "" {
		c, err := r.Critic(cfg.Critic)
		if err != nil {
			return p, err
		}
		p.choice.Critic = c.Name()
		p.critics = withCritic(p.critics, c)
	} else if len(cfg.Critics) > 0 {
		p.choice.Critic = config.Names(cfg.Critics)[0]
	} else {
		p.choice.Critic = roster.HouseCritic
	}
	p.choice.Canon, p.choice.Blind, p.choice.Seed = cfg.Canon, cfg.Blind, int64(th.app.cards.seed)
	if broken := r.Broken(); p.note == "" && len(broken) > 0 {
		p.note = fmt.Sprintf("%d of the configuration cannot be used (herarena doctor says why)", len(broken))
	}
	if p.note == "" {
		p.note = noteOn(p.named(p.choice.A), p.named(p.choice.B), p.choice.Critic)
	}
	return p, nil
}

// defaults fills the sides that nobody named: configured contestants first, the
// rehearsal where there are fewer than two.
func (p *preset) defaults(configured int) {
	next := func(not string) string {
		for i, c := range p.contestants {
			if c.Name != not && (i < configured || configured < 2 && c.Rehearsal || configured == 0) {
				return c.Name
			}
		}
		return ""
	}
	if p.choice.A == "" {
		p.choice.A = next(p.choice.B)
	}
	if p.choice.B == "" {
		p.choice.B = next(p.choice.A)
	}
}

// named finds a contestant by name; the zero one where there is none.
func (p *preset) named(name string) arena.Contestant {
	for _, c := range p.contestants {
		if c.Name == name {
			return c
		}
	}
	return arena.Contestant{}
}

func criticChoice(c arena.Critic) casting.CriticChoice {
	if c.Name() == roster.HouseCritic {
		return casting.CriticChoice{Name: c.Name(), Label: "house critic", Note: "code, no model: proves flaws and measures a few merits", Critic: c}
	}
	return casting.CriticChoice{Name: c.Name(), Label: c.Name(), Note: "reward model", Critic: c}
}

func withScene(all []characters.Scene, s characters.Scene) []characters.Scene {
	for i := range all {
		if all[i].ID == s.ID {
			all[i] = s
			return all
		}
	}
	return append([]characters.Scene{s}, all...)
}

// withContestant adds a contestant made from URL#model, under a name of its own.
func withContestant(all []arena.Contestant, c arena.Contestant) []arena.Contestant {
	for _, have := range all {
		if have.Name == c.Name && have.Endpoint == c.Endpoint && have.Model == c.Model {
			return all
		}
	}
	return append([]arena.Contestant{c}, all...)
}

func withCritic(all []casting.CriticChoice, c arena.Critic) []casting.CriticChoice {
	for _, have := range all {
		if have.Name == c.Name() {
			return all
		}
	}
	return append([]casting.CriticChoice{criticChoice(c)}, all...)
}

func (th *theatre) startDuel(ctx context.Context, c casting.Cast) (stage.Duel, error) {
	th.mu.Lock()
	th.epoch++
	epoch := th.epoch
	th.mu.Unlock()
	c, err := th.cast(ctx, th.chat.before(c))
	if err != nil {
		return nil, err
	}
	critic := c.Critic.Critic
	rehearsal := c.Contestants[0].Rehearsal || c.Contestants[1].Rehearsal
	if critic != nil && critic.Name() == roster.HouseCritic && rehearsal {
		// In the rehearsal the house critic takes the true path: served over
		// HTTP, token by token, in the reward model's form.
		if served := th.roster.Rehearsed(); served != nil {
			critic = served
		}
	}
	d, err := arena.NewDuel(arena.DuelOptions{
		Epoch: epoch, Scene: c.Scene, Contestants: c.Contestants, Critic: critic, Canon: c.Canon,
		Blind: c.Blind, Seed: cmp.Or(c.Play.Seed, int64(epoch)), Recorder: th.ledger, Voter: voter(th.cfg),
		CriticHidesThoughts: th.cfg.CriticHidesThoughts, WordLimit: th.cfg.WordLimit,
		Past: c.Past, Origin: c.Origin, Stage: th.stage,
	})
	if err != nil {
		return nil, err
	}
	if c.Card != "" && th.shelf != nil {
		th.shelf.played(c.Card)
	}
	return d, nil
}

func voter(cfg config.Config) string {
	if cfg.Voter != "" {
		return cfg.Voter
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "me"
}

func (th *theatre) sources(ctx context.Context) ([]string, error) {
	counts, err := th.ledger.Sources(ctx)
	if err != nil {
		return nil, err
	}
	// Those with most battles first, as herarena board takes them.
	slices.SortStableFunc(counts, func(x, y ledger.SourceCount) int { return cmp.Compare(y.Counted, x.Counted) })
	var real, rehearsed []string
	for _, c := range counts {
		if strings.HasPrefix(string(c.Source), "rehearsal/") {
			rehearsed = append(rehearsed, string(c.Source))
		} else {
			real = append(real, string(c.Source))
		}
	}
	return append(real, rehearsed...), nil
}

func (th *theatre) board(ctx context.Context, source string) (rating.Board, error) {
	t := rating.NewTally(rating.Options{})
	if err := th.ledger.EachRated(ctx, ledger.BattleFilter{Source: arena.Source(source)}, t.Add); err != nil {
		return rating.Board{}, err
	}
	return t.Board(rating.Options{}), nil
}

// history is what was said in a duel of the ledger up to a turn.
func (th *theatre) history(ctx context.Context, from arena.Origin) ([]arena.PastTurn, error) {
	d, err := th.ledger.Duel(ctx, from.DuelID)
	if err != nil {
		return nil, err
	}
	return d.History(from.Turn), nil
}

// discover looks for servers already running on this machine.
func discover(ctx context.Context) (casting.Offer, bool) {
	var o casting.Offer
	var where []string
	for _, f := range endpoint.Discover(ctx, nil) {
		client, err := endpoint.New(endpoint.Config{Name: f.Kind, BaseURL: f.BaseURL, Kind: f.Kind})
		if err != nil || len(f.Models) == 0 {
			continue
		}
		where = append(where, fmt.Sprintf("%s at %s (%s)", f.Kind, f.BaseURL, plural(len(f.Models), "model")))
		for _, m := range f.Models {
			o.Contestants = append(o.Contestants, arena.Contestant{
				Name: m.ID, Model: m.ID, Endpoint: f.BaseURL, Dialect: layers.Auto, Player: client.Player(m.ID),
			})
		}
	}
	o.Text = "found on this machine: " + strings.Join(where, ", ")
	return o, len(o.Contestants) > 0
}
