package macro

import (
	"strings"
	"time"
)

// clock returns the macros that tell the time.
func (e *Env) clock(name string) (string, bool) {
	if e.Now.IsZero() {
		return "", false
	}
	layouts := map[string]string{
		"time": "3:04 PM", "date": "January 2, 2006", "weekday": "Monday", "isotime": "15:04", "isodate": "2006-01-02",
	}
	layout, ok := layouts[name]
	if !ok {
		return "", false
	}
	return e.Now.Format(layout), true
}

// stamps are the marks of datetimeformat, which are those of moment.js, the
// longest first, with what Go calls them.
var stamps = [...][2]string{
	{"YYYY", "2006"},
	{"MMMM", "January"},
	{"dddd", "Monday"},
	{"MMM", "Jan"},
	{"ddd", "Mon"},
	{"YY", "06"},
	{"MM", "01"},
	{"DD", "02"},
	{"HH", "15"},
	{"hh", "03"},
	{"mm", "04"},
	{"ss", "05"},
	{"M", "1"},
	{"D", "2"},
	{"H", "15"},
	{"h", "3"},
	{"m", "4"},
	{"s", "5"},
	{"A", "PM"},
	{"a", "pm"},
}

func formatTime(now time.Time, layout string) string {
	var b strings.Builder
	for i := 0; i < len(layout); {
		if layout[i] == '[' {
			if end := strings.IndexByte(layout[i:], ']'); end > 0 {
				b.WriteString(layout[i+1 : i+end])
				i += end + 1
				continue
			}
		}
		n := 1
		text := layout[i : i+1]
		for _, s := range stamps {
			if strings.HasPrefix(layout[i:], s[0]) {
				n, text = len(s[0]), now.Format(s[1])
				break
			}
		}
		b.WriteString(text)
		i += n
	}
	return b.String()
}
