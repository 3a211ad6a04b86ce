package principles

import "testing"

func TestTwelveDimensionsSixOfEachPolarity(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	seen := map[string]string{}
	for _, k := range Dimensions() {
		count[k.Polarity]++
		for _, name := range append([]string{k.Name}, k.Aliases...) {
			if owner, twice := seen[fold(name)]; twice && owner != k.Name {
				t.Errorf("%q belongs to both %q and %q", name, owner, k.Name)
			}
			seen[fold(name)] = k.Name
			if got, ok := Dimension(name); !ok || got != k.Name {
				t.Errorf("Dimension(%q) = %q, %v; want %q", name, got, ok, k.Name)
			}
			if got := Polarity(name, ""); got != k.Polarity {
				t.Errorf("Polarity(%q) = %q, want %q", name, got, k.Polarity)
			}
		}
	}
	if count[Negative] != 6 || count[Positive] != 6 {
		t.Fatalf("polarities %v, want six of each", count)
	}
}

func TestEveryListedVocabularyIsMapped(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Character Development": CharacterFidelity, "Relationship Development": InteractionNaturalness,
		"Emotional Expression": EmotionalAuthenticity, "Action Description": NarrativeQuality,
		"Atmosphere & Environment": NarrativeQuality, "Dialogue & Interaction": InteractionNaturalness,
		"Narrative & Plot": NarrativeQuality, "Conflict & Tension": StoryProgression,
		"Details & Description": NarrativeQuality, "Overall Quality": UserPreference,
		"Safety & Boundaries": OutOfCharacter, "Worldview Consistency": Contradiction,
		"Status Consistency": Contradiction, "State Consistency": Contradiction,
		"Openness & Diversity": StoryProgression, "Reader Experience": UserPreference,
		"Emotional Consistency": EmotionalAuthenticity, "  PLOT_repetition ": PlotRepetition,
		"Character OOC (Out of Character)": OutOfCharacter, "Negative: language mixing": LanguageMixing,
		"Physical-Logic Violation": PhysicalLogic,
	} {
		if got, ok := Dimension(name); !ok || got != want {
			t.Errorf("Dimension(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestUnknownDimensionKeepsItsName(t *testing.T) {
	t.Parallel()
	if got, ok := Dimension(" Musicality "); ok || got != "Musicality" {
		t.Fatalf("got %q, %v", got, ok)
	}
	if got, ok := Dimension(""); ok || got != "" {
		t.Fatalf("got %q, %v", got, ok)
	}
}

func TestPolarityOfUnknownDimensions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dimension, name, want string }{
		{"Timeline violations", "", Negative},
		{"Tone", "", ""},
		{"Tone", "No repetition of beats", Negative},
		{"", "Emotional authenticity", Positive},
		{"Style", "Immersion", Positive},
		{"风格", "避免重复", Negative},
		{"", "", ""},
		{"Notation", "Northern wit", ""},
	} {
		if got := Polarity(c.dimension, c.name); got != c.want {
			t.Errorf("Polarity(%q, %q) = %q, want %q", c.dimension, c.name, got, c.want)
		}
	}
}
