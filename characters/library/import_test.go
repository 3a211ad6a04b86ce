package library

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"herarena/characters/card"
)

// takeIn imports and returns what was told.
func takeIn(t *testing.T, l *Library, o ImportOptions, sources ...string) []Imported {
	t.Helper()
	var out []Imported
	if o.To == "" {
		o.To = l.o.Dirs[0]
	}
	if err := l.Import(context.Background(), sources, o, func(i Imported) { out = append(out, i) }); err != nil {
		t.Fatal(err)
	}
	return out
}

// told is an import in a line: outcomes and file names.
func told(all []Imported) string {
	var out []string
	for _, i := range all {
		text := string(i.Outcome)
		if i.To != "" {
			text += " " + filepath.Base(i.To)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func zipOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func simple(name, about string) string {
	data, err := json.Marshal(map[string]string{"name": name, "description": about, "first_mes": "Hello."})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestImportNeverWritesOver(t *testing.T) {
	lib := open(t, filepath.Join(t.TempDir(), "cards"))
	from := t.TempDir()
	at := func(name, text string) string {
		path := filepath.Join(from, name)
		write(t, path, []byte(text))
		return path
	}
	one, copied := at("one.json", simple("Ann: Lee?", "One.")), at("copy.json", simple("Ann: Lee?", "One."))
	other, again := at("other.json", simple("Ann: Lee?", "Two.")), at("third.json", simple("Ann: Lee?", "Three."))
	all := takeIn(t, lib, ImportOptions{}, one, copied, other, again, one)
	if got, want := told(all), "added Ann_ Lee_.json, duplicate Ann_ Lee_.json, renamed Ann_ Lee_ 2.json, renamed Ann_ Lee_ 3.json, duplicate Ann_ Lee_.json"; got != want {
		t.Errorf("got %s", got)
	}
	for file, want := range map[string]string{"Ann_ Lee_.json": "One.", "Ann_ Lee_ 2.json": "Two.", "Ann_ Lee_ 3.json": "Three."} {
		data, err := os.ReadFile(filepath.Join(lib.o.Dirs[0], file))
		if err != nil || !bytes.Contains(data, []byte(want)) {
			t.Errorf("%s holds %s, %v", file, data, err)
		}
	}
	if n := len(lib.Entries()); n != 3 {
		t.Errorf("%d cards are listed", n)
	}
	if left, _ := filepath.Glob(filepath.Join(lib.o.Dirs[0], ".card*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if got := told(takeIn(t, Open(lib.o), ImportOptions{}, from)); strings.Count(got, "duplicate") != 4 || strings.Contains(got, "added") {
		t.Errorf("a second time: %s", got)
	}
}

func TestImportTakesWhatIsInside(t *testing.T) {
	from := t.TempDir()
	at := func(name string, data []byte) string {
		path := filepath.Join(from, name)
		write(t, path, data)
		return path
	}
	scene := "id = \"quay\"\ntitle = \"The quay\"\nscenario = \"Night.\"\n[character]\nname = \"Mara\"\nprofile = \"A smuggler.\"\n[user]\nname = \"Teller\"\n"
	for name, c := range map[string]struct {
		path string
		want string
		errs []string
	}{
		"zip": {
			at("cards.zip", zipOf(t, "a/Ann.json", simple("Ann", "x"), "b.png", string(cardPNG([]byte(simple("Bea", "x")), 500)), "quay.toml", scene, "notes.txt", "x", ".hidden.json", "{}",
				"../../evil.json", simple("Eve", "x"), "broken.json", "{", "inner.zip", "PK")),
			"added Ann.json, added Bea.png, added quay.toml, failed, failed",
			[]string{"cards.zip: ../../evil.json: points outside", "cards.zip: broken.json: is not valid JSON"},
		},
		"lines": {
			at("cards.jsonl", []byte(simple("Cid", "x")+"\n\n"+simple("Dee", "x")+"\n{oops}\n")), "added Cid.json, added Dee.json, failed",
			[]string{"cards.jsonl: line 4: is not valid JSON"},
		},
		"lines under another name": {at("cards.json", []byte(simple("Cid", "y")+"\n"+simple("Dee", "y"))), "added Cid.json, added Dee.json", nil},
		"list":                     {at("list.json", []byte("["+simple("Fay", "x")+",7,"+simple("Gil", "x")+"]")), "added Fay.json, failed, added Gil.json", []string{"list.json: item 2:"}},
		"charx":                    {filepath.Join(cases, "charx_v3.charx"), "added Marrow Vane.charx", nil},
		"byaf":                     {filepath.Join(cases, "backyard.byaf"), "added Tilde.byaf", nil},
		"wrong ending":             {filepath.Join(cases, "png_is_really_json.png"), "added Marrow Vane.json", nil},
		"jpeg":                     {filepath.Join(cases, "jpeg_exif.jpg"), "added Marrow Vane.jpg", nil},
		"no ending":                {at("card", []byte(simple("Hal", "x"))), "added Hal.json", nil},
		"yaml":                     {filepath.Join(cases, "tg_pyg.yml"), "added Marrow Vane.yml", nil},
		"lorebook":                 {filepath.Join(cases, "lore_charbook_alone.json"), "added Saltmere.json", nil},
		"scenes":                   {filepath.Join(cases, "scen_coser.json"), "added The missing bell.json", nil},
		"chat":                     {filepath.Join(cases, "chat_st.jsonl"), "failed", []string{"chat_st.jsonl: is a chat"}},
		"missing":                  {filepath.Join(from, "none.json"), "failed", []string{"none.json cannot be read: no such file"}},
		"bad scene":                {at("bad.toml", []byte("id = 7")), "failed", []string{"bad.toml:1: "}},
		"not a card":               {filepath.Join(cases, "json_not_card.json"), "failed", []string{"json_not_card.json: has none of the fields"}},
		"list of no cards":         {filepath.Join(cases, "manifest.json"), "failed", []string{"manifest.json: is a list and no card"}},
		"reserved name":            {at("con.json", []byte(simple("CON", "x"))), "added _CON.json", nil},
		"hostile name":             {at("h.json", []byte(simple("\x1b]52;c;x\x07../../etc", "x"))), "added _.._etc.json", nil},
		"empty folder":             {t.TempDir(), "failed", []string{"no file in it"}},
	} {
		lib := open(t, filepath.Join(t.TempDir(), "cards"))
		all := takeIn(t, lib, ImportOptions{}, c.path)
		if got := told(all); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		i := 0
		for _, one := range all {
			if one.Err == nil {
				continue
			}
			if i >= len(c.errs) || !strings.Contains(one.Err.Error(), c.errs[i]) {
				t.Errorf("%s: error %d is %v", name, i, one.Err)
			}
			i++
		}
		for _, e := range lib.Entries() {
			if e.Err != "" {
				t.Errorf("%s: what was taken in cannot be read: %s: %s", name, e.Path, e.Err)
			}
			if filepath.Dir(e.Path) != lib.o.Dirs[0] {
				t.Errorf("%s: %s is elsewhere", name, e.Path)
			}
		}
	}
}

func TestImportTellsWhatWasMended(t *testing.T) {
	lib := open(t, filepath.Join(t.TempDir(), "cards"))
	all := takeIn(t, lib, ImportOptions{}, filepath.Join(cases, "png_bad_crc_chara.png"))
	if len(all) != 1 || len(all[0].Repaired) == 0 || all[0].Repaired[0].Code != "crc_mismatch" {
		t.Errorf("%+v", all)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cards")
	lib := open(t, dir)
	from := t.TempDir()
	write(t, filepath.Join(from, "1.json"), []byte(simple("Ann", "1")))
	write(t, filepath.Join(from, "2.json"), []byte(simple("Ann", "2")))
	write(t, filepath.Join(from, "3.json"), []byte(simple("Ann", "1")))
	all := takeIn(t, lib, ImportOptions{DryRun: true}, from)
	if got, want := told(all), "added Ann.json, renamed Ann 2.json, duplicate Ann.json"; got != want {
		t.Errorf("got %s", got)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}

func TestImportEndsWithItsContext(t *testing.T) {
	lib := open(t, filepath.Join(t.TempDir(), "cards"))
	from := t.TempDir()
	fillFolder(t, from, 20)
	ctx, stop := context.WithCancel(context.Background())
	n := 0
	err := lib.Import(ctx, []string{from}, ImportOptions{To: lib.o.Dirs[0]}, func(Imported) {
		if n++; n == 5 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || n != 5 {
		t.Errorf("%d were taken in, %v", n, err)
	}
}

func TestImportSaysThatItCannotWrite(t *testing.T) {
	from := filepath.Join(t.TempDir(), "a.json")
	write(t, from, []byte(simple("Ann", "1")))
	lib := open(t, t.TempDir())
	err := lib.Import(context.Background(), []string{from}, ImportOptions{To: filepath.Join(from, "x")}, func(i Imported) { t.Errorf("%+v", i) })
	if err == nil || !strings.Contains(err.Error(), "cannot be kept in") {
		t.Errorf("got %v", err)
	}
}

// TestTheCollectionIsTakenInWhole imports every file of the collection: what
// is listed is what was said, and what was refused has its code.
func TestTheCollectionIsTakenInWhole(t *testing.T) {
	lib := open(t, filepath.Join(t.TempDir(), "cards"))
	count := map[Outcome]int{}
	for _, i := range takeIn(t, lib, ImportOptions{Chats: true}, cases) {
		count[i.Outcome]++
		var fault *card.Error
		if i.Outcome == Failed && (!strings.Contains(i.Err.Error(), cases) || errors.As(i.Err, &fault) && fault.Code == "") {
			t.Errorf("%v does not say where", i.Err)
		}
	}
	if n := len(lib.Entries()); n != count[Added]+count[Renamed] || count[Duplicate] < 30 || count[Failed] < 20 {
		t.Errorf("%v, %d are listed", count, n)
	}
}
