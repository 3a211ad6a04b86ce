package main

import (
	"github.com/spf13/cobra"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/library"
)

// sceneSample is a small scene file with every key that matters.
const sceneSample = `  id = "quay"
  title = "The quay"
  language = "en"
  scenario = "Night. A customs officer walks up to the last boat."
  opening = "<role_action>coils a rope</role_action>You are late, officer."
  suggestions = ["Where is the cargo?"]
  [character]
  name = "Mara"
  profile = "A smuggler with debts."
  voice = "Short sentences, dry."
  thoughts = "He must not look below."
  [user]
  name = "Teller"
  profile = "A customs officer."`

func (a *app) castCmd() *cobra.Command {
	c := &cobra.Command{Use: "cast", Short: "List, show, import or export characters and scenes", RunE: group}
	c.AddCommand(a.castListCmd(), a.castShowCmd(), a.castImportCmd(), a.castExportCmd(), a.castFavCmd(), a.castTagCmd())
	return c
}

// knownScene returns a scene for the id of a scene file or a bundled scene, for
// a scene file, or for a scene in a file of several.
func knownScene(arg string) (characters.Scene, bool, error) {
	lib := openLibrary()
	if e, err := lib.Find(arg); err == nil && e.ID == arg && e.Kind == library.KindScene {
		if s, _, err := lib.Scene(e, card.PlayOptions{}); err == nil {
			return s, true, nil
		}
	}
	if s, ok := bundledScene(arg); ok {
		return s, true, nil
	}
	if _, which := splitScene(arg); which != "" || card.IsScene(arg) {
		s, err := findScene(arg)
		return s, true, err
	}
	return characters.Scene{}, false, nil
}
