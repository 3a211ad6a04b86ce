package endpoint

import "strings"

// leastVeiled is the shortest secret that is taken out of replies: shorter ones,
// such as "none" for a server that wants any key, are words.
const leastVeiled = 8

// hide puts a mark in the place of secrets.
func hide(text string, secrets []string) string {
	for _, secret := range secrets {
		text = strings.ReplaceAll(text, secret, "[key]")
	}
	return text
}

// leastTail is the shortest beginning of a secret that is taken off the end of a
// text that may have been cut.
const leastTail = 4

// withoutTail takes off the end of a text what may be the beginning of a secret
// that was cut in two.
func withoutTail(text string, secrets []string) string {
	cut := strings.HasSuffix(text, "…")
	text = strings.TrimSuffix(text, "…")
	for _, secret := range secrets {
		for n := min(len(secret)-1, len(text)); n >= leastTail; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				return text[:len(text)-n] + "…"
			}
		}
	}
	if cut {
		return text + "…"
	}
	return text
}

// veil takes keys out of a stream of text: a server that repeats the request's
// headers must not put them on a screen or into a ledger. What may be the
// beginning of a key is held back until the next text or flush.
type veil struct {
	secrets []string
	held    string
}

func newVeil(secrets []string) veil {
	var v veil
	for _, s := range secrets {
		if len(s) >= leastVeiled {
			v.secrets = append(v.secrets, s)
		}
	}
	return v
}

func (v *veil) pass(text string) string {
	if len(v.secrets) == 0 {
		return text
	}
	s := v.held + text
	keep := 0
	for _, secret := range v.secrets {
		s = strings.ReplaceAll(s, secret, "[key]")
	}
	for _, secret := range v.secrets {
		for n := min(len(secret)-1, len(s)); n > keep; n-- {
			if strings.HasSuffix(s, secret[:n]) {
				keep = n
				break
			}
		}
	}
	v.held = s[len(s)-keep:]
	return s[:len(s)-keep]
}

func (v *veil) flush() string {
	s := v.held
	v.held = ""
	return s
}
