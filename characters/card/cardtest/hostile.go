// Package cardtest makes hostile files for tests: cards, lorebooks, chats and
// scenes in every container the readers know, with what an attacker or a broken
// program may put into them. Every file is made from its number alone, so that
// one that a test finds fault with can be made again.
package cardtest

import (
	"fmt"
	"math/rand/v2"
)

// Input is one hostile file.
type Input struct {
	Name string // of the file, with its ending; may be hostile itself
	Kind string // what was meant to be in it, e.g. "zip bomb"
	Data []byte
}

// seed is of all files.
const seed = 0x48455241

// maker makes one file.
type maker struct {
	*rand.Rand
	depth int
}

// Hostile makes the file of a number. The numbers from 0 to 9,999 hold every
// kind, each many times.
func Hostile(n int) Input {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, uint64(n)))}
	kinds := []struct {
		name string
		make func() (string, []byte)
	}{
		{"card", m.textFile(m.card)},
		{"picture", m.picture},
		{"archive", m.archive},
		{"lorebook", m.textFile(m.book)},
		{"chat", m.chatFile},
		{"scenario", m.textFile(m.scenario)},
		{"other program", m.textFile(m.foreign)},
		{"scene file", m.sceneFile},
		{"yaml", m.yamlFile},
		{"noise", m.noise},
		{"nesting", m.nesting},
		{"bomb", m.bomb},
	}
	at := n % len(kinds)
	if kinds[at].name == "bomb" && n%(len(kinds)*25) != at {
		at = m.IntN(at) // they cost more than all others
	}
	name, data := kinds[at].make()
	kind := kinds[at].name
	if kind != "bomb" && m.IntN(5) == 0 {
		kind += ", damaged"
		data = m.damage(data)
	}
	return Input{Name: name, Kind: kind, Data: data}
}

// one picks.
func one[T any](m *maker, list ...T) T { return list[m.IntN(len(list))] }

// fileName is a name with an ending that may be wrong.
func (m *maker) fileName(ending string) string {
	if m.IntN(20) == 0 {
		ending = one(m, ".png", ".json", ".jsonl", ".yaml", ".charx", ".webp", ".jpg", ".toml", "")
	}
	if m.IntN(10) == 0 {
		return one(m, "..", "-rf", "a\x1b[31mb", "con", "..%2f..%2fetc", "\u202egnp", "$(id)", "a;b", "ünï", "{{char}}") + ending
	}
	return fmt.Sprintf("card%d%s", m.IntN(1000), ending)
}

// damage does to bytes what bad disks and attackers do.
func (m *maker) damage(data []byte) []byte {
	if len(data) == 0 {
		return []byte{0}
	}
	out := append([]byte(nil), data...)
	for range 1 + m.IntN(4) {
		at := m.IntN(len(out))
		switch m.IntN(7) {
		case 0:
			out = out[:at+1]
		case 1:
			out[at] ^= byte(1 << m.IntN(8))
		case 2:
			out[at] = one[byte](m, 0, 0xFF, 0x1B, '"', '\\', '{', '}', 0x9B, '\n')
		case 3:
			for i := at; i < min(at+4, len(out)); i++ {
				out[i] = 0xFF // a huge length, if there is one
			}
		case 4:
			end := min(len(out), at+1+m.IntN(64))
			out = append(out[:end:end], out[at:]...)
		case 5:
			end := min(len(out), at+1+m.IntN(16))
			out = append(out[:at:at], out[end:]...)
		default:
			out = append(out, out[at:]...)
		}
		if len(out) == 0 {
			return []byte{0}
		}
		if len(out) > 8<<20 {
			return out[:8<<20]
		}
	}
	return out
}

// noise is bytes that begin like something.
func (m *maker) noise() (string, []byte) {
	head := one(m, "", "\x89PNG\r\n\x1a\n", "\xFF\xD8\xFF\xE1", "RIFF\x00\x00\x00\x00WEBPVP8X", "PK\x03\x04", "PK\x05\x06", "{", "[", "\xFF\xFE", "\xFE\xFF", "\xEF\xBB\xBF", "---\n", "o\x00\xFF\xFF\xFF\xFF", "GIF89a", "%YAML 1.2\n")
	data := []byte(head)
	for range m.IntN(400) {
		data = append(data, byte(m.Uint32()))
	}
	return m.fileName(one(m, ".png", ".json", ".jsonl", ".yaml", ".charx", ".webp", ".jpg", ".risum", ".voxpkg")), data
}
