package characters

import (
	"regexp"
	"strings"
)

var startMark = regexp.MustCompile(`(?i)<START>`)

// Examples cuts example dialogue into blocks of turns. A line that begins with
// a name of the cast and a colon opens a turn, "You:" is the person's; user and
// char are the names, or the macros that stand for them. Text that nobody says
// is kept with an empty name, and blocks without text are left out.
func Examples(text, user, char string, others []string) [][]Line {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.NewReplacer("{{user}}:", user+":", "{{char}}:", char+":", "{{User}}:", user+":", "{{Char}}:", char+":",
		"<USER>:", user+":", "<BOT>:", char+":").Replace(text)
	names := append([]string{user, char, "You"}, others...)
	var blocks [][]Line
	for _, block := range startMark.Split(text, -1) {
		var lines []Line
		for _, row := range strings.Split(block, "\n") {
			name, rest, ok := speaker(row, names)
			switch {
			case ok:
				if name == "You" {
					name = user
				}
				lines = append(lines, Line{name, rest})
			case len(lines) == 0:
				if strings.TrimSpace(row) != "" {
					lines = append(lines, Line{"", row})
				}
			default:
				lines[len(lines)-1].Text += "\n" + row
			}
		}
		for i := range lines {
			lines[i].Text = strings.TrimSpace(lines[i].Text)
		}
		if len(lines) > 0 {
			blocks = append(blocks, lines)
		}
	}
	return blocks
}

func speaker(row string, names []string) (name, rest string, ok bool) {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(row, name+":"); ok && name != "" {
			return name, strings.TrimSpace(rest), true
		}
	}
	return "", "", false
}
