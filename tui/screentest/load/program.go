//go:build linux || darwin

package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/characters"
	"herarena/tui"
	"herarena/tui/casting"
	"herarena/tui/stage"
)

// The environment of a program under test.
const (
	asVar      = "HERARENA_LOAD_AS"
	planVar    = "HERARENA_LOAD_PLAN"
	profileVar = "HERARENA_LOAD_PROFILE" // where the stage writes a CPU profile
)

// A program under test is told to stream by a byte on one file and says on the
// other when it has, and at its end what it cost.
const (
	goFile     = 3
	reportFile = 4
)

// selfReport is what a program says of itself at its end.
type selfReport struct {
	CPU    time.Duration // from the start of the stream to the end
	Allocs uint64        // in the same time
	Err    string
}

// Perform is for TestMain: in a process that Run has started it is the program
// under test and reports true when that has ended. Elsewhere it does nothing.
func Perform() bool {
	as := os.Getenv(asVar)
	if as == "" {
		return false
	}
	out := os.NewFile(reportFile, "report")
	r := perform(as, out)
	_ = json.NewEncoder(out).Encode(r)
	_ = out.Close()
	return true
}

func perform(as string, out *os.File) selfReport {
	var plan Plan
	if err := json.Unmarshal([]byte(os.Getenv(planVar)), &plan); err != nil {
		return selfReport{Err: planVar + ": " + err.Error()}
	}
	m := &meter{}
	script := Script{plan}
	var err error
	switch as {
	case AsStage:
		d := NewDuel(script)
		go m.await(out, d.Start)
		err = tui.Run(context.Background(), Options(d))
	case AsFloor:
		f := NewFloor(script)
		p := tea.NewProgram(f, tea.WithFPS(FPS))
		f.Attach(p.Send)
		go m.await(out, f.Start)
		_, err = p.Run()
	default:
		err = fmt.Errorf("%s is %q, want %s or %s", asVar, as, AsStage, AsFloor)
	}
	return m.report(err)
}

// Options are those of a product that opens on a duel.
func Options(d stage.Duel) tui.Options {
	return tui.Options{
		Scenes: []characters.Scene{Scene()}, Contestants: Contestants(), Open: true,
		Critics:   []casting.CriticChoice{{Name: "none", Label: "none"}},
		StartDuel: func(context.Context, casting.Cast) (stage.Duel, error) { return d, nil },
	}
}

// meter notes what a program has used when the stream begins.
type meter struct {
	cpu     time.Duration
	allocs  uint64
	profile *os.File
}

// await waits for the word to begin and says when all was streamed.
func (m *meter) await(out *os.File, start func() <-chan struct{}) {
	in := os.NewFile(goFile, "go")
	if n, err := in.Read(make([]byte, 1)); n == 0 || err != nil {
		return
	}
	if path := os.Getenv(profileVar); path != "" {
		if f, err := os.Create(path); err == nil && pprof.StartCPUProfile(f) == nil {
			m.profile = f
		}
	}
	m.cpu, m.allocs = used()
	<-start()
	_, _ = out.WriteString("streamed\n")
}

func (m *meter) report(err error) selfReport {
	if m.profile != nil {
		pprof.StopCPUProfile()
		err = errors.Join(err, m.profile.Close())
	}
	cpu, allocs := used()
	r := selfReport{CPU: cpu - m.cpu, Allocs: allocs - m.allocs}
	if err != nil {
		r.Err = err.Error()
	}
	return r
}

// used is the CPU time of this process, user and system, and its allocations.
func used() (time.Duration, uint64) {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), mem.Mallocs
}
