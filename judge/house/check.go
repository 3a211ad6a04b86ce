package house

import "herarena/judge/principles"

// check is one thing the critic looks for, a flaw or a merit.
type check struct {
	name       string
	dimension  string
	level      string // sentence or session
	definition string
	why        string // why it matters, whatever the scene
	weight     int
	look       func(*scene, *candidate) finding
}

func (c check) negative() bool {
	return principles.Polarity(c.dimension, c.name) == principles.Negative
}

// checks returns all checks, flaws first, the gravest first.
func checks() []check { return append(flaws(), merits()...) }

func flaws() []check {
	return []check{
		{
			"Stays in character", principles.OutOfCharacter, "sentence",
			"No assistant, model, maker or policy speaks in the character's place.",
			"One such sentence ends the scene.", 5, breaksCharacter,
		},
		{
			"Speaks at all", principles.OutOfCharacter, "sentence",
			"The reply holds words that the partner can hear.",
			"The partner waits for an answer.", 4, saysNothing,
		},
		{
			"Speaks for itself alone", principles.ReferenceConfusion, "sentence",
			"The reply writes no lines for the partner or for others in the scene.",
			"The partner's words are the partner's own.", 4, speaksForOther,
		},
		{
			"Bears its own name", principles.ReferenceConfusion, "session",
			"The character neither speaks under nor claims the name of another.",
			"Who is who must be clear to everyone in the scene.", 3, wrongName,
		},
		{
			"One language", principles.LanguageMixing, "session",
			"The reply keeps to the writing systems the scene is written in.",
			"A slip into another language breaks the illusion.", 3, mixesLanguages,
		},
		{
			"Thoughts stay inside", principles.OutOfCharacter, "sentence",
			"Thoughts and plans stand in their own layer and are not spoken.",
			"What is thought is not for the partner's ears.", 3, leaksThoughts,
		},
		{
			"No repeated beat", principles.PlotRepetition, "session",
			"The reply does not use the character's earlier lines again.",
			"A scene that repeats itself stands still.", 2, repeatsItself,
		},
		{
			"No loop within", principles.PlotRepetition, "sentence",
			"The reply does not say the same words over again.",
			"Repeated sentences are the first sign of a model losing its way.", 2, repeatsWithin,
		},
		{
			"No parroting", principles.PlotRepetition, "session",
			"The reply does not give the partner's own line back.",
			"The partner knows what was just said.", 2, parrots,
		},
		{
			"Clean form", principles.OutOfCharacter, "sentence",
			"Layer tags pair, and nothing of a template is left in the text.",
			"Stray tags show the machinery.", 2, breaksTags,
		},
		{
			"Keeps to its measure", principles.Contradiction, "session",
			"The reply keeps to the length the settings ask for, or to that of a turn of talk.",
			"A turn leaves room for the next.", 1, overLong,
		},
	}
}

func merits() []check {
	return []check{
		{
			"Answers the partner", principles.InteractionNaturalness, "session",
			"The reply takes up what the partner has just said.",
			"Talk is an answer to somebody.", 3, answers,
		},
		{
			"Moves the scene on", principles.StoryProgression, "session",
			"The reply brings something the scene has not had yet.",
			"The partner needs something to go on from.", 3, movesOn,
		},
		{
			"A mind of its own", principles.EmotionalAuthenticity, "sentence",
			"The character thinks in the first person, about what is going on.",
			"An inner life is what sets a character apart from a voice.", 2, thinks,
		},
		{
			"Bodily presence", principles.NarrativeQuality, "sentence",
			"The character does something as well as speaking.",
			"A scene has bodies in it.", 1, acts,
		},
		{
			"Rooted in its settings", principles.CharacterFidelity, "session",
			"The reply draws on who the character is and what it knows.",
			"A stock reply could come from anyone.", 2, fitsProfile,
		},
		{
			"Knows whom it speaks to", principles.CharacterFidelity, "session",
			"People of the scene are called by their names.",
			"A name ties the line to this scene.", 1, namesRight,
		},
		{
			"Varied sentences", principles.NarrativeQuality, "sentence",
			"Sentences differ in length, opening and kind.",
			"Sameness tires the ear.", 1, varies,
		},
		{
			"The measure of a turn", principles.UserPreference, "sentence",
			"The reply is neither a stub nor a speech.",
			"People like to be answered and to get their turn.", 1, fitsTurn,
		},
	}
}
