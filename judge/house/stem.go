package house

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// irregular maps English forms that no ending tells to their word. The set is
// made once, on first use, and only read after that.
var irregular = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for pair := range strings.FieldsSeq(`ate:eat eaten:eat began:begin begun:begin bent:bend bit:bite bitten:bite blew:blow blown:blow bore:bear borne:bear
		bought:buy bound:bind bred:breed broke:break broken:break brought:bring built:build burnt:burn caught:catch chose:choose chosen:choose
		clung:cling crept:creep dealt:deal drank:drink drunk:drink drawn:draw drew:draw driven:drive drove:drive dreamt:dream dug:dig
		fallen:fall fed:feed fell:fall felt:feel fled:flee flew:fly flown:fly flung:fling forbade:forbid forgave:forgive forgiven:forgive
		forgot:forget forgotten:forget fought:fight found:find froze:freeze frozen:freeze gave:give given:give grew:grow grown:grow heard:hear
		held:hold hid:hide hidden:hide hung:hang kept:keep knelt:kneel knew:know known:know laid:lay lain:lie leapt:leap learnt:learn led:lead
		left:leave lent:lend lit:light lost:lose meant:mean met:meet paid:pay ran:run rang:ring risen:rise rode:ride ridden:ride rose:rise
		sang:sing sung:sing sank:sink sunk:sink sat:sit sent:send shaken:shake shook:shake shone:shine shot:shoot shown:show slept:sleep slid:slide
		sold:sell sought:seek spent:spend spoke:speak spoken:speak sprang:spring stole:steal stolen:steal stood:stand struck:strike stuck:stick
		swam:swim swept:sweep swore:swear sworn:swear swung:swing taken:take taught:teach thrown:throw threw:throw told:tell tore:tear torn:tear
		took:take understood:understand woke:wake woken:wake won:win wore:wear worn:wear wove:weave woven:weave wrote:write written:write
		dying:die lying:lie tying:tie
		children:child men:man women:woman feet:foot teeth:tooth geese:goose mice:mouse wives:wife knives:knife lives:life leaves:leaf
		shoes:shoe toes:toe wolves:wolf thieves:thief halves:half shelves:shelf loaves:loaf selves:self gentlemen:gentleman gentlewomen:gentlewoman`) {
		form, word, _ := strings.Cut(pair, ":")
		m[form] = word
	}
	return m
})

// whole words that only look as if they had an ending.
var unstemmed = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`always alas address asking bless boss bus bless business canvas ceiling chess christmas congress cross darling duchess
		during evening everything express family fed ally anything assembly belly bully butterfly early folly gas glass goodness governess
		gully happiness harness holy hundred indeed italy jelly jolly july kindred kindness lens lily lovely lonely mistress morning naked nothing
		news only perhaps press princess process rally red reply sacred series shilling shed silly something speed species steed stocking success
		supply rely apply ugly unless wedding wicked wilderness willing witness likely deadly friendly holly comply multiply
		besides towards afterwards sometimes heed need seed bleed breed feed weed creed greed deed agreed hatred embed feeling building king ring
		herring pudding farthing sterling viking monday tuesday wednesday thursday friday saturday sunday`) {
		m[w] = true
	}
	return m
})

// stem reduces an English word to what its forms share, so that "dances",
// "danced" and "dancing" meet "dance" and "evening" does not meet "even". What
// has letters beyond a to z stays as it is: endings of other languages are not
// known here.
func stem(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	for i := range len(w) {
		if c := w[i]; (c < 'a' || c > 'z') && c != '-' {
			return w
		}
	}
	if word := irregular()[w]; word != "" {
		w = word
	} else if len(w) > 3 && !unstemmed()[w] {
		w = endless(w)
	}
	// "dance" is "danc", as "dancing" is; "hope" keeps what tells it from "hop".
	if n := len(w); n > 4 && w[n-1] == 'e' && w[n-2] != 'e' {
		return w[:n-1]
	}
	return w
}

// endless takes off one ending of a noun or a verb, and of an adverb.
func endless(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case hasAny(w, "sses", "shes", "ches", "xes", "zes", "oes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		if hasAny(w, "ss", "us", "is") {
			return w
		}
		return w[:len(w)-1]
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case hasAny(w, "ed", "ing") && !strings.HasSuffix(w, "eed"):
		return base(w, strings.TrimSuffix(strings.TrimSuffix(w, "ing"), "ed"))
	case strings.HasSuffix(w, "ily") && len(w) > 5:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ly") && len(w) > 5:
		return w[:len(w)-2]
	case strings.HasSuffix(w, "iness") && len(w) > 7:
		return w[:len(w)-5] + "y"
	case strings.HasSuffix(w, "ness") && len(w) > 6:
		return w[:len(w)-4]
	}
	return w
}

func hasAny(w string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// base mends a verb whose "-ed" or "-ing" was taken off: "stopp" is "stop",
// "hop" of "hoping" is "hope". A rest without a vowel was no verb: "string".
func base(w, rest string) string {
	n := len(rest)
	if n < 2 || !strings.ContainsAny(rest, "aeiouy") {
		return w
	}
	last := rest[n-1]
	if n > 3 && last == rest[n-2] && !strings.ContainsRune("lsz", rune(last)) && !vowel(last) {
		return rest[:n-1]
	}
	if n == 3 && !vowel(rest[0]) && vowel(rest[1]) && !vowel(last) && !strings.ContainsRune("wxy", rune(last)) {
		return rest + "e"
	}
	return rest
}

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// isWordless tells whether a word of wordsOf is one letter of a script without
// spaces.
func isWordless(w string) bool {
	r, n := utf8.DecodeRuneInString(w)
	return n == len(w) && wordless(scriptOf(r))
}

// length is how long a text is, in words. Scripts without spaces count 1.6
// letters as a word, about what a translation between Chinese and English keeps.
func length(text string) int {
	words, letters := 0, 0
	for _, w := range wordsOf(text) {
		if isWordless(w) {
			letters++
		} else {
			words++
		}
	}
	return words + inWords(letters)
}

func inWords(letters int) int { return (letters*5 + 7) / 8 }

// letters counts the letters of scripts without spaces.
func letters(text string) int {
	n := 0
	for _, r := range text {
		if wordless(scriptOf(r)) {
			n++
		}
	}
	return n
}
