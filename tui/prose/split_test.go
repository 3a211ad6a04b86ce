package prose

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"
)

// oracle renders Markdown to HTML with the extensions Glamour uses.
func oracle(t interface{ Fatal(...any) }, text string) string {
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.DefinitionList),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)
	var b bytes.Buffer
	if err := md.Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// document draws Markdown made of lines that like to get in one another's way.
func document() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"", "", "", "She *smiles*.", "plain words", "two  ", "- one", "- ", "-", "  - two", "* star", "+ plus", "1. first", "2) second", "10. tenth",
			"> said", ">", "> - quoted item", "> ```", "```", "```go", "~~~", "````", "# Title", "#", "---", "***", "- - -", "===", "    code", "\tcode",
			"  two", "   three", "<div>", "</div>", "<!-- note", "end -->", "<script>", "</script>", "<b>inline</b>", "<?php", "?>",
			"| a | b |", "|---|---|", "| 1 | 2 |", ": definition", "[text](https://host.test)", "    - deep", "- ```", "  ```", "漢字", "`code`",
		}), 0, 14).Draw(t, "lines"), "\n")
	})
}

// partsOf cuts a text with the splitter alone.
func partsOf(text string) (parts []string) {
	var s splitter
	begin, at := 0, 0
	for at < len(text) {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		next := at + end + 1
		switch s.line(text[at : next-1]) {
		case cutsOff:
			parts = append(parts, text[begin:at])
			begin = at
		case closes:
			parts = append(parts, text[begin:next])
			begin = next
			s.restart()
		}
		at = next
	}
	return append(parts, text[begin:])
}

func TestCutsNeverChangeWhatMarkdownMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := document().Draw(t, "text") + "\n"
		parts := partsOf(text)
		if got := strings.Join(parts, ""); got != text {
			t.Fatalf("the parts %q are not the text", parts)
		}
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(oracle(t, p))
		}
		if want := oracle(t, text); tidy(b.String()) != tidy(want) {
			t.Fatalf("cut into %q the text means\n%s\nwhole it means\n%s", parts, b.String(), want)
		}
	})
}

func TestBlocksMeanWhatTheTextMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := document().Draw(t, "text") + "\n"
		var b strings.Builder
		var cut []string
		for _, bl := range blocksOf(text) {
			b.WriteString(oracle(t, strings.Join(bl.lines, "\n")+"\n"))
			cut = append(cut, fmt.Sprintf("%d%q", bl.kind, bl.lines))
		}
		if want := oracle(t, text); tidy(b.String()) != tidy(want) {
			t.Fatalf("as blocks %s the text means\n%s\nwhole it means\n%s", cut, b.String(), want)
		}
	})
}

// tidy leaves out what is not drawn: blank lines at the end of code, the seam
// between two lists of definitions, indents.
func tidy(html string) string {
	for strings.Contains(html, "\n</code>") {
		html = strings.ReplaceAll(html, "\n</code>", "</code>")
	}
	html = strings.ReplaceAll(strings.ReplaceAll(html, "\n", ""), "</dl><dl>", "")
	return strings.ReplaceAll(html, "    ", "")
}

func TestLinkDefinitionsAreNoticed(t *testing.T) {
	for text, want := range map[string]bool{
		"[a]: https://host.test": true,
		"[a b]: <x>":             true,
		"[a] text":               false,
		"[thought: ] she waits":  false,
	} {
		if got := isDefinition(text); got != want {
			t.Errorf("%q: a definition: %v", text, got)
		}
	}
}

func TestReplyIsCutAtEveryParagraph(t *testing.T) {
	parts := partsOf("One.\n\nTwo.\n\n# Three\nFour.\n\n- a\n\n- b\n\nFive.\n\n```\nx\n\ny\n```\nSix.\n")
	want := []string{"One.\n\n", "Two.\n\n", "# Three\nFour.\n\n", "- a\n\n- b\n\n", "Five.\n\n", "```\nx\n\ny\n```\n", "Six.\n"}
	if strings.Join(parts, "|") != strings.Join(want, "|") {
		t.Errorf("parts %q, want %q", parts, want)
	}
}
