package card_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/card/cardtest"
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
	for n := range 600 {
		if in := cardtest.Hostile(n); len(in.Data) < 10_000 {
			f.Add(in.Data, in.Name)
		}
	}
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
		if diff := changed(withoutURIs(tree(t, file.Data)), withoutURIs(tree(t, back.Data))); diff != "" {
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

// changed tells two trees apart, "" where they are the same. Comparing them field
// by field would take for ever where they nest deeply.
func changed(want, got map[string]any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	a, errA := json.Marshal(want)
	b, errB := json.Marshal(got)
	if err := errors.Join(errA, errB); err != nil {
		return err.Error()
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(0, at-200)
	return fmt.Sprintf("-…%s…\n+…%s…", a[from:min(len(a), at+300)], b[from:min(len(b), at+300)])
}
