package lore

import "strings"

// groups leaves one entry of each group standing. An entry may be in several.
func (s *scan) groups(fresh []*candidate) []*candidate {
	members := map[string][]*candidate{}
	var names []string
	for _, c := range fresh {
		for _, name := range c.groups {
			if members[name] == nil {
				names = append(names, name)
			}
			members[name] = append(members[name], c)
		}
	}
	if len(names) == 0 {
		return fresh
	}
	for _, name := range names {
		list := standing(members[name])
		if s.taken[name] {
			// The group has its winner from a round before.
			for _, c := range list {
				c.refuse("its group has another")
			}
			continue
		}
		if len(list) == 0 {
			continue
		}
		s.taken[name] = true
		winner := s.winner(scored(list), name)
		for _, c := range list {
			if c != winner {
				c.refuse("its group chose " + winner.entry.Name())
			}
		}
	}
	return standing(fresh)
}

// standing are the candidates that have not been refused meanwhile.
func standing(list []*candidate) []*candidate {
	var out []*candidate
	for _, c := range list {
		if c.state == hit {
			out = append(out, c)
		}
	}
	return out
}

// scored leaves out those that score and have fewer keys than the best.
func scored(list []*candidate) []*candidate {
	best := 0
	for _, c := range list {
		best = max(best, c.score)
	}
	var out []*candidate
	for _, c := range list {
		if !c.entry.GroupScoring || c.score == best {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// winner is one that still stays from before, else the highest in order of
// those that override, else one by lot.
func (s *scan) winner(list []*candidate, name string) *candidate {
	var best *candidate
	total := 0
	for _, c := range list {
		if c.stays {
			return c
		}
		total += weight(c)
		if c.entry.GroupOverride && (best == nil || c.entry.Order > best.entry.Order) {
			best = c
		}
	}
	if best != nil || total == 0 {
		if best == nil {
			best = list[0]
		}
		return best
	}
	n := int(draw(s.req.Seed^hashText(name), list[0].at, s.req.Turn) % uint64(total))
	for _, c := range list {
		if n -= weight(c); n < 0 {
			return c
		}
	}
	return list[len(list)-1]
}

// weight of a candidate in the lot of its group.
func weight(c *candidate) int { return min(max(c.entry.GroupWeight, 0), 1<<20) }

func groupsOf(text string) []string {
	var out []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// hashText is FNV-1a.
func hashText(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
