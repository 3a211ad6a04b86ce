package look

import "strings"

// Theme is a set of colours for dark and for light backgrounds. Weights,
// glyphs and the sixteen colours are the same in all of them.
type Theme struct {
	Name  string
	About string // a few words for whoever chooses
	dark  ground
	light ground
	tints [roles]tint
	own16 bool // the terminal's sixteen colours, whatever it can show
}

// ground is a theme's own background and text; empty leaves the terminal's.
type ground struct{ bg, fg string }

// tint is a role's colours; empty leaves the terminal's own.
type tint struct{ dark, light, bgDark, bgLight string }

// DefaultTheme is the theme of a look that names none.
const DefaultTheme = "footlights"

// Themes are all themes, the default one first.
func Themes() []Theme { return append([]Theme(nil), themes...) }

// ThemeNames are the names of all themes, the default one first.
func ThemeNames() []string {
	names := make([]string, len(themes))
	for i := range themes {
		names[i] = themes[i].Name
	}
	return names
}

// HasTheme reports whether there is a theme of that name.
func HasTheme(name string) bool {
	for i := range themes {
		if themes[i].Name == name {
			return true
		}
	}
	return false
}

// theme returns a theme by name; one that is not known is the default.
func theme(name string) *Theme {
	for i := range themes {
		if strings.EqualFold(themes[i].Name, name) {
			return &themes[i]
		}
	}
	return &themes[0]
}

// spec is a role under the theme.
func (t *Theme) spec(r Role) spec {
	s, c := specs[r], t.tints[r]
	s.dark, s.light, s.bgDark, s.bgLight = c.dark, c.light, c.bgDark, c.bgLight
	return s
}

// Ground returns the theme's own text and background as #rrggbb; ok is false
// where the terminal's own are kept.
func (l *Look) Ground() (fg, bg string, ok bool) {
	g := l.theme.light
	if l.Dark {
		g = l.theme.dark
	}
	return g.fg, g.bg, l.Colour == Full && g.bg != ""
}

// themes are the palettes. The warm side and the cool side stay apart for the
// colour-blind. Text keeps a contrast of 4.5:1 or more on each theme's own
// background and on those that people commonly have; tests hold them to it.
var themes = []Theme{
	{
		Name: DefaultTheme, About: "amber and blue on the terminal's own background",
		tints: [roles]tint{
			Title:       {dark: "#f2d9a6", light: "#6b4400"},
			Dim:         {dark: "#9fa3b4", light: "#5c6070"},
			Accent:      {dark: "#e3a6ff", light: "#7a1fa8"},
			SideA:       {dark: "#ffb067", light: "#974200"},
			SideB:       {dark: "#7cc4ff", light: "#00569e"},
			System:      {dark: "#a7abc0", light: "#555a6e"},
			Native:      {dark: "#95b0ad", light: "#3f625e"},
			Think:       {dark: "#cbb4f2", light: "#5b3a94"},
			Act:         {dark: "#dcbd7f", light: "#735300"},
			Good:        {dark: "#93d69a", light: "#1a6b2b"},
			Bad:         {dark: "#ff9a9a", light: "#b0141f"},
			Warn:        {dark: "#f2c66d", light: "#7f5000"},
			Border:      {dark: "#757a91", light: "#85899b"},
			BorderFocus: {dark: "#e3a6ff", light: "#7a1fa8"},
			Selected:    {dark: "#ffffff", light: "#16161d", bgDark: "#454869", bgLight: "#d9dcf2"},
			Key:         {dark: "#e3a6ff", light: "#7a1fa8"},
			Quote:       {dark: "#b3c3cf", light: "#465764"},
			Code:        {dark: "#9fd6c5", light: "#0a6153"},
			Link:        {dark: "#8fc1f5", light: "#0b5aa8"},
			Badge:       {dark: "#1b1b22", light: "#ffffff", bgDark: "#e3a6ff", bgLight: "#7a1fa8"},
		},
	},
	{
		Name: "velvet", About: "warm: wine, brass and candlelight",
		dark: ground{"#1c1315", "#f1e4d9"}, light: ground{"#fff8f0", "#2e1b17"},
		tints: [roles]tint{
			Title:       {dark: "#f3ca83", light: "#644605"},
			Dim:         {dark: "#af9a8e", light: "#756157"},
			Accent:      {dark: "#fe94a2", light: "#b71847"},
			SideA:       {dark: "#fbb051", light: "#8a5708"},
			SideB:       {dark: "#62c8df", light: "#026c7f"},
			System:      {dark: "#b49c94", light: "#735e57"},
			Native:      {dark: "#98a994", light: "#576754"},
			Think:       {dark: "#e6a4c8", light: "#983c76"},
			Act:         {dark: "#ddbc68", light: "#7a5f0b"},
			Good:        {dark: "#99cc7c", light: "#3c6e14"},
			Bad:         {dark: "#ff9189", light: "#bd0d21"},
			Warn:        {dark: "#f6b95d", light: "#895c05"},
			Border:      {dark: "#93746e", light: "#a0807b"},
			BorderFocus: {dark: "#fb8898", light: "#c0244e"},
			Selected:    {dark: "#fff4ea", light: "#33120c", bgDark: "#64262e", bgLight: "#f9cdcb"},
			Key:         {dark: "#fd98a5", light: "#b32149"},
			Quote:       {dark: "#ccb39f", light: "#745842"},
			Code:        {dark: "#88d2be", light: "#016d5a"},
			Link:        {dark: "#6ac6e8", light: "#0d6884"},
			Badge:       {dark: "#1c1315", light: "#ffffff", bgDark: "#feafb7", bgLight: "#9e3d4f"},
		},
	},
	{
		Name: "harbour", About: "cool: slate, sea glass and a lamp",
		dark: ground{"#0e1922", "#dce7ee"}, light: ground{"#f4f9fb", "#12222d"},
		tints: [roles]tint{
			Title:       {dark: "#9be1e4", light: "#045458"},
			Dim:         {dark: "#91a4ad", light: "#516570"},
			Accent:      {dark: "#5bd7d0", light: "#0b6b67"},
			SideA:       {dark: "#fcbe62", light: "#865900"},
			SideB:       {dark: "#7cbdff", light: "#0260a7"},
			System:      {dark: "#92a7b3", light: "#526571"},
			Native:      {dark: "#92ada0", light: "#4f685d"},
			Think:       {dark: "#b8b0f0", light: "#5f49ab"},
			Act:         {dark: "#cecb96", light: "#6a641e"},
			Good:        {dark: "#7cd79d", light: "#0b7140"},
			Bad:         {dark: "#fd9598", light: "#b81839"},
			Warn:        {dark: "#f0c66a", light: "#805f00"},
			Border:      {dark: "#637f8e", light: "#6e8c9b"},
			BorderFocus: {dark: "#3fc1c1", light: "#0a7373"},
			Selected:    {dark: "#f2fbff", light: "#05202e", bgDark: "#03435b", bgLight: "#bae3ed"},
			Key:         {dark: "#69d5ce", light: "#0b6b67"},
			Quote:       {dark: "#a0c2ce", light: "#39616e"},
			Code:        {dark: "#93d2b0", light: "#246c4b"},
			Link:        {dark: "#78bef8", light: "#02649f"},
			Badge:       {dark: "#0e1922", light: "#ffffff", bgDark: "#68d5d4", bgLight: "#03696a"},
		},
	},
	{
		Name: "contrast", About: "high contrast: every text well over 7 to 1",
		dark: ground{"#000000", "#ffffff"}, light: ground{"#ffffff", "#000000"},
		tints: [roles]tint{
			Title:       {dark: "#ffeead", light: "#423602"},
			Dim:         {dark: "#cdd0d7", light: "#42444a"},
			Accent:      {dark: "#f2befe", light: "#76048b"},
			SideA:       {dark: "#fedaaa", light: "#5d3d03"},
			SideB:       {dark: "#c0e4fe", light: "#014467"},
			System:      {dark: "#cbd0de", light: "#404450"},
			Native:      {dark: "#b3dece", light: "#244b3e"},
			Think:       {dark: "#decefe", light: "#5e05a6"},
			Act:         {dark: "#ffeb72", light: "#4e4400"},
			Good:        {dark: "#8afd90", light: "#045012"},
			Bad:         {dark: "#fdb7b4", light: "#8d001c"},
			Warn:        {dark: "#fee7b6", light: "#574006"},
			Border:      {dark: "#aeb1b7", light: "#52545a"},
			BorderFocus: {dark: "#f2befe", light: "#76048b"},
			Selected:    {dark: "#000000", light: "#ffffff", bgDark: "#fedc52", bgLight: "#610173"},
			Key:         {dark: "#f4c5fe", light: "#76048b"},
			Quote:       {dark: "#cbe3ef", light: "#294451"},
			Code:        {dark: "#85fad3", light: "#064e3c"},
			Link:        {dark: "#bbe5fe", light: "#034968"},
			Badge:       {dark: "#000000", light: "#ffffff", bgDark: "#efacfe", bgLight: "#6d2080"},
		},
	},
	{
		Name: "paper", About: "muted: ink, sepia and pencil",
		dark: ground{"#211f1b", "#dcd5c6"}, light: ground{"#f6f0e1", "#38332a"},
		tints: [roles]tint{
			Title:       {dark: "#e2c7a9", light: "#614626"},
			Dim:         {dark: "#a49d90", light: "#6a6358"},
			Accent:      {dark: "#e8a18e", light: "#98432e"},
			SideA:       {dark: "#eba26f", light: "#904e18"},
			SideB:       {dark: "#89b7df", light: "#216191"},
			System:      {dark: "#a6a197", light: "#676055"},
			Native:      {dark: "#96a999", light: "#536656"},
			Think:       {dark: "#bca8cb", light: "#6f5086"},
			Act:         {dark: "#cbb588", light: "#755e2b"},
			Good:        {dark: "#9cc294", light: "#426b39"},
			Bad:         {dark: "#e6958a", light: "#a23931"},
			Warn:        {dark: "#deb67f", light: "#855c1a"},
			Border:      {dark: "#817869", light: "#8e8576"},
			BorderFocus: {dark: "#d99381", light: "#a34d37"},
			Selected:    {dark: "#f6efe0", light: "#2b261c", bgDark: "#493e2e", bgLight: "#e4d2b4"},
			Key:         {dark: "#e9a593", light: "#98432e"},
			Quote:       {dark: "#a4b9c0", light: "#46616a"},
			Code:        {dark: "#98c4b7", light: "#376a5d"},
			Link:        {dark: "#8bbbdc", light: "#25648c"},
			Badge:       {dark: "#211f1b", light: "#ffffff", bgDark: "#fcb3a0", bgLight: "#89493a"},
		},
	},
	{Name: "terminal", About: "the sixteen colours of your terminal's own theme", own16: true},
}
