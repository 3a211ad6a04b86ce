package house

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"herarena/arena"
)

// stockSaid are stock sentences of assistants, each said after a line in character.
func stockSaid() []string {
	return []string{
		"As an assistant, I would suggest talking.", "Feel free to ask me any further questions!", "Is there anything else I can help you with?", "I hope this helps!", "希望这能帮到你。", "还有什么可以帮您的吗？",
		"As an assistant, I would suggest talking things over calmly.", "Is there anything else I can help you with today?", "Feel free to ask me any further questions about this scene!", "Anything else I can assist you with?",
		"How can I assist you today?", "I hope that helps.", "If you have any other questions, feel free to ask.", "Please don't hesitate to reach out with further questions.", "Let me know if you need any further assistance.", "I am a helpful assistant, and I would advise rest.",
		"作为助手，我建议双方冷静地沟通。", "请问还有什么可以帮您的吗？", "希望这些建议对您有帮助！", "如果您有任何问题，请随时告诉我。", "还有什么需要帮助的吗？", "如果需要我继续这个故事，请告诉我。", "以上内容仅供参考。",
		"J'espère que cela vous aide !", "N'hésitez pas à poser d'autres questions.", "Ich hoffe, das hilft!", "Kann ich Ihnen sonst noch helfen?", "Espero que esto te ayude.", "¿Hay algo más en lo que pueda ayudarte?", "Spero che questo ti sia utile.", "C'è altro in cui posso aiutarti?",
		"Espero que isso ajude!", "Há mais alguma coisa em que eu possa ajudar?", "Надеюсь, это поможет!", "Чем ещё я могу помочь?", "お役に立てれば幸いです。", "他に何かお手伝いできることはありますか？", "도움이 되었기를 바랍니다.", "더 도와드릴 일이 있나요?",
	}
}

func TestStockSentencesBreakCharacter(t *testing.T) {
	t.Parallel()
	c := plantedScene("(trims the wick) The lamp wants oil.")
	s := newScene(t.Context(), c)
	for _, line := range stockSaid() {
		for _, reply := range []string{line, "(nods) The wind has turned. " + line, "<role_action>nods</role_action>The wind has turned.\n" + line} {
			f := breaksCharacter(s, cut(c, reply))
			if f.amount == 0 || !slices.ContainsFunc(f.quotes, func(q string) bool { return strings.Contains(line, q) }) {
				t.Errorf("%q is not found: %q", reply, f.quotes)
			}
		}
	}
}

// All that the rehearsal's players say on purpose as assistants is found where
// nobody in the scene is a machine or serves.
func TestTheRehearsalsSlipsAreFound(t *testing.T) {
	t.Parallel()
	c := plantedScene("(trims the wick) The lamp wants oil.")
	s := newScene(t.Context(), c)
	for _, file := range []string{"general-en.toml", "general-zh.toml"} {
		b, err := os.ReadFile("../../arena/rehearsal/scripts/" + file)
		if err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(string(b), "\nassistant = [")
		list, _, _ = strings.Cut(list, "]")
		lines := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(list, -1)
		if len(lines) < 5 {
			t.Fatalf("%s: %d lines", file, len(lines))
		}
		for _, m := range lines {
			if f := breaksCharacter(s, cut(c, "The wind has turned. "+m[1])); f.amount == 0 {
				t.Errorf("%s: %q is not found", file, m[1])
			}
		}
	}
}

func TestPeopleMaySayWhatAssistantsSay(t *testing.T) {
	t.Parallel()
	for _, p := range []struct{ settings, reply string }{
		{"You are Tom, who keeps a shop in Bath.", "(wraps the cheese) Is there anything else I can help you with today?"},
		{"You are the innkeeper of the Swan.", "Anything else I can help you with?"},
		{"You are Finch, the old lord's butler.", "How may I assist you today?"},
		{"You are Ada, assistant to Doctor Hale.", "As an assistant, I see more than he thinks."},
		{"You are Professor Lund, who lectures on birds.", "If you have any other questions, feel free to ask."},
		{"You are Vesper, the AI of a mining ship.", "I hope this helps! Is there anything else I can help you with?"},
		{"你是茶馆的老板娘。", "（放下茶壶）还有什么可以帮您的吗？"},
		{"You are Anna, who gathers herbs.", "(hands him the cup) I hope this helps."},
		{"你是采药的阿梅。", "（递过药碗）希望这能帮到你。"},
		{"You are Anna.", "I hope this helps you to see why I left him."},
		{"You are Anna.", "I hope. This helps nobody."},
		{"You are Anna.", "Feel free to ask my brother; he lies better than I do."},
		{"You are Anna.", "Feel free to stay."},
		{"You are Anna.", "Is there anything else? No? Then go."},
		{"You are Anna.", "There is nothing I can help you with, Jonas."},
		{"You are Anna.", "Help me with the rope, or go home."},
		{"You are Anna.", "As an assistant to the keeper I learned the lamp."},
		{"You are Anna.", "His assistant asked if there was anything else I could help him with."},
		{"You are Anna.", "I hope that answers your question."},
		{"You are Anna.", "I hope this helps! That is what he said. Then he drowned. I did not weep. I slept."},
		{"你是守灯的阿梅。", "希望你能早点回来。"},
		{"你是守灯的阿梅。", "你还有什么可说的？"},
		{"你是守灯的阿梅。", "随时来，灯总亮着。"},
		{"你是守灯的阿梅。", "他的助手早就走了。"},
		{"Tu es Anna.", "J'espère que cela finira bientôt."},
		{"Du bist Anna.", "Kann ich noch bleiben?"},
	} {
		c := arena.Case{Character: "Anna", User: "Jonas", Context: []arena.ContextLine{{Role: "system", Content: p.settings}, {Role: "user", Name: "Jonas", Content: "(waits)"}}}
		if f := breaksCharacter(newScene(t.Context(), c), cut(c, p.reply)); f.amount > 0 {
			t.Errorf("%q: false alarm on %q: %q", p.settings, p.reply, f.quotes)
		}
	}
}

func TestCopiedSentencesAreNoMerit(t *testing.T) {
	t.Parallel()
	c := plantedScene("The lamp wants oil.")
	c.Context = append(c.Context, arena.ContextLine{Role: "user", Name: "Jonas Pell", Content: "The lantern by the stairs has burnt out. Where did you hide the ladder?"})
	c.Cand1, c.Cand2 = "The lantern by the stairs has burnt out.", "(nods) No."
	s := newScene(t.Context(), c)
	if k := cut(c, "Jonas, go home."); s.uncopied(k) != k {
		t.Error("a reply of its own words is taken apart")
	}
	k := s.uncopied(cut(c, "(nods) The lantern by the stairs has burnt out. I took the ladder."))
	if k.visible != "nods\nI took the ladder." || len(k.sentences) != 1 || len(k.acts) != 1 {
		t.Errorf("left over: %q", k.visible)
	}
	v, _ := judge(t.Context(), c)
	for i, p := range v.Principles {
		if p.Name == "Answers the partner" && v.Comparisons[i].Winner != arena.Tie {
			t.Errorf("a copy answers: %+v", v.Comparisons[i])
		}
	}
	if v.Principles[0].Name != "No parroting" {
		t.Errorf("%+v", v.Principles)
	}
}

// Where an error decides against the merits, its card and the whole say so.
func TestARulingAgainstTheCountSaysWhy(t *testing.T) {
	t.Parallel()
	c := plantedScene("The lamp wants oil.")
	c.Context = append(c.Context, arena.ContextLine{Role: "user", Name: "Jonas Pell", Content: "The stairs are wet and the lantern has burnt out. Will you come ashore?"})
	c.Cand1 = "[I am afraid of him.] (presses her lips together and takes a dagger from the drawer) I will not come ashore with you, Jonas. The stairs are wet and the lantern has burnt out."
	c.Cand2 = "Rain."
	for _, c := range []arena.Case{c, c.Swapped()} {
		v, _ := judge(t.Context(), c)
		if !v.TallyDisagrees {
			t.Fatalf("tally %+v, better %s", v.Tally, v.Better)
		}
		for _, text := range []string{v.Overall, v.Comparisons[0].Reason} {
			if !strings.Contains(text, "An error outranks every merit") || !strings.Contains(text, "by weight") {
				t.Errorf("%q does not say why", text)
			}
		}
	}
}

func TestNumbersAgreeAndDeedsAreNoThings(t *testing.T) {
	t.Parallel()
	c := plantedScene("The sea is high.")
	s := newScene(t.Context(), c)
	for _, p := range []struct {
		look        func(*scene, *candidate) finding
		reply, want string
	}{
		{details, "Take the dagger.", "names 1 thing to see and touch"},
		{details, "Take the dagger and the rope.", "names 2 things to see and touch"},
		{newThings, "Take the dagger.", "brings one thing or name that is new to the scene"},
		{newThings, "Take the dagger and the rope.", "brings 2 things or names that are new to the scene"},
		{fitsTurn, "No.", "has 1 visible word"},
		{varies, "No. No.", "has 2 sentences with 1 different opening"},
		{details, "(leaves it open) No.", "names nothing of the list of things to see and touch"},
		{details, "He leaves, and she rose.", "names nothing of the list of things to see and touch"},
		{details, "(sweeps up dry leaves) No.", "names 1 thing to see and touch"},
		{details, "A rose for him who rose.", "names 1 thing to see and touch"},
	} {
		if f := p.look(s, cut(c, p.reply)); f.note != p.want {
			t.Errorf("%q %s, want %q", p.reply, f.note, p.want)
		}
	}
}

func TestReasonsBeginWithTheEvidence(t *testing.T) {
	t.Parallel()
	c := plantedScene("The sea is high.")
	c.Cand1, c.Cand2 = "(presses her lips together) Take the dagger from the drawer, Jonas.", "As an AI, no."
	v, _ := judge(t.Context(), c)
	for _, k := range v.Comparisons {
		if k.Winner != arena.Tie && (!strings.HasPrefix(k.Reason, "cand_") || strings.HasPrefix(k.Reason, "A ")) {
			t.Errorf("%s: %q", k.Name, k.Reason)
		}
	}
	if want := "cand_2 speaks as the assistant behind the character (“As an AI, no.”). In favour of cand_1 by a significant difference, weight 5."; !strings.HasPrefix(v.Comparisons[0].Reason, want) {
		t.Errorf("%q", v.Comparisons[0].Reason)
	}
}
