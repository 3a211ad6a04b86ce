package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// readerAt is a file that can be read anywhere, as Parquet asks for.
type readerAt interface {
	io.ReaderAt
	io.Seeker
}

const parquetMagic = "PAR1"

func isParquet(r readerAt) bool {
	head := make([]byte, len(parquetMagic))
	n, _ := r.ReadAt(head, 0)
	return n == len(head) && string(head) == parquetMagic
}

// What a Parquet file may hold at most, by its own footer.
const (
	maxParquetRows  = 100_000_000
	maxParquetGroup = 4 << 30 // bytes of a row group, unpacked
	parquetGroup    = 5000    // rows of a group, which is what a writer holds
)

// parquet reads a Parquet file row by row.
func (im *importer) parquet(name string, r readerAt) (err error) {
	// The library takes a file for what it says of itself.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the Parquet file is damaged: %v", p)
		}
	}()
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("the Parquet file cannot be read: %w", err)
	}
	if err := im.parquetFormat(name, file); err != nil {
		return err
	}
	if n := file.NumRows(); n < 0 || n > maxParquetRows {
		return fmt.Errorf("the Parquet file claims %d rows; at most %d are read", n, maxParquetRows)
	}
	for _, g := range file.Metadata().RowGroups {
		if g.TotalByteSize < 0 || g.TotalByteSize > maxParquetGroup {
			return fmt.Errorf("a row group of the Parquet file claims %d bytes; at most %d are read", g.TotalByteSize, int64(maxParquetGroup))
		}
	}
	return im.parquetRows(file)
}

func (im *importer) parquetFormat(name string, file *parquet.File) error {
	var columns []string
	for _, f := range file.Schema().Fields() {
		columns = append(columns, f.Name())
	}
	for _, f := range All() {
		if f.Parquet && (name == f.Name || name == "auto" && f.codec.fits(columns)) {
			im.f, im.report.Format = f, f.Name
			return nil
		}
	}
	if name != "auto" {
		if _, err := Find(name); err != nil {
			return err
		}
		return fmt.Errorf("%s does not stand in Parquet files", name)
	}
	for i := range columns {
		columns[i] = clip(columns[i])
	}
	return fmt.Errorf("the format is not known by the columns %q; name the format", columns[:min(len(columns), 12)])
}

func (im *importer) parquetRows(file *parquet.File) error {
	r := parquet.NewReader(file, parquet.SchemaOf(im.f.codec.blank()))
	defer func() { _ = r.Close() }()
	for n := 1; ; n++ {
		v := im.f.codec.blank()
		err := r.Read(v)
		if errors.Is(err, io.EOF) {
			return im.begin()
		}
		if err != nil {
			return &RowError{Line: n, Reason: "the row cannot be read: " + err.Error()}
		}
		fromParquet(v)
		raw, err := marshal(v)
		if err != nil {
			return &RowError{Line: n, Reason: err.Error()}
		}
		if len(raw) > maxRow {
			return &RowError{Line: n, Reason: errLong.Error()}
		}
		if err := im.one(&row{line: n, raw: raw}); err != nil {
			return err
		}
	}
}

// fromParquet gives times their place in the JSON of a row.
func fromParquet(v any) {
	switch r := v.(type) {
	case *cleanBattle:
		r.Tstamp = seconds(int64(r.Seconds*1000 + 0.5))
	case *row100k:
		r.Tstamp = seconds(int64(r.Seconds*1000 + 0.5))
	}
}

// parquetWriter writes rows of one kind.
type parquetWriter struct {
	//lint:ignore SA1019 the generic writer wants the type at compile time; rows of several kinds share this one
	w    *parquet.Writer
	kind reflect.Type
}

func newParquetWriter(w io.Writer, blank any) *parquetWriter {
	return &parquetWriter{
		// Snappy, as HER's own files have it.
		w: parquet.NewWriter(w, parquet.SchemaOf(blank), parquet.Compression(&parquet.Snappy),
			parquet.MaxRowsPerRowGroup(parquetGroup)),
		kind: reflect.TypeOf(blank).Elem(),
	}
}

func (p *parquetWriter) write(r any) error {
	if k, ok := r.(kept); ok {
		r = p.merged(k)
	}
	if reflect.TypeOf(r) != p.kind {
		return fmt.Errorf("a row of another kind (%T)", r)
	}
	return p.w.Write(r)
}

// merged is a row with those of the fields kept of its origin that have a column.
func (p *parquetWriter) merged(k kept) any {
	raw, err := encode(k)
	if err != nil || len(k.rest) == 0 {
		return k.row
	}
	v := reflect.New(p.kind)
	if json.Unmarshal(raw, v.Interface()) != nil {
		return k.row
	}
	switch r := v.Interface().(type) {
	case *cleanBattle:
		r.Seconds, _ = r.Tstamp.Float64()
	case *row100k:
		r.Seconds, _ = r.Tstamp.Float64()
	}
	return v.Elem().Interface()
}

func (p *parquetWriter) close() error { return p.w.Close() }
