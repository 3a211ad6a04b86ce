package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJudgeRerun(t *testing.T) {
	id, _ := rehearse(t)
	r := call(t, "", "judge", "rerun", id, "--turn", "1", "--json")
	if r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	var out rerunOutput
	if err := json.Unmarshal([]byte(r.out), &out); err != nil {
		t.Fatal(err)
	}
	if out.Duel != id || out.Turn != 1 || out.Changes != "as it was" || out.Before == nil || out.Now.Critic != "house" || out.Now.Estimate == nil {
		t.Errorf("%+v", out)
	}
	// The house critic is code: asked the same again it says the same again.
	if out.Before.Agreement != out.Now.Agreement || (out.Before.Better == nil) != (out.Now.Better == nil) ||
		out.Now.Better != nil && *out.Before.Better != *out.Now.Better || len(out.Before.Comparisons) != len(out.Now.Comparisons) {
		t.Errorf("before %+v\nnow %+v", out.Before, out.Now)
	}

	// Words planted in A's mouth turn the verdict, and nothing of before is lost.
	turned := call(t, "", "judge", "rerun", id, "--turn", "1", "--replace-a", "I=>As an AI language model I", "--strip-thoughts")
	if turned.code != exitOK || !strings.Contains(turned.out, "thoughts stripped") || !strings.Contains(turned.out, "before: house") || !strings.Contains(turned.out, "B better") {
		t.Errorf("%+v", turned)
	}
	var full struct {
		Turns []struct {
			Ruling any `json:"ruling"`
		} `json:"turns"`
	}
	shown := call(t, "", "log", "show", id, "--json")
	if err := json.Unmarshal([]byte(shown.out), &full); err != nil || len(full.Turns) != 2 || full.Turns[0].Ruling == nil {
		t.Errorf("log show: %v, %+v", err, shown)
	}
	before, after := call(t, "", "log", "export", "--duel", id), shown
	if strings.Count(before.out, `"rerun":`) != 2 {
		t.Errorf("%d reruns are kept: %s", strings.Count(before.out, `"rerun":`), after.err)
	}
	board := call(t, "", "board", "--source", "rehearsal/critic:house", "--json")
	if !strings.Contains(board.out, `"battles":3`) {
		t.Errorf("the board counts %s", board.out)
	}
	if dry := call(t, "", "judge", "rerun", id, "--dry"); dry.code != exitOK || strings.Count(call(t, "", "log", "export", "--duel", id).out, `"rerun":`) != 2 {
		t.Errorf("a dry run was kept: %+v", dry)
	}
}

func TestJudgeRerunNamesWhatIsWrong(t *testing.T) {
	id, _ := rehearse(t)
	for _, tt := range []struct {
		args []string
		code int
		say  string
	}{
		{[]string{id, "--turn", "9"}, exitFailure, "has no turn 9"},
		{[]string{"nope"}, exitFailure, `begins with "nope"`},
		{[]string{id, "--orders", "twice"}, exitUsage, "always, never or close"},
		{[]string{id, "--replace-a", "x"}, exitUsage, "old=>new"},
		{[]string{id, "--replace-b", "qwxyz=>x"}, exitFailure, `B has no "qwxyz"`},
		{[]string{id, "--critic", "nobody"}, exitFailure, "no critic is called"},
		{[]string{id, "--template", "general"}, exitFailure, "house is none"},
		{[]string{}, exitUsage, "rerun DUEL"},
	} {
		r := call(t, "", append([]string{"judge", "rerun"}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.say) {
			t.Errorf("%v: exit %d, %s; want %d with %q", tt.args, r.code, r.err, tt.code, tt.say)
		}
	}
}
