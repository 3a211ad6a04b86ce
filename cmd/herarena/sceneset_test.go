package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	harbour = "../../characters/testset/testdata/harbour.json"
	bench   = "../../characters/testset/testdata/bench.jsonl"
)

func TestCastListsTheScenesOfAFile(t *testing.T) {
	home(t)
	r := call(t, "", "cast", "list", harbour)
	for _, want := range []string{
		"  1  the-harbour-ledger-3-0       Who signed for the crate: Mara Quill, Clerk Amis and the surroundings, with you as Ost\n",
		"  4  1984", "Guard One, with you as Guard Two",
	} {
		if r.code != exitOK || !strings.Contains(r.out, want) {
			t.Errorf("%q is not listed: %+v", want, r)
		}
	}
	if !strings.Contains(r.err, "left out: "+harbour+", scene 3, scenario: is a list") || !strings.Contains(r.err, "note: scene 2: only Ost speaks") {
		t.Errorf("what was left out and repaired is not told: %s", r.err)
	}
	if r := call(t, "", "cast", "list", "--json", bench); r.code != exitOK || !strings.Contains(r.out, `"number":2`) || !strings.Contains(r.out, `"reference_lines":2`) {
		t.Errorf("as JSON: %+v", r)
	}
	// A card or a scene file is a list of one.
	own := filepath.Join(t.TempDir(), "quay.toml")
	if err := os.WriteFile(own, []byte("title='The quay'\nscenario='x'\n[character]\nname='M'\nprofile='p'\n[user]\nname='C'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := call(t, "", "cast", "list", own); r.code != exitOK || !strings.Contains(r.out, "the-quay") {
		t.Errorf("a scene file: %+v", r)
	}
}

func TestASceneOfAFileIsPlayedFromAnyPlace(t *testing.T) {
	home(t)
	r := call(t, "Well?\n/to clerk amis Sign.\n/go\n/next\n", "--plain", "--scene", harbour+"#the-harbour-ledger-3-0", "--pace", "-1")
	for _, want := range []string{"You play Ost opposite Mara Quill, Clerk Amis.", "Mara Quill answers.", "Clerk Amis answers.", "as Clerk Amis, says: "} {
		if r.code != exitOK || !strings.Contains(r.out, want) {
			t.Errorf("%q is not said: %+v", want, r)
		}
	}
	if strings.Contains(r.out, "REFERENCE") || strings.Contains(r.out, "SPOILER") {
		t.Errorf("the file's own dialogue or plot is played:\n%s", r.out)
	}
	id := duelID.FindString(r.out)
	shown := call(t, "", strings.Fields(id)...)
	if !strings.Contains(shown.out, "play Mara Quill, Clerk Amis, with you as Ost") || !strings.Contains(shown.out, "── turn 2\nOst: Sign.\nClerk Amis:\n") {
		t.Errorf("%s: %+v", id, shown)
	}
	r = call(t, "Hm.\n", "--plain", "--scene", harbour+"#1", "--as", "mara quill", "--rounds", "3", "--pace", "-1")
	for _, want := range []string{
		"You play Mara Quill opposite Clerk Amis, Ost.", "Before, turn 1. Environment: REFERENCE A gull screams on the roof.",
		"Said: *folds the paper* You are late.", "Before, turn 1. Ost says: REFERENCE The tide was.", "Turn 2. You say: Hm.", "Ost answers.",
	} {
		if r.code != exitOK || !strings.Contains(r.out, want) {
			t.Errorf("%q is not said: %+v", want, r)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--scene", harbour + "#9"}, exitFailure, `no scene "9"`},
		{[]string{"--scene", harbour + "#3"}, exitFailure, "scene 3, scenario"},
		{[]string{"--scene", "nothing.json#1"}, exitFailure, "neither a file nor a scene"},
		{[]string{"--scene", "ball#1"}, exitFailure, "neither a file nor a scene"},
		{[]string{"--scene", harbour + "#1", "--as", "Widow Tarn"}, exitUsage, "you can play Ost, Mara Quill, Clerk Amis"},
		{[]string{"--as", "Ost"}, exitUsage, "add --scene"},
		{[]string{"--rounds", "2"}, exitUsage, "add --scene"},
		{[]string{"--scene", "ball", "--rounds", "2"}, exitUsage, "has no dialogue of its own"},
		{[]string{"--scene", harbour + "#1", "--rounds", "99"}, exitUsage, "the dialogue has 5 lines"},
		{[]string{"--stagehand", "nobody"}, exitFailure, "the stagehand"},
	} {
		if r := call(t, "Hm.\n", append([]string{"--plain", "--pace", "-1"}, c.args...)...); r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
}

func TestASceneOfTwoMayBePlayedFromTheOtherSide(t *testing.T) {
	home(t)
	r := call(t, "Sir.\n", "--plain", "--scene", "ball", "--as", "Elizabeth Bennet", "--pace", "-1")
	if r.code != exitOK || !strings.Contains(r.out, "You play Elizabeth Bennet opposite Mr Darcy.") {
		t.Errorf("%+v", r)
	}
}

func TestAStagehandWhoMakesNoSenseStopsNobody(t *testing.T) {
	home(t)
	r := call(t, "Well?\n/go\n", "--plain", "--scene", harbour+"#1", "--stagehand", "rehearsal/understudy", "--pace", "-1")
	if r.code != exitOK || !strings.Contains(r.out, "It is being decided who goes on.") || !strings.Contains(r.out, "Note: ") {
		t.Errorf("%+v", r)
	}
}

// TestTheSceneOfSeveralInTheDocsIsPlayed plays it from every place.
func TestTheSceneOfSeveralInTheDocsIsPlayed(t *testing.T) {
	home(t)
	for _, as := range []string{"The Surveyor", "Hob Ferrier", "Brother Anselm", "Widow Tarrant"} {
		r := call(t, "Whose is it, Widow Tarrant?\n/go\n/go\n", "--plain", "--scene", "../../docs/scenes/ferry.toml", "--as", as, "--pace", "-1")
		if r.code != exitOK || !strings.Contains(r.out, "You play "+as) || as != "Widow Tarrant" && !strings.Contains(r.out, "Widow Tarrant answers.") {
			t.Errorf("as %s: %+v", as, r)
		}
	}
}
