package rating

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadJSONL reads battles from JSON Lines, one object a line with the keys
// model_a, model_b and winner, and weight where there is one; other keys are
// skipped, and so are empty lines. A line that cannot be read is an *InputError.
func ReadJSONL(r io.Reader) ([]Battle, error) {
	return collected(func(add func(Battle)) error {
		_, err := eachJSONL(r, ReadOptions{}, add)
		return err
	})
}

func eachJSONL(r io.Reader, o ReadOptions, add func(Battle)) (Found, error) {
	lines := bufio.NewReaderSize(skipBOM(r), 256<<10)
	d := &decoder{o: o, names: make(intern)}
	var long []byte
	for n := 1; ; n++ {
		line, err := nextLine(lines, &long)
		if err != nil && !errors.Is(err, io.EOF) {
			if errors.Is(err, errRecordTooLong) {
				return Found{}, &InputError{Line: n, Reason: fmt.Sprintf("the line is longer than %d MiB", longestRecord>>20)}
			}
			return Found{}, err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			b, bad := d.battle(text)
			if bad != nil {
				bad.Line = n
				if bad.Column > 0 {
					bad.Column += bytes.Index(line, text[:1])
				}
				return Found{}, bad
			}
			add(b)
		}
		if err != nil {
			return d.end()
		}
	}
}

// nextLine returns the next line without copying it where it fits the buffer;
// longer ones are gathered in long.
func nextLine(r *bufio.Reader, long *[]byte) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	*long = append((*long)[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(*long) > longestRecord {
			return nil, errRecordTooLong
		}
		line, err = r.ReadSlice('\n')
		*long = append(*long, line...)
	}
	return *long, err
}

// eachOfArray reads battles from one JSON array, as FastChat's cleaned files
// are.
func eachOfArray(r io.Reader, o ReadOptions, add func(Battle)) (Found, error) {
	limit := &meter{r: skipBOM(r), left: longestRecord}
	counted := &lineCounter{r: limit}
	stream := json.NewDecoder(counted)
	if _, err := stream.Token(); err != nil {
		return Found{}, &InputError{Line: 1, Reason: "not JSON: " + err.Error()}
	}
	d := &decoder{o: o, names: make(intern)}
	for n := 1; stream.More(); n++ {
		limit.left = longestRecord
		var raw json.RawMessage
		if err := stream.Decode(&raw); err != nil {
			return Found{}, &InputError{Line: counted.lineOfNext(stream.InputOffset()), Reason: fmt.Sprintf("battle %d is not JSON: %v", n, err)}
		}
		line := counted.line(stream.InputOffset() - int64(len(raw)))
		b, bad := d.battle(raw)
		if bad != nil {
			bad.Line, bad.Column = line, 0
			bad.Reason = fmt.Sprintf("battle %d: %s", n, bad.Reason)
			return Found{}, bad
		}
		add(b)
	}
	if _, err := stream.Token(); err != nil {
		return Found{}, &InputError{Line: counted.line(stream.InputOffset()), Reason: "the array is not closed; the file may be cut off"}
	}
	return d.end()
}

func jsonError(err error) *InputError {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &InputError{Column: int(syntax.Offset), Reason: "not JSON: " + err.Error()}
	case errors.As(err, &kind) && kind.Field != "":
		return &InputError{Column: int(kind.Offset), Field: kind.Field, Reason: fmt.Sprintf("a %s where a string is expected", kind.Value)}
	case errors.As(err, &kind):
		return &InputError{Reason: fmt.Sprintf("a %s where an object with model_a, model_b and winner is expected", kind.Value)}
	}
	return &InputError{Reason: "not JSON: " + err.Error()}
}

// lineCounter counts the lines of what the decoder has read, so that an offset
// can be told as a line. Offsets must not fall.
type lineCounter struct {
	r     io.Reader
	ahead []byte // read, but not yet passed by an offset
	start int64  // offset of ahead
	lines int    // line ends before start
}

func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	l.ahead = append(l.ahead, p[:n]...)
	return n, err
}

func (l *lineCounter) line(offset int64) int {
	n := min(max(offset-l.start, 0), int64(len(l.ahead)))
	l.lines += bytes.Count(l.ahead[:n], []byte{'\n'})
	l.ahead = append(l.ahead[:0], l.ahead[n:]...)
	l.start += n
	return l.lines + 1
}

// lineOfNext returns the line on which the next value begins.
func (l *lineCounter) lineOfNext(offset int64) int {
	l.line(offset)
	rest := bytes.TrimLeft(l.ahead, ", \t\r\n")
	return l.line(l.start + int64(len(l.ahead)-len(rest)))
}
