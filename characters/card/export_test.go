package card_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/characters/card"
)

// tree is JSON as plain values, numbers as they are written.
func tree(t testing.TB, v any) map[string]any {
	t.Helper()
	data, ok := v.([]byte)
	if !ok {
		var err error
		if data, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))))
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// withoutURIs takes the URIs of assets out, since each container has its own.
func withoutURIs(d map[string]any) map[string]any {
	if list, ok := d["assets"].([]any); ok {
		for _, a := range list {
			if uri, _ := a.(map[string]any)["uri"].(string); !strings.HasPrefix(uri, "http") && uri != "ccdefault:" {
				delete(a.(map[string]any), "uri")
			}
		}
	}
	return d
}

// assetBytes returns what each asset of a card holds, "" where it is not there.
func assetBytes(t testing.TB, f *card.File) []string {
	t.Helper()
	var out []string
	list, _ := tree(t, f.Data)["assets"].([]any)
	for _, a := range list {
		uri, _ := a.(map[string]any)["uri"].(string)
		out = append(out, string(f.AssetBytes(uri)))
	}
	return out
}

// refreshed is what stands outside of data with copies of its fields brought up
// to date, as an export does.
func refreshed(t testing.TB, f *card.File) map[string]any {
	t.Helper()
	root, data := tree(t, f.Root), tree(t, f.Data)
	for key := range root {
		if v, ok := data[key]; ok {
			root[key] = v
		}
	}
	return root
}

// TestRoundTrip exports every readable card of the collection in every form
// and reads it again: nothing may be lost or changed.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	n := 0
	for _, row := range manifest(t) {
		if row.Kind != card.KindCard || row.Error != nil {
			continue
		}
		n++
		t.Run(row.File, func(t *testing.T) {
			t.Parallel()
			f, err := card.Open(filepath.Join("testdata", "cases", row.File))
			if err != nil {
				t.Fatal(err)
			}
			want := withoutURIs(tree(t, f.Data))
			for _, to := range []string{"v2", "v3", "png"} {
				out, err := f.Export(to)
				if err != nil {
					t.Fatalf("%s: %v", to, err)
				}
				back, err := card.Read(out, "back.json")
				if err != nil {
					t.Fatalf("%s: %v", to, err)
				}
				if diff := cmp.Diff(want, withoutURIs(tree(t, back.Data))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", to, diff)
				}
				if diff := cmp.Diff(refreshed(t, f), tree(t, back.Root)); diff != "" && f.Root != nil {
					t.Errorf("%s, outside of data (-want +got):\n%s", to, diff)
				}
				if diff := cmp.Diff(assetBytes(t, f), assetBytes(t, back)); diff != "" {
					t.Errorf("%s changes assets (-want +got):\n%.500s", to, diff)
				}
				if to == "png" {
					if back.Format != "png/tEXt" || back.Spec != "3" {
						t.Errorf("the PNG reads as %s, version %s", back.Format, back.Spec)
					}
					if _, err := png.Decode(bytes.NewReader(out)); err != nil {
						t.Errorf("the PNG is no picture: %v", err)
					}
				}
				again, err := back.Export(to)
				if err != nil || !bytes.Equal(out, again) {
					t.Errorf("%s: a second export differs (%v)", to, err)
				}
			}
		})
	}
	if n < 60 {
		t.Errorf("only %d cards were tried", n)
	}
}

// TestExportKeepsWhatCameIn compares an export with the file itself, not with
// what was read.
func TestExportKeepsWhatCameIn(t *testing.T) {
	t.Parallel()
	for file, to := range map[string]string{"json_v3.json": "v3", "json_v2.json": "v2"} {
		data, err := os.ReadFile(filepath.Join("testdata", "cases", file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := card.Read(data, file)
		if err != nil {
			t.Fatal(err)
		}
		out, err := f.Export(to)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tree(t, data), tree(t, out)); diff != "" {
			t.Errorf("%s (-in +out):\n%s", file, diff)
		}
	}
}

// TestExportKeepsOddThings sends what no version knows through every form.
func TestExportKeepsOddThings(t *testing.T) {
	t.Parallel()
	odd := `{"spec":"chara_card_v3","spec_version":"3.0","create_date":"2023-7-21 @10h","zz":{"b":1,"a":[1e400,12345678901234567890,0.10]},
"data":{"name":"O","description":"d","unknown":{"Z":1,"a":2},"extensions":{"v/x":{"n":1.50,"deep":[{"<b>&":"\u2028"}]}},"nickname":"N",
"character_book":{"entries":[{"keys":["k"],"content":"@@depth 3\n\nx","use_regex":true,"id":"s-1","odd":[null,true],"extensions":{}}],"odd":7}}}`
	f, err := card.Read([]byte(odd), "odd.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"v2", "v3", "png"} {
		out, err := f.Export(to)
		if err != nil {
			t.Fatal(err)
		}
		back, err := card.Read(out, "x")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tree(t, f.Data), tree(t, back.Data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", to, diff)
		}
		if diff := cmp.Diff(tree(t, f.Root), tree(t, back.Root)); diff != "" {
			t.Errorf("%s, outside of data:\n%s", to, diff)
		}
		if to == "v2" && (bytes.Contains(out, []byte(`"content": "@@depth`)) && !bytes.Contains(out, []byte("herarena/v3"))) {
			t.Errorf("version 2 shows decorators:\n%s", out)
		}
	}
	json2, _ := f.Export("v3")
	for _, want := range []string{`1e400`, `12345678901234567890`, `0.10`, `1.50`, `"<b>&"`} {
		if !bytes.Contains(json2, []byte(want)) {
			t.Errorf("%s is lost", want)
		}
	}
}

// TestAnEditElsewhereStays changes a version 2 export as another program would.
func TestAnEditElsewhereStays(t *testing.T) {
	t.Parallel()
	f, err := card.Open("testdata/cases/json_v3.json")
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.Export("v2")
	if err != nil {
		t.Fatal(err)
	}
	out = bytes.Replace(out, []byte("The chalk marks number 41."), []byte("The chalk marks number 42."), 1)
	back, err := card.Read(out, "x.json")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(back.Data)
	if !bytes.Contains(text, []byte("number 42.")) || bytes.Contains(text, []byte("number 41.")) {
		t.Error("the edit was undone")
	}
}

func TestExportOfOtherKinds(t *testing.T) {
	t.Parallel()
	for _, row := range manifest(t) {
		if row.Error != nil || row.Kind == card.KindCard {
			continue
		}
		f, err := card.Open(filepath.Join("testdata", "cases", row.File))
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range []string{"v2", "v3", "png", "odt"} {
			out, err := f.Export(to)
			if row.Kind != card.KindLorebook || len(to) > 2 {
				if err == nil || !strings.Contains(err.Error(), row.File) {
					t.Errorf("%s to %s gives %v", row.File, to, err)
				}
				continue
			}
			back, err := card.Read(out, "b.json")
			if err != nil {
				t.Fatalf("%s to %s: %v", row.File, to, err)
			}
			if diff := cmp.Diff(tree(t, f.Data)["character_book"].(map[string]any)["entries"], tree(t, back.Data)["character_book"].(map[string]any)["entries"]); diff != "" {
				t.Errorf("%s to %s (-want +got):\n%s", row.File, to, diff)
			}
		}
	}
}
