package card

import (
	"bytes"
	"encoding/binary"
)

// Tags of EXIF (CIPA DC-008, 4.6.3 and 4.6.5).
const (
	tagExifIFD     = 0x8769
	tagUserComment = 0x9286
	maxIFDEntries  = 1024
)

// exifComment returns the user comment of an EXIF block, from its first
// directory or the EXIF directory below it, nil if it has none.
func exifComment(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("Exif\x00\x00"))
	if len(data) < 8 {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(data[:2]) {
	case "II":
	case "MM":
		order = binary.BigEndian
	default:
		return nil
	}
	if order.Uint16(data[2:]) != 42 {
		return nil
	}
	comment, sub := readIFD(data, order, order.Uint32(data[4:]))
	if comment == nil && sub > 0 {
		comment, _ = readIFD(data, order, sub)
	}
	return decodeComment(comment)
}

// readIFD looks through one directory for the comment and the sub-directory.
func readIFD(data []byte, order binary.ByteOrder, at uint32) (comment []byte, sub uint32) {
	if int64(at)+2 > int64(len(data)) {
		return nil, 0
	}
	n := min(int(order.Uint16(data[at:])), maxIFDEntries)
	entries := data[at+2:]
	for i := 0; i < n && len(entries) >= 12; i++ {
		tag, kind, count := order.Uint16(entries), order.Uint16(entries[2:]), order.Uint32(entries[4:])
		switch {
		case tag == tagExifIFD:
			sub = order.Uint32(entries[8:])
		case tag == tagUserComment && (kind == 7 || kind == 2 || kind == 1):
			from, size := int64(order.Uint32(entries[8:])), int64(count)
			if size <= 4 {
				break
			}
			if from < int64(len(data)) {
				comment = data[from:min(from+size, int64(len(data)))]
			}
		}
		entries = entries[12:]
	}
	return comment, sub
}

// decodeComment takes off the eight bytes that name the encoding of a comment
// and makes UTF-8 of it. Most writers of UTF-16 put it in an order of their own
// whatever the block's is, so the text itself tells.
func decodeComment(comment []byte) []byte {
	if len(comment) >= 8 {
		switch string(comment[:8]) {
		case "ASCII\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "JIS\x00\x00\x00\x00\x00":
			comment = comment[8:]
		case "UNICODE\x00":
			comment = comment[8:]
			if text, ok := decodeUTF16(comment); ok {
				comment = text
			} else if len(comment) > 1 && (comment[0] == 0 || comment[1] == 0) {
				comment = utf16Text(comment, comment[0] == 0)
			}
		}
	}
	if comment = bytes.Trim(comment, "\x00 \t\r\n"); len(comment) == 0 {
		return nil
	}
	return comment
}

// webpCandidates finds EXIF in a WEBP.
func (r *reader) webpCandidates(data []byte) []candidate {
	var out []candidate
	for at := int64(12); at+8 <= int64(len(data)); {
		kind := string(data[at : at+4])
		size := int64(binary.LittleEndian.Uint32(data[at+4:]))
		from := at + 8
		to := min(from+size, int64(len(data)))
		if kind == "EXIF" {
			if text := exifComment(data[from:to]); text != nil {
				out = append(out, candidate{source: "EXIF", format: "webp/EXIF", text: text})
			}
		}
		at = from + size + size&1
	}
	return out
}

// jpegCandidates finds EXIF in the segments before a JPEG's picture.
func (r *reader) jpegCandidates(data []byte) []candidate {
	var out []candidate
	for at := 2; at+4 <= len(data) && data[at] == 0xFF; {
		marker := data[at+1]
		switch {
		case marker == 0xFF: // padding
			at++
			continue
		case marker == 0xDA, marker == 0xD9:
			return out
		case marker == 0x01, marker >= 0xD0 && marker <= 0xD8:
			at += 2
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if size < 2 {
			return out
		}
		body := data[at+4 : max(at+4, min(at+2+size, len(data)))]
		if marker == 0xE1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			if text := exifComment(body); text != nil {
				out = append(out, candidate{source: "EXIF", format: "jpeg/EXIF", text: text})
			}
		}
		at += 2 + size
	}
	return out
}
