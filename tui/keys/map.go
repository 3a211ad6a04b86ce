package keys

// Map is the keys in force by the name of the action. A nil Map leaves every
// action its default keys.
type Map struct {
	keys map[string][]string
}

// Of returns a binding with the keys in force. Its label goes when its keys
// have changed.
func (m *Map) Of(b Binding) Binding {
	if m == nil || b.Name == "" {
		return b
	}
	if keys, ok := m.keys[b.Name]; ok {
		b.Keys, b.Label = keys, ""
	}
	return b
}
