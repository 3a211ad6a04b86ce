package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/tui/guard"
)

// castOutput is the command contract's form; data uses card V3's field names.
type castOutput struct {
	Kind     string         `json:"kind"`
	Spec     string         `json:"spec"`
	Warnings []card.Warning `json:"warnings"`
	Data     any            `json:"data"`
	Counts   any            `json:"counts"`
	// What follows is told of files of other programs.
	Format      string `json:"format,omitempty"`
	DisplayName string `json:"display_name,omitempty"` // the name, else the file's
	Character   string `json:"character,omitempty"`    // what {{char}} stands for
	UserName    string `json:"user_name,omitempty"`
}

// showOptions are the flags of cast show.
type showOptions struct {
	json, prompt bool
	dialect      string
	line         string
	play         card.PlayOptions
	contestant   string
	examples     string
}

func (a *app) castShowCmd() *cobra.Command {
	var o showOptions
	c := &cobra.Command{
		Use: "show FILE|NAME", Short: "Show a card, a lorebook, a chat or a scene", Args: cobra.ExactArgs(1),
		Long: "Shows a file as a person would read it: a card (JSON, PNG, APNG, WEBP, JPEG, CHARX, YAML), a lorebook, a chat, a scenario or a scene file; or what is in the library, by id or name.",
		RunE: func(cmd *cobra.Command, args []string) error {
			arg := libraryFile(cmd.Context(), args[0])
			if o.prompt {
				return a.castPrompt(cmd.Context(), arg, o)
			}
			for _, name := range []string{"as", "contestant", "dialect", "examples", "greeting", "line", "seed"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s is about the prompt: add --prompt", name)
				}
			}
			return a.castShow(arg, o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON, normalised to version 3 of the card specification")
	f.BoolVar(&o.prompt, "prompt", false, "print the messages a contestant would get, and where each part came from")
	f.StringVar(&o.dialect, "dialect", string(layers.Auto), "with --prompt: the dialect the contestant writes in")
	f.StringVar(&o.line, "line", "Hello.", "with --prompt: your first line")
	f.StringVar(&o.play.User, "as", "", "with --prompt: whom you play ({{user}})")
	f.IntVar(&o.play.Greeting, "greeting", 0, "with --prompt: which greeting opens, counted from 0")
	f.Uint64Var(&o.play.Seed, "seed", 0, "with --prompt: the seed of {{random}} and its kin")
	o.promptFlags(f)
	return c
}

func (a *app) castShow(arg string, o showOptions) error {
	s, known, err := knownScene(arg)
	if err != nil {
		return err
	}
	if known {
		return a.showScene(s, o.json)
	}
	f, err := card.Open(arg)
	if err != nil {
		return missing(arg, err)
	}
	if o.json {
		out := castOutput{Kind: string(f.Kind), Spec: f.Spec, Warnings: f.Warnings, Data: f.Data, Counts: f.Counts(), Format: f.Format, UserName: f.UserName}
		if f.Kind == card.KindCard {
			out.DisplayName, out.Character = f.DisplayName(), f.CharName()
		}
		return a.printJSON(out)
	}
	var b strings.Builder
	writeFile(&b, f)
	_, err = fmt.Fprint(a.out, guard.Text(b.String()))
	return err
}

// missing says of a name that is neither a file nor a scene what there is.
func missing(arg string, err error) error {
	if _, sceneErr := findScene(arg); sceneErr != nil && strings.Contains(sceneErr.Error(), "neither a file nor a scene") {
		return sceneErr
	}
	return err
}

func (a *app) showScene(s characters.Scene, asJSON bool) error {
	if asJSON {
		return a.printJSON(castOutput{
			Kind: string(card.KindScenario), Spec: "herarena", Warnings: []card.Warning{},
			Data: map[string]any{
				"name": s.Character.Name, "description": s.Character.Profile, "personality": s.Character.Voice,
				"scenario": s.Scenario, "first_mes": s.Opening,
				"extensions": map[string]any{"herarena": s},
			},
			Counts: card.Counts{Greetings: filled(s.Opening)},
		})
	}
	plays := s.Character.Name + " plays"
	if s.Ensemble() || s.Environment {
		plays = castWords(s) + " play"
	}
	text := fmt.Sprintf("%s   (%s, %s)\n%s with you as %s\n\n%s\n\n%s\n%s\n", s.Title, s.ID, s.Language,
		plays, s.User.Name, s.Scenario, s.Character.Name, s.Character.Profile)
	if s.Opening != "" {
		text += "\nopens with\n" + s.Opening + "\n"
	}
	_, err := fmt.Fprint(a.out, guard.Text(text))
	return err
}

func filled(s string) int {
	if strings.TrimSpace(s) == "" {
		return 0
	}
	return 1
}

// writeFile writes a file of another program for people.
func writeFile(w io.Writer, f *card.File) {
	what := string(f.Kind)
	if len(f.Spec) == 1 {
		what = "version " + f.Spec + " " + what
	} else {
		what = f.Spec + " " + what
	}
	name := f.DisplayName()
	if f.Kind == card.KindCard && f.CharName() != name {
		name += " (" + f.CharName() + ")"
	}
	_, _ = fmt.Fprintf(w, "%s   %s, %s\n", name, what, f.Format)
	switch f.Kind {
	case card.KindCard:
		writeCard(w, f)
	case card.KindChat:
		writeChats(w, f)
	case card.KindScenario:
		writeScenarios(w, f)
	}
	writeBook(w, f)
	for i, warning := range f.Warnings {
		if i == 0 {
			_, _ = fmt.Fprintln(w, "\nwhat was mended or is doubtful")
		}
		_, _ = fmt.Fprintf(w, "  %s  [%s]\n", guard.Line(warning.Message), warning.Code)
	}
}

// paragraph writes a headed text, nothing where it is empty.
func paragraph(w io.Writer, heading, text string) {
	if text = strings.TrimSpace(text); text != "" {
		_, _ = fmt.Fprintf(w, "\n%s\n%s\n", heading, text)
	}
}

func writeCard(w io.Writer, f *card.File) {
	text := func(key string) string {
		s, _ := f.Data.Get(key).(string)
		return s
	}
	about := []string{}
	for _, p := range [][2]string{{"by ", text("creator")}, {"version ", text("character_version")}} {
		if p[1] != "" {
			about = append(about, p[0]+guard.Line(p[1]))
		}
	}
	if tags, ok := f.Data.Get("tags").([]any); ok && len(tags) > 0 {
		var words []string
		for _, tag := range tags {
			words = append(words, fmt.Sprint(tag))
		}
		about = append(about, "tags: "+guard.Line(strings.Join(words, ", ")))
	}
	if len(about) > 0 {
		_, _ = fmt.Fprintln(w, strings.Join(about, " · "))
	}
	paragraph(w, "creator's notes", text("creator_notes"))
	paragraph(w, "description", text("description"))
	paragraph(w, "personality", text("personality"))
	paragraph(w, "scenario", text("scenario"))
	greetings := f.Greetings()
	for i, g := range greetings {
		heading := "greeting"
		if len(greetings) > 1 {
			heading = fmt.Sprintf("greeting %d", i)
		}
		paragraph(w, heading, g)
	}
	paragraph(w, "example dialogue", text("mes_example"))
	paragraph(w, "system prompt", text("system_prompt"))
	paragraph(w, "after the conversation", text("post_history_instructions"))
	if n := f.Counts().Assets; n > 0 {
		_, _ = fmt.Fprintf(w, "\n%d assets\n", n)
	}
}

func writeBook(w io.Writer, f *card.File) {
	if f.Book == nil || len(f.Book.Entries) == 0 {
		return
	}
	_, _ = fmt.Fprintf(w, "\nlorebook %s, %d entries\n", f.Book.Name, len(f.Book.Entries))
	for _, e := range f.Book.Entries {
		how := "on " + strings.Join(e.Keys, ", ")
		switch {
		case !e.Enabled:
			how = "off"
		case e.Constant:
			how = "always"
		}
		title := e.Title
		if title == "" {
			title = e.ID
		}
		_, _ = fmt.Fprintf(w, "  %s (%s)\n    %s\n", guard.Line(title), guard.Line(how), strings.ReplaceAll(strings.TrimSpace(e.Content), "\n", "\n    "))
	}
}

func writeChats(w io.Writer, f *card.File) {
	for _, c := range f.Chats {
		_, _ = fmt.Fprintf(w, "%s with %s, %d messages\n\n", c.CharName, c.UserName, len(c.Messages))
		for _, m := range c.Messages {
			name := m.Name
			if name == "" && m.User {
				name = c.UserName
			}
			mark := ""
			if m.Hidden {
				mark = " (hidden)"
			}
			if len(m.Swipes) > 1 {
				mark += fmt.Sprintf(" (%d of %d)", m.Swipe+1, len(m.Swipes))
			}
			_, _ = fmt.Fprintf(w, "%s%s: %s\n", name, mark, m.Text)
		}
	}
}

func writeScenarios(w io.Writer, f *card.File) {
	for _, s := range f.Scenarios {
		_, _ = fmt.Fprintf(w, "\n%s   %s\n\n%s\n", s.Topic, s.Source, s.Text)
		for _, r := range s.Cast {
			paragraph(w, r.Name, strings.TrimSpace(r.Profile+"\n"+r.Motivation))
		}
		_, _ = fmt.Fprintln(w)
		for _, l := range s.Lines {
			_, _ = fmt.Fprintf(w, "%s: %s\n", l.Name, l.Text)
		}
	}
}
