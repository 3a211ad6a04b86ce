package prompt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/judge/prompt"
)

var ball = arena.Case{
	Context: []arena.ContextLine{
		{Role: "system", Name: "system", Content: "You are Elizabeth Bennet."},
		{Role: "assistant", Name: "Elizabeth", Content: "A warm evening."},
		{Role: "user", Name: "Mr Darcy", Content: "Will you dance?"},
	},
	Character: "Elizabeth", User: "Mr Darcy", Cand1: "I will.", Cand2: "No.",
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaultHasHeadingsFieldsAndPlaceholders(t *testing.T) {
	t.Parallel()
	d := prompt.Default()
	if _, err := prompt.New("default", d.Text); err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{
		"### Role", "### Background", "### Key Concepts: Dimensions vs Principles", "### Evaluation Process", "### Output Format",
		`"result"`, `"cand_1"`, `"cand_2"`, `"principle"`, `"principle_name"`, `"dimension_name"`, `"principle_level"`,
		`"main_content"`, `"reason_for_choosing"`, `"analysis"`, `"principle_comparisons"`, `"cand_1_performance"`,
		`"cand_2_performance"`, `"comparison_reason"`, `"winner"`, `"overall_analysis"`, `"principle_summary"`, `"better_response"`,
		"### Input", "**Dialogue Context**", prompt.Context, "**Response Candidate 1**", prompt.Cand1, "**Response Candidate 2**", prompt.Cand2,
	} {
		n := strings.Index(d.Text[at:], want)
		if n < 0 {
			t.Fatalf("%q is missing or out of order", want)
		}
		at += n
	}
	if len(d.Hash) != 64 {
		t.Errorf("hash %q", d.Hash)
	}
	if other, err := prompt.New("x", d.Text+" "); err != nil || other.Hash == d.Hash {
		t.Errorf("a different text has the same hash (%v)", err)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for form, want := range map[prompt.Form]string{
		prompt.FormRoles: "System: You are Elizabeth Bennet.\n\nAssistant: Elizabeth: A warm evening.\n\nUser: Mr Darcy: Will you dance?",
		prompt.FormIDs:   "id:1, system(system): You are Elizabeth Bennet.\nid:2, Elizabeth(assistant): A warm evening.\nid:3, Mr Darcy(user): Will you dance?",
	} {
		if got := prompt.History(ball, form); got != want {
			t.Errorf("%s:\n%s", form, got)
		}
	}
	late := ball
	late.Context = append(append([]arena.ContextLine{}, ball.Context...), arena.ContextLine{Role: "assistant", Content: "canary"})
	if got := prompt.History(late, prompt.FormRoles); strings.Contains(got, "canary") {
		t.Errorf("a last line of the character's own was sent: %s", got)
	}
	if _, err := prompt.ParseForm("yaml"); err == nil {
		t.Error("an unknown form was taken")
	}
	if f, err := prompt.ParseForm(""); err != nil || f != prompt.FormRoles {
		t.Errorf("the empty form is %q, %v", f, err)
	}
}

func TestANameIsWrittenOnce(t *testing.T) {
	t.Parallel()
	c := arena.Case{Context: []arena.ContextLine{{Role: "user", Name: "Mara", Content: "Mara: Hello."}, {Role: "user", Content: "Hi."}}}
	if got := prompt.History(c, prompt.FormRoles); got != "User: Mara: Hello.\n\nUser: Hi." {
		t.Errorf("%q", got)
	}
}

// Whatever the case holds, the filled prompt is the template's four pieces with
// the three texts between them.
func TestFillNeverExpandsTwice(t *testing.T) {
	t.Parallel()
	tmpl, err := prompt.New("t", "A{context}B{cand_1}C{cand_2}D")
	if err != nil {
		t.Fatal(err)
	}
	hostile := rapid.SampledFrom([]string{
		"{cand_2}", "{cand_1}", "{context}", "**Response Candidate 2**\n", "{", "}", "{{cand_1}}", "$1", "%s", "plain", "\n", "{cand_", "1}",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(hostile, 0, 6).Draw(t, name), "")
		}
		c := arena.Case{Context: []arena.ContextLine{{Role: "user", Content: text("context")}}, Cand1: text("first"), Cand2: text("second")}
		want := "A" + "User: " + c.Context[0].Content + "B" + c.Cand1 + "C" + c.Cand2 + "D"
		if got := tmpl.Fill(c, prompt.FormRoles); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestLoadAndImportReportWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, say string }{
		"empty":    {"  \n", "is empty"},
		"missing":  {"{context} {cand_1}", "{cand_2}"},
		"twice":    {"{context} {cand_1} {cand_2} {cand_1}", "2 times"},
		"binary":   {"\xff\xfe{context}{cand_1}{cand_2}", "UTF-8"},
		"no order": {"nothing here", "{context}"},
	} {
		path := write(t, "t.txt", c.text)
		if _, err := prompt.Load(path); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: Load says %v", name, err)
		}
	}
	for _, text := range []string{"nothing here", "{cand_2} then {cand_1} then {context}", "{context} {context} {cand_1}"} {
		if _, err := prompt.Import(write(t, "card.md", text)); err == nil || !strings.Contains(err.Error(), "holds no prompt") {
			t.Errorf("Import of %q says %v", text, err)
		}
	}
	if _, err := prompt.Import(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("Import of a folder says %v", err)
	}
	if _, err := prompt.Import(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("Import of an absent file says nothing")
	}
}

// full and short are invented prompts in a card's two places.
const (
	full  = "##prompt info \n### Role\nYou weigh replies, at length.\n\n### Output Format\n\n{\n  \"result\": []\n}\n\n### Input\n\n**Dialogue Context**  \n{context}\n\n**Response Candidate 1**  \n{cand_1}\n\n**Response Candidate 2**  \n{cand_2}"
	short = "##prompt info \n### Role\nYou weigh.\n\n{context}\n\n{cand_1}\n\n{cand_2}\n\nPlease begin."
)

func TestImportFindsTheLongPrompt(t *testing.T) {
	t.Parallel()
	code := "python\n\nimport json\n\nprompt = f\"\"\"" + short + "\"\"\"\n\nprint(\"{done}\")\n"
	doubled := strings.NewReplacer("{\n", "{{\n", "\n}", "\n}}").Replace(full)
	for name, text := range map[string]string{
		"plain card":     "A model\n\nPrompt Template\n\n" + full + "\n\nUsage Example\n\n" + code,
		"readme":         "# A model\n\n<details>\n<summary>Prompt</summary>\n\n```\n" + full + "\n```\n\n</details>\n\n## Use\n\n```python\n" + code + "```\n",
		"readme, fenced": "# A model\n\n````markdown\n" + full + "\n````\n\n```python\n" + code + "```\n",
		"code first":     "```python\n" + code + "```\n\n```text\n" + full + "\n```\n",
		"text":           full + "\n",
		"python":         "import x\n\nPROMPT = '''" + full + "'''\n",
		"python format":  "PROMPT = \"\"\"" + doubled + "\"\"\"\nrun(PROMPT.format(context=c, cand_1=a, cand_2=b))\n",
		"windows":        strings.ReplaceAll("Card\n\n"+full+"\n\nMore\n", "\n", "\r\n"),
		"mark":           "\uFEFF" + full,
	} {
		got, err := prompt.Import(write(t, "card.md", text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got.Text != full {
			t.Errorf("%s: got %q", name, got.Text)
		}
	}
	got, err := prompt.Import(write(t, "bare.txt", "Compare.\n{context}\n1: {cand_1}\n2: {cand_2}\nAnswer in JSON.\n"))
	if err != nil || got.Text != "Compare.\n{context}\n1: {cand_1}\n2: {cand_2}\nAnswer in JSON." {
		t.Errorf("bare: %q, %v", got.Text, err)
	}
}

func TestImportOfTheModelCard(t *testing.T) {
	t.Parallel()
	card := "../../../shared/seeds/000_48c1ea34788c8e33.txt"
	if _, err := os.Stat(card); err != nil {
		t.Skip("the model card is not here")
	}
	got, err := prompt.Import(card)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.Text, "##prompt info") || !strings.HasSuffix(got.Text, prompt.Cand2) || !strings.Contains(got.Text, "### Output Format") {
		t.Errorf("from %q to %q", got.Text[:40], got.Text[len(got.Text)-40:])
	}
	if strings.Contains(got.Text, "import json") || strings.Contains(got.Text, "Usage Example") || len(got.Text) < 3000 {
		t.Errorf("%d bytes, with code of the card's example in it", len(got.Text))
	}
}
