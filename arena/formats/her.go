package formats

import (
	"encoding/json"
	"fmt"
	"strings"

	"herarena/arena"
)

// herRow is a row of HER's reinforcement learning: the prompt, and the better of
// two replies as the reference that a policy is compared with.
type herRow struct {
	DataSource string         `json:"data_source" parquet:"data_source"`
	Prompt     []plainMessage `json:"prompt" parquet:"prompt,list"`
	Reward     herReward      `json:"reward_model" parquet:"reward_model"`
	Extra      herExtra       `json:"extra_info" parquet:"extra_info"`
}

type herReward struct {
	Answer   string `json:"answer" parquet:"answer"`
	Solution string `json:"solution" parquet:"solution"`
	Style    string `json:"style" parquet:"style"`
}

type herExtra struct {
	Record     herRecord     `json:"raw_record" parquet:"raw_record"`
	Better     string        `json:"better_response" parquet:"better_response"`
	Candidates herCandidates `json:"candidates" parquet:"candidates"`
	Golden     string        `json:"golden_type" parquet:"golden_type"`
	Index      int64         `json:"index" parquet:"index"`
}

type herRecord struct {
	Trace    string         `json:"trace_id" parquet:"trace_id"`
	Messages []plainMessage `json:"messages" parquet:"messages,list"`
	First    string         `json:"candidate_1" parquet:"candidate_1"`
	Second   string         `json:"candidate_2" parquet:"candidate_2"`
}

type herCandidates struct {
	First  string `json:"cand_1" parquet:"cand_1"`
	Second string `json:"cand_2" parquet:"cand_2"`
}

// herSolution stands as JSON in a string, and its input as JSON in a string of
// that.
type herSolution struct {
	Input  string `json:"input"`
	Answer string `json:"ref_answer"`
	Golden string `json:"golden_type"`
}

// The golden type of a row whose reference is a whole reply.
const goldenReply = "3"

// herCritic is who labelled HER's own rows.
const herCritic = "her-data"

func herRL() Format {
	return Format{
		Name: "her-rl", Title: "HER's RL rows", Holds: "a prompt, two candidates, the better one as the reference answer",
		LostOut:    "ties, both bad and flips make no row, as in HER's own; who wrote and who judged; plans unless --layers all",
		LostIn:     "battles count for no board, as nobody is named; the golden type is taken to be 3; fields of raw_record beside the messages",
		Extensions: []string{".jsonl"}, Parquet: true, Preference: true,
		codec: codec{
			layout: asLines, marks: []string{"prompt", "reward_model", "extra_info"}, read: readHER, write: writeHER,
			blank: func() any { return &herRow{} },
		},
	}
}

func readHER(im *importer, r *row) error {
	var in struct {
		Source string       `json:"data_source"`
		Prompt conversation `json:"prompt"`
		Extra  struct {
			Record struct {
				Trace loose `json:"trace_id"`
			} `json:"raw_record"`
			Better     string        `json:"better_response"`
			Candidates herCandidates `json:"candidates"`
			Index      loose         `json:"index"`
		} `json:"extra_info"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	if in.Extra.Candidates.First == "" || in.Extra.Candidates.Second == "" {
		return r.fault("extra_info.candidates", "a candidate is missing")
	}
	better := arena.Choice(in.Extra.Better)
	if better != arena.First && better != arena.Second && better != arena.Tie {
		return r.fault("extra_info.better_response", "%q is not cand_1, cand_2 or tie", clip(in.Extra.Better))
	}
	d, err := im.shared(in.Prompt.as("user"), &message{Content: in.Extra.Candidates.First}, &message{Content: in.Extra.Candidates.Second})
	if err != nil {
		return err
	}
	d.unnamed()
	d.mark.Rest = map[string]json.RawMessage{}
	for name, v := range map[string]string{"data_source": in.Source, "trace_id": string(in.Extra.Record.Trace), "index": string(in.Extra.Index)} {
		if v == "" {
			continue
		}
		if d.mark.Rest[name], err = marshal(v); err != nil {
			return err
		}
	}
	d.oneOrder(herCritic, arena.Verdict{Status: arena.VerdictOnly, Phase: arena.PhaseDone, Better: better})
	return im.add(d)
}

// oneOrder adds a verdict that was given with side A first alone.
func (d *draft) oneOrder(critic string, v arena.Verdict) {
	none := arena.Verdict{Status: arena.VerdictPending}
	d.ruling(critic, [2]arena.Verdict{v, none}, arena.OrdersNever)
}

func writeHER(ex *exporter, p *pair) ([]any, string) {
	better, _, why := p.winner()
	if why != "" {
		return nil, why
	}
	out := herRow{DataSource: "roleplay_rl", Prompt: plainMessages(ex.talk(p, better))}
	c := herCandidates{ex.text(p.replies[0]), ex.text(p.replies[1])}
	answer := [2]string{c.First, c.Second}[better]
	trace, index := p.battles[0].TurnID, int64(ex.report.Rows)
	if rest := p.rest("her-rl"); rest != nil {
		trace = ""
		_ = json.Unmarshal(rest["data_source"], &out.DataSource)
		_ = json.Unmarshal(rest["trace_id"], &trace)
		var n loose
		if json.Unmarshal(rest["index"], &n) == nil && n != "" {
			index = int64(n.number())
		}
	}
	input, err := spaced(out.Prompt)
	if err != nil {
		return nil, "cannot be written as JSON"
	}
	solution, err := spaced(herSolution{input, answer, goldenReply})
	if err != nil {
		return nil, "cannot be written as JSON"
	}
	out.Reward = herReward{answer, solution, "rule"}
	out.Extra = herExtra{
		Record: herRecord{trace, out.Prompt, c.First, c.Second},
		Better: string([2]arena.Choice{arena.First, arena.Second}[better]), Candidates: c, Golden: goldenReply, Index: index,
	}
	return []any{out}, ""
}

// sftRow is a row of HER-RM's supervised training: what the reward model is
// asked, and what it should answer.
type sftRow struct {
	Trace    string         `json:"trace_id" parquet:"trace_id"`
	Messages []plainMessage `json:"messages" parquet:"messages,list"`
	Metadata sftMetadata    `json:"metadata" parquet:"metadata"`
}

type sftMetadata struct {
	Better     string `json:"better_response" parquet:"better_response"`
	Principles int64  `json:"num_principles" parquet:"num_principles"`
	Source     string `json:"source" parquet:"source"`
}

func herSFT() Format {
	return Format{
		Name: "her-rm-sft", Title: "HER-RM's SFT rows", Holds: "what a reward model is asked and its whole verdict, a row for each order",
		LostOut:    "votes make no row, nor do verdicts without principles; who wrote; polarity, degree and how the verdict was read",
		LostIn:     "the context is taken out of the prompt's text; battles count for no board, as nobody is named",
		Extensions: []string{".jsonl"}, Parquet: true, Preference: true,
		codec: codec{
			layout: asLines, marks: []string{"trace_id", "messages", "metadata"}, read: readSFT, write: writeSFT,
			blank: func() any { return &sftRow{} },
		},
	}
}

// sftVerdict is the answer of a row: the inner object of HER-RM's output.
type sftVerdict struct {
	First      string       `json:"cand_1"`
	Second     string       `json:"cand_2"`
	Principles orderedRules `json:"principle"`
	Analysis   struct {
		Comparisons []sftComparison `json:"principle_comparisons"`
		Overall     string          `json:"overall_analysis"`
		Summary     string          `json:"principle_summary"`
	} `json:"analysis"`
	Better string `json:"better_response"`
}

type sftComparison struct {
	Name   string `json:"principle_name"`
	Level  string `json:"principle_level"`
	First  string `json:"cand_1_performance"`
	Second string `json:"cand_2_performance"`
	Reason string `json:"comparison_reason"`
	Winner string `json:"winner"`
}

type sftRule struct {
	Name      string `json:"principle_name"`
	Dimension string `json:"dimension_name"`
	Level     string `json:"principle_level"`
	Content   string `json:"main_content"`
	Reason    string `json:"reason_for_choosing"`
}

// orderedRules are principles under the keys "Principle 1", "Principle 2", …
type orderedRules []sftRule

// MarshalJSON writes them in their order.
func (o orderedRules) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, rule := range o {
		raw, err := marshal(rule)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"Principle %d":%s`, i+1, raw)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// UnmarshalJSON reads them in the order written.
func (o *orderedRules) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return err
	}
	for d.More() {
		if _, err := d.Token(); err != nil {
			return err
		}
		var rule sftRule
		if err := d.Decode(&rule); err != nil {
			return err
		}
		*o = append(*o, rule)
	}
	return nil
}

// The headings of HER-RM's prompt under which the case stands.
var sftHeadings = [3]string{"**Dialogue Context**", "**Response Candidate 1**", "**Response Candidate 2**"}

func readSFT(im *importer, r *row) error {
	var in struct {
		Trace    loose           `json:"trace_id"`
		Messages []chat          `json:"messages"`
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	if len(in.Messages) != 2 || in.Messages[0].Role != "user" || in.Messages[1].Role != "assistant" {
		return r.fault("messages", "want one message of the user and one of the assistant")
	}
	answer := strings.TrimSpace(string(in.Messages[1].Content))
	answer = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(answer, "```json"), "```"), "```"))
	var v sftVerdict
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		im.report.skip("the answer is no verdict in JSON")
		return nil
	}
	context := sftContext(string(in.Messages[0].Content))
	if v.First == "" || v.Second == "" || context == nil {
		im.report.skip("the candidates or their context cannot be told apart in the prompt")
		return nil
	}
	d, err := im.shared(context, &message{Content: v.First}, &message{Content: v.Second})
	if err != nil {
		return err
	}
	d.unnamed()
	d.mark.Rest = r.rest("messages")
	prompt, err := marshal(string(in.Messages[0].Content))
	if err != nil {
		return err
	}
	d.mark.Rest["prompt"] = prompt
	d.oneOrder(herCritic, v.verdict(string(in.Messages[1].Content)))
	return im.add(d)
}

func (v *sftVerdict) verdict(raw string) arena.Verdict {
	out := arena.Verdict{
		Status: arena.VerdictOK, Phase: arena.PhaseDone, Raw: raw, Overall: v.Analysis.Overall, Summary: v.Analysis.Summary,
	}
	if c := arena.Choice(v.Better); c == arena.First || c == arena.Second || c == arena.Tie {
		out.Better = c
	} else {
		out.Status = arena.VerdictPartial
	}
	for _, p := range v.Principles {
		out.Principles = append(out.Principles, arena.Principle{Name: p.Name, Dimension: p.Dimension, Level: p.Level, Definition: p.Content, Reason: p.Reason})
	}
	for _, c := range v.Analysis.Comparisons {
		w := arena.Choice(c.Winner)
		switch w {
		case arena.First:
			out.Tally.First++
		case arena.Second:
			out.Tally.Second++
		case arena.Tie:
			out.Tally.Tie++
		default:
			w = arena.NoChoice
		}
		out.Comparisons = append(out.Comparisons, arena.Comparison{Name: c.Name, First: c.First, Second: c.Second, Reason: c.Reason, Winner: w})
	}
	return out
}

// sftContext reads the messages of the context out of a prompt, nil where the
// headings are not there.
func sftContext(prompt string) []message {
	at := strings.LastIndex(prompt, sftHeadings[0])
	end := strings.LastIndex(prompt, sftHeadings[1])
	if at < 0 || end < at || strings.LastIndex(prompt, sftHeadings[2]) < end {
		return nil
	}
	text := strings.TrimSpace(prompt[at+len(sftHeadings[0]) : end])
	out := []message{}
	for para := range strings.SplitSeq(text, "\n\n") {
		role := ""
		for word, name := range map[string]string{"System: ": "system", "User: ": "user", "Assistant: ": "assistant"} {
			if rest, ok := strings.CutPrefix(para, word); ok {
				role, para = name, rest
				break
			}
		}
		switch {
		case role != "":
			out = append(out, message{Role: role, Content: para})
		case len(out) > 0:
			out[len(out)-1].Content += "\n\n" + para
		default:
			out = append(out, message{Role: "user", Content: para})
		}
	}
	return out
}

func writeSFT(ex *exporter, p *pair) ([]any, string) {
	switch {
	case p.ruling == nil:
		return nil, whyVote
	case !p.spoken():
		return nil, whyNoText
	case ex.o.Prompt == nil:
		return nil, "needs a prompt, and none is given"
	}
	c, err := ex.criticCase(p)
	if err != nil {
		return nil, "is no case for a critic"
	}
	var out []any
	for order, v := range p.ruling.Verdicts {
		if (v.Status != arena.VerdictOK && v.Status != arena.VerdictRepaired) || v.Better == arena.NoChoice || len(v.Principles) == 0 {
			continue
		}
		asked := c
		if arena.Order(order) == arena.BFirst {
			asked = c.Swapped()
		}
		row, err := sftRowOf(p, &v, asked, ex.o.Prompt)
		if err != nil {
			return nil, "cannot be written as JSON"
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		return nil, "has no whole verdict with principles"
	}
	return out, ""
}

func sftRowOf(p *pair, v *arena.Verdict, c arena.Case, ask func(arena.Case) string) (any, error) {
	answer := sftVerdict{First: c.Cand1, Second: c.Cand2, Better: string(v.Better)}
	level := map[string]string{}
	for _, rule := range v.Principles {
		level[rule.Name] = rule.Level
		answer.Principles = append(answer.Principles, sftRule{rule.Name, rule.Dimension, rule.Level, rule.Definition, rule.Reason})
	}
	answer.Analysis.Comparisons = []sftComparison{}
	for _, x := range v.Comparisons {
		answer.Analysis.Comparisons = append(answer.Analysis.Comparisons, sftComparison{x.Name, level[x.Name], x.First, x.Second, x.Reason, string(x.Winner)})
	}
	answer.Analysis.Overall, answer.Analysis.Summary = v.Overall, v.Summary
	var prompt string
	row := sftRow{Trace: p.battles[0].TurnID, Metadata: sftMetadata{string(v.Better), int64(len(v.Principles)), "model_evaluation"}}
	rest := p.rest("her-rm-sft")
	if rest != nil {
		// As it stood: what was said of a candidate is said of these very words.
		_ = json.Unmarshal(rest["prompt"], &prompt)
		answer.First, answer.Second = p.replies[0].Raw, p.replies[1].Raw
	}
	if prompt == "" {
		prompt = ask(c)
	}
	text, err := indented(answer)
	if err != nil {
		return nil, err
	}
	row.Messages = []plainMessage{{"user", prompt}, {"assistant", "```json\n" + text + "\n```"}}
	return kept{row, without(rest, "prompt")}, nil
}

func indented(v any) (string, error) {
	raw, err := marshal(v)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(json.RawMessage(raw)); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
