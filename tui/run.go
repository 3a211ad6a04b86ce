package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// Run shows the arena until the person leaves or ctx ends. All duels are closed
// when it returns. An interrupt from outside is tea.ErrInterrupted.
func Run(ctx context.Context, o Options) error {
	m := New(o)
	options := append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(framesPerSecond)}, o.Program...)
	_, err := tea.NewProgram(m, options...).Run()
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
