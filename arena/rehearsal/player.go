package rehearsal

import "strings"

const (
	longestPlayed = 200  // turns that are played again from the top
	longestHeard  = 4000 // bytes of a line that are listened to
	arc           = 20   // turns over which the beats of a scene are spread
)

// player is one of the two players in one scene.
type player struct {
	st     *stage
	ear    *ear
	parts  []*part // the scene's text first, then the general one's
	memory *memory
}

// lines is what a player gives for one turn, before it is written out.
type lines struct {
	plan    string
	thought string
	act     string
	speech  []string
	aside   string // a flaw of the understudy that stands on its own line
	pattern int
}

// play answers a request: it plays the scene from the top and returns the last
// reply, going on from the prefill.
func (h *house) play(model string, msgs []message, prefill string, seed int64) string {
	if asked, ok := h.asPerson(msgs); ok {
		return asked.line(model == LeadModel, prefill)
	}
	return h.goOn(model == LeadModel, msgs, prefill, seed)
}

// perform plays the scene from the top and returns what is said in its last turn.
func (h *house) perform(lead bool, msgs []message, seed int64) (*stage, lines) {
	st := h.readStage(msgs, seed)
	p := &player{
		st: st, memory: newMemory(),
		ear: &ear{cues: h.cues[st.lang], names: append([]string{st.char, st.user}, st.script.Words...)},
	}
	common := h.general[st.lang]
	for _, s := range []*script{st.script, common} {
		part := &s.Understudy
		if lead {
			part = &s.Lead
		}
		p.parts = append(p.parts, part)
	}
	if st.script == common {
		p.parts = p.parts[:1]
	}
	turns := st.turns
	if skip := len(turns) - longestPlayed; skip > 0 {
		p.memory.turn = skip
		turns = turns[skip:]
	}
	var out lines
	for _, t := range turns {
		for _, b := range t.before {
			b, _ = cutName(b, st.char)
			p.memory.keep(b)
		}
		out = p.turn(t, lead)
	}
	return st, out
}

func (p *player) turn(t spoken, lead bool) lines {
	p.memory.turn++
	h := p.hear(t)
	if lead {
		return p.leadTurn(h)
	}
	return p.understudyTurn(h)
}

// hear listens to a line and notes what has to be remembered of it.
func (p *player) hear(t spoken) heard {
	if t.opening {
		return heard{kind: kindOpening}
	}
	line := t.line
	if len(line) > longestHeard {
		line = strings.ToValidUTF8(line[:longestHeard], "")
	}
	h := p.ear.listen(line)
	key := plainWords(line)
	p.memory.lines[key]++
	if p.memory.lines[key] > 1 && h.kind != kindSilence && h.kind != kindGibberish {
		h.kind = kindRepeat
	}
	if h.name != "" && h.kind == kindName {
		p.memory.name, p.memory.recalled = h.name, p.memory.turn
	}
	return h
}

// choose takes the first string of a list, from a place the hash names, that
// can be filled, was not used yet, and repeats no sentence.
func (p *player) choose(list []string, salt string, h heard) (string, bool) {
	return p.pick(list, salt, h, false)
}

func (p *player) pick(list []string, salt string, h heard, again bool) (string, bool) {
	if len(list) == 0 {
		return "", false
	}
	start := int(mix(p.st.key, hash(salt)+uint64(p.memory.turn)) % uint64(len(list)))
	for i := range list {
		frame := list[(start+i)%len(list)]
		if p.memory.frames[frame] && !again {
			continue
		}
		text, ok := p.fill(frame, h)
		if !ok || p.memory.repeats(text) {
			continue
		}
		p.memory.frames[frame] = true
		return text, true
	}
	return "", false
}

// spoken strings must not be said twice; those of plans may come again once
// all have been used.
func (p *player) planned(lists [][]string, salt string, h heard) string {
	for _, list := range lists {
		if s, ok := p.choose(list, salt, h); ok {
			return s
		}
	}
	for _, list := range lists {
		for i := range list {
			j := (i + p.memory.turn) % len(list)
			if s, ok := p.fill(list[j], h); ok {
				return s
			}
		}
	}
	return ""
}

// fill puts the names and the words of the line into a string. It fails where
// the string wants something that is not there.
func (p *player) fill(frame string, h heard) (string, bool) {
	if !strings.Contains(frame, "{") {
		return frame, true
	}
	you := p.st.script.You
	if p.st.script.ID == general {
		if you = p.st.user; p.memory.name != "" {
			you = p.memory.name
		}
	}
	name := p.memory.name
	if name == "" && h.kind == kindAskName {
		name = p.st.user
	}
	char := p.st.script.Short
	if char == "" {
		char = p.st.char
	}
	if char == "" {
		char = map[string]string{"en": "the character", "zh": "角色"}[p.st.lang]
	}
	person := p.st.user
	if person == "" {
		person = map[string]string{"en": "the other", "zh": "对方"}[p.st.lang]
	}
	if rest, ok := strings.CutPrefix(person, "The "); ok {
		person = "the " + rest
	}
	var pairs []string
	for _, slot := range [...][2]string{
		{"{quote}", h.quote},
		{"{Quote}", upperFirst(h.quote)},
		{"{word}", h.word},
		{"{Word}", upperFirst(h.word)},
		{"{deed}", h.quote},
		{"{name}", name},
		{"{you}", you},
		{"{You}", upperFirst(you)},
		{"{char}", char},
		{"{Char}", upperFirst(char)},
		{"{user}", p.st.user},
		{"{person}", person},
		{"{Person}", upperFirst(person)},
	} {
		if !strings.Contains(frame, slot[0]) {
			continue
		}
		if slot[1] == "" {
			return "", false
		}
		pairs = append(pairs, slot[0], slot[1])
	}
	// In one pass, so that braces the person wrote stay as they are.
	return strings.NewReplacer(pairs...).Replace(frame), true
}

// answer finds what to say to the line itself: on its topic, else to its kind.
func (p *player) answer(h heard) string {
	if s, ok := p.onTopic(h); ok {
		return s
	}
	seen := map[string]bool{}
	for kind := h.kind; kind != "" && !seen[kind]; kind = p.parent(kind) {
		seen[kind] = true
		for _, part := range p.parts {
			if s, ok := p.choose(part.Kinds[kind], kind, h); ok {
				return s
			}
		}
	}
	return ""
}

// parent is the kind to fall back on. A line said again gets no other answer:
// the scene goes on instead.
func (p *player) parent(kind string) string {
	if kind == kindRepeat || kind == kindSay {
		return ""
	}
	if up := p.ear.cues.Parents[kind]; up != "" {
		return up
	}
	return kindSay
}

// onTopic answers by what the line is about; the longest word that fits wins.
func (p *player) onTopic(h heard) (string, bool) {
	switch h.kind {
	case kindSilence, kindGibberish, kindForeign, kindName, kindRepeat, kindAskName, kindOpening:
		return "", false
	}
	plain := " " + plainWords(h.raw) + " "
	var best *topic
	bestLen := 0
	for i := range p.parts[0].Topics {
		t := &p.parts[0].Topics[i]
		n := t.fits(plain, h.kind, p.st.lang == "zh")
		if n > bestLen && p.hasFresh(t.Lines, h) {
			best, bestLen = t, n
		}
	}
	if best == nil {
		return "", false
	}
	return p.choose(best.Lines, best.Words[0], h)
}

func (p *player) hasFresh(list []string, h heard) bool {
	for _, frame := range list {
		if p.memory.frames[frame] {
			continue
		}
		if text, ok := p.fill(frame, h); ok && !p.memory.repeats(text) {
			return true
		}
	}
	return false
}

// fits returns the weight of the best word that occurs, 0 for none. A topic
// meant for the line's kind outweighs one for all.
func (t *topic) fits(plain, kind string, unspaced bool) int {
	bonus := 0
	if len(t.Kinds) > 0 {
		for _, k := range t.Kinds {
			if k == kind {
				bonus = 100
			}
		}
		if bonus == 0 {
			return 0
		}
	}
	best := 0
	for _, w := range t.Words {
		if unspaced && strings.Contains(plain, w) || !unspaced && strings.Contains(plain, " "+w+" ") {
			best = max(best, len(w)+bonus)
		}
	}
	return best
}

// beat returns the place in the arc, from 0.
func (p *player) beat() int {
	n := len(p.parts[0].Beats)
	return min((p.memory.turn-1)*n/arc, n-1)
}

// move takes the next step of the scene: something of this beat, else of the
// ones after it, else of the end, else of whatever is left.
func (p *player) move(h heard) string {
	beats := p.parts[0].Beats
	now := p.beat()
	for i := now; i < len(beats); i++ {
		if s, ok := p.choose(beats[i].Moves, "move", h); ok {
			return s
		}
	}
	for _, part := range p.parts {
		if s, ok := p.choose(part.Coda, "coda", h); ok {
			return s
		}
	}
	for i := now - 1; i >= 0; i-- {
		if s, ok := p.choose(beats[i].Moves, "move", h); ok {
			return s
		}
	}
	return ""
}

// anything is the last resort of a very long scene: a string that was used
// before but is a new sentence with this line's words, else one said long ago.
func (p *player) anything(h heard) string {
	for i := len(p.parts) - 1; i >= 0; i-- {
		for _, kind := range []string{h.kind, kindSay} {
			if s, ok := p.pick(p.parts[i].Kinds[kind], "again", h, true); ok {
				return s
			}
		}
	}
	coda := p.parts[len(p.parts)-1].Coda
	for i := range coda {
		if s, ok := p.fill(coda[(p.memory.turn+i)%len(coda)], h); ok {
			return s
		}
	}
	return "…"
}

// recall lets the player use the name it was given, every few turns.
func (p *player) recall(h heard) string {
	const every = 3
	if p.memory.name == "" || p.memory.turn-p.memory.recalled < every || h.kind == kindSilence {
		return ""
	}
	for _, part := range p.parts {
		if s, ok := p.choose(part.Recall, "recall", h); ok {
			p.memory.recalled = p.memory.turn
			return s
		}
	}
	return ""
}

// words counts the words of a text, Han runes as one each.
func words(text string) int {
	_, n := gist(text)
	return n
}
