package ledger

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

const (
	childEnv  = "HERARENA_TEST_LEDGER" // path of the ledger a child writes to
	nameEnv   = "HERARENA_TEST_NAME"   // prefix of the child's ids
	turnsEnv  = "HERARENA_TEST_TURNS"  // turns after which it ends, 0 for never
	roundsEnv = "HERARENA_TEST_KILLS"  // how many times to kill, for long runs
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		turns, _ := strconv.Atoi(os.Getenv(turnsEnv))
		if err := play(path, os.Getenv(nameEnv), turns); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play keeps duels without end and says on standard output what was
// acknowledged, each time after the call has returned.
func play(path, name string, turns int) error {
	l, err := Open(context.Background(), path)
	if err != nil {
		return err
	}
	defer l.Close()
	duel := aDuel(name)
	if err := l.RecordDuel(duel); err != nil {
		return err
	}
	said := func(what, id string, err error) error {
		if err == nil {
			_, err = fmt.Printf("%s %s\n", what, id)
		}
		return err
	}
	for n := 1; turns == 0 || n <= turns; n++ {
		turn := aTurn(name, n)
		if err := said("turn", turn.ID, l.RecordTurn(turn)); err != nil {
			return err
		}
		for c := range 2 {
			p := aReply(turn.ID, c, 0)
			whole := strings.Repeat("word ", 400)
			for _, part := range []int{0, 500, 1000, 1500} {
				p.Raw, p.Complete = whole[:part], false
				if err := said("streaming", p.ID+" "+strconv.Itoa(part), l.RecordReply(p, false)); err != nil {
					return err
				}
			}
			p.Raw, p.Complete = whole, true
			if err := said("done", p.ID, l.RecordReply(p, true)); err != nil {
				return err
			}
		}
		if err := said("ruling", turn.ID+"-g", l.RecordRuling(aRuling(turn.ID, turn.ID+"-g"))); err != nil {
			return err
		}
		if err := said("vote", turn.ID+"-v", l.RecordVote(aVote(turn.ID, turn.ID+"-v", arena.ChoseA))); err != nil {
			return err
		}
		battles := []arena.Battle{aBattle(turn.ID, turn.ID+"-b", arena.SourceVote, arena.ChoseA)}
		if err := said("battle", turn.ID+"-b", l.RecordBattles(battles)); err != nil {
			return err
		}
	}
	return nil
}

func child(path, name string, turns int) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childEnv+"="+path, nameEnv+"="+name, turnsEnv+"="+strconv.Itoa(turns))
	cmd.Stderr = os.Stderr
	return cmd
}

// killAt starts a child, kills it at a random moment after its first line, and
// returns the whole lines it had printed.
func killAt(t *testing.T, path, name string) []string {
	t.Helper()
	cmd := child(path, name, 0)
	out, err := cmd.StdoutPipe()
	must(t, err, cmd.Start())
	read := bufio.NewReader(out)
	var lines []string
	for {
		line, err := read.ReadString('\n')
		if err != nil {
			break // a last line without its end was not acknowledged
		}
		lines = append(lines, strings.TrimSuffix(line, "\n"))
		if len(lines) == 1 {
			time.AfterFunc(time.Duration(rand.IntN(120_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait()
	if len(lines) == 0 || strings.HasPrefix(lines[len(lines)-1], "error") {
		t.Fatalf("the child ended by itself: %q", lines)
	}
	return lines
}

func TestKillingLosesNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		rounds := 20
		if n, err := strconv.Atoi(os.Getenv(roundsEnv)); err == nil {
			rounds = n
		}
		path := on.place(t)
		acknowledged, cut := 0, 0
		for round := range rounds {
			name := fmt.Sprintf("r%d", round)
			lines := killAt(t, path, name)
			acknowledged += len(lines)
			cut += checkAfterKill(t, path, name, lines)
			if t.Failed() {
				t.Fatalf("in round %d, after %q", round, lines[max(0, len(lines)-3):])
			}
		}
		if cut == 0 && rounds >= 20 {
			t.Error("no round met a reply under way; the test proves nothing about them")
		}
		t.Logf("%d rounds, %d acknowledged writes, %d replies cut off", rounds, acknowledged, cut)
	})
}

// checkAfterKill opens the ledger and looks for all that was acknowledged. It
// returns how many replies were cut off.
func checkAfterKill(t *testing.T, path, name string, lines []string) int {
	t.Helper()
	l, err := Open(context.Background(), path)
	must(t, err)
	defer func() { must(t, l.Close()) }()
	if r := verified(t, l); r.Total > 0 {
		t.Errorf("the chain is broken: %+v", r.Findings)
	}
	full, err := l.Duel(context.Background(), name)
	must(t, err)
	have := make(map[string]bool)
	text := make(map[string]int)
	state := make(map[string]State)
	cut := 0
	for _, turn := range full.Turns {
		have["turn "+turn.ID] = true
		for _, r := range append(turn.Swipes[0], turn.Swipes[1]...) {
			text[r.ID], state[r.ID] = len(r.Raw), turn.States[r.ID]
			switch turn.States[r.ID] {
			case Done:
				have["done "+r.ID] = r.Complete && len(r.Raw) == 2000
			case CutOff:
				cut++
			case Streaming:
				t.Errorf("%s is still streaming", r.ID)
			}
		}
		for _, r := range turn.Rulings {
			have["ruling "+r.ID] = r.Verdicts[0].Raw == "raw 0" && r.Verdicts[1].Raw == "raw 1"
		}
		for _, v := range turn.Votes {
			have["vote "+v.ID] = true
		}
	}
	for _, b := range full.Battles {
		have["battle "+b.ID] = true
	}
	for _, line := range lines {
		words := strings.Fields(line)
		if words[0] == "streaming" {
			least, _ := strconv.Atoi(words[2])
			if text[words[1]] < least || state[words[1]] == "" {
				t.Errorf("%s: %d bytes, %s", line, text[words[1]], state[words[1]])
			}
		} else if !have[line] {
			t.Errorf("%s was acknowledged and is not there", line)
		}
	}
	return cut
}

func TestSeveralProgramsWriteAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		const programs, turns = 3, 25
		// The children meet on a ledger that is not there yet.
		path := on.place(t)
		failed := make(chan error, programs)
		for n := range programs {
			cmd := child(path, fmt.Sprintf("p%d", n), turns)
			go func() {
				out, err := cmd.Output()
				if err != nil {
					err = fmt.Errorf("%w: %s", err, out[max(0, len(out)-300):])
				}
				failed <- err
			}()
		}
		for range programs {
			must(t, <-failed)
		}
		l := open(t, path)
		for n := range programs {
			full, err := l.Duel(context.Background(), fmt.Sprintf("p%d", n))
			must(t, err)
			if len(full.Turns) != turns || len(full.Battles) != turns {
				t.Errorf("program %d: %d turns, %d battles", n, len(full.Turns), len(full.Battles))
			}
			for _, turn := range full.Turns {
				for id, s := range turn.States {
					if s != Done {
						t.Errorf("%s is %s", id, s)
					}
				}
				if len(turn.States) != 2 || turn.Vote == nil || turn.Ruling == nil {
					t.Errorf("%s: %d replies, vote %v, ruling %v", turn.ID, len(turn.States), turn.Vote != nil, turn.Ruling != nil)
				}
			}
		}
	})
}

func TestGoroutinesShareAHandle(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		must(t, l.RecordDuel(aDuel("d")))
		const writers, turns = 6, 20
		failed := make(chan error, writers)
		for w := range writers {
			go func() {
				for n := range turns {
					turn := aTurn("d", w*turns+n)
					if err := l.RecordTurn(turn); err != nil {
						failed <- err
						return
					}
					if _, err := l.Duels(context.Background(), Filter{}); err != nil {
						failed <- err
						return
					}
					if err := l.RecordReply(aReply(turn.ID, 0, 0), n%2 == 0); err != nil {
						failed <- err
						return
					}
				}
				failed <- nil
			}()
		}
		for range writers {
			must(t, <-failed)
		}
		duels, err := l.Duels(context.Background(), Filter{})
		must(t, err)
		if duels[0].Turns != writers*turns {
			t.Errorf("%d turns", duels[0].Turns)
		}
	})
}
