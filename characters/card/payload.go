package card

import (
	"bytes"
	"encoding/base64"
	"strconv"
)

// payload decodes the text of a card inside a picture: base64 in any of its
// forms, bare JSON (raw), or a list of decimal byte values.
func payload(text []byte) (out []byte, raw bool, fault *Error) {
	text = bytes.TrimSpace(bytes.TrimRight(text, "\x00"))
	switch {
	case bytes.HasPrefix(text, []byte("rcc||")):
		return nil, false, &Error{Code: Encrypted, Message: "is locked by RisuAI; open it there and export it without a password"}
	case looksLikeJSON(text):
		return text, true, nil
	}
	if list, ok := byteList(text); ok {
		return list, false, nil
	}
	clean := make([]byte, 0, len(text))
	for _, c := range text {
		switch c {
		case ' ', '\t', '\r', '\n', '\f', '\v':
		case '-':
			clean = append(clean, '+')
		case '_':
			clean = append(clean, '/')
		default:
			clean = append(clean, c)
		}
	}
	clean = bytes.TrimRight(clean, "=")
	out = make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
	n, err := base64.RawStdEncoding.Decode(out, clean)
	if err != nil || n == 0 {
		return nil, false, &Error{Code: BadBase64, Message: "is not base64; get the file again"}
	}
	return out[:n], false, nil
}

// looksLikeJSON reports a text that begins as a JSON object or list, in UTF-8
// or UTF-16.
func looksLikeJSON(text []byte) bool {
	if decoded, ok := decodeUTF16(text); ok {
		text = decoded
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")))
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// byteList reads "123,34,110,…", which is how TavernAI kept cards in WEBP.
func byteList(text []byte) ([]byte, bool) {
	if !bytes.ContainsRune(text, ',') {
		return nil, false
	}
	out := make([]byte, 0, len(text)/3)
	for len(text) > 0 {
		var part []byte
		part, text, _ = bytes.Cut(text, []byte(","))
		n, err := strconv.ParseUint(string(bytes.TrimSpace(part)), 10, 8)
		if err != nil {
			return nil, false
		}
		out = append(out, byte(n))
	}
	return out, true
}
