package rating

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// jsonBattle holds the keys in use; all others are skipped.
type jsonBattle struct {
	ModelA *string `json:"model_a"`
	ModelB *string `json:"model_b"`
	Winner *string `json:"winner"`
}

// ReadJSONL reads battles from JSON Lines, one object a line with the keys
// model_a, model_b and winner; other keys are skipped, and so are empty lines.
// A line that cannot be read is an *InputError.
func ReadJSONL(r io.Reader) ([]Battle, error) {
	lines := bufio.NewReaderSize(skipBOM(r), 64<<10)
	var battles []Battle
	names := make(intern)
	var long []byte
	for n := 1; ; n++ {
		line, err := nextLine(lines, &long)
		if err != nil && !errors.Is(err, io.EOF) {
			if errors.Is(err, errRecordTooLong) {
				return nil, &InputError{Line: n, Reason: fmt.Sprintf("the line is longer than %d MiB", longestRecord>>20)}
			}
			return nil, err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			b, bad := decodeBattle(text, names)
			if bad != nil {
				bad.Line = n
				if bad.Column > 0 {
					bad.Column += bytes.Index(line, text[:1])
				}
				return nil, bad
			}
			battles = append(battles, b)
		}
		if err != nil {
			return battles, nil
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

// readJSONArray reads battles from one JSON array, as FastChat's cleaned files
// are.
func readJSONArray(r io.Reader) ([]Battle, error) {
	limit := &meter{r: skipBOM(r), left: longestRecord}
	counted := &lineCounter{r: limit}
	decoder := json.NewDecoder(counted)
	if _, err := decoder.Token(); err != nil {
		return nil, &InputError{Line: 1, Reason: "not JSON: " + err.Error()}
	}
	var battles []Battle
	names := make(intern)
	for n := 1; decoder.More(); n++ {
		limit.left = longestRecord
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, &InputError{Line: counted.lineOfNext(decoder.InputOffset()), Reason: fmt.Sprintf("battle %d is not JSON: %v", n, err)}
		}
		line := counted.line(decoder.InputOffset() - int64(len(raw)))
		b, bad := decodeBattle(raw, names)
		if bad != nil {
			bad.Line, bad.Column = line, 0
			bad.Reason = fmt.Sprintf("battle %d: %s", n, bad.Reason)
			return nil, bad
		}
		battles = append(battles, b)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, &InputError{Line: counted.line(decoder.InputOffset()), Reason: "the array is not closed; the file may be cut off"}
	}
	return battles, nil
}

// decodeBattle reads one object; the error has no line yet.
func decodeBattle(text []byte, names intern) (Battle, *InputError) {
	var j jsonBattle
	if err := json.Unmarshal(text, &j); err != nil {
		return Battle{}, jsonError(err)
	}
	for _, m := range []struct {
		value *string
		field string
	}{{j.ModelA, "model_a"}, {j.ModelB, "model_b"}, {j.Winner, "winner"}} {
		if m.value == nil {
			return Battle{}, &InputError{Field: m.field, Reason: "the key is missing"}
		}
		if *m.value = strings.TrimSpace(*m.value); *m.value == "" {
			return Battle{}, &InputError{Field: m.field, Reason: "the value is empty"}
		}
	}
	outcome, ok := parseOutcome(*j.Winner)
	if !ok {
		return Battle{}, &InputError{Field: "winner", Reason: badWinner(*j.Winner)}
	}
	return Battle{A: names.name(*j.ModelA), B: names.name(*j.ModelB), Outcome: outcome, Weight: 1}, nil
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
