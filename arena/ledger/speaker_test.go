package ledger

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

// TestWhoSpokeIsKept keeps a turn of a scene of several, one that only the
// surroundings had, and a past with both, and finds them again: in the duel, by
// a search, and in another ledger after an export.
func TestWhoSpokeIsKept(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		duel := aDuel("d1")
		duel.Past = []arena.PastTurn{{Speaker: "Ost", Scenery: "A gull cries."}}
		one, two := aTurn("d1", 2), aTurn("d1", 3)
		one.Line, one.Speaker, one.Scenery = "", "Old Ost", "The lamp goes out."
		two.Line, two.Scenery = "", "Rain."
		must(t, l.RecordDuel(duel), l.RecordTurn(one), l.RecordTurn(two))
		check := func(l *Ledger) {
			t.Helper()
			full, err := l.Duel(context.Background(), "d1")
			must(t, err)
			type kept struct{ Line, Speaker, Scenery string }
			var got []kept
			for _, turn := range full.Turns {
				got = append(got, kept{turn.Line, turn.Speaker, turn.Scenery})
			}
			if diff := cmp.Diff([]kept{{"", "Old Ost", "The lamp goes out."}, {"", "", "Rain."}}, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(duel.Past, full.Past); diff != "" {
				t.Error(diff)
			}
			hits, err := l.Search(context.Background(), "LAMP goes")
			must(t, err)
			if len(hits) != 1 || hits[0].Turn != 2 {
				t.Errorf("found in %v", hits)
			}
		}
		check(l)
		var out bytes.Buffer
		must(t, l.Export(context.Background(), &out))
		if !strings.Contains(out.String(), `"speaker":"Old Ost"`) {
			t.Errorf("the export does not say who spoke:\n%s", out.String())
		}
		m := on.fresh(t)
		_, err := m.Import(context.Background(), &out)
		must(t, err)
		check(m)
	})
}

// TestATurnOfOldReadsAsTheScenesOwn brings a ledger without speakers up to date.
func TestATurnOfOldReadsAsTheScenesOwn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		place := on.place(t)
		l, err := Open(context.Background(), place)
		must(t, err)
		must(t, l.RecordDuel(aDuel("d1")), l.RecordTurn(aTurn("d1", 1)), l.RecordVote(aVote("d1-t1", "v1", arena.ChoseA)), l.Close())
		execute(t, place, "ALTER TABLE turns DROP COLUMN speaker", "ALTER TABLE turns DROP COLUMN scenery", "DELETE FROM "+versionTable+" WHERE version_id >= 8")
		l = open(t, place)
		full, err := l.Duel(context.Background(), "d1")
		must(t, err)
		if turn := full.Turns[0]; turn.Line != "Good evening." || turn.Speaker != "" || turn.Scenery != "" {
			t.Errorf("%+v", turn.Turn)
		}
		report, err := l.Verify(context.Background(), Head{})
		must(t, err)
		if report.Total > 0 {
			t.Errorf("the chain does not hold any more: %v", report.Findings)
		}
	})
}
