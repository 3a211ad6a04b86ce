package house

import (
	"regexp"
	"strings"
)

// question is the last question of a line, if it stands in its last three
// sentences. "" where there is none.
func question(line string) string {
	all := sentencesOf(cutLine(line).speech)
	for i := len(all) - 1; i >= max(0, len(all)-3); i-- {
		if strings.ContainsAny(all[i], "?？") && !isTag(all[i]) {
			return all[i]
		}
	}
	return ""
}

// isTag is a question that asks nothing: "Eh?", "Well?", "No?".
func isTag(sentence string) bool { return len(wordsOf(sentence)) < 2 }

// kinds of questions, by their words, and what an answer of each kind holds.
var (
	askKinds = []struct {
		name           string
		asked, granted *regexp.Regexp
	}{
		{
			"why",
			regexp.MustCompile(`(?i)\b(?:why|what for|how come)\b|为什么|为何|为啥|怎么会|缘故`),
			regexp.MustCompile(`(?i)\b(?:because|since|for the|so that|so I|in order|that is why|reason|for (?:I|he|she|they|it|my|your)|if you|to (?:\w+))\b|因为|所以|为了|缘故|由于|是怕|怕|免得`),
		},
		{
			"when",
			regexp.MustCompile(`(?i)\b(?:when|how long|what time|how soon|what day)\b|什么时候|何时|多久|几时|几点|哪天|哪年`),
			regexp.MustCompile(`(?i)\b(?:now|today|tonight|tomorrow|yesterday|morning|evening|night|noon|midnight|dawn|dusk|day|days|week|weeks|month|months|year|years|hour|hours|minute|minutes|moment|soon|never|always|ago|before|after|since|until|once|when|spring|summer|autumn|winter|\d+)\b|今|明|昨|早|晚|夜|年|月|日|天|时|刻|以前|以后|从|刚|永远|春|夏|秋|冬`),
		},
		{
			"where",
			regexp.MustCompile(`(?i)\b(?:where|whence|whither|which way)\b|哪里|哪儿|何处|在哪|去哪|哪边`),
			regexp.MustCompile(`(?i)\b(?:in|at|on|by|near|behind|under|over|beyond|beside|across|from|to|towards?|here|there|home|nowhere|somewhere|everywhere|upstairs|downstairs|outside|inside|north|south|east|west)\b|在|里|外|边|上|下|前|后|这儿|那儿|处|家|路|往`),
		},
		{
			"how many",
			regexp.MustCompile(`(?i)\bhow (?:many|much|old|far|often)\b|多少|几(?:个|位|次|岁|人)|多远|多大`),
			regexp.MustCompile(`(?i)\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|twenty|thirty|forty|fifty|half|all|every|few|many|several|enough|too (?:many|much|far)|nothing|once|twice|never|\d+)\b|[零一二两三四五六七八九十百千万几半多少]|没有|很`),
		},
		{
			"who",
			regexp.MustCompile(`(?i)\b(?:who|whom|whose)\b|谁|哪位|何人`),
			regexp.MustCompile(`(?i)\b(?:I|me|my|you|he|him|she|her|they|them|it was|nobody|no one|somebody|someone|everyone|everybody|a man|a woman|mother|father|brother|sister|friend|mine|yours|his|hers|theirs)\b|(?-i:\p{Ll}+,? \p{Lu}\p{Ll}+)|我|你|他|她|人|没人|谁也`),
		},
	}
	yesNo    = regexp.MustCompile(`(?i)^\W*(?:and |but |so |well,? |then )?(?:do|does|did|are|is|am|was|were|will|would|can|could|shall|should|may|might|have|has|had|must|won't|don't|didn't|isn't|aren't|can't|couldn't|wouldn't|haven't|not)\b|[吗么]\s*[？?]|是不是|有没有|能不能|会不会|要不要|可不可以|好不好`)
	settled  = regexp.MustCompile(`(?i)\b(?:yes|no|aye|nay|yea|not|never|n['’]t|indeed|certainly|of course|perhaps|maybe|naturally|very well|if you|I (?:do|did|am|was|will|would|can|could|shall|have|had|must|may|might|think|suppose|know|believe|hope|fear)|always|gladly|hardly|scarcely|cannot|rather|quite|true|nonsense|impossible|possible|both|neither)\b|n['’]t\b|是|不|没|有|会|能|要|好|行|可以|当然|也许|或许|大概|自然|别|未必|罢了`)
	declines = regexp.MustCompile(`(?i)\b(?:I (?:don['’]t|do not|can['’]t|cannot|won['’]t|will not) (?:know|remember|recall|say|tell)|ask me|why do you ask|what (?:is it|does it matter) to you|none of your|that is my|no idea|who knows|who can say)\b|不知道|不晓得|不清楚|说不清|记不得|不记得|不告诉|别问|何必问|问这个`)
)

// answersQuestion measures whether the question asked gets an answer of its
// kind.
//
// Measures: whether the speech has a word of the kind asked for (a time for
// "when", a place for "where", yes, no or a verb of assent for "did you"), or
// openly declines; less for a question back or for taking up the question's
// words. Where nothing is asked, both candidates measure the same.
// Evidence: the question and the sentence. English and Chinese.
// Known mistakes: the right kind of word in a sentence that is no answer; an
// answer by a gesture or a figure of speech.
func answersQuestion(s *scene, k *candidate) finding {
	if s.asks == "" {
		return merit(0.5, "was asked nothing")
	}
	if len(k.sentences) == 0 {
		return merit(0, "says nothing to the question", s.asks)
	}
	const near = 4 // sentences in which an answer is looked for
	first := strings.Join(k.sentences[:min(near, len(k.sentences))], " ")
	kind, granted := "yes or no", settled
	known := yesNo.MatchString(s.asks)
	for _, a := range askKinds {
		if !known && a.asked.MatchString(s.asks) {
			kind, granted, known = a.name, a.granted, true
		}
	}
	if declines.MatchString(first) {
		return merit(0.8, "openly declines to answer", s.asks)
	}
	if known && granted.MatchString(withoutQuestions(k.sentences, near)) {
		return merit(1, "has words that answer “"+kind+"”", s.asks)
	}
	said := setOf(contentOf(first))
	for _, w := range contentOf(s.asks) {
		if said[w] {
			return merit(0.6, "takes up the words of the question", s.asks)
		}
	}
	if strings.ContainsAny(first, "?？") {
		return merit(0.4, "answers the question with a question", s.asks)
	}
	return merit(0.1, "has no word that answers the question", s.asks)
}

func withoutQuestions(sentences []string, most int) string {
	var out []string
	for _, s := range sentences {
		if len(out) < most && !strings.ContainsAny(s, "?？") {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

var (
	toYou   = regexp.MustCompile(`(?i)\b(?:you|your|yours|we|us|our|let['’]s|sir|madam|my lord|my lady)\b|你|您|咱|我们`)
	command = regexp.MustCompile(`(?i)^\W*(?:come|tell|look|take|give|go|wait|sit|stay|listen|show|bring|read|say|speak|try|drink|eat|follow|help|let|leave|hold|think|ask|answer|choose)\b|吧[。！.!]*$`)
)

// leavesRoom measures whether the end of the reply hands the turn to the
// partner.
//
// Measures: the last spoken sentence asks (1), bids (0.9) or speaks of "you" or
// "us" (0.7); else 0.3, and nothing where the reply does not speak.
// Evidence: the sentence. English and Chinese.
// Known mistakes: a rhetorical question asks nothing; a silence may leave more
// room than a question.
func leavesRoom(_ *scene, k *candidate) finding {
	if len(k.sentences) == 0 {
		return merit(0, "ends without a word spoken")
	}
	last := k.sentences[len(k.sentences)-1]
	switch {
	case strings.ContainsAny(last, "?？"):
		return merit(1, "ends with a question", last)
	case command.MatchString(last):
		return merit(0.9, "ends by bidding the partner do something", last)
	case toYou.MatchString(last):
		return merit(0.7, "ends with the partner", last)
	}
	return merit(0.3, "ends without turning to the partner", last)
}
