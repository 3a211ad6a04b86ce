// Package lore decides which entries of a lorebook belong into a prompt: keys
// and secondary keys, patterns with a bound on their time, recursion, budget,
// order, and the decorators of version 3 of the card specification. The same
// book, messages and seed give the same answer.
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
	BeforeChar  Place = "before_char"
	AfterChar   Place = "after_char"
	Personality Place = "personality"
	Scenario    Place = "scenario"
	Examples    Place = "examples"
	AtDepth     Place = "depth"
)

// Entry is one piece of lore.
type Entry struct {
	ID        string
	Title     string // its name or comment, for people
	Keys      []string
	Secondary []string
	Content   string // with decorators and macros as written
	Enabled   bool
	Constant  bool // there without a key
	Selective bool // the secondary keys count
	UseRegex  bool // keys are patterns in JavaScript's syntax

	CaseSensitive bool
	WholeWords    bool
	Logic         Logic
	Order         int  // smaller comes first
	Priority      *int // smaller is dropped first; nil: by Order
	Place         Place
	Depth         int    // messages from the end, for AtDepth
	Role          string // system, user or assistant, for AtDepth
	ScanDepth     *int   // messages searched, nil: the book's
	Probability   int    // percent

	ExcludeRecursion bool // other entries do not bring it
	PreventRecursion bool // it brings no others
	DelayRecursion   bool // only other entries bring it
	Delay            int  // messages that must have been written before
	Group            string
	GroupWeight      int
	GroupOverride    bool // in its group the smallest priority is not drawn by lot
}

// Book is a lorebook.
type Book struct {
	Name      string
	ScanDepth *int // messages searched, nil: DefaultScanDepth
	Budget    int  // tokens; 0: no limit
	Recursive bool // entries may bring others
	Entries   []Entry
}

// DefaultScanDepth is how many messages are searched where a book does not say.
const DefaultScanDepth = 4
