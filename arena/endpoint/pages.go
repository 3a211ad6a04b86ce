package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// pageTime bounds the reading of what a server says of itself.
const pageTime = 3 * time.Second

// page is one of the documents in which servers describe themselves. They lie
// beside the API, at the root.
type page string

const (
	pageProps      page = "/props"           // llama.cpp
	pageVersion    page = "/version"         // vLLM
	pageHealth     page = "/health"          // vLLM: an empty body
	pageOllama     page = "/api/version"     // Ollama
	pageInfo       page = "/info"            // TGI
	pageSGLang     page = "/get_server_info" // SGLang
	pageSGLangName page = "/get_model_info"  // SGLang, also old ones
	pageLMStudio   page = "/api/v0/models"   // LM Studio
)

// hosted reports whether a service on the net answers, which has no such pages.
func hosted(kind string) bool {
	switch kind {
	case KindOpenAI, KindOpenRouter, KindDeepSeek, KindMistral, KindMiniMax:
		return true
	}
	return false
}

// serviceOf names the company whose machines an address leads to, where that
// says more than the kind of server; "" elsewhere.
func serviceOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	host := "." + strings.ToLower(u.Hostname())
	for _, known := range []struct{ suffix, name string }{
		{".endpoints.huggingface.cloud", serviceHF},
		{".huggingface.co", "Hugging Face"},
		{".together.xyz", "Together"},
		{".together.ai", "Together"},
		{".featherless.ai", "Featherless"},
		{".groq.com", "Groq"},
		{".fireworks.ai", "Fireworks"},
	} {
		if strings.HasSuffix(host, known.suffix) {
			return known.name
		}
	}
	return ""
}

// serviceHF runs engines of others (TGI, vLLM, llama.cpp), which say who they are.
const serviceHF = "Hugging Face Inference Endpoints"

// pages reads what servers say of themselves beside the API.
func (c *Client) pages(ctx context.Context, r *Report) {
	r.Service = serviceOf(c.cfg.BaseURL)
	if hosted(c.knownKind()) || r.Service != "" && r.Service != serviceHF {
		return
	}
	found := c.readPages(ctx, pageProps, pageVersion, pageHealth, pageOllama, pageInfo, pageSGLang, pageSGLangName, pageLMStudio)
	props, version, info := found[pageProps].fields, found[pageVersion].fields, found[pageInfo].fields
	ollama, sglang := found[pageOllama].fields, found[pageSGLang].fields
	switch {
	case props["default_generation_settings"] != nil:
		c.noteKind(KindLlamaCpp)
		r.Slots = whole(props["total_slots"])
		r.ContextLength = whole(object(props["default_generation_settings"])["n_ctx"])
		r.Version = word(props["build_info"])
	case info["max_total_tokens"] != nil || info["max_input_tokens"] != nil || info["max_input_length"] != nil:
		c.noteKind(KindTGI)
		r.ContextLength = max(whole(info["max_total_tokens"]), whole(info["max_input_tokens"]))
		r.Slots = whole(info["max_concurrent_requests"])
		r.Version = word(info["version"])
	case sglang["model_path"] != nil || found[pageSGLangName].fields["model_path"] != nil:
		c.noteKind(KindSGLang)
		r.Version = word(sglang["version"])
		r.ContextLength = whole(sglang["context_length"])
		r.Slots = whole(sglang["max_running_requests"])
	case ollama["version"] != nil:
		c.noteKind(KindOllama)
		r.Version = word(ollama["version"])
	case version["version"] != nil:
		r.Version = word(version["version"])
		// Its model list says who it is; this is for one that wants a key first.
		if h := found[pageHealth]; h.ok && len(h.body) == 0 && len(r.Models) == 0 {
			c.noteKind(KindVLLM)
		}
	}
	c.lmStudio(found[pageLMStudio].body, r)
	r.Version = c.clean(r.Version)
}

// shown is a page as it was answered.
type shown struct {
	ok     bool
	body   []byte
	fields map[string]json.RawMessage
}

// readPages asks for pages, all at once. What is not there is left empty.
func (c *Client) readPages(ctx context.Context, pages ...page) map[page]shown {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	answers := make([]shown, len(pages))
	var wg sync.WaitGroup
	for i, p := range pages {
		wg.Go(func() {
			if a := c.get(ctx, c.root()+string(p)); a.fault == nil {
				answers[i] = shown{ok: true, body: a.body, fields: object(a.body)}
			}
		})
	}
	wg.Wait()
	found := map[page]shown{}
	for i, p := range pages {
		found[p] = answers[i]
	}
	return found
}

// lmStudio reads LM Studio's own list: which models are loaded, and how long
// their contexts are and could be.
func (c *Client) lmStudio(body []byte, r *Report) {
	var list struct {
		Data []struct {
			ID     string          `json:"id"`
			Max    json.RawMessage `json:"max_context_length"`
			Loaded json.RawMessage `json:"loaded_context_length"`
			State  string          `json:"state"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil {
		return
	}
	for _, m := range list.Data {
		if m.Max == nil && m.State == "" {
			continue
		}
		c.noteKind(KindLMStudio)
		i := slices.IndexFunc(r.Models, func(have Model) bool { return have.ID == m.ID })
		if i < 0 {
			continue
		}
		r.Models[i].Trained = whole(m.Max)
		r.Models[i].ContextLength = max(whole(m.Loaded), 0)
		if m.State != "loaded" {
			r.Models[i].ContextLength = 0
		}
	}
}

// maxShown bounds of how many models Ollama is asked for the details.
const maxShown = 16

// ollama fills in the lengths of contexts, which the list does not hold: those
// in use and those the models could take. It is asked after a reply, since only
// a loaded model has one in use.
func (c *Client) ollama(ctx context.Context, r *Report) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	var wg sync.WaitGroup
	for i := range r.Models[:min(len(r.Models), maxShown)] {
		wg.Go(func() {
			if n := c.ollamaTrained(ctx, r.Models[i].ID); n > 0 {
				r.Models[i].Trained = n
			}
		})
	}
	var loaded struct {
		Models []struct {
			Name   string          `json:"name"`
			Model  string          `json:"model"`
			Length json.RawMessage `json:"context_length"`
		} `json:"models"`
	}
	if a := c.get(ctx, c.root()+"/api/ps"); a.fault == nil {
		_ = json.Unmarshal(a.body, &loaded)
	}
	wg.Wait()
	for _, l := range loaded.Models {
		for i := range r.Models {
			if Offers([]Model{{ID: firstOf(l.Model, l.Name)}}, r.Models[i].ID) {
				r.Models[i].ContextLength = whole(l.Length)
			}
		}
	}
}

// ollamaTrained is how long a context a model at Ollama was made for.
func (c *Client) ollamaTrained(ctx context.Context, model string) int {
	body, err := marshal(map[string]any{"model": model})
	if err != nil {
		return 0
	}
	a := c.fetch(ctx, "POST", c.root()+"/api/show", body)
	if a.fault != nil {
		return 0
	}
	info := object(object(a.body)["model_info"])
	return whole(info[word(info["general.architecture"])+".context_length"])
}

// contextNote warns of a model that runs with less context than it could.
func contextNote(kind string, m Model) string {
	if m.ContextLength == 0 || m.Trained <= m.ContextLength {
		return ""
	}
	loaded := fmt.Sprintf("%s is loaded with a context of %d tokens and could take %d", m.ID, m.ContextLength, m.Trained)
	switch kind {
	case KindOllama:
		return loaded + "; longer prompts are cut without a word: set OLLAMA_CONTEXT_LENGTH for the server, or num_ctx in a Modelfile"
	case KindLMStudio:
		return loaded + ": load it with a longer context"
	}
	return ""
}

func whole(raw json.RawMessage) int {
	n, _, _ := (&cursor{b: raw}).number()
	return clampInt(n)
}
