//go:build unix

package rating

import (
	"syscall"
	"testing"
	"time"
)

// processorTime is what the process has used so far, in user code: wall time says
// little on a machine that others share.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
