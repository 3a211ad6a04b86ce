package rehearsal

import (
	"embed"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// general is the id of the scripts for scenes that nobody has written for.
const general = "general"

// script is what both players have to say in one scene, from scripts/*.toml.
type script struct {
	ID        string `toml:"id"`
	Language  string `toml:"language"`
	Character string `toml:"character"`
	User      string `toml:"user"`
	// Words are names and places of the scene by which its prompt is known.
	Words      []string `toml:"words"`
	You        string   `toml:"you"` // how the person is addressed
	Short      string   `toml:"short"`
	Lead       part     `toml:"lead"`
	Understudy part     `toml:"understudy"`
	Person     person   `toml:"person"`
}

// part is the text of one player. Every string is used at most once a scene.
type part struct {
	Beats []beat `toml:"beats"`
	// Coda goes on after the last beat.
	Coda   []string            `toml:"coda"`
	Acts   []string            `toml:"acts"`
	Craft  []string            `toml:"craft"`  // how to play the character, for the plan
	Reads  map[string][]string `toml:"reads"`  // what a kind of line is, for the plan
	Close  []string            `toml:"close"`  // last words of a plan
	Recall []string            `toml:"recall"` // shows that a given name was kept
	Topics []topic             `toml:"topics"`
	Kinds  map[string][]string `toml:"kinds"`
	Flaws  map[string][]string `toml:"flaws"`
}

// beat is one step of a scene's arc.
type beat struct {
	Goal     string   `toml:"goal"` // for the plan
	Moves    []string `toml:"moves"`
	Thoughts []string `toml:"thoughts"`
}

// topic is something a line may be about.
type topic struct {
	Words []string `toml:"words"`
	// Kinds limits the topic to lines of these kinds; empty means all.
	Kinds []string `toml:"kinds"`
	Lines []string `toml:"lines"`
}

// cue leads from the words of a line to its kind.
type cue struct {
	Kind     string   `toml:"kind"`
	Any      []string `toml:"any"`
	Start    []string `toml:"start"`
	Max      int      `toml:"max"` // words of the line at most (runes in Chinese); 0 = any
	Question bool     `toml:"question"`
}

// cues is the hearing of one language.
type cues struct {
	Language string `toml:"language"`
	Cues     []cue  `toml:"cues"` // looked at before other languages and gibberish
	Late     []cue  `toml:"late"` // looked at after
	Deeds    []cue  `toml:"deeds"`
	// Parents says where to look when a kind has no words of its own.
	Parents  map[string]string `toml:"parents"`
	Own      string            `toml:"own"`      // grammar words of the language
	Alien    string            `toml:"alien"`    // grammar words of its neighbours
	NotNames string            `toml:"notnames"` // what may follow "I am" besides names
	Joints   string            `toml:"joints"`   // where a clause may be cut
	Leads    string            `toml:"leads"`    // words to drop from a quotation's front
	Danglers string            `toml:"danglers"` // words that cannot end one

	own, alien, notNames, joints, leads, danglers map[string]bool
}

//go:embed scripts/*.toml
var scriptFiles embed.FS

// house is the company: all scripts, read once per server.
type house struct {
	scenes  []*script
	general map[string]*script
	cues    map[string]*cues
}

func loadHouse() (*house, error) {
	h := &house{general: map[string]*script{}, cues: map[string]*cues{}}
	files, err := scriptFiles.ReadDir("scripts")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := scriptFiles.ReadFile("scripts/" + f.Name())
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(f.Name(), "cues-") {
			c := &cues{}
			if err := decode(f.Name(), string(text), c); err != nil {
				return nil, err
			}
			c.index()
			h.cues[c.Language] = c
			continue
		}
		s := &script{}
		if err := decode(f.Name(), string(text), s); err != nil {
			return nil, err
		}
		if s.ID == general {
			h.general[s.Language] = s
			continue
		}
		h.scenes = append(h.scenes, s)
	}
	return h, nil
}

func decode(name, text string, v any) error {
	meta, err := toml.Decode(text, v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return fmt.Errorf("%s: unknown key %s", name, extra[0])
	}
	return nil
}

func (c *cues) index() {
	set := func(s string) map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(s) {
			m[w] = true
		}
		return m
	}
	c.own, c.alien, c.notNames = set(c.Own), set(c.Alien), set(c.NotNames)
	c.joints, c.leads, c.danglers = set(c.Joints), set(c.Leads), set(c.Danglers)
}

// find recognises a bundled scene by its character and the words of its
// scenario; any other scene gets the general script.
func (h *house) find(prompt, char string) *script {
	for _, s := range h.scenes {
		hits := 0
		for _, w := range s.Words {
			if strings.Contains(prompt, w) {
				hits++
			}
		}
		named := char != "" && (strings.Contains(s.Character, char) || strings.Contains(char, s.Character))
		if named && hits >= 2 || char == "" && hits >= 3 && strings.Contains(prompt, s.Character) {
			return s
		}
	}
	return h.general["en"]
}
