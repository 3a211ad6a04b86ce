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
