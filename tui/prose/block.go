package prose

import (
	"slices"
	"strings"
)

// blockKind is what a block of lines is.
type blockKind uint8

const (
	textBlock  blockKind = iota // a paragraph, perhaps with inline Markdown
	otherBlock                  // headings, tables, HTML, indented code: Glamour's
	listBlock
	quoteBlock
	fenceBlock
	ruleBlock
)

// block is a run of lines of one kind; apart tells that a blank line stood
// before it, or that its kind wants one.
type block struct {
	kind  blockKind
	lines []string
	apart bool
}

// blocksOf cuts complete Markdown into blocks. Splitting at blank lines follows
// the splitter; within a part it follows what may interrupt a paragraph
// (CommonMark 0.31, sections 4 and 5).
func blocksOf(text string) []block {
	var out []block
	var s splitter
	var part []string
	flush := func() {
		out = append(out, partBlocks(part)...)
		part = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		v := s.line(line)
		if v == cutsOff {
			flush()
		}
		part = append(part, line)
		if v == closes {
			flush()
			s.restart()
		}
	}
	flush()
	return out
}

// partBlocks cuts one part of the splitter.
func partBlocks(lines []string) []block {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	blank := true
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return nil
	}
	if indentOf(lines[0]) >= 4 {
		return []block{{otherBlock, lines, true}}
	}
	_, fenced := fenceOf(strings.TrimLeft(lines[0], " "))
	if fenced == 0 && slices.ContainsFunc(lines, entangled) {
		return []block{{otherBlock, lines, true}} // what follows one depends on too much
	}
	var out []block
	var fence byte
	var run int
	for _, l := range lines {
		trimmed := strings.TrimLeft(l, " \t")
		if trimmed == "" {
			blank = true
			out[len(out)-1].lines = append(out[len(out)-1].lines, l)
			continue
		}
		var last *block
		if n := len(out); n > 0 {
			last = &out[n-1]
		}
		if fence != 0 { // within a fence of its own, not one of a list
			last.lines = append(last.lines, l)
			if c, n := fenceOf(trimmed); c == fence && n >= run && strings.TrimSpace(trimmed[n:]) == "" {
				fence = 0
			}
			continue
		}
		kind, starts := startOf(l, trimmed, last, blank)
		if !starts {
			last.lines = append(last.lines, l)
			blank = false
			continue
		}
		if kind == fenceBlock {
			fence, run = fenceOf(trimmed)
		}
		if last != nil && last.kind == listBlock && !regular(last.lines) {
			return []block{{otherBlock, lines, true}}
		}
		out = append(out, block{kind: kind, lines: []string{l}, apart: blank || wantsRoom(kind) || last != nil && wantsRoom(last.kind)})
		blank = false
	}
	if last := out[len(out)-1]; last.kind == listBlock && !regular(last.lines) {
		return []block{{otherBlock, lines, true}}
	}
	return out
}

// regular reports a list whose outer items begin at the margin and whose other
// lines are either at the margin or clearly within their item.
func regular(lines []string) bool {
	content := 0
	for _, l := range lines {
		trimmed := strings.TrimLeft(l, " \t")
		if trimmed == "" {
			continue
		}
		depth := indentOf(l)
		if depth == 0 && isItem(trimmed) {
			content = itemIndent(trimmed)
		} else if depth > 0 && depth < content || content == 0 {
			return false
		}
	}
	return true
}

// entangled reports a line whose meaning, or that of what follows, depends on
// more than blocks look at: an item without text, a tag, a definition.
func entangled(l string) bool {
	return emptyItem(l) || opensHTML(l) || strings.HasPrefix(strings.TrimLeft(l, " \t>"), ":")
}

// emptyItem reports a list marker without text.
func emptyItem(l string) bool {
	l = strings.Trim(l, " \t>")
	return len(l) <= 10 && isItem(l) && strings.IndexByte(l, ' ') < 0
}

// opensHTML reports a line that begins with a tag.
func opensHTML(l string) bool {
	l = strings.TrimLeft(l, " \t>")
	return strings.HasPrefix(l, "<") && htmlEnd(l) != ""
}

// wantsRoom reports whether a kind has a blank row around it in any case.
func wantsRoom(kind blockKind) bool { return kind == fenceBlock || kind == ruleBlock }

// startOf tells whether a line that is not blank begins a block behind last,
// and of which kind.
func startOf(l, trimmed string, last *block, blank bool) (blockKind, bool) {
	depth := indentOf(l)
	kind := textBlock
	switch {
	case depth >= 4:
		kind = otherBlock
	case trimmed[0] == '>':
		kind = quoteBlock
	case isHeading(trimmed):
		kind = otherBlock
	case isRule(trimmed):
		kind = ruleBlock
	case isItem(trimmed):
		kind = listBlock
	default:
		if _, n := fenceOf(trimmed); n > 0 {
			kind = fenceBlock
		}
	}
	if last == nil {
		return kind, true
	}
	switch last.kind {
	case listBlock:
		// The list takes all that is indented or an item of its kind; other
		// blocks end it, text goes on with its last paragraph, if it ends in one.
		if kind == listBlock {
			return kind, depth == 0 && itemKind(trimmed) != itemKind(strings.TrimLeft(last.lines[0], " "))
		}
		if depth == 0 && kind == textBlock {
			last.kind = otherBlock
		}
		return kind, depth == 0 && kind != textBlock
	case quoteBlock:
		if !blank && (kind == textBlock || depth >= 4) {
			last.kind = otherBlock // its last paragraph goes on, if it ends in one
			return kind, false
		}
		return kind, kind != quoteBlock || blank
	case fenceBlock, ruleBlock:
		return kind, true
	case otherBlock:
		if isHeading(strings.TrimLeft(last.lines[0], " ")) {
			return kind, true
		}
		return kind, false
	}
	if blank && depth < 4 {
		return kind, true
	}
	switch kind { // directly behind a paragraph
	case listBlock:
		_, rest, _ := strings.Cut(trimmed, " ")
		first := trimmed[0]
		interrupts := strings.TrimSpace(rest) != "" && (first < '0' || first > '9' || strings.HasPrefix(trimmed, "1.") || strings.HasPrefix(trimmed, "1)"))
		return kind, interrupts
	case ruleBlock:
		return kind, trimmed[0] != '-' // dashes make the paragraph a heading
	case otherBlock:
		return kind, isHeading(trimmed) && depth < 4
	}
	return kind, kind != textBlock
}

// item is a list item: its marker and its lines without the marker's indent.
type item struct {
	mark  string
	lines []string
}

// itemsOf cuts a list into items. loose tells that blank lines stand between
// items or within them.
func itemsOf(lines []string) (items []item, loose bool) {
	content, blank := 0, false
	for _, l := range lines {
		trimmed := strings.TrimLeft(l, " \t")
		if trimmed == "" {
			blank = true
			if n := len(items); n > 0 {
				items[n-1].lines = append(items[n-1].lines, "")
			}
			continue
		}
		depth := indentOf(l)
		if isItem(trimmed) && !isRule(trimmed) && (len(items) == 0 || depth < content) {
			mark, _, _ := strings.Cut(strings.ReplaceAll(trimmed, "\t", " "), " ")
			indent := itemIndent(trimmed)
			content = depth + indent
			loose = loose || blank
			items = append(items, item{mark, []string{trimmed[min(indent, len(trimmed)):]}})
			blank = false
			continue
		}
		n := len(items) - 1
		if blank && depth >= content && len(items[n].lines) > 1 {
			loose = true
		}
		blank = false
		items[n].lines = append(items[n].lines, dedent(l, content))
	}
	return items, loose
}

// itemKind returns what items of one list share: the bullet, or what stands
// behind the number.
func itemKind(trimmed string) byte {
	return trimmed[strings.IndexFunc(trimmed, func(r rune) bool { return r < '0' || r > '9' })]
}

// indentOf counts the columns of white space a line begins with, up to 8.
func indentOf(l string) int {
	n := 0
	for i := 0; i < len(l) && n < 8; i++ {
		switch l[i] {
		case ' ':
			n++
		case '\t':
			n += tabStop - n%tabStop
		default:
			return n
		}
	}
	return n
}

// dedent takes up to n columns of white space from the beginning of a line.
func dedent(l string, n int) string {
	for n > 0 && l != "" {
		switch l[0] {
		case ' ':
			n--
		case '\t':
			n -= tabStop
		default:
			return l
		}
		l = l[1:]
	}
	return l
}

// closesFence reports whether a line closes the fence that another opened.
func closesFence(opened, l string) bool {
	c, n := fenceOf(strings.TrimLeft(opened, " \t"))
	l = strings.TrimLeft(l, " \t")
	d, m := fenceOf(l)
	return c == d && m >= n && strings.TrimSpace(l[m:]) == ""
}
