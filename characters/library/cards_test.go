package library

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// words for invented cards.
var words = strings.Fields("lamp harbour rope winter letter glass quiet river engine salt copper window market ash bell winter moth ladder orchard signal thread storm ledger velvet compass")

func prose(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString("The ")
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString(" and the ")
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString(" are with {{char}} of ")
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString(".\n")
	}
	return b.String()
}

// cardJSON is a version 2 card of a usual size, about 7 kB.
func cardJSON(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	entries := []any{}
	for i := range n % 7 {
		entries = append(entries, map[string]any{"keys": []string{words[i], words[i+1]}, "content": prose(r, 300), "extensions": map[string]any{}, "enabled": true, "insertion_order": i})
	}
	data := map[string]any{
		"name": fmt.Sprintf("%s %s %d", strings.ToUpper(words[n%len(words)][:1])+words[n%len(words)][1:], "Zoë", n), "description": prose(r, 2500), "personality": prose(r, 300), "scenario": prose(r, 400), "first_mes": prose(r, 1200),
		"mes_example": "<START>\n{{user}}: Who goes?\n{{char}}: " + prose(r, 600), "creator_notes": "<p>A card about " + words[n%len(words)] + "</p>", "system_prompt": "", "post_history_instructions": "",
		"alternate_greetings": []string{prose(r, 600)}, "tags": []string{words[n%len(words)], words[(n/3)%len(words)], "Fantasy"}, "creator": "maker" + fmt.Sprint(n%40), "character_version": "1", "extensions": map[string]any{"talkativeness": "0.5"},
	}
	if len(entries) > 0 {
		data["character_book"] = map[string]any{"entries": entries, "extensions": map[string]any{}}
	}
	out, err := json.Marshal(map[string]any{"spec": "chara_card_v2", "spec_version": "2.0", "data": data})
	if err != nil {
		panic(err)
	}
	return out
}

func pngChunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(out, kind...)
	out = append(out, data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// cardPNG is a picture of so many bytes with a card behind its pixels, which
// lie in chunks of 8 kB as libpng writes them.
func cardPNG(card []byte, size int) []byte {
	out := []byte(pngSignature)
	out = append(out, pngChunk("IHDR", []byte{0, 0, 1, 0, 0, 0, 1, 0, 8, 6, 0, 0, 0})...)
	pixels := bytes.Repeat([]byte{0x5A}, 8192)
	for len(out) < size {
		out = append(out, pngChunk("IDAT", pixels)...)
	}
	out = append(out, pngChunk("tEXt", append([]byte("chara\x00"), base64.StdEncoding.EncodeToString(card)...))...)
	return append(out, pngChunk("IEND", nil)...)
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// fillFolder writes n cards, four in five as PNG of 50 to 400 kB.
func fillFolder(t testing.TB, dir string, n int) {
	t.Helper()
	for i := range n {
		text := cardJSON(i)
		if i%5 == 4 {
			write(t, filepath.Join(dir, fmt.Sprintf("card%04d.json", i)), text)
			continue
		}
		write(t, filepath.Join(dir, fmt.Sprintf("card%04d.png", i)), cardPNG(text, 50<<10+(i*7919)%(350<<10)))
	}
}

func open(t testing.TB, dirs ...string) *Library {
	t.Helper()
	state := t.TempDir()
	return Open(Options{Dirs: dirs, Index: filepath.Join(state, "index"), Marks: filepath.Join(state, "marks")})
}

func refresh(t testing.TB, l *Library) Report {
	t.Helper()
	r, err := l.Refresh(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// settled dates all files of a folder back, so that none counts as being
// written.
func settled(t testing.TB, dir string) {
	t.Helper()
	then := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return os.Chtimes(path, then, then)
	})
	if err != nil {
		t.Fatal(err)
	}
}
