package card

import "herarena/characters"

// Line is one speaker's turn in an example, or in a scenario.
type Line = characters.Line

// Examples cuts example dialogue into blocks of turns; see characters.Examples.
func Examples(text, user, char string, others []string) [][]Line {
	return characters.Examples(text, user, char, others)
}
