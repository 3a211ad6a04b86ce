package ledger

import (
	"context"
	"path/filepath"
	"testing"
)

// Who looks while another program is making the ledger never takes it for a
// database of somebody else.
func TestALedgerInTheMakingIsNoStranger(t *testing.T) {
	ctx := context.Background()
	for range 12 {
		path := filepath.Join(t.TempDir(), "ledger.db")
		f := &file{path: path}
		must(t, f.prepareFile())
		made := make(chan error, 1)
		go func() {
			l, err := Open(ctx, path)
			if err == nil {
				err = l.Close()
			}
			made <- err
		}()
		for looking := true; looking; {
			select {
			case err := <-made:
				must(t, err)
				looking = false
			default:
				if err := f.identify(ctx); IsKind(err, Foreign) {
					t.Fatal(err)
				}
			}
		}
	}
}
