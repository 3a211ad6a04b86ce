package rehearsal

import (
	"hash/fnv"
	"strconv"
)

// All variation comes from these hashes of the messages: the same request
// gives the same reply, on every machine.

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		// The length keeps ("ab","c") apart from ("a","bc"). A hash never
		// fails to be written to.
		_, _ = h.Write([]byte(strconv.Itoa(len(p))))
		_, _ = h.Write([]byte(":" + p))
	}
	return mix(h.Sum64(), 0)
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014) over the sum of
// its arguments, each weighted by the golden ratio.
func mix(a, b uint64) uint64 {
	z := a + (b+1)*0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

func hashMessages(model string, msgs []message, prefill string, seed int64) uint64 {
	parts := []string{model, prefill, strconv.FormatInt(seed, 10)}
	for _, m := range msgs {
		parts = append(parts, m.Role, m.Name, string(m.Content))
	}
	return hash(parts...)
}
