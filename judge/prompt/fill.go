package prompt

import (
	"fmt"
	"strings"

	"herarena/arena"
)

// Form is how the dialogue context is written into the prompt.
type Form string

// The forms. HER-RM's prompt describes FormIDs, but its training code sends
// FormRoles, which is the default.
const (
	FormRoles Form = "roles" // System: … Assistant: … User: …, a blank line between
	FormIDs   Form = "ids"   // id:1, name(role): …, one a line
)

// ParseForm reads a form's word; "" is FormRoles, an unknown word an error.
func ParseForm(word string) (Form, error) {
	switch f := Form(word); f {
	case "":
		return FormRoles, nil
	case FormRoles, FormIDs:
		return f, nil
	}
	return "", fmt.Errorf("unknown context form %q (want roles or ids)", word)
}

// Fill writes a case into the template. Each placeholder is replaced once, in a
// single pass from left to right over the template's own text: what a context or
// a candidate holds is never looked at again, placeholders and headings
// included. The zero Template is the default one.
func (t Template) Fill(c arena.Case, form Form) string {
	text := t.Text
	if text == "" {
		text = Default().Text
	}
	// NewReplacer scans the old text only and never its own output.
	return strings.NewReplacer(Context, History(c, form), Cand1, c.Cand1, Cand2, c.Cand2).Replace(text)
}

// History writes the shared context in a form. As HER's training code does, a
// last line that is not the partner's is left out where others remain.
func History(c arena.Case, form Form) string {
	lines := c.Context
	if n := len(lines); n > 1 && lines[n-1].Role == "assistant" {
		lines = lines[:n-1]
	}
	parts := make([]string, len(lines))
	for i, l := range lines {
		if form == FormIDs {
			parts[i] = fmt.Sprintf("id:%d, %s(%s): %s", i+1, speaker(c, l), role(l), l.Content)
		} else {
			parts[i] = title(role(l)) + ": " + named(l)
		}
	}
	if form == FormIDs {
		return strings.Join(parts, "\n")
	}
	return strings.Join(parts, "\n\n")
}

func role(l arena.ContextLine) string {
	switch l.Role {
	case "system", "assistant":
		return l.Role
	}
	return "user"
}

func title(role string) string { return strings.ToUpper(role[:1]) + role[1:] }

// named puts the speaker's name before a line, once, as the training data has it.
func named(l arena.ContextLine) string {
	name := strings.TrimSpace(l.Name)
	if role(l) == "system" || name == "" {
		return l.Content
	}
	start := strings.TrimSpace(l.Content)
	if strings.HasPrefix(start, name+":") || strings.HasPrefix(start, name+"：") {
		return l.Content
	}
	return name + ": " + l.Content
}

func speaker(c arena.Case, l arena.ContextLine) string {
	if name := strings.TrimSpace(l.Name); name != "" {
		return name
	}
	switch {
	case role(l) == "assistant" && c.Character != "":
		return c.Character
	case role(l) == "user" && c.User != "":
		return c.User
	}
	return role(l)
}
