package endpoint

import (
	"math"

	"herarena/arena"
)

// counts reads a usage object; null and empty ones leave what is known.
func (d *decoder) counts(c *cursor) bool {
	if c.next() != '{' {
		return c.skip()
	}
	var prompt, output, total, cost float64
	ok := c.members(func(key []byte) (ok bool) {
		switch string(key) {
		case "prompt_tokens", "input_tokens":
			prompt, _, ok = c.number()
		case "completion_tokens", "output_tokens":
			output, _, ok = c.number()
		case "total_tokens":
			total, _, ok = c.number()
		case "cost": // in US dollars, as OpenRouter and those who follow it say
			cost, _, ok = c.number()
		default:
			ok = c.skip()
		}
		return ok
	})
	prompt, output, total = max(prompt, 0), max(output, 0), max(total, 0)
	if ok && prompt+output+total > 0 {
		d.setUsage(prompt, output, total)
		if cost > 0 && cost <= mostCost {
			d.usage.Cost = cost
		}
	}
	return ok
}

// mostCost is above what any request costs, in US dollars; NaN is not below it.
const mostCost = 1e6

func (d *decoder) setUsage(prompt, output, total float64) {
	u := arena.Usage{PromptTokens: clampInt(prompt), CompletionTokens: clampInt(output), TotalTokens: clampInt(total)}
	if u.TotalTokens == 0 {
		u.TotalTokens = u.PromptTokens + u.CompletionTokens
	}
	d.usage, d.hasUsage = u, true
}

func clampInt(f float64) int {
	if math.IsNaN(f) || f < 0 {
		return 0
	}
	return int(min(f, 1<<40))
}
