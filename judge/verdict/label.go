package verdict

import (
	"regexp"
	"strings"
	"unicode"

	"herarena/arena"
)

// label reads a choice as critics spell it: "cand_1", "Cand_1", "candidate 2",
// "Response 1", "A", "tie". exact says that it stood in HER-RM's own spelling,
// case and space aside. NoChoice means that no single choice was named.
func label(text string) (choice arena.Choice, exact bool) {
	t := strings.TrimSpace(text)
	if len(t) > 400 {
		return arena.NoChoice, false
	}
	t = strings.ToLower(t)
	switch t {
	case "cand_1":
		return arena.First, true
	case "cand_2":
		return arena.Second, true
	case "tie":
		return arena.Tie, true
	}
	if len(t) > 200 {
		return arena.NoChoice, false
	}
	if c := short(foldKey(t)); c != arena.NoChoice {
		return c, false
	}
	return mentioned(t), false
}

// short knows the spellings that are a choice and nothing else.
func short(key string) arena.Choice {
	for _, article := range []string{"the", "option", "better"} {
		key = strings.TrimPrefix(key, article)
	}
	for _, noun := range []string{"candidate", "cand", "responsecandidate", "response", "reply", "answer", "候选回复", "候选", "回复", "回答"} {
		if rest, ok := strings.CutPrefix(key, noun); ok {
			key = rest
			break
		}
	}
	switch key {
	case "1", "a", "first", "one", "一":
		return arena.First
	case "2", "b", "second", "two", "二":
		return arena.Second
	case "tie", "tied", "draw", "equal", "equallygood", "same", "平局", "平手", "打平", "持平":
		return arena.Tie
	case "firstcandidate", "firstresponse", "firstone":
		return arena.First
	case "secondcandidate", "secondresponse", "secondone":
		return arena.Second
	}
	return arena.NoChoice
}

var (
	namesFirst  = regexp.MustCompile(`(?i)\b(?:cand(?:idate)?|response|reply)[ _-]*(?:candidate[ _-]*)?(?:1|a)\b|候选(?:回复)?\s*[1一]|回复\s*[1一]`)
	namesSecond = regexp.MustCompile(`(?i)\b(?:cand(?:idate)?|response|reply)[ _-]*(?:candidate[ _-]*)?(?:2|b)\b|候选(?:回复)?\s*[2二]|回复\s*[2二]`)
	namesTie    = regexp.MustCompile(`(?i)\b(?:tie|draw)\b|平局|平手`)
	turns       = regexp.MustCompile(`(?i)\b(?:not|never|worse|loses|lost|weaker|than)\b|n't\b|不如|更差|较差`)
)

// mentioned reads a short sentence that names exactly one choice. A sentence
// that compares or denies is left alone.
func mentioned(t string) arena.Choice {
	if turns.MatchString(t) {
		return arena.NoChoice
	}
	first, second, tie := namesFirst.MatchString(t), namesSecond.MatchString(t), namesTie.MatchString(t)
	switch {
	case first && !second && !tie:
		return arena.First
	case second && !first && !tie:
		return arena.Second
	case tie && !first && !second:
		return arena.Tie
	}
	return arena.NoChoice
}

// labelLine matches a line that gives a verdict and nothing else.
var labelLine = regexp.MustCompile(`(?i)^(?:(?:my|the|so|thus|therefore)[, ]+)*(?:final[ _]*)?` +
	`(?:answer|verdict|decision|winner|judge?ment|better[ _]*(?:response|candidate|reply)?|result|choice|最终答案|最终判断|最终结论|结论|更好的回复|胜者)` +
	`["'` + "`" + `*_ ]*(?:is|为|是)?\s*[:：=]?\s*(.+)$`)

// fromProse finds a verdict line in text that holds no JSON. Only the last line
// of the text counts, or the first if the last is none: a critic that repeats
// a candidate in between must not be taken at the candidate's word.
func fromProse(prose []byte) arena.Choice {
	const most = 4096 // of either end; a verdict line is short
	head, tail := string(prose), string(prose)
	if len(prose) > most {
		head, tail = string(prose[:most]), string(prose[len(prose)-most:])
	}
	lines := meaningful(tail)
	if len(lines) > 0 {
		if c := lineLabel(lines[len(lines)-1], true); c != arena.NoChoice {
			return c
		}
	}
	if lines = meaningful(head); len(lines) > 0 {
		return lineLabel(lines[0], false)
	}
	return arena.NoChoice
}

// meaningful returns the lines that hold more than marks.
func meaningful(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			continue
		}
		if strings.IndexFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0 {
			out = append(out, line)
		}
	}
	return out
}

// lineLabel reads one line. A bare label is enough only on the last line.
func lineLabel(line string, last bool) arena.Choice {
	if strings.HasPrefix(line, ">") || len(line) > 200 {
		return arena.NoChoice // a quotation, or prose
	}
	const marks = " \t*_#`\"'[](){},.。!！\\-"
	line = strings.Trim(line, marks)
	if m := labelLine.FindStringSubmatch(line); m != nil {
		c, _ := label(strings.Trim(m[1], marks+":："))
		return c
	}
	if !last {
		return arena.NoChoice
	}
	if c, exact := label(line); exact {
		return c
	}
	if rest, ok := strings.CutPrefix(line, "boxed{"); ok {
		c, _ := label(strings.Trim(rest, marks))
		return c
	}
	return short(foldKey(line))
}
