package stage

import (
	"fmt"
	"math"
	"strconv"

	"herarena/arena"
)

// dial is one parameter of sampling: how it is read, written and turned.
type dial struct {
	name  string
	about string
	// low and high bound it; step is one turn.
	low, high, step float64
	whole           bool // a whole number
	start           float64
	get             func(*arena.Sampling) (float64, bool)
	set             func(*arena.Sampling, *float64)
}

// dials are the parameters of the sampling panel, in its order.
func dials() []dial {
	real := func(name, about string, low, high, step, start float64, at func(*arena.Sampling) **float64) dial {
		return dial{
			name: name, about: about, low: low, high: high, step: step, start: start,
			get: func(s *arena.Sampling) (float64, bool) {
				if p := *at(s); p != nil {
					return *p, true
				}
				return 0, false
			},
			set: func(s *arena.Sampling, v *float64) { *at(s) = v },
		}
	}
	whole := func(name, about string, low, high, step, start float64, at func(*arena.Sampling) **int) dial {
		return dial{
			name: name, about: about, low: low, high: high, step: step, start: start, whole: true,
			get: func(s *arena.Sampling) (float64, bool) {
				if p := *at(s); p != nil {
					return float64(*p), true
				}
				return 0, false
			},
			set: func(s *arena.Sampling, v *float64) {
				*at(s) = nil
				if v != nil {
					n := int(*v)
					*at(s) = &n
				}
			},
		}
	}
	return []dial{
		real("temperature", "how much chance there is in each word", 0, 2, 0.1, 1, func(s *arena.Sampling) **float64 { return &s.Temperature }),
		real("top_p", "only the likeliest words that make up this share", 0.01, 1, 0.05, 0.95, func(s *arena.Sampling) **float64 { return &s.TopP }),
		whole("top_k", "only so many of the likeliest words", 0, 1000, 5, 40, func(s *arena.Sampling) **int { return &s.TopK }),
		real("min_p", "only words at least this likely beside the likeliest", 0, 1, 0.01, 0.05, func(s *arena.Sampling) **float64 { return &s.MinP }),
		real("repetition_penalty", "what was written counts less; 1 is off", 0.1, 2, 0.05, 1, func(s *arena.Sampling) **float64 { return &s.RepetitionPenalty }),
		real("presence_penalty", "words that occurred at all count less", -2, 2, 0.1, 0, func(s *arena.Sampling) **float64 { return &s.PresencePenalty }),
		real("frequency_penalty", "words count less for each time they occurred", -2, 2, 0.1, 0, func(s *arena.Sampling) **float64 { return &s.FrequencyPenalty }),
		{
			name: "max_tokens", about: "where a reply is cut off", low: 1, high: 1 << 20, step: 50, start: 500, whole: true,
			get: func(s *arena.Sampling) (float64, bool) { return float64(s.MaxTokens), s.MaxTokens > 0 },
			set: func(s *arena.Sampling, v *float64) {
				s.MaxTokens = 0
				if v != nil {
					s.MaxTokens = int(*v)
				}
			},
		},
		whole("seed", "the same seed may give the same reply", 0, math.MaxInt32, 1, 1, func(s *arena.Sampling) **int { return &s.Seed }),
	}
}

// thinkingRow is the row behind the dials: the model's own reasoning.
const thinkingName, thinkingAbout = "thinking", "the model's own reasoning before it replies"

// turn returns the value by n steps from where it is; a dial that is off begins
// at its start.
func (d *dial) turn(s *arena.Sampling, n int) float64 {
	v, on := d.get(s)
	if !on {
		return d.start
	}
	v += float64(n) * d.step
	if !d.whole {
		v = math.Round(v*1000) / 1000 // steps of a tenth do not add up in binary
	}
	return min(max(v, d.low), d.high)
}

// read takes a number that was typed.
func (d *dial) read(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(v):
		return 0, fmt.Errorf("%s: %q is no number", d.name, text)
	case d.whole && v != math.Trunc(v):
		return 0, fmt.Errorf("%s is a whole number", d.name)
	case v < d.low || v > d.high:
		return 0, fmt.Errorf("%s lies between %s and %s", d.name, d.write(d.low), d.write(d.high))
	}
	return v, nil
}

func (d *dial) write(v float64) string {
	if d.whole {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
