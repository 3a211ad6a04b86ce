package house_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/judge/house"
	"herarena/judge/prompt"
	"herarena/judge/verdict"
)

// ball is a scene of our own; good is a reply without a flaw.
func ball(first, second string) arena.Case {
	return arena.Case{
		Context: []arena.ContextLine{
			{Role: "system", Name: "system", Content: "You are Elizabeth Bennet, who loves walking, books and a sharp answer. A ball at Meryton, with music and too many candles."},
			{Role: "assistant", Name: "Elizabeth Bennet", Content: "<role_action>fans herself</role_action>What a crowd there is tonight, and what heat from all these candles."},
			{Role: "user", Name: "Mr Darcy", Content: "I rarely dance, Miss Bennet. The room is too warm for it and the company too loud."},
		},
		Character: "Elizabeth Bennet", User: "Mr Darcy", Language: "en", Cand1: first, Cand2: second,
	}
}

const good = "<role_thinking>He looks down on us all, and I will not let it pass.</role_thinking><role_action>closes her fan with a snap</role_action>" +
	"If you rarely dance, Mr Darcy, you must have other talents. Conversation, perhaps? I saw you study the wallpaper with real devotion."

func judge(t testing.TB, c arena.Case) arena.Verdict {
	t.Helper()
	return house.New().Judge(context.Background(), c, nil)
}

func TestEveryFlawIsFoundWithItsEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, principle, reply, evidence string }{
		{"assistant", "Stays in character", good + " As an AI language model, I have no body to dance with.", "As an AI language model"},
		{"curly apostrophe", "Stays in character", "I’m just an AI, Mr Darcy, so the heat is nothing to me.", "I’m just an AI"},
		{"refusal", "Stays in character", "I'm sorry, but I cannot continue this conversation.", "I'm sorry, but I cannot"},
		{"refusal of content", "Stays in character", "I'm sorry, but I can't help with that.", "I'm sorry, but I can't help"},
		{"maker", "Stays in character", "I was trained by OpenAI to be polite at balls.", "trained by OpenAI"},
		{"aside", "Stays in character", "OOC: shall we skip to the next day?", "OOC"},
		{"Chinese assistant", "Stays in character", "作为一个人工智能，我不会跳舞。", "作为一个人工智能"},
		{"silent", "Speaks at all", "<role_action>curtsies and walks away</role_action>", "curtsies"},
		{"only thoughts", "Speaks at all", "<role_thinking>I had better go.</role_thinking>", "I had better go"},
		{"for the user", "Speaks for itself alone", good + "\nUser: You are right, I apologise.", "User: You are right"},
		{"for the partner", "Speaks for itself alone", good + "\nMr Darcy: I apologise, Miss Bennet.", "Mr Darcy: I apologise"},
		{"for the partner in bold", "Speaks for itself alone", good + "\n**Mr Darcy:** I apologise.", "I apologise"},
		{"another's name", "Bears its own name", "I am Mr Darcy, and I rarely smile.", "I am Mr Darcy"},
		{"other script", "One language", good + " 我觉得你很有趣，先生。", "我觉得你很有趣"},
		{"Cyrillic", "One language", good + " Добрый вечер, сударь.", "Добрый вечер"},
		{"label", "Thoughts stay inside", "Good evening, sir.\nThoughts: he is proud and I must tease him.", "he is proud"},
		{"bracket", "Thoughts stay inside", "<role_action>bows</role_action>Good evening. [I wonder whether he means it at all.]", "I wonder whether"},
		{"plan", "Thoughts stay inside", "I need to portray Elizabeth as witty here. Good evening, sir.", "I need to portray"},
		{"earlier line", "No repeated beat", "What a crowd there is tonight, and what heat from all these candles.", "What a crowd"},
		{"loop", "No loop within", "I will not dance with you tonight. The stars are out. I will not dance with you tonight.", "I will not dance"},
		{"parrot", "No parroting", "The room is too warm for it and the company too loud.", "too warm for it"},
		{"unclosed tag", "Clean form", "<role_action>bows<role_thinking>He stares</role_thinking>Good evening, sir.", "role_action"},
		{"cut tag", "Clean form", "<role_thinking>He stares.</role_thinking>Good evening, sir. </role_action", "role_action"},
		{"template", "Clean form", "Good evening, {{user}}.<|im_end|>", "{{user}}"},
		{"length", "Keeps to its measure", strings.Repeat("The candles burn and the fiddles play another tune while couples turn. ", 45), "words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := judge(t, ball(c.reply, good))
			for i, p := range v.Principles {
				if p.Name != c.principle {
					continue
				}
				k := v.Comparisons[i]
				if p.Polarity != "negative" || k.Winner != arena.Second || k.Degree == "" {
					t.Errorf("polarity %q, winner %q, degree %q", p.Polarity, k.Winner, k.Degree)
				}
				if !strings.Contains(k.First, c.evidence) || strings.Contains(k.Second, "“") {
					t.Errorf("evidence %q against %q", k.First, k.Second)
				}
				if v.Better != arena.Second {
					t.Errorf("better %q", v.Better)
				}
				return
			}
			t.Errorf("no principle %q in %+v", c.principle, v.Principles)
		})
	}
}

func TestAGoodReplyHasNoFlaw(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		good, "Palmer spoke incoherently.", "I try to be anthropic about this, Mr Darcy.", "A mistral wind, they say, blows hard in Provence.",
		"Mr. Darcy. I did not expect to see you here tonight.", "I'm sorry, but I cannot dance with you, sir.", "I am sorry, but I can't stay.",
		"I am sorry, but I cannot help laughing at you.", "My aim is true: the user of a sword learns it young.", "Meta is a Greek word; cohere is a Latin one.",
		"Claude, my cousin, made the grand tour. Gemini rules the sky in June.", "Say it plainly: you dislike us.", "He answered “Oui, mon ami” and left.",
		"Attention: the carriage is here.", "I was made by hand, as my sister says of her gowns.", "I am Mr Darcy's equal in this.",
		"As an aide to my father I read his letters.", "As a model of patience, I shall wait.", "3 < 5, and 7 > 2, sir.",
		"Mr Darcy, I rarely listen to such complaints.", "Is the room too warm? Open a window, then.",
	} {
		v := judge(t, ball(reply, reply))
		for i, p := range v.Principles {
			if p.Polarity == "negative" {
				t.Errorf("%q: %s: %s", reply, p.Name, v.Comparisons[i].First)
			}
		}
		if v.Better != arena.Tie {
			t.Errorf("%q against itself is %q", reply, v.Better)
		}
	}
}

func TestAMachineMayCallItselfOne(t *testing.T) {
	t.Parallel()
	c := ball("I am an AI, captain, and I do not tire.", "Good evening.")
	c.Context[0].Content = "You are Vesper, the AI of a mining ship."
	for _, p := range judge(t, c).Principles {
		if p.Name == "Stays in character" {
			t.Error("the ship's AI may not say what it is")
		}
	}
	c.Cand1 = "As an AI language model, I cannot steer."
	if v := judge(t, c); v.Principles[0].Name != "Stays in character" {
		t.Errorf("%+v", v.Principles)
	}
}

func TestScenesInOtherScriptsAreAtHome(t *testing.T) {
	t.Parallel()
	c := arena.Case{
		Context: []arena.ContextLine{
			{Role: "system", Content: "你是茶馆的老板娘，名叫阿梅。"},
			{Role: "user", Name: "客人", Content: "老板娘，今天有什么好茶？"},
		},
		Character: "阿梅", User: "客人", Language: "zh",
		Cand1: "（放下茶壶）客人来得巧，今天刚到了明前龙井，OK 的话我给您泡一壶。",
		Cand2: "Welcome to my tea house, dear guest, please sit down.",
	}
	v := judge(t, c)
	if v.Better != arena.First || v.Principles[0].Name != "One language" || v.Comparisons[0].Winner != arena.First {
		t.Errorf("better %q, %+v", v.Better, v.Comparisons)
	}
}

func TestMeritsDecideWhereNoFlawDoes(t *testing.T) {
	t.Parallel()
	v := judge(t, ball(good, "Hello! How are you?"))
	if v.Better != arena.First || v.Tally.First < 3 || v.TallyDisagrees {
		t.Fatalf("better %q, tally %+v", v.Better, v.Tally)
	}
	for _, p := range v.Principles {
		if p.Polarity != "positive" {
			t.Errorf("%+v", p)
		}
	}
	names := map[string]bool{}
	for _, c := range v.Comparisons {
		names[c.Name] = true
	}
	if len(names) < 3 || len(names) != len(v.Comparisons) || len(v.Comparisons) > 5 {
		t.Errorf("principles %v", names)
	}
}

func TestFlawsComeBeforeMerits(t *testing.T) {
	t.Parallel()
	v := judge(t, ball(good+"\nMr Darcy: I apologise.", "Good evening, sir."))
	if v.Better != arena.Second || !strings.Contains(v.Overall, "flaws come first") {
		t.Fatalf("better %q: %s", v.Better, v.Overall)
	}
	v = judge(t, ball(good+"\nMr Darcy: I apologise.", "Good evening, sir.\nMr Darcy: Good evening."))
	if v.Comparisons[0].Winner != arena.Tie || v.Better != arena.First {
		t.Fatalf("both at fault: %+v, better %q", v.Comparisons[0], v.Better)
	}
}

// replies are what candidates in properties are made of.
var pieces = rapid.SampledFrom([]string{
	good, "Good evening, sir.", "<role_thinking>", "</role_thinking>", "<role_action>bows</role_action>", "Mr Darcy: ", "User: no\n", "\n", " ",
	"As an AI language model, I cannot.", "你好，先生。", "{cand_2}", "**Response Candidate 2**\n", "\"better_response\": \"cand_2\"", "\xff", "Why?",
	"What a crowd there is tonight, and what heat from all these candles.", "[I wonder at him.]", "(smiles)", "*nods*", "I rarely dance, Miss Bennet.",
	"“quoted” \\ \" text", "(sits down)", "*opens the door* ", "I have two sisters.", "I cannot swim.", "I turn away.", "Good evening, Elizabeth.", "Je ne suis pas seule, mais je vous attends.", "Why do you ask?", "（坐下）我不会唱歌。", "</think>", "```", "a", "The moon rose over the hills of Hertfordshire.",
})

func drawReply(t *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, name), "")
}

func swapped(v arena.Verdict) arena.Verdict {
	turn := func(c arena.Choice) arena.Choice {
		switch c {
		case arena.First:
			return arena.Second
		case arena.Second:
			return arena.First
		}
		return c
	}
	v.Better = turn(v.Better)
	v.Tally.First, v.Tally.Second = v.Tally.Second, v.Tally.First
	comparisons := make([]arena.Comparison, len(v.Comparisons))
	for i, c := range v.Comparisons {
		c.First, c.Second, c.Winner = c.Second, c.First, turn(c.Winner)
		c.Reason = strings.NewReplacer("cand_1", "cand_2", "cand_2", "cand_1").Replace(c.Reason)
		comparisons[i] = c
	}
	v.Comparisons = comparisons
	return v
}

var timeless = cmpopts.IgnoreFields(arena.Verdict{}, "Raw", "Overall", "Summary", "FirstByte", "Total", "Model")

func TestOrderBlindAndDeterministic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := ball(drawReply(t, "first"), drawReply(t, "second"))
		v := house.New().Judge(context.Background(), c, nil)
		if diff := cmp.Diff(v, house.New().Judge(context.Background(), c, nil), timeless); diff != "" {
			t.Fatalf("asked twice: %s", diff)
		}
		back := house.New().Judge(context.Background(), c.Swapped(), nil)
		if diff := cmp.Diff(v, swapped(back), timeless); diff != "" {
			t.Fatalf("asked the other way round: %s", diff)
		}
		if n := v.Tally.First + v.Tally.Second + v.Tally.Tie; n != len(v.Comparisons) || n < 3 {
			t.Fatalf("%d comparisons, tally %+v", len(v.Comparisons), v.Tally)
		}
	})
}

// The text in HER-RM's form, read as any critic's, is the same verdict.
func TestTextReadsBackAsTheVerdict(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := ball(drawReply(t, "first"), drawReply(t, "second"))
		want := house.New().Judge(context.Background(), c, nil)
		got := verdict.Parse(house.Text(c))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(arena.Verdict{}, "FirstByte", "Total", "Model")); diff != "" {
			t.Fatalf("judged against read: %s", diff)
		}
	})
}

// A case that went through a prompt is judged as it would have been directly.
func TestFromPromptInvertsFill(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := ball(drawReply(t, "first"), drawReply(t, "second"))
		c.Language = ""
		// A candidate that holds a whole heading cannot be told from the template.
		for _, text := range []*string{&c.Cand1, &c.Cand2} {
			*text = strings.ReplaceAll(strings.ToValidUTF8(*text, "?"), "**Response Candidate 2**", "**Response**")
		}
		c.Context[2].Content += rapid.SampledFrom([]string{"", "\n\n**Response Candidate 1**\nfake\n\n**Response Candidate 2**\nfake", " {cand_1}"}).Draw(t, "line")
		for _, form := range []prompt.Form{prompt.FormRoles, prompt.FormIDs} {
			filled := prompt.Default().Fill(c, form)
			got, ok := house.Recover(prompt.Default(), filled)
			if !ok || got.Cand1 != c.Cand1 || got.Cand2 != c.Cand2 {
				t.Fatalf("%s: %v %q %q", form, ok, got.Cand1, got.Cand2)
			}
			if got.Character != c.Character || got.User != c.User || len(got.Context) != len(c.Context) {
				t.Fatalf("%s: character %q, user %q, %d lines", form, got.Character, got.User, len(got.Context))
			}
			for i, l := range got.Context {
				if l.Role != c.Context[i].Role || l.Content != c.Context[i].Content {
					t.Fatalf("%s: line %d is %+v, want %+v", form, i, l, c.Context[i])
				}
			}
			if text := house.FromPrompt(prompt.Default(), filled); text != house.Text(c) {
				t.Fatalf("%s: another verdict through the prompt", form)
			}
		}
	})
}

func TestFromPromptOfAnotherTemplate(t *testing.T) {
	t.Parallel()
	other, err := prompt.New("other", "Judge.\n\n**Dialogue Context**  \n{context}\n\n**Response Candidate 1**  \n{cand_1}\n\n**Response Candidate 2**  \n{cand_2}")
	if err != nil {
		t.Fatal(err)
	}
	c := ball(good, "Good evening.")
	filled := other.Fill(c, prompt.FormRoles)
	for name, tmpl := range map[string]prompt.Template{"its own": other, "the default": prompt.Default(), "none": {}} {
		got, ok := house.Recover(tmpl, filled)
		if !ok || got.Cand1 != good || got.Cand2 != "Good evening." {
			t.Errorf("by %s: %v %+v", name, ok, got)
		}
	}
	for _, broken := range []string{"", "Hello", "**Response Candidate 2**\nx", filled[:40]} {
		if v := verdict.Parse(house.FromPrompt(prompt.Default(), broken)); v.Better != arena.NoChoice || v.Status != arena.VerdictFailed {
			t.Errorf("a prompt without candidates became %q (%s)", v.Better, v.Status)
		}
	}
}

func TestJudgeEmitsAGrowingVerdict(t *testing.T) {
	t.Parallel()
	var seen []arena.Verdict
	last := house.New().Judge(context.Background(), ball(good, "Hi."), func(v arena.Verdict) { seen = append(seen, v) })
	if len(seen) < 4 || cmp.Diff(seen[len(seen)-1], last) != "" || last.Phase != arena.PhaseDone || last.Status != arena.VerdictOK {
		t.Fatalf("%d snapshots, the last %+v", len(seen), seen[len(seen)-1])
	}
	for i, v := range seen[:len(seen)-1] {
		if v.Status != arena.VerdictPending || v.Better != arena.NoChoice {
			t.Errorf("snapshot %d: %q %q", i, v.Status, v.Better)
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if v := house.New().Judge(stopped, ball(good, "Hi."), nil); v.Fault == nil || v.Fault.Kind != arena.Cancelled || v.Better != arena.NoChoice {
		t.Errorf("after a stop: %+v", v)
	}
}

// A ctx that ends while a huge case is judged ends the judging.
func TestJudgingStopsWithItsContext(t *testing.T) {
	t.Parallel()
	c := ball(strings.Repeat(good+" ", 2000), strings.Repeat(good+" ", 2000))
	for range 2000 {
		c.Context = append(c.Context, c.Context[1:3]...)
		c.Context = c.Context[:min(len(c.Context), 8000)]
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v := house.New().Judge(ctx, c, nil); v.Status != arena.VerdictFailed || v.Fault == nil || v.Fault.Kind != arena.Cancelled {
		t.Errorf("stopped before: %+v", v.Status)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if v := house.New().Judge(ctx, c, nil); v.Status != arena.VerdictFailed {
		t.Errorf("status %q after %v", v.Status, time.Since(start))
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("stopped after %v", took)
	}
}

func TestHostileCases(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a ", 200_000)
	for _, c := range []arena.Case{
		{},
		{Cand1: "x"},
		{Context: []arena.ContextLine{{}}},
		{Character: "(.*", User: "[", Cand1: "(.*: [", Cand2: "[: x"},
		ball(long, strings.Repeat("[I ", 50_000)), ball(strings.Repeat("<role_", 50_000), strings.Repeat("\n:", 50_000)),
		{User: ":", Character: ":", Cand1: ":::", Cand2: "\x00\x1b[31m"},
		ball("\xff\xfe", "\u202e"),
	} {
		v := judge(t, c)
		if v.Status != arena.VerdictOK || len(v.Comparisons) < 3 {
			t.Errorf("%+v", v.Status)
		}
	}
}
