package formats

import (
	"strconv"
	"strings"

	"herarena/arena/layers"
	"herarena/characters/card"
)

func itoa(n int) string { return strconv.Itoa(n) }

// bareMessage takes out of a kept message what the layers asked for do not show:
// reasoning wherever it stands, and tagged layers in its texts.
func (ex *exporter) bareMessage(o *card.Object) {
	name, _ := o.Get("name").(string)
	bareKeys(o)
	if o.Get("is_user") == true {
		return
	}
	bare := func(v any) any {
		switch v := v.(type) {
		case string:
			return ex.bareText(v, name)
		case *card.Object: // Chub writes a text within an object
			if text, ok := v.Get("message").(string); ok {
				v.Set("message", ex.bareText(text, name))
			}
		}
		return v
	}
	if o.Has("mes") {
		o.Set("mes", bare(o.Get("mes")))
	}
	if swipes, ok := o.Get("swipes").([]any); ok {
		for i := range swipes {
			swipes[i] = bare(swipes[i])
		}
	}
	if extra, ok := o.Get("extra").(*card.Object); ok {
		if text, ok := extra.Get("display_text").(string); ok {
			extra.Set("display_text", ex.bareText(text, name))
		}
	}
}

// bareKeys deletes what other programs and this one keep of a model's thinking.
func bareKeys(v any) {
	switch v := v.(type) {
	case *card.Object:
		for _, key := range v.Keys() {
			if strings.HasPrefix(key, "reasoning") {
				v.Delete(key)
				continue
			}
			if key == "herarena" {
				if ours, ok := v.Get(key).(*card.Object); ok {
					ours.Delete("segments", "of")
				}
				continue
			}
			bareKeys(v.Get(key))
		}
	case []any:
		for _, item := range v {
			bareKeys(item)
		}
	}
}

// bareText is a text without the layers that are not shown; one that has none of
// them stays as it was written.
func (ex *exporter) bareText(text, name string) string {
	read := layers.Parse(text, layers.Options{Name: name})
	var shown []layers.Segment
	for _, s := range read.Segments {
		if ex.shows(s.Layer) {
			shown = append(shown, s)
		}
	}
	if len(shown) == len(read.Segments) {
		return text
	}
	return layers.Render(shown, written(read.Dialect, shown), "")
}
