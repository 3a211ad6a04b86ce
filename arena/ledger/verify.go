package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Head is a place in the chain of battles and votes: the number of a link and
// its hash. Whoever keeps a head elsewhere can tell later whether the chain up
// to it is still the same.
type Head struct {
	Seq  int64
	Hash string // hexadecimal
}

// String writes a head as ParseHead reads it.
func (h Head) String() string { return strconv.FormatInt(h.Seq, 10) + ":" + h.Hash }

// ParseHead reads what Head.String writes.
func ParseHead(text string) (Head, error) {
	number, hash, _ := strings.Cut(strings.TrimSpace(text), ":")
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil || seq < 1 || len(hash) != 2*sha256.Size || strings.Trim(hash, "0123456789abcdef") != "" {
		return Head{}, fmt.Errorf("%.80q is no head of a chain: it is a number, a colon and 64 hexadecimal digits, as herarena log verify prints it", text)
	}
	return Head{seq, hash}, nil
}

// What a finding says has happened.
const (
	WasChanged  = "changed"  // a row or link is not as it was kept
	WasRemoved  = "removed"  // a row or link is gone
	WasInserted = "inserted" // a row was written around the chain
	WasMoved    = "moved"    // a link stands in another place
	OtherHead   = "head"     // the chain is not the one whose head was kept
)

// Finding is one thing in which the ledger is not as it was kept.
type Finding struct {
	Kind string // one of the constants above
	What string // battle, vote, link or chain
	ID   string // of the battle or vote, where it is known
	Seq  int64  // of the link, 0 where there is none
	Text string // a sentence
}

// mostFindings bounds what a Report holds; Total goes on counting.
const mostFindings = 1000

// Report says what Verify saw.
type Report struct {
	Links          int
	Battles, Votes int       // rows there are now
	Replaced       int       // links whose rows others took the place of
	Began          time.Time // of the chain; zero where its beginning is gone
	Adopted        int       // rows that were there before the chain
	Head           Head      // the last link
	Total          int       // findings
	Findings       []Finding // the first thousand
}

// Verify reads the whole chain of battles and votes and compares it with the
// rows, at one moment. It finds what was changed, removed, inserted or moved
// outside the program. What it cannot find is a chain that was made anew as a
// whole by someone who can write the ledger: known is for that, a head of an
// earlier day that was kept elsewhere; the zero Head is none.
func (l *Ledger) Verify(ctx context.Context, known Head) (Report, error) {
	if err := l.usable(); err != nil {
		return Report{}, err
	}
	if err := l.base.check(ctx, l.reader); err != nil {
		return Report{}, err
	}
	tx, err := l.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Report{}, l.explain(err, "verify")
	}
	defer func() { _ = tx.Rollback() }()
	v := &verifier{tx: tx, known: known, live: make(map[string]liveRow), gone: make(map[int64]bool)}
	if err := v.run(ctx); err != nil {
		return Report{}, l.explain(err, "verify")
	}
	return v.report, nil
}

// liveRow is what the chain knows of a row: its last link and the hash of its
// body.
type liveRow struct {
	seq  int64
	body [sha256.Size]byte
}

type verifier struct {
	tx     *sql.Tx
	known  Head
	report Report
	live   map[string]liveRow // by kind and id
	gone   map[int64]bool     // numbers of links that were replaced
}

func (v *verifier) found(f Finding) {
	if v.report.Total++; v.report.Total <= mostFindings {
		v.report.Findings = append(v.report.Findings, f)
	}
}

func (v *verifier) run(ctx context.Context) error {
	if err := v.links(ctx); err != nil {
		return err
	}
	for key, row := range v.live {
		if v.gone[row.seq] {
			delete(v.live, key)
		}
	}
	v.report.Replaced = len(v.gone)
	n, err := rowsOf(ctx, v, linkBattle, "SELECT "+battleColumns+" FROM battles ORDER BY given, id", (*battleRow).fields, func(r *battleRow) string { return r.ID })
	if err != nil {
		return err
	}
	v.report.Battles = n
	n, err = rowsOf(ctx, v, linkVote, "SELECT "+voteColumns+" FROM votes ORDER BY given, id", (*voteRow).fields, func(r *voteRow) string { return r.ID })
	if err != nil {
		return err
	}
	v.report.Votes = n
	return v.missing(ctx)
}

// links walks the chain from its first link to its last.
func (v *verifier) links(ctx context.Context) error {
	var last link
	var same bool
	err := each(ctx, v.tx, "SELECT "+linkColumns+" FROM links ORDER BY seq", nil, (*link).fields, func(k *link) error {
		v.report.Links++
		v.link(&last, k)
		if k.Seq == v.known.Seq {
			same = k.Hash == v.known.Hash
		}
		last = *k
		return nil
	})
	if err != nil {
		return err
	}
	v.report.Head = Head{last.Seq, last.Hash}
	var head Head
	err = v.tx.QueryRowContext(ctx, "SELECT seq, hash FROM chain WHERE id = 1").Scan(&head.Seq, &head.Hash)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		v.found(Finding{Kind: WasRemoved, What: "chain", Text: "the record of the chain's last link was removed"})
	case err != nil:
		return err
	case head.Seq > last.Seq:
		v.found(Finding{Kind: WasRemoved, What: "link", Seq: last.Seq + 1, Text: fmt.Sprintf("%s at the end of the chain removed", span(last.Seq+1, head.Seq))})
	case head != v.report.Head:
		v.found(Finding{Kind: WasChanged, What: "chain", Seq: last.Seq, Text: fmt.Sprintf("the record of the chain's last link says %d, the last link is %d", head.Seq, last.Seq)})
	}
	if v.known.Seq > 0 && !same {
		v.found(Finding{Kind: OtherHead, What: "chain", Seq: v.known.Seq, Text: fmt.Sprintf("link %d is not the one whose hash was kept: the chain up to it was made anew", v.known.Seq)})
	}
	return nil
}

// link looks at one link and the one before it.
func (v *verifier) link(last, k *link) {
	if k.Seq > last.Seq+1 {
		v.found(Finding{Kind: WasRemoved, What: "link", Seq: last.Seq + 1, Text: span(last.Seq+1, k.Seq-1) + " removed from the chain"})
	}
	switch {
	case k.Hash != k.sum():
		v.broken(last, k)
	case k.Prev != last.Hash && k.Seq == last.Seq+1:
		v.found(Finding{Kind: WasChanged, What: "link", ID: last.RowID, Seq: last.Seq, Text: fmt.Sprintf("link %d was exchanged for another: link %d does not follow it", last.Seq, k.Seq)})
	}
	if k.Seq == 1 && k.Kind == linkStart {
		var b beginning
		if json.Unmarshal([]byte(k.Body), &b) == nil {
			v.report.Began, v.report.Adopted = fromMillis(k.Written), b.Battles+b.Votes
		}
	}
	for _, n := range k.replaced() {
		v.gone[n] = true
	}
	if k.Kind == linkBattle || k.Kind == linkVote {
		v.live[k.Kind+" "+k.RowID] = liveRow{k.Seq, sha256.Sum256([]byte(k.Body))}
	}
}

// broken names what is wrong with a link whose hash does not fit.
func (v *verifier) broken(last, k *link) {
	f := Finding{Kind: WasChanged, What: "link", ID: k.RowID, Seq: k.Seq, Text: fmt.Sprintf("link %d (%s %s) was changed", k.Seq, k.Kind, k.RowID)}
	if k.Prev != last.Hash && k.Seq == last.Seq+1 {
		// Does it fit where a neighbour stands?
		for _, seq := range []int64{k.Seq - 1, k.Seq + 1} {
			moved := *k
			moved.Seq = seq
			if moved.sum() == k.Hash {
				f.Kind = WasMoved
				f.Text = fmt.Sprintf("link %d (%s %s) was link %d: the order was changed", k.Seq, k.Kind, k.RowID, seq)
			}
		}
	}
	v.found(f)
}

// span names links in a sentence.
func span(from, to int64) string {
	if from == to {
		return fmt.Sprintf("link %d was", from)
	}
	return fmt.Sprintf("links %d to %d were", from, to)
}

// rowsOf compares the rows of a table with the chain and counts them.
func rowsOf[R battleRow | voteRow](ctx context.Context, v *verifier, kind, query string, fields func(*R) []any, id func(*R) string) (int, error) {
	type doubt struct {
		id, body string
		seq      int64
	}
	var doubts []doubt // looked at once the rows have been read
	n := 0
	err := each(ctx, v.tx, query, nil, fields, func(r *R) error {
		n++
		body, err := canonical(r)
		if err != nil {
			return err
		}
		key := kind + " " + id(r)
		known, ok := v.live[key]
		delete(v.live, key)
		if !ok {
			v.found(Finding{Kind: WasInserted, What: kind, ID: id(r), Text: fmt.Sprintf("%s was written around the chain", named(kind, body))})
		} else if known.body != sha256.Sum256([]byte(body)) && len(doubts) < mostFindings {
			doubts = append(doubts, doubt{id(r), body, known.seq})
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	for _, d := range doubts {
		var before string
		if err := v.tx.QueryRowContext(ctx, "SELECT body FROM links WHERE seq = $1", d.seq).Scan(&before); err != nil {
			return n, err
		}
		v.found(Finding{Kind: WasChanged, What: kind, ID: d.id, Seq: d.seq, Text: fmt.Sprintf("%s was changed: %s", named(kind, before), differences(before, d.body))})
	}
	return n, nil
}

// missing names the rows that only the chain knows.
func (v *verifier) missing(ctx context.Context) error {
	seqs := make([]int64, 0, len(v.live))
	for _, row := range v.live {
		seqs = append(seqs, row.seq)
	}
	slices.Sort(seqs)
	for _, seq := range seqs {
		f := Finding{Kind: WasRemoved, Seq: seq}
		if v.report.Total < mostFindings {
			var body string
			if err := v.tx.QueryRowContext(ctx, "SELECT kind, row_id, body FROM links WHERE seq = $1", seq).Scan(&f.What, &f.ID, &body); err != nil {
				return err
			}
			f.Text = named(f.What, body) + " was removed"
		}
		v.found(f)
	}
	return nil
}

// named names a battle or a vote by what its link says.
func named(kind, body string) string {
	var r struct {
		battleRow
		Choice string `json:"choice"`
		Voter  string `json:"voter"`
	}
	_ = json.Unmarshal([]byte(body), &r) // what cannot be read stays empty
	at := fromMillis(r.Given).Local().Format("2006-01-02 15:04:05")
	if kind == linkVote {
		return fmt.Sprintf("the vote %s of %s on turn %s (%s, %s)", r.ID, r.Voter, r.TurnID, r.Choice, at)
	}
	return fmt.Sprintf("the battle %s of %s against %s in turn %d of duel %s (%s, %s, %s)", r.ID, r.A, r.B, r.Turn, r.DuelID, r.Source, r.Outcome, at)
}

// differences tells the fields in which two rows differ.
func differences(before, now string) string {
	var was, is map[string]any
	_ = json.Unmarshal([]byte(before), &was)
	_ = json.Unmarshal([]byte(now), &is)
	names := make([]string, 0, len(is))
	for name := range is {
		names = append(names, name)
	}
	for name := range was {
		if _, ok := is[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []string
	for _, name := range names {
		if a, b := fmt.Sprint(was[name]), fmt.Sprint(is[name]); a != b {
			out = append(out, fmt.Sprintf("%s was %.80q and is %.80q", name, a, b))
		}
	}
	if out == nil {
		return "its link was"
	}
	return strings.Join(out, ", ")
}
