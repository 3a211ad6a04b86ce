package library

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"herarena/characters/card"
)

func shelf(t *testing.T) *Library {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"1.json": `{"spec":"chara_card_v2","data":{"name":"Zoë Ångström","description":"Die Frau und der Mann sind nicht mit dem Hund auf der Insel, und sie ist ein Kind.","first_mes":"Hi","alternate_greetings":["Ho"],"tags":["Sci-Fi","Slow Burn"],"creator":"Mira","creator_notes":"A pilot who lost the light."}}`,
		"2.json": `{"spec":"chara_card_v2","data":{"name":"Light","description":"The lamp and the sea are with her.","tags":["fantasy"],"creator":"Other","character_book":{"entries":[{"keys":["a"],"content":"b","enabled":true,"insertion_order":1}]}}}`,
		"3.json": `{"spec":"chara_card_v2","data":{"name":"Moonlight","description":"A horse.","tags":["Fantasy","ash"],"creator":"mira"}}`,
		"4.json": `{"spec":"chara_card_v2","data":{"name":"李白","description":"唐代诗人，与你在长安的酒楼对饮。他喜欢月亮和美酒。","tags":["历史"],"creator":"东方"}}`,
		"5.json": `{"spec":"chara_card_v2","data":{"name":"Straße 9","description":"x","tags":[]}}`,
		"6.json": `{"broken`,
		"7.json": `{"name":"Light","description":"Another of that name."}`,
	} {
		write(t, filepath.Join(dir, file), []byte(text))
	}
	settled(t, dir)
	l := open(t, dir)
	refresh(t, l)
	return l
}

func files(entries []Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(filepath.Base(e.Path), ".json"))
	}
	return strings.Join(out, " ")
}

func TestSearch(t *testing.T) {
	l := shelf(t)
	for q, want := range map[string]string{
		"":                        "2 7 3 5 1 4 6",
		"zoe":                     "1",
		"ZOË":                     "1",
		"angstrom":                "1",
		"ang":                     "1",
		"light":                   "2 7 1 3", // the whole name, a word of the blurb, within a name
		"lig":                     "2 7 1 3",
		"ight":                    "2 7 3",
		"tag:light":               "",
		"mira":                    "3 1",
		"by:MIRA":                 "3 1",
		"by:mira -tag:ash":        "1",
		"-by:mira":                "2 7 5 4 6",
		"tag:fantasy":             "2 3",
		"tag:sci":                 "1",
		"tag:fi":                  "1",
		`tag:"slow burn"`:         "1",
		`tag:"slow"`:              "",
		"tag:slow":                "1",
		"lang:de":                 "1",
		"lang:zh":                 "4",
		"李":                       "4",
		"白":                       "4",
		"长安":                      "4",
		"strasse":                 "5",
		"is:broken":               "6",
		"has:lore":                "2",
		"has:alternates":          "1",
		"has:tags":                "2 3 1 4",
		"kind:card name:light":    "2 7",
		"pilot light":             "1",
		`"lost the"`:              "1",
		`"lost light"`:            "",
		"file:2.json":             "2",
		"spec:1":                  "7",
		"spec:v2 has:lore":        "2",
		"is:nothing":              "",
		"nosuchfield:light":       "",
		"-":                       "",
		"\x1b[2J":                 "",
		`"`:                       "2 7 3 5 1 4 6",
		strings.Repeat("a ", 999): "1 3 2 7",
	} {
		got := files(l.Search(q, ByRank))
		if got != want {
			t.Errorf("%.40q finds %q, want %q", q, got, want)
		}
		for _, e := range l.Entries() {
			if hit := slices.Contains(strings.Fields(got), files([]Entry{e})); hit != Matches(q, e) {
				t.Errorf("%.40q: Matches and Search differ on %s", q, e.Path)
			}
		}
	}
}

func TestOrders(t *testing.T) {
	l := shelf(t)
	for by, less := range map[Order]func(a, b Entry) bool{
		ByAdded:  func(a, b Entry) bool { return a.Added.Before(b.Added) },
		ByChange: func(a, b Entry) bool { return a.Modified.Before(b.Modified) },
		BySize:   func(a, b Entry) bool { return a.Tokens < b.Tokens },
		ByName: func(a, b Entry) bool {
			return a.Err != "" && b.Err == "" || a.Err == b.Err && fold(a.Title) > fold(b.Title)
		},
	} {
		all := l.Search("", by)
		for i := 1; i < len(all); i++ {
			if less(all[i-1], all[i]) {
				t.Errorf("%s: %s stands before %s", by, all[i-1].Title, all[i].Title)
			}
		}
	}
}

func TestFind(t *testing.T) {
	l := shelf(t)
	for name, want := range map[string]string{
		"light": "2", "light-2": "", "7": "7", "zoe angstrom": "1", "ZOË ÅNGSTRÖM": "1", "李白": "4", "moonlight": "3", "3": "3", "straße 9": "5", "6": "6",
	} {
		e, err := l.Find(name)
		if got := files([]Entry{e}); (want == "") != (err != nil) || err == nil && got != want {
			t.Errorf("%q is %q, %v; want %q", name, got, err, want)
		}
	}
	_, err := l.Find("moon")
	var none *NotFound
	if !errors.As(err, &none) || none.Many || !slices.Equal(none.Near, []string{"moonlight"}) || !strings.Contains(err.Error(), "moonlight") {
		t.Errorf("got %v", err)
	}
	if _, err := l.Find(""); err == nil {
		t.Error("nothing is found")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a1.json"), []byte(`{"name":"Ann Lee","description":"One."}`))
	write(t, filepath.Join(dir, "a2.json"), []byte(`{"name":"Ann Lee","description":"Two."}`))
	two := open(t, dir)
	refresh(t, two)
	if _, err := two.Find("ann lee"); !errors.As(err, &none) || !none.Many || len(none.Near) != 2 || !strings.Contains(err.Error(), "ann-lee") {
		t.Errorf("two of a name: %v", err)
	}
}

// TestWordsFindTheirEntry: any entry is found by the beginning of any word of
// its name, in any case.
func TestWordsFindTheirEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[\p{L}]{1,8}`)
		names := rapid.SliceOfN(word, 1, 4).Draw(t, "words")
		e := Entry{Name: strings.Join(names, " "), Title: strings.Join(names, " "), Items: 1}
		w := []rune(rapid.SampledFrom(names).Draw(t, "word"))
		part := string(w[:rapid.IntRange(1, len(w)).Draw(t, "letters")])
		if fold(part) == "" {
			return
		}
		if !Matches(strings.ToUpper(fold(part)), e) && strings.ToLower(strings.ToUpper(fold(part))) == fold(part) {
			t.Fatalf("%q is not found in %q", part, e.Title)
		}
	})
}

func TestTags(t *testing.T) {
	l := shelf(t)
	if err := l.Tag(l.Entries()[0], []string{"FANTASY"}, nil); err != nil {
		t.Fatal(err)
	}
	tags := l.Tags()
	if tags[0].Count != 3 || fold(tags[0].Tag) != "fantasy" || !tags[0].Own || len(tags) != 5 {
		t.Errorf("%+v", tags)
	}
}

func TestBlurb(t *testing.T) {
	for in, want := range map[string]string{
		"":              "",
		"A *pilot*.":    "A pilot.",
		"# Title\nText": "Title",
		"![x](http://a/b.png)\n[Link](http://x) here":                "Link here",
		"<style>p{a:b}</style><p>Hello &amp; <b>bye</b></p><p>2</p>": "Hello & bye",
		"<center><img src=x></center><br>Words come":                 "Words come",
		"https://example.com/x\nReal words":                          "Real words",
		"{{char}} and {{user}} meet <USER>":                          "Ann and someone meet someone",
		"{{char}}与{{user}}在酒楼":                                       "Ann与你在酒楼",
		"a < b and c > d":                                            "a < b and c > d",
		"\x1b[31mred\x1b[0m words":                                   "red words",
		"\u202eevil words":                                           "evil words",
		"snake_case_name here":                                       "snake_case_name here",
		"***\n---\n~~~\nWords after rules":                           "Words after rules",
		"<":                                                          "",
		"<style>":                                                    "",
		strings.Repeat("long ", 100):                                 strings.TrimSpace(strings.Repeat("long ", 100)[:159]) + "…",
	} {
		if got := blurb("Ann", in); got != want {
			t.Errorf("%.60q gives %q, want %q", in, got, want)
		}
	}
}

// FuzzBlurb: whatever a card says, the line is short, clean and soon made.
func FuzzBlurb(f *testing.F) {
	for _, s := range []string{"<p>a</p>", "![a](b)", "](", "<style", "&amp;", "\x1b]52;c;x\x07", "{{char}}", strings.Repeat("<", 5000), strings.Repeat("<style>", 900)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := blurb("Ann", s)
		if len([]rune(got)) > maxBlurb || card.CleanName(got) != got {
			t.Fatalf("%q", got)
		}
		if folded := fold(s); strings.ToValidUTF8(folded, "") != folded && strings.ToValidUTF8(s, "") == s {
			t.Fatalf("folding breaks %q", s)
		}
		_ = language(s)
		_ = parseQuery(s).rank(&Entry{Title: got}, newDocument(&Entry{Title: got}))
	})
}

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"":           "",
		"Qwx zzt 12": "",
		"The keeper of the lamp is with her, and you are late.":                    "en",
		"Der Wärter ist nicht auf der Insel, und sie geht mit dem Hund.":           "de",
		"Le gardien est dans la tour et elle ne parle pas avec les marins.":        "fr",
		"El farero es un hombre que no habla con los marineros y se va por la mar": "es",
		"Il guardiano è nella torre e non parla con gli altri della nave.":         "it",
		"O guarda não está em casa e ela fala com você para ir ao mar.":            "pt",
		"De wachter is niet op het eiland en hij gaat met een hond.":               "nl",
		"Strażnik nie jest w wieży i się boi, że to koniec, ale czeka na nią.":     "pl",
		"Он стоит на берегу и не говорит, что это его дом.":                        "ru",
		"Він стоїть на березі й не каже, що це його дім, та й вона мовчить.":       "uk",
		"唐代诗人，与你在长安的酒楼对饮。":                                                         "zh",
		"彼女は港で待っています。雨が降っている。":                                                     "ja",
		"그녀는 항구에서 기다리고 있다.":                                                        "ko",
		"Marrow says: 你好，我是灯塔的守护者，欢迎来到海边。":                                         "zh",
	} {
		if got := language(text); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}

// TestUnknownTermsAreNamed holds the words of the message against what a search
// knows.
func TestUnknownTermsAreNamed(t *testing.T) {
	for _, word := range strings.Fields(isWords) {
		some, none := Entry{Err: "x"}, Entry{}
		e := Entry{Favourite: true, Duplicates: []string{"x"}, Repaired: 1, Played: time.Now(), Kind: card.KindCard}
		fresh := Entry{Kind: card.KindCard}
		if !is(&e, word) && !is(&some, word) && !is(&fresh, word) || is(&e, word) && is(&none, word) && is(&some, word) {
			t.Errorf("is:%s tells nothing apart", word)
		}
	}
	all := Entry{Lore: 1, Greetings: 2, Examples: 1, HasPicture: true, Tags: []string{"x"}, Blurb: "x", Creator: "x"}
	for _, word := range strings.Fields(hasWords) {
		if !has(&all, word) || has(&Entry{}, word) {
			t.Errorf("has:%s tells nothing apart", word)
		}
	}
	for q, want := range map[string]string{
		"is:fav has:lore kind:card kind:lore is:chat": "", "is:favorit": "is:favorit", "-has:wings Ann": "has:wings", "kind:song is:x": "kind:song is:x",
		"Re:Zero tag:any by:who": "", "": "",
	} {
		if got := strings.Join(Unknown(q), " "); got != want {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
}

// TestWhatStandsInTheListComesFirst proves that a title that begins with what is
// searched for comes before a file in which somebody of that name appears.
func TestWhatStandsInTheListComesFirst(t *testing.T) {
	t.Parallel()
	best := 1 << 30
	for _, e := range []Entry{
		{Title: "Pip", Name: "Pip"},
		{Title: "Pip at sea", Name: "Pip at sea"},
		{Title: "storm log", Name: "Pip"},
		{Title: "Old Pip", Name: "Old Pip"},
		{Title: "Dickens", Name: "Dickens", Blurb: "with Pip"},
	} {
		n := parseQuery("pip").rank(&e, newDocument(&e))
		if n <= 0 || n >= best {
			t.Errorf("%q, named %q, ranks %d, not below %d", e.Title, e.Name, n, best)
		}
		best = n
	}
}
