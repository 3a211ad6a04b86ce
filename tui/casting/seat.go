package casting

// Seat chooses who plays A and B, by name. missing lists those who cannot be
// chosen here; then nothing changes.
func (c *Casting) Seat(a, b string) (missing []string) {
	at, bt := c.contestant(a), c.contestant(b)
	if at < 0 {
		missing = append(missing, a)
	}
	if bt < 0 {
		missing = append(missing, b)
	}
	if len(missing) > 0 {
		return missing
	}
	c.chosen[aField], c.chosen[bField] = at, bt
	c.list()
	c.tell("A and B are the pair from the board: enter starts", false)
	return nil
}
