package tui

import "herarena/tui/keys"

// presets are habits from other programs, as keys over the defaults.
var presets = map[string]map[string][]string{
	"default": {},
	// vi: where no text is written j, k, g, G and / are as in vi already; half
	// pages and the arrows' letters come on top.
	"vi": {
		"stage.scroll.half.up":   {"ctrl+u"},
		"stage.scroll.half.down": {"ctrl+d"},
		"casting.field.next":     {"tab", "right", "l"},
		"casting.field.previous": {"shift+tab", "left", "h"},
		"casting.half.up":        {"ctrl+u"},
		"casting.half.down":      {"ctrl+d"},
		"board.source.next":      {"tab", "right", "l"},
		"board.source.previous":  {"shift+tab", "left", "h"},
		"board.half.up":          {"ctrl+u"},
		"board.half.down":        {"ctrl+d"},
		"stage.swipe.earlier":    {"left", "h"},
		"stage.swipe.later":      {"right", "l"},
		"stage.card.shut":        {"left", "h"},
		"stage.card.open":        {"right", "l"},
	},
	// emacs: ctrl+n and ctrl+p move, ctrl+v and alt+v page, alt+x finds a
	// command, ctrl+g gets out. ctrl+a, e, f, b, k and y write.
	"emacs": {
		"app.palette":         {"alt+x"},
		"stage.back":          {"ctrl+g"},
		"stage.rejudge":       {"alt+j"},
		"stage.board":         {"alt+r"},
		"stage.page.up":       {"pgup", "alt+v"},
		"stage.page.down":     {"pgdown", "ctrl+v"},
		"stage.history.older": {"up", "ctrl+p"},
		"stage.history.newer": {"down", "ctrl+n"},
		"stage.branch":        {"alt+g"},
		"stage.reveal":        {"alt+o"},
		"stage.search":        {"ctrl+s"},
		"stage.yank":          {"ctrl+y"},
		"stage.redo":          {"alt+y"},
		"stage.scroll.up":     {"up", "k", "ctrl+p"},
		"stage.scroll.down":   {"down", "j", "ctrl+n"},
		"stage.card.up":       {"up", "k", "ctrl+p"},
		"stage.card.down":     {"down", "j", "ctrl+n"},
		"casting.up":          {"up", "k", "ctrl+p"},
		"casting.down":        {"down", "j", "ctrl+n"},
		"casting.page.up":     {"pgup", "alt+v"},
		"casting.page.down":   {"pgdown", "ctrl+v"},
		"casting.filter":      {"/", "ctrl+s"},
		"casting.board":       {"b"},
		"board.up":            {"up", "k", "ctrl+p"},
		"board.down":          {"down", "j", "ctrl+n"},
		"board.page.up":       {"pgup", "alt+v"},
		"board.page.down":     {"pgdown", "ctrl+v"},
		"board.back":          {"q", "ctrl+g"},
	},
}

// Presets are the names of the habits there are keys for.
func Presets() []string { return []string{"default", "vi", "emacs"} }

// Keymap lays a preset and a person's own keys over the defaults. The error is
// a *keys.Fault.
func Keymap(preset string, own map[string][]string) (*keys.Map, error) {
	return keys.NewMap(Groups(), presets[preset], own)
}
