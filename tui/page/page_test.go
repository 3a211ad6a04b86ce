package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	markdownhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/tui/guard"
	"herarena/tui/stage/stagetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// played is a duel with all that can be in one: past, notes, swipes, faults,
// rulings, votes.
func played() *ledger.DuelFull {
	scene, _ := json.Marshal(stagetest.Scene())
	d := &ledger.DuelFull{DuelRecord: arena.DuelRecord{
		ID: "01ABCDEFGHJK", SceneID: "harbour", SceneTitle: "The harbour office", SceneJSON: string(scene),
		Contestants: stagetest.Contestants(), Critic: "house", Canon: arena.CanonVote, Started: noon,
		Origin: arena.Origin{DuelID: "00EARLIER", Turn: 1},
		Past:   []arena.PastTurn{{Line: "Is anyone there?", Note: "PASTNOTE", Reply: stagetest.Layered().Segments, By: "her-rl", Edited: true}},
	}}
	temperature := 0.7
	d.Contestants[0].Model, d.Contestants[0].Endpoint, d.Contestants[0].Sampling.Temperature = "her-rl-32b", "http://gpu:8000/v1", &temperature
	reply := func(c, swipe int, take stagetest.Take) *arena.Reply {
		return &arena.Reply{
			ID: fmt.Sprintf("r%d-%d", c, swipe), Contestant: c, Swipe: swipe, Segments: take.Segments, Complete: true, Finish: arena.FinishStop,
			Started: noon.Add(time.Duration(swipe) * 10 * time.Second), FirstByte: 400 * time.Millisecond, Total: 3 * time.Second, Usage: &arena.Usage{CompletionTokens: 60},
		}
	}
	t := ledger.FullTurn{Turn: arena.Turn{ID: "t2", Number: 2, Line: "One berth, tonight.\nI can pay.", Note: "THISNOTE", Seats: [2]int{1, 0}, Canon: 0, Started: noon}}
	t.Swipes[0] = []*arena.Reply{reply(0, 0, stagetest.Layered())}
	t.Swipes[1] = []*arena.Reply{reply(1, 0, stagetest.Bare()), reply(1, 1, stagetest.Bare())}
	t.Swipes[1][0].Fault = &arena.Fault{Kind: arena.Stalled, Message: "plain-8b at http://gpu:8000/v1 went silent", Hint: "ask again"}
	t.Swipes[1][1].Notes = []string{"plain-8b took no prefill"}
	g := stagetest.Sum(stagetest.Agreeing())
	g.ID, g.Critic, g.ReplyA, g.ReplyB = "g", "house", "r1-1", "r0-0"
	g.Verdicts[0].Overall = "OVERALLPROSE"
	t.Rulings, t.Votes = []arena.Ruling{g}, []arena.Vote{
		{ID: "v1", Choice: arena.ChoseB, Voter: "me", At: noon.Add(time.Minute), Counted: true},
	}
	t.Ruling, t.Vote = &t.Rulings[0], &t.Votes[0]
	d.Turns = []ledger.FullTurn{t}
	return d
}

func write(t *testing.T, f Format, o Options, duels ...*ledger.DuelFull) string {
	t.Helper()
	var out bytes.Buffer
	if o.Now.IsZero() {
		o.Now = noon.Add(24 * time.Hour)
	}
	w, err := New(&out, f, "Duels", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range duels {
		if err := w.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGoldenDocuments(t *testing.T) {
	for _, f := range []Format{Markdown, HTML} {
		t.Run(string(f), func(t *testing.T) { golden.RequireEqual(t, write(t, f, Options{}, played())) })
	}
}

// attacks are texts that would be more than text in some format.
var attacks = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `' onmouseover='x`, `</p></div></details></body>`,
	`<!-- -->`, `<![CDATA[x]]>`, `&lt;script&gt;`, `&#27;]52;c;x&#7;`, "\x1b]52;c;eA==\x07\x1b[2J", "\u202egnp.exe", "a\x00b\x7f\u0085c",
	`![x](http://evil.test/p.png)`, `[good](https://evil.test)`, `<https://evil.test>`, `http://evil.test/?q`, `www.evil.test`, `me@evil.test`,
	"# heading", "- list", "1. list", "> quote", "```\ncode", "| a | b |\n|---|---|\n| c | d |", "---", "===", "*em* **strong** ~~gone~~ `code`",
	`$x$`, "[^1]: note", "[x]: http://evil.test", "    indented", "javascript:alert(1)", "{{.}}", "<style>*{display:none}</style>", "\xff\xfe",
}

// hostile puts an attack into every field of text that a duel has.
func hostile(text string) *ledger.DuelFull {
	d := played()
	scene, _ := json.Marshal(map[string]any{
		"id": text, "title": text, "scenario": text, "opening": text, "language": text,
		"character": map[string]string{"name": text, "thoughts": text}, "user": map[string]string{"name": text},
	})
	d.ID, d.SceneID, d.SceneTitle, d.SceneJSON, d.Character, d.User, d.Language, d.Critic = text, text, text, string(scene), text, text, text, text
	d.Canon, d.Origin.DuelID = arena.CanonPolicy(text), text
	for i := range d.Contestants {
		c := &d.Contestants[i]
		c.Name, c.Model, c.Endpoint, c.Dialect, c.Prefill, c.Sampling.Stop = text, text, text, layers.Dialect(text), text, []string{text}
	}
	segments := []layers.Segment{{Layer: layers.System, Text: text}, {Layer: layers.Native, Text: text}, {Layer: layers.Think, Text: text}, {Layer: layers.Act, Text: text}, {Layer: layers.Speech, Text: text}, {Layer: 99, Text: text}}
	d.Past = []arena.PastTurn{{Line: text, Note: text, By: text, Reply: segments, Speaker: text, Scenery: text}}
	t := &d.Turns[0]
	t.Line, t.Note, t.Auto, t.Speaker, t.Scenery = text, text, text, text, text
	for c := range t.Swipes {
		for _, r := range t.Swipes[c] {
			r.Segments, r.SpokeFor, r.Notes = segments, []string{text}, []string{text}
			r.Fault = &arena.Fault{Kind: arena.FaultKind(text), Message: text, Hint: text}
		}
	}
	g := &t.Rulings[0]
	g.Critic, g.Agreement, g.Winner, g.Counted, g.Why = text, arena.Agree, arena.Choice(text), false, text
	for o := range g.Verdicts {
		v := &g.Verdicts[o]
		v.Overall, v.Summary, v.Fault = text, text, &arena.Fault{Message: text, Hint: text}
		v.Principles = []arena.Principle{{Name: "x" + text, Dimension: text, Polarity: text, Level: text, Definition: text, Reason: text}}
		v.Comparisons = []arena.Comparison{{Name: "x" + text, First: text, Second: text, Reason: text, Winner: arena.First, Degree: text}}
	}
	t.Votes[0].Voter, t.Votes[0].Choice, t.Votes[0].Counted, t.Votes[0].Why = text, arena.Choice(text), false, text
	return d
}

var elements = map[string]bool{
	"pre": true, "code": true,
	"html": true, "head": true, "meta": true, "title": true, "style": true, "body": true, "article": true, "section": true, "div": true, "p": true, "span": true,
	"b": true, "h1": true, "h2": true, "h3": true, "dl": true, "dt": true, "dd": true, "details": true, "summary": true, "table": true, "tr": true, "td": true,
	"th": true, "svg": true, "rect": true,
}

// wellFormed walks a page: every element ours, every tag closed in its order, no
// attribute that acts or fetches. It returns the text.
func wellFormed(t *testing.T, page string) string {
	t.Helper()
	var open []string
	var text strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		tok := z.Token()
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			if !elements[tok.Data] {
				t.Fatalf("an element %q", tok.Data)
			}
			for _, a := range tok.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" || a.Key == "style" || a.Key == "id" {
					t.Fatalf("%s has %s=%q", tok.Data, a.Key, a.Val)
				}
			}
			if kind == html.StartTagToken && tok.Data != "meta" {
				open = append(open, tok.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				t.Fatalf("</%s> closes %v", tok.Data, open)
			}
			open = open[:len(open)-1]
		case html.CommentToken:
			t.Fatalf("a comment %q", tok.Data)
		case html.TextToken:
			text.WriteString(tok.Data)
		}
	}
	if len(open) > 0 {
		t.Fatalf("never closed: %v", open)
	}
	return text.String()
}

func TestHostileTextIsOnlyText(t *testing.T) {
	t.Parallel()
	render := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(markdownhtml.WithUnsafe()))
	count := func(page, tag string) int { return strings.Count(page, "<"+tag) }
	var plain bytes.Buffer
	if err := render.Convert([]byte(write(t, Markdown, Options{}, hostile("harmless"))), &plain); err != nil {
		t.Fatal(err)
	}
	for _, text := range attacks {
		for _, o := range []Options{{}, {Visible: true}} {
			page := write(t, HTML, o, hostile(text))
			wellFormed(t, page)
			if strings.ContainsAny(page, "\x00\x07\x1b\x7f\u0085\u202e") {
				t.Errorf("%q leaves a control in the page", text)
			}
		}
		md := write(t, Markdown, Options{}, hostile(text))
		if strings.ContainsAny(md, "\x00\x07\x1b\x7f\u0085\u202e") {
			t.Errorf("%q leaves a control in the Markdown", text)
		}
		var out bytes.Buffer
		if err := render.Convert([]byte(md), &out); err != nil {
			t.Fatal(err)
		}
		for _, tag := range []string{"script", "img", "a ", "svg", "style", "input", "table", "pre", "code", "del", "sup", "h4", "hr", "ol"} {
			code := (tag == "pre" || tag == "code") && len(segment{Text: text}.Parts()) == 1 && segment{Text: text}.Parts()[0].Code
			if count(out.String(), tag) > 0 && !code { // a fence in speech is one
				t.Errorf("%q makes a <%s> of Markdown:\n%s", text, tag, around(out.String(), "<"+tag))
			}
		}
		if guard.Line(text) == "" {
			continue // what is not there has no headings
		}
		for _, tag := range []string{"h1", "h2", "h3", "li>", "ul", "strong"} {
			if got, want := count(out.String(), tag), count(plain.String(), tag); got != want {
				t.Errorf("%q makes %d <%s> instead of %d:\n%s", text, got, tag, want, md)
			}
		}
	}
}

func around(s, what string) string {
	i := strings.Index(s, what)
	return s[max(i-80, 0):min(i+120, len(s))]
}

func TestThePageShowsTheTextItself(t *testing.T) {
	t.Parallel()
	text := wellFormed(t, write(t, HTML, Options{}, hostile(`<b>"Well" & 'good' {{.}}</b>`)))
	if n := strings.Count(text, `<b>"Well" & 'good' {{.}}</b>`); n < 40 {
		t.Errorf("the text is shown %d times", n)
	}
}

// canaries are words that stand in one layer alone.
func canaries() *ledger.DuelFull {
	d := played()
	d.Past[0].Reply = []layers.Segment{{Layer: layers.System, Text: "PASTSYSTEM"}, {Layer: layers.Think, Text: "PASTTHINK"}, {Layer: layers.Speech, Text: "PASTSPEECH"}}
	d.Turns[0].Swipes[0][0].Segments = []layers.Segment{
		{Layer: layers.System, Text: "SYSTEMWORD"},
		{Layer: layers.Native, Text: "NATIVEWORD"},
		{Layer: layers.Think, Text: "THINKWORD"},
		{Layer: layers.Act, Text: "ACTWORD"},
		{Layer: layers.Speech, Text: "SPEECHWORD"},
	}
	d.Turns[0].Swipes[0][0].Raw, d.Turns[0].Swipes[0][0].Reasoning = "RAWWORD", "REASONWORD"
	v := &d.Turns[0].Rulings[0].Verdicts[0]
	v.Comparisons[0].First, v.Raw, v.Reasoning = "QUOTEDTHOUGHT", "VERDICTRAW", "VERDICTREASON"
	return d
}

func TestVisibleShowsWhatCharactersPerceive(t *testing.T) {
	t.Parallel()
	shown := []string{"ACTWORD", "SPEECHWORD", "PASTSPEECH"}
	withheld := []string{"SYSTEMWORD", "NATIVEWORD", "THINKWORD", "PASTSYSTEM", "PASTTHINK", "THISNOTE", "PASTNOTE", "QUOTEDTHOUGHT", "OVERALLPROSE"}
	never := []string{"RAWWORD", "REASONWORD", "VERDICTRAW", "VERDICTREASON"}
	for _, f := range []Format{Markdown, HTML} {
		whole, visible := write(t, f, Options{}, canaries()), write(t, f, Options{Visible: true}, canaries())
		for _, word := range shown {
			if !strings.Contains(visible, word) || !strings.Contains(whole, word) {
				t.Errorf("%s: %s is missing", f, word)
			}
		}
		for _, word := range withheld {
			if strings.Contains(visible, word) {
				t.Errorf("%s: %s is visible", f, word)
			}
			if !strings.Contains(whole, word) {
				t.Errorf("%s: %s is missing from the whole", f, word)
			}
		}
		for _, word := range never {
			if strings.Contains(whole, word) {
				t.Errorf("%s: %s is shown", f, word)
			}
		}
	}
}

func TestABlindDuelStaysBlind(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Markdown, HTML} {
		d := played()
		d.Blind = true
		page := write(t, f, Options{}, d)
		// The names are told once each, in their own order, and never at a side.
		for _, name := range []string{"her-rl-32b", "plain-8b at", "plain-8b took"} {
			if strings.Contains(page, name) && name != "her-rl-32b" {
				t.Errorf("%s: a message still names the model: %s", f, around(page, name))
			}
		}
		if strings.Contains(page, "A · ") || strings.Contains(page, "B · ") || strings.Contains(page, "(her-rl") {
			t.Errorf("%s: a side is named:\n%s", f, page)
		}
		shown := write(t, f, Options{Reveal: true}, d)
		if !strings.Contains(shown, "A · plain") || !strings.Contains(shown, "B · her") {
			t.Errorf("%s: nobody is revealed:\n%s", f, shown)
		}
	}
}

func TestADuelInPlayIsNotRevealed(t *testing.T) {
	t.Parallel()
	at := noon.Add(13 * time.Second)
	for _, c := range []struct {
		name   string
		change func(d *ledger.DuelFull)
		now    time.Time
		why    string
	}{
		{"voted", func(*ledger.DuelFull) {}, at, ""},
		{"waits for a vote", func(d *ledger.DuelFull) { d.Turns[0].Vote = nil }, at.Add(time.Minute), "turn 2 has no vote yet"},
		{"left alone", func(d *ledger.DuelFull) { d.Turns[0].Vote = nil }, at.Add(time.Hour), ""},
		{"nothing to vote on", func(d *ledger.DuelFull) { d.Turns[0].Vote = nil; d.Turns[0].Swipes[0] = nil }, at, ""},
		{"being written", func(d *ledger.DuelFull) { d.Turns[0].States = map[string]ledger.State{"r0-0": ledger.Streaming} }, at.Add(time.Hour), "still being written"},
	} {
		d := played()
		d.Blind = true
		c.change(d)
		var out bytes.Buffer
		w, err := New(&out, HTML, "x", Options{Reveal: true, Now: c.now})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Add(d)
		switch {
		case c.why == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why) || out.Len() > 0):
			t.Errorf("%s: %v, %d bytes written", c.name, err, out.Len())
		}
	}
}

func TestDocumentsOfNothing(t *testing.T) {
	t.Parallel()
	wellFormed(t, write(t, HTML, Options{}))
	wellFormed(t, write(t, HTML, Options{}, &ledger.DuelFull{}))
	write(t, Markdown, Options{}, &ledger.DuelFull{})
	wellFormed(t, write(t, HTML, Options{}, played(), played()))
	if _, err := New(nil, "pdf", "x", Options{}); err == nil {
		t.Error("a pdf is promised")
	}
}

func TestFileNamesAreTame(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"The Harbour Office": "the-harbour-office-cdefghjk.html", "": "duel-cdefghjk.html", "../../etc/passwd": "etc-passwd-cdefghjk.html",
		"達西": "duel-cdefghjk.html", "a\x00\x1b[2Jb": "a-2jb-cdefghjk.html", strings.Repeat("x", 300): strings.Repeat("x", 60) + "-cdefghjk.html",
	} {
		if got := FileName(&arena.DuelRecord{SceneTitle: title, ID: "01ABCDEFGHJK"}, HTML); got != want {
			t.Errorf("%q gives %q, want %q", title, got, want)
		}
	}
}

func FuzzPages(f *testing.F) {
	for _, a := range attacks {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, text string) {
		wellFormed(t, write(t, HTML, Options{}, hostile(text)))
		write(t, Markdown, Options{}, hostile(text))
	})
}
