package look

// Glyphs are the marks the screens draw with. Every one is a cell wide, except
// Frames of the spinner, which share one width.
type Glyphs struct {
	Folded, Open       string   // a card or panel shut, opened
	Plan               string   // before system thinking (the fold mark does for both)
	Think              string   // rule before each row of role thinking
	Act                string   // before role action
	Speech             string   // before speech: nothing
	Reason             string   // before native reasoning
	Prompt             string   // before the composer
	Bullet, Dot        string   // list item, separator
	Down, Up           string   // rows below, rows above
	Good, Bad, Even    string   // polarity and result marks
	Flip               string   // the two orders disagree
	Cut                string   // a reply was cut off
	More               string   // ellipsis
	Rule               string   // horizontal rule
	Quote              string   // bar before a quote
	Bar                []string // eighths of a cell, from one eighth to full
	BarEmpty           string
	Spark              []string // eighths of a cell upwards
	Spinner            []string
	corners            [4]string // ┌ ┐ └ ┘
	horizontal, upward string
	heavy              [6]string // focus without colour: ┏ ┓ ┗ ┛ ━ ┃
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Folded: "▸", Open: "▾", Plan: "▸", Think: "╎", Act: "◇", Reason: "▸",
		Prompt: "›", Bullet: "•", Dot: "·", Down: "↓", Up: "↑",
		Good: "+", Bad: "−", Even: "=", Flip: "⇄", Cut: "✂", More: "…", Rule: "─", Quote: "▏",
		Bar:      []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		BarEmpty: "░",
		Spark:    []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Spinner:  []string{"◜", "◠", "◝", "◞", "◡", "◟"},
		corners:  [4]string{"╭", "╮", "╰", "╯"}, horizontal: "─", upward: "│",
		heavy: [6]string{"┏", "┓", "┗", "┛", "━", "┃"},
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Folded: ">", Open: "v", Plan: ">", Think: ":", Act: "*", Reason: ">",
		Prompt: ">", Bullet: "-", Dot: ".", Down: "v", Up: "^",
		Good: "+", Bad: "-", Even: "=", Flip: "x", Cut: "!", More: "~", Rule: "-", Quote: "|",
		Bar:      []string{"#"},
		BarEmpty: ".",
		Spark:    []string{"_", ".", "-", "=", "+", "*", "#", "@"},
		Spinner:  []string{"|", "/", "-", "\\"},
		corners:  [4]string{"+", "+", "+", "+"}, horizontal: "-", upward: "|",
		heavy: [6]string{"#", "#", "#", "#", "=", "#"},
	}
}
