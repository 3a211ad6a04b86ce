package screentest

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"
)

// Start runs a model in this process on a terminal of w times h cells with
// 24-bit colour. Options come after the driver's own. The program is stopped at
// the end of the test if it still runs.
func Start(t testing.TB, model tea.Model, w, h int, opts ...tea.ProgramOption) *Term {
	t.Helper()
	x := newTerm(w, h)
	in := newPipe()
	x.keys = in
	p := tea.NewProgram(model, append([]tea.ProgramOption{
		tea.WithInput(in),
		tea.WithOutput(cooked{x}),
		tea.WithWindowSize(w, h),
		tea.WithColorProfile(colorprofile.TrueColor),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}),
		tea.WithoutSignalHandler(),
	}, opts...)...)
	x.resize = func(w, h int) { p.Send(tea.WindowSizeMsg{Width: w, Height: h}) }
	x.quit = p.Quit
	x.kill = p.Kill
	var mu sync.Mutex
	var failure error
	x.result = func() string {
		mu.Lock()
		defer mu.Unlock()
		if failure == nil {
			return ""
		}
		return " (" + failure.Error() + ")"
	}
	go x.answer()
	go func() {
		defer close(x.done)
		_, err := p.Run()
		mu.Lock()
		failure = err
		mu.Unlock()
		in.Close()
		x.hangUp()
	}()
	t.Cleanup(x.Quit)
	return x
}

// cooked is a terminal whose line feeds also return the carriage, which is what
// Bubble Tea expects where its input is no terminal it could make raw.
type cooked struct{ x *Term }

func (c cooked) Write(b []byte) (int, error) {
	if runtime.GOOS == "windows" { // where it expects the contrary
		return c.x.Write(b)
	}
	if _, err := c.x.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Click presses and releases the left button on a cell. As on any terminal the
// program hears of it only if it asked for the mouse.
func (x *Term) Click(col, row int) {
	x.em.SendMouse(vt.MouseClick{X: col, Y: row, Button: vt.MouseLeft})
	x.em.SendMouse(vt.MouseRelease{X: col, Y: row, Button: vt.MouseLeft})
}

// Wheel turns the wheel over a cell by n notches, up when n is negative.
func (x *Term) Wheel(col, row, n int) {
	button := vt.MouseWheelDown
	if n < 0 {
		button, n = vt.MouseWheelUp, -n
	}
	for range n {
		x.em.SendMouse(vt.MouseWheel{X: col, Y: row, Button: button})
	}
}

// Drag presses the left button on a cell, moves to another with it held, and
// releases it there.
func (x *Term) Drag(col, row, toCol, toRow int) {
	x.em.SendMouse(vt.MouseClick{X: col, Y: row, Button: vt.MouseLeft})
	x.em.SendMouse(vt.MouseMotion{X: toCol, Y: toRow, Button: vt.MouseLeft})
	x.em.SendMouse(vt.MouseRelease{X: toCol, Y: toRow, Button: vt.MouseLeft})
}
