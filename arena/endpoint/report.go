package endpoint

import (
	"time"

	"herarena/arena"
)

// Ability is what a probe found out about one thing a server may be able to do.
type Ability string

// The findings of a probe.
const (
	Unknown Ability = "unknown"
	Yes     Ability = "yes"
	No      Ability = "no"
	// Echoed is said of a prefill that is continued and repeated.
	Echoed Ability = "echoed"
	// Ignored is said of what the server accepts without any effect.
	Ignored Ability = "ignored"
	// Refused is said of what the server answers with an error.
	Refused Ability = "refused"
)

// Report is what a server said of itself and showed when asked. Times are in
// nanoseconds. It holds no key.
type Report struct {
	Name string `json:"name"`
	// BaseURL is the address that works: the configured one, or the one where the
	// API was found instead.
	BaseURL string `json:"base_url"`
	// Repaired says what was put right of the address that was given.
	Repaired string `json:"repaired,omitempty"`
	// Reachable says that a web server answered, whatever it said.
	Reachable bool `json:"reachable"`
	// Kind is the sort of server, as far as can be told.
	Kind string `json:"kind"`
	// ConfiguredKind is the kind that was configured, where the server turned out
	// to be of another; it was then asked as what it is.
	ConfiguredKind string `json:"configured_kind,omitempty"`
	Version        string `json:"version,omitempty"`
	// Service is whose machines they are, where the address tells.
	Service string  `json:"service,omitempty"`
	Models  []Model `json:"models"`
	// Model is the one that was asked; empty where none could be.
	Model string `json:"model,omitempty"`
	// ContextLength is the length in use in tokens, 0 where unknown.
	ContextLength int `json:"context_length,omitempty"`
	// Slots is how many replies the server makes at once, 0 where unknown.
	Slots int `json:"slots,omitempty"`
	// Auth is what the server wants for a key.
	Auth Auth `json:"auth"`

	Chat Ability `json:"chat"`
	// Streaming says whether text comes as it is written, and not all at once.
	Streaming Ability `json:"streaming"`
	Usage     Ability `json:"usage"`
	// Reasoning is the field in which reasoning came, "" where none came.
	Reasoning string  `json:"reasoning,omitempty"`
	Prefill   Ability `json:"prefill"`
	// PrefillWay is how the beginning of a reply is sent where it works.
	PrefillWay string `json:"prefill_way,omitempty"`
	// Schema says whether output is held to a JSON schema.
	Schema Ability `json:"json_schema"`
	// Cancel says whether the server stops writing when nobody listens any more.
	Cancel Ability `json:"cancel"`
	// CancelTime is how long the client took to let go of a reply, 0 where that
	// was not tried; FreedTime is after how long the server was seen to be free.
	CancelTime time.Duration `json:"cancel_ns,omitempty"`
	FreedTime  time.Duration `json:"freed_ns,omitempty"`
	// KeepAlive is what became of a connection between two requests.
	KeepAlive KeepAlive `json:"keep_alive"`
	// Pings is how many signs of life came before the first text of a reply.
	Pings int `json:"pings"`
	// FirstByte is the time to the first text of a short reply.
	FirstByte time.Duration `json:"first_byte_ns"`
	// Replicas are the further addresses of the endpoint.
	Replicas []Replica `json:"replicas,omitempty"`
	// Fault is why the server, or its chat, does not work; nil where it does.
	Fault *arena.Fault `json:"fault,omitempty"`
	// Notes are sentences on what was noticed.
	Notes []string `json:"notes,omitempty"`
}

// Replica is a further address of an endpoint, as it answered.
type Replica struct {
	BaseURL string `json:"base_url"`
	// Fault is why it cannot be used; nil where it can.
	Fault *arena.Fault `json:"fault,omitempty"`
}

// Unprobed is the report on a server that could not be asked because of fault.
func Unprobed(name string, fault *arena.Fault) Report {
	return Report{
		Name: name, Kind: KindOther, Models: []Model{}, Fault: fault,
		Auth: AuthUnknown, Chat: Unknown, Streaming: Unknown, Usage: Unknown, Prefill: Unknown, Schema: Unknown,
		Cancel: Unknown, KeepAlive: KeepAliveUnknown,
	}
}
