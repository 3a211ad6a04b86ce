package archive

import (
	"strings"
	"time"
	"unicode/utf8"

	"herarena/arena/ledger"
)

// query is what is typed into the search: words that must all be found, in the
// names of a duel or in what was said in it, and terms that choose by one thing.
type query struct {
	words        []string // lower case
	with         []string
	scene        []string
	critic       []string
	voted        *bool
	rehearsal    *bool
	since, until time.Time // until is exclusive
	fault        string    // a term that could not be read
}

// terms are the words before a colon that choose by one thing.
const terms = "with:  scene:  critic:  voted:yes  rehearsal:no  since:2026-03-01  until:…"

// parseQuery reads a search. Words in quotes belong together. A term that is not
// known is a word like any other.
func parseQuery(text string, zone *time.Location) query {
	var q query
	for _, part := range split(text) {
		name, value, found := strings.Cut(part, ":")
		if !found || value == "" || !q.term(strings.ToLower(name), strings.ToLower(value), zone) {
			q.words = append(q.words, strings.ToLower(part))
		}
	}
	return q
}

func (q *query) term(name, value string, zone *time.Location) bool {
	switch name {
	case "with":
		q.with = append(q.with, value)
	case "scene":
		q.scene = append(q.scene, value)
	case "critic":
		q.critic = append(q.critic, value)
	case "voted":
		q.voted = q.choice(name, value)
	case "rehearsal":
		q.rehearsal = q.choice(name, value)
	case "since":
		q.since = q.day(name, value, zone)
	case "until":
		if day := q.day(name, value, zone); !day.IsZero() {
			q.until = day.AddDate(0, 0, 1)
		}
	default:
		return false
	}
	return true
}

func (q *query) choice(name, value string) *bool {
	yes := strings.HasPrefix("yes", value) || value == "true" || value == "1"
	no := strings.HasPrefix("no", value) || value == "false" || value == "0"
	if !yes && !no {
		q.fault = name + ": wants yes or no"
		return nil
	}
	return &yes
}

// day reads a date, or the beginning of one: 2026, 2026-03, 2026-03-01.
func (q *query) day(name, value string, zone *time.Location) time.Time {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if t, err := time.ParseInLocation(layout, value, zone); err == nil {
			return t
		}
	}
	q.fault = name + ": wants a date such as 2026-03-01"
	return time.Time{}
}

// split cuts a text at its spaces, except within quotes.
func split(text string) []string {
	var out []string
	var b strings.Builder
	quoted := false
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ' ' && !quoted:
			flush()
		default:
			b.WriteRune(r)
		}
	}
	flush()
	return out
}

// searched reports whether a word is looked for in what was said: a single
// letter is in nearly all of it.
func searched(word string) bool { return utf8.RuneCountInString(word) >= 2 }

// row is a duel of the list, with what is compared of it in lower case.
type row struct {
	ledger.DuelSummary
	names string // everything a word may be found in
	with  string
	scene string
}

func newRow(s ledger.DuelSummary) row {
	r := row{DuelSummary: s}
	r.with = strings.ToLower(s.Contestants[0] + "\n" + s.Contestants[1])
	r.scene = strings.ToLower(s.SceneTitle + "\n" + s.SceneID)
	r.names = strings.ToLower(strings.Join([]string{s.ID, r.scene, s.Character, s.User, r.with, s.Critic}, "\n"))
	return r
}

// holds reports whether a duel is chosen; found says for each word in which
// duels it was said.
func (q *query) holds(r *row, found map[string]map[string]int) bool {
	for _, c := range []struct {
		all []string
		in  string
	}{{q.with, r.with}, {q.scene, r.scene}, {q.critic, strings.ToLower(r.Critic)}} {
		for _, want := range c.all {
			if !strings.Contains(c.in, want) {
				return false
			}
		}
	}
	switch {
	case q.voted != nil && *q.voted != (r.Votes > 0), q.rehearsal != nil && *q.rehearsal != r.Rehearsal:
		return false
	case !q.since.IsZero() && r.Started.Before(q.since), !q.until.IsZero() && !r.Started.Before(q.until):
		return false
	}
	for _, word := range q.words {
		if strings.Contains(r.names, word) {
			continue
		}
		if _, said := found[word][r.ID]; !said {
			return false
		}
	}
	return true
}
