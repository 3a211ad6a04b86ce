package prompt

import (
	_ "embed"
	"fmt"
	"strings"

	"herarena/judge/principles"
)

//go:embed general.txt
var generalText string

// listPlace is where the general template has its list of principles.
const listPlace = "{principles}"

// General returns the template for models that were not trained to judge
// role-play (GPT, Claude, Qwen, DeepSeek and the like): it gives them a list of
// principles to choose from, as the teacher of HER-RM had one, and asks for the
// same output. name is what the list is called, "ours" for the arena's own; the
// list is part of the text and so of its hash.
func General(name string, list []principles.Principle) Template {
	return newTemplate("general, principles "+name, strings.TrimRight(strings.Replace(generalText, listPlace, written(list), 1), "\n"))
}

// written puts principles into the prompt, by dimension in the order given.
func written(list []principles.Principle) string {
	// What a file of principles holds must not be taken for a place of the case.
	plain := strings.NewReplacer(Context, "", Cand1, "", Cand2, "", "\n", " ", "\r", " ")
	var b strings.Builder
	dimension := ""
	for _, p := range list {
		sign := "+"
		if p.Polarity == principles.Negative {
			sign = "-"
		}
		if p.Dimension != dimension {
			dimension = p.Dimension
			fmt.Fprintf(&b, "%s (%s)\n", plain.Replace(dimension), sign)
		}
		fmt.Fprintf(&b, "%s %s [%s]: %s\n", sign, plain.Replace(p.Name), p.Level, plain.Replace(p.Definition))
	}
	return strings.TrimRight(b.String(), "\n")
}
