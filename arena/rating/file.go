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

// ReadFile reads battles from a file, whatever its name: a CSV table, JSON
// Lines or one JSON array, told apart by content. Errors name the file.
func ReadFile(path string) ([]Battle, error) {
	f, err := os.Open(path)
	if err != nil {
		var reason *fs.PathError
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return nil, fmt.Errorf("cannot open %s: %w", path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name a CSV or JSON Lines file of battles", path)
	}
	battles, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return battles, nil
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
	buffered := bufio.NewReaderSize(r, 64<<10)
	head, err := buffered.Peek(512)
	if len(head) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.head)) {
			return nil, fmt.Errorf("the file is %s; %s", m.name, m.advice)
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errors.New("the file is not text; expected CSV or JSON Lines")
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(text) > 0 && text[0] == '{':
		return ReadJSONL(buffered)
	case len(text) > 0 && text[0] == '[':
		return readJSONArray(buffered)
	}
	return ReadCSV(buffered)
}
