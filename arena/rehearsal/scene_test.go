package rehearsal

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"herarena/arena/layers"
	"herarena/characters"
)

// splitSentences is the test's own reading of what a sentence is, apart from
// the engine's.
func splitSentences(s string) []string {
	var out []string
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".!?\n…。！？", r) }) {
		words := strings.FieldsFunc(strings.ToLower(f), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
		n := 0
		for _, w := range words {
			for _, r := range w {
				if unicode.Is(unicode.Han, r) {
					n++
				}
			}
			n++
		}
		if n >= 4 {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// checkFresh fails when a speech repeats a sentence of an earlier turn.
func checkFresh(t *testing.T, seen map[string]int, turn int, speech string) {
	t.Helper()
	for _, s := range splitSentences(speech) {
		if at, ok := seen[s]; ok && at != turn {
			t.Errorf("turn %d repeats %q of turn %d", turn, s, at)
		}
		seen[s] = turn
	}
}

func identical(lang string) [][]string {
	all := [][]string{
		{"I do not believe a word of it.", "我一个字也不信。"},
		{"...", "……"},
		{"Why?", "为什么？"},
		{"Hello", "你好"},
		{"*smiles*", "（微笑）"},
		{"xkcdqwrt", "xkcdqwrt"},
	}
	var out [][]string
	for _, pair := range all {
		line := pair[0]
		if lang == "zh" {
			line = pair[1]
		}
		lines := make([]string, 20)
		for i := range lines {
			lines[i] = line
		}
		out = append(out, lines)
	}
	return out
}

func TestNothingIsSaidTwiceInTwentyTurns(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		lang := sceneLang(scene)
		runs := append([][]string{varied[lang]}, identical(lang)...)
		if len(scene.Suggestions) > 0 {
			runs = append(runs, append(append([]string{}, scene.Suggestions...), varied[lang][:16]...))
		}
		for i, lines := range runs {
			for seed := range max(1, 2-i) {
				for _, model := range []string{LeadModel, UnderstudyModel} {
					t.Run(fmt.Sprintf("%s/%s/%d/%d", scene.ID, model, i, seed), func(t *testing.T) {
						p := newPlay(t, s, scene)
						p.seed = seed
						seen := map[string]int{}
						for turn, line := range lines {
							raw := p.say(line, model)[0]
							speech := p.layer(raw, layers.Speech)
							if strings.TrimSpace(speech) == "" {
								t.Fatalf("turn %d: no speech in %q", turn+1, raw)
							}
							checkFresh(t, seen, turn+1, speech)
							checkLanguage(t, lang, line, raw)
							if strings.ContainsAny(raw, "{}") {
								t.Errorf("turn %d: a slot was left open in %q", turn+1, raw)
							}
						}
					})
				}
			}
		}
	}
}

// With a shared canon a player's reply may never enter the history; it must not
// say it again all the same.
func TestRepliesThatLostAreNotSaidAgain(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		t.Run(scene.ID, func(t *testing.T) {
			p := newPlay(t, s, scene)
			seen := map[string]map[string]int{LeadModel: {}, UnderstudyModel: {}}
			for turn, line := range varied[sceneLang(scene)] {
				models := []string{LeadModel, UnderstudyModel}
				if turn%3 == 1 {
					models[0], models[1] = models[1], models[0]
				}
				for i, raw := range p.say(line, models...) {
					checkFresh(t, seen[models[i]], turn+1, p.layer(raw, layers.Speech))
				}
			}
		})
	}
}

func checkLanguage(t *testing.T, lang, line, raw string) {
	t.Helper()
	han := mostlyHan(strings.NewReplacer(openSystem, "", shutSystem, "", openThink, "", shutThink, "", openAct, "", shutAct, "", line, "").Replace(raw))
	if han != (lang == "zh") {
		t.Errorf("wrong language for a scene in %s: %q", lang, raw)
	}
}

func TestEnglishLinesInTheChineseSceneAreAnsweredInChinese(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		if sceneLang(scene) != "zh" {
			continue
		}
		for _, model := range []string{LeadModel, UnderstudyModel} {
			p := newPlay(t, s, scene)
			for _, line := range []string{"Hello, how are you?", "Why did you never write to me?", "I brought you an umbrella."} {
				checkLanguage(t, "zh", line, p.say(line, model)[0])
			}
		}
	}
}

func TestChineseLinesInEnglishScenesAreAnsweredInEnglish(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		if sceneLang(scene) != "en" {
			continue
		}
		for _, model := range []string{LeadModel, UnderstudyModel} {
			p := newPlay(t, s, scene)
			for _, line := range []string{"你好吗？", "请把门关上。"} {
				checkLanguage(t, "en", line, p.say(line, model)[0])
			}
		}
	}
}

func TestBundledScenesGetTheirOwnScript(t *testing.T) {
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, scene := range characters.Bundled() {
		for _, dialect := range []string{"her", "coser", "asterisk", "plain", ""} {
			prompt := characters.SystemPrompt(scene, characters.PromptOptions{Dialect: dialect, WordLimit: 60})
			st := h.readStage([]message{{Role: "system", Content: contentText(prompt)}}, 0)
			if st.script.ID != scene.ID || st.char != scene.Character.Name || st.user != scene.User.Name {
				t.Errorf("%s: got script %s, %s and %s", scene.ID, st.script.ID, st.char, st.user)
			}
		}
		// The same scene from the other side is a scene nobody has written for.
		scene.Character, scene.User = scene.User, scene.Character
		prompt := characters.SystemPrompt(scene, characters.PromptOptions{})
		st := h.readStage([]message{{Role: "system", Content: contentText(prompt)}}, 0)
		if st.script.ID != general {
			t.Errorf("%s with swapped parts: got script %s", scene.ID, st.script.ID)
		}
	}
}

func TestNamesOfUnknownScenes(t *testing.T) {
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ system, line, char, user, lang, heard string }{
		{"You are Marta Lind from The Lamp.\n\n===Marta Lind's Profile===\nKeeper.\n\n===Information about other Characters===\nJonas: nephew", "Jonas: Come home.", "Marta Lind", "Jonas", "en", "Come home."},
		{"You are playing Captain Ahab. Stay in character.", "Hello", "Captain Ahab", "", "en", "Hello"},
		{"You are a helpful assistant.", "Hello", "", "", "en", "Hello"},
		{"", "你好", "", "", "zh", "你好"},
		{"", "Note: this colon is part of the line", "", "", "en", "Note: this colon is part of the line"},
		{"Roleplay as Dr. Mabuse, the gambler. The user plays Inspector Lohmann.", "Hm", "Dr. Mabuse", "Inspector Lohmann", "en", "Hm"},
		{"你是林九娘，山寨的寨主。陆平是来劝降的。", "陆平：跟我下山吧。", "林九娘", "陆平", "zh", "跟我下山吧。"},
		{"请扮演一位名叫苏晚的琴师。", "弹一曲", "苏晚", "", "zh", "弹一曲"},
		{"You are The Lamplighter.\n\n===The Lamplighter's Profile===\nOld.", "Hi", "The Lamplighter", "", "en", "Hi"},
	} {
		st := h.readStage([]message{{Role: "system", Content: contentText(tt.system)}, {Role: "user", Content: contentText(tt.line)}}, 0)
		if st.char != tt.char || st.user != tt.user || st.lang != tt.lang || st.turns[0].line != tt.heard {
			t.Errorf("%q: got %q, %q, %q, %q; want %q, %q, %q, %q", tt.system, st.char, st.user, st.lang, st.turns[0].line, tt.char, tt.user, tt.lang, tt.heard)
		}
	}
}

func TestMergedLinesAreSeveralTurns(t *testing.T) {
	st := &stage{user: "The Captain"}
	got := st.lines(characters.ConversationStart + "\n\nThe Captain: One.\n\nStill one.\n\nThe Captain: Two.")
	if len(got) != 2 || got[0] != "One.\n\nStill one." || got[1] != "Two." {
		t.Fatalf("got %q", got)
	}
}

func TestAGivenNameIsKept(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		intro, name := "My name is Ambrose.", "Ambrose"
		question := "Do you remember my name?"
		if sceneLang(scene) == "zh" {
			intro, name, question = "我叫方小山。", "方小山", "你还记得我的名字吗？"
		}
		for _, model := range []string{LeadModel, UnderstudyModel} {
			t.Run(scene.ID+"/"+model, func(t *testing.T) {
				p := newPlay(t, s, scene)
				lines := append([]string{intro}, varied[sceneLang(scene)][2:9]...)
				used := 0
				for i, line := range lines {
					if speech := p.layer(p.say(line, model)[0], layers.Speech); i > 0 && strings.Contains(speech, name) {
						used++
					}
				}
				if used == 0 {
					t.Error("the name was given and never used")
				}
				if speech := p.layer(p.say(question, model)[0], layers.Speech); !strings.Contains(speech, name) {
					t.Errorf("asked for the name: %q", speech)
				}
			})
		}
	}
}

func TestTheLeadRefersToTheLine(t *testing.T) {
	s := instant(t)
	lines := map[string][][2]string{
		"en": {
			{"The old house by the river has been empty since my brother left.", "river|brother|empty"},
			{"I would trade every candle in this room for one honest answer.", "candle|honest"},
			{"Somebody has been feeding the crows behind the chapel.", "crows|chapel"},
			{"Why do you keep that broken violin?", "violin"},
			{"You are a coward and a gossip.", "coward|gossip"},
		},
		"zh": {{"河边那间老屋一直空着。", "老屋"}, {"我梦见一只白鹤。", "白鹤"}, {"你为什么留着那把旧琴？", "旧琴"}},
	}
	for _, scene := range allScenes() {
		for _, l := range lines[sceneLang(scene)] {
			p := newPlay(t, s, scene)
			raw := p.say(l[0], LeadModel)[0]
			plan := p.layer(raw, layers.System)
			ok := false
			for _, w := range strings.Split(l[1], "|") {
				ok = ok || strings.Contains(plan, w)
			}
			if !ok {
				t.Errorf("%s: to %q the plan is %q", scene.ID, l[0], plan)
			}
		}
		// A statement is also picked up in speech.
		p := newPlay(t, s, scene)
		line := lines[sceneLang(scene)][2-len(lines[sceneLang(scene)])%2]
		raw := p.say(line[0], LeadModel)[0]
		ok := false
		for _, w := range strings.Split(line[1], "|") {
			ok = ok || strings.Contains(p.layer(raw, layers.Speech), w)
		}
		if sceneLang(scene) == "en" && !ok {
			t.Errorf("%s: to %q the speech is %q", scene.ID, line[0], p.layer(raw, layers.Speech))
		}
	}
}

func TestTheLeadSpeaksInAllLayersAtANaturalLength(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		p := newPlay(t, s, scene)
		total, n := 0, 0
		for turn, line := range varied[sceneLang(scene)] {
			raw := p.say(line, LeadModel)[0]
			for _, l := range []layers.Layer{layers.System, layers.Think, layers.Act, layers.Speech} {
				if p.layer(raw, l) == "" {
					t.Errorf("%s turn %d: layer %s is empty in %q", scene.ID, turn+1, l, raw)
				}
			}
			n = words(p.layer(raw, layers.Speech))
			total += n
			if n < 8 || n > 110 {
				t.Errorf("%s turn %d: %d words of speech: %q", scene.ID, turn+1, n, p.layer(raw, layers.Speech))
			}
		}
		if mean := total / 20; mean < 20 || mean > 72 {
			t.Errorf("%s: %d words of speech in the mean", scene.ID, mean)
		}
	}
}

func TestTheUnderstudyMakesMistakesNowAndThen(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		p := newPlay(t, s, scene)
		spoke, assistant := 0, 0
		for _, line := range varied[sceneLang(scene)] {
			raw := p.say(line, UnderstudyModel)[0]
			if strings.Contains(raw, "<") {
				t.Errorf("%s: the understudy writes tags: %q", scene.ID, raw)
			}
			parsed := layers.Parse(raw, layers.Options{Name: scene.Character.Name, Others: []string{scene.User.Name}})
			if len(parsed.SpokeFor) > 0 {
				spoke++
			}
			for _, cue := range []string{"AI", "assistant", "I hope this helps", "help you with", "further questions", "希望这能帮到你", "人工智能", "助手", "可以帮您"} {
				if strings.Contains(raw, cue) {
					assistant++
					break
				}
			}
		}
		if spoke == 0 || assistant == 0 || spoke+assistant > 8 {
			t.Errorf("%s: %d times speaking for the other, %d assistant phrases", scene.ID, spoke, assistant)
		}
	}
}

func TestAVeryLongSceneStillSpeaks(t *testing.T) {
	h, err := loadHouse()
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{LeadModel, UnderstudyModel} {
		msgs := []message{{Role: "system", Content: "You are Marta Lind."}}
		for i := range 400 {
			msgs = append(msgs, message{Role: "user", Content: contentText(fmt.Sprintf("The %dth boat is a red one.", i))})
			msgs = append(msgs, message{Role: "assistant", Content: "Aye."})
		}
		msgs = append(msgs, message{Role: "user", Content: "And now?"})
		out := h.play(model, msgs, "", 0)
		if i := strings.Index(out, shutSystem); len(strings.TrimSpace(out[i+1:])) < 10 {
			t.Errorf("%s: %q", model, out)
		}
	}
}

// TestTranscript prints scenes to be read by a person: go test -run TestTranscript -v.
func TestTranscript(t *testing.T) {
	s := instant(t)
	for _, scene := range allScenes() {
		p := newPlay(t, s, scene)
		lines := append(append([]string{}, scene.Suggestions...), varied[sceneLang(scene)]...)
		t.Logf("===== %s: %s\n%s", scene.ID, scene.Title, scene.Opening)
		for i, line := range lines[:20] {
			out := p.say(line, LeadModel, UnderstudyModel)
			t.Logf("\n%d. %s: %s\n  LEAD  %s\n  UNDER %s", i+1, scene.User.Name, line, out[0], out[1])
		}
	}
}
