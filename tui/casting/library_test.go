package casting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"herarena/characters"
	"herarena/tui/look"
)

// cards is a library in memory.
type cards struct {
	entries  []Entry
	picture  []byte
	fault    error
	staged   []Play
	imported []string
}

func (f *cards) Refresh(_ context.Context, progress func(done, total int)) (string, error) {
	progress(len(f.entries), len(f.entries))
	return "", nil
}

func (f *cards) Watch(context.Context, func()) error { return nil }

func (f *cards) Find(_ context.Context, query string, order Order) ([]Entry, error) {
	var out []Entry
	for _, e := range f.entries {
		if strings.Contains(strings.ToLower(e.Title+strings.Join(e.Tags, " ")), strings.ToLower(query)) {
			out = append(out, e)
		}
	}
	if order == ByTokens {
		slices.SortStableFunc(out, func(a, b Entry) int { return b.Tokens - a.Tokens })
	}
	return out, nil
}

func (f *cards) Stage(_ context.Context, id string, p Play) (Staging, error) {
	if f.fault != nil {
		return Staging{}, f.fault
	}
	f.staged = append(f.staged, p)
	for _, e := range f.entries {
		if e.ID == id {
			s := characters.Scene{
				ID: id, Title: e.Title, Scenario: "A storm.", Character: characters.Character{Name: e.Name, Profile: "A keeper."}, User: characters.Character{Name: "User"},
				Play: &characters.Play{Char: e.Name, Greetings: []string{"*lifts the lamp* Come in.", "Shut the door.", "It is open."}, Scenario: "A storm."},
			}
			return Stage(s.Filled(), p)
		}
	}
	return Staging{}, fmt.Errorf("no card is called %q", id)
}

func (f *cards) Picture(context.Context, string) ([]byte, error) { return f.picture, nil }

func (f *cards) Favour(id string, on bool) error {
	for i := range f.entries {
		if f.entries[i].ID == id {
			f.entries[i].Favourite = on
		}
	}
	return nil
}

func (f *cards) Import(_ context.Context, path string) (Entry, string, error) {
	f.imported = append(f.imported, path)
	if strings.HasSuffix(path, ".txt") {
		return Entry{}, "", fmt.Errorf("%s holds no card", filepath.Base(path))
	}
	e := Entry{ID: "new", Title: "New here", Name: "New", Kind: "card"}
	f.entries = append(f.entries, e)
	return e, "New here is in the library now", nil
}

func library(t testing.TB) *cards {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 80, 120))
	for y := range 120 {
		for x := range 80 {
			img.SetNRGBA(x, y, color.NRGBA{uint8(3 * x), uint8(2 * y), 120, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	f := &cards{picture: b.Bytes()}
	f.entries = append(f.entries,
		Entry{ID: "maren", Title: "Maren Holt", Name: "Maren", User: "User", Kind: "card", Path: "/cards/maren.png", Creator: "northlight", Language: "en", Blurb: "The keeper of a light that no ship has needed for years.", Tags: []string{"lighthouse", "slow burn"}, Greetings: 3, Lore: 2, Tokens: 1247, HasPicture: true, Duplicates: []string{"maren-2"}},
		Entry{ID: "broken", Title: "broken", Path: "/cards/broken.png", Fault: "is cut off in the middle of its card"})
	for i := range 3000 {
		f.entries = append(f.entries, Entry{ID: fmt.Sprint("c", i), Title: fmt.Sprintf("Traveller %04d", i), Name: "Traveller", Kind: "card", Tags: []string{"road"}, Tokens: i, Greetings: 1})
	}
	return f
}

// browsing is the screen with the library read.
func browsing(t testing.TB, f *cards, w, h int) *Casting {
	t.Helper()
	o := options()
	o.Shelf = f
	s := New(o)
	s.SetSize(w, h)
	s.View()
	run(s, s.Update(openShelf{}))
	return s
}

func TestNothingIsReadBeforeTheFirstFrame(t *testing.T) {
	t.Parallel()
	f := library(t)
	o := options()
	o.Shelf = f
	s := New(o)
	s.SetSize(120, 40)
	run(s, s.Update(tea.WindowSizeMsg{Width: 120, Height: 40}))
	if fits(t, s); s.browse.asked != 0 || len(f.staged) != 0 {
		t.Errorf("the library was asked %d times before it was opened", s.browse.asked)
	}
	if _, ok := press(s, "enter").(Started); !ok {
		t.Error("enter alone does not begin")
	}
}

func TestCardsAreBrowsedSearchedAndPlayed(t *testing.T) {
	t.Parallel()
	f := library(t)
	s := browsing(t, f, 120, 40)
	if n := s.browse.rows(); n != 3005 {
		t.Fatalf("%d rows, want 3 scenes and 3002 entries", n)
	}
	press(s, "G")
	if view := fits(t, s); s.entry.Title != "Traveller 2999" || !strings.Contains(view, "Traveller 2990") {
		t.Errorf("the end is not reached: %s", s.entry.Title)
	}
	press(s, "g", "/", "m", "a", "r", "e", "n", "enter")
	view := fits(t, s)
	for _, want := range []string{"Maren Holt", "by northlight", "lighthouse · slow burn", "about 1,247 tokens", "Greeting 1 of 3", "lifts the lamp", "The same content again: maren-2"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
	if !strings.Contains(s.View(), "▒") {
		t.Error("there is no portrait")
	}
	press(s, "]", "]")
	if view := fits(t, s); !strings.Contains(view, "It is open.") || !strings.Contains(view, "Greeting 3 of 3") {
		t.Errorf("the third greeting is not shown:\n%s", view)
	}
	press(s, "[", "esc", "tab", "/", "O", "d", "a", "enter")
	if o, _ := s.value(roleField); o.title != "Oda" {
		t.Errorf("the person plays %q, want Oda", o.title)
	}
	started, ok := press(s, "enter").(Started)
	if c := started.Cast; !ok || c.Card != "maren" || c.Play.Greeting != 1 || c.Scene.User.Name != "Oda" || c.Scene.Opening != "Shut the door." || c.Play.Seed == 0 {
		t.Errorf("begun: %v, %+v of %q", ok, c.Play, c.Scene.Opening)
	}
}

func TestEnterBehindASearchPlaysWhatIsFound(t *testing.T) {
	t.Parallel()
	s := browsing(t, library(t), 120, 40)
	press(s, "/")
	var cmds []tea.Cmd
	for _, k := range "maren" { // nothing has answered yet
		cmds = append(cmds, s.Update(tea.KeyPressMsg{Code: k, Text: string(k)}))
	}
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	s.Update(enter)
	if cmd := s.Update(enter); cmd != nil {
		if _, ok := run(s, cmd).(Started); ok {
			t.Fatal("it begins with what stood there before")
		}
	}
	var asked tea.Msg
	for _, cmd := range cmds {
		if m := run(s, cmd); m != nil {
			asked = m
		}
	}
	if st, ok := asked.(Started); !ok || st.Cast.Card != "maren" {
		t.Errorf("begun with %+v", asked)
	}
}

func TestWhatCannotBePlayedSaysWhy(t *testing.T) {
	t.Parallel()
	f := library(t)
	s := browsing(t, f, 120, 40)
	press(s, "/", "b", "r", "o", "k", "e", "n", "enter")
	if view := fits(t, s); !strings.Contains(view, "It cannot be played: is cut off in the middle of its card") {
		t.Errorf("the fault is not told:\n%s", view)
	}
	if press(s, "enter") != nil || !s.bad {
		t.Error("a broken card is played")
	}
	press(s, "esc", "j")
	f.fault = errors.New("the file is gone")
	press(s, "j")
	if press(s, "enter") != nil || !strings.Contains(fits(t, s), "the file is gone") || s.busy {
		t.Errorf("a card that cannot be staged is not told:\n%s", fits(t, s))
	}
}

func TestFavouriteAndOrder(t *testing.T) {
	t.Parallel()
	f := library(t)
	s := browsing(t, f, 120, 40)
	press(s, "j", "j", "j", "f")
	if view := fits(t, s); !f.entries[0].Favourite || !strings.Contains(view, "★ Maren Holt") {
		t.Errorf("not a favourite:\n%s", view)
	}
	press(s, "f", "s", "s", "s")
	if f.entries[0].Favourite || orders[s.browse.order] != ByTokens || s.browse.all[0].Title != "Traveller 2999" || s.entry.ID != "maren" {
		t.Errorf("order %s begins with %s, %s is chosen", orders[s.browse.order], s.browse.all[0].Title, s.entry.ID)
	}
}

func TestTheSeedIsDrawnOrWritten(t *testing.T) {
	t.Parallel()
	s := New(options())
	press(s, "shift+tab", "/", "4", "2", "enter")
	if o, _ := s.value(seedField); o.title != "42" || s.seed() != 42 {
		t.Errorf("the seed is %s", o.title)
	}
	press(s, "/", "x", "enter")
	if !s.bad || s.seed() != 42 {
		t.Error("x is taken for a seed")
	}
	press(s, "up")
	drawn := s.seed()
	if st, ok := press(s, "enter").(Started); !ok || st.Cast.Play.Seed != drawn || drawn == 42 {
		t.Error("what is shown and what is played differ")
	}
	if s.Update(Ready{}); s.seed() == drawn {
		t.Error("the next duel has the same lot")
	}
}

func TestRecentCastsAreOneKeyAway(t *testing.T) {
	t.Parallel()
	f := library(t)
	o := options()
	o.Shelf = f
	o.Recent = []Pairing{
		{Scene: "maren", Title: "Maren Holt", Card: true, A: "gamma", B: "alpha", Critic: "her-rm", Canon: "critic", Blind: true, Greeting: 2, Role: "Oda"},
		{Scene: "two", Title: "The long watch", A: "beta", B: "nobody", Critic: "house", Canon: "a"},
	}
	s := New(o)
	s.SetSize(120, 40)
	run(s, s.Update(openShelf{}))
	was := state(s)
	press(s, "r")
	if got := state(s); got != "Recent: Maren Holt gamma alpha her-rm critic on" {
		t.Errorf("the last cast: %s", got)
	}
	fits(t, s)
	if st := s.staged(); st == nil || st.Scene.Opening != "It is open." || st.Scene.User.Name != "Oda" {
		t.Error("greeting and name are not as they were")
	}
	press(s, "r")
	if got := state(s); got != "Recent: The long watch beta alpha house critic a off" || !strings.Contains(s.offer, "nobody is not here any more") {
		t.Errorf("the one before: %s, told %q", got, s.offer)
	}
	press(s, "esc")
	if got := state(s); got != was {
		t.Errorf("esc leaves %s, want %s", got, was)
	}
	press(s, "r")
	st, ok := press(s, "enter").(Started)
	if !ok || st.Cast.Pairing() != o.Recent[0] {
		t.Errorf("what is begun is remembered as %+v", st.Cast.Pairing())
	}
	all := []Pairing{}
	for i := range 20 {
		all = Remembered(all, Pairing{Scene: fmt.Sprint(i % 12)})
	}
	if len(all) != MostRecent || all[0].Scene != "7" {
		t.Errorf("remembered: %+v", all)
	}
}

func TestDroppedFilesAreTakenIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a new card.png")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dropped := range []string{
		path, "'" + path + "'", `"` + path + `" `, strings.ReplaceAll(path, " ", `\ `), "file://" + strings.ReplaceAll(path, " ", "%20"), path + "\n",
	} {
		f := library(t)
		s := browsing(t, f, 120, 40)
		press(s, "tab", "tab", "tab")
		run(s, s.Update(tea.PasteMsg{Content: dropped}))
		if len(f.imported) != 1 || f.imported[0] != path || s.entry.ID != "new" || s.focus != sceneField {
			t.Errorf("%q: imported %q, chosen %s", dropped, f.imported, s.entry.ID)
		}
		if view := fits(t, s); !strings.Contains(view, "New here is in the library now") {
			t.Errorf("%q: not told:\n%s", dropped, view)
		}
	}
	f := library(t)
	s := browsing(t, f, 120, 40)
	run(s, s.Update(tea.PasteMsg{Content: "'" + path + "' '" + path + "'"}))
	if len(f.imported) != 2 {
		t.Errorf("of two dropped files %d were taken", len(f.imported))
	}
	run(s, s.Update(tea.PasteMsg{Content: "/tmp/notes.txt"}))
	if !s.bad || !strings.Contains(s.offer, "holds no card") {
		t.Errorf("told %q", s.offer)
	}
	press(s, "/")
	run(s, s.Update(tea.PasteMsg{Content: "lamp light"}))
	if s.browse.query != "lamp light" {
		t.Errorf("pasted words are searched as %q", s.browse.query)
	}
	press(s, "esc")
	if run(s, s.Update(tea.PasteMsg{Content: "just words"})); !s.bad {
		t.Error("words that are no path are taken in silence")
	}
}

func TestPathsOfSeveralTerminals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`/a/b.png`:                 "/a/b.png",
		`'/a/it'\''s b.png'`:       "/a/it's b.png",
		`C:\cards\a b.png`:         `C:\cards\a b.png`,
		`"C:\cards\a b.png"`:       `C:\cards\a b.png`,
		`file:///C:/cards/a.png`:   "C:/cards/a.png",
		`FILE:///a/%E6%B5%B7.png`:  "/a/海.png",
		`~/cards/a.png`:            "~/cards/a.png",
		"/a/one.png\n/a/two.png":   "/a/one.png /a/two.png",
		`/a/b\ c.png /a/d.png`:     "/a/b c.png /a/d.png",
		"hello there":              "",
		"":                         "",
		"look at /etc/passwd":      "",
		"/a\x00b":                  "",
		"/first.png\nthen a story": "",
	} {
		var got []string
		for _, readings := range paths(text) {
			got = append(got, readings[0])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestNothingHostileOfCardsReachesTheScreen(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]52;c;aGk=\x07\x1b[2J\u009b31m\u202egnp\x00"
	f := library(t)
	f.entries[0] = Entry{ID: "maren", Title: evil, Name: "Maren", User: evil, Kind: "card", Path: evil, Creator: evil, Language: evil, Blurb: evil, Tags: []string{evil, evil}, HasPicture: true, Duplicates: []string{evil}, Tokens: 3}
	f.entries[1].Fault, f.entries[1].Path = evil, evil
	f.picture = []byte("\x89PNG\r\n\x1a\n" + evil)
	for _, w := range []int{60, 80, 140} {
		s := browsing(t, f, w, 30)
		for range 5 {
			press(s, "j")
			view := fits(t, s)
			for _, bad := range []string{"\x1b", "\u009b", "\u202e", "\x00", "\x07"} {
				if strings.Contains(view, bad) {
					t.Errorf("%q reached the screen: %q", bad, view)
				}
			}
		}
	}
}

func TestGoldenCards(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		for name, l := range map[string]look.Options{"dark": {Dark: true, Colour: look.Full}, "mono": {Dark: true}, "ascii": {ASCII: true}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				s := browsing(t, library(t), size[0], size[1])
				s.SetLook(look.New(l))
				press(s, "j", "j", "j", "f")
				fits(t, s)
				rows := strings.Split(ansi.Strip(s.View()), "\n")
				if name == "dark" { // its colours are what a picture is made of
					rows = strings.Split(s.View(), "\n")
				}
				for i := range rows {
					rows[i] = strings.TrimRight(rows[i], " ")
				}
				golden.RequireEqual(t, strings.Join(rows, "\n")+"\n")
			})
		}
	}
}

func TestTitlesThatAreFileNamesAreReadWithBlanks(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"case_book_character_en": "case book character en",
		"Mr_Bell and_Co":         "Mr_Bell and_Co",
		"Pip":                    "Pip",
		"___":                    "___",
		"_CON":                   "CON",
		"雨夜_茶馆":                  "雨夜 茶馆",
	} {
		if got := titled(title); got != want {
			t.Errorf("%q is shown as %q, want %q", title, got, want)
		}
	}
}
