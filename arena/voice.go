package arena

import (
	"fmt"
	"strings"

	"herarena/arena/layers"
	"herarena/characters"
)

// voice is a played character: the scene from its place, and what its player is
// told of it.
type voice struct {
	scene  characters.Scene
	system [2]string // by contestant
}

// giveVoices writes the system prompts of all played characters.
func (d *Duel) giveVoices() {
	scene := d.opts.Scene
	scene.Environment = scene.Environment && d.opts.Stage != nil
	d.voices = make(map[string]*voice)
	for _, name := range scene.Speakers() {
		v := &voice{scene: scene.Seen(name)}
		for i, c := range d.opts.Contestants {
			v.system[i] = characters.SystemPrompt(v.scene, characters.PromptOptions{Dialect: string(c.Dialect), WordLimit: d.opts.WordLimit})
		}
		d.voices[name] = v
	}
}

// voice returns a played character by name, the scene's Character for any other.
func (d *Duel) voice(name string) *voice {
	if v, ok := d.voices[name]; ok {
		return v
	}
	return d.voices[d.opts.Scene.Character.Name]
}

// speaker is the name of who answers in a turn.
func (d *Duel) speaker(t past) string {
	if t.speaker == "" {
		return d.opts.Scene.Character.Name
	}
	return t.speaker
}

// played returns the exact name of a played character; the error lists them.
func (d *Duel) played(name string) (string, error) {
	name = strings.TrimSpace(name)
	all := d.opts.Scene.Speakers()
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, n := range all {
			if same(n, name) {
				return n, nil
			}
		}
	}
	return "", fmt.Errorf("nobody called %q is played by the contestants (%s)", name, strings.Join(all, ", "))
}

// openingOf is the opening line and who says it.
func (d *Duel) openingOf() spoken { return spoken{d.opts.Scene.Character.Name, d.opening} }

// history is what a contestant is sent for a reply to what stands in now.
// Callers hold d.mu.
func (d *Duel) history(contestant int, now past) []Message {
	c := d.opts.Contestants[contestant]
	voice := d.voice(now.speaker)
	v := view{system: voice.system[contestant], scene: voice.scene}
	if len(d.opening) > 0 {
		if first := d.opts.Scene.Character.Name; first == v.scene.Character.Name {
			v.own = writeOwn(d.opening, c.Dialect, first, Sight{KeepSystem: c.KeepSystem})
		} else {
			v.heard = heardBy(d.opening, c.Dialect, first)
		}
	}
	return history(v, d.past[contestant], now)
}

// rendered writes a settled turn's reply once for its own speaker and once for
// the other characters, as a contestant will find it in every later prompt.
// Callers hold d.mu.
func (d *Duel) rendered(p past, contestant int, s Sight) past {
	p.speaker = d.speaker(p)
	if len(Visible(p.reply, ViewOther, Sight{})) > 0 {
		p.text = writeOwn(p.reply, d.dialect[contestant], p.speaker, s)
		p.heard = heardBy(p.reply, d.dialect[contestant], p.speaker)
	}
	return p
}

// hears is a reply as text that everyone perceives.
func hears(name string, segments []layers.Segment) string {
	return layers.Render(Visible(segments, ViewOther, Sight{}), layers.Asterisk, name)
}
