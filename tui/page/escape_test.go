package page

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	markdownhtml "github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"
)

// TestOrdinaryTextIsLeftAlone: what means nothing in Markdown gets no backslash.
func TestOrdinaryTextIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Good evening! You came.", "It costs $5.", "the snake_case_name of it", "5 * 3 = 15", "AT&T, and R&D, so be it", "x < y, 3 > 2", "<3",
		"[sighs] Not now.", "a | b", "10 ~ 12", "e.g. 3.5 km", "C:\\path", "100% {name}", "Who? #1 of them", "-5 degrees", "a+b", "at @ 5", "2^10",
		"“Well,” he said — “no…”", "晚上好！（笑）", "He said: 'No.'", "rock 'n' roll", "1999 was the year", "well-known", "http: no", "One `tick",
	} {
		if got := inline(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

var tags = regexp.MustCompile(`<(/?[a-z0-9]+)[^>]*>`)

// TestAnyTextIsShownAsItIs renders arbitrary text with the extensions that are
// common: it is the same text in paragraphs, and nothing else.
func TestAnyTextIsShownAsItIs(t *testing.T) {
	t.Parallel()
	render := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithRendererOptions(markdownhtml.WithUnsafe()),
	)
	pieces := rapid.SampledFrom([]string{
		"a", "B", "é", "1", "12", " ", "  ", "\n", "\n\n", "*", "**", "_", "__", "`", "```", "~~", "~", "#", "# ", "- ", "-", "---", "+ ", "=", "===",
		"> ", ">", "<", "<b>", "</b>", "<!--", "-->", "<a href=x>", "&amp;", "&#27;", "&", ";", "[", "]", "(", ")", "](", "]:", "[x]", "[^1]", "![",
		"!", "|", "|-|", ":-:", ":", ": ", "://", "http://e.vil", "www.e.vil", "x@e.vil", "mailto:x@e.vil", "$", "^", "{", "}", "\\", "1. ", "1) ", "\t", "/", ".", "ftp://e.vil",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 1, 14).Draw(t, "pieces"), "")
		for _, mark := range []string{"", "> "} {
			md := "before\n\n" + block(mark, text) + "\n\nafter\n"
			var out bytes.Buffer
			if err := render.Convert([]byte(md), &out); err != nil {
				t.Fatal(err)
			}
			for _, m := range tags.FindAllStringSubmatch(out.String(), -1) {
				if tag := strings.Trim(m[1], "/"); tag != "p" && tag != "br" && (tag != "blockquote" || mark == "") {
					t.Fatalf("%q makes a <%s>:\n%s\n%s", text, tag, md, out.String())
				}
			}
			got := html.UnescapeString(tags.ReplaceAllString(out.String(), " "))
			want := "before " + text + " after"
			if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
				t.Fatalf("%q became %q by\n%s", text, got, md)
			}
		}
	})
}

// TestCodeInSpeechSurvives keeps fenced code as it was written, whatever stands
// in it, in both formats.
func TestCodeInSpeechSurvives(t *testing.T) {
	t.Parallel()
	code := "if a < b {\n\t*p = `x` // ```\n\n    # no heading\n}"
	for _, text := range []string{
		"Look:\n~~~go\n" + code + "\n~~~\nThere.", "Look:\n````go\n" + code + "\n````\nThere.", "Look:\n~~~~ go <script>\n" + code + "\n~~~~~\nThere.", "Look:\n~~~go\n" + code,
	} {
		s := segment{Kind: "speech", Text: text}
		w := &writer{}
		w.speech(s)
		var out bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(w.String()+"\n\n# after\n"), &out); err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(out.String(), `<pre><code class="language-go">`)
		shown, after, _ := strings.Cut(rest, "</code></pre>")
		if !found || html.UnescapeString(shown) != code+"\n" || !strings.Contains(after, "<h1") {
			t.Errorf("%q became\n%s\n%s", text, w.String(), out.String())
		}
		d := hostile(text)
		for _, f := range []Format{HTML, Markdown} {
			doc := write(t, f, Options{}, d)
			if strings.Contains(doc, "<script") || f == HTML && !strings.Contains(html.UnescapeString(doc), code) {
				t.Errorf("%s of %q lost its code, or has a script", f, text)
			}
		}
	}
}
