package card_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"time"

	"herarena/characters/card"
)

// chunkOf writes a PNG chunk.
func chunkOf(kind, data string) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pngWith puts chunks in front of the end of a picture without a card.
func pngWith(t testing.TB, chunks ...[]byte) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/cases/png_nocard.png")
	if err != nil {
		t.Fatal(err)
	}
	end := len(data) - 12
	out := append([]byte{}, data[:end]...)
	for _, c := range chunks {
		out = append(out, c...)
	}
	return append(out, data[end:]...)
}

func embedded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

const small = `{"name":"Pip","description":"d","personality":"","scenario":"","first_mes":"Hi","mes_example":""}`

func codes(f *card.File) string {
	var out []string
	for _, w := range f.Warnings {
		out = append(out, w.Code)
	}
	return strings.Join(out, " ")
}

func TestAnimatedPicturesStayAnimated(t *testing.T) {
	t.Parallel()
	data := pngWith(t, chunkOf("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00"), chunkOf("tEXt", "chara\x00"+embedded(small)), chunkOf("fdAT", "frame"), chunkOf("tEXt", "Author\x00me"))
	f, err := card.Read(data, "a.apng")
	if err != nil || len(f.Warnings) > 0 {
		t.Fatalf("%v, %v", err, f)
	}
	out, err := f.Export("png")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"acTL", "fdAT", "Author\x00me"} {
		if bytes.Count(out, []byte(want)) != 1 {
			t.Errorf("%q is not in the export once", want)
		}
	}
	if bytes.Count(out, []byte("chara\x00")) != 1 || bytes.Count(out, []byte("ccv3\x00")) != 1 {
		t.Error("the export has not one card of each version")
	}
}

func TestOddPlacesInPNG(t *testing.T) {
	t.Parallel()
	b64 := embedded(small)
	url := strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(strings.Replace(small, "Hi", "???>>>", 1))), "=")
	exif := "II*\x00\x08\x00\x00\x00\x01\x00\x86\x92\x07\x00"
	exif += string(binary.LittleEndian.AppendUint32(nil, uint32(8+len(small)))) + "\x1a\x00\x00\x00\x00\x00\x00\x00ASCII\x00\x00\x00" + small
	tail := append(pngWith(t), chunkOf("tEXt", "chara\x00"+b64)...)
	for name, c := range map[string]struct {
		data  []byte
		codes string
	}{
		"url-safe":       {pngWith(t, chunkOf("tEXt", "chara\x00"+url)), ""},
		"behind the end": {tail, "trailing_data"},
		"EXIF":           {pngWith(t, chunkOf("eXIf", exif)), ""},
		"iTXt in base64": {pngWith(t, chunkOf("iTXt", "CCV3\x00\x00\x00en\x00ccv3\x00"+b64)), ""},
		"broken zTXt":    {pngWith(t, chunkOf("zTXt", "ccv3\x00\x00nozlib"), chunkOf("tEXt", "chara\x00"+b64)), "ccv3_unreadable"},
		"ccv3 no card":   {pngWith(t, chunkOf("tEXt", "ccv3\x00"+embedded("[]")), chunkOf("tEXt", "chara\x00"+b64)), "ccv3_unreadable"},
		"garbage behind": {append(pngWith(t, chunkOf("tEXt", "chara\x00"+b64)), "garbage"...), "trailing_data"},
	} {
		f, err := card.Read(c.data, "x.png")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.DisplayName() != "Pip" || codes(f) != c.codes {
			t.Errorf("%s: %s with %q, want %q", name, f.DisplayName(), codes(f), c.codes)
		}
	}
}

// TestLargeFilesAreReadInTime reads a picture and a book of tens of megabytes.
func TestLargeFilesAreReadInTime(t *testing.T) {
	t.Parallel()
	entry := `{"keys":["k"],"content":"` + strings.Repeat("lore ", 4000) + `","enabled":true,"insertion_order":1,"extensions":{}}`
	text := `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Big","character_book":{"extensions":{},"entries":[` + strings.TrimSuffix(strings.Repeat(entry+",", 400), ",") + `]}}}`
	data := pngWith(t, chunkOf("IDAT", strings.Repeat("x", 40<<20)), chunkOf("tEXt", "chara\x00"+embedded(text)))
	began := time.Now()
	f, err := card.Read(data, "big.png")
	if err != nil || f.Counts().BookEntries != 400 {
		t.Fatalf("%v", err)
	}
	t.Logf("%d MiB with a book of %d MiB were read in %v", len(data)>>20, len(text)>>20, time.Since(began).Round(time.Millisecond))
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
