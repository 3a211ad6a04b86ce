package card_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"herarena/characters/card"
	"herarena/characters/card/cardtest"
)

// TestAnyCardIsExportedWhole exports generated cards, of which many hold fields
// that nobody knows and types that nobody expects, in every form, and reads them
// again.
func TestAnyCardIsExportedWhole(t *testing.T) {
	whole := 0
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 2_000).Draw(r, "card") * 12 // cards are every twelfth
		in := cardtest.Hostile(n)
		file, err := card.Read(in.Data, in.Name)
		if err != nil || file.Kind != card.KindCard {
			return
		}
		whole++
		for _, to := range []string{"v2", "v3", "png"} {
			out, err := file.Export(to)
			if err != nil {
				r.Fatalf("Hostile(%d) as %s: %v", n, to, err)
			}
			back, err := card.Read(out, file.Name)
			if err != nil {
				r.Fatalf("Hostile(%d) as %s cannot be read again: %v", n, to, err)
			}
			if diff := changed(withoutURIs(tree(t, file.Data)), withoutURIs(tree(t, back.Data))); diff != "" {
				r.Fatalf("Hostile(%d) as %s changes (-want +got):\n%s", n, to, diff)
			}
			for _, key := range file.Root.Keys() {
				if !back.Root.Has(key) {
					r.Fatalf("Hostile(%d) as %s loses %q, which stood beside data", n, to, key)
				}
			}
		}
	})
	if whole == 0 {
		t.Error("no card was among them")
	}
}

// TestWEBPCardsKeepTheirPicture exports one as PNG.
func TestWEBPCardsKeepTheirPicture(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "cases", "webp_plain.webp"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := card.Read(data, "a.webp")
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Export("png")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() == 256 && b.Dy() == 384 {
		t.Errorf("the picture of %v is the plain one", b)
	}
}

func TestWhatCannotBeReadIsNamed(t *testing.T) {
	module := append(binary.LittleEndian.AppendUint32([]byte{111, 0}, 4), 1, 2, 3, 4, 0)
	var vox bytes.Buffer
	w := zip.NewWriter(&vox)
	if _, err := w.Create("Characters/0c1f/character.json"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a.risum":  {module, "a.risum: is a RisuAI module"},
		"a.voxpkg": {vox.Bytes(), "a.voxpkg: Characters/0c1f/character.json is a character of Voxta"},
	} {
		_, err := card.Read(c.data, name)
		var fault *card.Error
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
