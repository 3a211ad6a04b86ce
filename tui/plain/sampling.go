package plain

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"herarena/arena"
)

// bounds are what a value of sampling may be; both ends are allowed.
var bounds = map[string][2]float64{
	"temperature": {0, 5}, "top_p": {0, 1}, "min_p": {0, 1}, "top_k": {-1, 1000}, "repetition_penalty": {0, 5},
	"presence_penalty": {-2, 2}, "frequency_penalty": {-2, 2}, "max_tokens": {0, 1 << 20}, "seed": {-1 << 31, 1 << 31},
}

// sampling reads a contestant's sampling out, or changes it.
func (s *session) sampling(args []string) error {
	d, err := s.directed()
	if err != nil {
		return err
	}
	who := []int{0, 1}
	if len(args) > 0 && len(args[0]) == 1 {
		side, err := sideOf(args[0])
		if err != nil {
			return err
		}
		who, args = []int{int(side)}, args[1:]
	}
	if len(args) == 1 {
		return fmt.Errorf("say a name and a value: /sampling a temperature 0.7 (%s, thinking on or off)", strings.Join(slices.Sorted(maps.Keys(bounds)), ", "))
	}
	for _, i := range who {
		was := d.SamplingOf(i)
		if len(args) == 0 {
			s.out.linef("%s: %s.", s.seat(i), sampled(was))
			continue
		}
		next, err := resampled(was, s.played.Contestants[i].Sampling, args)
		if err != nil {
			return err
		}
		d.SetSampling(i, next)
		s.resampled[i] = true
		s.out.linef("%s from its next reply on: %s. Turns played so do not count.", s.seat(i), sampled(next))
	}
	return nil
}

// seat names a contestant without telling where it stands in a blind duel.
func (s *session) seat(i int) string {
	if s.bill.blind {
		return [...]string{"The first contestant", "The second contestant"}[i&1]
	}
	return arena.Side(i).String() + ", " + one(s.played.Contestants[i].Name)
}

// resampled is a sampling with names and values changed; the value default is
// that of the configuration.
func resampled(was, configured arena.Sampling, args []string) (arena.Sampling, error) {
	if len(args)%2 != 0 {
		return was, errors.New("each name needs a value: /sampling a temperature 0.7 top_p 0.9")
	}
	all, own := fields(was), fields(configured)
	for i := 0; i < len(args); i += 2 {
		name, value := strings.ToLower(strings.ReplaceAll(args[i], "-", "_")), strings.ToLower(args[i+1])
		between, known := bounds[name]
		var number float64
		switch {
		case name == "thinking" && (value == "on" || value == "off"):
			all[name] = json.RawMessage(fmt.Sprint(value == "on"))
		case value == "default" && (known || name == "thinking"):
			delete(all, name)
			if v, ok := own[name]; ok {
				all[name] = v
			}
		case !known:
			return was, fmt.Errorf("%q is unknown (%s, thinking)", one(args[i]), strings.Join(slices.Sorted(maps.Keys(bounds)), ", "))
		case json.Unmarshal([]byte(value), &number) != nil || number < between[0] || number > between[1]:
			return was, fmt.Errorf("%s %s: want a number from %g to %g, or default", name, one(args[i+1]), between[0], between[1])
		default:
			all[name] = json.RawMessage(value)
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return was, err
	}
	var out arena.Sampling
	if err := json.Unmarshal(data, &out); err != nil {
		return was, errors.New("top_k, max_tokens and seed are whole numbers")
	}
	return out, nil
}

func fields(s arena.Sampling) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	if data, err := json.Marshal(s); err == nil {
		_ = json.Unmarshal(data, &out)
	}
	return out
}

// sampled is a sampling in words.
func sampled(s arena.Sampling) string {
	all := fields(s)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := string(all[name])
		if name == "thinking" {
			value = map[string]string{"true": "on", "false": "off"}[value]
		}
		out = append(out, strings.ReplaceAll(name, "_", " ")+" "+value)
	}
	if len(out) == 0 {
		return "all is left to the server"
	}
	return one(strings.Join(out, ", "))
}
