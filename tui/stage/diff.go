package stage

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// word is a word of a text, or a sign; blanks are none.
type word struct {
	from, to int
	key      string // what it is compared by: letters in one case
}

// wordsOf cuts a text into words. Scripts written without spaces are cut by
// character.
func wordsOf(text string) []word {
	var out []word
	begin := -1
	end := func(at int) {
		if begin >= 0 {
			out = append(out, newWord(text, begin, at))
			begin = -1
		}
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			end(i)
			begin = i
			// Marks stay with their character.
			for i+size < len(text) {
				next, n := utf8.DecodeRuneInString(text[i+size:])
				if !unicode.IsMark(next) {
					break
				}
				size += n
			}
			end(i + size)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == 0x200d:
			if begin < 0 {
				begin = i
			}
		case unicode.IsSpace(r):
			end(i)
		default:
			end(i)
			begin = i
			end(i + size)
		}
		i += size
	}
	end(len(text))
	return out
}

func newWord(text string, from, to int) word {
	key := []rune(text[from:to])
	for i, r := range key {
		key[i] = oneCase(r)
	}
	return word{from, to, string(key)}
}

// weighty reports whether a word alone shows that two texts have something in
// common; short ones and signs stand everywhere.
func (w word) weighty() bool { return utf8.RuneCountInString(w.key) >= 4 }

// diffSteps bounds the work of one comparison: beyond, the texts differ so much
// that only what they have no word of is marked.
const diffSteps = 1 << 20

// differ tells for each word of two texts whether the other has it at its place.
// It finds a shortest edit (Myers 1986, the greedy algorithm), drops matches too
// slight to mean anything, and gives up on texts that share little.
func differ(a, b []word) (onlyA, onlyB []bool) {
	onlyA, onlyB = filled(len(a)), filled(len(b))
	head := 0
	for head < len(a) && head < len(b) && a[head].key == b[head].key {
		onlyA[head], onlyB[head] = false, false
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail].key == b[len(b)-1-tail].key {
		tail++
		onlyA[len(a)-tail], onlyB[len(b)-tail] = false, false
	}
	pairs, ok := shortest(a[head:len(a)-tail], b[head:len(b)-tail])
	if !ok {
		lacking(a[head:len(a)-tail], b[head:len(b)-tail], onlyA[head:])
		lacking(b[head:len(b)-tail], a[head:len(a)-tail], onlyB[head:])
		return onlyA, onlyB
	}
	for i := 0; i < len(pairs); {
		j, weight := i, false
		for ; j < len(pairs) && pairs[j][0]-pairs[i][0] == j-i && pairs[j][1]-pairs[i][1] == j-i; j++ {
			weight = weight || a[head+pairs[j][0]].weighty()
		}
		if weight || j-i > 2 {
			for _, p := range pairs[i:j] {
				onlyA[head+p[0]], onlyB[head+p[1]] = false, false
			}
		}
		i = j
	}
	return onlyA, onlyB
}

func filled(n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = true
	}
	return out
}

// lacking marks the words of a that b has none of, or fewer.
func lacking(a, b []word, only []bool) {
	has := map[string]int{}
	for _, w := range b {
		has[w.key]++
	}
	for i, w := range a {
		if has[w.key] > 0 && w.weighty() {
			has[w.key]--
			only[i] = false
		}
	}
}

// shortest returns the pairs of words that a shortest edit keeps; ok is false
// where that takes more than diffSteps.
func shortest(a, b []word) (pairs [][2]int, ok bool) {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return nil, true
	}
	most := n + m
	reach := make([]int32, 2*most+3) // by diagonal, from -most-1
	mid := most + 1
	var trace [][]int32 // reach before each step, diagonals -d-1 to d+1
	for d, steps := 0, 0; d <= most; d++ {
		if steps += d + 1; steps > diffSteps {
			return nil, false
		}
		trace = append(trace, append([]int32(nil), reach[mid-d-1:mid+d+2]...))
		for k := -d; k <= d; k += 2 {
			x := int(reach[mid+k+1])
			if k != -d && (k == d || reach[mid+k-1] >= reach[mid+k+1]) {
				x = int(reach[mid+k-1]) + 1
			}
			for x < n && x-k < m && a[x].key == b[x-k].key {
				x++
			}
			reach[mid+k] = int32(x)
			if x >= n && x-k >= m {
				return walkBack(trace, n, m), true
			}
		}
	}
	return nil, true
}

// walkBack reads the kept pairs off the trace of the search, first to last.
func walkBack(trace [][]int32, n, m int) [][2]int {
	var pairs [][2]int
	x, y := n, m
	for d := len(trace) - 1; d >= 0; d-- {
		at := func(k int) int { return int(trace[d][k+d+1]) }
		k := x - y
		from := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			from = k + 1
		}
		px := at(from)
		py := px - from
		for x > px && y > py {
			x, y = x-1, y-1
			pairs = append(pairs, [2]int{x, y})
		}
		if d > 0 {
			x, y = px, py
		}
	}
	slices.Reverse(pairs)
	return pairs
}
