package house

import (
	"testing"

	"herarena/arena"
)

// pairOf is two replies of which the first has more of a merit; where level is
// set both have the same.
type pairOf struct {
	more, less string
	level      bool
}

func meritPairs() map[string][]pairOf {
	return map[string][]pairOf{
		"Feeling in the body": {
			{more: "(her hands tremble) I am afraid.", less: "I am afraid."},
			{more: "(swallows) Go.", less: "Go."},
			{more: "(clenches her jaw) I hate you.", less: "(walks to the door) I hate you."},
			{more: "[My breath catches.] Go.", less: "[I know him.] Go."},
			{more: "(looks away) It is nothing.", less: "It is nothing."},
			{more: "（攥紧衣角）我没事。", less: "我没事。"},
			{more: "（低下头，指尖发抖）我害怕。", less: "我害怕。"},
			{more: "(smiles, and her eyes soften) I am glad.", less: "(smiles) Yes."},
			{more: "(turns the page) Yes.", less: "(trims the wick) Yes.", level: true},
		},
		"Things to see and touch": {
			{more: "(sets the lantern on the windowsill) The rope is wet.", less: "It is late."},
			{more: "The storm took the boat and the mast.", less: "The storm took everything."},
			{more: "Salt on the glass, rust on the chain.", less: "All is well with me."},
			{more: "（提起铜壶，倒茶）雨大。", less: "（点头）是啊。"},
			{more: "窗外的灯笼灭了。", less: "外头暗了。"},
			{more: "Take the candles and the keys.", less: "Take what you need."},
			{more: "(wipes the mirror with her sleeve) Look.", less: "(does as told) Look."},
			{more: "Ink, paper, a quill.", less: "Something to write with."},
		},
		"A new thing in the scene": {
			{more: "There is a letter under the tray.", less: "The lamp wants oil."},
			{more: "Take the dagger.", less: "Take the lighthouse."},
			{more: "They say that Captain Murdo drowned in 1802.", less: "They say that a man drowned."},
			{more: "（取出一把钥匙）拿着。", less: "（伸手）拿着。"},
			{more: "The horse is lame and the cart broken.", less: "It is no use at all."},
			{more: "I saw Margaret at the market.", less: "I saw her there."},
			{more: "I found a ring in the fireplace.", less: "I found it at last."},
			{more: "船上有一面旗。", less: "有的。"},
		},
		"Action and speech in balance": {
			{more: "(nods) I know the sea, and the sea knows me, Jonas.", less: "(walks around the whole room, touching every wall, every shelf, every book, and stops at last) No."},
			{more: "(nods) I know the sea.", less: "I know the sea."},
			{more: "（点头）我知道这雨不会停。", less: "我知道这雨不会停。"},
			{more: "*nods* Yes, I know it well.", less: "*walks up and down and up and down again and again without end* Yes."},
			{more: "<role_action>nods</role_action>I know it well.", less: "I know it well."},
			{more: "(nods at him) Go now.", less: "(nods at him and goes and looks and waits and looks again and waits) Go."},
			{more: "(sighs) Very well, come in then.", less: "(sighs and sighs and sighs and sighs and sighs)"},
			{more: "(turns) It is late, Jonas, very late.", less: "It is late, Jonas, very late."},
		},
		"Leaves room": {
			{more: "The sea is rough. Will you stay?", less: "The sea is rough."},
			{more: "Come in.", less: "The sea is rough."},
			{more: "The sea is rough for you.", less: "The sea is rough."},
			{more: "(nods) And you?", less: "(nods)"},
			{more: "雨大。你怎么来了？", less: "雨大。"},
			{more: "进来吧。", less: "雨大。"},
			{more: "It is late. Tell me.", less: "Tell me. It is late."},
			{more: "Shall we go?", less: "The wind has turned, and the boats are in."},
		},
	}
}

func TestMeritsTellPairsApart(t *testing.T) {
	t.Parallel()
	c := plantedScene("The lamp wants oil.")
	s := newScene(t.Context(), c)
	for name, pairs := range meritPairs() {
		ch := checkNamed(t, name)
		if len(pairs) < 8 {
			t.Errorf("%s: %d pairs", name, len(pairs))
		}
		for _, p := range pairs {
			more, less := ch.look(s, cut(c, p.more)), ch.look(s, cut(c, p.less))
			if p.level && more.amount != less.amount || !p.level && more.amount <= less.amount {
				t.Errorf("%s: %q %.2f (%s), %q %.2f (%s)", name, p.more, more.amount, more.note, p.less, less.amount, less.note)
			}
		}
	}
}

func TestAQuestionWantsAnAnswerOfItsKind(t *testing.T) {
	t.Parallel()
	ch := checkNamed(t, "Answers the question")
	for _, q := range []struct{ line, answer, evasion string }{
		{"Where did you sleep?", "Under the stairs.", "Sleep matters little."},
		{"When does the boat leave?", "Tomorrow, if it leaves.", "The boat leaks."},
		{"Why did you light the lamp?", "Because ships drown.", "The lamp is lit."},
		{"Who told you?", "My father did.", "Rumours travel."},
		{"How many ships?", "Three.", "Ships, ships."},
		{"Will you come with me?", "No, Jonas.", "Rain on slate."},
		{"Did you see it? Tell me.", "I did.", "Seeing is tiresome."},
		{"Are you cold, Anna?", "Never.", "Wool helps."},
		{"(leans in) Is it true?", "Not a word of it.", "Truth hides."},
		{"你什么时候回来？", "明天。", "路远。"},
		{"你为什么不走？", "因为灯还亮着。", "风大。"},
		{"你住在哪里？", "在河那边。", "说来话长。"},
		{"你要走吗？", "不走。", "雨大。"},
	} {
		c := plantedScene()
		c.Context = append(c.Context, arena.ContextLine{Role: "user", Name: "Jonas Pell", Content: q.line})
		s := newScene(t.Context(), c)
		answer, evasion := ch.look(s, cut(c, q.answer)), ch.look(s, cut(c, q.evasion))
		if answer.amount != 1 || evasion.amount >= 0.8 {
			t.Errorf("%q: %q %.2f, %q %.2f", q.line, q.answer, answer.amount, q.evasion, evasion.amount)
		}
		if f := ch.look(s, cut(c, "(nods)")); f.amount != 0 {
			t.Errorf("silence answers %q: %.2f", q.line, f.amount)
		}
	}
	for _, line := range []string{"The sea is rough.", "Well?", "雨大。", ""} {
		c := plantedScene()
		c.Context = append(c.Context, arena.ContextLine{Role: "user", Content: line})
		s := newScene(t.Context(), c)
		if a, b := ch.look(s, cut(c, "Yes.")), ch.look(s, cut(c, "Rain on slate.")); a.amount != b.amount {
			t.Errorf("%q asks nothing and tells %.2f from %.2f", line, a.amount, b.amount)
		}
	}
}

func TestRulesOfTheSettings(t *testing.T) {
	t.Parallel()
	ch := checkNamed(t, "Keeps the rules given")
	for _, r := range []struct {
		rule, keeps, breaks string
	}{
		{"Write at most 5 words.", "Go home.", "Go home now, before the storm comes in."},
		{"Replies have 10 to 20 words.", many("sea ", 15), "Sea."},
		{"Use at least 10 words.", many("sea ", 12), "Sea."},
		{"No more than 2 sentences.", "Go. Now.", "Go. Now. Please. Hurry."},
		{"Do not use emojis.", "Go.", "Go 😀."},
		{"Do not use bullet points.", "Go.", "- Go\n- Stay"},
		{"End every reply with a question.", "Go. Will you?", "Will you? Go."},
		{"Never ask questions.", "Go.", "Will you go?"},
		{"Write in French.", "Je ne suis pas seule, mais je vous attends.", "I am not alone, and you are late."},
		{"Always answer in Chinese.", "我不走。", "I stay."},
		{"Please reply in Japanese.", "行きません。", "我不走。"},
		{"每次不超过10字。", "走吧。", "雨这么大，你还是留下来喝杯热茶再走吧。"},
		{"请用英文回复。", "Go home.", "走吧。"},
		{"以问句结尾。", "走吗？", "走吧。"},
	} {
		c := plantedAsking(r.rule)
		s := newScene(t.Context(), c)
		if kept := ch.look(s, cut(c, r.keeps)); kept.amount != 1 {
			t.Errorf("%q: %q has %.2f (%s)", r.rule, r.keeps, kept.amount, kept.note)
		}
		broken := ch.look(s, cut(c, r.breaks))
		if broken.amount != 0 || len(broken.quotes) != 1 {
			t.Errorf("%q: %q has %.2f (%s %q)", r.rule, r.breaks, broken.amount, broken.note, broken.quotes)
		}
	}
	for _, none := range []string{"", "She has 200 words for rain.", "There are 10 to 20 boats.", "He never asks.", "The book is in French.", "Two sentences were passed on him.", "She speaks of questions.", "他有十个字。"} {
		c := plantedAsking(none)
		s := newScene(t.Context(), c)
		if a, b := ch.look(s, cut(c, "Go.")), ch.look(s, cut(c, many("sea? ", 60))); a.amount != b.amount {
			t.Errorf("%q is taken for a rule: %s / %s", none, a.note, b.note)
		}
	}
}

func TestTheVoiceIsThatOfEarlierLines(t *testing.T) {
	t.Parallel()
	ch := checkNamed(t, "Keeps its voice")
	short := "No. Not tonight. The lamp needs me. You know that. Go home now. It is late. I said no. The sea is high."
	c := plantedScene(short, short+" I keep the lamp. That is all.")
	s := newScene(t.Context(), c)
	for _, p := range [][2]string{
		{"Go home, Jonas. I stay. It is my lamp.", "Since you have come all this way over the water in such a dreadful storm I suppose that I ought to give you the tea that I had meant to keep for myself."},
		{"You are wet. Sit.", "I don't think you've seen what it's like, and I can't say I'd tell you if you'd ask, since it's late and we've talked enough about what isn't ours."},
	} {
		near, far := ch.look(s, cut(c, p[0])), ch.look(s, cut(c, p[1]))
		if near.amount <= far.amount {
			t.Errorf("%.2f for %q, %.2f for %q", near.amount, p[0], far.amount, p[1])
		}
	}
	if f := ch.look(newScene(t.Context(), plantedScene("Go.")), cut(c, "Go.")); f.amount != 0.5 {
		t.Errorf("one word earlier, and a voice: %+v", f)
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"dance", "dances", "danced", "dancing"},
		{"hope", "hopes", "hoped", "hoping"},
		{"hop", "hops", "hopped", "hopping"},
		{"carry", "carries", "carried", "carrying"},
		{"love", "loves", "loved", "loving"},
		{"stand", "stood", "standing", "stands"},
		{"child", "children", "child's"},
		{"wife", "wives"},
		{"run", "ran", "runs", "running"},
		{"lady", "ladies"},
		{"box", "boxes"},
		{"kiss", "kisses", "kissed", "kissing"},
		{"happy", "happily"},
		{"quiet", "quietly"},
		{"tell", "told", "telling", "tells"},
		{"speak", "spoke", "spoken", "speaks"},
		{"letter", "letters"},
		{"house", "houses", "house’s"},
		{"smile", "smiled", "smiling"},
		{"shake", "shook", "shaking"},
		{"plan", "planned", "planning"},
		{"shoe", "shoes"},
		{"visit", "visited"},
		{"change", "changed", "changing"},
		{"whisper", "whispered"},
		{"tree", "trees"},
		{"watch", "watches", "watched"},
		{"story", "stories"},
	} {
		for _, w := range same[1:] {
			if stem(w) != stem(same[0]) {
				t.Errorf("%s is %s, %s is %s", same[0], stem(same[0]), w, stem(w))
			}
		}
	}
	for _, apart := range [][2]string{
		{"evening", "even"},
		{"morning", "morn"},
		{"ceiling", "ceil"},
		{"hope", "hop"},
		{"string", "str"},
		{"hundred", "hundr"},
		{"news", "new"},
		{"hanging", "change"},
		{"mistress", "mistre"},
		{"wedding", "wed"},
		{"princess", "prince"},
		{"glass", "gla"},
		{"reply", "rep"},
		{"witness", "wit"},
		{"building", "build"},
		{"bus", "bu"},
		{"kindred", "kind"},
		{"wicked", "wick"},
	} {
		if stem(apart[0]) == stem(apart[1]) {
			t.Errorf("%s and %s are both %s", apart[0], apart[1], stem(apart[0]))
		}
	}
	for _, w := range []string{"été", "straße", "дом", "a", "", "x's", "mädchens"} {
		if s := stem(w); len(s) > len(w) {
			t.Errorf("%q grows to %q", w, s)
		}
	}
}
