package house

import (
	"regexp"
	"strings"
	"sync"
)

// stockRule is one kind of stock sentence of assistants.
type stockRule struct {
	re *regexp.Regexp
	// excused matches the settings, or else the reply's actions, in which a person
	// may say the same.
	excused, excusing *regexp.Regexp
	anywhere          bool // not only among the last sentences
}

// stockRules are patterns of whole sentences, begin to end: what is a part of a
// longer one may be anybody's. Each is made once, on first use.
var stockRules = sync.OnceValue(func() []stockRule {
	whole := func(patterns ...string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\W{0,3}(?:(?:well|now|so|and|anyway|okay|ok|please),? )?(?:` + strings.Join(patterns, "|") + `)[\s.,!?…。！？)"”’」』\x{FF01}]*$`)
	}
	begins := func(patterns ...string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\W{0,3}(?:` + strings.Join(patterns, "|") + `)`)
	}
	aides := regexp.MustCompile(`(?i)\b(?:assistants?|secretar(?:y|ies)|aide|apprentice|clerk|assistante?s?|Assistent(?:in)?|Gehilf\w*|asistente|assistente)\b|助手|助理|秘书|徒弟|学徒|ассистент|помощни|アシスタント|助手|조수|어시스턴트`)
	servants := regexp.MustCompile(`(?i)\b(?:shop(?:s|keepers?|girl|man|woman| assistants?)?|store(?:keeper)?s?|inn(?:s|keepers?)?|tavern|taverns|pub|bar(?:maid|man|keep|tender)?s?|hotel|hostess|landlady|landlord|waiter|waitress|` +
		`clerks?|servants?|butler|maid|valet|footman|housekeeper|steward(?:ess)?|merchant|vendor|seller|salesman|saleswoman|trader|stall|market|receptionist|concierge|librarian|library|assistant|secretary|nurse|doctor|pharmac\w+|` +
		`apothecary|tailor|bank|cashier|caf[ée]|restaurant|office|customers?|clients?|help ?desk|pharmacie|boutique|auberge|Laden|Wirt(?:in)?|tienda|posada|negozio|locanda|loja)\b|` +
		`店|铺|掌柜|老板|伙计|小二|仆|丫鬟|管家|侍|客栈|酒馆|酒楼|茶馆|茶楼|柜台|护士|大夫|前台|助手|助理|秘书|магазин|трактир|лавк|слуг|宿|女将|店員|가게|주막|점원|하인`)
	teachers := regexp.MustCompile(`(?i)\b(?:teach\w*|tutor|professor|lecturer|lectures?|guide|librarian|instructor|doctor|nurse|lawyer|solicitor|office\w*|clerk|receptionist|concierge|assistant|interview\w*)\b|老师|先生教|教授|导游|导师|讲|大夫|律师|助手|助理|秘书|前台`)
	gives := regexp.MustCompile(`(?i)\b(?:hand|giv|gave|offer|pass|slid|pour|push|press|hold|held|set|put|lay|laid|plac|wrap|bandag|tie|tying|lend|serv|bring|brought|drop|count)(?:e|es|s|ed|ing)?\b|递|给|送|端|倒|塞|放|敷|包|交|掏|推`)
	return []stockRule{
		{ // names itself
			anywhere: true, excused: aides,
			re: begins(`(?:speaking )?as an? (?:helpful |impartial )?assistant,? (?:I|my|it)\b`, `I(?:['’]m| am) (?:just |only )?an? helpful assistant\b`, `作为(?:一个|一名|一位|您的|你的)?(?:助手|助理)[，,]`,
				`en tant qu['’]assistante?,`, `als (?:dein |Ihr |ein )?Assistent(?:in)?(?: (?:kann|w[üu]rde|m[öo]chte|darf|muss) ich|,)`, `como (?:un )?asistente,`, `come assistente,`, `como assistente,`, `как (?:ваш )?ассистент,`, `アシスタントとして`, `(?:어시스턴트|비서)로서`),
		},
		{ // speaks of the scene as such
			anywhere: true,
			re: whole(`(?:please )?feel free to ask (?:me )?[^.!?]{0,60}(?:about|with|regarding) (?:this|the|our) (?:scene|story|role-?play|scenario|character)[^.!?]{0,20}`,
				`(?:如果|如|若)?(?:您|你)?需要我继续(?:写|讲|演)?(?:这个|本|该|这段)?(?:故事|对话|场景|剧情|扮演)?[，,]?(?:请|随时|欢迎)?\S{0,8}`, `以上(?:内容|回答|信息|建议)?仅供(?:您|你)?参考`),
		},
		{ // hopes to have helped
			excusing: gives,
			re: whole(`I (?:do |really |sincerely )?hope (?:this|that)(?: information| answer| explanation)? (?:helps|helped|is helpful|was helpful|has been helpful)(?: you)?(?: out| a bit| a little)?`,
				`希望(?:这|以上|这些|这个|我的)?(?:些|个)?(?:内容|信息|回答|建议|解释)?(?:能|能够|可以|会)?(?:对(?:你|您)有(?:所|些)?(?:帮助|用)|帮(?:助)?到(?:了)?(?:你|您))`,
				`j['’]esp[èe]re que (?:cela|[çc]a|ceci) (?:vous |t['’])?(?:aide|aidera|a aid[ée]e?|sera utile)`, `ich hoffe,? (?:das|dies) (?:hilft|konnte)(?: dir| Ihnen| euch)?(?: weiter| helfen| weiterhelfen)?`,
				`espero que (?:esto|eso) (?:te |le |os |les )?(?:ayude|sirva|haya ayudado|sea (?:[úu]til|de ayuda))`, `spero che (?:questo|ci[òo]) (?:ti |vi |le )?(?:sia (?:utile|d['’]aiuto|stato utile)|aiuti)`,
				`espero que (?:isso|isto) (?:te |lhe )?(?:ajude|tenha ajudado|seja [úu]til)`, `надеюсь, это (?:вам |тебе )?(?:помогло|поможет|было полезно)`, `надеюсь, (?:я )?(?:смог|смогла) (?:вам )?помочь`,
				`(?:この(?:情報|回答|説明)が)?(?:少しでも)?お役に立て(?:れば|たら|ば)(?:幸い|嬉しい|うれしい)です`, `(?:이 (?:정보|답변)가 |조금이나마 )?도움이 (?:되었기를|되셨기를|되었길|되셨길|되기를|되길) (?:바랍니다|바라요|바랄게요)`),
		},
		{ // asks for the next order
			excused: servants,
			re: whole(`(?:is there )?anything(?: else| more| further)? (?:that |which )?(?:I|we) (?:can|could|may) (?:help|assist)(?: you)?(?: with| on| in)?(?: today| now| tonight| right now)?`, `(?:how|what) (?:can|may) I (?:help|assist) you(?: with)? today`, `how (?:can|may) I assist you(?: further| now)?`,
				`(?:请问)?(?:您|你)?(?:还)?有(?:什么|其他|别的|哪些)(?:问题|事情?|地方)?(?:是)?(?:我)?(?:可以|能|能够|需要)(?:我)?(?:为您|为你)?(?:帮|协助|帮助|帮忙|效劳)(?:到|助|忙)?(?:您|你)?(?:的|的地方|做的)?(?:吗|呢)?`,
				`(?:puis-je|y a-t-il autre chose (?:en|pour laquelle|dont) )[^.!?]{0,20}(?:vous|t['’])\s?aider (?:pour|avec|en) (?:autre|quelque) chose(?: d['’]autre)?`, `kann ich (?:dir|Ihnen|euch) (?:sonst )?noch (?:irgendwie |bei etwas |mit etwas )?(?:anderem )?(?:helfen|weiterhelfen|behilflich sein)`,
				`[¿]?hay algo m[áa]s en lo que pueda ayudar(?:te|le|les|os)?`, `c['’][èe] (?:qualcos['’])?altro in cui (?:io )?poss[ao] aiutar(?:ti|la|vi|e)`, `(?:h[áa] mais alguma coisa em que eu possa ajudar|posso ajudar (?:com|em) mais alguma coisa)(?:[ -][a-z]+)?`,
				`(?:чем|могу ли я) (?:ещ[её] )?(?:я )?(?:могу )?(?:вам |тебе )?(?:ещ[её] )?(?:чем-то |чем-нибудь )?помочь`, `(?:他|ほか)に(?:何か)?(?:お手伝い|お役に立て)(?:できる)?(?:る)?ことはあり?(?:ます|ません|ございます)か`, `(?:더|다른) ?(?:제가 )?도와드릴 (?:일이|것이|게|수 있는 것이) (?:더 )?(?:있나요|있을까요|있으신가요)`),
		},
		{ // asks for questions
			excused: teachers,
			re: whole(`feel free to (?:ask|reach out|contact)\b[^.!?]{0,40}\b(?:questions|clarification|assistance|further help)\b[^.!?]{0,30}`, `(?:if|should) you have (?:any )?(?:more |further |other |additional )?questions,?[^.!?]{0,20}(?:feel free|hesitate|let me know|reach out|just ask)[^.!?]{0,30}`,
				`(?:do not|don['’]t) hesitate to (?:ask|reach out|contact)\b[^.!?]{0,40}\b(?:questions|clarification|assistance|further help)\b[^.!?]{0,20}`, `let me know if you (?:have|need) (?:any )?(?:other |more |further |additional )(?:questions|help|assistance|information|clarification)[^.!?]{0,20}`,
				`(?:如果|如|若)(?:您|你)?(?:还)?有(?:任何|其他|更多|别的|什么)?(?:问题|疑问)[，,]?(?:都)?(?:请|欢迎|可以)?(?:随时|尽管)\S{0,10}`, `(?:请|欢迎)?随时(?:向我)?(?:提问|询问)\S{0,3}`,
				`n['’]h[ée]site(?:z pas|s? pas) [àa] (?:me )?poser (?:d['’]autres|vos|tes) questions`, `(?:wenn|falls) (?:du|Sie) (?:noch |weitere )(?:Fragen|weitere Fragen) (?:hast|haben),[^.!?]{0,50}`, `no dud(?:es|e) en (?:preguntar|hacer(?:me)? m[áa]s preguntas)[^.!?]{0,10}`,
				`non esit(?:are|i) a (?:chiedere|farmi altre domande)`, `n[ãa]o hesite em (?:perguntar|fazer mais perguntas)`, `если у (?:вас|тебя) (?:есть|остались|возникнут|появятся) (?:ещ[её] |другие )?вопросы[^.!?]{0,50}`,
				`(?:他に)?(?:ご)?質問(?:が|等が)?(?:あれば|ございましたら|がありましたら)[^。]{0,10}お?気軽に[^。]{0,20}`, `(?:궁금한 점|질문)이 (?:더 )?있으시?면 (?:언제든지?|편하게)[^.!?]{0,20}`),
		},
	}
})

// stockCues are words of which one stands in every stock sentence: looking for
// them is cheap.
const stockCues = "assist|asist|hope|feel free|hesit|question|anything|help|ассистент|помо|вопрос|надеюсь|助手|助理|希望|帮|协助|效劳|继续|仅供|随时|提问|疑问|问题|esp|hoff|spero|aider|helfen|ayudar|aiutar|ajud|poser|fragen|pregunt|chiedere|domande|pergunt|アシスタント|お役|手伝|質問|도움|도와|질문|궁금|로서"

// stockLines finds the sentences with which assistants begin and end. A character
// who is a machine, and those whom the settings make serve or teach, may say
// theirs; so may who hands something over and hopes that it helps.
func stockLines(s *scene, k *candidate) []string {
	if s.isMadeUp || !holdsAny(strings.ToLower(k.speech), stockCues) {
		return nil
	}
	const closing = 3 // sentences at the end
	var quotes []string
	for i, sentence := range k.sentences {
		if len(quotes) == enough || len(sentence) > 300 {
			continue
		}
		for _, r := range stockRules() {
			if !r.anywhere && i < len(k.sentences)-closing || !r.re.MatchString(sentence) {
				continue
			}
			if r.excused != nil && r.excused.MatchString(s.system) || r.excusing != nil && r.excusing.MatchString(k.actions) {
				continue
			}
			quotes = append(quotes, sentence)
			break
		}
	}
	return quotes
}
