package formats

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// cleanMessage is a message of a clean battle.
type cleanMessage struct {
	Role      string `json:"role" parquet:"role"`
	Content   string `json:"content" parquet:"content"`
	NumTokens int64  `json:"num_tokens" parquet:"num_tokens"`
}

// cleanBattle is a row of FastChat's cleaned battles.
type cleanBattle struct {
	QuestionID string         `json:"question_id" parquet:"question_id"`
	ModelA     string         `json:"model_a" parquet:"model_a"`
	ModelB     string         `json:"model_b" parquet:"model_b"`
	Winner     string         `json:"winner" parquet:"winner"`
	Judge      string         `json:"judge" parquet:"judge"`
	ConvA      []cleanMessage `json:"conversation_a,omitempty" parquet:"conversation_a,list"`
	ConvB      []cleanMessage `json:"conversation_b,omitempty" parquet:"conversation_b,list"`
	Turn       int64          `json:"turn" parquet:"turn"`
	Anony      bool           `json:"anony" parquet:"anony"`
	Language   string         `json:"language" parquet:"language"`
	Tstamp     json.Number    `json:"tstamp" parquet:"-"`
	Seconds    float64        `json:"-" parquet:"tstamp"`
}

// battleRow is a row of any set of battles with conversations.
type battleRow struct {
	QuestionID loose        `json:"question_id"`
	ID         loose        `json:"id"`
	ModelA     string       `json:"model_a"`
	ModelB     string       `json:"model_b"`
	Winner     string       `json:"winner"`
	Judge      loose        `json:"judge"`
	ConvA      conversation `json:"conversation_a"`
	ConvB      conversation `json:"conversation_b"`
	Turn       loose        `json:"turn"`
	Anony      *bool        `json:"anony"`
	Language   string       `json:"language"`
	Tstamp     loose        `json:"tstamp"`
}

var battleFields = []string{
	"question_id", "id", "model_a", "model_b", "winner", "judge", "conversation_a", "conversation_b", "turn", "anony", "language", "tstamp",
	"full_conversation",
}

const voterPrefix = "arena_user_"

func fastChatClean() Format {
	return Format{
		Name: "fastchat", Title: "FastChat's clean battles", Holds: "a battle with both conversations, or without",
		LostOut:    "system messages, swipes, principles; a critic's disagreement with itself; who judged is a word",
		LostIn:     "of battles without conversations all but the contestants, the winner, the judge and the time",
		Extensions: []string{".json", ".jsonl"}, Parquet: true,
		codec: codec{
			layout: asArray, marks: []string{"model_a", "model_b", "winner", "judge", "anony"},
			without: []string{"conv_metadata", "weight"}, read: readBattleRow, write: writeClean,
			blank: func() any { return &cleanBattle{} },
		},
	}
}

// readBattleRow reads a row of a set of battles.
func readBattleRow(im *importer, r *row) error {
	var b battleRow
	if err := r.into(&b); err != nil {
		return err
	}
	names, err := im.names([2]string{"model_a", "model_b"}, [2]string{b.ModelA, b.ModelB})
	if err != nil {
		return err
	}
	choice, err := im.choice("winner", b.Winner)
	if err != nil {
		return err
	}
	key := string(b.QuestionID + b.ID)
	at := im.when(b.Tstamp.number())
	source, critic := arena.SourceVote, ""
	if c, ok := strings.CutPrefix(string(b.Judge), "critic:"); ok {
		source, critic = arena.CriticSource(c), c
	}
	voter := strings.TrimPrefix(string(b.Judge), voterPrefix)
	if len(b.ConvA.Messages)+len(b.ConvB.Messages) == 0 {
		bid := im.rowID(key)
		battle := arena.Battle{
			ID: bid, Source: im.source(source), A: names[0], B: names[1], Outcome: choice, Weight: 1, Counted: names[0] != names[1],
			At: at, Judge: voter, Language: tag(b.Language), Turn: int(max(1, min(b.Turn.number(), 1e6))),
		}
		if !battle.Counted {
			battle.Why = "the same contestant stands on both sides"
		}
		return im.battle(battle)
	}
	d := im.newDraft(im.rowID(key), names, at)
	ta, err := d.talk("conversation_a", arena.A, b.ConvA.Messages)
	if err != nil {
		return err
	}
	tb, err := d.talk("conversation_b", arena.B, b.ConvB.Messages)
	if err != nil {
		return err
	}
	d.both(ta, tb)
	d.scene.Language = tag(b.Language)
	d.mark.Named = b.Anony != nil && !*b.Anony
	d.mark.Rest = r.rest(battleFields...)
	if key != "" {
		if d.mark.Rest == nil {
			d.mark.Rest = map[string]json.RawMessage{}
		}
		for _, name := range []string{"question_id", "id"} {
			if v, ok := r.rest()[name]; ok {
				d.mark.Rest[name] = v
			}
		}
	}
	if critic != "" {
		d.verdict(critic, choice)
		return im.add(d)
	}
	d.vote(choice, voter)
	return im.add(d)
}

// verdict adds what a critic said without more than the winner.
func (d *draft) verdict(critic string, c arena.Choice) {
	t := arena.Verdict{Status: arena.VerdictOnly, Phase: arena.PhaseDone, Better: shown(c)}
	o := t
	o.Better = swapped(t.Better)
	d.ruling(critic, [2]arena.Verdict{t, o}, arena.OrdersAlways)
}

// shown is the shown position of a side with A first.
func shown(c arena.Choice) arena.Choice {
	switch c {
	case arena.ChoseA:
		return arena.First
	case arena.ChoseB:
		return arena.Second
	case arena.Tie, arena.BothBad:
		return arena.Tie
	}
	return arena.NoChoice
}

func swapped(c arena.Choice) arena.Choice {
	switch c {
	case arena.First:
		return arena.Second
	case arena.Second:
		return arena.First
	}
	return c
}

func writeClean(ex *exporter, p *pair) ([]any, string) {
	if p.outcome == arena.NoChoice {
		return nil, whyFlip
	}
	labels := p.labels()
	b := cleanBattle{
		QuestionID: p.key(), ModelA: labels[0], ModelB: labels[1], Winner: winner(p.outcome, winBad),
		Judge: ex.judgeWord(p), Turn: int64(max(p.number, 1)), Anony: !p.named(), Tstamp: seconds(millis(p.when)),
		Seconds: float64(millis(p.when)) / 1000,
	}
	if p.spoken() {
		b.ConvA, b.ConvB = cleanTalk(ex, p, arena.A), cleanTalk(ex, p, arena.B)
		b.Turn = int64(len(b.ConvA) / 2)
	}
	b.Language = languageOf(p.d.Language, b.ConvA)
	return []any{kept{b, p.rest("fastchat")}}, ""
}

// key is the id of a comparison in a row.
func (p *pair) key() string {
	if p.origin != nil {
		for _, name := range []string{"question_id", "id", "conv_a"} {
			var s loose
			if json.Unmarshal(p.origin.Rest[name], &s) == nil && s != "" {
				return string(s)
			}
		}
		if p.index >= 0 {
			return p.d.ID
		}
	}
	return p.battles[0].TurnID
}

// judgeWord is who judged as clean battles have it. An address, by which raw logs
// know a voter, is a number there.
func (ex *exporter) judgeWord(p *pair) string {
	if _, critic, ok := strings.Cut(string(p.source), "critic:"); ok {
		return "critic:" + critic
	}
	return voterPrefix + ex.voter(p.judge)
}

func (ex *exporter) voter(name string) string {
	if _, err := netip.ParseAddr(name); err != nil {
		return name
	}
	n, known := ex.voters[name]
	if !known {
		n = len(ex.voters) + 1
		ex.voters[name] = n
	}
	return fmt.Sprint("u", n)
}

func cleanTalk(ex *exporter, p *pair, side arena.Side) []cleanMessage {
	var out []cleanMessage
	for _, m := range spokenOnly(ex.whole(p, side)) {
		n := m.Tokens
		if n == 0 {
			n = len(strings.Fields(m.Content))
		}
		out = append(out, cleanMessage{m.Role, m.Content, int64(n)})
	}
	return out
}

// languages are the names that FastChat's logs have for tags.
var languages = map[string]string{
	"en": "English", "zh": "Chinese", "de": "German", "fr": "French", "es": "Spanish", "ja": "Japanese", "ko": "Korean",
	"ru": "Russian", "pt": "Portuguese", "it": "Italian", "nl": "Dutch", "pl": "Polish", "vi": "Vietnamese", "tr": "Turkish",
	"ar": "Arabic", "uk": "Ukrainian",
}

// tag is the tag of a language's name; other words stay as they are.
func tag(name string) string {
	for t, n := range languages {
		if strings.EqualFold(n, name) {
			return t
		}
	}
	if utf8.RuneCountInString(name) > 40 || strings.EqualFold(name, "unknown") {
		return ""
	}
	return name
}

// languageOf names a language: the duel's, else as the script of the first line
// has it, Latin letters without marks being taken for English.
func languageOf(t string, talk []cleanMessage) string {
	if t != "" {
		base, _, _ := strings.Cut(strings.ToLower(t), "-")
		if n, ok := languages[base]; ok {
			return n
		}
		return t
	}
	if len(talk) == 0 {
		return "unknown"
	}
	for _, s := range []struct {
		name   string
		tables []*unicode.RangeTable
	}{
		{"Japanese", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
		{"Korean", []*unicode.RangeTable{unicode.Hangul}},
		{"Chinese", []*unicode.RangeTable{unicode.Han}},
		{"Russian", []*unicode.RangeTable{unicode.Cyrillic}},
		{"Arabic", []*unicode.RangeTable{unicode.Arabic}},
	} {
		if strings.ContainsFunc(talk[0].Content, func(r rune) bool { return unicode.In(r, s.tables...) }) {
			return s.name
		}
	}
	marked := func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }
	plain := func(r rune) bool { return r <= unicode.MaxASCII && unicode.IsLetter(r) }
	if !strings.ContainsFunc(talk[0].Content, marked) && strings.ContainsFunc(talk[0].Content, plain) {
		return "English"
	}
	return "unknown"
}

// without returns a copy of a map without some keys.
func without(m map[string]json.RawMessage, names ...string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for k, v := range m {
		if !slices.Contains(names, k) {
			out[k] = v
		}
	}
	return out
}
