//go:build !unix

package ledger

import "os"

// alive reports whether a process with the id runs on this machine. Finding it
// is the only test that Windows offers; elsewhere the silence of ten seconds
// decides.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
