package rehearsal

import (
	"strings"
	"unicode"
)

// Kinds of a person's line. The script tables are keyed by these words; the
// kinds of cues-*.toml come on top.
const (
	kindOpening   = "opening" // nothing said yet
	kindSilence   = "silence"
	kindAction    = "action"
	kindName      = "name"
	kindRepeat    = "repeat"
	kindGibberish = "gibberish"
	kindForeign   = "foreign"
	kindAskName   = "askname"
	kindSay       = "say"
)

// heard is a person's line as a player understands it.
type heard struct {
	raw    string
	speech string // without what stands in asterisks or brackets
	deed   string // what stood there
	kind   string
	quote  string // a few words of the line that can be quoted
	word   string // one word of it that carries meaning
	name   string // a name the person gave
}

// ear knows the cues of one language.
type ear struct {
	cues  *cues
	names []string // names whose capital letter stays in a quotation
}

// listen tells what kind of line a line is.
func (e *ear) listen(line string) heard {
	h := heard{raw: strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd"))}
	h.speech, h.deed = splitDeeds(h.raw)
	h.quote, h.word = e.quote(h.speech)
	h.kind = e.kind(&h)
	switch h.kind {
	case "who", "what", "why", "where", "when", "how", "whatif", "yesno", kindAskName:
		if q, _ := e.quote(questionIn(h.speech)); q != "" {
			h.quote = q
		}
	}
	if !hasLetters(h.speech) && hasLetters(h.deed) {
		h.quote, h.word = e.excerptDeed(h.deed), ""
	}
	return h
}

// questionIn returns the last sentence of a line that ends in a question mark.
func questionIn(line string) string {
	end := strings.LastIndexAny(line, "?\uff1f")
	if end < 0 {
		return ""
	}
	// A cut inside a wide mark leaves bytes that are no rune; they are dropped.
	return strings.ToValidUTF8(line[strings.LastIndexAny(line[:end], ".!?;\n\u3002\uff01\uff1f")+1:end], "")
}

func (e *ear) kind(h *heard) string {
	switch {
	case !hasLetters(h.speech) && hasLetters(h.deed):
		return e.match(h.deed, e.cues.Deeds, kindAction)
	case !hasLetters(h.speech):
		if strings.IndexFunc(h.speech, unicode.IsDigit) >= 0 {
			return kindGibberish
		}
		return kindSilence
	}
	if h.name = e.givenName(h.speech); h.name != "" {
		return kindName
	}
	if kind := e.match(h.speech, e.cues.Cues, ""); kind != "" {
		return kind
	}
	switch {
	case e.foreign(h.speech):
		return kindForeign
	case e.gibberish(h.speech):
		return kindGibberish
	}
	return e.match(h.speech, e.cues.Late, kindSay)
}

// match returns the kind of the first cue that fits, else the default.
func (e *ear) match(text string, list []cue, otherwise string) string {
	plain := " " + plainWords(text) + " "
	words := len(strings.Fields(plain))
	asks := strings.ContainsAny(text, "?\uff1f")
	for _, c := range list {
		if c.Max > 0 && (e.cues.Language == "zh" && len([]rune(text)) > c.Max || e.cues.Language != "zh" && words > c.Max) {
			continue
		}
		if c.Question && !asks {
			continue
		}
		if c.fits(plain, e.cues.Language == "zh") {
			return c.Kind
		}
	}
	return otherwise
}

func (c *cue) fits(plain string, unspaced bool) bool {
	if len(c.Any)+len(c.Start) == 0 {
		return true
	}
	for _, p := range c.Any {
		if unspaced && strings.Contains(plain, p) || !unspaced && strings.Contains(plain, " "+p+" ") {
			return true
		}
	}
	for _, p := range c.Start {
		if unspaced && strings.HasPrefix(plain, " "+p) || strings.HasPrefix(plain, " "+p+" ") {
			return true
		}
	}
	return false
}

// splitDeeds parts what is said from what is done: *asterisks*, (brackets) and
// their full-width kin. A mark that never closes is ordinary text.
func splitDeeds(line string) (speech, deed string) {
	var said, done strings.Builder
	for line != "" {
		i := strings.IndexAny(line, "*(\uff08")
		if i < 0 {
			break
		}
		open := "*"
		shut := "*"
		switch {
		case line[i] == '(':
			open, shut = "(", ")"
		case line[i] != '*':
			open, shut = "\uff08", "\uff09"
		}
		body := line[i+len(open):]
		if strings.HasPrefix(body, "*") && shut == "*" { // **bold** is speech
			said.WriteString(line[:i])
			line = strings.TrimLeft(body, "*")
			continue
		}
		j := strings.Index(body, shut)
		if j < 0 {
			break
		}
		said.WriteString(line[:i] + " ")
		done.WriteString(strings.TrimSpace(body[:j]) + " ")
		line = body[j+len(shut):]
	}
	said.WriteString(line)
	return strings.TrimSpace(said.String()), strings.TrimSpace(done.String())
}

func hasLetters(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// plainWords lower-cases a text and keeps letters, digits and apostrophes,
// with one space between words.
func plainWords(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '’' || r == '‘':
			return '\''
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'':
			return unicode.ToLower(r)
		}
		return ' '
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// foreign holds for a line in a language that is neither the scene's nor one
// the player would take for it. In a Chinese scene English is understood.
func (e *ear) foreign(s string) bool {
	latin, han, other := 0, 0, 0
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	if other > latin+han || e.cues.Language != "zh" && han > latin {
		return true
	}
	own, alien := 0, 0
	for _, w := range strings.Fields(plainWords(s)) {
		if e.cues.own[w] {
			own++
		}
		if e.cues.alien[w] {
			alien++
		}
	}
	return alien > own && (alien >= 2 || own == 0)
}

// gibberish holds where no word is known and most look like none.
func (e *ear) gibberish(s string) bool {
	words := strings.Fields(plainWords(s))
	odd := 0
	for _, w := range words {
		if e.cues.own[w] || mostlyHan(w) {
			return false
		}
		if unpronounceable(w) {
			odd++
		}
	}
	return odd*2 > len(words)
}

func unpronounceable(w string) bool {
	if strings.ContainsAny(w, "0123456789") && hasLetters(w) {
		return true
	}
	run, vowels, same := 0, 0, 0
	var last rune
	for _, r := range w {
		if strings.ContainsRune("aeiouyäöüéèàáíóúâêîôûœæøå", r) {
			vowels++
			run = 0
		} else if r != '\'' {
			run++
		}
		if same++; r != last {
			same = 1
		}
		last = r
		if run >= 5 || same >= 4 {
			return true
		}
	}
	for _, row := range []string{"qwert", "asdf", "zxcv", "hjkl", "dfgh", "uiop"} {
		if strings.Contains(w, row) {
			return true
		}
	}
	return vowels == 0 && len(w) >= 3
}
