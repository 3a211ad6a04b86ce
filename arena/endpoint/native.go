package endpoint

import "herarena/arena"

// native holds where the fields of Ollama's own API stand in a frame.
type native struct {
	message, response, thinking int
	done                        bool
	reason                      string
	prompt, output              float64
}

func (n *native) seen() bool { return n.message > 0 || n.response > 0 || n.done }

func (n *native) member(c *cursor, key string) (ok bool) {
	c.space()
	switch key {
	case "message":
		n.message = c.i
	case "response":
		n.response = c.i
	case "thinking":
		n.thinking = c.i
	case "done":
		n.done = c.next() == 't'
	case "done_reason":
		var reason []byte
		reason, ok = c.text(nil)
		n.reason = string(reason)
		return ok
	case "prompt_eval_count":
		n.prompt, _, ok = c.number()
		return ok
	case "eval_count":
		n.output, _, ok = c.number()
		return ok
	}
	return c.skip()
}

func (d *decoder) native(b []byte, n native) {
	if n.message > 0 && len(d.endings) == 0 && len(d.content) == 0 {
		at := cursor{b: b, i: n.message}
		if at.next() == '{' {
			d.delta(&at)
		}
	}
	if n.response > 0 {
		d.content, _ = (&cursor{b: b, i: n.response}).text(d.content)
	}
	if n.thinking > 0 && n.response > 0 {
		d.think(b, n.thinking, "thinking")
	}
	if !n.done {
		return
	}
	if n.reason == "" {
		n.reason = arena.FinishStop
	}
	d.endings = append(d.endings, ending{reason: n.reason})
	if n.prompt > 0 || n.output > 0 {
		d.setUsage(n.prompt, n.output, 0)
	}
}
