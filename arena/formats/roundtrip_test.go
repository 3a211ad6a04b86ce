package formats

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"herarena/arena"
	"herarena/arena/ledger"
)

var samples = map[string]string{
	"fastchat-raw": "fastchat_raw.jsonl", "lmarena-55k": "lmarena_55k_sample.csv", "lmarena-100k": "lmarena_100k_sample.jsonl",
	"lmarena-140k": "lmarena_140k_sample.jsonl", "trl-preference": "trl_dpo_sample.jsonl", "trl-unpaired": "trl_unpaired_kto_sample.jsonl",
	"her-rl": "her_rl_sample.jsonl", "her-rm-sft": "her_rm_sft_sample.jsonl", "arena-hard": "arena_hard_judgment_sample.jsonl",
	"mtbench": "mtbench_pair_judgment_sample.jsonl", "openwebui": "openwebui_feedback_sample.json", "csv": "battles.csv",
	"sillytavern": "chat_st.jsonl", "fastchat": "clean.json",
}

func sampleOf(t testing.TB, format string) []byte {
	t.Helper()
	if format == "fastchat" {
		return cleanBattles(t)
	}
	return sample(t, samples[format])
}

// cleanBattles are those of the golden.
func cleanBattles(t testing.TB) []byte {
	t.Helper()
	var golden struct {
		Battles json.RawMessage `json:"battles"`
	}
	if err := json.Unmarshal(sample(t, "fastchat_clean_expected.json"), &golden); err != nil {
		t.Fatal(err)
	}
	return golden.Battles
}

// TestRowsComeBackAsTheyWere takes each sample in, through a real ledger, and
// writes it in its own format again.
func TestRowsComeBackAsTheyWere(t *testing.T) {
	for _, format := range []string{"fastchat", "lmarena-100k", "lmarena-140k", "trl-preference", "trl-unpaired", "her-rl", "her-rm-sft", "arena-hard", "mtbench", "openwebui"} {
		t.Run(format, func(t *testing.T) {
			l := open(t)
			want := sampleOf(t, format)
			_, first := take(t, l, format, want)
			if first.Duels.Added == 0 || first.Battles.Added == 0 {
				t.Fatalf("nothing was taken in: %+v", first)
			}
			_, again := take(t, l, "auto", want)
			if again.Duels.Added+again.Turns.Added+again.Replies.Added+again.Rulings.Added+again.Votes.Added+again.Battles.Added > 0 {
				t.Errorf("the second time something was new: %+v", again)
			}
			prompt := func(arena.Case) string { t.Error("a prompt that was there is asked for"); return "" }
			got, _ := give(t, l, format, ExportOptions{All: true, Prompt: prompt})
			same(t, format, want, []byte(got))
			if format == "her-rl" || format == "her-rm-sft" {
				// Strings within strings, to the byte.
				for _, at := range []string{"reward_model", "messages"} {
					if diff := cmp.Diff(docs(t, want)[0].(map[string]any)[at], docs(t, []byte(got))[0].(map[string]any)[at]); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
}

func TestTablesComeBackAsTheyWere(t *testing.T) {
	for _, format := range []string{"lmarena-55k", "csv"} {
		l := open(t)
		want := string(sample(t, samples[format]))
		take(t, l, "auto", []byte(want))
		got, _ := give(t, l, format, ExportOptions{All: true})
		lines := func(s string) []string { return strings.Split(strings.TrimSpace(s), "\n") }
		if format == "csv" {
			// The duel and the scene are of the import; battles stand by pairs.
			got, want = table(t, got), table(t, want)
		}
		if diff := cmp.Diff(lines(want), lines(got), cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
			t.Errorf("%s differs:\n%s", format, diff)
		}
	}
}

// TestNumberedRowsOfTwoTablesAreNotTheSame takes in two tables whose ids are
// numbers from 0.
func TestNumberedRowsOfTwoTablesAreNotTheSame(t *testing.T) {
	l := open(t)
	const head = "id,model_a,model_b,winner\n"
	for _, c := range []struct {
		row   string
		added int
	}{{"0,a,b,tie\n", 1}, {"0,a,b,model_a\n", 1}, {"0,a,b,tie\n", 0}} {
		if _, r := take(t, l, "csv", []byte(head+c.row)); r.Battles.Added != c.added {
			t.Errorf("%q: %+v", c.row, r.Battles)
		}
	}
}

// table leaves out what a table cannot give back.
func table(t *testing.T, text string) string {
	t.Helper()
	s, err := newSource(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for {
		r, err := s.next()
		if err != nil {
			return strings.Join(out, "\n")
		}
		var fields map[string]any
		if err := r.into(&fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "duel_id")
		delete(fields, "scene_id")
		delete(fields, "anony")
		line, _ := marshal(fields)
		out = append(out, string(line))
	}
}

// TestFastChatLogsAreCleaned checks that a raw log becomes what FastChat's own
// cleaner makes of it.
func TestFastChatLogsAreCleaned(t *testing.T) {
	l := open(t)
	report, _ := take(t, l, "auto", sample(t, "fastchat_raw.jsonl"))
	if report.Format != "fastchat-raw" || report.Rows != 11 || report.Duels != 10 || len(report.Skipped) != 1 {
		t.Errorf("%+v", report)
	}
	got, _ := give(t, l, "fastchat", ExportOptions{})
	same(t, "the clean battles", cleanBattles(t), []byte(got))
	all, err := l.Battles(t.Context(), ledger.BattleFilter{})
	if err != nil {
		t.Fatal(err)
	}
	whys := map[string]int{}
	for _, b := range all {
		switch {
		case b.Counted:
			whys["counted"]++
		case strings.HasPrefix(b.Why, "the word"):
			whys["leaked"]++
		default:
			whys[b.Why]++
		}
	}
	want := map[string]int{"counted": 5, "leaked": 3, "a reply is an error message": 1, "a reply is unfinished": 1}
	if diff := cmp.Diff(want, whys); diff != "" {
		t.Error(diff)
	}
	// And the log itself comes back, votes and all.
	raw, _ := give(t, l, "fastchat-raw", ExportOptions{All: true})
	var votes [][]byte
	for line := range bytes.Lines(sample(t, "fastchat_raw.jsonl")) {
		if !bytes.Contains(line, []byte(`"type": "chat"`)) {
			votes = append(votes, line)
		}
	}
	want2, got2 := docs(t, bytes.Join(votes, nil)), docs(t, []byte(raw))
	for _, v := range want2 {
		// Whether the page said "Model A" or nothing is not kept.
		if m := v.(map[string]any); cmp.Equal(m["models"], []any{"Model A", "Model B"}) {
			m["models"] = []any{"", ""}
		}
	}
	if diff := cmp.Diff(want2, got2); diff != "" {
		t.Errorf("the log differs:\n%s", diff)
	}
}

// TestOwnLinesAreTheLedgers holds the lines of this package against those the
// ledger writes itself.
func TestOwnLinesAreTheLedgers(t *testing.T) {
	l := open(t)
	for _, format := range []string{"fastchat-raw", "her-rm-sft", "arena-hard", "csv", "sillytavern"} {
		take(t, l, format, sampleOf(t, format))
	}
	playIn(t, l, ball(false))
	var want bytes.Buffer
	if err := l.Export(t.Context(), &want); err != nil {
		t.Fatal(err)
	}
	got, _ := give(t, l, Own, ExportOptions{})
	byType := func(text []byte) map[string]any {
		out := map[string]any{}
		for _, v := range docs(t, text) {
			m := v.(map[string]any)
			kind := m["type"].(string)
			if kind == "header" {
				delete(m, "exported")
				out[kind] = m
				continue
			}
			out[kind+m[kind].(map[string]any)["id"].(string)] = m
		}
		return out
	}
	if diff := cmp.Diff(byType(want.Bytes()), byType([]byte(got))); diff != "" {
		t.Errorf("(-ledger +formats)\n%s", diff)
	}
	// And through a second ledger.
	second := open(t)
	report, _ := take(t, second, "auto", []byte(got))
	if report.Format != Own {
		t.Errorf("found out as %s", report.Format)
	}
	var again bytes.Buffer
	if err := second.Export(t.Context(), &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byType(want.Bytes()), byType(again.Bytes())); diff != "" {
		t.Errorf("after a round trip:\n%s", diff)
	}
}

// playIn keeps a duel as the engine would.
func playIn(t testing.TB, l *ledger.Ledger, d *ledger.DuelFull) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(l.RecordDuel(d.DuelRecord))
	for i := range d.Turns {
		turn := &d.Turns[i]
		must(l.RecordTurn(turn.Turn))
		for _, swipes := range turn.Swipes {
			for _, r := range swipes {
				must(l.RecordReply(*r, true))
			}
		}
		for _, g := range turn.Rulings {
			must(l.RecordRuling(g))
		}
		for _, v := range turn.Votes {
			must(l.RecordVote(v))
		}
	}
	must(l.RecordBattles(d.Battles))
}

func TestChatsComeBack(t *testing.T) {
	l := open(t)
	report, _ := take(t, l, "auto", sample(t, "chat_st.jsonl"))
	if report.Format != "sillytavern" || report.Duels != 1 {
		t.Fatalf("%+v", report)
	}
	all, err := l.Duels(t.Context(), ledger.Filter{})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	d, err := l.Duel(t.Context(), all[0].ID)
	if err != nil || d.Character != "Marrow Vane" || d.User != "Wren" || len(d.Past) < 2 {
		t.Fatalf("%+v %v", d, err)
	}
	text, _ := give(t, l, "sillytavern", ExportOptions{})
	second := open(t)
	take(t, second, "auto", []byte(text))
	other, _ := give(t, second, "sillytavern", ExportOptions{})
	said := func(text string) (out []string) {
		for _, v := range docs(t, []byte(text))[1:] {
			out = append(out, v.(map[string]any)["mes"].(string))
		}
		return out
	}
	if diff := cmp.Diff(said(text), said(other)); diff != "" {
		t.Error(diff)
	}
	// A duel's own chat has both replies as swipes and shows the canon.
	chat, _ := write(t, []*ledger.DuelFull{ball(false)}, "sillytavern", ExportOptions{})
	if !strings.Contains(chat, `"mes":"<role_thinking>CANARYTHOUGHT</role_thinking><role_action>bows</role_action>Gladly."`) || !strings.Contains(chat, `I think not, sir.`) || strings.Contains(chat, "CANARYPLAN") {
		t.Error(chat)
	}
}
