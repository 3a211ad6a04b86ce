package endpoint

import (
	"context"
	"slices"
	"time"
)

// contextTime bounds the question how long a model's context is.
const contextTime = 2 * time.Second

// ContextLength returns how many tokens the model's context holds, 0 where the
// server does not say, or not within two seconds. The length in use comes before
// the one the model was trained with. What was learned is asked for once.
func (p *Player) ContextLength(ctx context.Context) int {
	c := p.client
	ctx, cancel := context.WithTimeout(ctx, contextTime)
	defer cancel()
	c.mu.Lock()
	models, known := c.models, c.lengths[p.model]
	c.mu.Unlock()
	if known > 0 {
		return known
	}
	if len(models) == 0 {
		models, _ = c.listModels(ctx)
	}
	n := 0
	if i := slices.IndexFunc(models, func(m Model) bool { return Offers([]Model{m}, p.model) }); i >= 0 {
		n = models[i].ContextLength
	}
	if kind := c.knownKind(); kind == KindLlamaCpp || n == 0 && !hosted(kind) && serviceOf(c.cfg.BaseURL) == "" {
		// llama.cpp lists what a model was trained with; its slots may have less.
		if own := c.slotLength(ctx); own > 0 {
			n = own
		}
	}
	if n > 0 {
		c.mu.Lock()
		if c.lengths == nil {
			c.lengths = map[string]int{}
		}
		c.lengths[p.model] = n
		c.mu.Unlock()
	}
	return n
}

// slotLength reads the length in use from the pages of servers that tell it
// there.
func (c *Client) slotLength(ctx context.Context) int {
	found := c.readPages(ctx, pageProps, pageInfo, pageSGLang)
	props, info := found[pageProps].fields, found[pageInfo].fields
	if n := whole(object(props["default_generation_settings"])["n_ctx"]); n > 0 {
		return n
	}
	if n := max(whole(info["max_total_tokens"]), whole(info["max_input_tokens"])); n > 0 {
		return n
	}
	return max(whole(found[pageSGLang].fields["context_length"]), 0)
}
