package archive

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Open asks for the reading of one duel at a turn, as from the list; a duel that
// cannot be read is a notice.
func Open(ctx context.Context, o Options, duelID string, turn int) tea.Cmd {
	if o.Duel == nil {
		return notice("past duels cannot be read here", true)
	}
	return func() tea.Msg {
		d, err := o.Duel(ctx, duelID)
		if err != nil {
			return notice("the duel could not be read: "+err.Error(), true)()
		}
		if len(d.Turns) == 0 {
			return notice("there is nothing to read: what was said in this battle is not in the ledger", true)()
		}
		return Read{newReader(o, o.Look, d, turn)}
	}
}
