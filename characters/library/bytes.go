package library

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"herarena/characters/card"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// Bounds on the chunks of a PNG that are taken out of it.
const (
	pngWindow  = 4 << 10  // bytes that are read of every file
	pngHeads   = 64       // and of each chunk that is passed over: its head, and the next one's if it is short
	maxPNGText = 64 << 20 // bytes of all text chunks
	maxChunks  = 100_000
)

var errSpecial = errors.New("is not a regular file; name a card")

// contents reads of a file what a card can be in. Of a PNG those are the
// chunks with text, and the pixels between are not read; whole tells whether
// it is all of the file.
func contents(path string) (data []byte, whole bool, err error) {
	f, err := openFile(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return nil, false, errSpecial
	}
	if info.Size() > card.MaxFile {
		return nil, false, fmt.Errorf("is larger than %d MiB, the most a card may have", card.MaxFile>>20)
	}
	head := make([]byte, pngWindow)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	head = head[:n]
	if bytes.HasPrefix(head, []byte(pngSignature)) {
		if text := pngText(f, head, info.Size()); text != nil {
			return text, false, nil
		}
	}
	data, err = wholeFile(f, info.Size(), head)
	return data, true, err
}

// wholeFile reads all of a file whose head is known.
func wholeFile(f *os.File, size int64, head []byte) ([]byte, error) {
	if int64(len(head)) >= size {
		return head, nil
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// pngText returns a PNG with the header and the text of another, nil where it
// is not plain enough for that.
func pngText(f *os.File, window []byte, size int64) []byte {
	out := []byte(pngSignature)
	var at int64 = int64(len(pngSignature))
	var base int64 // where window begins in the file
	texts := 0
	buf := window
	for range maxChunks {
		if at == size {
			break
		}
		if at+12 > size {
			return nil
		}
		if at < base || at+8 > base+int64(len(window)) {
			n, err := f.ReadAt(buf[:min(cap(buf), pngHeads)], at)
			if n < 8 || err != nil && !errors.Is(err, io.EOF) {
				return nil
			}
			window, base = buf[:n], at
		}
		head := window[at-base:]
		n := int64(binary.BigEndian.Uint32(head))
		end := at + 12 + n
		if end > size {
			return nil
		}
		switch kind := string(head[4:8]); kind {
		case "IHDR", "IEND", "tEXt", "zTXt", "iTXt", "eXIf":
			if int64(len(out))+n > maxPNGText {
				return nil
			}
			from := len(out)
			out = append(out, make([]byte, 12+n)...)
			if got, err := f.ReadAt(out[from:], at); got < int(12+n) && err != nil {
				return nil
			}
			if kind[0] != 'I' {
				texts++
			}
		default:
			if !letters(kind) {
				return nil
			}
		}
		at = end
	}
	if at != size || texts == 0 {
		return nil
	}
	return out
}

func letters(kind string) bool {
	for _, c := range []byte(kind) {
		if c |= 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
