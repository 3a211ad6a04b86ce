package rehearsal

import "strings"

const (
	imStart = "<|im_start|>"
	imEnd   = "<|im_end|>"
)

// readChatML reads the prompt of /v1/completions. A last assistant turn left
// open is the beginning of the reply. A prompt without marks is one user line.
func readChatML(prompt string) (msgs []message, prefill string) {
	if !strings.Contains(prompt, imStart) {
		return []message{{Role: "user", Content: contentText(prompt)}}, ""
	}
	for _, part := range strings.Split(prompt, imStart)[1:] {
		role, body, _ := strings.Cut(part, "\n")
		role = strings.TrimSpace(role)
		body, _, closed := strings.Cut(body, imEnd)
		if role == "assistant" && !closed {
			prefill = dropEmptyThink(body)
			continue
		}
		prefill = ""
		msgs = append(msgs, message{Role: role, Content: contentText(strings.TrimSpace(body))})
	}
	return msgs, prefill
}

// dropEmptyThink removes the empty block that Qwen3's template puts before a
// reply.
func dropEmptyThink(s string) string {
	rest := strings.TrimLeft(s, " \n\t")
	if rest, ok := strings.CutPrefix(rest, "<think>"); ok {
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \n\t"), "</think>"); ok {
			return strings.TrimLeft(rest, " \n\t")
		}
	}
	return s
}
