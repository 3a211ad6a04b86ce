package arena

import "time"

// DuelRecord is a duel as the ledger keeps it.
type DuelRecord struct {
	ID          string
	SceneID     string
	SceneTitle  string
	SceneJSON   string // the whole scene, so that a replay needs no library
	Character   string
	User        string
	Language    string
	Contestants [2]Contestant // Player is not kept
	Critic      string
	Canon       CanonPolicy
	Blind       bool
	Rehearsal   bool
	Seed        int64
	Started     time.Time
	Past        []PastTurn // turns before the first
	Origin      Origin
}

// Recorder keeps what happens in a duel. Each call is durable when it returns.
// Calls come from several goroutines. The ledger implements it; a nil Recorder
// in a duel's settings keeps nothing.
type Recorder interface {
	RecordDuel(DuelRecord) error
	// RecordTurn keeps a turn's line and seats; called again it updates canon.
	RecordTurn(Turn) error
	// RecordReply keeps a reply. It is called when the request is sent, every
	// half second while text arrives, and at the end; done tells the last call.
	RecordReply(r Reply, done bool) error
	RecordRuling(Ruling) error
	RecordVote(Vote) error
	// RecordBattles keeps comparisons; a battle of the same turn and source
	// replaces the earlier ones (a changed vote, a judged swipe).
	RecordBattles([]Battle) error
}
