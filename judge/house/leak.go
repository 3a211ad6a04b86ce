package house

import (
	"regexp"
	"slices"
	"strings"
)

var (
	machine = regexp.MustCompile(`(?i)\b(?:AI|A\.I\.|artificial intelligence|android|robot|chatbot|cyborg|language model)\b|人工智能|机器人|仿生人`)

	// Each phrase names the assistant, its maker or its rules. None is something a
	// person in a story says: words that only look alike ("incoherently", "a
	// mistral wind") are not listed, and all stand on word boundaries.
	assistantSelf = regexp.MustCompile(`(?i)\bas an? (?:AI|artificial intelligence)\b(?: (?:language )?model| assistant)?|` +
		`\bas an? (?:large )?language model\b|\bas an? (?:virtual|digital) assistant\b|` +
		`\bI(?:['’]m| am) (?:just |only |actually )?an? (?:AI|artificial intelligence|large language model|language model|chatbot|virtual assistant)\b|` +
		`\bas your (?:AI|virtual|digital) (?:assistant|companion|model)\b|\bI(?:['’]m| am) (?:ChatGPT|GPT-?\d\S*|DeepSeek\S*|Qwen\S*|MiniMax\S*)|` +
		`\b(?:je suis|en tant que?) (?:un |une |qu['’]une? )?(?:mod[èe]le de langage|IA\b|intelligence artificielle)|\b(?:ich bin|als) (?:ein|eine) (?:KI\b|KI-\S+|k[üu]nstliche Intelligenz|(?:gro[sß]+es )?Sprachmodell)|` +
		`\b(?:soy|como) (?:un |una )?(?:modelo de lenguaje|IA\b|inteligencia artificial)|\b(?:sou|sono) (?:um |uma |un |una )?(?:modelo de linguagem|modello linguistico|intelig[êe]ncia artificial|intelligenza artificiale)|` +
		`(?i:[яЯ])\s*[—–-]?\s*(?:всего лишь |просто )?(?:языковая модель|искусственный интеллект|ИИ-)|[Кк]ак (?:языковая модель|искусственный интеллект)|` +
		`私は(?:ただの)?(?:AI|人工知能|大?規?模?言語モデル)|(?:AI|人工知能|言語モデル)(?:アシスタント)?として|저는 (?:AI|인공지능|언어 모델)|(?:AI|인공지능|언어 모델)(?:로서|로써)|` +
		`我(?:就)?是(?:由\S{1,12}(?:开发|训练)的|通义千问|文心一言|ChatGPT|DeepSeek|豆包|Kimi)|` +
		`作为一?(?:个|名|款)?(?:大型)?(?:AI|人工智能|语言模型)|我(?:只)?是一?(?:个|名|款)?(?:AI|人工智能|大?语言模型)`)
	assistantRule = regexp.MustCompile(`(?i)\bI(?:['’]m| am) sorry,? but (?:as an AI\b|I (?:cannot|can['’]t|can not|am not able to|am unable to|won['’]t be able to) ` +
		`(?:help (?:you )?with (?:that|this)|assist|comply|fulfil|continue (?:this|with this|the|our) (?:conversation|role-?play|story|scene|request|scenario)|` +
		`(?:provide|generate|create|produce|write|engage in|participate in|discuss|respond to|answer) (?:that|this|such|any|content|explicit|sexual|violent|inappropriate|harmful|a response|to)\b|` +
		`do that\b|role-?play))|` +
		`\bI (?:cannot|can['’]t|can not) (?:assist with|fulfil+|comply with) (?:that|this|your) (?:request)?|` +
		`\bmy (?:training data|knowledge cut-?off|content policy|programming guidelines|usage policies)\b|` +
		`\b(?:made|created|trained|developed|built) by (?:OpenAI|Anthropic|Google|Meta AI|DeepSeek|Alibaba|Mistral AI|xAI|MiniMax|Cohere|ByteDance)(?:[^\w'’]|$)|` +
		`\b(?:this|our) (?:role-?play|fictional scenario)\b|(?:^|\n)\W{0,3}(?:Sure|Certainly|Of course|Absolutely)[,!.] (?:here (?:is|are)|here['’]s|I(?:['’]ll| will)) (?:\w+ ){0,4}(?:response|reply|role-?play|in character)\b|` +
		`(?:^|\n)\W{0,3}Here(?:['’]s| is) (?:a|my|the) (?:possible |in-character )?(?:response|reply) (?:as|in character)\b|` +
		`\blet me know if you(?:['’]d| would) like me to (?:continue|adjust|change|rewrite)\b|\bI(?:['’]m| am) here to (?:assist|help) you with (?:any|your) (?:questions?|requests?)|` +
		`(?:^|\n)\s*[\[(]?(?:OOC|out of character)\b\s*[:)\]]|` +
		`(?:抱歉|对不起|很遗憾)[，,]?\s*(?:但)?我(?:不能|无法)(?:提供|协助|继续(?:这个|该|本)|满足|回应|生成|参与)|我的训练数据`)
)

// aside is a note of the writer's in brackets, which a parser takes for action.
var aside = regexp.MustCompile(`(?i)[\[(]\s*(?:(?:author|writer|narrator)['’]s )?note: [^\])\n]*`)

// breaksCharacter finds the assistant behind the character.
//
// Proves: a fixed phrase in which a model names itself, its maker, its rules or
// the game, on word boundaries; or a stock sentence of assistants, whole ("I hope
// this helps!"), at the end of the reply.
// Evidence: the sentence. English and Chinese in full; the self-naming and the
// stock sentences also in French, German, Spanish, Portuguese, Italian, Russian,
// Japanese and Korean.
// Known false positives: a person who says the same words ("I can't help with
// that, I'm sorry"); a character who is a machine, or serves, or teaches, where the
// settings hide it. Missed: the stock sentences of those whose settings say so.
func breaksCharacter(s *scene, k *candidate) finding {
	text := k.thoughts + "\n" + k.visible
	var quotes []string
	lower := strings.ToLower(text)
	if holdsAny(lower, selfWords) || whole(lower, "ai") || whole(lower, "ia") || whole(lower, "ki") {
		for _, m := range assistantSelf.FindAllString(text, enough) {
			// A character who is a machine may say so; a "language model" is ours.
			if !s.isMadeUp || strings.Contains(strings.ToLower(m), "model") {
				quotes = append(quotes, around(text, m))
			}
		}
	}
	for _, q := range stockLines(s, k) {
		if !slices.Contains(quotes, q) {
			quotes = append(quotes, q)
		}
	}
	return leaked(k, text, lower, quotes)
}

// leaked adds the rules of assistants and the notes of writers to what was found.
func leaked(k *candidate, text, lower string, quotes []string) finding {
	if holdsAny(lower, ruleWords) {
		for _, m := range assistantRule.FindAllString(text, enough) {
			if q := around(text, m); !slices.Contains(quotes, q) {
				quotes = append(quotes, q)
			}
		}
	}
	quotes = append(quotes, aside.FindAllString(k.raw, enough)...)
	if len(quotes) == 0 {
		return finding{}
	}
	return flaw(1, "speaks as the assistant behind the character", quotes...)
}

// Words of which one stands in whatever the patterns above match: looking for
// them is cheap, and most replies have none.
const (
	selfWords = "ai言|ai로|model|modèl|assistant|companion|intellig|intelig|gpt|deepseek|qwen|minimax|ki-|sprachmodell|модель|интеллект|ии-|私は|저는|人工|语言模型|言語|인공지능|언어|我是|我就是|通义"
	ruleWords = "sorry|assist|comply|fulfil|training data|knowledge|content policy|guidelines|usage polic|openai|anthropic|google|meta ai|deepseek|alibaba|mistral|xai|minimax|cohere|bytedance|roleplay|role-play|fictional|" +
		"here to help|response|reply|let me know|ooc|out of character|抱歉|对不起|很遗憾|训练数据|cannot|can't|can’t|can not"
)

func holdsAny(text, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// around is the sentence that holds a phrase.
func around(text, phrase string) string {
	for _, s := range sentencesOf(text) {
		if strings.Contains(s, strings.TrimSpace(phrase)) {
			return s
		}
	}
	return strings.TrimSpace(phrase)
}
