package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"herarena/characters/card"
)

// booked is a card with one entry of lore, and fields of the entry beside its
// texts.
func booked(entry string) string {
	return `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Orla","description":"An archivist.","first_mes":"Hello.",` +
		`"extensions":{"depth_prompt":{"prompt":"Dry.","depth":4,"role":"system"}},` +
		`"character_book":{"extensions":{},"entries":[{"keys":["bell"],"content":"It rang.","enabled":true,"insertion_order":1` + entry + `}]}}}`
}

// TestImportLosesNoPictureAndNoWorkings takes in cards of the same texts. What
// is there already is a duplicate only where it has all of the new one.
func TestImportLosesNoPictureAndNoWorkings(t *testing.T) {
	from := t.TempDir()
	at := func(name, text string) string {
		path := filepath.Join(from, name)
		write(t, path, []byte(text))
		return path
	}
	bare := at("orla.json", booked(""))
	picture := at("orla.png", string(cardPNG([]byte(booked("")), 300)))
	other := at("other.png", string(cardPNG([]byte(booked("")), 400)))
	always := at("always.json", booked(`,"constant":true`))
	deep := at("deep.json", booked(`,"extensions":{"position":4,"depth":2}`))
	named := at("named.json", booked(`,"name":"The bell","id":7`))
	for name, c := range map[string]struct {
		sources []string
		want    string
	}{
		"a picture after the bare card": {[]string{bare, picture, bare, other}, "added Orla.json, added Orla.png, duplicate Orla.json, duplicate Orla.png"},
		"a picture before it":           {[]string{picture, bare}, "added Orla.png, duplicate Orla.png"},
		"lore that works otherwise":     {[]string{bare, always, deep, always}, "added Orla.json, renamed Orla 2.json, renamed Orla 3.json, duplicate Orla 2.json"},
		"names for people":              {[]string{bare, named}, "added Orla.json, duplicate Orla.json"},
	} {
		t.Run(name, func(t *testing.T) {
			lib := open(t, filepath.Join(t.TempDir(), "cards"))
			if got := told(takeIn(t, lib, ImportOptions{}, c.sources...)); got != c.want {
				t.Errorf("at once:\n%s, want\n%s", got, c.want)
			}
			// One import for each, so that what is there is read from its file.
			lib = open(t, filepath.Join(t.TempDir(), "cards"))
			var each []string
			for _, s := range c.sources {
				each = append(each, told(takeIn(t, lib, ImportOptions{}, s)))
			}
			if got := strings.Join(each, ", "); got != c.want {
				t.Errorf("one by one:\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// TestExportsAreDuplicates writes cards in every version and takes them in
// again.
func TestExportsAreDuplicates(t *testing.T) {
	for _, name := range []string{"json_v2.json", "json_v3.json", "png_v2_full.png", "json_v1.json", "json_agnai_wpp.json"} {
		f, err := card.Open(filepath.Join(cases, name))
		if err != nil {
			t.Fatal(err)
		}
		lib := open(t, filepath.Join(t.TempDir(), "cards"))
		dir := t.TempDir()
		var sources []string
		for _, to := range []string{"png", "v2", "v3"} {
			data, err := f.Export(to)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, to+map[string]string{"png": ".png", "v2": ".json", "v3": ".json"}[to])
			write(t, path, data)
			sources = append(sources, path)
		}
		got := takeIn(t, lib, ImportOptions{}, sources...)
		if got[0].Outcome != Added || got[1].Outcome != Duplicate || got[2].Outcome != Duplicate {
			t.Errorf("%s: %s", name, told(got))
		}
	}
}

// TestImportsAtOnceKeepOneOfEach runs several imports of the same cards, none of
// which knows of the others.
func TestImportsAtOnceKeepOneOfEach(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "cards")
	for i := range 30 {
		write(t, filepath.Join(from, fmt.Sprintf("c%d.json", i)), []byte(simple(fmt.Sprintf("Card %d", i), "x")))
	}
	var all sync.WaitGroup
	for range 4 {
		lib := Open(Options{Dirs: []string{to}})
		all.Go(func() { takeIn(t, lib, ImportOptions{}, from) })
	}
	all.Wait()
	entries, err := os.ReadDir(to)
	if err != nil || len(entries) != 30 {
		t.Errorf("%d files for 30 cards, %v", len(entries), err)
	}
}

// TestAnImportThatWasKilledLeavesNoCard looks at what a killed import can leave:
// a partial file, which no list shows and the next import clears away.
func TestAnImportThatWasKilledLeavesNoCard(t *testing.T) {
	to, from := t.TempDir(), t.TempDir()
	left, err := partialFile(to, []byte(simple("Ann", "x")))
	if err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(to, cardPartial+"7"+partial)
	write(t, fresh, nil)
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	lib := open(t, to)
	refresh(t, lib)
	if n := len(lib.Entries()); n != 0 {
		t.Errorf("%d entries of partial files", n)
	}
	write(t, filepath.Join(from, "bea.json"), []byte(simple("Bea", "x")))
	takeIn(t, lib, ImportOptions{}, from)
	names, _ := filepath.Glob(filepath.Join(to, "*"))
	if got := strings.Join(names, " "); got != fresh+" "+filepath.Join(to, "Bea.json") {
		t.Errorf("left: %s", got)
	}
}

// TestWhereFilesHaveOneName takes the way of file systems without links.
func TestWhereFilesHaveOneName(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "Ann.json")
	if err := claim(filepath.Join(dir, "gone"), to); err == nil {
		t.Error("a file that is not there was given a name")
	}
	if _, err := os.Lstat(to); err == nil {
		t.Error("an empty file is left")
	}
}

// TestAnArchiveMayNotGrowWithoutBound unpacks an archive of 0.4 MiB that holds
// 12 times 30 MiB: 256 MiB and 16 times its size may be taken.
func TestAnArchiveMayNotGrowWithoutBound(t *testing.T) {
	if testing.Short() {
		t.Skip("moves much data in one goroutine: left out of short runs")
	}
	big := strings.Repeat("A", 30<<20)
	var files []string
	for i := range 12 {
		files = append(files, fmt.Sprintf("c%02d.json", i), big)
	}
	whole := 0
	for i, p := range members(zipOf(t, files...)) {
		data, err := p.load()
		switch {
		case err == nil && len(data) == len(big):
			whole++
		case err == nil || !strings.Contains(err.Error(), "the archive unpacks to more than 261 MiB"):
			t.Errorf("member %d: %d bytes, %v", i, len(data), err)
		}
	}
	if whole != 8 {
		t.Errorf("%d members of 12 were unpacked", whole)
	}
}
