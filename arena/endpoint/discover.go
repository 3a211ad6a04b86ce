package endpoint

import (
	"context"
	"sync"
	"time"

	"herarena/arena"
)

// discoverTime is how long a look at this machine takes at most.
const discoverTime = 400 * time.Millisecond

// Found is a server that answered.
type Found struct {
	BaseURL string  `json:"base_url"`
	Kind    string  `json:"kind"`
	Models  []Model `json:"models"`
	// Fault is set where a server is there but not ready: it wants a key, or is
	// loading its model.
	Fault *arena.Fault `json:"fault,omitempty"`
}

// localPort is where a server listens unless told otherwise. At a shared port
// programs of all sorts listen.
type localPort struct {
	address, kind string
	shared        bool
}

func localPorts() []localPort {
	return []localPort{
		{"http://127.0.0.1:11434/v1", KindOllama, false},
		{"http://127.0.0.1:8080/v1", KindLlamaCpp, false},
		{"http://127.0.0.1:8000/v1", KindVLLM, false},
		{"http://127.0.0.1:30000/v1", KindSGLang, false},
		{"http://127.0.0.1:1234/v1", KindLMStudio, false},
		{"http://127.0.0.1:8001/v1", "", true}, // a second vLLM
		{"http://127.0.0.1:3000/v1", "", true}, // TGI
		{"http://127.0.0.1:5000/v1", "", true}, // text-generation-webui
		{"http://127.0.0.1:5001/v1", "", true}, // KoboldCpp
	}
}

// Discover looks for servers at the addresses, or, where there are none, at the
// default ports of Ollama, llama.cpp, vLLM, SGLang, LM Studio, TGI,
// text-generation-webui and KoboldCpp on this machine. It asks all of them at
// once, sends no key, returns within 400 ms, and keeps the order of the
// addresses. What answers but is no model server is left out.
func Discover(ctx context.Context, addresses []string) []Found {
	ports := localPorts()
	if len(addresses) > 0 {
		ports = ports[:0]
		for _, a := range addresses {
			ports = append(ports, localPort{address: a})
		}
	}
	ctx, cancel := context.WithTimeout(ctx, discoverTime)
	defer cancel()
	found := make([]*Found, len(ports))
	var wg sync.WaitGroup
	for i, p := range ports {
		wg.Go(func() { found[i] = look(ctx, p) })
	}
	wg.Wait()
	var out []Found
	for _, f := range found {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// look asks one address for its models; nil where there is no model server.
func look(ctx context.Context, p localPort) *Found {
	c, err := New(Config{BaseURL: p.address})
	if err != nil {
		return nil
	}
	defer c.Close()
	models, fault := c.listModels(ctx)
	kind := firstOf(c.knownKind(), p.kind, KindOther)
	if fault == nil {
		return &Found{BaseURL: c.BaseURL(), Kind: kind, Models: models}
	}
	if p.shared {
		return nil // some other program, as far as can be told
	}
	if fault.Kind == arena.Loading || fault.Kind == arena.Unauthorised && fault.Status == 401 {
		return &Found{BaseURL: c.BaseURL(), Kind: kind, Fault: fault}
	}
	return nil
}
