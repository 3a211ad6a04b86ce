package layers

import (
	"bytes"
	"unicode"
)

// isSpace reports white space as it is trimmed around a text, the byte order
// mark included, which some servers send first.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

// span is a segment of a draft: its layer and where its text starts. It ends
// where the next one starts.
type span struct {
	layer Layer
	start int
}

// draft is the growing list of segments. The texts stand one after another in
// one buffer, so that a segment grows without being copied.
type draft struct {
	segs []span
	text []byte
	// blank is white space after the last segment's text that belongs to it
	// only if more text follows.
	blank []byte
	// live is true while nothing stood after the last segment, so that text of
	// its layer continues it.
	live bool
	// spoke is true once there is a speech segment.
	spoke bool
	// keptSegs and keptText say how much is unchanged since the last settle.
	keptSegs, keptText int
}

// add appends text in a layer and reports whether it was more than white space.
func (d *draft) add(layer Layer, b []byte) bool {
	if !d.continues(layer) {
		b = bytes.TrimLeftFunc(b, isSpace)
		d.live = false
		if len(b) == 0 {
			return false
		}
		d.begin(layer)
	} else if d.segs[len(d.segs)-1].start == len(d.text) {
		b = bytes.TrimLeftFunc(b, isSpace)
	}
	core := bytes.TrimRightFunc(b, isSpace)
	if len(core) > 0 {
		d.text = append(d.text, d.blank...)
		d.text = append(d.text, core...)
		d.blank = d.blank[:0]
	}
	d.blank = append(d.blank, b[len(core):]...)
	return len(core) > 0
}

func (d *draft) continues(layer Layer) bool {
	return d.live && len(d.segs) > 0 && d.segs[len(d.segs)-1].layer == layer
}

// begin starts an empty segment.
func (d *draft) begin(layer Layer) {
	d.segs = append(d.segs, span{layer, len(d.text)})
	d.blank = d.blank[:0]
	d.live = true
	d.spoke = d.spoke || layer == Speech
}

// at returns the text of segment i.
func (d *draft) at(i int) []byte {
	if i+1 < len(d.segs) {
		return d.text[d.segs[i].start:d.segs[i+1].start]
	}
	return d.text[d.segs[i].start:]
}

// clear empties the draft.
func (d *draft) clear() {
	d.back(place{})
}

// retag gives the last segment another layer.
func (d *draft) retag(layer Layer) {
	last := len(d.segs) - 1
	d.segs[last].layer = layer
	d.keptSegs = min(d.keptSegs, last)
	d.keptText = min(d.keptText, d.segs[last].start)
	d.blank = d.blank[:0]
	d.live = false
	d.spoke = false
	for _, s := range d.segs {
		d.spoke = d.spoke || s.layer == Speech
	}
}

// place is a point of a draft to go back to.
type place struct {
	segs, text  int
	blank       []byte
	live, spoke bool
}

// here notes the present point; blank is reused for its copy.
func (d *draft) here(blank []byte) place {
	return place{len(d.segs), len(d.text), append(blank[:0], d.blank...), d.live, d.spoke}
}

// back returns to a marked point.
func (d *draft) back(p place) {
	d.segs = d.segs[:p.segs]
	d.text = d.text[:p.text]
	d.blank = append(d.blank[:0], p.blank...)
	d.live, d.spoke = p.live, p.spoke
	d.keptSegs = min(d.keptSegs, p.segs)
	d.keptText = min(d.keptText, p.text)
}

// segments returns the list as values.
func (d *draft) segments() []Segment {
	out := make([]Segment, len(d.segs))
	all := string(d.text)
	for i, s := range d.segs {
		end := len(all)
		if i+1 < len(d.segs) {
			end = d.segs[i+1].start
		}
		out[i] = Segment{Layer: s.layer, Text: all[s.start:end]}
	}
	return out
}

// view is the list as the reader of the edits has it.
type view struct {
	segs []span
	text []byte
}

// settle emits the edits that lead from the view to the draft and brings the
// view up to date. Its cost is that of what changed, not of the whole.
func (v *view) settle(d *draft, emit func(Edit)) {
	if emit != nil {
		v.edits(d, emit)
	}
	v.text = append(v.text[:min(d.keptText, len(v.text))], d.text[min(d.keptText, len(v.text)):]...)
	v.segs = append(v.segs[:min(d.keptSegs, len(v.segs))], d.segs[min(d.keptSegs, len(v.segs)):]...)
	d.keptSegs, d.keptText = len(d.segs), len(d.text)
}

func (v *view) end(i int) int {
	if i+1 < len(v.segs) {
		return v.segs[i+1].start
	}
	return len(v.text)
}

// edits finds the first segment that differs and emits from there.
func (v *view) edits(d *draft, emit func(Edit)) {
	// Segments before the last kept one are the same in both, text included.
	i := max(min(d.keptSegs, len(v.segs))-1, 0)
	for ; i < len(v.segs); i++ {
		if i >= len(d.segs) || v.segs[i] != d.segs[i] {
			break
		}
		from := min(max(v.segs[i].start, d.keptText), v.end(i))
		old := v.text[from:v.end(i)]
		now := d.text[from : d.segs[i].start+len(d.at(i))]
		if !bytes.HasPrefix(now, old) {
			break
		}
		if len(now) > len(old) {
			if i+1 < len(v.segs) {
				emit(Edit{Index: i + 1, Reset: true})
			}
			emit(Edit{Index: i, Layer: d.segs[i].layer, Text: string(now[len(old):])})
			emitFrom(d, i+1, emit)
			return
		}
	}
	if i < len(v.segs) {
		emit(Edit{Index: i, Reset: true})
	}
	emitFrom(d, i, emit)
}

func emitFrom(d *draft, i int, emit func(Edit)) {
	for ; i < len(d.segs); i++ {
		emit(Edit{Index: i, Layer: d.segs[i].layer, Text: string(d.at(i))})
	}
}
