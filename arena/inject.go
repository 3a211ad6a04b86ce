package arena

import (
	"errors"
	"fmt"

	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/playbook"
)

// Injector changes the messages of a call before it is sent. It must answer the
// same where it is asked the same: a reply asked for again, a branch and a
// replay depend on it, and so does that both contestants play under the same
// terms. It must not keep or change the messages it is given.
type Injector interface {
	Inject(Injection) []Message
}

// Injection is a call on its way.
type Injection struct {
	// Scene is as the one whose reply is asked for sees it.
	Scene characters.Scene
	// Messages are as the history gives them; the first is the system prompt.
	Messages []Message
	// Lines are all that was said and can be perceived by everyone, up to the
	// line that is to be answered.
	Lines []playbook.Line
	// Turn counts from 1, the turns of a duel's past among them.
	Turn int
	// Speaker is whose reply is asked for.
	Speaker string
	// Dialect is that of the contestant's own past turns, Prompt how its system
	// prompt is written.
	Dialect layers.Dialect
	Prompt  characters.PromptOptions
}

// CardInjector puts in what the card of a scene asks for: lore, notes, examples
// and instructions. It is safe for use by several goroutines.
type CardInjector struct {
	book  *playbook.Playbook
	turns bool // examples are messages
	// Told is called with what is put in, where not nil.
	Told func(playbook.Page)
}

var _ Injector = (*CardInjector)(nil)

// NewCardInjector returns the injector of a cast scene, nil where its card asks
// for nothing beyond the system prompt.
func NewCardInjector(s characters.Scene) *CardInjector {
	c := &CardInjector{book: playbook.Open(s)}
	c.turns = s.Play != nil && s.Play.ExampleForm == characters.ExamplesTurns && s.Play.Examples != ""
	if c.book == nil && !c.turns {
		return nil
	}
	return c
}

// Inject implements Injector.
func (c *CardInjector) Inject(in Injection) []Message {
	page := c.book.Turn(in.Turn, in.Lines, in.Speaker)
	if c.Told != nil {
		c.Told(page)
	}
	if len(in.Messages) == 0 {
		return in.Messages
	}
	system := in.Messages[0]
	if page.Lore != (characters.Lore{}) {
		in.Prompt.Lore = page.Lore
		system.Content = characters.SystemPrompt(in.Scene, in.Prompt)
	}
	m := mixture{}
	m.add(system, false)
	if c.turns && in.Scene.Carded() {
		m.examples(in.Scene, in.Scene.ExampleBlocks(page.Lore.ExamplesTop, page.Lore.ExamplesBottom), in.Dialect)
	}
	m.converse(in.Messages[1:], page.Deep)
	if page.After.Text != "" {
		m.add(Message{Role: page.After.Role, Content: page.After.Text}, true)
	}
	return m.messages
}

// mixture is a list of messages being put together. What was put in is joined to
// a neighbour of the same side, since many templates want the sides to take
// turns.
type mixture struct {
	messages []Message
	put      bool // the last message was put in
}

func (m *mixture) add(msg Message, put bool) {
	n := len(m.messages) - 1
	if n >= 0 && m.messages[n].Role == msg.Role && m.messages[n].Name == msg.Name && (put || m.put) && (msg.Role != "system" || put && m.put) {
		m.messages[n].Content += "\n\n" + msg.Content
		m.put = m.put && put
		return
	}
	m.messages = append(m.messages, msg)
	m.put = put
}

// exampleStart is what opens each example, as ConversationStart does the
// conversation.
const exampleStart = "===Example Dialogue==="

// examples puts example dialogue before the conversation.
func (m *mixture) examples(scene characters.Scene, blocks [][]characters.Line, d layers.Dialect) {
	name := scene.Character.Name
	for _, block := range blocks {
		m.add(Message{Role: "user", Content: exampleStart}, true)
		for _, l := range block {
			if l.Name != name {
				m.add(Message{Role: "user", Content: speakAs(l.Name, l.Text)}, true)
				continue
			}
			segments := layers.Parse(l.Text, layers.Options{Name: name}).Segments
			if text := writeOwn(segments, d, name, Sight{}); text != "" {
				m.add(Message{Role: "assistant", Content: text}, true)
			}
		}
	}
}

// converse adds the conversation with what stands at a depth in it. Notes of a
// director are no messages that a depth counts.
func (m *mixture) converse(messages []Message, cues []playbook.Cue) {
	at := make([][]playbook.Cue, len(messages)+1)
	for _, c := range cues {
		i := place(messages, c)
		at[i] = append(at[i], c)
	}
	for i := 0; ; i++ {
		for _, role := range []string{"system", "user", "assistant"} {
			for _, c := range at[i] {
				if c.Role == role {
					m.cue(c, i == len(messages))
				}
			}
		}
		if i == len(messages) {
			return
		}
		m.add(messages[i], false)
	}
}

// cue puts one text in. At the end none of the character's own can stand: it
// would be the beginning of the reply, which belongs to the contestant.
func (m *mixture) cue(c playbook.Cue, last bool) {
	if last && c.Role == "assistant" {
		c.Role = "system"
	}
	m.add(Message{Role: c.Role, Content: c.Text}, true)
}

// place is the index of the message that a cue stands before.
func place(messages []Message, c playbook.Cue) int {
	left := c.Depth
	if c.Top {
		for i, msg := range messages {
			if left == 0 {
				return i
			}
			if msg.Role != "system" {
				left--
			}
		}
		return len(messages)
	}
	for i := len(messages); i > 0; i-- {
		if left == 0 {
			return i
		}
		if messages[i-1].Role != "system" {
			left--
		}
	}
	return 0
}

// castCard gives the scene of a duel its lots, unless it has them, and the duel
// its injector.
func castCard(o *DuelOptions) error {
	scene, err := o.Scene.Cast(characters.CastOptions{Seed: max(uint64(o.Seed)&^(1<<63), 1)})
	if err != nil {
		return err
	}
	o.Scene = scene
	if o.Inject == nil {
		if c := NewCardInjector(scene); c != nil {
			o.Inject = c
		}
	}
	return nil
}

// messages are what a contestant is sent for a reply to what stands in now, the
// line of the turn of that number. Callers hold d.mu.
func (d *Duel) inject(list []Message, contestant, number int, now past) []Message {
	if d.opts.Inject != nil {
		list = d.opts.Inject.Inject(Injection{
			Scene: d.voice(now.speaker).scene, Messages: list, Lines: d.lines(contestant, number, now),
			Turn: number, Speaker: d.voice(now.speaker).scene.Character.Name, Dialect: d.opts.Contestants[contestant].Dialect,
			Prompt: characters.PromptOptions{Dialect: string(d.opts.Contestants[contestant].Dialect), WordLimit: d.opts.WordLimit},
		})
	}
	d.checkRoom(list, contestant)
	return list
}

// lines are what everyone has perceived before a turn, and the turn's own line.
// They are the same for both contestants unless each has a history of its own.
func (d *Duel) lines(contestant, number int, now past) []playbook.Line {
	return visibleLines(d.opts.Scene, d.opening, d.told(contestant), number, now)
}

// told is the history that a contestant shares or has.
func (d *Duel) told(contestant int) []past {
	if d.opts.Canon == CanonParallel {
		return d.past[contestant]
	}
	return d.shared
}

func visibleLines(scene characters.Scene, opening []layers.Segment, turns []past, number int, now past) []playbook.Line {
	out := make([]playbook.Line, 0, 2*len(turns)+2)
	char := func(turn int, name string, segments []layers.Segment) {
		if name == "" {
			name = scene.Character.Name
		}
		if text := layers.Render(Visible(segments, ViewOther, Sight{}), layers.Asterisk, ""); text != "" {
			out = append(out, playbook.Line{Turn: turn, Name: name, Text: text, Char: true})
		}
	}
	person := func(turn int, t past) {
		if t.scenery != "" {
			out = append(out, playbook.Line{Turn: turn, Name: characters.EnvironmentName, Text: t.scenery})
		}
		if t.line != "" {
			out = append(out, playbook.Line{Turn: turn, Name: scene.User.Name, Text: t.line})
		}
	}
	char(0, "", opening)
	for i, t := range turns {
		if i+1 >= number {
			break
		}
		person(i+1, t)
		char(i+1, t.speaker, t.reply)
	}
	person(number, now)
	return out
}

// setting is what a critic is told of the scene in a turn: lore that the
// contestants had before them is part of it. Callers hold d.mu.
func (d *Duel) setting(number int, now past) string {
	c, ok := d.opts.Inject.(*CardInjector)
	scene := d.voice(now.speaker).scene
	if !ok {
		return characters.Setting(scene)
	}
	return c.setting(scene, d.lines(0, number, now), number)
}

// settingOf is the setting of a turn in a scene that was recorded.
func settingOf(scene characters.Scene, opening []layers.Segment, turns []past, number int, now past) string {
	return NewCardInjector(scene).setting(scene.Seen(now.speaker), visibleLines(scene, opening, turns, number, now), number)
}

func (c *CardInjector) setting(scene characters.Scene, lines []playbook.Line, number int) string {
	if c == nil {
		return characters.Setting(scene)
	}
	page := c.book.Turn(number, lines, "")
	for _, cue := range page.Deep {
		if cue.Why != "" {
			page.Lore.After += "\n" + cue.Text
		}
	}
	return characters.SettingWith(scene, page.Lore)
}

// replyRoom is how many tokens are kept for a reply that has no limit.
const replyRoom = 512

// Room says whether a prompt leaves a contestant room for a reply in its
// context, as far as that is known: tokens is an estimate of the prompt, need
// what is kept for the reply.
func Room(list []Message, c Contestant) (tokens, need int, ok bool) {
	const each = 4 // of a message's role and marks
	for _, m := range list {
		tokens += each + playbook.Tokens(m.Content)
	}
	need = replyRoom
	if n := c.Sampling.MaxTokens; n > 0 {
		need = n
	}
	return tokens, need, c.Context <= 0 || tokens+need <= c.Context
}

// checkRoom tells once when a contestant's context has no room for a prompt and
// its reply. Callers hold d.mu.
func (d *Duel) checkRoom(list []Message, contestant int) {
	c := d.opts.Contestants[contestant]
	if c.Context <= 0 || d.cramped[contestant] {
		return
	}
	c.Sampling = d.sampling[contestant]
	tokens, need, ok := Room(list, c)
	if ok {
		return
	}
	d.cramped[contestant] = true
	d.emit(Trouble{Epoch: d.opts.Epoch, Err: errors.New(Cramped(c, tokens, need))})
}

// Cramped says in a sentence that a context does not hold a prompt and its reply.
func Cramped(c Contestant, tokens, need int) string {
	return fmt.Sprintf("%s has a context of %d tokens; this prompt takes about %d, and %d are kept for the reply: the server will cut it or refuse. "+
		"Serve the model with a longer context, lower max_tokens, or set examples = \"off\" or a smaller lore_share", c.Name, c.Context, tokens, need)
}

// checkRooms looks at the prompts that the duel begins with.
func (d *Duel) checkRooms() {
	for i, c := range d.opts.Contestants {
		if c.Context <= 0 {
			continue
		}
		for _, name := range d.opts.Scene.Speakers() {
			now := past{speaker: name}
			d.inject(d.history(i, now), i, d.before()+1, now)
		}
	}
}
