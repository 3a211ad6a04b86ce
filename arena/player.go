package arena

import (
	"context"
	"time"
)

// Player is a model as the engine uses it: it streams one reply. Play blocks
// until the reply has ended, calls on for each piece in order and from one
// goroutine, returns within 100 ms of ctx being cancelled, and never panics on
// what a server sends.
type Player interface {
	Play(ctx context.Context, call Call, on func(Chunk)) Outcome
}

// PrefillRefuser is a Player that can tell that its server does not take a
// prefill: the reply then starts from scratch and must be read so. What it tells
// may change between the start of a Play and its first chunk.
type PrefillRefuser interface{ PrefillRefused() bool }

// Call is one request to a model.
type Call struct {
	Messages []Message
	Sampling Sampling
	// Prefill is the beginning of the assistant's reply, to be continued.
	Prefill string
	// Session is a stable id for the duel, sent so that routers and prefix
	// caches can keep it in one place.
	Session string
	// Schema asks for output that matches this JSON schema, where not nil.
	Schema map[string]any
	// TokenOdds asks for the probabilities of the reply's last tokens, where the
	// server gives them.
	TokenOdds bool
}

// ChunkKind says what a chunk holds.
type ChunkKind int

// The kinds of chunk.
const (
	// ChunkText is content. Text holds whole runes.
	ChunkText ChunkKind = iota
	// ChunkReasoning is native reasoning sent apart from the content.
	ChunkReasoning
	// ChunkRetry says that the request is tried again after Wait because of Fault.
	ChunkRetry
)

// Chunk is one piece of a streaming reply.
type Chunk struct {
	Kind  ChunkKind
	Text  string
	Wait  time.Duration
	Fault *Fault
}

// Token is one token of a reply and how likely it and its rivals were.
type Token struct {
	Text    string
	LogProb float64 // natural logarithm
	Top     []TokenOdds
}

// TokenOdds is one candidate for a token's place.
type TokenOdds struct {
	Text    string
	LogProb float64
}

// Outcome is how a request ended. What arrived before a fault is kept.
type Outcome struct {
	Content   string
	Reasoning string
	Finish    string // the server's finish reason, verbatim
	Complete  bool   // a finish reason or the end mark was seen
	Damaged   int    // damaged frames skipped
	Usage     *Usage
	Fault     *Fault
	// Notes are sentences on what was not sent or did not go as asked, and is no
	// fault: a parameter the server does not know, a prompt it cut in silence.
	Notes []string
	// Tail are the last tokens of the content with their probabilities, where
	// they were asked for and given.
	Tail      []Token
	FirstByte time.Duration // to the first content or reasoning, 0 if none
	Total     time.Duration
}
