package formats

import (
	"herarena/arena"
)

// trlPair is a row of preference data as TRL's DPO and reward trainers take it.
type trlPair struct {
	Prompt   []plainMessage `json:"prompt" parquet:"prompt,list"`
	Chosen   []plainMessage `json:"chosen" parquet:"chosen,list"`
	Rejected []plainMessage `json:"rejected" parquet:"rejected,list"`
}

// trlUnpairedRow is a row of unpaired preference data, for KTO.
type trlUnpairedRow struct {
	Prompt     []plainMessage `json:"prompt" parquet:"prompt,list"`
	Completion []plainMessage `json:"completion" parquet:"completion,list"`
	Label      bool           `json:"label" parquet:"label"`
}

func trlPreference() Format {
	return Format{
		Name: "trl-preference", Title: "TRL preference data", Holds: "a prompt with a chosen and a rejected reply, as message lists",
		LostOut:    "ties, both bad and flips make no row; who wrote and who judged; plans unless --layers all",
		LostIn:     "plain strings and prompts within the replies come back as message lists; battles count for no board, as nobody is named",
		Extensions: []string{".jsonl"}, Parquet: true, Preference: true,
		codec: codec{
			layout: asLines, marks: []string{"chosen", "rejected"}, read: readTRLPair, write: writeTRLPair,
			blank: func() any { return &trlPair{} },
		},
	}
}

func readTRLPair(im *importer, r *row) error {
	var in struct {
		Prompt   conversation `json:"prompt"`
		Chosen   conversation `json:"chosen"`
		Rejected conversation `json:"rejected"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	beforeA, chosen, err := im.oneReply("chosen", &in.Chosen)
	if err != nil {
		return err
	}
	beforeB, rejected, err := im.oneReply("rejected", &in.Rejected)
	if err != nil {
		return err
	}
	prompt := append(in.Prompt.as("user"), beforeA...)
	if !samePrompt(beforeA, beforeB) {
		return r.fault("rejected", "what stands before the two replies differs, so they are no pair")
	}
	d, err := im.shared(prompt, &chosen, &rejected)
	if err != nil {
		return err
	}
	d.unnamed()
	d.vote(arena.ChoseA, "")
	return im.add(d)
}

func samePrompt(a, b []message) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Role != b[i].Role || a[i].Content != b[i].Content {
			return false
		}
	}
	return true
}

// shared makes a duel of one prompt and up to two replies to it.
func (im *importer) shared(prompt []message, a, b *message) (*draft, error) {
	d := im.newDraft(im.rowID(""), [2]string{unnamedA, unnamedB}, im.o.Now)
	turns, err := d.talk("prompt", arena.A, prompt)
	if err != nil {
		return nil, err
	}
	if n := len(turns); n == 0 || turns[n-1].reply[arena.A] != nil {
		turns = append(turns, exchange{})
	}
	turns[len(turns)-1].reply = [2]*message{a, b}
	for i := range turns {
		d.turn(&turns[i])
	}
	return d, nil
}

func writeTRLPair(ex *exporter, p *pair) ([]any, string) {
	better, worse, why := p.winner()
	if why != "" {
		return nil, why
	}
	return []any{trlPair{
		Prompt: plainMessages(ex.talk(p, better)), Chosen: replyList(ex.text(p.replies[better])),
		Rejected: replyList(ex.text(p.replies[worse])),
	}}, ""
}

func plainMessages(all []message) []plainMessage {
	out := make([]plainMessage, len(all))
	for i, m := range all {
		out[i] = plainMessage{m.Role, m.Content}
	}
	return out
}

func replyList(text string) []plainMessage { return []plainMessage{{"assistant", text}} }

func trlUnpaired() Format {
	return Format{
		Name: "trl-unpaired", Title: "TRL unpaired data", Holds: "a prompt with one reply and whether it is wanted, as message lists",
		LostOut:    "ties and flips make no row; which two replies were compared; who wrote and who judged; plans unless --layers all",
		LostIn:     "plain strings come back as message lists; battles count for no board, as nobody is named",
		Extensions: []string{".jsonl"}, Parquet: true, Preference: true,
		codec: codec{
			layout: asLines, marks: []string{"completion", "label"}, read: readTRLUnpaired, write: writeTRLUnpaired,
			blank: func() any { return &trlUnpairedRow{} },
		},
	}
}

func readTRLUnpaired(im *importer, r *row) error {
	var in struct {
		Prompt     conversation `json:"prompt"`
		Completion conversation `json:"completion"`
		Label      *loose       `json:"label"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	if in.Label == nil || *in.Label == "" {
		return r.fault("label", "whether the reply is wanted is missing")
	}
	before, reply, err := im.oneReply("completion", &in.Completion)
	if err != nil {
		return err
	}
	d, err := im.shared(append(in.Prompt.as("user"), before...), &reply, nil)
	if err != nil {
		return err
	}
	d.unnamed()
	choice := arena.ChoseB
	if in.Label.yes() {
		choice = arena.ChoseA
	}
	d.vote(choice, "")
	return im.add(d)
}

func writeTRLUnpaired(ex *exporter, p *pair) ([]any, string) {
	switch {
	case p.replies[0] == nil && p.replies[1] == nil:
		return nil, whyNoText
	case p.outcome == arena.NoChoice:
		return nil, whyFlip
	case p.outcome == arena.Tie:
		return nil, whyNoWin
	}
	var out []any
	for side, r := range p.replies {
		if r == nil {
			continue
		}
		wanted := p.outcome == [2]arena.Choice{arena.ChoseA, arena.ChoseB}[side]
		out = append(out, trlUnpairedRow{
			Prompt: plainMessages(ex.talk(p, arena.Side(side))), Completion: replyList(ex.text(r)), Label: wanted,
		})
	}
	return out, ""
}
