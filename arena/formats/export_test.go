package formats

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
)

// formatsOut are the formats that are written, with what a row needs.
func eachOut(t *testing.T, d *ledger.DuelFull, o ExportOptions, check func(f Format, text string, r Report)) {
	t.Helper()
	o.Prompt = func(c arena.Case) string {
		var b strings.Builder
		for _, l := range c.Context {
			b.WriteString(l.Role + ": " + l.Content + "\n")
		}
		return b.String() + "\nONE " + c.Cand1 + "\nTWO " + c.Cand2
	}
	for _, f := range All() {
		text, r := write(t, []*ledger.DuelFull{d}, f.Name, o)
		check(f, text, r)
		if f.Parquet {
			o := o
			o.Parquet = true
			text, r := write(t, []*ledger.DuelFull{d}, f.Name, o)
			check(f, text, r)
		}
	}
}

// TestNoExportTellsWhatIsHidden plants words in the plan and in the thoughts and
// looks for them.
func TestNoExportTellsWhatIsHidden(t *testing.T) {
	eachOut(t, ball(false), ExportOptions{All: true}, func(f Format, text string, r Report) {
		if f.Name != Own && strings.Contains(text, "CANARYPLAN") {
			t.Errorf("%s tells a plan:\n%s", f.Name, text)
		}
		if r.Rows == 0 {
			t.Errorf("%s writes nothing: %v", f.Name, r.Skipped)
		}
	})
	eachOut(t, ball(false), ExportOptions{All: true, Layers: LayersVisible}, func(f Format, text string, _ Report) {
		if f.Name != Own && (strings.Contains(text, "CANARYPLAN") || strings.Contains(text, "CANARYTHOUGHT")) {
			t.Errorf("%s tells a thought:\n%s", f.Name, text)
		}
	})
	pref, _ := write(t, []*ledger.DuelFull{ball(false)}, "trl-preference", ExportOptions{Layers: LayersAll, Source: arena.SourceVote})
	if !strings.Contains(pref, "<system_thinking>CANARYPLAN</system_thinking><role_thinking>CANARYTHOUGHT</role_thinking>") {
		t.Errorf("--layers all leaves layers out: %s", pref)
	}
}

// TestABlindDuelStaysBlind looks for the names in every format: of a duel that
// is over and not revealed, and of one in play that is to be revealed.
func TestABlindDuelStaysBlind(t *testing.T) {
	playing := func(*ledger.DuelFull, time.Time) (bool, string) { return false, "turn 2 has no vote yet" }
	over := func(*ledger.DuelFull, time.Time) (bool, string) { return true, "" }
	for name, o := range map[string]ExportOptions{
		"over": {Finished: over}, "in play": {Finished: playing}, "in play, to be revealed": {Finished: playing, Reveal: true},
	} {
		o.All = true
		eachOut(t, ball(true), o, func(f Format, text string, r Report) {
			if f.Name == Own && name != "in play" {
				return // a copy of the ledger
			}
			if at := strings.Index(text, "secret"); at >= 0 {
				t.Errorf("%s of a blind duel %s tells who played: …%s…", f.Name, name, text[max(at-80, 0):min(at+40, len(text))])
			}
			if r.Blind != 1 {
				t.Errorf("%s of a blind duel %s counts %d blind duels", f.Name, name, r.Blind)
			}
		})
	}
	d := ball(true)
	text, r := write(t, []*ledger.DuelFull{d}, "csv", ExportOptions{Finished: over, Reveal: true})
	if !strings.Contains(text, "secret-lead") || r.Blind != 0 {
		t.Errorf("--reveal reveals nothing: %s", text)
	}
	if d.Contestants[0].Name != "secret-lead" || d.Turns[0].Seats != [2]int{1, 0} || d.Battles[0].A != "secret-plain" {
		t.Error("the duel itself was changed")
	}
	// The sides stay what they were, whoever stood on them.
	blind, _ := write(t, []*ledger.DuelFull{d}, "fastchat", ExportOptions{Finished: over, Source: arena.SourceVote})
	row := docs(t, []byte(blind))[0].(map[string]any)
	if row["winner"] != "model_b" || row["model_b"] != "blind-duelball-B" || row["anony"] != true {
		t.Errorf("%v", row)
	}
	last := row["conversation_b"].([]any)
	if said := last[len(last)-1].(map[string]any)["content"]; !strings.Contains(said.(string), "Gladly.") {
		t.Errorf("B is said to have said %q", said)
	}
	// Two replies of one contestant on different sides cannot be told to be so.
	own, _ := write(t, []*ledger.DuelFull{d}, Own, ExportOptions{Finished: playing})
	for _, v := range docs(t, []byte(own)) {
		if turn, ok := v.(map[string]any)["turn"].(map[string]any); ok && turn["seat_a"] != 0.0 {
			t.Errorf("the seats tell who is who: %v", turn)
		}
	}
	if _, again := take(t, open(t), "auto", []byte(own)); again.Duels.Added != 1 || again.Replies.Added != 5 {
		t.Errorf("the blind copy is not taken in: %+v", again)
	}
}

func TestRedaction(t *testing.T) {
	for _, c := range []struct {
		words string
		gone  []string
		stays []string
	}{
		{"names", []string{"secret-lead", "secret-plain"}, []string{"sk-abcdef"}},
		{"voters", []string{"ann@example.org"}, []string{"sk-abcdef"}},
		{"endpoints", []string{"gpu.secret", "other.secret"}, nil},
		{"keys", []string{"sk-abcdefghijklmnop1234"}, nil},
		{"all", []string{"secret-lead", "secret-plain", "ann@example.org", "gpu.secret", "other.secret", "sk-abcdef"}, nil},
	} {
		r, err := ParseRedaction([]string{c.words})
		if err != nil {
			t.Fatal(err)
		}
		eachOut(t, ball(false), ExportOptions{All: true, Redact: r}, func(f Format, text string, _ Report) {
			for _, word := range c.gone {
				if at := strings.Index(text, word); at >= 0 {
					t.Errorf("%s with %s redacted holds %q: …%s…", f.Name, c.words, word, text[max(at-60, 0):min(at+40, len(text))])
				}
			}
			for _, word := range c.stays {
				if f.Name == Own && !strings.Contains(text, word) {
					t.Errorf("%s with %s redacted lacks %q", f.Name, c.words, word)
				}
			}
		})
	}
	if _, err := ParseRedaction([]string{"names,faces"}); err == nil || !strings.Contains(err.Error(), "endpoints, keys or all") {
		t.Error(err)
	}
	// One name stands for one contestant throughout.
	text, _ := write(t, []*ledger.DuelFull{ball(false), ball(false)}, "csv", ExportOptions{Redact: Redaction{Names: true}})
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 9 {
		t.Fatalf("%v %d rows", err, len(rows))
	}
	if rows[1][1] != "contestant-2" || rows[1][2] != "contestant-1" || rows[5][1] != rows[1][1] {
		t.Errorf("%v", rows)
	}
	// What is kept of an origin's file goes too: it was never looked through.
	l := open(t)
	take(t, l, "fastchat-raw", sample(t, "fastchat_raw.jsonl"))
	for _, format := range []string{"fastchat-raw", "fastchat", "csv", Own} {
		if text, _ := give(t, l, format, ExportOptions{All: true, Redact: Redaction{Names: true, Voters: true}}); strings.Contains(text, "her-rl") || strings.Contains(text, "10.0.0.") {
			t.Errorf("%s: %.400s", format, text)
		}
	}
}

func TestAPlayedDuelInTheShapesOfTraining(t *testing.T) {
	d := ball(false)
	pref, r := write(t, []*ledger.DuelFull{d}, "trl-preference", ExportOptions{})
	rows := docs(t, []byte(pref))
	if len(rows) != 2 || r.Skipped[whyFlip] != 1 {
		t.Fatalf("%d rows, %v", len(rows), r.Skipped)
	}
	row := rows[0].(map[string]any)
	prompt := row["prompt"].([]any)
	var got []string
	for _, m := range prompt {
		got = append(got, m.(map[string]any)["role"].(string))
	}
	if strings.Join(got, " ") != "system user assistant user" {
		t.Errorf("the prompt's roles are %v", got)
	}
	if last := prompt[3].(map[string]any)["content"].(string); !strings.HasPrefix(last, "Mr Darcy: Will you dance?") {
		t.Errorf("the line is %q", last)
	}
	if s := prompt[0].(map[string]any)["content"].(string); !strings.HasPrefix(s, "You are Elizabeth.") {
		t.Errorf("the system message is %q", s)
	}
	// The swipe that was judged is the one rejected.
	if said := row["rejected"].([]any)[0].(map[string]any)["content"]; said != "I think not, sir." {
		t.Errorf("rejected is %q", said)
	}
	her, _ := write(t, []*ledger.DuelFull{d}, "her-rl", ExportOptions{Source: "critic:house"})
	var line struct {
		Prompt []plainMessage `json:"prompt"`
		Reward herReward      `json:"reward_model"`
		Extra  herExtra       `json:"extra_info"`
	}
	if err := json.Unmarshal([]byte(her), &line); err != nil {
		t.Fatal(err)
	}
	var solution herSolution
	if err := json.Unmarshal([]byte(line.Reward.Solution), &solution); err != nil || solution.Answer != line.Extra.Candidates.Second || line.Extra.Better != "cand_2" || solution.Golden != "3" {
		t.Errorf("%+v %v", solution, err)
	}
	var input []plainMessage
	if err := json.Unmarshal([]byte(solution.Input), &input); err != nil || len(input) != len(line.Prompt) {
		t.Errorf("%q %v", solution.Input, err)
	}
	// Both orders of both rulings, each with the candidates as they were shown.
	sft, r := write(t, []*ledger.DuelFull{d}, "her-rm-sft", ExportOptions{Prompt: func(c arena.Case) string { return "ONE " + c.Cand1 + " TWO " + c.Cand2 }})
	rows = docs(t, []byte(sft))
	if len(rows) != 4 || r.Skipped[whyVote] != 1 {
		t.Fatalf("%d rows, %v", len(rows), r.Skipped)
	}
	first := rows[0].(map[string]any)["messages"].([]any)
	ask, answer := first[0].(map[string]any)["content"].(string), first[1].(map[string]any)["content"].(string)
	if ask != "ONE I think not, sir. TWO <role_thinking>CANARYTHOUGHT</role_thinking><role_action>bows</role_action>Gladly." {
		t.Errorf("asked %q", ask)
	}
	var v sftVerdict
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(answer, "```json\n"), "\n```")), &v); err != nil || v.Better != "cand_2" || len(v.Principles) != 1 || v.Analysis.Comparisons[0].Level != "sentence" || v.First != "I think not, sir." {
		t.Errorf("%v\n%s", err, answer)
	}
	// The flip is told by the formats that have both orders.
	bench, _ := write(t, []*ledger.DuelFull{d}, "mtbench", ExportOptions{})
	two := docs(t, []byte(bench))[1].(map[string]any)
	if two["g1_winner"] != "model_1" || two["g2_winner"] != "model_2" {
		t.Errorf("%v", two)
	}
	hard, _ := write(t, []*ledger.DuelFull{d}, "arena-hard", ExportOptions{})
	games := docs(t, []byte(hard))[1].(map[string]any)["games"].([]any)
	// In the first game the baseline, side B, is shown as A, and won.
	if games[0].(map[string]any)["score"] != "A>B" || games[1].(map[string]any)["score"] != "A>B" {
		t.Errorf("%v", games)
	}
}

func TestWhatCountsIsWritten(t *testing.T) {
	d := ball(false)
	d.Battles[0].Counted, d.Battles[0].Why = false, "given after the names were shown"
	for i := range d.Battles[1:] {
		d.Battles[i+1].Source = "rehearsal/critic:house"
	}
	for _, c := range []struct {
		o    ExportOptions
		rows int
	}{
		{ExportOptions{}, 0},
		{ExportOptions{All: true}, 1},
		{ExportOptions{Rehearsal: true}, 3},
		{ExportOptions{Source: "rehearsal/critic:house"}, 3},
		{ExportOptions{Source: "critic:house", All: true}, 0},
		{ExportOptions{All: true, Rehearsal: true}, 4},
	} {
		if text, r := write(t, []*ledger.DuelFull{d}, "csv", c.o); r.Rows != c.rows || strings.Count(text, "\n") != c.rows+1 {
			t.Errorf("%+v: %d rows, want %d; %v", c.o, r.Rows, c.rows, r.Skipped)
		}
	}
}
