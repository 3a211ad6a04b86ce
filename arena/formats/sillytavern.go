package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"herarena/arena"
	"herarena/characters/card"
)

func sillyTavern() Format {
	return Format{
		Name: "sillytavern", Title: "SillyTavern's chats", Holds: "one chat: a header, then a message a line; both replies of a turn are swipes, or --branch writes one side alone",
		LostOut:    "votes and verdicts but for the swipe that is shown; settings, faults; plans and reasoning unless --layers all, where they stand in extra.reasoning; one file holds one duel",
		LostIn:     "lines that cannot be read; the chat becomes the past of a duel that can be gone on from, and swipes, hidden messages and extras are kept with it for an export",
		Extensions: []string{".jsonl"},
		codec: codec{
			layout: asDuels, marks: []string{"user_name", "character_name"}, open: readTavern, duel: writeTavern,
		},
	}
}

// maxChatBytes is how much of a chat is read.
const maxChatBytes = 64 << 20

// readTavern reads a chat whole: it is one duel.
func readTavern(im *importer, s *source) error {
	var text bytes.Buffer
	for n := 0; ; n++ {
		r, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		im.row = r
		switch {
		case n > maxChat:
			return r.fault("", "the chat has more than %d messages", maxChat)
		case text.Len()+len(r.raw) > maxChatBytes:
			return r.fault("", "the chat is longer than %d MiB", maxChatBytes>>20)
		case checkDepth(r.raw) != nil:
			// A chat is worth more than its broken line, and says what it lost.
			im.report.skip("a line that cannot be read")
			continue
		}
		text.Write(bytes.ReplaceAll(r.raw, []byte("\n"), []byte(" ")))
		text.WriteByte('\n')
	}
	base := filepath.Base(im.o.File)
	f, err := card.Read(text.Bytes(), strings.TrimSuffix(base, filepath.Ext(base))+".jsonl")
	if err != nil {
		var fault *card.Error
		if errors.As(err, &fault) {
			return fmt.Errorf("the chat %s", fault.Message)
		}
		return err
	}
	if len(f.Chats) == 0 {
		return errors.New("the chat has no message")
	}
	im.report.Rows += len(f.Chats[0].Messages)
	for _, w := range f.Warnings {
		if w.Code == "line_unreadable" {
			im.report.skip("lines that cannot be read: " + w.Message)
		}
	}
	return im.tavern(&f.Chats[0])
}

// tavern makes the duel.
func (im *importer) tavern(chat *card.Chat) error {
	c, err := ReadChat(chat, "")
	if err != nil {
		return err
	}
	for why, n := range c.Lost {
		for range n {
			im.report.skip(why)
		}
	}
	model := strings.TrimSpace(clipBytes(c.Model, maxName))
	if model == "" {
		model = "unknown model"
	}
	var all strings.Builder
	for i := range chat.Messages {
		all.WriteString(chat.Messages[i].Text)
	}
	im.row = nil
	d := im.newDraft(id(im.f.Name, chat.UserName, chat.CharName, all.String()), [2]string{model, model}, im.o.Now)
	for i := range c.Past {
		if len(c.Past[i].Reply) > 0 && c.Past[i].By == "" {
			c.Past[i].By = model
		}
	}
	d.scene.Character.Name = sceneName(c.Character, someone)
	d.scene.User.Name = theUser
	c.Dress(&d.scene)
	d.scene.Title = "A chat with " + d.scene.Character.Name
	d.full.Past, d.mark.Row = c.Past, 0
	return im.add(d)
}

// Branch chooses whose replies a chat shows.
type Branch string

// The choices. The canon is what both sides remember, with every reply of a turn
// as a swipe; a side's branch is that side's replies alone. In a blind duel that
// is not revealed a side is whoever stood on it, turn by turn.
const (
	BranchCanon Branch = "" // the zero value
	BranchA     Branch = "a"
	BranchB     Branch = "b"
)

// ParseBranch reads the word of a choice; "" and "canon" are BranchCanon.
func ParseBranch(word string) (Branch, error) {
	switch b := Branch(word); b {
	case BranchCanon, BranchA, BranchB:
		return b, nil
	case "canon":
		return BranchCanon, nil
	}
	return "", fmt.Errorf("the branch %.40q is unknown (want a, b or canon)", word)
}

// side is the side of a branch; ok is false for the canon.
func (b Branch) side() (s arena.Side, ok bool) {
	switch b {
	case BranchA:
		return arena.A, true
	case BranchB:
		return arena.B, true
	}
	return arena.A, false
}
