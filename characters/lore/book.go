// Package lore decides which entries of a lorebook belong into a prompt: keys
// and secondary keys, patterns with a bound on their time, recursion, groups,
// effects that last for some messages, budget, order, and the decorators of
// version 3 of the card specification. The same book, messages, memory and seed
// give the same answer.
package lore

// Logic says how secondary keys count. The numbers are those of SillyTavern's
// selectiveLogic.
type Logic int

// The four ways.
const (
	AndAny Logic = iota // at least one secondary key is there
	NotAll              // at least one is missing
	NotAny              // none is there
	AndAll              // all are there
)

// Place is where an entry goes in a prompt.
type Place string

// The places. At AtDepth the entry's Depth and Role count.
const (
	BeforeChar     Place = "before_char"
	AfterChar      Place = "after_char"
	Personality    Place = "personality"
	Scenario       Place = "scenario"
	ExamplesTop    Place = "examples_top"
	ExamplesBottom Place = "examples_bottom"
	NoteTop        Place = "note_top"    // above the author's note
	NoteBottom     Place = "note_bottom" // below it
	AtDepth        Place = "depth"
)

// Entry is one piece of lore.
type Entry struct {
	ID        string   `json:"id,omitempty" toml:"id,omitempty"`
	Title     string   `json:"title,omitempty" toml:"title,omitempty"` // its name or comment, for people
	Keys      []string `json:"keys,omitempty" toml:"keys,omitempty"`
	Secondary []string `json:"secondary,omitempty" toml:"secondary,omitempty"`
	Content   string   `json:"content,omitempty" toml:"content,omitempty"` // with decorators and macros as written
	Enabled   bool     `json:"enabled,omitempty" toml:"enabled,omitempty"`
	Constant  bool     `json:"constant,omitempty" toml:"constant,omitempty"`   // there without a key
	Selective bool     `json:"selective,omitempty" toml:"selective,omitempty"` // the secondary keys count
	UseRegex  bool     `json:"use_regex,omitempty" toml:"use_regex,omitempty"` // keys are patterns in JavaScript's syntax

	CaseSensitive bool   `json:"case_sensitive,omitempty" toml:"case_sensitive,omitempty"`
	WholeWords    bool   `json:"whole_words,omitempty" toml:"whole_words,omitempty"`
	Logic         Logic  `json:"logic,omitempty" toml:"logic,omitempty"`
	Order         int    `json:"order,omitempty" toml:"order,omitempty"`       // smaller comes first
	Priority      *int   `json:"priority,omitempty" toml:"priority,omitempty"` // smaller is dropped first; nil: by Order
	Place         Place  `json:"place,omitempty" toml:"place,omitempty"`
	Depth         int    `json:"depth,omitempty" toml:"depth,omitempty"`           // messages from the end, for AtDepth
	Role          string `json:"role,omitempty" toml:"role,omitempty"`             // system, user or assistant, for AtDepth
	ScanDepth     *int   `json:"scan_depth,omitempty" toml:"scan_depth,omitempty"` // messages searched, nil: the book's
	Probability   int    `json:"probability,omitempty" toml:"probability,omitempty"`

	ExcludeRecursion bool   `json:"exclude_recursion,omitempty" toml:"exclude_recursion,omitempty"` // other entries do not bring it
	PreventRecursion bool   `json:"prevent_recursion,omitempty" toml:"prevent_recursion,omitempty"` // it brings no others
	DelayRecursion   bool   `json:"delay_recursion,omitempty" toml:"delay_recursion,omitempty"`     // only other entries bring it
	Delay            int    `json:"delay,omitempty" toml:"delay,omitempty"`                         // messages that must have been written before
	Sticky           int    `json:"sticky,omitempty" toml:"sticky,omitempty"`                       // messages for which it stays once it was there
	Cooldown         int    `json:"cooldown,omitempty" toml:"cooldown,omitempty"`                   // messages for which it then stays away
	Group            string `json:"group,omitempty" toml:"group,omitempty"`                         // of a group one entry stays; several with commas
	GroupWeight      int    `json:"group_weight,omitempty" toml:"group_weight,omitempty"`
	GroupOverride    bool   `json:"group_override,omitempty" toml:"group_override,omitempty"` // in its group the highest order is not drawn by lot
	GroupScoring     bool   `json:"group_scoring,omitempty" toml:"group_scoring,omitempty"`   // in its group fewer matching keys lose
}

// Name is what people call the entry: its title, else its id.
func (e *Entry) Name() string {
	if e.Title != "" {
		return e.Title
	}
	return e.ID
}

// Book is a lorebook.
type Book struct {
	Name      string  `json:"name,omitempty" toml:"name,omitempty"`
	ScanDepth *int    `json:"scan_depth,omitempty" toml:"scan_depth,omitempty"` // messages searched, nil: DefaultScanDepth
	Budget    int     `json:"budget,omitempty" toml:"budget,omitempty"`         // tokens; 0: no limit
	Recursive bool    `json:"recursive,omitempty" toml:"recursive,omitempty"`   // entries may bring others
	Entries   []Entry `json:"entries,omitempty" toml:"entries,omitempty"`
}

// DefaultScanDepth is how many messages are searched where a book does not say.
const DefaultScanDepth = 4
