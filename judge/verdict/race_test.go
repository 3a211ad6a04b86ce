//go:build race

package verdict_test

// slow is how much more the race detector lets everything cost.
const slow = 10
