// Package characters holds who is played and where: characters, scenes, the
// bundled scenes, scene files, and the persona part of a system prompt.
package characters

// Character is who is played.
type Character struct {
	Name    string `toml:"name" json:"name"`
	Profile string `toml:"profile" json:"profile"`
	// Voice says how the character speaks; may be empty.
	Voice string `toml:"voice,omitempty" json:"voice,omitempty"`
	// Thoughts is what moves the character as the scene opens (HER's
	// "motivation"); only its own player sees it.
	Thoughts string `toml:"thoughts,omitempty" json:"thoughts,omitempty"`
	// Background is what happened before; may be empty.
	Background string `toml:"background,omitempty" json:"background,omitempty"`
}

// Scene is character + scenario + who the person plays + opening line.
type Scene struct {
	// ID is unique in a library: lower-case letters, digits and dashes.
	ID       string `toml:"id" json:"id"`
	Title    string `toml:"title" json:"title"`
	Source   string `toml:"source,omitempty" json:"source,omitempty"` // book, game or author it comes from
	Language string `toml:"language,omitempty" json:"language,omitempty"`
	Blurb    string `toml:"blurb,omitempty" json:"blurb,omitempty"` // one sentence for the casting screen
	Scenario string `toml:"scenario" json:"scenario"`
	// Played names those of Others whom the contestants play too, besides
	// Character: each answers as one of them at a time.
	Played []string `toml:"played,omitempty" json:"played,omitempty"`
	// Environment says that the surroundings have a voice of their own, where
	// somebody is there to lend it one.
	Environment bool `toml:"environment,omitempty" json:"environment,omitempty"`
	// Character is played by both contestants.
	Character Character `toml:"character" json:"character"`
	// User is whom the person plays.
	User Character `toml:"user" json:"user"`
	// Others are further characters: those in Played take part, the rest are
	// spoken of.
	Others []Character `toml:"others,omitempty" json:"others,omitempty"`
	// Opening is the character's first line, in any dialect; may be empty.
	Opening string `toml:"opening,omitempty" json:"opening,omitempty"`
	// Requirements are extra rules for the reply, one a line; may be empty.
	Requirements string `toml:"requirements,omitempty" json:"requirements,omitempty"`
	// Suggestions are lines a person may open with; shown as hints.
	Suggestions []string `toml:"suggestions,omitempty" json:"suggestions,omitempty"`
	// Play is what a card brings besides; nil for scenes that came from no card.
	Play *Play `toml:"play,omitempty" json:"play,omitempty"`
	// Bundled marks the scenes that ship with the program.
	Bundled bool `toml:"-" json:"-"`
}
