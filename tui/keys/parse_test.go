package keys

import "testing"

func TestParseIsTheInverseOfName(t *testing.T) {
	t.Parallel()
	for _, name := range append(names(), "a", "G", "?", "1", "é", "漢", ":", "/") {
		if got := Name(Parse(name)); got != name {
			t.Errorf("Name(Parse(%q)) = %q", name, got)
		}
	}
}
