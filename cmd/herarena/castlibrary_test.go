package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"herarena/cmd/herarena/internal/config"
)

func put(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func simpleCard(name, about string, tags ...string) string {
	data, err := json.Marshal(map[string]any{"spec": "chara_card_v2", "spec_version": "2.0", "data": map[string]any{
		"name": name, "description": about, "first_mes": "Hello.", "tags": tags, "creator": "Mira",
	}})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// rows decodes a JSON list on standard output.
func rows(t *testing.T, r result) []map[string]any {
	t.Helper()
	var out []map[string]any
	if err := json.Unmarshal([]byte(r.out), &out); err != nil || r.code != 0 {
		t.Fatalf("%v: %+v", err, r)
	}
	return out
}

func ids(list []map[string]any) string {
	var out []string
	for _, row := range list {
		out = append(out, row["id"].(string))
	}
	return strings.Join(out, " ")
}

func TestCastListFindsAndMarks(t *testing.T) {
	dir := home(t)
	from := filepath.Join(dir, "from")
	put(t, filepath.Join(from, "a.json"), simpleCard("Ann Lee", "A pilot.", "sea"))
	put(t, filepath.Join(from, "b.json"), simpleCard("Bea", "A smith.", "forge", "sea"))
	put(t, filepath.Join(from, "c.json"), simpleCard("Ann Lee", "A pilot.", "sea"))
	if r := call(t, "", "cast", "import", from); r.code != 0 || strings.Count(r.out, "\n") != 2 || !strings.Contains(r.err, "c.json: the same is there already") || !strings.Contains(r.err, "2 added, 1 there already, 0 left out") {
		t.Fatalf("import gave %+v", r)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "ball mutiny interrogation android market teahouse ann-lee bea"},
		{[]string{"ann", "lee"}, "ann-lee"},
		{[]string{"by:mira -forge"}, "ann-lee"},
		{[]string{"--", "by:mira", "-forge"}, "ann-lee"},
		{[]string{"by:mira", "-tag:forge", "--sort", "name"}, "ann-lee"},
		{[]string{"-has:lore", "--tag", "sea", "-forge"}, "ann-lee"},
		{[]string{"--tag", "sea", "--sort", "name"}, "ann-lee bea"},
		{[]string{"--tag", "sea", "--tag", "forge"}, "bea"},
		{[]string{"meryton"}, "ball"},
		{[]string{"--fav"}, ""},
		{[]string{"--dup"}, ""},
		{[]string{from}, "ann-lee c bea"},
		{[]string{from, "--dup"}, "ann-lee c"},
		{[]string{from, "bea"}, "bea"},
		{[]string{"nobody-of-that-name"}, ""},
	} {
		if got := ids(rows(t, call(t, "", append([]string{"cast", "list", "--json"}, c.args...)...))); got != c.want {
			t.Errorf("list %v gives %q, want %q", c.args, got, c.want)
		}
	}
	if r := call(t, "", "cast", "list", "--sort", "size"); r.code != exitUsage || !strings.Contains(r.err, "size") {
		t.Errorf("an unknown order gave %+v", r)
	}
	if r := call(t, "", "cast", "fav", "bea", "ANN LEE"); r.code != 0 || r.out != "bea: a favourite\nann-lee: a favourite\n" {
		t.Errorf("fav gave %+v", r)
	}
	if r := call(t, "", "cast", "fav", "ann-lee", "--off"); r.code != 0 || !strings.Contains(r.out, "no favourite") {
		t.Errorf("fav --off gave %+v", r)
	}
	if r := call(t, "", "cast", "tag", "bea", "+slow burn", "+x", "-y"); r.code != 0 || r.out != "bea: a favourite, tagged slow burn, x\n" {
		t.Errorf("tag gave %+v", r)
	}
	row := rows(t, call(t, "", "cast", "tag", "bea", "-x", "--json"))[0]
	if row["favourite"] != true || fmt.Sprint(row["own_tags"]) != "[slow burn]" {
		t.Errorf("tag --json gave %v", row)
	}
	for _, args := range [][]string{{"tag"}, {"tag", "bea", "x"}, {"tag", "bea", "--x"}, {"fav"}, {"import"}, {"import", "--watch", filepath.Join(from, "a.json")}} {
		if r := call(t, "", append([]string{"cast"}, args...)...); r.code != exitUsage || r.out != "" {
			t.Errorf("%v gave %+v", args, r)
		}
	}
	if r := call(t, "", "cast", "fav", "nobody"); r.code != exitFailure || !strings.Contains(r.err, "nobody") {
		t.Errorf("an unknown card gave %+v", r)
	}
	if r := call(t, "", "cast", "list", "is:fav"); !strings.Contains(r.out, "bea") || !strings.Contains(r.out, "*  #slow burn") {
		t.Errorf("the list gives %+v", r)
	}
	for does, want := range map[string]string{"fav ball": "favourite", "tag ball +x": "tags of your own", "export ball": "exported"} {
		r := call(t, "", append([]string{"cast"}, strings.Fields(does)...)...)
		if r.code != exitFailure || !strings.Contains(r.err, `"ball" is one of the program's own scenes`) || !strings.Contains(r.err, want) {
			t.Errorf("%s gave %+v", does, r)
		}
	}
	if doc := document(t, call(t, "", "cast", "show", "Ann Lee", "--json")); doc["kind"] != "card" || doc["display_name"] != "Ann Lee" {
		t.Errorf("show by name gives %v", doc)
	}
	if r := call(t, "", "cast", "export", "bea", "--to", "v2", "--out", "-"); r.code != 0 || !strings.Contains(r.out, `"name": "Bea"`) {
		t.Errorf("export by name gave %+v", r)
	}
}

func TestFindSceneTakesLibraryNames(t *testing.T) {
	dir := home(t)
	for _, text := range []string{simpleCard("Ann Lee", "One."), simpleCard("Ann Lee", "Two."), simpleCard("Ball", "A card called like a scene.")} {
		put(t, filepath.Join(config.CharactersDir(), fmt.Sprintf("%x.json", len(text))), text)
	}
	data, err := os.ReadFile(filepath.Join(cardCases, "scen_coser.json"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(config.CharactersDir(), "bell.json"), string(data))
	for name, want := range map[string]string{"ball": "Elizabeth Bennet", "the-missing-bell": "Marrow Vane", "The Missing Bell": "Marrow Vane", "ann-lee": "Ann Lee"} {
		if s, err := findScene(name); err != nil || !strings.Contains(s.Character.Name, strings.Fields(want)[0]) {
			t.Errorf("%s plays as %q, %v", name, s.Character.Name, err)
		}
	}
	if _, err := findScene("nobody"); err == nil || !strings.Contains(err.Error(), "neither a file nor a scene") || !strings.Contains(err.Error(), "ball") {
		t.Errorf("got %v", err)
	}
	// What came into the folder since is found by its name.
	put(t, filepath.Join(config.CharactersDir(), "late.json"), simpleCard("Latecomer", "x"))
	if s, err := findScene("latecomer"); err != nil || s.ID != "latecomer" {
		t.Errorf("%q, %v", s.ID, err)
	}
	// And what left it is not played from memory.
	if err := os.Remove(filepath.Join(config.CharactersDir(), "late.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := findScene("latecomer"); err == nil {
		t.Error("a removed card is played")
	}
	_ = dir
}

func TestCastImportTellsAndFails(t *testing.T) {
	dir := home(t)
	from := filepath.Join(dir, "from")
	good := put(t, filepath.Join(from, "good.json"), simpleCard("Ann", "One."))
	put(t, filepath.Join(from, "bad.json"), "{")
	put(t, filepath.Join(from, "list.jsonl"), simpleCard("Bea", "x")+"\n"+simpleCard("Cid", "x")+"\n")
	r := call(t, "", "cast", "import", "--dry-run", from)
	if r.code != exitFailure || r.out != "" || !strings.Contains(r.err, "would be copied to") {
		t.Errorf("a dry run gave %+v", r)
	}
	if _, err := os.Stat(config.CharactersDir()); err == nil {
		t.Error("a dry run made the folder")
	}
	r = call(t, "", "cast", "import", "--json", from, filepath.Join(dir, "none.png"))
	if r.code != exitFailure || r.err != "" {
		t.Errorf("import gave %+v", r)
	}
	outcomes := map[string]int{}
	for _, row := range strings.Split(strings.TrimSpace(r.out), "\n") {
		var doc map[string]any
		if err := json.Unmarshal([]byte(row), &doc); err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		outcomes[doc["outcome"].(string)]++
	}
	if fmt.Sprint(outcomes) != "map[added:3 failed:2]" {
		t.Errorf("the outcomes are %v", outcomes)
	}
	r = call(t, "", "cast", "import", from)
	if r.code != exitFailure || !strings.Contains(r.err, "bad.json: is not valid JSON") || !strings.Contains(r.err, "0 added, 3 there already, 1 left out") {
		t.Errorf("a second import gave %+v", r)
	}
	put(t, good, simpleCard("Ann", "Two."))
	if r := call(t, "", "cast", "import", good); r.code != 0 || !strings.HasSuffix(r.out, "Ann 2.json\n") || !strings.Contains(r.err, "got a number") {
		t.Errorf("other content gave %+v", r)
	}
	// The same fault in many files is told once.
	for i := range 5 {
		put(t, filepath.Join(dir, "mend", fmt.Sprint(i, ".json")), strings.Replace(simpleCard(fmt.Sprint("M", i), "x"), `"spec_version":"2.0"`, `"spec_version":"9"`, 1))
	}
	r = call(t, "", "cast", "import", filepath.Join(dir, "mend"))
	if r.code != 0 || strings.Count(r.err, "spec_version is") != 1 || !strings.Contains(r.err, "the like in 4 other files") {
		t.Errorf("mended files gave %+v", r)
	}
}

// TestCastImportTellsOnce tells what is so of many things in one file once, and
// names each path once.
func TestCastImportTellsOnce(t *testing.T) {
	dir := home(t)
	var lines strings.Builder
	for i := range 45 {
		fmt.Fprintln(&lines, simpleCard("Ann", "One."))
		fmt.Fprintf(&lines, "{\"foo\":%d}\n", i)
	}
	file := put(t, filepath.Join(dir, "many.jsonl"), lines.String())
	r := call(t, "", "cast", "import", file)
	if r.code != exitFailure || strings.Count(r.out, "\n") != 1 || !strings.HasSuffix(r.out, "Ann.json\n") {
		t.Errorf("the paths are %q, code %d", r.out, r.code)
	}
	for want, n := range map[string]int{
		"left out: ": 1, "(and 44 more like it)": 1, "the same is there already (and 43 more like it)": 1, "1 added, 44 there already, 45 left out": 1,
	} {
		if got := strings.Count(r.err, want); got != n {
			t.Errorf("%q is told %d times:\n%s", want, got, r.err)
		}
	}
	// A single failure is the command's own, also where it is of a folder.
	bad := put(t, filepath.Join(dir, "bad", "x.json"), "{")
	if r := call(t, "", "cast", "import", filepath.Dir(bad)); r.code != exitFailure || strings.Count(r.err, "x.json") != 1 || strings.Contains(r.err, "left out") {
		t.Errorf("one failure gave %+v", r)
	}
	chat := chatFile(t, tavernChat)
	if r := call(t, "", "cast", "import", chat); r.code != exitFailure || !strings.Contains(r.err, "herarena --chat FILE goes on from it") {
		t.Errorf("a chat gave %+v", r)
	}
}

// lockedBuffer is a buffer that can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestCastImportWatches takes in what comes into a folder until it is
// interrupted.
func TestCastImportWatches(t *testing.T) {
	dir := home(t)
	from := filepath.Join(dir, "from")
	put(t, filepath.Join(from, "a.json"), simpleCard("Ann", "One."))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var out, errw lockedBuffer
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"cast", "import", "--watch", from}, strings.NewReader(""), &out, &errw)
	}()
	wait := func(want string) {
		t.Helper()
		for range 200 {
			if strings.Contains(out.String()+errw.String(), want) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%q does not come: %s %s", want, out.String(), errw.String())
	}
	wait("watching")
	put(t, filepath.Join(from, "b.json"), simpleCard("Bea", "One."))
	wait("Bea.json")
	put(t, filepath.Join(from, "bad.json"), "{")
	wait("bad.json: is not valid JSON")
	stop()
	if code := <-done; code != exitInterrupted {
		t.Errorf("it ended with %d", code)
	}
}

// BenchmarkScenesAtTheStart is what a library of 5,000 cards costs before the
// first frame: the index is read, no folder is.
func BenchmarkScenesAtTheStart(b *testing.B) {
	dir := b.TempDir()
	for _, name := range []string{"CONFIG", "DATA", "STATE", "CACHE"} {
		b.Setenv("XDG_"+name+"_HOME", filepath.Join(dir, name))
	}
	xdg.Reload()
	b.Cleanup(xdg.Reload)
	for i := range 5000 {
		put(b, filepath.Join(config.CharactersDir(), fmt.Sprint(i, ".json")), simpleCard(fmt.Sprint("Card ", i), strings.Repeat("A pilot of the harbour. ", 40), "sea"))
	}
	if _, err := openLibrary().Refresh(context.Background(), nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if all, faults := scenes(); len(all) != 6 || len(faults) > 0 {
			b.Fatal(len(all), faults)
		}
	}
}
