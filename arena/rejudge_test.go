package arena_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
)

func parsed(text string) *arena.Reply {
	return &arena.Reply{ID: arena.NewID(time.Unix(1, 0)), Raw: text, Complete: true, Finish: "stop", Segments: layers.Parse(text, layers.Options{}).Segments}
}

func TestATurnIsJudgedAgain(t *testing.T) {
	critic := &fixedCritic{name: "second", answer: preferLamp}
	base := arena.Rejudgement{
		Scene: scene(), Past: []arena.PastTurn{{Line: "Who goes?", Reply: parsed("<role_thinking>CANARYPAST</role_thinking>Nobody.").Segments}},
		Turn: arena.Turn{ID: "t2", Number: 2, Line: "Papers.", Note: "It rains."},
		A:    parsed(herReply), B: parsed("<role_thinking>CANARYB</role_thinking>*shrugs* Nothing to declare. Nothing at all. Go home, officer."),
	}
	r, err := base.Judge(context.Background(), critic, "", nil)
	if err != nil || r.Winner != arena.ChoseA || r.Counted || r.Rerun != "as it was" || r.TurnID != "t2" || r.ID == "" {
		t.Fatalf("ruling %+v, %v", r, err)
	}
	c := critic.cases[0]
	if len(c.Context) != 6 || c.Context[4].Name != "director" || c.Context[5].Content != "Papers." {
		t.Errorf("context %+v", c.Context)
	}
	all := c.Context[3].Content + c.Cand1 + c.Cand2
	for _, want := range []string{"CANARYPAST", "CANARYTHOUGHT", "CANARYB"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(all, "CANARYPLAN") {
		t.Error("the critic is shown a plan")
	}

	changed := base
	changed.HideThoughts, changed.Equalise = true, true
	changed.Replace = []arena.Replacement{{Side: arena.A, Old: "early", New: "late"}}
	got, err := changed.Case()
	if err != nil {
		t.Fatal(err)
	}
	for _, canary := range []string{"CANARYPAST", "CANARYTHOUGHT", "CANARYB"} {
		if strings.Contains(got.Cand1+got.Cand2+got.Context[3].Content, canary) {
			t.Errorf("%s is still there", canary)
		}
	}
	if !strings.Contains(got.Cand1, "You are late.") {
		t.Errorf("A %q", got.Cand1)
	}
	if strings.Contains(got.Cand2, "Go home") || !strings.Contains(got.Cand2, "Nothing to declare.") {
		t.Errorf("B %q", got.Cand2)
	}
	if what := changed.Changes(); what != `thoughts stripped; lengths equalised; A: "early" became "late"` {
		t.Errorf("changes %q", what)
	}

	wrong := base
	wrong.Replace = []arena.Replacement{{Side: arena.B, Old: "lamp", New: "x"}}
	if _, err := wrong.Judge(context.Background(), critic, "", nil); err == nil || !strings.Contains(err.Error(), `B has no "lamp"`) {
		t.Errorf("error %v", err)
	}
	silent := base
	silent.B = parsed("<role_action>nods</role_action>")
	if _, err := silent.Judge(context.Background(), critic, "", nil); err == nil {
		t.Error("a silent reply was judged")
	}
	if r, err := base.Judge(context.Background(), critic, arena.OrdersNever, nil); err != nil || r.Agreement != arena.OneOrder {
		t.Errorf("one order: %s, %v", r.Agreement, err)
	}
}

func TestEqualiseKeepsSomeSpeech(t *testing.T) {
	for _, tt := range []struct{ a, b, want string }{
		{"Yes.", "I will not. Never. Go.", "I"},
		{"A long answer, which goes on and on.", "Short.", "Short."},
		{"好。", "我不去。永远不去。", "我不"},
		{"One two three.", "<role_action>walks slowly to the window and looks out</role_action>Hm. Well.", "<role_action>walks slowly</role_action>Hm."},
	} {
		j := arena.Rejudgement{Scene: scene(), Turn: arena.Turn{Line: "x"}, A: parsed(tt.a), B: parsed(tt.b), Equalise: true}
		c, err := j.Case()
		if err != nil || c.Cand2 != tt.want {
			t.Errorf("%q cut to %q gives %q, want %q (%v)", tt.b, tt.a, c.Cand2, tt.want, err)
		}
	}
}
