package formats

import (
	"encoding/json"
	"fmt"
	"strings"

	"herarena/arena"
)

// rawVote is a line of FastChat's log.
type rawVote struct {
	Tstamp loose      `json:"tstamp"`
	Type   string     `json:"type"`
	Models []string   `json:"models"`
	States []rawState `json:"states"`
	IP     loose      `json:"ip"`
}

type rawState struct {
	Template string      `json:"template_name"`
	System   string      `json:"system_message"`
	Roles    []string    `json:"roles"`
	Messages [][]*string `json:"messages"`
	Offset   int         `json:"offset"`
	ConvID   string      `json:"conv_id"`
	Model    string      `json:"model_name"`
}

var rawVotes = map[string]arena.Choice{
	"leftvote": arena.ChoseA, "rightvote": arena.ChoseB, "tievote": arena.Tie, "bothbad_vote": arena.BothBad,
}

func fastChatRaw() Format {
	return Format{
		Name: "fastchat-raw", Title: "a FastChat log", Holds: "a vote on two conversations",
		LostOut:    "critics' verdicts, swipes, directors' notes after the first message, timings",
		LostIn:     "chats without a vote, offsets and templates; votes that FastChat's own cleaner drops are kept and do not count",
		Extensions: []string{".json", ".jsonl"},
		codec: codec{
			layout: asLines, marks: []string{"tstamp", "type", "ip"}, read: readRawVote, write: writeRawVote,
		},
	}
}

func readRawVote(im *importer, r *row) error {
	var v rawVote
	if err := r.into(&v); err != nil {
		return err
	}
	choice, isVote := rawVotes[v.Type]
	if !isVote {
		im.report.skip(fmt.Sprintf("of the type %s, which is no vote", clip(v.Type)))
		return nil
	}
	if len(v.States) != 2 || len(v.Models) != 2 {
		return r.fault("states", "a vote should have two states and two models, it has %d and %d", len(v.States), len(v.Models))
	}
	names, err := im.names([2]string{"states[0].model_name", "states[1].model_name"}, [2]string{v.States[0].Model, v.States[1].Model})
	if err != nil {
		return err
	}
	d := im.newDraft(im.rowID(v.States[0].ConvID), names, im.when(v.Tstamp.number()))
	if v.Models[0] != "" && v.Models[0] != "Model A" {
		d.mark.Named, d.mark.Labels = true, &[2]string{v.Models[0], v.Models[1]}
	}
	var sides [2][]exchange
	for i, s := range v.States {
		msgs, err := s.conversation(im, fmt.Sprintf("states[%d]", i))
		if err != nil {
			return err
		}
		if sides[i], err = d.talk(fmt.Sprintf("states[%d].messages", i), arena.Side(i), msgs); err != nil {
			return err
		}
	}
	d.both(sides[0], sides[1])
	if why := unclean(&v, d.mark.Named); why != "" {
		d.counted, d.why = false, why
	}
	d.mark.Rest = map[string]json.RawMessage{}
	for i, key := range []string{"conv_a", "conv_b"} {
		if d.mark.Rest[key], err = marshal(v.States[i].ConvID); err != nil {
			return err
		}
	}
	d.vote(choice, string(v.IP))
	return im.add(d)
}

func (s *rawState) conversation(im *importer, field string) ([]message, error) {
	if s.Offset < 0 || s.Offset > len(s.Messages) {
		return nil, im.row.fault(field+".offset", "%d is beyond the %d messages", s.Offset, len(s.Messages))
	}
	var out []message
	if s.System != "" {
		out = append(out, message{Role: "system", Content: s.System})
	}
	for i, m := range s.Messages[s.Offset:] {
		if len(m) != 2 || m[0] == nil {
			return nil, im.row.fault(fmt.Sprintf("%s.messages[%d]", field, i), "a message should be a role and a text")
		}
		if m[1] == nil {
			continue // a reply that never came
		}
		role := "assistant"
		switch {
		case len(s.Roles) > 0 && *m[0] == s.Roles[0]:
			role = "user"
		case len(s.Roles) < 2 && strings.EqualFold(*m[0], "user"):
			role = "user"
		}
		out = append(out, message{Role: role, Content: *m[1]})
	}
	return out, nil
}

// givenAway are the words by which FastChat's cleaner takes a reply or a line
// to tell who the model is. They are looked for in lower case anywhere, so that
// a bard with a palm branch is one too: the rule is theirs, and counts for the
// rows of their logs alone.
var givenAway = []string{
	"vicuna", "lmsys", "koala", "uc berkeley", "open assistant", "laion", "chatglm", "chatgpt", "gpt-4", "openai",
	"anthropic", "claude", "bard", "palm", "lamda", "google", "llama", "qianwan", "alibaba", "mistral", "zhipu",
	"keg lab", "01.ai", "ai2", "tülu", "tulu", "deepseek", "hailuo", "minimax", "moonshot", "cohere",
}

// unclean says why FastChat's cleaner drops a vote, "" where it keeps it.
func unclean(v *rawVote, named bool) string {
	for _, s := range v.States {
		for i, m := range s.Messages {
			if len(m) != 2 || m[1] == nil || i < s.Offset {
				continue
			}
			text := *m[1]
			switch {
			case strings.Contains(text, "API REQUEST ERROR"), strings.Contains(text, "NETWORK ERROR DUE TO HIGH TRAFFIC"):
				return "a reply is an error message"
			case strings.HasSuffix(strings.TrimSpace(text), "▌"):
				return "a reply is unfinished"
			}
		}
	}
	if named {
		return ""
	}
	for _, s := range v.States {
		for _, m := range s.Messages[min(max(s.Offset, 0), len(s.Messages)):] {
			if len(m) != 2 || m[1] == nil {
				continue
			}
			low := strings.ToLower(*m[1])
			for _, w := range givenAway {
				if strings.Contains(low, w) {
					return fmt.Sprintf("the word %q may tell who the model is", w)
				}
			}
		}
	}
	return ""
}

func writeRawVote(ex *exporter, p *pair) ([]any, string) {
	switch {
	case p.ruling != nil || strings.Contains(string(p.source), "critic:"):
		return nil, "is a critic's verdict, not a vote"
	case !p.spoken():
		return nil, whyNoText
	}
	out := struct {
		Tstamp json.Number `json:"tstamp"`
		Type   string      `json:"type"`
		Models [2]string   `json:"models"`
		States [2]rawState `json:"states"`
		IP     string      `json:"ip"`
	}{Tstamp: seconds(millis(p.when)), IP: p.judge}
	for word, c := range rawVotes {
		if c == p.outcome {
			out.Type = word
		}
	}
	if p.named() {
		out.Models = p.labels()
	}
	ids := [2]string{p.d.ID + "-a", p.d.ID + "-b"}
	if rest := p.rest("fastchat-raw"); rest != nil {
		_ = json.Unmarshal(rest["conv_a"], &ids[0])
		_ = json.Unmarshal(rest["conv_b"], &ids[1])
	}
	for side := range out.States {
		s := &out.States[side]
		s.Template, s.Roles, s.ConvID, s.Model = "one_shot", []string{"User", "Assistant"}, ids[side], p.names[side]
		s.Messages = [][]*string{}
		for i, m := range ex.whole(p, arena.Side(side)) {
			text, role := m.Content, s.Roles[1]
			switch {
			case m.Role == "system" && i == 0:
				s.System = text
				continue
			case m.Role == "system":
				continue
			case m.Role == "user":
				role = s.Roles[0]
			}
			s.Messages = append(s.Messages, []*string{&role, &text})
		}
	}
	return []any{out}, ""
}

// named reports whether the voter was shown the names.
func (p *pair) named() bool {
	if p.origin != nil {
		return p.origin.Named
	}
	return !p.d.Blind
}

// labels are the contestants as a log calls them.
func (p *pair) labels() [2]string {
	if p.origin != nil && p.origin.Labels != nil {
		return *p.origin.Labels
	}
	return p.names
}
