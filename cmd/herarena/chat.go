package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"herarena/arena"
	"herarena/arena/formats"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/cmd/herarena/internal/config"
	"herarena/tui/casting"
	"herarena/tui/guard"
)

// chatPast is what --chat puts before the first turn of duels in its scene.
type chatPast struct {
	sceneID string
	turns   []arena.PastTurn
}

// before puts the chat before a duel that begins afresh in its scene. A nil one
// puts nothing.
func (p *chatPast) before(c casting.Cast) casting.Cast {
	if p != nil && c.Past == nil && c.Origin == (arena.Origin{}) && c.Scene.ID == p.sceneID {
		c.Past = p.turns
	}
	return c
}

// takeChat reads the chat that --chat names and chooses its scene: that of
// --scene, else of a card of its character, else one made of the chat's names.
func (th *theatre) takeChat(p *preset) error {
	path := th.app.chat
	if n := th.app.cards.greeting; n != 0 {
		return usagef("--greeting %d chooses how a card opens, and --chat goes on from what was said already: leave one of them out", n)
	}
	f, err := card.Open(path)
	if err != nil {
		return fmt.Errorf("--chat: %w", err)
	}
	if f.Kind != card.KindChat || len(f.Chats) == 0 {
		return fmt.Errorf("--chat: %s holds a %s and no chat; a card is named with --scene", path, f.Kind)
	}
	own := &f.Chats[0]
	chat, err := formats.ReadChat(own, "")
	if err != nil {
		return fmt.Errorf("--chat: %s: %w", path, err)
	}
	var scene characters.Scene
	from := ""
	switch {
	case th.cfg.Scene != "" && th.app.scene != "":
		scene, err = sceneWith(th.cfg.Scene, chat.User)
		from = "the scene of --scene"
	default:
		var found bool
		if scene, from, found = sceneOf(p.scenes, chat); !found {
			scene, err = chat.Scene("goes on from " + guard.Line(filepath.Base(path)))
			from = "a scene made of its names, as "
			if strings.TrimSpace(chat.Character) == "" {
				from += "it does not say whose chat it is"
			} else {
				from += "no card of " + guard.Line(chat.Character) + " is in " + config.CharactersDir()
			}
			from += " (--scene CARD names one)"
		}
	}
	if err != nil {
		return err
	}
	if !strings.EqualFold(scene.Character.Name, chat.Character) {
		// In a group the card may be of another of the speakers.
		if chat, err = formats.ReadChat(own, scene.Character.Name); err != nil {
			return fmt.Errorf("--chat: %s: %w", path, err)
		}
	}
	chat.Dress(&scene)
	if err := scene.Validate(); err != nil {
		return fmt.Errorf("--chat: the scene cannot be played: %w", err)
	}
	th.chat = &chatPast{scene.ID, chat.Past}
	p.scenes, p.choice.SceneID = withScene(p.scenes, scene), scene.ID
	p.chat = chatNote(f, chat, from)
	p.note = p.chat
	return nil
}

// chatNote says what a duel goes on from, and what of it was left out.
func chatNote(f *card.File, chat *formats.Chat, from string) string {
	text := fmt.Sprintf("goes on from %s: %s, %s", guard.Line(f.Name), plural(len(chat.Past), "turn"), from)
	for _, w := range f.Warnings {
		if w.Code == "line_unreadable" {
			text += "; " + guard.Line(w.Message)
		}
	}
	if n := len(f.Chats); n > 1 {
		text += fmt.Sprintf("; the file holds %d chats, of which this is the first", n)
	}
	return text
}

// sceneWith finds a scene as findScene does; the marks of a card stand for the
// person of the chat.
func sceneWith(arg, user string) (characters.Scene, error) {
	if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() && !card.IsScene(arg) {
		f, err := card.Open(arg)
		if err != nil {
			return characters.Scene{}, err
		}
		s, _, err := f.Scene(card.PlayOptions{User: user})
		return s, err
	}
	return findScene(arg)
}

// otherCards says that cards of the character's name were passed over, and how
// one of them is taken.
func otherCards(ids []string) string {
	switch n := len(ids); {
	case n == 0:
		return ""
	case n == 1:
		return guard.Line(" (another has the name; --scene " + shellWord(ids[0]) + " takes it)")
	default:
		return guard.Line(fmt.Sprintf(" (%d others have the name; --scene takes another: %s)", n, strings.Join(ids[:min(n, namedCards)], ", ")))
	}
}

// namedCards bounds how many cards of one name are told.
const namedCards = 3

// sceneOf looks for the chat's character: among the cards in the folder of
// characters first, then among the scenes there are.
func sceneOf(scenes []characters.Scene, chat *formats.Chat) (s characters.Scene, from string, found bool) {
	lib := openLibrary()
	// What cannot be read is left out, and the bundled scenes are there anyway.
	_, _ = lib.Refresh(context.Background(), nil)
	var others []string
	for _, e := range lib.Entries() {
		if e.Kind != card.KindCard || !e.Playable() || !strings.EqualFold(e.Name, chat.Character) {
			continue
		}
		made, _, err := lib.Scene(e, card.PlayOptions{User: chat.User})
		if err != nil || !strings.EqualFold(made.Character.Name, chat.Character) {
			continue
		}
		if found {
			others = append(others, e.ID)
			continue
		}
		s, from, found = made, "with the card "+guard.Line(filepath.Base(e.Path)), true
	}
	if found {
		return s, from + otherCards(others), true
	}
	for i := range scenes {
		if strings.EqualFold(scenes[i].Character.Name, chat.Character) {
			return scenes[i], "in the scene " + scenes[i].ID, true
		}
	}
	return s, "", false
}
