package lore

import "strings"

// groups leaves one entry of each group standing.
func (s *scan) groups(fresh []*candidate) []*candidate {
	members := map[string][]*candidate{}
	var names []string
	for _, c := range fresh {
		name := strings.TrimSpace(c.entry.Group)
		if name == "" {
			continue
		}
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], c)
	}
	if len(names) == 0 {
		return fresh
	}
	for _, c := range s.all {
		if c.state == hit && c.entry.Group != "" {
			if list := members[strings.TrimSpace(c.entry.Group)]; list != nil && !contains(list, c) {
				// The group has its winner from a round before.
				for _, loser := range list {
					loser.state = refused
				}
				delete(members, strings.TrimSpace(c.entry.Group))
			}
		}
	}
	for _, name := range names {
		list := members[name]
		if len(list) < 2 {
			continue
		}
		winner := s.winner(list)
		for _, c := range list {
			if c != winner {
				c.state = refused
			}
		}
	}
	var left []*candidate
	for _, c := range fresh {
		if c.state == hit {
			left = append(left, c)
		}
	}
	return left
}

func contains(list []*candidate, c *candidate) bool {
	for _, other := range list {
		if other == c {
			return true
		}
	}
	return false
}

// winner is the highest in order of those that override, else one by lot.
func (s *scan) winner(list []*candidate) *candidate {
	var best *candidate
	total := 0
	for _, c := range list {
		total += max(c.entry.GroupWeight, 0)
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
	n := int(draw(s.req.Seed, list[0].at, len(s.req.Messages)) % uint64(total))
	for _, c := range list {
		if n -= max(c.entry.GroupWeight, 0); n < 0 {
			return c
		}
	}
	return list[len(list)-1]
}
