package arena

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"herarena/arena/layers"
	"herarena/characters"
)

// Rejudgement is a turn that is judged again: as it was, or with changes made on
// purpose to see whether the verdict follows them. It never counts for a board,
// and the verdicts given before stay as they are.
type Rejudgement struct {
	Scene characters.Scene
	// Past are the turns before, as the critic found them.
	Past []PastTurn
	// Turn is the turn with its line and note; A and B are the replies to judge.
	Turn Turn
	A, B *Reply
	// HideThoughts keeps role thinking from the critic.
	HideThoughts bool
	// Equalise cuts the longer candidate at the end of a sentence to about the
	// length of the shorter.
	Equalise bool
	// Replace changes words in one candidate before it is judged.
	Replace []Replacement
	// Session is an id for routers and prefix caches.
	Session string
}

// Replacement is a change of words in one side's candidate.
type Replacement struct {
	Side Side
	Old  string
	New  string
}

// Case builds what the critic is asked. The error names a replacement whose words
// do not stand in the candidate.
func (r *Rejudgement) Case() (Case, error) {
	sight := Sight{HideThoughts: r.HideThoughts}
	opening := openingSegments(r.Scene)
	turns := make([]past, len(r.Past))
	for i, t := range r.Past {
		turns[i] = t.told()
	}
	cand := [2][]layers.Segment{Visible(r.A.Segments, ViewCritic, sight), Visible(r.B.Segments, ViewCritic, sight)}
	if r.Equalise {
		shorter := min(runes(cand[A]), runes(cand[B]))
		cand[A], cand[B] = cutTo(cand[A], shorter), cutTo(cand[B], shorter)
	}
	var text [2]string
	for side, segments := range cand {
		text[side] = layers.Render(segments, layers.HER, "")
	}
	for _, c := range r.Replace {
		if c.Old == "" || !strings.Contains(text[c.Side], c.Old) {
			return Case{}, fmt.Errorf("candidate %s has no %q to change", c.Side, c.Old)
		}
		text[c.Side] = strings.ReplaceAll(text[c.Side], c.Old, c.New)
	}
	now := r.Turn.asked()
	scene := r.Scene.Seen(r.Turn.Speaker)
	return Case{
		Context:   criticContext(settingOf(r.Scene, opening, turns, len(turns)+1, now), scene, spoken{r.Scene.Character.Name, opening}, turns, now, sight),
		Character: scene.Character.Name, User: r.Scene.User.Name, Language: r.Scene.Language,
		Cand1: text[A], Cand2: text[B], Session: r.Session,
	}, nil
}

// Changes says in words what differs from the case as it was; "as it was" where
// nothing does.
func (r *Rejudgement) Changes() string {
	var what []string
	if r.HideThoughts {
		what = append(what, "thoughts stripped")
	}
	if r.Equalise {
		what = append(what, "lengths equalised")
	}
	for _, c := range r.Replace {
		what = append(what, fmt.Sprintf("%s: %q became %q", c.Side, c.Old, c.New))
	}
	if len(what) == 0 {
		return "as it was"
	}
	return strings.Join(what, "; ")
}

// Judge asks a critic about the changed case under a policy of orders; "" takes
// the critic's own. The ruling is marked as given again and does not count.
func (r *Rejudgement) Judge(ctx context.Context, critic Critic, policy OrderPolicy, on func(Order, Verdict)) (Ruling, error) {
	c, err := r.Case()
	if err != nil {
		return Ruling{}, err
	}
	for side, reply := range []*Reply{r.A, r.B} {
		if !layers.HasSpeech(reply.Segments) {
			return Ruling{}, fmt.Errorf("reply %s cannot be judged: nothing is said in it", Side(side))
		}
	}
	var out Ruling
	if policy == "" {
		out = Deliberate(ctx, critic, c, on)
	} else {
		out = DeliberateBy(ctx, policy, critic, c, on)
	}
	out.ID, out.TurnID, out.ReplyA, out.ReplyB = NewID(time.Now()), r.Turn.ID, r.A.ID, r.B.ID
	out.Counted, out.Why, out.Rerun = false, "judged again", r.Changes()
	return out, nil
}

func runes(segments []layers.Segment) int {
	n := 0
	for _, s := range segments {
		n += utf8.RuneCountInString(s.Text)
	}
	return n
}

// cutTo shortens segments to at most n runes, at the end of a sentence where
// there is one, and keeps some speech.
func cutTo(segments []layers.Segment, n int) []layers.Segment {
	if runes(segments) <= n {
		return segments
	}
	var out []layers.Segment
	left := n
	for _, s := range segments {
		if left <= 0 && layers.HasSpeech(out) {
			break
		}
		if size := utf8.RuneCountInString(s.Text); size > left {
			s.Text = cutSentence(s.Text, max(left, 1))
		}
		left -= utf8.RuneCountInString(s.Text)
		if s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

// cutSentence is the longest beginning of at most n runes that ends a sentence,
// or a word where no sentence is that short.
func cutSentence(text string, n int) string {
	word, sentence, i := 0, 0, 0
	for at, r := range text {
		if i++; i > n {
			break
		}
		end := at + utf8.RuneLen(r)
		switch {
		case strings.ContainsRune(".!?…。！？", r):
			sentence = end
		case r == ' ' || r > 0x2E80:
			word = end
		}
	}
	switch {
	case sentence > 0:
		return strings.TrimSpace(text[:sentence])
	case word > 0:
		return strings.TrimSpace(text[:word])
	}
	first, _, _ := strings.Cut(text, " ")
	return first
}
