package rating

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A record may be this long: whole conversations fit, a file with a quotation
// mark that never closes is found before it fills the memory.
const longestRecord = 64 << 20

// ReadCSV reads battles from a table with the columns model_a, model_b and
// winner (model_a, model_b, tie, "tie (bothbad)" or both_bad), in any order;
// other columns are skipped. Where winner is missing, the columns
// winner_model_a, winner_model_b and winner_tie of the 55k set serve (0 or 1).
// A row that cannot be read is an *InputError.
func ReadCSV(r io.Reader) ([]Battle, error) {
	limit := &meter{r: skipBOM(r), left: longestRecord}
	table := csv.NewReader(limit)
	table.ReuseRecord = true
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, &InputError{Line: 1, Reason: "the file is empty; expected a header with model_a, model_b and winner"}
	}
	if err != nil {
		return nil, csvError(err)
	}
	cols, err := findColumns(header)
	if err != nil {
		return nil, err
	}
	var battles []Battle
	names := make(intern)
	for {
		limit.left = longestRecord
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			return battles, nil
		}
		if err != nil {
			return nil, csvError(err)
		}
		b, bad, why := cols.battle(record, names)
		if why != "" {
			line, column := table.FieldPos(bad)
			return nil, &InputError{Line: line, Column: column, Field: cols.label(bad), Reason: why}
		}
		battles = append(battles, b)
	}
}

// columns holds the positions of the columns in use, -1 where missing.
type columns struct {
	a, b, winner      int
	wonA, wonB, drawn int
}

func findColumns(header []string) (columns, error) {
	seen := make(map[string]int, len(header))
	for i, h := range header {
		h = strings.ToLower(strings.TrimSpace(h))
		if _, twice := seen[h]; !twice {
			seen[h] = i
		}
	}
	at := func(name string) int {
		if i, ok := seen[name]; ok {
			return i
		}
		return -1
	}
	c := columns{
		a: at("model_a"), b: at("model_b"), winner: at("winner"),
		wonA: at("winner_model_a"), wonB: at("winner_model_b"), drawn: at("winner_tie"),
	}
	var missing []string
	if c.a < 0 {
		missing = append(missing, "model_a")
	}
	if c.b < 0 {
		missing = append(missing, "model_b")
	}
	if c.winner < 0 && (c.wonA < 0 || c.wonB < 0 || c.drawn < 0) {
		missing = append(missing, "winner")
	}
	if len(missing) == 0 {
		return c, nil
	}
	found := slices.Clone(header)
	for i := range found {
		found[i] = clip(found[i])
	}
	return c, &InputError{Line: 1, Reason: fmt.Sprintf("the header has no column %s; its columns are %s",
		strings.Join(missing, ", "), some(found, 12))}
}

// label names the column at a position.
func (c columns) label(at int) string {
	switch at {
	case c.a:
		return "model_a"
	case c.b:
		return "model_b"
	case c.winner:
		return "winner"
	}
	return "winner_model_a, winner_model_b, winner_tie"
}

// battle reads one record; why is "" where it could, else bad is the position
// of the field at fault.
func (c columns) battle(record []string, names intern) (b Battle, bad int, why string) {
	a, z := strings.TrimSpace(record[c.a]), strings.TrimSpace(record[c.b])
	if a == "" {
		return b, c.a, "a model without a name"
	}
	if z == "" {
		return b, c.b, "a model without a name"
	}
	b = Battle{A: names.name(a), B: names.name(z), Weight: 1}
	if c.winner >= 0 {
		outcome, ok := parseOutcome(record[c.winner])
		if !ok {
			return b, c.winner, badWinner(record[c.winner])
		}
		b.Outcome = outcome
		return b, 0, ""
	}
	switch [3]string{record[c.wonA], record[c.wonB], record[c.drawn]} {
	case [3]string{"1", "0", "0"}:
		b.Outcome = Win
	case [3]string{"0", "1", "0"}:
		b.Outcome = Loss
	case [3]string{"0", "0", "1"}:
		b.Outcome = Tie
	default:
		return b, c.wonA, "exactly one of winner_model_a, winner_model_b and winner_tie must be 1, the others 0"
	}
	return b, 0, ""
}

func csvError(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	e := &InputError{Line: parse.Line, Column: parse.Column}
	switch {
	case errors.Is(parse.Err, csv.ErrFieldCount):
		e.Column = 0
		e.Reason = "the row has more or fewer fields than the header"
	case errors.Is(parse.Err, csv.ErrQuote):
		if parse.StartLine != parse.Line {
			// The row that was never finished helps more than the file's end.
			e.Line, e.Column = parse.StartLine, 0
		}
		e.Reason = "a quoted field is not closed, or holds a bare quotation mark"
	case errors.Is(parse.Err, csv.ErrBareQuote):
		e.Reason = "a quotation mark inside a field that is not quoted"
	default:
		e.Reason = parse.Err.Error()
	}
	return e
}

// meter fails once a record has taken more than its bytes.
type meter struct {
	r    io.Reader
	left int
}

var errRecordTooLong = fmt.Errorf("a record is longer than %d MiB; a quotation mark may be missing", longestRecord>>20)

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errRecordTooLong
	}
	n, err := m.r.Read(p)
	m.left -= n
	return n, err
}

// skipBOM drops the byte order mark that spreadsheets write.
func skipBOM(r io.Reader) io.Reader {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if head, _ := buffered.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
		_, _ = buffered.Discard(3)
	}
	return buffered
}
