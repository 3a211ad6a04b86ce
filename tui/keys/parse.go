package keys

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

// Parse returns the key of a name, as if it had been pressed: the inverse of
// Name. A name that is no key's is the text of its first letter.
func Parse(name string) tea.KeyPressMsg {
	var k tea.Key
	for _, m := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if rest, ok := strings.CutPrefix(name, m.prefix); ok && rest != "" {
			k.Mod |= m.mod
			name = rest
		}
	}
	if code, ok := codes[name]; ok {
		k.Code = code
		if code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
		return tea.KeyPressMsg(k)
	}
	k.Code, _ = utf8.DecodeRuneInString(name)
	if k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		k.Text = string(k.Code)
	}
	return tea.KeyPressMsg(k)
}
