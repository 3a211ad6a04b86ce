//go:build !linux && !darwin

package screentest

import "testing"

// Real needs a pty; on this system the test is skipped.
func Real(t testing.TB, binary string, args, env []string, w, h int) *Term {
	t.Helper()
	t.Skipf("screentest: no pty on this system to run %s in", binary)
	return nil
}
