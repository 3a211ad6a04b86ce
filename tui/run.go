package tui

import (
	"context"
	"errors"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Run shows the arena until the person leaves or ctx ends. All duels are closed
// when it returns. An interrupt from outside is tea.ErrInterrupted.
func Run(ctx context.Context, o Options) error {
	m := New(o)
	c := &clock{}
	plain := o.SynchronizedOutput == "off"
	options := append([]tea.ProgramOption{
		tea.WithContext(ctx), tea.WithFPS(framesPerSecond),
		tea.WithFilter(func(m tea.Model, msg tea.Msg) tea.Msg {
			c.woken()
			if plain {
				return unsynchronised(m, msg)
			}
			return msg
		}),
	}, o.Program...)
	c.program = tea.NewProgram(m, options...)
	_, err := c.program.Run()
	if closeErr := m.Close(); err == nil {
		err = closeErr
	}
	switch {
	case err == nil, ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled):
		return ctx.Err()
	case errors.Is(err, tea.ErrInterrupted):
		return err
	}
	return fmt.Errorf("the screen: %w", err)
}

// synchronise sees to it that frames are drawn at once where the terminal can.
// Bubble Tea asks the terminal itself, but not over SSH, since some terminals
// print the question. tmux never does, so it is asked there too; "on" takes the
// answer for granted, and terminals that do not know the mode ignore it.
func (o *Options) synchronise() tea.Cmd {
	switch {
	case o.SynchronizedOutput == "on":
		return func() tea.Msg {
			return tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset}
		}
	case o.SynchronizedOutput == "off" || os.Getenv("SSH_TTY") == "" || os.Getenv("TMUX") == "":
		return nil
	}
	return tea.Raw(ansi.RequestModeSynchronizedOutput)
}

// unsynchronised drops the terminal's word that it can draw frames at once.
func unsynchronised(_ tea.Model, msg tea.Msg) tea.Msg {
	if r, ok := msg.(tea.ModeReportMsg); ok && r.Mode == ansi.ModeSynchronizedOutput {
		return nil
	}
	return msg
}
