package house

import (
	"regexp"
	"strings"
)

var (
	saysI     = regexp.MustCompile(`(?:^|[.;!?]\s*|,\s*(?:and |then )?|\band )I (?:[a-z]+ly )?([a-z]+)\b|(?:^|[.;!?,]\s*)[Mm]y (?:eyes|hands?|voice|fingers|lips|gaze|heart|jaw|shoulders)\b`)
	saysHe    = regexp.MustCompile(`^(?:slowly |softly |quietly |gently |suddenly )?([a-z]{2,}[^s\W]s)(?: (?:the|a|her|his|at|to|up|down|back|away|over|into|toward|towards|slowly|softly|slightly|quietly|and)\b|[.,;]|$)|^(?:He|She) [a-z]+s\b`)
	bodyFirst = regexp.MustCompile(`^(?:eyes|hands|arms|lips|shoulders|fists|fingers|tears|candles|always|perhaps|yes|his|is|was)\b`)
	ownBody   = regexp.MustCompile(`(?i)\b(?:his|her) (?:own )?(?:eyes|hands?|voice|fingers|lips|gaze|jaw|shoulders|head|hair|arms?)\b`)
)

// narratesTwice finds a reply that tells the character's own actions as "I" in
// one place and as "he" or "she" in another.
//
// Proves: one action segment has "I" as the doer at the beginning of a clause,
// another begins with a verb in the third person, or with "He" or "She", and
// holds "his" or "her" with a part of the body, or nobody else at all.
// Evidence: both segments. English only.
// Known false positives: a segment that tells what somebody else does ("He steps
// back." of the partner) beside one in the first person.
func narratesTwice(_ *scene, k *candidate) finding {
	first, third := "", ""
	for _, act := range k.acts {
		bare := quotation.ReplaceAllString(act, "")
		switch {
		case first == "" && saysI.MatchString(bare):
			first = act
		case third == "" && saysHe.MatchString(bare) && !bodyFirst.MatchString(bare) && !regexpYou.MatchString(bare) &&
			(ownBody.MatchString(bare) || !strings.HasPrefix(bare, "He ") && !strings.HasPrefix(bare, "She ")):
			third = act
		}
	}
	if first == "" || third == "" {
		return finding{}
	}
	return flaw(0.4, "tells its own actions in the first person and in the third", first, third)
}

var (
	quotation = regexp.MustCompile(`["“][^"”]*["”]`)
	regexpYou = regexp.MustCompile(`(?i)\b(?:you|your|me|my|I)\b`)
)

// callsOwnName finds a line spoken to somebody under the speaker's own name.
//
// Proves: the character's whole name, or the only first name it has, stands in
// the speech as an address ("Good evening, Elizabeth."), set off by commas.
// Evidence: the sentence.
// Known false positives: talking to oneself aloud ("Courage, Elizabeth!");
// two people of one name where the settings do not say so.
func callsOwnName(s *scene, k *candidate) finding {
	var quotes []string
	for _, name := range s.ownNames() {
		for _, sentence := range k.sentences {
			if addresses(sentence, name) && !quoted(sentence, name) && len(quotes) < enough {
				quotes = append(quotes, sentence)
			}
		}
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.6, "addresses somebody under the character's own name", unique(quotes)...)
}

// ownNames are the names that mean the character and nobody else in the scene.
func (s *scene) ownNames() []string {
	name := strings.TrimSpace(s.c.Character)
	if name == "" {
		return nil
	}
	names := []string{name}
	if parts := strings.Fields(name); len(parts) > 1 && len(parts[0]) >= 3 && !isTitle(parts[0]) {
		names = append(names, parts[0])
	}
	var out []string
	for _, n := range names {
		shared := false
		for _, other := range s.names {
			shared = shared || sharesName(n, other) || strings.Contains(other, n)
		}
		if !shared {
			out = append(out, n)
		}
	}
	return out
}

// addresses tells whether a sentence is spoken to a name: it ends with it behind
// a comma, or begins with it before one and goes on with "you".
func addresses(sentence, name string) bool {
	t := strings.Trim(sentence, " \"“”'‘’.!?…。！？*")
	if len(t) <= len(name) {
		return false
	}
	if rest, ok := cutSuffixFold(t, name); ok {
		rest = strings.TrimRight(rest, " ")
		before, ok := cutAny(rest, ",", "，")
		// "I am she, Elizabeth", "yours, Elizabeth" and lists of names are none.
		return ok && !signature.MatchString(before) && !strings.ContainsAny(lastPart(before), ",，")
	}
	if rest, ok := cutPrefixFold(t, name); ok {
		rest, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), ",")
		if !ok {
			rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "，")
		}
		return ok && speaksToYou.MatchString(rest)
	}
	return false
}

var (
	signature   = regexp.MustCompile(`(?i)\b(?:I am|I'm|I’m|am I|it is I|it's me|it’s me|yours|sincerely|faithfully|me|my name|called|call me|named|as|like|of|and|or|myself)\b[^,，]*$|我(?:是|叫)|本人|在下`)
	speaksToYou = regexp.MustCompile(`(?i)^\s*(?:you|your|do you|will you|can you|please|come|tell me|listen|look|wait|forgive me)\b|^\s*你|^\s*您`)
)

func lastPart(s string) string {
	if i := strings.LastIndexAny(s, ".!?。！？;；"); i >= 0 {
		return s[i+1:]
	}
	return s
}

func cutSuffixFold(s, suffix string) (string, bool) {
	at := len(s) - len(suffix)
	if at < 0 || !strings.EqualFold(s[at:], suffix) {
		return s, false
	}
	return s[:at], true
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func cutAny(s string, ends ...string) (string, bool) {
	for _, e := range ends {
		if rest, ok := strings.CutSuffix(s, e); ok {
			return rest, true
		}
	}
	return s, false
}

// quoted tells whether the name stands inside a quotation of another's words.
func quoted(sentence, name string) bool {
	for _, q := range quotation.FindAllString(sentence, enough) {
		if len(q) < len(sentence)-4 && strings.Contains(q, name) {
			return true
		}
	}
	return false
}
