package library

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"herarena/characters/card"
)

const cases = "../card/testdata/cases"

func find(t *testing.T, l *Library, name string) Entry {
	t.Helper()
	e, err := l.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEveryFileOfTheCollectionIsListed holds the index to what the reader of
// cards says of each file.
func TestEveryFileOfTheCollectionIsListed(t *testing.T) {
	l := open(t, cases)
	r := refresh(t, l)
	data, err := os.ReadFile(filepath.Join(cases, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		File, Kind string
		Expect     map[string]any
		Error      *string
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	byFile := map[string]Entry{}
	ids := map[string]bool{}
	for _, e := range l.Entries() {
		byFile[filepath.Base(e.Path)] = e
		if ids[e.ID] {
			t.Errorf("the ID %s is given twice", e.ID)
		}
		ids[e.ID] = true
		for _, text := range append([]string{e.ID, e.Name, e.Title, e.User, e.Creator, e.Blurb, e.Err}, e.Tags...) {
			if clean := card.CleanName(text); clean != text {
				t.Errorf("%s: %+q is no line for a screen", e.Path, text)
			}
		}
	}
	broken := 0
	for _, row := range rows {
		e, ok := byFile[row.File]
		switch {
		case !ok:
			t.Errorf("%s is not listed", row.File)
		case row.Error != nil:
			broken++
			if !strings.Contains(e.Err, "["+*row.Error+"]") || e.Kind != "" {
				t.Errorf("%s: %q, want %s", row.File, e.Err, *row.Error)
			}
		case e.Err != "" || string(e.Kind) != row.Kind:
			t.Errorf("%s is a %s: %s", row.File, e.Kind, e.Err)
		default:
			for key, got := range map[string]any{"display_name": e.Title, "char_macro": e.Name, "greetings": float64(e.Greetings), "examples": float64(e.Examples), "book_entries": float64(e.Lore)} {
				if want, ok := row.Expect[key]; ok && row.Kind == "card" && want != got {
					if text, _ := want.(string); len(text) < maxLine {
						t.Errorf("%s: %s is %v, want %v", row.File, key, got, want)
					}
				}
			}
		}
	}
	if broken < 20 || r.Broken < broken {
		t.Errorf("%d files are broken, the report says %d", broken, r.Broken)
	}
}

// TestTheShortWayReadsTheSame compares what is taken out of a PNG without its
// pixels with what the whole file gives.
func TestTheShortWayReadsTheSame(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(cases, "png_*.png"))
	big := filepath.Join(t.TempDir(), "big.png")
	write(t, big, cardPNG(cardJSON(5), 900<<10))
	short := 0
	for _, path := range append(paths, big) {
		data, whole, err := contents(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if whole {
			continue
		}
		short++
		full, fullErr := card.Open(path)
		f, err := card.Read(data, filepath.Base(path))
		if (err == nil) != (fullErr == nil) {
			t.Errorf("%s: %v, whole %v", path, err, fullErr)
			continue
		}
		if err != nil {
			continue
		}
		a, b := describe(f, Entry{}), describe(full, Entry{})
		if a[0].Hash != b[0].Hash || a[0].Tokens != b[0].Tokens || a[0].HasPicture != b[0].HasPicture {
			t.Errorf("%s: %+v, whole %+v", path, a, b)
		}
		if path == big && len(data) > 40<<10 {
			t.Errorf("%d kB of a picture were read", len(data)>>10)
		}
	}
	if short < 8 {
		t.Errorf("only %d pictures went the short way", short)
	}
}

func TestContentIsTheSameInEveryContainer(t *testing.T) {
	dir := t.TempDir()
	text := cardJSON(6)
	write(t, filepath.Join(dir, "a.json"), text)
	write(t, filepath.Join(dir, "b.png"), cardPNG(text, 1000))
	write(t, filepath.Join(dir, "c.png"), cardPNG(text, 90<<10))
	f, err := card.Read(text, "a.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"v2", "v3", "png"} {
		data, err := f.Export(to)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "export-"+to+map[string]string{"png": ".png"}[to]+map[bool]string{true: ".json"}[to != "png"]), data)
	}
	write(t, filepath.Join(dir, "crlf.json"), bytes.ReplaceAll(text, []byte(`\n`), []byte(`\r\n`)))
	write(t, filepath.Join(dir, "other.json"), bytes.Replace(text, []byte("The "), []byte("One "), 1))
	l := open(t, dir)
	refresh(t, l)
	for _, e := range l.Entries() {
		want := 6
		if filepath.Base(e.Path) == "other.json" {
			want = 0
		}
		if len(e.Duplicates) != want {
			t.Errorf("%s has the duplicates %v", e.Path, e.Duplicates)
		}
	}
	if n := len(l.Search("is:dup", ByName)); n != 7 {
		t.Errorf("is:dup finds %d", n)
	}
}

func TestRefreshReadsOnlyWhatChanged(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := t.TempDir()
	fillFolder(t, dir, 20)
	settled(t, dir)
	l := open(t, dir)
	if r := refresh(t, l); r.Added != 20 || !r.Moved() {
		t.Fatalf("%+v", r)
	}
	var reads atomic.Int32
	again := func() (*Library, Report) {
		l := Open(l.o)
		reads.Store(0)
		l.read = func(at found) []Entry { reads.Add(1); return read(at) }
		return l, refresh(t, l)
	}
	if _, r := again(); r.Kept != 20 || r.Moved() || reads.Load() != 0 {
		t.Errorf("%+v with %d reads", r, reads.Load())
	}
	before := find(t, l, "lamp-zo-0")
	write(t, filepath.Join(dir, "card0001.png"), cardPNG(cardJSON(901), 60<<10))
	if err := os.Remove(filepath.Join(dir, "card0002.png")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "sub", "new.json"), cardJSON(902))
	if err := os.Rename(filepath.Join(dir, "card0000.png"), filepath.Join(dir, "sub", "moved.png")); err != nil {
		t.Fatal(err)
	}
	settled(t, dir)
	l2, r := again()
	if r.Added != 2 || r.Changed != 1 || r.Removed != 2 || r.Kept != 17 || reads.Load() < 3 {
		t.Errorf("%+v with %d reads", r, reads.Load())
	}
	moved := find(t, l2, before.ID)
	if filepath.Base(moved.Path) != "moved.png" || !moved.Added.Equal(before.Added) {
		t.Errorf("the moved card is %+v, was %+v", moved, before)
	}
}

func TestMarksFollowTheCard(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.json"), cardJSON(1))
	write(t, filepath.Join(dir, "b.json"), cardJSON(2))
	write(t, filepath.Join(dir, "bad.json"), []byte("{"))
	l := open(t, dir)
	refresh(t, l)
	e := l.Entries()[0]
	played := time.Unix(1_780_000_000, 0)
	for _, err := range []error{
		l.SetFavourite(e, true), l.Tag(e, []string{"Sea", "slow burn", "sea"}, nil), l.Play(e, played),
		l.Tag(find(t, l, e.ID), []string{"Été"}, []string{"SEA"}), l.SetFavourite(find(t, l, "bad"), true),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	check := func(l *Library, file string) {
		t.Helper()
		for _, e := range l.Entries() {
			if base := filepath.Base(e.Path); base != file {
				if e.Favourite != (base == "bad.json") || len(e.OwnTags) > 0 {
					t.Errorf("%s has marks of others", e.Path)
				}
				continue
			}
			if !e.Favourite || !slices.Equal(e.OwnTags, []string{"slow burn", "Été"}) || !e.Played.Equal(played) {
				t.Errorf("%s: %v %v %v", file, e.Favourite, e.OwnTags, e.Played)
			}
		}
		for q, want := range map[string]int{"is:fav": 2, "tag:ete": 1, `tag:"slow burn"`: 1, "tag:slow": 1, "tag:sea": 0, "is:played": 1} {
			if n := len(l.Search(q, ByRank)); n != want {
				t.Errorf("%s finds %d, want %d", q, n, want)
			}
		}
	}
	check(l, "a.json")
	if first := l.Search("", ByPlayed)[0]; filepath.Base(first.Path) != "a.json" {
		t.Errorf("%s was played last", first.Path)
	}
	// Without the index, under another name, and with other content in its place.
	if err := os.Remove(l.o.Index); err != nil {
		t.Fatal(err)
	}
	l = Open(l.o)
	refresh(t, l)
	check(l, "a.json")
	if err := os.Rename(filepath.Join(dir, "a.json"), filepath.Join(dir, "z.json")); err != nil {
		t.Fatal(err)
	}
	refresh(t, l)
	check(l, "z.json")
	write(t, filepath.Join(dir, "z.json"), bytes.Replace(cardJSON(1), []byte("The "), []byte("One "), 1))
	l = Open(l.o)
	if err := l.Play(l.Entries()[2], played); err != nil {
		t.Fatal(err)
	}
	refresh(t, l)
	check(l, "z.json")
}

// TestAJournalSurvivesWhatIsWrittenIntoIt: half lines, no JSON, other JSON.
func TestAJournalSurvivesWhatIsWrittenIntoIt(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.json"), cardJSON(1))
	l := open(t, dir)
	refresh(t, l)
	if err := l.SetFavourite(l.Entries()[0], true); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(l.o.Marks, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("\x00\xff[]\n{}\n{\"hash\":7}\n{\"hash\":\"" + l.Entries()[0].Hash + `","fa`)
	_ = f.Close()
	if err := l.Tag(l.Entries()[0], []string{"kept"}, nil); err != nil {
		t.Fatal(err)
	}
	e := Open(l.o).Entries()[0]
	if !e.Favourite || !slices.Equal(e.OwnTags, []string{"kept"}) {
		t.Errorf("%v %v", e.Favourite, e.OwnTags)
	}
}

func TestScenesOfAFileAreEntries(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"scen_coser.json", "scen_coser_gaps.json", "scen_chat_cases.json"} {
		data, err := os.ReadFile(filepath.Join(cases, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), data)
	}
	var list []json.RawMessage
	data, err := os.ReadFile(filepath.Join(cases, "scen_coser.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	three, err := json.Marshal([]json.RawMessage{list[0], bytes.Replace(list[0], []byte("The missing bell"), []byte("The second bell"), 1), list[0]})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "three.json"), three)
	l := open(t, dir)
	refresh(t, l)
	var items []Entry
	for _, e := range l.Entries() {
		if e.Kind != card.KindScenario || !e.Playable() {
			t.Errorf("%s is a %q: %s", e.Path, e.Kind, e.Err)
		}
		s, _, err := l.Scene(e, card.PlayOptions{})
		if err != nil || s.ID != e.ID || s.Validate() != nil {
			t.Errorf("%s item %d plays as %q: %v", e.Path, e.Item, s.ID, err)
		}
		if strings.HasSuffix(e.Path, "three.json") {
			items = append(items, e)
		}
	}
	if len(items) != 3 || items[1].Item != 1 || items[1].Items != 3 || items[1].Title == items[0].Title {
		t.Fatalf("the items are %+v", items)
	}
	s, _, err := l.Scene(items[1], card.PlayOptions{})
	if err != nil || !strings.Contains(s.Title, "second bell") {
		t.Errorf("item 2 plays as %q, %v", s.Title, err)
	}
}

func TestSceneFilesHaveTheirIDs(t *testing.T) {
	dir := t.TempDir()
	scene := func(id, title string) []byte {
		return fmt.Appendf(nil, "id = %q\ntitle = %q\nscenario = \"Night.\"\n[character]\nname = \"Mara\"\nprofile = \"A smuggler.\"\n[user]\nname = \"Teller\"\n", id, title)
	}
	write(t, filepath.Join(dir, "1.toml"), scene("ball", "Ours"))
	write(t, filepath.Join(dir, "2.toml"), scene("ball", "Theirs"))
	write(t, filepath.Join(dir, "3.json"), []byte(`{"name":"Ball","description":"A card called like a scene of the program."}`))
	write(t, filepath.Join(dir, "4.toml"), []byte("id = 7"))
	l := Open(Options{Dirs: []string{dir}, Reserved: []string{"ball", "mutiny"}})
	refresh(t, l)
	var got []string
	for _, e := range l.Entries() {
		got = append(got, e.ID)
	}
	if want := []string{"ball", "theirs", "3", "4"}; !slices.Equal(got, want) {
		t.Errorf("the IDs are %v, want %v", got, want)
	}
	s, _, err := l.Scene(find(t, l, "theirs"), card.PlayOptions{})
	if err != nil || s.ID != "theirs" || s.Title != "Theirs" {
		t.Errorf("%+v, %v", s, err)
	}
	if e := find(t, l, "4"); !strings.Contains(e.Err, "id") {
		t.Errorf("4.toml: %q", e.Err)
	}
}

func TestPicture(t *testing.T) {
	l := open(t, cases)
	refresh(t, l)
	kinds := map[string]int{}
	for _, e := range l.Entries() {
		data, kind, err := l.Picture(e)
		if err != nil || (len(data) > 0) != e.HasPicture {
			t.Errorf("%s: %d bytes of %q, %v", e.Path, len(data), kind, err)
		}
		kinds[kind]++
	}
	if kinds["png"] < 15 || kinds["webp"] < 5 || kinds["jpeg"] < 1 {
		t.Errorf("%v", kinds)
	}
}

// TestTheFirstLookIsShownWhileItLasts: what was read is listed before all is.
func TestTheFirstLookIsShownWhileItLasts(t *testing.T) {
	dir := t.TempDir()
	fillFolder(t, dir, 12)
	l := open(t, dir)
	l.read = func(at found) []Entry {
		time.Sleep(150 * time.Millisecond)
		return read(at)
	}
	most := 0
	var last Progress
	if _, err := l.Refresh(context.Background(), func(p Progress) {
		if n := len(l.Entries()); n < 12 {
			most = max(most, n)
		}
		last = p
	}); err != nil {
		t.Fatal(err)
	}
	if most == 0 || last.Done != 12 || last.Total != 12 || len(l.Entries()) != 12 {
		t.Errorf("%d were listed meanwhile, the last progress is %+v", most, last)
	}
}
