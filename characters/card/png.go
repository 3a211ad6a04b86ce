package card

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// Bounds on a picture.
const (
	maxInflated = 16 << 20 // bytes of one compressed text
	maxChunks   = 100_000
)

// chunk is one chunk of a PNG.
type chunk struct {
	kind string
	data []byte
}

// pngChunks walks the chunks of a PNG whose signature was checked. Damage is
// told by the flags and does not stop it as long as there are chunks.
type pngChunks struct {
	list     []chunk
	badCRC   int  // chunks whose checksum is wrong
	cut      bool // the last chunk is not whole
	noEnd    bool // IEND is missing
	trailing bool // there is something behind IEND
	tooMany  bool
}

func walkPNG(data []byte) pngChunks {
	var p pngChunks
	rest := data[len(pngSignature):]
	ended := false
	for len(rest) > 0 {
		if len(p.list) >= maxChunks {
			p.tooMany = true
			return p
		}
		if len(rest) < 8 {
			p.cut = p.cut || !ended
			p.trailing = p.trailing || ended
			break
		}
		n := int64(binary.BigEndian.Uint32(rest))
		kind := string(rest[4:8])
		if ended {
			// What follows the end counts as chunks only while it is some.
			if p.trailing = true; !chunkKind(kind) || n+12 > int64(len(rest)) {
				return p
			}
		}
		if !chunkKind(kind) || n+8 > int64(len(rest)) {
			p.cut = true
			break
		}
		c := chunk{kind, rest[8 : 8+n]}
		if n+12 > int64(len(rest)) {
			p.cut = true
			p.list = append(p.list, c)
			break
		}
		if crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			p.badCRC++
		}
		p.list = append(p.list, c)
		ended = ended || kind == "IEND"
		rest = rest[12+n:]
	}
	p.noEnd = !ended
	return p
}

// chunkKind reports four letters.
func chunkKind(kind string) bool {
	for _, c := range []byte(kind) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(kind) == 4
}

// png reads a card in a PNG or APNG.
func (r *reader) png(data []byte) (*File, *Error) {
	p := walkPNG(data)
	if p.tooMany {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("has more than %d chunks", maxChunks)}
	}
	if p.badCRC > 0 {
		r.warn("crc_mismatch", "", fmt.Sprintf("%d of the picture's %d chunks have a wrong checksum; they were read all the same", p.badCRC, len(p.list)))
	}
	if p.cut || p.noEnd {
		r.warn("truncated", "", "the picture is cut off at its end")
	}
	if p.trailing {
		r.warn("trailing_data", "", "there is more data behind the picture's end")
	}
	candidates, assets := pngCandidates(p.list)
	f, fault := r.picture(data, famPNG, candidates)
	if fault != nil {
		if fault.Code == NoCard && (p.cut || p.noEnd) {
			fault = &Error{Code: Truncated, Message: "is cut off, and its card with it; get the file again"}
		}
		return nil, fault
	}
	if f.Kind == KindCard && !strings.HasSuffix(f.Format, "charx") {
		r.pngAssets(f, assets)
	}
	return f, nil
}

// pngCandidates returns the places where a card may be, the best first, and
// the assets by their key.
func pngCandidates(chunks []chunk) ([]candidate, map[string][]byte) {
	ranks := []string{"ccv3", "chara", "exif", "naidata"}
	found := map[string][]candidate{}
	assets := map[string][]byte{}
	for _, c := range chunks {
		if c.kind == "eXIf" {
			if text := exifComment(c.data); text != nil {
				found["exif"] = append(found["exif"], candidate{source: "EXIF", format: "png/eXIf", text: text})
			}
			continue
		}
		key, text, fault := textChunk(c)
		name := strings.ToLower(key)
		if after, ok := strings.CutPrefix(key, "chara-ext-asset_"); ok && fault == nil {
			assets[strings.TrimPrefix(after, ":")] = text
			continue
		}
		if (name == "ccv3" || name == "chara" || name == "naidata") && (fault != nil || len(bytes.TrimSpace(text)) > 0) {
			found[name] = append(found[name], candidate{source: name, format: "png/" + c.kind, text: text, err: fault})
		}
	}
	var out []candidate
	for _, name := range ranks {
		out = append(out, found[name]...)
	}
	if len(found["naidata"]) > 0 {
		for i := range out {
			if out[i].source == "naidata" {
				out[i].format = "png/naidata"
			}
		}
	}
	return out, assets
}

// textChunk takes keyword and text out of a tEXt, zTXt or iTXt chunk.
func textChunk(c chunk) (key string, text []byte, fault *Error) {
	if c.kind != "tEXt" && c.kind != "zTXt" && c.kind != "iTXt" {
		return "", nil, nil
	}
	name, rest, ok := bytes.Cut(c.data, []byte{0})
	if !ok || len(name) > 79 {
		return "", nil, nil
	}
	key = string(name)
	switch c.kind {
	case "zTXt":
		if len(rest) < 1 {
			return key, nil, nil
		}
		text, fault = inflate(rest[1:])
		return key, text, fault
	case "iTXt":
		if len(rest) < 2 {
			return key, nil, nil
		}
		packed := rest[0] == 1
		_, rest, _ = bytes.Cut(rest[2:], []byte{0}) // the language
		_, rest, _ = bytes.Cut(rest, []byte{0})     // the keyword in it
		if packed {
			text, fault = inflate(rest)
			return key, text, fault
		}
	}
	return key, rest, nil
}

// inflate unpacks a compressed text up to a bound.
func inflate(data []byte) ([]byte, *Error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{Code: BadBase64, Message: "is compressed text that cannot be unpacked; get the file again"}
	}
	defer z.Close()
	out, err := io.ReadAll(io.LimitReader(z, maxInflated+1))
	if len(out) > maxInflated {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("unpacks to more than %d MiB, which no card needs", maxInflated>>20)}
	}
	if err != nil && len(out) == 0 {
		return nil, &Error{Code: BadBase64, Message: "is compressed text that cannot be unpacked; get the file again"}
	}
	return out, nil
}

// pngAssets ties the assets in a PNG's chunks to the URIs that name them.
func (r *reader) pngAssets(f *File, found map[string][]byte) {
	for i, v := range f.Data.list("assets") {
		a, _ := v.(*Object)
		uri := a.text("uri")
		key, ok := strings.CutPrefix(uri, "__asset:")
		if !ok {
			r.embedded(f, i, uri)
			continue
		}
		text, ok := found[strings.TrimPrefix(key, ":")]
		if !ok {
			r.warn("asset_missing", fmt.Sprintf("data.assets[%d]", i), fmt.Sprintf("names %.80q, which is not in the file", uri))
			continue
		}
		f.addAsset(uri, int64(len(text)), func() ([]byte, error) {
			data, _, fault := payload(text)
			if fault != nil {
				return nil, fault
			}
			return data, nil
		})
	}
}

// embedded warns of an asset that says it is in the same file where nothing
// can be.
func (r *reader) embedded(f *File, i int, uri string) {
	if _, ok := embeddedPath(uri); ok && f.assets[uri].load == nil {
		r.warn("asset_missing", fmt.Sprintf("data.assets[%d]", i), fmt.Sprintf("names %.80q, which is not in the file", uri))
	}
}

// embeddedPath returns the path of a URI that means a member of the same
// archive, in either spelling.
func embeddedPath(uri string) (string, bool) {
	if path, ok := strings.CutPrefix(uri, "embeded://"); ok {
		return path, true
	}
	return strings.CutPrefix(uri, "embedded://")
}

func (f *File) addAsset(uri string, size int64, load func() ([]byte, error)) {
	if f.assets == nil {
		f.assets = map[string]asset{}
	}
	f.assets[uri] = asset{size: size, load: load}
}
