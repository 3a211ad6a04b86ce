package formats

import (
	"encoding/json"
	"regexp"
	"strings"

	"herarena/arena"
)

// row55k is a row of the 55k set (Kaggle's "LLM Classification Finetuning").
type row55k struct {
	ID        string `json:"id" parquet:"id"`
	ModelA    string `json:"model_a" parquet:"model_a"`
	ModelB    string `json:"model_b" parquet:"model_b"`
	Prompt    string `json:"prompt" parquet:"prompt"`
	ResponseA string `json:"response_a" parquet:"response_a"`
	ResponseB string `json:"response_b" parquet:"response_b"`
	WonA      int64  `json:"winner_model_a" parquet:"winner_model_a"`
	WonB      int64  `json:"winner_model_b" parquet:"winner_model_b"`
	Tied      int64  `json:"winner_tie" parquet:"winner_tie"`
}

func lmarena55k() Format {
	return Format{
		Name: "lmarena-55k", Title: "LMArena's 55k set", Holds: "a battle: prompts, two lists of responses, who won",
		LostOut: "both bad becomes a tie; system messages, judge, source, time, language, flips", LostIn: "nothing but other columns",
		Extensions: []string{".csv"}, Parquet: true,
		codec: codec{
			layout: asTable, marks: []string{"model_a", "model_b", "prompt", "response_a", "response_b", "winner_model_a"},
			read: read55k, write: write55k, blank: func() any { return &row55k{} },
		},
	}
}

func read55k(im *importer, r *row) error {
	var in struct {
		ID     loose  `json:"id"`
		A      string `json:"model_a"`
		B      string `json:"model_b"`
		Prompt string `json:"prompt"`
		RA     string `json:"response_a"`
		RB     string `json:"response_b"`
		WonA   loose  `json:"winner_model_a"`
		WonB   loose  `json:"winner_model_b"`
		Tied   loose  `json:"winner_tie"`
	}
	if err := r.into(&in); err != nil {
		return err
	}
	names, err := im.names([2]string{"model_a", "model_b"}, [2]string{in.A, in.B})
	if err != nil {
		return err
	}
	var choice arena.Choice
	for c, won := range map[arena.Choice]bool{arena.ChoseA: in.WonA.yes(), arena.ChoseB: in.WonB.yes(), arena.Tie: in.Tied.yes()} {
		if won && choice != "" {
			return r.fault("winner_model_a", "more than one of winner_model_a, winner_model_b and winner_tie is 1")
		}
		if won {
			choice = c
		}
	}
	if choice == "" {
		return r.fault("winner_model_a", "none of winner_model_a, winner_model_b and winner_tie is 1")
	}
	prompts, err := r.list("prompt", in.Prompt)
	if err != nil {
		return err
	}
	d := im.newDraft(im.rowID(string(in.ID)), names, im.o.Now)
	var sides [2][]exchange
	for i, f := range [][2]string{{"response_a", in.RA}, {"response_b", in.RB}} {
		replies, err := r.list(f[0], f[1])
		if err != nil {
			return err
		}
		var msgs []message
		for n := range max(len(prompts), len(replies)) {
			if n < len(prompts) {
				msgs = append(msgs, message{Role: "user", Content: prompts[n]})
			}
			if n < len(replies) {
				msgs = append(msgs, message{Role: "assistant", Content: replies[n]})
			}
		}
		if sides[i], err = d.talk(f[0], arena.Side(i), msgs); err != nil {
			return err
		}
	}
	d.both(sides[0], sides[1])
	if in.ID != "" {
		raw, err := marshal(string(in.ID))
		if err != nil {
			return err
		}
		d.mark.Rest = map[string]json.RawMessage{"id": raw}
	}
	d.vote(choice, "")
	return im.add(d)
}

// list reads a list of strings that stands in a string; a text that is no list
// is one of one.
func (r *row) list(field, text string) ([]string, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return []string{text}, nil
	}
	var list []*string
	if json.Unmarshal([]byte(text), &list) != nil {
		return []string{text}, nil
	}
	if len(list) > maxMessages {
		return nil, r.fault(field, "the list has %d texts; at most %d are read", len(list), maxMessages)
	}
	out := make([]string, len(list))
	for i, s := range list {
		if s != nil {
			out[i] = *s
		}
	}
	return out, nil
}

func write55k(ex *exporter, p *pair) ([]any, string) {
	switch {
	case !p.spoken():
		return nil, whyNoText
	case p.outcome == arena.NoChoice:
		return nil, whyFlip
	}
	out := row55k{ID: p.key(), ModelA: p.names[0], ModelB: p.names[1]}
	switch p.outcome {
	case arena.ChoseA:
		out.WonA = 1
	case arena.ChoseB:
		out.WonB = 1
	default:
		out.Tied = 1
	}
	var prompts []string
	var replies [2][]string
	for side := range replies {
		prompts, replies[side] = nil, []string{}
		for _, m := range spokenOnly(ex.whole(p, arena.Side(side))) {
			if m.Role == "user" {
				prompts = append(prompts, m.Content)
				continue
			}
			// The lists run beside each other: a reply to no line has an empty one.
			if len(replies[side]) == len(prompts) {
				prompts = append(prompts, "")
			}
			replies[side] = append(replies[side], m.Content)
		}
	}
	for to, list := range map[*string][]string{&out.Prompt: prompts, &out.ResponseA: replies[0], &out.ResponseB: replies[1]} {
		raw, err := marshal(list)
		if err != nil {
			return nil, "cannot be written as JSON"
		}
		*to = string(raw)
	}
	return []any{out}, ""
}

// row100k is a row of the 100k set, whose conversations are strings.
type row100k struct {
	QuestionID string      `json:"question_id" parquet:"question_id"`
	ModelA     string      `json:"model_a" parquet:"model_a"`
	ModelB     string      `json:"model_b" parquet:"model_b"`
	Winner     string      `json:"winner" parquet:"winner"`
	ConvA      string      `json:"conversation_a" parquet:"conversation_a"`
	ConvB      string      `json:"conversation_b" parquet:"conversation_b"`
	Turn       int64       `json:"turn" parquet:"turn"`
	Anony      bool        `json:"anony" parquet:"anony"`
	Language   string      `json:"language" parquet:"language"`
	Tstamp     json.Number `json:"tstamp" parquet:"-"`
	Seconds    float64     `json:"-" parquet:"tstamp"`
	Metadata   string      `json:"conv_metadata" parquet:"conv_metadata"`
	IsCode     bool        `json:"is_code" parquet:"is_code"`
	IsRefusal  bool        `json:"is_refusal" parquet:"is_refusal"`
	DedupTag   string      `json:"dedup_tag" parquet:"dedup_tag"`
	Category   string      `json:"category_tag" parquet:"category_tag"`
	JudgeHash  string      `json:"judge_hash" parquet:"judge_hash"`
}

func lmarena100k() Format {
	return Format{
		Name: "lmarena-100k", Title: "LMArena's 100k set", Holds: "a battle; the conversations and the metadata are JSON in strings",
		LostOut:    "system messages, swipes, principles, flips; code, refusals, duplicates and categories are not classified",
		LostIn:     "in Parquet columns of another kind than the set's",
		Extensions: []string{".jsonl"}, Parquet: true,
		codec: codec{
			layout: asLines, marks: []string{"model_a", "model_b", "winner", "conversation_a", "question_id", "judge_hash"},
			read: readBattleRow, write: write100k, blank: func() any { return &row100k{} },
		},
	}
}

func write100k(ex *exporter, p *pair) ([]any, string) {
	switch {
	case !p.spoken():
		return nil, whyNoText
	case p.outcome == arena.NoChoice:
		return nil, whyFlip
	}
	a, b := cleanTalk(ex, p, arena.A), cleanTalk(ex, p, arena.B)
	out := row100k{
		QuestionID: p.key(), ModelA: p.names[0], ModelB: p.names[1], Winner: winner(p.outcome, winBad), Turn: int64(len(a) / 2),
		Anony: !p.named(), Language: languageOf(p.d.Language, a), Tstamp: seconds(millis(p.when)), Seconds: float64(millis(p.when)) / 1000,
		JudgeHash: id("judge", ex.voter(p.judge))[1:], DedupTag: "{}", Category: "{}",
	}
	for to, v := range map[*string]any{&out.ConvA: plainTalk(a), &out.ConvB: plainTalk(b), &out.Metadata: styleOf(a, b)} {
		text, err := marshal(v)
		if err != nil {
			return nil, "cannot be written as JSON"
		}
		*to = string(text)
	}
	return []any{kept{out, p.rest("lmarena-100k")}}, ""
}

type plainMessage struct {
	Role    string `json:"role" parquet:"role"`
	Content string `json:"content" parquet:"content"`
}

func plainTalk(all []cleanMessage) []plainMessage {
	out := make([]plainMessage, len(all))
	for i, m := range all {
		out[i] = plainMessage{m.Role, m.Content}
	}
	return out
}

// part is a part of a message of the 140k set.
type part struct {
	Type  string  `json:"type" parquet:"type"`
	Text  *string `json:"text" parquet:"text,optional"`
	Image *string `json:"image" parquet:"image,optional"`
	Mime  *string `json:"mimeType" parquet:"mimeType,optional"`
}

type partMessage struct {
	Role    string `json:"role" parquet:"role"`
	Content []part `json:"content" parquet:"content,list"`
}

// partTurn is a line with the replies of both sides.
type partTurn struct {
	User  partMessage `json:"user" parquet:"user"`
	SideA partMessage `json:"model_side_a" parquet:"model_side_a"`
	SideB partMessage `json:"model_side_b" parquet:"model_side_b"`
}

// row140k is a row of the 140k set.
type row140k struct {
	ID       string          `json:"id" parquet:"id"`
	ModelA   string          `json:"model_a" parquet:"model_a"`
	ModelB   string          `json:"model_b" parquet:"model_b"`
	Winner   string          `json:"winner" parquet:"winner"`
	Session  string          `json:"evaluation_session_id" parquet:"evaluation_session_id"`
	Order    int32           `json:"evaluation_order" parquet:"evaluation_order"`
	ConvA    []partMessage   `json:"conversation_a" parquet:"conversation_a,list"`
	ConvB    []partMessage   `json:"conversation_b" parquet:"conversation_b,list"`
	Full     []partTurn      `json:"full_conversation" parquet:"full_conversation,list"`
	Metadata style           `json:"conv_metadata" parquet:"conv_metadata"`
	Category json.RawMessage `json:"category_tag" parquet:"-"`
	Language string          `json:"language" parquet:"language"`
	IsCode   bool            `json:"is_code" parquet:"is_code"`
}

func lmarena140k() Format {
	return Format{
		Name: "lmarena-140k", Title: "LMArena's 140k set", Holds: "a battle; messages are lists of parts",
		LostOut:    "system messages, swipes, principles, judge, time, flips; categories are not classified",
		LostIn:     "images; in Parquet the categories too",
		Extensions: []string{".jsonl"}, Parquet: true,
		codec: codec{
			layout: asLines, marks: []string{"model_a", "model_b", "winner", "evaluation_session_id"},
			read: readBattleRow, write: write140k, blank: func() any { return &row140k{} },
		},
	}
}

func write140k(ex *exporter, p *pair) ([]any, string) {
	switch {
	case !p.spoken():
		return nil, whyNoText
	case p.outcome == arena.NoChoice:
		return nil, whyFlip
	}
	a, b := cleanTalk(ex, p, arena.A), cleanTalk(ex, p, arena.B)
	out := row140k{
		ID: p.key(), ModelA: p.names[0], ModelB: p.names[1], Winner: winner(p.outcome, winBothBad), Session: p.d.ID,
		Order: int32(min(max(p.number, 1), 1<<30)), ConvA: inParts(a), ConvB: inParts(b), Full: []partTurn{},
		Metadata: styleOf(a, b), Language: "und",
	}
	if p.d.Language != "" {
		out.Language, _, _ = strings.Cut(strings.ToLower(p.d.Language), "-")
	}
	for i := 0; i+1 < len(a) || i+1 < len(b); i += 2 {
		var t partTurn
		if i+1 < len(a) {
			t.User, t.SideA = out.ConvA[i], out.ConvA[i+1]
		}
		if i+1 < len(b) {
			t.User, t.SideB = out.ConvB[i], out.ConvB[i+1]
		}
		out.Full = append(out.Full, t)
	}
	return []any{kept{out, p.rest("lmarena-140k")}}, ""
}

func inParts(all []cleanMessage) []partMessage {
	out := make([]partMessage, len(all))
	for i, m := range all {
		out[i] = partMessage{m.Role, []part{{Type: "text", Text: &all[i].Content}}}
	}
	return out
}

// headers, lists and bold are the marks of Markdown in a conversation.
type headers struct {
	H1 int64 `json:"h1" parquet:"h1"`
	H2 int64 `json:"h2" parquet:"h2"`
	H3 int64 `json:"h3" parquet:"h3"`
	H4 int64 `json:"h4" parquet:"h4"`
	H5 int64 `json:"h5" parquet:"h5"`
	H6 int64 `json:"h6" parquet:"h6"`
}

type itemLists struct {
	Ordered   int64 `json:"ordered" parquet:"ordered"`
	Unordered int64 `json:"unordered" parquet:"unordered"`
}

type bold struct {
	Stars int64 `json:"**" parquet:"**"`
	Lines int64 `json:"__" parquet:"__"`
}

// style is the metadata by which boards control for style. Tokens are the
// server's count, or the number of words where it gave none.
type style struct {
	SumA     int64     `json:"sum_assistant_a_tokens" parquet:"sum_assistant_a_tokens"`
	HeadersA headers   `json:"header_count_a" parquet:"header_count_a"`
	ListsA   itemLists `json:"list_count_a" parquet:"list_count_a"`
	BoldA    bold      `json:"bold_count_a" parquet:"bold_count_a"`
	ContextA int64     `json:"context_a_tokens" parquet:"context_a_tokens"`
	SumB     int64     `json:"sum_assistant_b_tokens" parquet:"sum_assistant_b_tokens"`
	HeadersB headers   `json:"header_count_b" parquet:"header_count_b"`
	ListsB   itemLists `json:"list_count_b" parquet:"list_count_b"`
	BoldB    bold      `json:"bold_count_b" parquet:"bold_count_b"`
	ContextB int64     `json:"context_b_tokens" parquet:"context_b_tokens"`
	SumUser  int64     `json:"sum_user_tokens" parquet:"sum_user_tokens"`
	Turns    int64     `json:"turns" parquet:"turns"`
}

var (
	headerLine  = regexp.MustCompile(`(?m)^(#{1,6})[ \t]`)
	orderedLine = regexp.MustCompile(`(?m)^[ \t]*\d+\.[ \t]`)
	bulletLine  = regexp.MustCompile(`(?m)^[ \t]*[-*+][ \t]`)
	starBold    = regexp.MustCompile(`\*\*[^*\n]+\*\*`)
	lineBold    = regexp.MustCompile(`__[^_\n]+__`)
)

func styleOf(a, b []cleanMessage) style {
	s := style{Turns: int64(len(a) / 2)}
	count := func(all []cleanMessage, sum, context *int64, h *headers, l *itemLists, f *bold) {
		for i, m := range all {
			if m.Role != "assistant" {
				continue
			}
			if i < len(all)-1 {
				*context += m.NumTokens
			}
			*sum += m.NumTokens
			for _, mark := range headerLine.FindAllStringSubmatch(m.Content, -1) {
				*[]*int64{&h.H1, &h.H2, &h.H3, &h.H4, &h.H5, &h.H6}[len(mark[1])-1]++
			}
			l.Ordered += int64(len(orderedLine.FindAllString(m.Content, -1)))
			l.Unordered += int64(len(bulletLine.FindAllString(m.Content, -1)))
			f.Stars += int64(len(starBold.FindAllString(m.Content, -1)))
			f.Lines += int64(len(lineBold.FindAllString(m.Content, -1)))
		}
	}
	count(a, &s.SumA, &s.ContextA, &s.HeadersA, &s.ListsA, &s.BoldA)
	count(b, &s.SumB, &s.ContextB, &s.HeadersB, &s.ListsB, &s.BoldB)
	for _, m := range a {
		if m.Role == "user" {
			s.SumUser += m.NumTokens
		}
	}
	return s
}
