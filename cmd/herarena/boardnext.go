package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"herarena/arena/rating"
)

// drawnPair is a line of the log of drawn pairs: what is needed to weight the
// battles that follow by the inverse of their probability.
type drawnPair struct {
	At          time.Time `json:"at"`
	Source      string    `json:"source"`
	A           string    `json:"a"`
	B           string    `json:"b"`
	Probability float64   `json:"probability"`
	Shrink      float64   `json:"shrink"`
	Battles     float64   `json:"battles"`
	Pairs       int       `json:"pairs"` // that could have been drawn
}

func pairsLog() string { return filepath.Join(xdg.StateHome, "herarena", "pairs.jsonl") }

// drawPair draws a pair and logs its probability.
func drawPair(source string, n rating.Next, random *rand.Rand) (drawnPair, error) {
	m, ok := n.Draw(random)
	if !ok {
		return drawnPair{}, fmt.Errorf("nobody can be drawn: %s", n.Reason)
	}
	p := drawnPair{time.Now().UTC(), source, m.A, m.B, m.Probability, m.Shrink, m.Battles, len(n.Pairs)}
	line, err := json.Marshal(p)
	if err != nil {
		return p, err
	}
	path := pairsLog()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return p, fmt.Errorf("the drawn pair cannot be logged: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return p, fmt.Errorf("the drawn pair cannot be logged: %w", err)
	}
	// One write, so that two programs do not mix their lines.
	_, err = f.Write(append(line, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return p, fmt.Errorf("the drawn pair cannot be logged: %w", err)
	}
	return p, nil
}

func (p drawnPair) String() string {
	return fmt.Sprintf("%s on side A meets %s on side B: drawn with %.1f %% of %d pairs.", p.A, p.B, 100*p.Probability, p.Pairs)
}

// drawNext draws for herarena board --next; a seed makes it repeatable.
func (a *app) drawNext(source string, n *rating.Next, seed uint64) error {
	if n == nil || len(n.Pairs) == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(n.Pairs))))
	if seed == 0 {
		random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	p, err := drawPair(source, *n, random)
	if err != nil {
		return err
	}
	n.Drawn = &rating.Meeting{A: p.A, B: p.B, Shrink: p.Shrink, Probability: p.Probability, Battles: p.Battles}
	return nil
}
