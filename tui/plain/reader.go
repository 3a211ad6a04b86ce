package plain

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// maxLine bounds a line of input, in bytes.
const maxLine = 64 << 10

// entry is a line of input, or why there is none.
type entry struct {
	text string
	long bool  // the line was longer than maxLine and is left out
	err  error // reading failed; the input ends here
}

// read carries lines to the channel and closes it at the end of the input. It
// ends with the input or, once a line has been read, with ctx.
func read(ctx context.Context, in io.Reader, to chan<- entry) {
	defer close(to)
	r := bufio.NewReaderSize(in, maxLine)
	for {
		e, more := next(r)
		if e.text != "" || e.long || e.err != nil || more {
			select {
			case to <- e:
			case <-ctx.Done():
				return
			}
		}
		if !more {
			return
		}
	}
}

// next reads one line; more is false at the end of the input.
func next(r *bufio.Reader) (e entry, more bool) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		e.long = true
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
	} else {
		e.text = strings.TrimSpace(strings.ToValidUTF8(string(line), "\uFFFD"))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		e.err = err
	}
	return e, err == nil
}
