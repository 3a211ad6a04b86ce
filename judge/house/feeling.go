package house

import (
	"regexp"
	"strings"
)

var (
	feelings = regexp.MustCompile(`(?i)\b(?:afraid|fears?|frightened|terrified|terror|dread|angry|anger|furious|rage|fury|sad|sadness|sorrow|grief|griev\w*|despair|lonely|loneliness|` +
		`happy|happiness|joy|joyful|glad|delight(?:ed)?|relie(?:f|ved)|proud|pride|ashamed|shame|guilt|guilty|jealous|jealousy|env(?:y|ious)|hope|hopeful|longing|tender(?:ness)?|` +
		`anxious|anxiety|worried|worry|nervous|uneasy|hurt|bitter(?:ness)?|resent\w*|disgust(?:ed)?|contempt|surprised?|astonish\w*|amused|amusement|embarrass\w*|regret|remorse|gratitude|grateful|love|hatred?|hate|desire|panic|disappoint\w*|humiliat\w*)\b`)
	feelingsHan = regexp.MustCompile(`害怕|恐惧|愤怒|生气|恼|悲伤|伤心|难过|绝望|孤独|寂寞|高兴|开心|快乐|欢喜|骄傲|得意|羞愧|惭愧|愧疚|嫉妒|羡慕|希望|盼|思念|温柔|焦虑|担心|紧张|不安|委屈|怨|厌恶|惊讶|后悔|感激|心疼|失望|惊慌|恨`)
	bodySigns   = regexp.MustCompile(`(?i)\b(?:breath(?:s|es|ing|less)?|exhal\w*|inhal\w*|sighs?|sighing|gasps?|gulps?|swallow(?:s|ed|ing)?|trembl\w*|shak(?:es?|ing)|shiver\w*|shudder\w*|quiver\w*|stiffen\w*|flinch\w*|` +
		`freez(?:es|ing)|froze|blush\w*|flush\w*|pal(?:es|ing)|(?:goes|grows|turns) (?:pale|white|red|still|cold)|tears?|weep(?:s|ing)?|sobs?|cr(?:y|ies|ying)|frown\w*|scowl\w*|wince\w*|grimac\w*|smil\w*|grin\w*|laugh\w*|chuckl\w*|` +
		`(?:clench|tighten|press|grip|twist|clutch|wring)(?:es|s|ed|ing)? (?:\w+ ){0,3}(?:fist|fists|jaw|hands?|fingers|lips|teeth|fan|sleeve|skirt|glove|gloves|cuff)|knuckles|heart (?:pounds|races|hammers|beats|skips|sinks)|` +
		`voice (?:\w+ )?(?:breaks|cracks|shakes|drops|falters|catches|thick|low|hoarse)|(?:looks?|turns?|glances?) (?:away|down|aside)|lowers? (?:\w+ )?(?:eyes|gaze|head)|eyes (?:narrow|widen|soften|glisten|burn|flash|darken)\w*|shoulders (?:sag|drop|slump|square|stiffen)\w*|hesitat\w*|falter\w*|steps? back|recoil\w*)\b`)
	signsHan = regexp.MustCompile(`颤抖|发抖|发颤|颤|攥紧|握紧|咬紧|咬唇|抿唇|皱眉|蹙眉|眉头|叹气|叹了|深吸|屏住|喘|哽咽|哽|泪|哭|笑|脸红|红了脸|脸色|苍白|发白|僵|低下头|低头|垂下眼|垂眼|别过脸|移开(?:目光|视线)|后退|退了|停顿|顿了|愣|怔|瞪|心跳|指尖|指节`)
)

// feels measures whether a feeling is shown as well as, or instead of, named.
//
// Measures: a bodily sign from a fixed list in the actions or thoughts (0.7), the
// name of a feeling anywhere (0.3 alone, 0.3 more beside a sign).
// Evidence: the signs and names found. English and Chinese; elsewhere both
// candidates measure nothing alike.
// Known mistakes: a sign that means nothing ("a breath of wind"), a feeling told
// by other means than the listed ones, a feeling denied.
func feels(_ *scene, k *candidate) finding {
	shown := listed(k.actions+"\n"+k.thoughts, bodySigns, signsHan)
	named := listed(k.thoughts+"\n"+k.visible, feelings, feelingsHan)
	switch {
	case len(shown) > 0 && len(named) > 0:
		return merit(1, "shows a sign of feeling and names one", append(shown[:1:1], named[0])...)
	case len(shown) > 0:
		return merit(0.7, "shows a sign of feeling without naming it", shown...)
	case len(named) > 0:
		return merit(0.3, "names a feeling and shows no sign of it", named...)
	}
	return merit(0, "shows and names no feeling of those on the list")
}

// listed finds the words of a list, or of its Chinese sister where the text is
// Chinese.
func listed(text string, words, han *regexp.Regexp) []string {
	if hasHan(text) {
		words = han
	}
	return unique(words.FindAllString(text, enough))
}

func hasHan(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 && scriptOf(r) == han }) >= 0
}

// keepsVoice measures how near the reply's manner of speaking is to that of the
// character's own earlier lines.
//
// Measures: the mean length of sentences and the rate of contractions ("don't")
// beside those of all earlier own speech, which must have 40 words.
// Evidence: the two means. Contractions are English; lengths are any language's.
// Known mistakes: a change of mood changes both; a voice is more than its rhythm.
func keepsVoice(s *scene, k *candidate) finding {
	const fewestWords = 40
	if s.voice.words < fewestWords || len(k.sentences) == 0 {
		return merit(0.5, "has too little earlier speech to be compared with")
	}
	v := mannerOf(k.speech)
	rhythm := ratio(v.mean(), s.voice.mean())
	amount := rhythm
	if s.voice.english {
		amount = 0.6*rhythm + 0.4*(1-min(1, 10*abs(v.rate()-s.voice.rate())))
	}
	return merit(amount, "speaks in sentences of "+decimal(v.mean())+" words where the earlier lines have "+decimal(s.voice.mean()))
}

// manner is what keepsVoice knows of a speech.
type manner struct {
	words, sentences, contractions int
	english                        bool
}

// isContraction knows "don't", "I'm", "she'll"; not "Darcy's".
func isContraction(w string) bool {
	w = strings.ReplaceAll(w, "’", "'")
	before, after, ok := strings.Cut(w, "'")
	switch {
	case !ok:
		return false
	case after == "t":
		return strings.HasSuffix(before, "n")
	case after == "s":
		return hasPrefix(before, []string{"it", "that", "he", "she", "there", "what", "who"}) && len(before) < 6
	}
	return after == "m" || after == "re" || after == "ve" || after == "ll" || after == "d"
}

func mannerOf(speech string) manner {
	m := manner{sentences: len(sentencesOf(speech))}
	wide := 0
	for _, w := range wordsOf(speech) {
		switch {
		case isWordless(w):
			wide++
		case w == "the" || w == "you":
			m.english = true
		case isContraction(w):
			m.contractions++
		}
		m.words++
	}
	m.words -= wide - inWords(wide)
	return m
}

func (m manner) mean() float64 { return float64(m.words) / float64(max(1, m.sentences)) }

func (m manner) rate() float64 { return float64(m.contractions) / float64(max(1, m.words)) }

func ratio(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return min(a, b) / max(a, b)
}
