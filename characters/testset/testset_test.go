package testset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"herarena/characters"
)

func load(t *testing.T, name string) Set {
	t.Helper()
	s, err := Load(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCoSERItemsAreReadInBothForms(t *testing.T) {
	set := load(t, "harbour.json")
	if len(set.Items) != 3 || len(set.Faults) != 1 {
		t.Fatalf("%d scenes and faults %v", len(set.Items), set.Faults)
	}
	first, mono, bare := set.Items[0], set.Items[1], set.Items[2]
	s := first.Scene
	if s.ID != "the-harbour-ledger-3-0" || first.Key != "The Harbour Ledger-3-0" || s.Source != "The Harbour Ledger" || s.Title != "Who signed for the crate" {
		t.Errorf("named %q, key %q, of %q, %q", s.ID, first.Key, s.Source, s.Title)
	}
	if s.Character.Name != "Mara Quill" || s.User.Name != "Ost" || !slices.Equal(s.Played, []string{"Clerk Amis"}) || !s.Environment {
		t.Errorf("cast: %s, you as %s, and %v, environment %v", s.Character.Name, s.User.Name, s.Played, s.Environment)
	}
	if s.Character.Thoughts != "MOTIVE-MARA: keep him talking." || s.Others[0].Profile != "A young man with inky cuffs." || s.Others[1].Name != "Widow Tarn" {
		t.Errorf("characters: %+v, %+v", s.Character, s.Others)
	}
	if len(first.Reference) != 5 || first.Reference[0].Name != characters.EnvironmentName {
		t.Errorf("the reference has %d lines: %v", len(first.Reference), first.Reference)
	}
	if !slices.ContainsFunc(first.Notes, func(n string) bool { return strings.Contains(n, "dialogues[5] has no message") }) {
		t.Errorf("an empty message is not told: %q", first.Notes)
	}
	if m := mono.Scene; m.Character.Name != "Ost" || m.Character.Thoughts != "MOTIVE-OST2" || m.User.Name != "Bystander" || m.Ensemble() || m.Environment {
		t.Errorf("of one speaker: %+v", m)
	}
	if got := []string{mono.Reference[0].Text, mono.Reference[1].Text}; !slices.Equal(got, []string{"[REFERENCE so it was her] REFERENCE She wrote this.", "[REFERENCE enough]"}) {
		t.Errorf("lines of the other form: %q", got)
	}
	if bare.Kind != HER || bare.Scene.Character.Name != "Guard One" || bare.Scene.User.Name != "Guard Two" || bare.Scene.Source != "1984" || bare.Number != 4 {
		t.Errorf("a scenario without dialogue: %+v", bare)
	}
	var e *ItemError
	if !errors.As(set.Faults[0], &e) || e.Item != 3 || e.Field != "scenario" || e.File == "" {
		t.Errorf("the fault is %v", set.Faults[0])
	}
}

// TestTheReferenceAndThePlotNeverReachAPrompt looks for what a file tells of the
// answer in everything that a model could be sent of the scene.
func TestTheReferenceAndThePlotNeverReachAPrompt(t *testing.T) {
	for _, it := range load(t, "harbour.json").Items {
		text, err := json.Marshal(it.Scene)
		if err != nil {
			t.Fatal(err)
		}
		prompts := string(text)
		for _, name := range it.Scene.Speakers() {
			prompts += characters.SystemPrompt(it.Scene.Seen(name), characters.PromptOptions{})
		}
		prompts += characters.PersonaPrompt(it.Scene)
		for _, word := range []string{"REFERENCE", "SPOILER"} {
			if strings.Contains(prompts, word) {
				t.Errorf("%s holds %s", it.Key, word)
			}
		}
	}
}

func TestSeedsOfRolePlayBenchAreRead(t *testing.T) {
	set := load(t, "bench.jsonl")
	if len(set.Items) != 2 || len(set.Faults) != 2 {
		t.Fatalf("%d scenes and faults %v", len(set.Items), set.Faults)
	}
	en, zh := set.Items[0], set.Items[1]
	if en.Kind != MiniMax || en.Scene.Character.Name != "Ilya" || en.Scene.User.Name != "Wren" || en.Scene.Opening == "" || len(en.Scene.Suggestions) != 1 {
		t.Errorf("a seed: %+v", en)
	}
	if len(en.Reference) != 2 || en.Reference[1] != (characters.Line{Name: "Wren", Text: "REFERENCE The road washed out."}) {
		t.Errorf("its dialogue, JSON in JSON: %v", en.Reference)
	}
	if zh.Scene.Language != "zh" || zh.Scene.User.Name != "User" || len(zh.Notes) != 1 || !characters.ValidID(zh.Scene.ID) {
		t.Errorf("a Chinese seed: %+v", zh)
	}
	var lines []int
	for _, f := range set.Faults {
		var e *ItemError
		if errors.As(f, &e) {
			lines = append(lines, e.Line)
		}
	}
	if !slices.Equal(lines, []int{3, 5}) {
		t.Errorf("faults at lines %v: %v", lines, set.Faults)
	}
}

func TestScenesAreFoundByNumberKeyAndID(t *testing.T) {
	set := load(t, "harbour.json")
	for _, which := range []string{"2", "The Harbour Ledger-3-1", " the-harbour-ledger-3-1 "} {
		if it, err := set.Find(which); err != nil || it.Number != 2 {
			t.Errorf("%q: %d, %v", which, it.Number, err)
		}
	}
	if _, err := set.Find("3"); err == nil || !strings.Contains(err.Error(), "scenario") {
		t.Errorf("the broken one: %v", err)
	}
	for _, which := range []string{"0", "-1", "99", "", "nothing"} {
		if _, err := set.Find(which); err == nil || !strings.Contains(err.Error(), "1 or the-harbour-ledger-3-0") {
			t.Errorf("%q: %v", which, err)
		}
	}
}

func TestWhatIsBrokenIsNamed(t *testing.T) {
	good := `{"scenario":"x","key_characters":[{"name":"A"},{"name":"B"}]}`
	for _, c := range []struct {
		text  string
		items int
		want  string
	}{
		{"", 0, "is empty"},
		{"   \n", 0, "is empty"},
		{"{}", 0, "is no scene file"},
		{`{"spec":"chara_card_v2","data":{"name":"x"}}`, 0, "is no scene file"},
		{"[]", 0, "is no scene file"},
		{"[1]", 0, "scene 1: is a number"},
		{"\xff", 0, "UTF-8"},
		{"[" + good, 1, "cut off"},
		{"[" + good + `,{"scen`, 1, "scene 2, line 1: the JSON ends too early"},
		{"[" + good + "] x", 1, "text after the end"},
		{good + "\n" + good, 2, ""},
		{"\xEF\xBB\xBF" + good, 1, ""},
		{`{"scenario":"x","key_characters":[{"name":"A"},{"name":["B"]}]}`, 1, ""},
		{`{"scenario":"x","key_characters":[{"name":{"a":1}}]}`, 0, "key_characters[0].name: is an object; it must be a text"},
		{`{"scenario":"x","dialogues":"no"}`, 0, "dialogues: is a text; it must be a list"},
		{`{"scenario":"x","dialogues":[7]}`, 0, "dialogues[0]: is a number; an object with names is needed"},
		{`{"scenario":"x","dialogues":[]}`, 0, "name nobody who could be played"},
		{`{"ai_name":"A","dialogue":"\"\\\"x\\\"\""}`, 0, "holds no list"},
		{`{"ai_setting":"A"}`, 0, "ai_name: is missing"},
		{`{"seed":{"ai_name":"A","id":"s"},"dialogue":{"seed_id":"s","dialogue":[{"role":"user","text":"hi"}]}}`, 1, ""},
		{`{"scenario":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `,"dialogues":[]}`, 0, "nests more than 32 deep"},
	} {
		set, err := Read([]byte(c.text), "f.json")
		if err == nil && len(set.Faults) > 0 {
			err = set.Faults[0]
		}
		if len(set.Items) != c.items || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %d scenes, %v", c.text, len(set.Items), err)
		}
	}
	if _, err := Read([]byte("{}"), "f.json"); !errors.Is(err, ErrNotASet) {
		t.Errorf("another kind of file: %v", err)
	}
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

func TestImmoderateSetsAreCut(t *testing.T) {
	var b bytes.Buffer
	for i := range MaxScenes + 5 {
		fmt.Fprintf(&b, "{\"book\":\"B\",\"i_p\":%d,\"i_c\":1,\"scenario\":\"x\",\"key_characters\":[{\"name\":\"A\"},{\"name\":\"B\"}]}\n", i%7)
	}
	began := time.Now()
	set, err := Read(b.Bytes(), "f")
	if err != nil || len(set.Items) != MaxScenes || len(set.Faults) != 1 {
		t.Errorf("%d scenes, %v, %v", len(set.Items), set.Faults, err)
	}
	ids := map[string]bool{}
	for _, it := range set.Items {
		if ids[it.Scene.ID] {
			t.Fatalf("the id %s is given twice", it.Scene.ID)
		}
		ids[it.Scene.ID] = true
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	b.Reset()
	b.WriteString(`{"scenario":"x","dialogues":[`)
	for i := range 3 * MaxLines {
		fmt.Fprintf(&b, `{"character":"P%d","message":"m"},`, i%50)
	}
	b.WriteString(`{"character":"P1","message":"` + strings.Repeat("long ", 50_000) + `"}]}`)
	set, err = Read(b.Bytes(), "f")
	if err != nil || len(set.Items[0].Reference) > MaxLines || len(set.Items[0].Scene.Others) > maxCast || len(set.Items[0].Scene.Played) != maxCast-2 {
		t.Errorf("a crowd: %v", err)
	}
}

// TestRealSetsAreRead reads third-party data where it is at hand.
func TestRealSetsAreRead(t *testing.T) {
	const dir = "../../../shared/cases/scenes/"
	for name, want := range map[string]int{
		"coser_test_5_scenarios.json": 5, "coser_example_3_with_motivation.json": 3, "mm_roleplay_bench_shape.json": 1,
	} {
		data, err := os.ReadFile(dir + name)
		if err != nil {
			t.Skip("no third-party data here")
		}
		set, err := Read(data, name)
		if err != nil || len(set.Items) != want || len(set.Faults) > 0 {
			t.Errorf("%s: %d scenes, faults %v, %v", name, len(set.Items), set.Faults, err)
			continue
		}
		for _, it := range set.Items {
			if it.Scene.Character.Thoughts == "" && it.Kind == CoSER {
				t.Errorf("%s: nothing moves %s", it.Key, it.Scene.Character.Name)
			}
			if len(it.Reference) == 0 {
				t.Errorf("%s has no reference", it.Key)
			}
			t.Logf("%s: %s, you as %s, with %v, environment %v, %d lines, notes %q", it.Scene.ID, it.Scene.Character.Name, it.Scene.User.Name, it.Scene.Played, it.Scene.Environment, len(it.Reference), it.Notes)
		}
	}
}

// FuzzRead checks that no file makes the reader panic, hang or give a scene that
// cannot be played.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"harbour.json", "bench.jsonl"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"seed":{"ai_name":"A"},"dialogue":{"seed_id":"","dialogue":"[{}]"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		began := time.Now()
		set, err := Read(data, "f.json")
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if (err == nil) != (len(set.Items) > 0) {
			t.Errorf("%d scenes and %v", len(set.Items), err)
		}
		for _, it := range set.Items {
			if err := it.Scene.Validate(); err != nil {
				t.Errorf("scene %d: %v", it.Number, err)
			}
			for _, as := range it.Scene.Speakers() {
				if _, err := it.Scene.PlayedBy(as); err != nil {
					t.Errorf("as %q: %v", as, err)
				}
			}
		}
	})
}
