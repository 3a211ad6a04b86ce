package rating

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadOptions say what is read of a file beside who met and who won.
type ReadOptions struct {
	// By names what boards of parts need: a column of that name must be there
	// (scene_id for scene, category for dimension will do).
	By By
	// Style reads the features of style, as pairs of columns: len, action,
	// thought, header, list and bold, each with _a and _b.
	Style bool
	// Who reads the voter (judge) and the time (tstamp, seconds since 1970), where
	// they are there.
	Who bool
	// Orders reads a critic's answers in both orders (judge_ab, judge_ba), where
	// they are there.
	Orders bool
	// Sources reads whose judgement a battle is (source), where that is there.
	// Asked for alone, nothing is read of a table without such a column.
	Sources bool
}

// describe tells whether anything beside who won is asked for.
func (o ReadOptions) describe() bool { return o.By != "" || o.Style || o.Who || o.Orders || o.Sources }

// Found says what a file held beside who met and who won.
type Found struct {
	// Weighted is set where a weight of their own came with battles.
	Weighted bool
	// Styled is set where features of style did.
	Styled bool
}

// ReadFile reads battles from a file, whatever its name: a CSV table, JSON
// Lines or one JSON array, told apart by content. Errors name the file.
func ReadFile(path string) ([]Battle, error) {
	return collected(func(add func(Battle)) error {
		_, err := Each(path, ReadOptions{}, add)
		return err
	})
}

// Each is ReadFile without holding the battles: it calls add with each in turn.
// About belongs to Each and changes after the call. After an error, what add has
// got is not to be used.
func Each(path string, o ReadOptions, add func(Battle)) (Found, error) {
	f, err := os.Open(path)
	if err != nil {
		var reason *fs.PathError
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return Found{}, fmt.Errorf("cannot open %s: %w", path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return Found{}, fmt.Errorf("%s is a folder; name a CSV or JSON Lines file of battles", path)
	}
	found, err := each(f, o, add)
	if err != nil {
		return Found{}, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// Kinds of file that a person may hand over by mistake, by their first bytes.
var magics = []struct{ head, name, advice string }{
	{"\x1f\x8b", "gzip-compressed", "unpack it first"},
	{"PK\x03\x04", "a zip archive or spreadsheet", "save it as CSV first"},
	{"\x28\xb5\x2f\xfd", "zstd-compressed", "unpack it first"},
	{"PAR1", "Parquet", "convert it to CSV or JSON Lines first"},
	{"SQLite format 3\x00", "a SQLite database", "a ledger is read without --from"},
	{"\xff\xfe", "UTF-16 text", "save it as UTF-8 first"},
	{"\xfe\xff", "UTF-16 text", "save it as UTF-8 first"},
}

func read(r io.Reader) ([]Battle, error) {
	return collected(func(add func(Battle)) error {
		_, err := each(r, ReadOptions{}, add)
		return err
	})
}

func each(r io.Reader, o ReadOptions, add func(Battle)) (Found, error) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	head, err := buffered.Peek(512)
	if len(head) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return Found{}, err
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.head)) {
			return Found{}, fmt.Errorf("the file is %s; %s", m.name, m.advice)
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return Found{}, errors.New("the file is not text; expected CSV or JSON Lines")
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(text) > 0 && text[0] == '{':
		return eachJSONL(buffered, o, add)
	case len(text) > 0 && text[0] == '[':
		return eachOfArray(buffered, o, add)
	}
	return eachCSV(buffered, o, add)
}

var errRecordTooLong = fmt.Errorf("a record is longer than %d MiB; a quotation mark may be missing", longestRecord>>20)

// meter fails once a record has taken more than its bytes.
type meter struct {
	r    io.Reader
	left int
}

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
