package endpoint

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The sorts of server whose ways are known.
const (
	KindAuto       = "auto"
	KindVLLM       = "vllm"
	KindLlamaCpp   = "llamacpp"
	KindOllama     = "ollama"
	KindSGLang     = "sglang"
	KindTGI        = "tgi"
	KindLMStudio   = "lmstudio"
	KindOpenAI     = "openai"
	KindOpenRouter = "openrouter"
	KindDeepSeek   = "deepseek"
	KindMistral    = "mistral"
	KindMiniMax    = "minimax"
	// KindOther is any server that speaks like OpenAI's.
	KindOther = "other"
)

// Kinds lists the words that Config.Kind understands.
func Kinds() []string {
	return []string{
		KindAuto, KindVLLM, KindLlamaCpp, KindOllama, KindSGLang, KindTGI, KindLMStudio,
		KindOpenAI, KindOpenRouter, KindDeepSeek, KindMistral, KindMiniMax, KindOther,
	}
}

func parseKind(word string) (string, error) {
	plain := strings.NewReplacer(".", "", "-", "", "_", "", " ", "").Replace(strings.ToLower(word))
	switch plain {
	case "":
		return KindAuto, nil
	case "llama", "llamaserver":
		return KindLlamaCpp, nil
	case "openailike", "compatible", "openaicompatible":
		return KindOther, nil
	}
	if slices.Contains(Kinds(), plain) {
		return plain, nil
	}
	return "", fmt.Errorf("kind is %q; want %s", word, strings.Join(Kinds(), ", "))
}

// kindOfHost knows the hosted services by name; "" is any other host.
func kindOfHost(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	host := "." + strings.ToLower(u.Hostname())
	for suffix, kind := range map[string]string{
		".openai.com": KindOpenAI, ".openrouter.ai": KindOpenRouter, ".deepseek.com": KindDeepSeek,
		".mistral.ai": KindMistral, ".minimax.io": KindMiniMax, ".minimaxi.com": KindMiniMax, ".minimax.chat": KindMiniMax,
	} {
		if strings.HasSuffix(host, suffix) {
			return kind
		}
	}
	return ""
}

// kindOfOwner reads the owned_by field of a model list.
func kindOfOwner(owner string) string {
	switch strings.ToLower(owner) {
	case "vllm":
		return KindVLLM
	case "llamacpp":
		return KindLlamaCpp
	case "library":
		return KindOllama
	case "sglang":
		return KindSGLang
	case "organization_owner", "lmstudio":
		return KindLMStudio
	}
	return ""
}

// resolveKind returns the sort of server, asking for its model list once where
// that is the only way to know. A server that does not say is KindOther.
func (c *Client) resolveKind(ctx context.Context) string {
	c.mu.Lock()
	kind, asked := c.kind, c.asked
	c.mu.Unlock()
	if kind != "" {
		return kind
	}
	// A server that did not answer is asked again after a while only: it may
	// have been starting.
	if time.Since(asked) < time.Minute {
		return KindOther
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if _, fault := c.listModels(ctx); fault != nil && ctx.Err() == nil {
		// It answered, with something else than a list: there is no more to learn.
		c.noteKind(KindOther)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = time.Now()
	if c.kind == "" {
		return KindOther
	}
	return c.kind
}

// noteKind keeps what a server turned out to be, unless it is known already.
func (c *Client) noteKind(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kind == "" {
		c.kind = kind
	}
}

// knownKind is the kind as far as known without asking, "" where it is not.
func (c *Client) knownKind() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kind
}
