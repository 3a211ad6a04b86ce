//go:build !unix

package library

import "os"

// openFile opens a file for reading; pipes have no place in a folder here.
func openFile(path string) (*os.File, error) { return os.Open(path) }
