package main

import (
	"bytes"
	"encoding/base64"
	endian "encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pictured is a card of a name in a picture.
func pictured(t *testing.T, name string, greetings ...string) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 80, 120))
	for i := range 80 * 120 {
		img.SetNRGBA(i%80, i/80, color.NRGBA{uint8(3 * (i % 80)), uint8(i / 80), 90, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	card, err := json.Marshal(map[string]any{"spec": "chara_card_v3", "spec_version": "3.0", "data": map[string]any{
		"name": name, "description": "{{char}} keeps a light.", "scenario": "A storm.", "first_mes": greetings[0], "alternate_greetings": greetings[1:],
		"tags": []string{"lighthouse"}, "creator_notes": "The keeper of a light.",
	}})
	if err != nil {
		t.Fatal(err)
	}
	body := append([]byte("tEXtccv3\x00"), base64.StdEncoding.EncodeToString(card)...)
	chunk := endian.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	chunk = append(chunk, body...)
	chunk = endian.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	data, head := b.Bytes(), 8+25 // signature and IHDR
	return append(append(append([]byte{}, data[:head]...), chunk...), data[head:]...)
}

// TestACardIsDroppedSearchedAndPlayed takes a card in as a terminal drops it, and
// plays it with its second greeting.
func TestACardIsDroppedSearchedAndPlayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "the keeper.png")
	if err := os.WriteFile(path, pictured(t, "Maren Holt", "*lifts the lamp* Come in.", "Shut the door behind you."), 0o600); err != nil {
		t.Fatal(err)
	}
	p := sit(t, 120, 40, "--pace", "-1")
	x := p.term
	x.WaitFor(t, "Meryton ball")
	x.Type("\x1b[200~" + strings.ReplaceAll(path, " ", `\ `) + "\x1b[201~")
	x.WaitFor(t, "Maren Holt is in the library now")
	x.WaitFor(t, "The keeper of a light.")
	x.WaitFor(t, "▀")
	x.Type("/tag:light")
	x.WaitFor(t, "/tag:light")
	x.Press("enter")
	x.Press("]")
	x.WaitFor(t, "Greeting 2 of 2")
	x.WaitFor(t, "Shut the door behind you.")
	x.Press("enter")
	x.WaitFor(t, onStage)
	x.WaitFor(t, "Shut the door behind you.")
	p.say("I am wet.")
	p.decided("turn 1")
	x.Press("ctrl+c")
	x.Press("ctrl+c")
	x.WaitDone(t)
	if out, code := p.run("cast", "list", "--json"); code != 0 || !strings.Contains(out, "Maren Holt") {
		t.Errorf("cast list: exit %d, %s", code, out)
	}
}
