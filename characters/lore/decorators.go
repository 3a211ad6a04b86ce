package lore

import (
	"strconv"
	"strings"
)

// decorators are the marks at the top of an entry's content, of version 3.
type decorators struct {
	activate, dont   bool
	after, every     int // 0: not set
	keep, never      bool
	depth, scanDepth *int
	top              bool // depth counts from the first message
	role             string
	place            Place
	greeting         *int
	additional       [][]string
	exclude          [][]string
	ignoreOnMax      bool
	without          []string
}

// Strip returns an entry's content without its decorators, and the
// decorators' lines.
func Strip(content string) (text, marks string) {
	lines := strings.Split(strings.ReplaceAll(content, "\r\n", "\n"), "\n")
	n, last := 0, 0
	for n < len(lines) {
		line := strings.TrimSpace(lines[n])
		if !strings.HasPrefix(line, "@@") && line != "" {
			break
		}
		n++
		if line != "" {
			last = n
		}
	}
	if last == 0 {
		return content, ""
	}
	return strings.Join(lines[n:], "\n"), strings.Join(lines[:last], "\n")
}

// parse reads decorators. A line of three @ is tried only after the one above
// it was not understood; of two that say the same the first counts.
func parse(marks string) decorators {
	var d decorators
	set := map[string]bool{}
	refused := false
	for _, line := range strings.Split(marks, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		fallback := strings.HasPrefix(line, "@@@")
		if fallback && !refused {
			continue
		}
		name, value, _ := strings.Cut(strings.TrimLeft(line, "@"), " ")
		value = strings.TrimSpace(value)
		repeatable := name == "additional_keys" || name == "exclude_keys" || name == "disable_ui_prompt"
		if set[name] && !repeatable {
			refused = false
			continue
		}
		if ok := d.set(name, value); ok {
			set[name] = true
			refused = false
		} else {
			refused = true
		}
	}
	return d
}

// set takes one decorator and reports whether it was understood.
func (d *decorators) set(name, value string) bool {
	n, err := strconv.Atoi(value)
	number := err == nil && n >= 0
	switch name {
	case "activate":
		d.activate = true
	case "dont_activate":
		d.dont = true
	case "activate_only_after":
		d.after = n
		return number
	case "activate_only_every":
		d.every = n
		return number && n > 0
	case "keep_activate_after_match":
		d.keep = true
	case "dont_activate_after_match":
		d.never = true
	case "depth":
		if number {
			d.depth, d.top = &n, false
		}
		return number
	case "reverse_depth":
		if number && d.depth == nil {
			d.depth, d.top = &n, true
		}
		return number
	case "scan_depth":
		if number {
			d.scanDepth = &n
		}
		return number
	case "role":
		if value != "system" && value != "user" && value != "assistant" {
			return false
		}
		d.role = value
	case "is_greeting":
		if number {
			d.greeting = &n
		}
		return number
	case "position":
		places := map[string]Place{"after_desc": AfterChar, "before_desc": BeforeChar, "personality": Personality, "scenario": Scenario}
		place, ok := places[value]
		d.place = place
		return ok
	case "additional_keys":
		d.additional = append(d.additional, commas(value))
		return value != ""
	case "exclude_keys":
		d.exclude = append(d.exclude, commas(value))
		return value != ""
	case "ignore_on_max_context":
		d.ignoreOnMax = true
	case "is_user_icon":
		// It chooses a picture, and there are none in a prompt.
		return value != ""
	case "disable_ui_prompt":
		if value != "system_prompt" && value != "post_history_instructions" {
			return false
		}
		d.without = append(d.without, value)
	default:
		return false
	}
	return true
}

func commas(text string) []string {
	var out []string
	for _, part := range strings.Split(strings.ReplaceAll(text, `\,`, "\x00"), ",") {
		if part = strings.TrimSpace(strings.ReplaceAll(part, "\x00", ",")); part != "" {
			out = append(out, part)
		}
	}
	return out
}
