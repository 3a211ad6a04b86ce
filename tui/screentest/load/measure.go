package load

import "time"

// Who is measured.
const (
	AsStage = "stage"
	AsFloor = "floor"
)

// Measure is what one run of one program came to.
type Measure struct {
	As     string
	CPU    time.Duration // user and system, from the start of the stream to the end of the program
	Whole  time.Duration // the same for the whole process
	Bytes  int           // written to the terminal after the start of the stream
	Allocs uint64        // allocations since the start of the stream
	First  time.Duration // wall time from the start of the process to the first frame
	P50    time.Duration // from a key to its glyph
	P99    time.Duration
	Keys   int // keys whose glyph came back
	Lost   int // keys whose glyph never did
	Memory int64
	Tokens int // words of the script that were streamed
	Shown  int // those of them that were ever on screen
}
