package stagetest

import (
	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
)

// Scene is a small scene for tests.
func Scene() characters.Scene {
	return characters.Scene{
		ID: "harbour", Title: "The harbour office", Language: "en",
		Blurb:     "A clerk guards the last berth of the night.",
		Scenario:  "Rain on the windows. The tide turns in an hour.",
		Character: characters.Character{Name: "Ines Vale", Profile: "Night clerk of the harbour."},
		User:      characters.Character{Name: "Captain Roe"},
		Opening:   "The office is closed. Whatever it is, it can wait for the tide.",
		Suggestions: []string{
			"I need a berth tonight, and I can pay.",
			"You are Ines Vale, are you not?",
		},
	}
}

// Contestants are two contestants without endpoints.
func Contestants() [2]arena.Contestant {
	return [2]arena.Contestant{{Name: "her-rl", Model: "her-32b"}, {Name: "plain-8b", Model: "plain-8b"}}
}

// Layered is a reply in all layers, Bare one in speech alone.
func Layered() Take {
	return Take{Segments: []layers.Segment{
		{Layer: layers.System, Text: "She should stay wary, weigh the offer, and let the storm outside press on the talk before she gives anything away."},
		{Layer: layers.Think, Text: "He is soaked to the bone and still counts his words."},
		{Layer: layers.Act, Text: "turns the ledger so that he cannot read it"},
		{Layer: layers.Speech, Text: "One berth is left, Captain, and it has a name on it already. Give me a reason to forget the name."},
	}}
}

// Bare is a reply that only speaks.
func Bare() Take {
	return Take{Segments: []layers.Segment{
		{Layer: layers.Native, Text: "The user wants a berth. I should answer politely."},
		{Layer: layers.Speech, Text: "Good evening, Captain Roe. We have one berth left. Would you like to book it?"},
	}}
}

var principles = []arena.Principle{
	{Name: "Emotional authenticity", Dimension: "Emotion", Polarity: "positive", Level: "session", Definition: "Feelings fit the person and the hour, and show in what is done."},
	{Name: "Character fidelity", Dimension: "Character", Polarity: "positive", Level: "session", Definition: "Speaks and chooses as this person would."},
	{Name: "Stock phrases", Dimension: "Language", Polarity: "negative", Level: "sentence", Definition: "Leans on lines that anyone could say."},
}

// Agreeing returns verdicts in which both orders prefer side A.
func Agreeing() [2]arena.Verdict {
	first := arena.Verdict{Status: arena.VerdictOK, Better: arena.First, Principles: principles, Comparisons: []arena.Comparison{
		{Name: "Emotional authenticity", First: "Her thought, \"still counts his words\", contradicts the calm of her voice.", Second: "A stock greeting without a pulse.", Reason: "Only one reply has an inner life.", Winner: arena.First, Degree: "clear"},
		{Name: "Character fidelity", First: "Bargains like a clerk who has been bribed before.", Second: "Could be any receptionist.", Reason: "The first is this clerk.", Winner: arena.First, Degree: "slight"},
		{Name: "Stock phrases", First: "None found.", Second: "\"Would you like to book it?\"", Reason: "A sentence from a counter.", Winner: arena.Tie},
	}, Tally: arena.Tally{First: 2, Tie: 1}}
	second := first
	second.Better = arena.Second
	second.Comparisons = nil
	for _, c := range first.Comparisons {
		c.First, c.Second = c.Second, c.First
		switch c.Winner {
		case arena.First:
			c.Winner = arena.Second
		case arena.Second:
			c.Winner = arena.First
		}
		second.Comparisons = append(second.Comparisons, c)
	}
	second.Tally = arena.Tally{Second: 2, Tie: 1}
	return [2]arena.Verdict{first, second}
}

// Flipping returns verdicts in which each order prefers what it saw first.
func Flipping() [2]arena.Verdict {
	v := Agreeing()
	v[1] = v[0]
	return v
}

// Script is three turns: layered against bare, and a flip at the end.
func Script() []Turn {
	return []Turn{
		{Takes: [2]Take{Layered(), Bare()}, Verdicts: Agreeing()},
		{Takes: [2]Take{Layered(), Bare()}, Verdicts: Agreeing()},
		{Takes: [2]Take{Layered(), Bare()}, Verdicts: Flipping()},
	}
}
