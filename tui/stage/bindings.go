package stage

import (
	"herarena/tui/card"
	"herarena/tui/keys"
)

// The stage's bindings. What is hinted stands in the line of hints as well.
var (
	keySend     = keys.New("send the line", "enter")
	keyNewline  = keys.New("begin a new line", "shift+enter", "alt+enter", "ctrl+j").As("shift+enter, ctrl+j")
	keySuggest  = keys.New("take the suggestion, in an empty composer", "right").As("→")
	keyHistory  = keys.New("older and newer lines", "up", "down").As("↑ ↓")
	keyVoteA    = keys.New("A is better", "1").Hinted("A")
	keyVoteB    = keys.New("B is better", "2").Hinted("B")
	keyVoteTie  = keys.New("a tie", "3").Hinted("tie")
	keyVoteBad  = keys.New("both are bad", "4").Hinted("both bad")
	keyVoteAny  = keys.New("the same votes, also while writing", "alt+1", "alt+2", "alt+3", "alt+4").As("alt+1…4")
	keyFocus    = keys.New("next panel", "tab").Hinted("panels")
	keyFocusUp  = keys.New("panel before", "shift+tab")
	keyAgain    = keys.New("another reply: of this side, from the composer of both", "ctrl+r").Hinted("again")
	keyRejudge  = keys.New("ask the critic again", "ctrl+g").Hinted("ask again")
	keyBoard    = keys.New("the board", "ctrl+b").Hinted("board")
	keyCanon    = keys.New("who chooses canon: vote, critic, A, B", "ctrl+o")
	keyOther    = keys.New("the other side, where one is shown alone", "f2")
	keyZoomAny  = keys.New("one side alone, and back", "f4")
	keyUpAny    = keys.New("scroll up", "pgup")
	keyDownAny  = keys.New("scroll down", "pgdown")
	keyStop     = keys.New("stop what is written; else back; twice leaves the scene", "esc")
	keyPaneUp   = keys.New("scroll up", "up", "k").As("↑ k")
	keyPaneDown = keys.New("scroll down", "down", "j").As("↓ j")
	keyTop      = keys.New("to the beginning", "home", "g").As("g")
	keyBottom   = keys.New("to the end, and follow it", "end", "G").As("G")
	keyPlan     = keys.New("fold or unfold plans and reasoning", "p").Hinted("plan")
	keyThoughts = keys.New("fold or unfold thoughts", "t").Hinted("thoughts")
	keyZoom     = keys.New("this side alone, and back", "z").Hinted("zoom")
	keySwipe    = keys.New("earlier and later replies to the last line", "left", "right").As("← →")
	keyCopy     = keys.New("copy the last reply", "y").Hinted("copy")
	keyOlder    = keys.New("the verdict of the turn before", "[")
	keyNewer    = keys.New("the verdict of the turn after", "]")
	keyCompose  = keys.New("back to the composer", "i")
)

// Keys returns the stage's bindings, in the order of the help.
func (s *Stage) Keys() []keys.Group { return Groups() }

// Groups are the stage's bindings as the help and the README show them.
func Groups() []keys.Group {
	return []keys.Group{
		{Title: "Composer", Bindings: []keys.Binding{keySend, keyNewline, keySuggest, keyHistory}},
		{Title: "Vote (empty composer, both replies done)", Bindings: []keys.Binding{keyVoteA, keyVoteB, keyVoteTie, keyVoteBad, keyVoteAny}},
		{Title: "Anywhere on stage", Bindings: []keys.Binding{
			keyFocus, keyFocusUp, keyAgain, keyRejudge, keyCanon, keyBoard, keyOther, keyZoomAny, keyUpAny, keyDownAny, keyStop,
		}},
		{Title: "In a side", Bindings: []keys.Binding{keyPaneUp, keyPaneDown, keyTop, keyBottom, keyPlan, keyThoughts, keyZoom, keySwipe, keyCopy, keyCompose}},
		{Title: "In the verdict", Bindings: []keys.Binding{
			card.KeyUp, card.KeyDown, card.KeyToggle.Hinted("open"), card.KeyAll.Hinted("all"), keyOlder, keyNewer, keyCompose,
		}},
	}
}
