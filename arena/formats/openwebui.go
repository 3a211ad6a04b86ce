package formats

import (
	"encoding/json"
	"fmt"
	"strings"

	"herarena/arena"
)

// feedback is a rating of Open WebUI: a model against its siblings.
type feedback struct {
	ID       string           `json:"id"`
	UserID   string           `json:"user_id"`
	Version  int              `json:"version"`
	Type     string           `json:"type"`
	Data     feedbackData     `json:"data"`
	Meta     feedbackMeta     `json:"meta"`
	Snapshot feedbackSnapshot `json:"snapshot"`
	Created  int64            `json:"created_at"`
	Updated  int64            `json:"updated_at"`
}

type feedbackData struct {
	Rating   int      `json:"rating"`
	Model    string   `json:"model_id"`
	Siblings []string `json:"sibling_model_ids"`
	Reason   *string  `json:"reason"`
	Comment  string   `json:"comment"`
	Tags     []string `json:"tags"`
}

type feedbackMeta struct {
	Arena     bool     `json:"arena"`
	ChatID    string   `json:"chat_id"`
	MessageID string   `json:"message_id"`
	Tags      []string `json:"tags"`
}

type feedbackSnapshot struct {
	Chat map[string]any `json:"chat"`
}

func openWebUI() Format {
	return Format{
		Name: "openwebui", Title: "Open WebUI's feedback", Holds: "a model rated up or down against others",
		LostOut:    "ties, both bad and flips make no row; the conversation, critics' principles; times to the second",
		LostIn:     "a rating against several models becomes one battle for each; the chat is kept but not read",
		Extensions: []string{".json"},
		codec: codec{
			layout: asArray, marks: []string{"user_id", "type", "data", "meta"}, read: readFeedback, write: writeFeedback,
		},
	}
}

func readFeedback(im *importer, r *row) error {
	var in struct {
		ID     loose  `json:"id"`
		UserID loose  `json:"user_id"`
		Type   string `json:"type"`
		Data   struct {
			Rating   loose    `json:"rating"`
			Model    string   `json:"model_id"`
			Siblings []string `json:"sibling_model_ids"`
		} `json:"data"`
		Meta    json.RawMessage `json:"meta"`
		Created loose           `json:"created_at"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	rating := in.Data.Rating.number()
	switch {
	case in.Type != "rating":
		im.report.skip("is no rating")
		return nil
	case rating != 1 && rating != -1:
		im.report.skip("has no rating of 1 or -1")
		return nil
	case len(in.Data.Siblings) == 0:
		im.report.skip("rates one model alone")
		return nil
	case len(in.Data.Siblings) > 100:
		return r.fault("data.sibling_model_ids", "%d models; at most 100 are read", len(in.Data.Siblings))
	}
	choice := arena.ChoseA
	if rating < 0 {
		choice = arena.ChoseB
	}
	for i, sibling := range in.Data.Siblings {
		names, err := im.names([2]string{"data.model_id", fmt.Sprintf("data.sibling_model_ids[%d]", i)}, [2]string{in.Data.Model, sibling})
		if err != nil {
			return err
		}
		d := im.newDraft(id(im.rowID(string(in.ID)), sibling, fmt.Sprint(i)), names, im.when(in.Created.number()))
		d.mark.Rest = r.rest("user_id", "type", "created_at")
		d.vote(choice, string(in.UserID))
		if err := im.add(d); err != nil {
			return err
		}
	}
	return nil
}

func writeFeedback(ex *exporter, p *pair) ([]any, string) {
	var better arena.Side
	switch p.outcome {
	case arena.NoChoice:
		return nil, whyFlip
	case arena.ChoseA:
		better = arena.A
	case arena.ChoseB:
		better = arena.B
	default:
		return nil, whyNoWin
	}
	at := millis(p.when) / 1000
	out := feedback{
		ID: p.battles[0].ID, UserID: strings.TrimPrefix(ex.judgeWord(p), voterPrefix), Type: "rating", Created: at, Updated: at,
		Data:     feedbackData{Rating: 1, Model: p.names[better], Siblings: []string{p.names[better.Other()]}, Tags: []string{}},
		Meta:     feedbackMeta{Arena: !p.named(), ChatID: p.d.ID, Tags: []string{}},
		Snapshot: feedbackSnapshot{map[string]any{}},
	}
	if r := p.replies[better]; r != nil {
		out.Meta.MessageID = r.ID
	}
	rest := p.rest("openwebui")
	if rest == nil {
		return []any{out}, ""
	}
	// A row of theirs names the models in its own order and may rate down.
	if data, ok := rest["data"]; ok {
		if p.outcome == arena.ChoseB {
			out.Data.Rating, out.Data.Model, out.Data.Siblings = -1, p.names[0], []string{p.names[1]}
		}
		var was map[string]json.RawMessage
		if json.Unmarshal(data, &was) == nil {
			merged, err := encode(kept{out.Data, without(was, "rating", "model_id", "sibling_model_ids")})
			if err != nil {
				return nil, "cannot be written as JSON"
			}
			rest = without(rest, "data")
			rest["data"] = merged
		}
	}
	return []any{kept{out, rest}}, ""
}
