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
	// weak marks a flaw that is measured and not proved an error: it weighs among
	// the merits and does not come before them.
	weak bool
	// fresh marks a merit that counts words: sentences copied from the context are
	// left out for it.
	fresh bool
}

func (c check) negative() bool {
	return principles.Polarity(c.dimension, c.name) == principles.Negative
}

// checks returns all checks, flaws first.
func checks() []check { return append(flaws(), merits()...) }

func flaws() []check {
	return []check{
		{
			name: "Stays in character", dimension: principles.OutOfCharacter, level: "sentence", weight: 5, look: breaksCharacter,
			definition: "No assistant, model, maker or policy speaks in the character's place.",
			why:        "One such sentence ends the scene.",
		},
		{
			name: "Speaks at all", dimension: principles.OutOfCharacter, level: "sentence", weight: 4, look: saysNothing,
			definition: "The reply holds words that the partner can hear.",
			why:        "The partner waits for an answer.",
		},
		{
			name: "Speaks for itself alone", dimension: principles.ReferenceConfusion, level: "sentence", weight: 4, look: speaksForOther,
			definition: "The reply writes no lines for the partner or for others in the scene.",
			why:        "The partner's words are the partner's own.",
		},
		{
			name: "Bears its own name", dimension: principles.ReferenceConfusion, level: "session", weight: 3, look: wrongName,
			definition: "The character neither speaks under nor claims the name of another.",
			why:        "Who is who must be clear to everyone in the scene.",
		},
		{
			name: "Knows whom it faces", dimension: principles.ReferenceConfusion, level: "sentence", weight: 3, look: callsOwnName,
			definition: "Nobody else is addressed by the character's own name.",
			why:        "Who speaks to whom must stay clear.",
		},
		{
			name: "Tells itself in one person", dimension: principles.ReferenceConfusion, level: "sentence", weight: 1, look: narratesTwice, weak: true,
			definition: "The character's actions are told as \"I\" or as \"he\" or \"she\", not both.",
			why:        "The eye that tells the scene should not change within a reply.",
		},
		{
			name: "One language", dimension: principles.LanguageMixing, level: "session", weight: 3, look: mixesLanguages,
			definition: "The reply keeps to the writing systems the scene is written in.",
			why:        "A slip into another language breaks the illusion.",
		},
		{
			name: "One tongue", dimension: principles.LanguageMixing, level: "session", weight: 3, look: mixesTongues,
			definition: "The reply keeps to the scene's language among those of Latin script.",
			why:        "A sentence in another tongue needs a reason in the scene.",
		},
		{
			name: "Thoughts stay inside", dimension: principles.OutOfCharacter, level: "sentence", weight: 3, look: leaksThoughts,
			definition: "Thoughts and plans stand in their own layer and are not spoken.",
			why:        "What is thought is not for the partner's ears.",
		},
		{
			name: "Knows only what it can", dimension: principles.Contradiction, level: "session", weight: 3, look: knowsThoughts,
			definition: "The reply uses nothing that only another's private thoughts hold.",
			why:        "A thought that was not spoken is known to one alone.",
		},
		{
			name: "Stands by its word", dimension: principles.Contradiction, level: "session", weight: 3, look: gainsays,
			definition: "The character does not say the plain opposite of its own earlier line.",
			why:        "What was said stands until it is taken back.",
		},
		{
			name: "Keeps its numbers", dimension: principles.Contradiction, level: "session", weight: 3, look: miscounts,
			definition: "Kin and age stay what they were said to be.",
			why:        "A number is easily checked and long remembered.",
		},
		{
			name: "Bodies obey the scene", dimension: principles.PhysicalLogic, level: "session", weight: 2, look: defiesBodies,
			definition: "Nobody sits down, opens or sets down what is so already.",
			why:        "A scene has one space, and things stay where they were put.",
		},
		{
			name: "No repeated beat", dimension: principles.PlotRepetition, level: "session", weight: 2, look: repeatsItself,
			definition: "The reply does not use the character's earlier lines again.",
			why:        "A scene that repeats itself stands still.",
		},
		{
			name: "No loop within", dimension: principles.PlotRepetition, level: "sentence", weight: 2, look: repeatsWithin,
			definition: "The reply does not say the same words over again.",
			why:        "Repeated sentences are the first sign of a model losing its way.",
		},
		{
			name: "No parroting", dimension: principles.PlotRepetition, level: "session", weight: 2, look: parrots,
			definition: "The reply does not give the partner's own line back.",
			why:        "The partner knows what was just said.",
		},
		{
			name: "No worn frame", dimension: principles.PlotRepetition, level: "session", weight: 1, look: sameFrame, weak: true,
			definition: "The reply neither opens with the gesture nor closes with the words of the last turns.",
			why:        "The same frame makes every picture look alike.",
		},
		{
			name: "Clean form", dimension: principles.OutOfCharacter, level: "sentence", weight: 2, look: breaksTags,
			definition: "Layer tags pair, and nothing of a template is left in the text.",
			why:        "Stray tags show the machinery.",
		},
		{
			name: "Keeps to its measure", dimension: principles.Contradiction, level: "session", weight: 1, look: overLong,
			definition: "The reply keeps to the length the settings ask for, or to that of a turn of talk.",
			why:        "A turn leaves room for the next.",
		},
	}
}

func merits() []check {
	return []check{
		{
			name: "Answers the partner", dimension: principles.InteractionNaturalness, level: "session", weight: 3, look: answers, fresh: true,
			definition: "The reply takes up what the partner has just said.",
			why:        "Talk is an answer to somebody.",
		},
		{
			name: "Answers the question", dimension: principles.InteractionNaturalness, level: "session", weight: 2, look: answersQuestion, fresh: true,
			definition: "A question that was asked gets an answer of its kind.",
			why:        "Who asks waits for that one thing.",
		},
		{
			name: "Leaves room", dimension: principles.InteractionNaturalness, level: "sentence", weight: 1, look: leavesRoom,
			definition: "The reply ends where the partner can go on.",
			why:        "A turn is handed over.",
		},
		{
			name: "Moves the scene on", dimension: principles.StoryProgression, level: "session", weight: 3, look: movesOn, fresh: true,
			definition: "The reply brings something the scene has not had yet.",
			why:        "The partner needs something to go on from.",
		},
		{
			name: "A new thing in the scene", dimension: principles.StoryProgression, level: "session", weight: 1, look: newThings, fresh: true,
			definition: "Things, names or numbers enter that the scene has not had.",
			why:        "What is new and solid can be taken up.",
		},
		{
			name: "A mind of its own", dimension: principles.EmotionalAuthenticity, level: "sentence", weight: 2, look: thinks,
			definition: "The character thinks in the first person, about what is going on.",
			why:        "An inner life is what sets a character apart from a voice.",
		},
		{
			name: "Feeling in the body", dimension: principles.EmotionalAuthenticity, level: "sentence", weight: 2, look: feels, fresh: true,
			definition: "A feeling is shown by a bodily sign, named or not.",
			why:        "What is shown is believed sooner than what is told.",
		},
		{
			name: "Bodily presence", dimension: principles.NarrativeQuality, level: "sentence", weight: 1, look: acts,
			definition: "The character does something as well as speaking.",
			why:        "A scene has bodies in it.",
		},
		{
			name: "Things to see and touch", dimension: principles.NarrativeQuality, level: "sentence", weight: 1, look: details, fresh: true,
			definition: "The reply names things that can be seen and touched.",
			why:        "A scene stands on things.",
		},
		{
			name: "Action and speech in balance", dimension: principles.NarrativeQuality, level: "sentence", weight: 1, look: balances,
			definition: "Actions accompany the speech and do not drown it.",
			why:        "Both carry a scene.",
		},
		{
			name: "Rooted in its settings", dimension: principles.CharacterFidelity, level: "session", weight: 2, look: fitsProfile, fresh: true,
			definition: "The reply draws on who the character is and what it knows.",
			why:        "A stock reply could come from anyone.",
		},
		{
			name: "Keeps its voice", dimension: principles.CharacterFidelity, level: "session", weight: 1, look: keepsVoice,
			definition: "Sentences have the rhythm of the character's earlier lines.",
			why:        "A voice is known by its beat.",
		},
		{
			name: "Knows whom it speaks to", dimension: principles.CharacterFidelity, level: "session", weight: 1, look: namesRight, fresh: true,
			definition: "People of the scene are called by their names.",
			why:        "A name ties the line to this scene.",
		},
		{
			name: "Varied sentences", dimension: principles.NarrativeQuality, level: "sentence", weight: 1, look: varies,
			definition: "Sentences differ in length, opening and kind.",
			why:        "Sameness tires the ear.",
		},
		{
			name: "The measure of a turn", dimension: principles.UserPreference, level: "sentence", weight: 1, look: fitsTurn,
			definition: "The reply is neither a stub nor a speech.",
			why:        "People like to be answered and to get their turn.",
		},
		{
			name: "Keeps the rules given", dimension: principles.UserPreference, level: "session", weight: 3, look: keepsRules,
			definition: "What the settings ask for in length, form and language is kept.",
			why:        "Who sets a rule wants it kept.",
		},
	}
}
