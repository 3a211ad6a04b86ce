//go:build !race && (linux || darwin)

package load_test

const raced = false
