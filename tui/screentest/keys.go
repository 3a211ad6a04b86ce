package screentest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// escPause is how long to wait behind a lone ESC, so that the program does not
// take it for the beginning of a sequence.
const escPause = 120 * time.Millisecond

// Type types text; a line feed is typed as enter.
func (x *Term) Type(text string) {
	_, _ = x.keys.Write([]byte(strings.ReplaceAll(text, "\n", "\r")))
}

// Paste pastes text as a terminal does, bracketed if the program asked for it.
func (x *Term) Paste(text string) { x.em.Paste(text) }

// Press presses keys by name: "enter", "tab", "esc", "space", "backspace",
// "up", "pgdown", "home", "f1", any character, with "ctrl+", "alt+" and
// "shift+" before. It panics on a name it does not know.
func (x *Term) Press(names ...string) {
	for _, name := range names {
		seq, err := encode(name)
		if err != nil {
			panic("screentest: " + err.Error())
		}
		_, _ = x.keys.Write([]byte(seq))
		if seq == "\x1b" {
			time.Sleep(escPause)
		}
	}
}

// codes are the keys with a code of their own, as in the kitty protocol.
var codes = map[string]int{
	"enter": 13, "tab": 9, "esc": 27, "escape": 27, "backspace": 127, "space": 32,
}

// letters are the keys written CSI [1 ; mod] letter.
var letters = map[string]byte{
	"up": 'A', "down": 'B', "right": 'C', "left": 'D', "home": 'H', "end": 'F',
	"f1": 'P', "f2": 'Q', "f3": 'R', "f4": 'S',
}

// numbers are the keys written CSI number [; mod] ~.
var numbers = map[string]int{
	"insert": 2, "delete": 3, "pgup": 5, "pgdown": 6,
	"f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24,
}

// The bits of a modifier parameter, less one.
const (
	shift = 1
	alt   = 2
	ctrl  = 4
)

// encode writes a key as a terminal sends it: the classic form where there is
// one, else the kitty form.
func encode(name string) (string, error) {
	mod, key := 0, name
	for {
		if rest, ok := strings.CutPrefix(key, "ctrl+"); ok {
			mod, key = mod|ctrl, rest
		} else if rest, ok := strings.CutPrefix(key, "alt+"); ok {
			mod, key = mod|alt, rest
		} else if rest, ok := strings.CutPrefix(key, "shift+"); ok {
			mod, key = mod|shift, rest
		} else {
			break
		}
	}
	if l, ok := letters[key]; ok {
		switch {
		case mod != 0:
			return fmt.Sprintf("\x1b[1;%d%c", mod+1, l), nil
		case l >= 'P':
			return "\x1bO" + string(l), nil
		}
		return "\x1b[" + string(l), nil
	}
	if n, ok := numbers[key]; ok {
		if mod != 0 {
			return fmt.Sprintf("\x1b[%d;%d~", n, mod+1), nil
		}
		return "\x1b[" + strconv.Itoa(n) + "~", nil
	}
	code, ok := codes[key]
	if !ok {
		r, n := utf8.DecodeRuneInString(key)
		if n == 0 || n != len(key) {
			return "", fmt.Errorf("unknown key %q (want a character or a name such as enter, pgdown, f1)", name)
		}
		code = int(r)
	}
	return classic(code, mod), nil
}

// classic writes a character key with modifiers.
func classic(code, mod int) string {
	prefix := ""
	if mod&alt != 0 {
		prefix = "\x1b"
	}
	switch plain := mod &^ alt; {
	case plain == 0:
		return prefix + string(rune(code))
	case plain == shift && code == 9:
		return prefix + "\x1b[Z"
	case plain == shift && code >= 'a' && code <= 'z':
		return prefix + string(rune(code-32))
	case plain == ctrl && code >= 'a' && code <= 'z':
		return prefix + string(rune(code&0x1f))
	case plain == ctrl && code == ' ':
		return prefix + "\x00"
	}
	return fmt.Sprintf("\x1b[%d;%du", code, mod+1)
}
