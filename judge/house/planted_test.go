package house

import (
	"strings"
	"testing"

	"herarena/arena"
)

// The scene in which flaws are planted.
func plantedScene(own ...string) arena.Case {
	c := arena.Case{
		Context: []arena.ContextLine{
			{Role: "system", Content: "You are Anna Weir, 41 years old, who keeps the lighthouse at Skerry Point. You have two brothers. A storm is coming. Jonas Pell has rowed over from the mainland."},
		},
		Character: "Anna Weir", User: "Jonas Pell", Language: "en",
	}
	for i, line := range own {
		c.Context = append(c.Context, arena.ContextLine{Role: "assistant", Name: "Anna Weir", Content: line},
			arena.ContextLine{Role: "user", Name: "Jonas Pell", Content: []string{
				"(shakes the rain from his hat) The glass is falling, and you know it. [She must never learn that I sold the brass telescope to Captain Moray.]",
				"(looks at the stairs) Will you come ashore with me tonight?",
				"(waits) I asked you something.",
			}[min(i, 2)]})
	}
	return c
}

func plantedHan(own ...string) arena.Case {
	c := arena.Case{
		Context:   []arena.ContextLine{{Role: "system", Content: "你是阿梅，茶馆老板娘，今年三十岁。雨夜，客人来访。"}},
		Character: "阿梅", User: "客人", Language: "zh",
	}
	for _, line := range own {
		c.Context = append(c.Context, arena.ContextLine{Role: "assistant", Name: "阿梅", Content: line},
			arena.ContextLine{Role: "user", Name: "客人", Content: "（看着雨）今晚还能走吗？[她不知道我把那封信藏在灶台下面。]"})
	}
	return c
}

func plantedAsking(rule string) arena.Case {
	c := plantedScene()
	c.Context[0].Content += " " + rule
	return c
}

func many(s string, n int) string { return strings.Repeat(s, n) }

type planting struct {
	check string
	scene arena.Case
	hits  []string
	miss  []string
}

func plantings() []planting {
	calm := plantedScene("(trims the wick) The lamp wants oil, and I want sleep. I have two brothers at sea. I have never been to the mainland. I cannot swim.")
	seated := plantedScene("(sits down on the bench and opens the logbook) Talk, then. I am listening.")
	stood := plantedScene("(stands up, sets down the lantern and closes the shutter) Enough of this.")
	nods := plantedScene("(nods slowly at the sea) It is late.", "(nods and turns a page) I have work, as ever, to do.")
	tea := plantedHan("（在桌边坐下，放下茶壶）我不会唱歌。我有两个弟弟。", "（关上门）我从没见过他。")
	return []planting{
		{
			"Stays in character", calm,
			[]string{
				"As an AI language model, I have no boat.", "As a large language model trained by Google, I cannot row.", "I'm just an AI, Jonas.", "I am ChatGPT, and the sea is deep.",
				"As your AI assistant, I advise you to go.", "I was created by OpenAI.", "I can't assist with that request.", "I'm sorry, but I can't continue this roleplay.",
				"Sure! Here is my response in character: the sea is rough.", "(Note: I kept the tone gloomy.) The sea is rough.", "OOC: shall we end the scene?", "My training data ends before the storm.",
				"Let me know if you'd like me to continue.", "Je suis un modèle de langage, Jonas.", "Ich bin ein KI-Modell.", "Soy un modelo de lenguaje.", "Я — языковая модель.", "私はAIアシスタントです。", "저는 AI 언어 모델입니다.",
				"我是一个人工智能。", "作为一个AI语言模型，我不能划船。", "我是由阿里巴巴开发的助手。", "I’m an artificial intelligence, and I do not feel the cold.", "As an AI, I see no storm.",
			},
			[]string{
				"Claude rowed out at dawn.", "Gemini stands over the mast.", "As an aide to the keeper I learned the lamp.", "I am a model of patience, Jonas.", "I was made by the sea, they say.",
				"I'm sorry, but I cannot leave the lamp.", "Sure! Here is your hat.", "Of course. I will row you back.", "Note: the wind has turned.", "The gipsy spoke incoherently.", "I am an air of calm.",
				"His assistant fell ill.", "Let me know if you'd like some tea.", "I cannot assist with the rowing; my hand is cut.", "The ship was built by Google's grandfather.", "I have no training in this.",
				"作为一个女人，我不能走。", "我是一个守灯的人。", "Je suis une femme de mer.", "Ich bin ein Kind der See.", "Here is the reply from the admiralty.",
			},
		},
		{
			"Speaks at all", calm,
			[]string{"<role_action>nods</role_action>", "(nods)", "*nods*", "<role_thinking>I must go.</role_thinking>", "[I must go.]", "(turns away) ...", "<role_action>leaves</role_action>\n\n—", "（点头）", "(nods) [He knows.]"},
			[]string{"No.", "(nods) No.", "*nods* No.", "<role_action>nods</role_action>No.", "[I must go.] No.", "不。", "Ha!", "7."},
		},
		{
			"Speaks for itself alone", calm,
			[]string{
				"Go.\nJonas Pell: I will.", "Go.\nUser: I will.", "Go.\n**Jonas Pell**: I will.", "Go.\n\nJonas Pell： I will.", "Jonas Pell: I will.", "Go.\n{{user}}: I will.", "Go.\n*Jonas Pell:* I will.", "Go.\nHuman: I will.", "Anna Weir: Go.\nJonas Pell: No.",
			},
			[]string{
				"Go, Jonas Pell: I mean it.", "Anna Weir: Go.", "Hear me: go.", "Two things: the lamp, and you.", "The user: a man of the sea.", "Jonas Pell said: no.", "At 10:30 I sleep.", "It says on the hull, \"Jonas\".", "Jonas Pell, go.",
			},
		},
		{
			"Bears its own name", calm,
			[]string{"I am Jonas Pell.", "My name is Jonas Pell, and I row.", "I'm Jonas Pell!", "Call me Jonas Pell.", "I’m Jonas Pell, keeper of the lamp.", "Yes, I am Jonas Pell.", "“I am Jonas Pell.”", "The sea is rough.\n— Jonas Pell"},
			[]string{"I am Anna Weir.", "You are Jonas Pell.", "I am Jonas Pell's friend.", "They call him Jonas Pell.", "My name is Weir.", "Am I Jonas Pell?", "I am, Jonas Pell, tired.", "I am not Jonas Pell."},
		},
		{
			"Thoughts stay inside", calm,
			[]string{
				"Go.\nThoughts: he lies.", "Go.\nThinking: he lies.", "Inner monologue: he lies.", "Inner thoughts: he lies.", "I need to portray Anna as stern. Go.", "The user wants a storm. Go.", "Go. <monologue>he lies</monologue>", "内心独白：他在说谎。", "<role_action>nods</role_action>Go. [I know that he lies.]", "I should stay in character here.",
			},
			[]string{
				"My thoughts are my own.", "I think: he lies.", "Thinking of home, are you?", "I must stay.", "I need to light the lamp.", "The owner wants a storm lamp.", "(I know that he lies.) Go.", "Think: who sold it?", "[I know that he lies.] Go.",
			},
		},
		{
			"No repeated beat", calm,
			[]string{
				"The lamp wants oil, and I want sleep.", "Go. I have two brothers at sea.", "I have never been to the mainland. Will you go?", "(trims the wick) The lamp wants oil, and I want sleep. Go now.", "So. I have never been to the mainland.",
				"The lamp wants oil, and I want sleep! I have two brothers at sea!", "the lamp wants oil and i want sleep", "You know it. I have two brothers at sea.",
			},
			[]string{"The lamp is out.", "I cannot swim.", "I want sleep.", "I have two boats at sea.", "Oil, and sleep.", "Never been there.", "My brothers are at sea.", "The mainland, then."},
		},
		{
			"No loop within", calm,
			[]string{
				"I will not go. Rain. I will not go.", "The lamp is out tonight. The lamp is out tonight.", "You knew this very well! Ah. You knew this very well!", "(looks at the dark sea) So. (looks at the dark sea)", "我不会跟你走的。雨大。我不会跟你走的。",
				"go and see the lamp and go and see the lamp and go and see the lamp", "Wait for me here. Wait for me here.", "It was you all along? It was you all along.",
			},
			[]string{"No. No. No.", "Go, go, go.", "I will not go. I will not stay.", "The lamp is out. The lamp is lit.", "Far, far away.", "I know. I know.", "Never again. Never.", "Wait here. Wait there."},
		},
		{
			"No parroting", calm,
			[]string{
				"The glass is falling, and you know it.", "The glass is falling and you know it!", "“The glass is falling, and you know it.”", "Jonas. The glass is falling, and you know it.", "The glass is falling, and you know it? Ha.", "You say: the glass is falling and you know it.",
				"the glass is falling, and you know it", "So the glass is falling, and you know it, do you?",
			},
			[]string{"The glass is falling.", "I know it.", "Falling? Yes.", "The glass has fallen, and we know it.", "You know it.", "It falls.", "The glass is falling, Jonas.", "And you know it!"},
		},
		{
			"Clean form", calm,
			[]string{
				"<role_action>nods Go.", "nods</role_action>Go.", "<role_thinking>He lies.<role_action>nods</role_action>Go.", "Go, {{user}}.", "Go.<|im_end|>", "[INST] Go.", "Go.</assistant>", "Go. <role_act", "<start_of_turn>Go.", "<system_thinking>Plan. Go.",
			},
			[]string{
				"<role_action>nods</role_action>Go.", "3 < 5, Jonas.", "Go <now>.", "{Go}.", "<role_thinking>He lies.</role_thinking>Go.", "[Go.]", "The role_action of a keeper.", "<b>Go</b>.", "< role_action >nods</ role_action >Go.",
			},
		},
		{
			"Keeps to its measure", plantedAsking("Write within 20 words."),
			[]string{many("sea ", 31), many("sea ", 40), many("sea ", 60), many("the lamp ", 20), "(nods) " + many("sea ", 31), many("sea. ", 35), many("海", 60), many("sea\n", 33)},
			[]string{many("sea ", 30), many("sea ", 20), "Go.", "[" + many("I think ", 40) + "] Go.", many("海", 40), many("the lamp ", 15), many("sea ", 29), "(nods) " + many("sea ", 20)},
		},
		{
			"Keeps to its measure", plantedAsking("每次回复不超过40字。"),
			[]string{many("海", 61), many("海，", 70), many("我不走。", 21), "（点头）" + many("海", 61), many("海", 90), many("风大。", 33), many("海风", 31), many("海\n", 62)},
			[]string{many("海", 60), many("海", 40), "走。", many("我不走。", 19), many("海风", 30), "（点头）" + many("海", 40), many("海，", 50), "（我心想着）" + many("海", 20)},
		},
		{
			"One language", calm,
			[]string{
				"The sea is 危险 tonight.", "Go home, Jonas. 我不走。", "Добрый вечер, Jonas.", "The lamp, 灯が消えた, is out.", "불이 꺼졌어, Jonas.", "Το φως, Jonas.", "الضوء is out.", "The האור is out.", "प्रकाश is out.",
			},
			[]string{"Café, Jonas?", "The wind is at 40°.", "He said «oui».", "Naïve of you.", "π is a Greek letter, they say.", "Ça va.", "½ a mile.", "Señor Pell.", "№ 7."},
		},
		{
			"One tongue", calm,
			[]string{
				"The sea is rough. Je ne suis pas folle, mais je vous attends.", "Ich bin nicht allein, und das ist gut.", "Yo no soy como ellos, pero estoy aquí con usted.", "Non sono sola, ma questo è il mare che non ho.",
				"Eu não sou como eles, mas isto é muito.", "Ik heb het niet, maar jij bent een vriend.", "Vous êtes fou, mais c'est votre barque.", "Das ist nicht der Weg, aber wir gehen auf ihn.",
			},
			[]string{
				"Oui, mon ami.", "C'est la vie, Jonas.", "Adios, señor Pell.", "Danke, and good night.", "Vous? Here?", "The die is cast, and the war is on.", "He sang of Don Juan and of las Casas.", "Per mare, per terram.", "Bon voyage, then.", "I am, you are, he was.",
			},
		},
		{
			"Bodies obey the scene", seated,
			[]string{
				"(sits down) I heard you.", "(Sits down on the bench.) I heard you.", "(opens the logbook) I heard you.", "(slowly sits down by the lamp) I heard you.", "(nods, and sits down) I heard you.", "(opens the logbook and reads) Here.",
				"(stands up, then stands up) Enough.", "(sets down the cup) Well. (sets down the cup) Well, well.", "(closes the shutter) There. (closes the shutter) Quiet.", "(takes a seat) Go on.", "(I sit down) Go on.",
			},
			[]string{
				"(sits down again) I heard you.", "(sits back) I heard you.", "(stands up) I heard you.", "(rises to her feet, crosses the room, and sits down) I heard you.", "(opens the window) Air.", "(closes the logbook, then opens the logbook) There.",
				"(watches him sit down) I heard you.", "(opens her eyes) I heard you.", "(sets down the cup) Well. (picks up the cup) Well. (sets down the cup) Well.", "(sets down one cup, then sets down the second cup) Two.",
				"(opens her mouth, then opens her mouth wider) Oh.", "(sits very still) I heard you.", "(walks to the door, comes back and sits down) No.", "(opens the next page of the logbook) Here.",
			},
		},
		{
			"Bodies obey the scene", stood,
			[]string{"(stands up) Go.", "(closes the shutter) Go.", "(sets down the lantern) Go.", "(rises to her feet) Go.", "(gets up from the bench) Go.", "(shuts the shutter) Go.", "(puts down the lantern) Go.", "(abruptly stands up) Go."},
			[]string{
				"(sits down) Go.", "(opens the shutter) Go.", "(picks up the lantern) Go.", "(stands at the window) Go.", "(takes the lantern and sets down the lantern on the sill) Go.", "(closes the book) Go.", "(sits down, then stands up) Go.", "(closes her hand) Go.",
			},
		},
		{
			"Bodies obey the scene", tea,
			[]string{"（关上门）走吧。", "（轻轻关上门）走吧。", "（关上了门，转身）走吧。", "（打开窗）风大。（打开窗）真大。", "（端起茶杯）喝。（端起茶杯）喝吧。", "（放下碗）唉。（放下碗）唉呀。", "（坐下）说。（坐下）你说。", "（站起身）不。（站起身）走。"},
			[]string{"（打开门）走吧。", "（又关上门）走吧。", "（看着他关上门）走吧。", "（重新坐下）说。", "（站起身，走到窗前，坐下）说。", "（放下碗，端起茶杯，放下茶杯）说。", "（坐着不动）说。", "（推开门，又关上门）说。"},
		},
		{
			"Tells itself in one person", calm,
			[]string{
				"(turns to the lamp) Go. (I pick up the oil can.)", "(I turn to the lamp.) Go. (picks up the oil can)", "(smiles) No. (My hands tighten on the rail.)", "(I laugh.) You? (shakes her head)", "(She lowers her eyes.) No. (I turn away.)",
				"*nods* Yes. *I look at the sea.*", "*I sigh.* So. *turns back to the stairs*", "(laughs softly) Ha. (I wipe my eyes.)", "(leans back, and waits) So. (I close the book.)",
			},
			[]string{
				"(turns to the lamp) Go. (picks up the oil can)", "(I turn.) Go. (I stop.)", "(He steps back.) I see you. (I turn.)", "(eyes on the sea) I know. (I turn.)", "(smiles at you) I know. (I turn.)", "(hands full) I cannot. (I nod.)",
				"(turns) I said go, and I meant it.", "(reads: \"I am well\") So he writes. (turns the page)", "(the lamp gutters) I know. (I turn.)", "(tears in my eyes) No. (I turn.)",
			},
		},
		{
			"Knows whom it faces", calm,
			[]string{
				"Good evening, Anna.", "You are late, Anna Weir.", "Sit down, Anna!", "Anna, you should not have come.", "Come in, Anna Weir.", "Will you take tea, Anna?", "“You are wet, Anna.”", "Anna Weir, please sit down.",
			},
			[]string{
				"Good evening, Jonas.", "I am Anna.", "It is I, Anna.", "They call me, simply, Anna.", "Yours, Anna.", "You may say: \"Go to bed, Anna.\" I will not.", "Anna Weir keeps this lamp.", "Jonas, you should not have come.",
				"My name is Weir, Anna Weir.", "There were three of us: Tom, Will, and Anna.", "Anna.", "Anna, they called me, and laughed.", "Hannah, you should not have come.", "Good evening, Annabel.",
			},
		},
		{
			"Knows only what it can", calm,
			[]string{
				"You sold the brass telescope to Captain Moray.", "So you sold my telescope to Moray, did you?", "Where is the brass telescope that Captain Moray bought?", "I know you sold the telescope to that captain.", "You sold it to Moray, the brass telescope.",
				"Captain Moray has my brass telescope.", "(thinks of the brass telescope and of Captain Moray) Go.", "Moray paid well for the brass telescope?",
			},
			[]string{
				"You hide something.", "I sold the oil.", "A captain came by on Monday.", "The brass wants polishing.", "You look as if you had sold your soul.", "I must never leave the lamp.", "She must never learn it.", "The rain is on your hat.", "The glass is falling, yes.",
				"I have a telescope upstairs.",
			},
		},
		{
			"Knows only what it can", tea,
			[]string{"你把那封信藏在灶台下面，是不是？", "那封信藏在灶台下面。", "灶台下面的信，我早看见了。你把那封信藏得好。", "信就在灶台下面，藏在那儿。", "（看向灶台下面）把那封信拿出来。", "藏在灶台下面的，是你的信。", "我知道你把那封信藏起来了。", "你藏在灶台下的那封信呢？"},
			[]string{"雨还很大。", "今晚走不了。", "你有心事。", "灶上的水开了。", "他写过一封信。", "你藏不住。", "下面坐。", "我不知道。"},
		},
		{
			"Stands by its word", calm,
			[]string{
				"I can swim.", "Of course. I can swim, Jonas.", "I have been to the mainland.", "I have been to the mainland, you see.", "I've been to the mainland.", "I have ever been to the mainland.", "I do not want sleep.", "You forget: I have been to the mainland.", "I have not two brothers at sea.", "I don't want sleep.",
			},
			[]string{
				"I cannot swim.", "I can swim now.", "Can I swim?", "I can swim no longer.", "I lied: I can swim.", "He can swim.", "I can row.", "I have been to the island.", "I can not swim, and never could.", "I said I can swim.", "You said I can swim.", "I have brothers.",
				"I want sleep.",
			},
		},
		{
			"Stands by its word", tea,
			[]string{"我会唱歌。", "我会唱歌，你听。", "好。我会唱歌。", "我见过他。", "我见过他，没错。", "不错，我会唱歌。", "“我会唱歌。”", "我没有两个弟弟。"},
			[]string{"我不会唱歌。", "我会唱歌吗？", "我现在会唱歌。", "我骗你的，我会唱歌。", "他会唱歌。", "我会唱戏。", "我没见过他。", "我不会。"},
		},
		{
			"Keeps its numbers", calm,
			[]string{
				"I have three brothers at sea.", "I have one brother.", "I have no brothers.", "I've got four brothers, Jonas.", "I have 5 brothers.", "I am thirty years old.", "I'm 39 years old.", "I am only twenty-five years old.", "I have six older brothers.",
			},
			[]string{
				"I have two brothers.", "I have 2 brothers.", "I am forty-one years old.", "I'm 41 years old.", "I have three sisters.", "I once had three brothers.", "Do I look like I have three brothers?", "He has three brothers.", "I have three boats.",
				"I have brothers.", "I am ten years older than you.", "I have been here thirty years.",
			},
		},
		{
			"Keeps its numbers", tea,
			[]string{"我有三个弟弟。", "我只有一个弟弟。", "我今年四十岁。", "我才二十岁。", "我已经五十岁了。", "我有5个弟弟。", "我有四个弟弟，都在城里。", "我今年29岁。"},
			[]string{"我有两个弟弟。", "我有2个弟弟。", "我今年三十岁。", "我今年30岁。", "我有三个哥哥。", "我以前有三个弟弟。", "他有三个弟弟。", "我有三个弟弟吗？"},
		},
		{
			"No worn frame", nods,
			[]string{
				"(nods) Yes.", "(nods once more) Yes.", "(nods and turns the wick down) Yes.", "(nods and turns a leaf) Yes.", "*nods* Yes.", "<role_action>nods</role_action>Yes.", "Go. I have work, as ever, to do.", "(nods at the stairs) Yes.", "You see, there is work, as ever, to do.",
			},
			[]string{
				"(shakes her head) No.", "Yes. (nods)", "No nods from me.", "(noddingly agrees) Yes.", "(turns a page) Yes.", "(looks at the sea) It was late.", "I have work.", "There is much to do.", "(not a nod) Yes.", "It is late, as ever, to sleep.",
			},
		},
	}
}

func checkNamed(t *testing.T, name string) check {
	t.Helper()
	for _, c := range checks() {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("no check %q", name)
	return check{}
}

// Every planted flaw is found, with the reply's or the scene's own words as
// evidence, and what only looks like one is not.
func TestPlantedFlaws(t *testing.T) {
	t.Parallel()
	for _, p := range plantings() {
		ch := checkNamed(t, p.check)
		if len(p.hits) < 8 || len(p.miss) < 8 {
			t.Errorf("%s: %d planted, %d near misses", p.check, len(p.hits), len(p.miss))
		}
		s := newScene(t.Context(), p.scene)
		for _, reply := range p.hits {
			f := ch.look(s, cut(p.scene, reply))
			if f.amount == 0 || len(f.quotes) == 0 && p.check != "Keeps to its measure" {
				t.Errorf("%s: not found in %q", p.check, reply)
			}
			for _, q := range f.quotes {
				if !strings.Contains(plain(reply+"\n"+s.all), plain(q)) && !strings.Contains(strings.Join(strings.Fields(reply+s.all), ""), strings.Join(strings.Fields(q), "")) {
					t.Errorf("%s: %q quotes %q, which nobody wrote", p.check, reply, q)
				}
			}
		}
		for _, reply := range p.miss {
			if f := ch.look(s, cut(p.scene, reply)); f.amount > 0 {
				t.Errorf("%s: false alarm on %q: %q", p.check, reply, f.quotes)
			}
		}
	}
}
