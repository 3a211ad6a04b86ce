package ledger

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hit says in which turn of a duel a text was found first.
type Hit struct {
	DuelID string
	Turn   int // number, from 1
}

// Search returns the duels in which the text stands in a person's line, in a
// director's note, in what the surroundings did, or in a reply as it was sent, layers and all swipes included,
// with the first turn in which it does, in no particular order. Case makes no
// difference, in other scripts than ASCII where the text is written in one case
// or begins with a capital. An empty text is found nowhere.
func (l *Ledger) Search(ctx context.Context, text string) ([]Hit, error) {
	if err := l.usable(); err != nil {
		return nil, err
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "\x00", ""))
	if text == "" {
		return nil, nil
	}
	var values []any
	var lines, replies []string
	for _, form := range forms(text) {
		values = append(values, "%"+like.Replace(form)+"%")
		mark := " " + l.base.like() + " $" + strconv.Itoa(len(values)) + ` ESCAPE '\'`
		lines = append(lines, "line"+mark, "note"+mark, "scenery"+mark)
		replies = append(replies, "raw"+mark, "reasoning"+mark)
	}
	query := "SELECT duel_id, min(number) FROM turns WHERE id IN (SELECT turn_id FROM replies WHERE " + strings.Join(replies, " OR ") + ") OR " +
		strings.Join(lines, " OR ") + " GROUP BY duel_id"
	hits, err := collect(ctx, l.reader, query, values,
		func(h *Hit) []any { return []any{&h.DuelID, &h.Turn} }, func(h *Hit) Hit { return *h })
	return hits, l.explain(err, "search the duels")
}

var like = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// forms are the ways of writing a text that differ in case alone, as far as
// LIKE does not see through them: it folds ASCII.
func forms(text string) []string {
	out := []string{text}
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return out
	}
	lower := strings.ToLower(text)
	first, size := utf8.DecodeRuneInString(lower)
	for _, form := range []string{lower, strings.ToUpper(text), string(unicode.ToUpper(first)) + lower[size:]} {
		known := false
		for _, have := range out {
			known = known || have == form
		}
		if !known {
			out = append(out, form)
		}
	}
	return out
}
