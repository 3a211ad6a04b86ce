package endpoint

import (
	"fmt"

	"herarena/arena"
)

// atLeast is a number of tokens that messages take with any tokeniser in use: a
// token of English is 4 characters on average, so 8 is never reached over a
// whole prompt, and no tokeniser fits three letters of another script into one.
func atLeast(messages []arena.Message) int {
	ascii, other := 0, 0
	for _, m := range messages {
		for _, r := range m.Content {
			switch {
			case r > 0x7F:
				other++
			case r > ' ':
				ascii++
			}
		}
	}
	return ascii/8 + other/4
}

// cutPromptNote tells of a server that read less than it was sent. Ollama does
// so in silence when a prompt is longer than the context it has loaded.
func cutPromptNote(name, kind string, read, sent int) string {
	note := fmt.Sprintf("%s read %d tokens of a prompt of at least %d: it cut the rest without a word", name, read, sent)
	if kind == KindOllama {
		return note + "; raise OLLAMA_CONTEXT_LENGTH or the model's num_ctx"
	}
	return note + "; serve the model with a longer context"
}
