package cardtest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

func (m *maker) chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	sum := crc32.ChecksumIEEE(out[4:])
	switch m.IntN(40) {
	case 0:
		sum++
	case 1:
		binary.BigEndian.PutUint32(out, one[uint32](m, 0xFFFFFFFF, 0x7FFFFFFF, uint32(len(data)+9)))
	}
	return binary.BigEndian.AppendUint32(out, sum)
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// base64Text is a card's text as pictures have it.
func (m *maker) base64Text(text []byte) []byte {
	switch m.IntN(8) {
	case 0:
		return text
	case 1:
		return []byte(base64.RawURLEncoding.EncodeToString(text))
	case 2:
		return []byte("rcc||rccv1||" + base64.StdEncoding.EncodeToString(text))
	case 3:
		return append([]byte(base64.StdEncoding.EncodeToString(text)), "\x00=\n!"...)
	}
	return []byte(base64.StdEncoding.EncodeToString(text))
}

func (m *maker) textChunk(key string, text []byte) []byte {
	switch m.IntN(6) {
	case 0:
		return m.chunk("zTXt", append([]byte(key+"\x00\x00"), deflated(text)...))
	case 1:
		return m.chunk("iTXt", append([]byte(key+"\x00\x00\x00en\x00\x00"), text...))
	case 2:
		return m.chunk("iTXt", append([]byte(key+"\x00\x01\x00\x00\x00"), deflated(text)...))
	}
	return m.chunk("tEXt", append([]byte(key+"\x00"), text...))
}

// png is a small picture with a text in it.
func (m *maker) png(text []byte) []byte {
	size := func(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
	side := one[uint32](m, 1, 1, 1, 1, 0, 0xFFFFFFFF, 60000)
	head := append(append(size(side), size(side)...), 8, one[byte](m, 6, 2, 3, 99), 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n")
	out = append(out, m.chunk("IHDR", head)...)
	card := m.textChunk(one(m, "chara", "ccv3", "Chara", "naidata", "CHARA"), m.base64Text(text))
	if m.IntN(6) == 0 {
		card = append(card, m.chunk("eXIf", m.exif(text))...)
	}
	if m.IntN(5) == 0 {
		card = append(card, m.textChunk("ccv3", []byte(one(m, "", "e30=", "bnVsbA==", "!!!!")))...)
	}
	for range m.IntN(3) {
		card = append(card, m.textChunk("chara-ext-asset_:"+fmt.Sprint(m.IntN(3)), []byte(one(m, "iVBORw0KGgo=", "////", "")))...)
	}
	pixels := m.chunk("IDAT", deflated(bytes.Repeat([]byte{0}, 5)))
	if m.IntN(6) == 0 {
		pixels = append(append(m.chunk("acTL", make([]byte, 8)), pixels...), m.chunk("fdAT", make([]byte, 9))...)
	}
	end := m.chunk("IEND", nil)
	switch m.IntN(4) {
	case 0:
		out = append(append(append(out, card...), pixels...), end...)
	case 1:
		out = append(append(append(out, pixels...), end...), card...)
	case 2:
		out = append(append(out, pixels...), card...)
	default:
		out = append(append(append(out, pixels...), card...), end...)
	}
	return out
}

// exif is a block with a user comment.
func (m *maker) exif(text []byte) []byte {
	if m.IntN(3) == 0 {
		var list strings.Builder
		for i, c := range text {
			if i > 0 {
				list.WriteByte(',')
			}
			fmt.Fprint(&list, c)
		}
		text = []byte(list.String())
	}
	comment := append([]byte(one(m, "ASCII\x00\x00\x00", "UNICODE\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "JIS\x00\x00\x00\x00\x00")), text...)
	var order binary.AppendByteOrder = binary.LittleEndian
	out := []byte("II")
	if m.IntN(2) == 0 {
		order, out = binary.BigEndian, []byte("MM")
	}
	out = order.AppendUint16(out, 42)
	out = order.AppendUint32(out, 8)
	entry := func(tag, kind uint16, count, value uint32) {
		out = order.AppendUint16(out, 1)
		out = order.AppendUint16(out, tag)
		out = order.AppendUint16(out, kind)
		out = order.AppendUint32(out, count)
		out = order.AppendUint32(out, value)
		out = order.AppendUint32(out, one[uint32](m, 0, 0, 8, 0xFFFFFFFF))
	}
	if m.IntN(2) == 0 {
		entry(0x8769, 4, 1, one[uint32](m, 26, 26, 26, 8, 0xFFFFFFF0))
	}
	entry(0x9286, 7, one[uint32](m, uint32(len(comment)), uint32(len(comment)), 0xFFFFFFFF), one[uint32](m, uint32(len(out)+18), uint32(len(out)+18), 0xFFFFFF00))
	return append(out, comment...)
}

// picture is a card within one.
func (m *maker) picture() (string, []byte) {
	text := m.encode(m.json(m.card()))
	switch m.IntN(5) {
	case 0:
		block := append([]byte(one(m, "", "Exif\x00\x00")), m.exif(text)...)
		body := append([]byte("WEBPVP8X\x0a\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00EXIF"), binary.LittleEndian.AppendUint32(nil, uint32(len(block)))...)
		body = append(body, block...)
		return m.fileName(".webp"), append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
	case 1:
		block := append([]byte("Exif\x00\x00"), m.exif(text)...)
		block = block[:min(len(block), 65500)]
		out := binary.BigEndian.AppendUint16([]byte("\xFF\xD8\xFF\xE1"), uint16(len(block)+2))
		out = append(append(out, block...), "\xFF\xDA\x00\x02\xFF\xD9"...)
		if m.IntN(3) == 0 {
			out = append(out, m.zip(text)...)
		}
		return m.fileName(".jpg"), out
	}
	return m.fileName(".png"), m.png(text)
}

// zip is an archive with a card in it and worse beside it.
func (m *maker) zip(text []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	names := []string{one(m, "card.json", "card.json", "x/card.json", "CARD.JSON", "manifest.json", "character.json", "Characters/1/character.json")}
	for range m.IntN(4) {
		names = append(names, one(m, "../../evil.png", "/etc/passwd", "assets/icon/images/main.png", "a\x00b", "C:\\x", "module.risum", "x_meta/1.json", "card.json", strings.Repeat("d/", 300)+"x", "\u202ex", "scenarios/1.json", "characters/1/character.json"))
	}
	for i, name := range names {
		h := &zip.FileHeader{Name: name, Method: one[uint16](m, zip.Deflate, zip.Store)}
		if m.IntN(15) == 0 {
			h.Flags |= 1
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			continue
		}
		if i == 0 || m.IntN(3) == 0 {
			if name == "manifest.json" {
				_, _ = f.Write(m.json(pairs{"schemaVersion", 1, "characters", []any{"characters/1/character.json", m.text()}, "scenarios", []any{"scenarios/1.json", m.wrong()}}))
				continue
			}
			_, _ = f.Write(text)
		} else {
			_, _ = io.WriteString(f, m.text())
		}
	}
	_ = w.SetComment(strings.Repeat("c", m.IntN(200)))
	_ = w.Close()
	return b.Bytes()
}

// archive is a CHARX, BYAF or Voxta file, or one that hides behind another.
func (m *maker) archive() (string, []byte) {
	var text []byte
	if m.IntN(3) == 0 {
		text = m.json(m.foreign())
	} else {
		text = m.json(m.card())
	}
	data := m.zip(m.encode(text))
	switch m.IntN(6) {
	case 0:
		data = append([]byte("\xFF\xD8\xFF\xE0\x00\x02\xFF\xD9"), data...)
	case 1:
		data = append([]byte("MZ this program cannot be run"), data...)
	case 2:
		return m.fileName(".risum"), m.risum(text)
	}
	return m.fileName(one(m, ".charx", ".byaf", ".voxpkg", ".zip")), data
}

// risum is RisuAI's module.
func (m *maker) risum(text []byte) []byte {
	out := []byte{111, one[byte](m, 0, 0, 1)}
	out = binary.LittleEndian.AppendUint32(out, one(m, uint32(len(text)), uint32(len(text)), 0xFFFFFFFF))
	out = append(out, text...)
	for range m.IntN(3) {
		out = append(out, 1)
		out = binary.LittleEndian.AppendUint32(out, one[uint32](m, 3, 0xFFFFFFF0))
		out = append(out, 1, 2, 3)
	}
	return append(out, 0)
}

// bomb is small and unpacks to much, or is simply large.
func (m *maker) bomb() (string, []byte) {
	zeros := func(n int) []byte { return bytes.Repeat([]byte(" "), n) }
	const much = 40 << 20
	switch m.IntN(7) {
	case 0:
		return m.fileName(".json"), m.json(pairs{"spec", "chara_card_v2", "data", pairs{"name", strings.Repeat(one(m, "A", "é", "\x1b[31m", "{{char}}"), 1<<20), "description", "d"}})
	case 1:
		return m.fileName(".json"), m.json(pairs{"spec", "chara_card_v2", "data", pairs{"name", "x", "description", strings.Repeat(one(m, "{{char}}", "{{random:a,b}}", "{{", "\x1b[31m"), 1<<18)}})
	case 2:
		return m.fileName(".png"), append([]byte("\x89PNG\r\n\x1a\n"), m.chunk("zTXt", append([]byte("chara\x00\x00"), deflated(zeros(much))...))...)
	case 3:
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
		f, err := w.Create("card.json")
		if err == nil {
			_, _ = f.Write(zeros(much))
		}
		_ = w.Close()
		return m.fileName(".charx"), b.Bytes()
	case 4:
		return m.fileName(".jsonl"), []byte(strings.Repeat(one(m, "{\n", "{\"mes\":\"x\"}\n", "null\n", "{}\n"), 60_000))
	case 5:
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := range 11_000 {
			_, _ = w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint("a", i)})
		}
		_ = w.Close()
		return m.fileName(".charx"), b.Bytes()
	}
	var entries []any
	for i := range 3000 {
		entries = append(entries, pairs{"keys", []any{one(m, "a", "/(a+)+$/", "/(a|a)*b/", "x")}, "content", fmt.Sprint("a x ", strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaa", 4), i), "enabled", true, "insertion_order", i, "use_regex", true})
	}
	return m.fileName(".json"), m.json(pairs{"spec", "chara_card_v3", "data", pairs{"name", "x", "description", "d", "first_mes", strings.Repeat("a", 400) + "!", "character_book", pairs{"entries", entries, "recursive_scanning", true, "token_budget", 100000, "scan_depth", 4}}})
}
