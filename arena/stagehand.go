package arena

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"herarena/arena/layers"
	"herarena/characters"
)

// Bounds on what a stagehand is asked and answers.
const (
	// endRound is the round, counted from 0, from which a scene may end; the
	// number is CoSER's.
	endRound = 5
	// maxAnswer is the most runes of an answer to who is next; longer ones are
	// no answer.
	maxAnswer = 1500
	// maxScenery is the most runes of what the surroundings do.
	maxScenery = 1500
	// stageTokens bounds the stagehand's replies.
	stageTokens = 512
	// shownLines are the last lines that a stagehand is shown.
	shownLines = 60
)

// endMark is how a stagehand says that a scene is over, as in CoSER.
const endMark = "<END CHAT>"

// staging is the choice of who goes on, while it is made.
type staging struct {
	turn context.Context //nolint:containedctx // of the turn that comes of it
	by   *auto
	stop context.CancelFunc
}

// stageGoOn has the stagehand decide who goes on, in a goroutine of its own that
// ends with the choice. Callers hold d.mu.
func (d *Duel) stageGoOn(ctx context.Context, name string, by *auto) {
	asking, stop := context.WithCancel(ctx)
	s := &staging{turn: ctx, by: by, stop: stop}
	d.staging = s
	d.next = NextChosen{}
	d.emit(NextAsked{Epoch: d.opts.Epoch})
	d.wg.Go(func() {
		defer stop()
		c := d.direct(asking, s, name)
		d.mu.Lock()
		defer d.idle.changed()
		defer d.mu.Unlock()
		if d.staging != s || d.closed {
			return
		}
		d.staging = nil
		if asking.Err() != nil || s.by != d.auto {
			c = d.chosen(d.opts.Scene.User.Name, NextByNobody, "stopped")
		}
		d.follow(s.turn, c, s.by)
	})
}

// stopStaging ends a choice that is being made, without a word. Callers hold
// d.mu.
func (d *Duel) stopStaging() {
	if d.staging != nil {
		d.staging.stop()
		d.staging = nil
		d.idle.changed()
	}
}

// direct chooses who goes on and lets the surroundings speak at most once.
func (d *Duel) direct(ctx context.Context, s *staging, name string) NextChosen {
	c := NextChosen{Name: name}
	named := name != ""
	if !named {
		c = d.askNext(ctx, s, false)
	}
	if c.Name != characters.EnvironmentName || ctx.Err() != nil {
		return c
	}
	said := d.askScenery(ctx, s)
	switch {
	case named:
		return d.chosen(d.opts.Scene.User.Name, NextByPerson, "")
	case ctx.Err() != nil:
		return c
	case !said:
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.byRule(true)
	}
	return d.askNext(ctx, s, true)
}

// mine reports whether a choice is still the one being made. Callers hold d.mu.
func (d *Duel) mine(s *staging) bool { return d.staging == s && !d.closed }

// askNext asks the stagehand who is next; where it gives no answer that holds,
// the rule decides.
func (d *Duel) askNext(ctx context.Context, s *staging, noScenery bool) NextChosen {
	d.mu.Lock()
	if !d.mine(s) {
		d.mu.Unlock()
		return NextChosen{}
	}
	current, _ := d.current()
	all := d.nextOf(current, noScenery)
	rounds := len(d.heardLines())
	call := d.stageCall(d.nextPrompt(all, rounds))
	d.mu.Unlock()
	if len(all) < 2 {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.byRule(noScenery)
	}
	out := d.opts.Stage.Play(ctx, call, func(Chunk) {})
	d.mu.Lock()
	defer d.mu.Unlock()
	rule := d.byRule(noScenery)
	if out.Fault != nil {
		rule.Why = "the stagehand gave no answer: " + out.Fault.Message
		return rule
	}
	answer, why := readNext(out.Content, all)
	switch {
	case answer == endMark && rounds > endRound:
		c := d.chosen(d.opts.Scene.User.Name, NextByModel, "the scene could end here")
		c.Over = true
		return c
	case answer == endMark:
		why = "the stagehand wanted to end a scene that has hardly begun"
	case answer == "random":
		return d.drawn(all)
	case answer != "":
		return d.chosen(answer, NextByModel, "")
	}
	rule.Why = why
	return rule
}

// stageCall is a request to the stagehand.
func (d *Duel) stageCall(messages []Message) Call {
	var cold float64
	return Call{Messages: messages, Sampling: Sampling{Temperature: &cold, MaxTokens: stageTokens}, Session: d.opts.ID + "-stage"}
}

// transcript is what everyone has heard, newest last.
func (d *Duel) transcript() string {
	lines := d.heardLines()
	var b strings.Builder
	if len(lines) > shownLines {
		lines = lines[len(lines)-shownLines:]
		b.WriteString("…\n")
	}
	for _, l := range lines {
		b.WriteString(l.Name + ": " + l.Text + "\n")
	}
	if len(lines) == 0 {
		b.WriteString("(nobody has spoken yet)\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// people tells who is in the scene, without what they think.
func (d *Duel) people() string {
	s := d.opts.Scene
	var b strings.Builder
	for _, c := range append([]characters.Character{s.Character, s.User}, s.Others...) {
		b.WriteString("\n- " + c.Name)
		if p, _, _ := strings.Cut(strings.TrimSpace(c.Profile), "\n"); p != "" {
			b.WriteString(": " + clipRunes(p, 300))
		}
	}
	return b.String()
}

// nextPrompt asks who goes on. Callers hold d.mu.
func (d *Duel) nextPrompt(all []string, rounds int) []Message {
	rules := "Name whoever would most naturally go on now: the one spoken to, the one with most reason to answer, or one who has long been silent and is concerned."
	for _, n := range all {
		if n == characters.EnvironmentName {
			rules += fmt.Sprintf(" Name %s where something happens around them: a sound, an arrival, a change in the place.", characters.EnvironmentName)
		}
	}
	if rounds > endRound {
		rules += " Where the scene has come to its end, answer " + endMark + "."
	}
	system := "You are the stage manager of a scene. You write none of it: you say who goes on.\n\nThe scene:\n" +
		strings.TrimSpace(d.opts.Scene.Scenario) + "\n\nThose in it:" + d.people() + "\n\n" + rules +
		" Where it does not matter, answer: random.\n\nAnswer with one line and nothing else:\nNext Speaker: NAME"
	user := "What has been said and done:\n\n" + d.transcript() + "\n\nWho goes on? One of: " + strings.Join(all, ", ") + "."
	return []Message{{Role: "system", Content: system}, {Role: "user", Content: user}}
}

// readNext reads an answer to who is next: the last "Next Speaker" line, else
// what stands before a colon, else the whole. It is a name of the list exactly,
// else the longest of the list that stands in it; endMark or "random" as they
// are; "" with a reason where it is none of these.
func readNext(answer string, all []string) (name, why string) {
	if i := strings.LastIndex(answer, "</think>"); i >= 0 {
		answer = answer[i+len("</think>"):]
	}
	answer = strings.TrimSpace(answer)
	switch {
	case answer == "":
		return "", "the stagehand's answer was empty"
	case utf8.RuneCountInString(answer) > maxAnswer:
		return "", "the stagehand's answer was too long to be a name"
	}
	tries := []string{answer}
	const mark = "next speaker"
	if i := strings.LastIndex(strings.ToLower(answer), mark); i >= 0 && i+len(mark) <= len(answer) {
		rest := strings.TrimLeft(answer[i+len(mark):], "*_: ：\t")
		line, _, _ := strings.Cut(rest, "\n")
		tries = []string{line}
	} else if before, _, ok := strings.Cut(answer, ":"); ok {
		tries = []string{before, answer}
	}
	for _, try := range tries {
		if name := nameIn(try, all); name != "" {
			return name, ""
		}
	}
	return "", fmt.Sprintf("the stagehand named nobody who could be next (%q)", clipRunes(tries[0], 60))
}

// nameIn returns the name that a text is, or the longest that stands in it.
func nameIn(text string, all []string) string {
	bare := strings.Trim(strings.TrimSpace(text), "*_\"'“”‘’.!,;()[]` ")
	switch {
	case strings.Contains(strings.ToUpper(text), endMark):
		return endMark
	case strings.EqualFold(bare, "random"):
		return "random"
	}
	for _, n := range all {
		if strings.EqualFold(bare, n) {
			return n
		}
	}
	found := ""
	for _, m := range mentions(text, all) {
		if len(m.name) > len(found) {
			found = m.name
		}
	}
	return found
}

// askScenery has the stagehand tell what happens around those in the scene. It
// reports whether anything came of it.
func (d *Duel) askScenery(ctx context.Context, s *staging) bool {
	d.mu.Lock()
	if !d.mine(s) {
		d.mu.Unlock()
		return false
	}
	call := d.stageCall(d.sceneryPrompt())
	d.mu.Unlock()
	var text strings.Builder
	out := d.opts.Stage.Play(ctx, call, func(ch Chunk) {
		if ch.Kind != ChunkText || text.Len() > 8*maxScenery {
			return
		}
		text.WriteString(ch.Text)
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.mine(s) {
			d.emit(SceneryDelta{Epoch: d.opts.Epoch, Text: d.readScenery(text.String())})
		}
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.mine(s) {
		return false
	}
	told := d.readScenery(out.Content)
	ended := SceneryEnded{Epoch: d.opts.Epoch, Text: told, Fault: out.Fault}
	if out.Fault == nil && told == "" {
		ended.Fault = &Fault{Kind: BadRequest, Message: "the stagehand told nothing of the surroundings", Hint: "go on with somebody else"}
	}
	if ended.Fault == nil {
		d.settle() // what happened was told after the reply that is canon now
		d.spells++
		if d.scenery != "" {
			d.scenery += "\n\n"
		}
		d.scenery += told
	} else {
		ended.Text = ""
	}
	d.emit(ended)
	return ended.Fault == nil
}

// sceneryPrompt asks what happens around those in the scene. Callers hold d.mu.
func (d *Duel) sceneryPrompt() []Message {
	rules := "Tell what now happens around them in one to three sentences, in the present tense: what is seen, heard, felt, who comes or goes among people of no importance. " +
		"Answer what was just done, where it had an effect. Never write words, actions, thoughts or feelings of those named above, decide nothing for them, and add no name in front."
	if lang := d.opts.Scene.Language; lang != "" && !strings.HasPrefix(strings.ToLower(lang), "en") {
		rules += " Write in the language of the scene (" + lang + ")."
	}
	system := "You are the surroundings of a scene: the place, the weather, things, crowds and chance.\n\nThe scene:\n" +
		strings.TrimSpace(d.opts.Scene.Scenario) + "\n\nThose in it:" + d.people() + "\n\n" + rules
	return []Message{{Role: "system", Content: system}, {Role: "user", Content: "What has been said and done:\n\n" + d.transcript()}}
}

// readScenery takes what a stagehand wrote as the surroundings' text: no plans,
// no name in front, and nothing from where it begins to write for somebody.
func (d *Duel) readScenery(raw string) string {
	scene := d.opts.Scene
	for _, name := range append(otherNames(scene), scene.Character.Name) {
		for _, colon := range []string{":", "："} {
			switch i := strings.Index("\n"+raw, "\n"+name+colon); {
			case i < 0 || name == "" || name == characters.EnvironmentName:
			default:
				raw = raw[:i]
			}
		}
	}
	p := layers.Parse(raw, layers.Options{Name: characters.EnvironmentName})
	return clipRunes(strings.TrimSpace(hears("", p.Segments)), maxScenery)
}

// clipRunes cuts a text to at most n runes.
func clipRunes(text string, n int) string {
	i := 0
	for at := range text {
		if i == n {
			return strings.TrimSpace(text[:at]) + "…"
		}
		i++
	}
	return text
}
