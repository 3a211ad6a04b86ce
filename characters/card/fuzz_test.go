package card_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"herarena/characters"
	"herarena/characters/card"
)

// FuzzRead checks that no file makes the reader panic or hang, that every
// error has a code and a sentence, that an export loses nothing, and that
// every scene is valid.
func FuzzRead(f *testing.F) {
	for _, row := range manifest(f) {
		data, err := os.ReadFile(filepath.Join("testdata", "cases", row.File))
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 10_000 {
			f.Add(data, row.File)
		}
	}
	f.Add([]byte(`{"spec":"chara_card_v3","data":{"name":{"a":[1]},"tags":{"x":1},"extensions":[1],"character_book":{"entries":{"b":{"keys":"a,b","key":[]},"1":3}},"assets":{}}}`), "a.json")
	f.Add([]byte("name: &a [*a]\n"), "a.yaml")
	f.Add([]byte("\xFF\xD8\xFF\xE1\x00\x02\xFF\xE1\xFF\xFF"), "a.jpg")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		began := time.Now()
		defer func() {
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		}()
		file, err := card.Read(data, name)
		if err != nil {
			var fault *card.Error
			if !errors.As(err, &fault) || fault.Code == "" || fault.Message == "" {
				t.Fatalf("the error is %#v", err)
			}
			return
		}
		if file.Kind == "" || file.Spec == "" || file.Format == "" {
			t.Errorf("kind %q, spec %q, format %q", file.Kind, file.Spec, file.Format)
		}
		file.Counts()
		file.Avatar()
		if s, _, err := file.Scene(card.PlayOptions{}); err == nil {
			if err := s.Validate(); err != nil {
				t.Errorf("a scene that is not valid: %v", err)
			}
			if characters.SystemPrompt(s, characters.PromptOptions{}) == "" {
				t.Error("a scene without a prompt")
			}
		}
		if file.Kind == card.KindCard {
			lossless(t, file)
		}
	})
}

// lossless exports a card and reads it again. Assets that cannot be unpacked
// are the one reason not to export.
func lossless(t *testing.T, file *card.File) {
	t.Helper()
	for _, to := range []string{"v2", "v3"} {
		out, err := file.Export(to)
		if err != nil {
			return
		}
		back, err := card.Read(out, file.Name)
		if err != nil {
			t.Fatalf("%s cannot be read again: %v\n%s", to, err, out)
		}
		if diff := cmp.Diff(withoutURIs(tree(t, file.Data)), withoutURIs(tree(t, back.Data))); diff != "" {
			t.Errorf("%s changes (-want +got):\n%s", to, diff)
		}
	}
	out, err := file.Export("png")
	if err != nil {
		return
	}
	if again, err := card.Read(out, file.Name); err != nil || !bytes.HasPrefix([]byte(again.Format), []byte("png/")) {
		t.Errorf("the PNG cannot be read again: %v", err)
	}
}
