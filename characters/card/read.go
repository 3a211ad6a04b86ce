package card

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// MaxFile is the most bytes a file may have.
const MaxFile = 128 << 20

// Open reads a file from disk. Errors are *Error.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		// A pipe or a device could block for ever.
		return nil, &Error{File: path, Code: Unreadable, Message: "is not a regular file; name a card"}
	}
	var data []byte
	if err == nil {
		data, err = readAtMost(path, MaxFile+1)
	}
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, &Error{File: path, Code: Unreadable, Message: "cannot be read: " + err.Error()}
	}
	f, err := Read(data, filepath.Base(path))
	var fault *Error
	if errors.As(err, &fault) {
		fault.File = path
	}
	return f, err
}

func readAtMost(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

// Read reads the bytes of a file with the given name. What it is is told by
// its bytes; the name serves for messages and for a card without a name.
// Errors are *Error.
func Read(data []byte, name string) (*File, error) {
	r := &reader{name: name}
	f, fault := r.read(data)
	if fault != nil {
		fault.File = name
		return nil, fault
	}
	f.Name = name
	f.Warnings = r.said()
	if f.Data == nil {
		f.Data = NewObject()
	}
	return f, nil
}

// reader is the state of reading one file.
type reader struct {
	name  string
	notes []note
}

type note struct {
	key     string
	warning Warning
	more    int
}

var indices = regexp.MustCompile(`\[\d+\]`)

// warn notes a warning about a field, or about the whole file where field is
// empty. The same fault in other items of a list, and the same message twice,
// is counted and not said again.
func (r *reader) warn(code, field, message string) {
	key := code + " " + indices.ReplaceAllString(field, "[]")
	if field == "" {
		key = code + " " + message
	}
	r.warnOnce(key, code, field, message)
}

func (r *reader) warnOnce(key, code, field, message string) {
	for i := range r.notes {
		if r.notes[i].key == key {
			r.notes[i].more++
			return
		}
	}
	if field != "" {
		message = field + " " + message
	}
	r.notes = append(r.notes, note{key: key, warning: Warning{Code: code, Message: message}})
}

// maxWarning is the most bytes of one warning: names from a file may be endless.
const maxWarning = 600

func (r *reader) said() []Warning {
	out := make([]Warning, 0, len(r.notes))
	for _, n := range r.notes {
		if len(n.warning.Message) > maxWarning {
			n.warning.Message = clip(n.warning.Message, maxWarning) + "…"
		}
		if n.more > 0 {
			n.warning.Message += fmt.Sprintf(" (and %d more like it)", n.more)
		}
		out = append(out, n.warning)
	}
	return out
}

// The families of files that are told apart by their first bytes.
const (
	famPNG  = "png"
	famJPEG = "jpeg"
	famWEBP = "webp"
	famZIP  = "zip"
	famText = "text"
)

var families = map[string]string{
	".png": famPNG, ".apng": famPNG, ".jpg": famJPEG, ".jpeg": famJPEG, ".webp": famWEBP,
	".charx": famZIP, ".voxpkg": famZIP, ".byaf": famZIP, ".zip": famZIP,
	".json": famText, ".jsonl": famText, ".yaml": famText, ".yml": famText,
}

const pngSignature = "\x89PNG\r\n\x1a\n"

func (r *reader) read(data []byte) (*File, *Error) {
	switch {
	case len(data) == 0:
		return nil, &Error{Code: Empty, Message: "is empty; get the file again"}
	case len(data) > MaxFile:
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("is larger than %d MiB, the most a card may have", MaxFile>>20)}
	}
	if isRisuModule(data) {
		return nil, &Error{Code: Encrypted, Message: "is a RisuAI module, whose text is packed with a table of RisuAI's own; export the character there as CHARX, or its lorebook as JSON"}
	}
	family := sniff(data)
	var f *File
	var fault *Error
	switch family {
	case famPNG:
		f, fault = r.png(data)
	case famJPEG:
		f, fault = r.picture(data, "jpeg", r.jpegCandidates(data))
	case famWEBP:
		f, fault = r.picture(data, "webp", r.webpCandidates(data))
	case famZIP:
		f, fault = r.archive(data)
	case famText:
		f, fault = r.text(data)
	default:
		return nil, &Error{Code: BadSignature, Message: "begins like a PNG but its first bytes are damaged, as by a transfer in text mode; get the file again"}
	}
	if fault != nil {
		return nil, fault
	}
	ext := strings.ToLower(filepath.Ext(r.name))
	want := families[ext]
	if want != "" && want != family && (want != famZIP || !strings.HasSuffix(f.Format, "charx")) {
		r.warn("extension_mismatch", "", fmt.Sprintf("the file ends in %s but holds %s; it was read as what it holds", ext, f.Format))
	}
	return f, nil
}

// isRisuModule reports a module of RisuAI: a mark, version 0, and the length of
// what follows.
func isRisuModule(data []byte) bool {
	if len(data) < 6 || data[0] != 111 || data[1] != 0 {
		return false
	}
	n := binary.LittleEndian.Uint32(data[2:])
	return n > 0 && uint64(n) <= uint64(len(data)-6)
}

// sniff tells the family of a file, "" for a damaged picture.
func sniff(data []byte) string {
	has := func(prefix string) bool { return bytes.HasPrefix(data, []byte(prefix)) }
	switch {
	case has(pngSignature):
		return famPNG
	case has("\x89PNG"), has("\x0aPNG"), has("\x1aPNG"):
		return ""
	case has("\xFF\xD8\xFF"):
		return famJPEG
	case has("RIFF") && len(data) >= 12 && string(data[8:12]) == "WEBP":
		return famWEBP
	case has("PK\x03\x04"), has("PK\x05\x06"):
		return famZIP
	}
	if !has("{") && !has("[") && bytes.Contains(data, []byte("PK\x03\x04")) && bytes.Contains(data[max(0, len(data)-65557):], []byte("PK\x05\x06")) {
		return famZIP
	}
	return famText
}

// text reads a file that is text: JSON, JSON Lines or YAML.
func (r *reader) text(data []byte) (*File, *Error) {
	data = r.decodeText(data)
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, &Error{Code: Empty, Message: "has nothing in it; get the file again"}
	}
	ext := strings.ToLower(filepath.Ext(r.name))
	if ext == ".jsonl" || isJSONLines(trimmed) {
		return r.jsonLines(data)
	}
	if ext != ".yaml" && ext != ".yml" && (trimmed[0] == '{' || trimmed[0] == '[' || ext == ".json") {
		v, fault := parseJSON(data, r.duplicate)
		if fault != nil {
			return nil, fault
		}
		return r.understand(v, "json")
	}
	v, fault := r.yaml(data)
	if fault != nil {
		return nil, fault
	}
	return r.understand(v, "yaml")
}

func (r *reader) duplicate(key string) {
	r.warnOnce("duplicate_key", "duplicate_key", "", fmt.Sprintf("the key %.60q stands twice in one place; the last one counts", key))
}

// candidate is a place in a file where a card may be.
type candidate struct {
	source string // "ccv3", "chara", "EXIF", "naidata"
	format string // "png/tEXt"
	text   []byte
	err    *Error // why the text could not be taken out
}

// picture reads the first of the candidates that holds a card. Without one it
// looks for an archive behind the picture.
func (r *reader) picture(data []byte, format string, candidates []candidate) (*File, *Error) {
	var first *Error
	for i, c := range candidates {
		before := len(r.notes)
		f, fault := r.candidate(c)
		if fault == nil {
			r.spare(candidates, i)
			f.Picture = data
			return f, nil
		}
		r.notes = r.notes[:before]
		code := "chunk_unreadable"
		if c.source == "ccv3" {
			code = "ccv3_unreadable"
		}
		r.warn(code, "", fmt.Sprintf("the card under %q was passed over: it %s", c.source, fault.Message))
		if first == nil {
			first = fault
			first.Field = fmt.Sprintf("the card under %q", c.source)
		}
	}
	if at := archiveStart(data); at > 0 {
		f, fault := r.zip(data)
		if fault == nil {
			f.Format = format + "+" + f.Format
			f.Picture = data[:at]
			return f, nil
		}
		if first == nil {
			first = fault
		}
	}
	if first != nil {
		return nil, first
	}
	return nil, &Error{Code: NoCard, Message: "is a picture without a card in it; pictures lose their card when they are converted or sent through a messenger"}
}

// spare warns of a second card under the key of the one that was taken.
func (r *reader) spare(candidates []candidate, taken int) {
	source := candidates[taken].source
	for i, c := range candidates {
		if i != taken && c.source == source {
			r.warnOnce("duplicate_chunk", "duplicate_chunk", "", fmt.Sprintf("there is more than one card under %q; the first that can be read was taken", source))
			return
		}
	}
}

func (r *reader) candidate(c candidate) (*File, *Error) {
	if c.err != nil {
		return nil, c.err
	}
	text, raw, fault := payload(c.text)
	if fault != nil {
		return nil, fault
	}
	if raw && strings.HasPrefix(c.format, "png/") && c.source != "EXIF" {
		r.warn("raw_json", "", fmt.Sprintf("the card under %q is bare JSON, not base64", c.source))
	}
	v, fault := parseJSON(r.decodeText(text), r.duplicate)
	if fault != nil {
		return nil, fault
	}
	f, fault := r.understand(v, c.format)
	if fault != nil {
		return nil, fault
	}
	f.Format = c.format
	return f, nil
}
