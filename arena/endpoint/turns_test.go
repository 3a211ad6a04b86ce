package endpoint

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
)

// scene writes messages as "s:text u@Name:text a:text".
func scene(messages []arena.Message) string {
	var b strings.Builder
	for i, m := range messages {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(m.Role[:1])
		if m.Name != "" {
			b.WriteString("@" + m.Name)
		}
		b.WriteString(":" + strings.ReplaceAll(m.Content, "\n\n", "¶"))
	}
	return b.String()
}

func TestTurns(t *testing.T) {
	sys := func(s string) arena.Message { return arena.Message{Role: roleSystem, Content: s} }
	usr := func(name, s string) arena.Message { return arena.Message{Role: roleUser, Name: name, Content: s} }
	ast := func(s string) arena.Message { return arena.Message{Role: roleAssistant, Content: s} }
	note := []arena.Message{sys("S"), usr("", "a"), ast("b"), sys("It rains."), usr("", "c")}
	group := []arena.Message{sys("S"), usr("Kit", "a"), usr("Mara", "Mara: b"), ast("c"), usr("Kit", "d")}
	opening := []arena.Message{sys("S"), ast("Welcome."), usr("", "a")}
	for _, tt := range []struct {
		name string
		q    quirks
		in   []arena.Message
		want string
	}{
		{"as they are", quirks{}, note, "s:S | u:a | a:b | s:It rains. | u:c"},
		{"names as they are", quirks{}, group, "s:S | u@Kit:a | u@Mara:Mara: b | a:c | u@Kit:d"},
		{"nothing empty", quirks{}, []arena.Message{sys("S"), usr("", ""), ast(" \n"), usr("", "a")}, "s:S | u:a"},
		{"a note folded", quirks{foldNotes: true}, note, "s:S | u:a | a:b | u:It rains.¶c"},
		{"a note folded keeps the speaker", quirks{foldNotes: true}, []arena.Message{sys("S"), sys("It rains."), usr("Kit", "c")}, "s:S | u:It rains.¶Kit: c"},
		{"alternating", quirks{merged: true}, group, "s:S | u:Kit: a¶Mara: b | a:c | u@Kit:d"},
		{"alternating with a note", quirks{merged: true}, note, "s:S | u:a | a:b | u:It rains.¶c"},
		{"alternating, the character begins", quirks{merged: true}, opening, "s:S | u:" + opener + " | a:Welcome. | u:a"},
		{"one name twice", quirks{merged: true}, []arena.Message{usr("Kit", "a"), usr("Kit", "b")}, "u@Kit:a¶b"},
		{"two replies in a row", quirks{merged: true}, []arena.Message{usr("", "a"), ast("b"), ast("c")}, "u:a | a:b¶c"},
		{"no system role", quirks{noSystem: true, merged: true}, note, "u:S¶a | a:b | u:It rains.¶c"},
		{"no system role, the character begins", quirks{noSystem: true, merged: true}, opening, "u:S | a:Welcome. | u:a"},
		{"no names", quirks{noNames: true}, group, "s:S | u:Kit: a | u:Mara: b | a:c | u:Kit: d"},
		{"a user wanted", quirks{wantsUser: true}, []arena.Message{sys("S")}, "s:S | u:" + opener},
		{"a user wanted before the reply", quirks{wantsUser: true}, opening, "s:S | u:" + opener + " | a:Welcome. | u:a"},
		{"a user is there", quirks{wantsUser: true}, note, "s:S | u:a | a:b | s:It rains. | u:c"},
	} {
		in := append([]arena.Message(nil), tt.in...)
		if got := scene(tt.q.turns(tt.in)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if d := cmp.Diff(in, tt.in); d != "" {
			t.Errorf("%s: the caller's messages have changed:\n%s", tt.name, d)
		}
	}
}

// TestPromptsAreOnlyAppendedTo: what a server got for the first turns is the
// beginning of what it gets later, whatever its template demands, so that its
// prefix cache holds.
func TestPromptsAreOnlyAppendedTo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	flat := func(messages []arena.Message) string {
		var b strings.Builder
		for _, m := range messages {
			b.WriteString("\x00" + m.Role + "\x01" + m.Name + "\x02" + m.Content)
		}
		return b.String()
	}
	for _, q := range []quirks{{}, {foldNotes: true}, {merged: true}, {merged: true, noSystem: true}, {noNames: true}, {noNames: true, merged: true}} {
		for range 300 {
			messages := []arena.Message{{Role: roleSystem, Content: "S"}, {Role: roleUser, Name: "Kit", Content: "begin"}}
			for range rng.IntN(8) {
				messages = append(messages, arena.Message{Role: roleAssistant, Content: "reply"})
				if rng.IntN(3) == 0 {
					messages = append(messages, arena.Message{Role: roleSystem, Content: "note"})
				}
				if rng.IntN(3) == 0 {
					messages = append(messages, arena.Message{Role: roleUser, Name: "Mara", Content: "aside"})
				}
				messages = append(messages, arena.Message{Role: roleUser, Name: "Kit", Content: "line"})
			}
			whole := flat(q.turns(messages))
			for n := range messages {
				// A request ends with the person's line, before the next reply.
				if n+1 < len(messages) && messages[n+1].Role != roleAssistant {
					continue
				}
				if part := flat(q.turns(messages[:n+1])); !strings.HasPrefix(whole, part) {
					t.Fatalf("%+v:\n%q\nis not the beginning of\n%q", q, part, whole)
				}
			}
		}
	}
}
