package house

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// state is what a character's own deed leaves behind: "sit" for its posture,
// "open" for a door, "held" for a cup.
type deed struct {
	thing   string // "posture", or the noun the deed is done to
	state   string
	text    string // the action that says so
	at, end int    // in the text of its turn
	old     bool   // of an earlier turn
	rest    string // of an old one: what its turn goes on with
	moved   string // the actions of it
}

// deedRule reads one kind of deed. The thing is the last submatch, or "posture".
type deedRule struct {
	state string
	re    *regexp.Regexp
	han   bool
}

// The deeds are transitions: who sits may be said to sit any number of times,
// but nobody sits down twice without getting up. A rule wants the deed at the
// beginning of a clause, where its doer is the character.
var deedRules = sync.OnceValue(func() []deedRule {
	const (
		begins = `(?:^|[.;:!?—–]\s*|,\s*(?:and |then |and then )?|\band (?:then )?|\bthen )`
		manner = `(?:(?:slowly|quickly|quietly|gently|carefully|abruptly|suddenly|finally|heavily|promptly|calmly|gracefully|silently|softly) )?`
		tail   = `\b`
		thing  = ` (?:the|a|an|her|his|my|its|their)((?: [a-z-]+){0,2}? [a-z-]+?)(?: (?:on|onto|to|into|upon|beside|behind|with|by|at|in|from|and|down|aside|again|slowly|quietly|gently|carefully|softly|before|so|for|as|then)\b|[.,;!?—–]|$)`
	)
	english := func(state, verbs string, object bool) deedRule {
		rest := tail
		if object {
			rest = thing
		}
		return deedRule{state: state, re: regexp.MustCompile(`(?i)` + begins + `(?:I )?` + manner + `(?:` + verbs + `)` + rest)}
	}
	chinese := func(state, pattern string) deedRule {
		return deedRule{state: state, han: true, re: regexp.MustCompile(`(?:^|[，。；、！？])(?:缓缓|慢慢|轻轻|猛地|忽然|突然|随手|顺手|然后|接着|这才|便|就)?(?:地)?` + pattern)}
	}
	return []deedRule{
		english("sits", `sits? down|takes? a seat|seats (?:her|him)self|seat myself`, false),
		english("stands", `stands? up|gets? to (?:her|his|my) feet|rises? to (?:her|his|my) feet|gets? up from (?:the|her|his|my) (?:chair|seat|bench|sofa|stool)`, false),
		english("kneels", `kneels? down|drops? to (?:one knee|(?:her|his|my) knees)|sinks? to (?:her|his|my) knees`, false),
		english("lies", `lies? down|lays (?:her|him)self down`, false),
		english("open", `opens?|throws? open|pushes open|pulls open|unlocks?`, true),
		english("shut", `closes?|shuts?|slams? shut|bolts?`, true),
		english("let go", `sets? down|puts? down|lays? down|drops?|lets? go of`, true),
		english("held", `picks? up|takes? up|grabs?|draws?|unsheathes?|seizes?|snatches up`, true),
		chinese("sits", `(?:在[^，。；、！？]{1,8})?坐下(?:来)?(?:$|[，。；、！？])`),
		chinese("stands", `站起(?:身|来)+(?:$|[，。；、！？])`),
		chinese("kneels", `跪(?:下|倒)(?:来)?(?:$|[，。；、！？])`),
		chinese("open", `(?:推开|拉开|打开)了?(门|窗|窗户|大门|房门|木门|箱子|匣子|抽屉)(?:$|[，。；、！？])`),
		chinese("shut", `(?:关上|合上|掩上|关紧)了?(门|窗|窗户|大门|房门|木门|箱子|匣子|抽屉)(?:$|[，。；、！？])`),
		chinese("let go", `放下了?(?:手中的|手里的)?(\p{Han}{1,3}?)(?:$|[，。；、！？])`),
		chinese("held", `(?:拿起|提起|端起|抓起|捡起|拾起)了?(\p{Han}{1,3}?)(?:$|[，。；、！？])`),
	}
})

// parts of a body open and shut by themselves, and crowds of things are not one.
var notKept = regexp.MustCompile(`(?i)\b(?:eyes?|eyelids?|mouth|lips?|hands?|fists?|fingers?|palms?|arms?|gaze|head|voice|shoulders?|jaw|breath|smile|act|mask|subject|matter|case|hint|distance|gap|line|curtain of|breaths?|attention|conclusion|deep|few|second|another|next|other|new|last)\b`)

// deedsOf reads the deeds in what a character visibly did and said, in the order
// in which they are written.
func deedsOf(parts []part) []deed {
	var out []deed
	at := 0
	for _, p := range parts {
		if p.act {
			out = append(out, deedsIn(p.text, at)...)
		}
		at += len(p.text) + 1
	}
	return out
}

func deedsIn(act string, offset int) []deed {
	var out []deed
	for _, rule := range deedRules() {
		for _, m := range rule.re.FindAllStringSubmatchIndex(act, enough) {
			d := deed{thing: posture, state: rule.state, text: act, at: offset + m[0], end: offset + m[1]}
			if len(m) > 2 {
				d.thing = strings.TrimSpace(strings.ToLower(act[m[2]:m[3]]))
				d.end = offset + m[3]
				if notKept.MatchString(d.thing) {
					continue
				}
			}
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(x, y deed) int { return x.at - y.at })
	return out
}

const posture = "posture"

var (
	onceMore = regexp.MustCompile(`(?i)\b(?:again|back|once more|re-?opens?|another|still|both|anew)\b|又|再|重新|仍|还`)
	// Whoever does any of these between two sittings has got up for it.
	moves = regexp.MustCompile(`(?i)\b(?:st[ao]nd|stood|r[io]se|sit|sat|seat|kneel|knelt|lie|lay|walk|pace|step|cross|leave|left|follow|dance|r[au]n|go|goes|went|mov|return|approach|enter|climb|ride|rode|arriv|jump|leap|fall|fell|up|bow|curtsy|curtsies|hurr|stride|strode|strid|march|stalk|wander|drift|door|window)[a-z]*|站|坐|跪|躺|走|起身|起来|步|离开|回|进|出`)
)

// defiesBodies finds a deed that the character's own last deed has already done.
//
// Proves: the character sits down, stands up, kneels down, opens, closes, sets
// down or picks up what its own last such action, in this reply or in its last
// turn, has already left in that state; no word in between speaks of the thing,
// or of moving about.
// Evidence: both actions. English and Chinese.
// Known false positives: two things of one name ("sets down the cup"); an undoing
// that nobody wrote down.
func defiesBodies(s *scene, k *candidate) finding {
	state := map[string]deed{}
	for thing, d := range s.left {
		state[thing] = d
	}
	text, acts := lowered(k.parts)
	var quotes []string
	for _, d := range deedsOf(k.parts) {
		before, known := state[d.thing]
		if known && before.state == d.state && !onceMore.MatchString(d.text) {
			if !s.disturbed(before, d, text, acts) && len(quotes) < enough {
				quotes = append(quotes, before.text, d.text)
			}
		}
		state[d.thing] = d
	}
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(0.4+0.1*float64(len(quotes)), "does what is already done, with nothing undone between", unique(quotes)...)
}

// disturbed tells whether what stands between two deeds may have changed the
// state of their thing: its name does, anywhere; moving about changes a posture,
// where it is acted.
func (s *scene) disturbed(before, now deed, text, acts string) bool {
	from := 0
	if !before.old {
		from = min(before.end, now.at)
	}
	if now.thing == posture {
		return before.old && moves.MatchString(before.moved+s.moved) || moves.MatchString(acts[from:now.at])
	}
	words := strings.Fields(now.thing)
	noun := words[len(words)-1]
	return before.old && strings.Contains(before.rest+s.since, noun) || strings.Contains(text[from:now.at], noun)
}

// lowered is a turn in lower case, and the same with blanks for its speech where
// it has actions.
func lowered(parts []part) (text, acts string) {
	var all, done strings.Builder
	acting := slices.ContainsFunc(parts, func(p part) bool { return p.act })
	for _, p := range parts {
		t := strings.ToLower(p.text)
		if len(t) != len(p.text) { // a letter whose small form has another length
			t = p.text
		}
		all.WriteString(t + "\n")
		if acting && !p.act {
			t = strings.Repeat(" ", len(t))
		}
		done.WriteString(t + "\n")
	}
	return all.String(), done.String()
}

// leave notes what the character's last own turn has left behind, and what the
// others did and said after it.
func (s *scene) leave(t turn) {
	text, acts := lowered(t.parts)
	if !t.own {
		s.since += "\n" + text
		s.moved += "\n" + acts
		return
	}
	s.left, s.since, s.moved = map[string]deed{}, "", ""
	for _, d := range deedsOf(t.parts) {
		d.old, d.rest, d.moved = true, text[d.end:], acts[d.end:]
		s.left[d.thing] = d
	}
}

// unique keeps the first of each.
func unique(all []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
