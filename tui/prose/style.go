package prose

import (
	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"

	"herarena/tui/look"
)

// renderer makes a Glamour renderer for one width in a look's styles.
func renderer(l *look.Look, width int) (*glamour.TermRenderer, error) {
	return glamour.NewTermRenderer(
		glamour.WithStyles(styles(l)),
		glamour.WithWordWrap(width),
		glamour.WithPreservedNewLines(),
	)
}

// styles translates a look into Glamour's terms. There are no margins: the pane
// around the prose has its own.
func styles(l *look.Look) ansi.StyleConfig {
	g := l.Glyphs
	heading := primitive(l, look.Title)
	code := primitive(l, look.Code)
	quoteBar := l.Paint(look.Dim, g.Quote) + " "
	rule := primitive(l, look.Dim)
	rule.Format = "\n" + g.Rule + g.Rule + g.Rule + "\n"
	bullet := ansi.StylePrimitive{BlockPrefix: g.Bullet + " "}
	one := uint(1)
	two := uint(2)
	c := ansi.StyleConfig{
		BlockQuote:  ansi.StyleBlock{StylePrimitive: primitive(l, look.Quote), Indent: &one, IndentToken: &quoteBar},
		List:        ansi.StyleList{LevelIndent: 2},
		Heading:     ansi.StyleBlock{StylePrimitive: heading},
		Emph:        ansi.StylePrimitive{Italic: yes()},
		Strong:      ansi.StylePrimitive{Bold: yes()},
		Item:        bullet,
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
		Task:        ansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:        primitive(l, look.Link),
		LinkText:    ansi.StylePrimitive{Bold: yes()},
		Image:       primitive(l, look.Link),
		Code:        ansi.StyleBlock{StylePrimitive: code},
		CodeBlock:   ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{StylePrimitive: code, Margin: &two}},
		DefinitionDescription: ansi.StylePrimitive{
			BlockPrefix: "\n" + g.Folded + " ",
		},
		Strikethrough:  ansi.StylePrimitive{CrossedOut: yes()},
		HorizontalRule: rule,
	}
	if l.ASCII {
		cross, column, row := "+", "|", "-"
		c.Table = ansi.StyleTable{CenterSeparator: &cross, ColumnSeparator: &column, RowSeparator: &row}
	}
	return c
}

func yes() *bool {
	t := true
	return &t
}

// primitive translates a role.
func primitive(l *look.Look, r look.Role) ansi.StylePrimitive {
	var p ansi.StylePrimitive
	if c := l.ColourName(r); c != "" {
		p.Color = &c
	}
	s := l.Style(r)
	if s.GetBold() {
		p.Bold = yes()
	}
	if s.GetItalic() {
		p.Italic = yes()
	}
	if s.GetUnderline() {
		p.Underline = yes()
	}
	return p
}
