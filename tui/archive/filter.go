package archive

import (
	"sort"
	"time"
)

// chip is one filter, or the order, that a key turns to its next value.
type chip int

const (
	contestantChip chip = iota
	sceneChip
	criticChip
	kindChip
	voteChip
	dateChip
	playedChip
	orderChip
	chips
)

var chipNames = [chips]string{"contestant", "scene", "critic", "kind", "votes", "date", "played", "order"}

// chipDoes say what the key of a chip does, for the help.
var chipDoes = [chips]string{
	contestantChip: "only duels of the next contestant",
	sceneChip:      "only duels in the next scene",
	criticChip:     "only duels before the next critic",
	kindChip:       "only real duels, only rehearsals, or all",
	voteChip:       "only duels you voted in, only those you did not, or all",
	dateChip:       "only duels of today, of 7 days, 30 days or a year, or all",
	playedChip:     "only duels in which something was said, all, or only those left before the first line",
}

// fixed are the values of the chips whose values are always the same.
var fixed = [chips][]string{
	kindChip:   {"all", "real", "rehearsal"},
	voteChip:   {"all", "voted", "not voted"},
	dateChip:   {"any", "today", "7 days", "30 days", "a year"},
	playedChip: {"yes", "all", "no"}, // first, so that duels left at once do not stand in the way
	orderChip:  {"newest", "oldest", "most turns", "scene"},
}

// filter is what the chips stand at; zero is the first value of each.
type filter struct {
	at     [chips]int
	values [chips][]string
}

// learn takes the values of the chips from the duels there are, keeping what is
// chosen as long as it is still there.
func (f *filter) learn(rows []row) {
	sets := [3]map[string]bool{{}, {}, {}}
	for i := range rows {
		r := &rows[i]
		sets[contestantChip][r.Contestants[0]], sets[contestantChip][r.Contestants[1]] = true, true
		sets[sceneChip][r.SceneTitle] = true
		sets[criticChip][r.Critic] = true
	}
	for c := range chips {
		if len(fixed[c]) > 0 {
			f.values[c] = fixed[c]
			continue
		}
		chosen := f.value(c)
		values := make([]string, 0, len(sets[c])+1)
		for v := range sets[c] {
			if v != "" {
				values = append(values, v)
			}
		}
		sort.Strings(values)
		values = append([]string{"any"}, values...)
		if c == criticChip && sets[c][""] {
			values = append(values, "none")
		}
		f.values[c], f.at[c] = values, 0
		for i, v := range values {
			if i > 0 && v == chosen {
				f.at[c] = i
			}
		}
	}
}

func (f *filter) value(c chip) string {
	if f.at[c] < len(f.values[c]) {
		return f.values[c][f.at[c]]
	}
	return ""
}

// turn goes to the next value, or with -1 to the one before, around.
func (f *filter) turn(c chip, by int) {
	if n := len(f.values[c]); n > 0 {
		f.at[c] = (f.at[c] + by + n) % n
	}
}

func (f *filter) clear() {
	order := f.at[orderChip]
	f.at = [chips]int{orderChip: order}
}

// holds reports whether the chips let a duel through.
func (f *filter) holds(r *row, now time.Time) bool {
	if want := f.value(contestantChip); f.at[contestantChip] > 0 && r.Contestants[0] != want && r.Contestants[1] != want {
		return false
	}
	if f.at[sceneChip] > 0 && r.SceneTitle != f.value(sceneChip) {
		return false
	}
	if want := f.value(criticChip); f.at[criticChip] > 0 && r.Critic != want && (want != "none" || r.Critic != "") {
		return false
	}
	switch {
	case f.at[kindChip] == 1 && r.Rehearsal, f.at[kindChip] == 2 && !r.Rehearsal:
		return false
	case f.at[voteChip] == 1 && r.Votes == 0, f.at[voteChip] == 2 && r.Votes > 0:
		return false
	}
	return f.played(r) && !r.Started.Before(f.since(now))
}

// played reports whether the chip of duels in which nothing was said lets a duel
// through.
func (f *filter) played(r *row) bool {
	return f.at[playedChip] == 1 || (r.Turns > 0) == (f.at[playedChip] == 0)
}

// since is the earliest time the date chip lets through.
func (f *filter) since(now time.Time) time.Time {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch f.at[dateChip] {
	case 1:
		return midnight
	case 2:
		return midnight.AddDate(0, 0, -6)
	case 3:
		return midnight.AddDate(0, 0, -29)
	case 4:
		return midnight.AddDate(-1, 0, 0)
	}
	return time.Time{}
}

// order sorts indices into rows as the order chip says. Rows come newest first,
// which is the order among equals.
func (f *filter) order(at []int, rows []row) {
	switch f.at[orderChip] {
	case 1:
		for i, j := 0, len(at)-1; i < j; i, j = i+1, j-1 {
			at[i], at[j] = at[j], at[i]
		}
	case 2:
		sort.SliceStable(at, func(i, j int) bool { return rows[at[i]].Turns > rows[at[j]].Turns })
	case 3:
		sort.SliceStable(at, func(i, j int) bool { return rows[at[i]].SceneTitle < rows[at[j]].SceneTitle })
	}
}
