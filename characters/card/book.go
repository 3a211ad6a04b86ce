package card

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"herarena/characters/lore"
)

const (
	defaultDepth = 4
	defaultOrder = 100
	maxEntries   = 20_000
)

// bookOf makes a lorebook of version 3 of a value, nil where there is none.
func (r *reader) bookOf(v any, field string) *Object {
	var raw *Object
	switch v := v.(type) {
	case *Object:
		raw = v
	case []any:
		if len(v) == 0 {
			return nil
		}
		r.warn("coerced", field, "is a list; it was read as the book's entries")
		raw = NewObject("entries", v)
	case nil:
		return nil
	case string:
		if strings.TrimSpace(v) == "" {
			return nil
		}
		r.warn("coerced", field, "is no lorebook; it was left out")
		return nil
	default:
		r.warn("coerced", field, "is no lorebook; it was left out")
		return nil
	}
	book := raw.Clone()
	for _, key := range []string{"name", "description"} {
		if book.Has(key) {
			book.Set(key, r.asText(book.Get(key), field+"."+key))
		}
	}
	for _, key := range []string{"scan_depth", "token_budget"} {
		r.number(book, key, field)
	}
	if book.Has("recursive_scanning") {
		book.Set("recursive_scanning", r.truth(book, "recursive_scanning", field, false))
	}
	book.Set("extensions", r.extensions(book.Get("extensions"), field+".extensions"))
	book.Set("entries", r.entries(book.Get("entries"), field+".entries"))
	return book
}

// entries makes a list of entries of a list, or of an object keyed by number.
func (r *reader) entries(v any, field string) []any {
	var raw []any
	switch v := v.(type) {
	case []any:
		raw = v
	case *Object:
		r.warn("coerced", field, "is an object; its values were taken as the list")
		raw = numberedValues(v)
	case nil:
	default:
		r.warn("coerced", field, "is no list; the book is empty")
	}
	out := []any{}
	for i, v := range raw {
		at := fmt.Sprintf("%s[%d]", field, i)
		o, ok := v.(*Object)
		if !ok {
			r.warn("coerced", at, "is no object; it was left out")
			continue
		}
		if len(out) >= maxEntries {
			r.warn("too_many_entries", field, fmt.Sprintf("has more than %d entries; the rest was left out", maxEntries))
			break
		}
		out = append(out, r.entry(o, at))
	}
	return out
}

// numberedValues returns the values of an object, by number where the keys are
// numbers.
func numberedValues(o *Object) []any {
	keys := o.Keys()
	number := func(i int) (int, bool) {
		n, err := strconv.Atoi(keys[i])
		return n, err == nil
	}
	sort.SliceStable(keys, func(i, j int) bool {
		a, oka := number(i)
		b, okb := number(j)
		return oka && okb && a < b
	})
	out := make([]any, 0, len(keys))
	for _, key := range keys {
		out = append(out, o.Get(key))
	}
	return out
}

// worldNames are the names that SillyTavern's own world files give to what a
// card's book calls otherwise; those of the second list go to extensions.
var (
	worldNames = [][2]string{{"key", "keys"}, {"keysecondary", "secondary_keys"}, {"order", "insertion_order"}, {"uid", "id"}}
	worldExtra = [][2]string{
		{"depth", "depth"},
		{"role", "role"},
		{"selectiveLogic", "selectiveLogic"},
		{"probability", "probability"},
		{"useProbability", "useProbability"},
		{"excludeRecursion", "exclude_recursion"},
		{"preventRecursion", "prevent_recursion"},
		{"delayUntilRecursion", "delay_until_recursion"},
		{"group", "group"},
		{"groupOverride", "group_override"},
		{"groupWeight", "group_weight"},
		{"scanDepth", "scan_depth"},
		{"caseSensitive", "case_sensitive"},
		{"matchWholeWords", "match_whole_words"},
		{"sticky", "sticky"},
		{"cooldown", "cooldown"},
		{"delay", "delay"},
		{"useGroupScoring", "use_group_scoring"},
		{"automationId", "automation_id"},
		{"vectorized", "vectorized"},
		{"displayIndex", "display_index"},
	}
)

// entry makes an entry of version 3; what it does not know stays as it is.
func (r *reader) entry(raw *Object, field string) *Object {
	raw = raw.Clone()
	ext := r.extensions(raw.Get("extensions"), field+".extensions")
	if _, native := raw.Get("key").([]any); native && !raw.Has("keys") {
		fromWorld(raw, ext)
	}
	e := &Object{}
	e.Set("keys", r.asTexts(raw.Get("keys"), field+".keys", true))
	e.Set("content", r.asText(raw.Get("content"), field+".content"))
	e.Set("extensions", ext)
	e.Set("enabled", r.truth(raw, "enabled", field, true))
	r.number(raw, "insertion_order", field)
	e.Set("insertion_order", json.Number(strconv.Itoa(defaultOrder)))
	if n, ok := raw.Get("insertion_order").(json.Number); ok {
		e.Set("insertion_order", n)
	}
	for _, key := range []string{"use_regex", "constant", "selective"} {
		if raw.Has(key) || key == "use_regex" {
			e.Set(key, r.truth(raw, key, field, false))
		}
	}
	for _, key := range []string{"name", "comment"} {
		if raw.Has(key) {
			e.Set(key, r.asText(raw.Get(key), field+"."+key))
		}
	}
	if raw.Has("secondary_keys") {
		e.Set("secondary_keys", r.asTexts(raw.Get("secondary_keys"), field+".secondary_keys", true))
	}
	r.number(raw, "priority", field)
	r.position(raw, ext, field)
	for _, key := range raw.Keys() {
		if !e.Has(key) {
			e.Set(key, raw.Get(key))
		}
	}
	return e
}

// fromWorld renames the fields of a SillyTavern world entry.
func fromWorld(raw, ext *Object) {
	for _, n := range worldNames {
		if raw.Has(n[0]) && !raw.Has(n[1]) {
			raw.Set(n[1], raw.Get(n[0]))
			raw.Delete(n[0])
		}
	}
	for _, n := range worldExtra {
		if raw.Has(n[0]) && !ext.Has(n[1]) {
			ext.Set(n[1], raw.Get(n[0]))
			raw.Delete(n[0])
		}
	}
	if raw.Has("disable") && !raw.Has("enabled") {
		raw.Set("enabled", raw.Get("disable") != true)
		raw.Delete("disable")
	}
	if raw.Has("position") && !ext.Has("position") {
		ext.Set("position", raw.Get("position"))
		raw.Set("position", string(lore.AfterChar))
		if n, ok := wholeNumber(ext.Get("position")); ok && n == 0 {
			raw.Set("position", string(lore.BeforeChar))
		}
	}
}

// position makes the word of version 2 out of a number.
func (r *reader) position(raw, ext *Object, field string) {
	n, ok := wholeNumber(raw.Get("position"))
	if !ok {
		return
	}
	word := lore.AfterChar
	if n == 0 {
		word = lore.BeforeChar
	}
	r.warn("coerced", field+".position", fmt.Sprintf("is a number; %s was taken", word))
	if n > 1 && !ext.Has("position") {
		ext.Set("position", json.Number(strconv.Itoa(n)))
	}
	raw.Set("position", string(word))
}

// number makes a number of a field, or takes it out.
func (r *reader) number(o *Object, key, field string) {
	v := o.Get(key)
	if _, ok := v.(json.Number); ok || v == nil {
		return
	}
	if n, ok := wholeNumber(v); ok {
		r.warn("coerced", field+"."+key, "is text; it was read as a number")
		o.Set(key, json.Number(strconv.Itoa(n)))
		return
	}
	r.warn("coerced", field+"."+key, "is no number; it was left out")
	o.Delete(key)
}

// truth makes true or false of a field.
func (r *reader) truth(o *Object, key, field string, missing bool) bool {
	switch v := o.Get(key).(type) {
	case bool:
		return v
	case nil:
		return missing
	case json.Number:
		r.warn("coerced", field+"."+key, "is a number where true or false is expected")
		n, _ := wholeNumber(v)
		return n != 0
	case string:
		r.warn("coerced", field+"."+key, "is text where true or false is expected")
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "1", "yes", "on":
			return true
		case "":
			return missing
		}
		return false
	}
	r.warn("coerced", field+"."+key, "is neither true nor false")
	return missing
}

// loreBook makes a book that can be searched of one of version 3.
func loreBook(o *Object) *lore.Book {
	if o == nil {
		return nil
	}
	b := &lore.Book{Name: CleanName(o.text("name")), Recursive: o.Get("recursive_scanning") == true}
	if n, ok := wholeNumber(o.Get("scan_depth")); ok {
		b.ScanDepth = &n
	}
	if n, ok := wholeNumber(o.Get("token_budget")); ok {
		b.Budget = n
	}
	for i, v := range o.list("entries") {
		if e, ok := v.(*Object); ok {
			b.Entries = append(b.Entries, loreEntry(e, i))
		}
	}
	return b
}

func loreEntry(o *Object, i int) lore.Entry {
	ext := o.object("extensions")
	number := func(key string, missing int) int {
		if n, ok := wholeNumber(ext.Get(key)); ok {
			return n
		}
		return missing
	}
	e := lore.Entry{
		ID: strconv.Itoa(i), Title: CleanName(o.text("name")),
		Keys: textList(o.list("keys")), Secondary: textList(o.list("secondary_keys")), Content: o.text("content"),
		Enabled: o.Get("enabled") == true, Constant: o.Get("constant") == true, Selective: o.Get("selective") == true,
		UseRegex: o.Get("use_regex") == true, CaseSensitive: o.Get("case_sensitive") == true || ext.Get("case_sensitive") == true,
		WholeWords: ext.Get("match_whole_words") == true, Logic: lore.Logic(number("selectiveLogic", 0)),
		Depth: number("depth", defaultDepth), Role: "system", Probability: 100, Place: lore.AfterChar,
		ExcludeRecursion: ext.Get("exclude_recursion") == true, PreventRecursion: ext.Get("prevent_recursion") == true,
		Delay: number("delay", 0), Sticky: number("sticky", 0), Cooldown: number("cooldown", 0),
		GroupScoring: ext.Get("use_group_scoring") == true, Group: ext.text("group"), GroupWeight: number("group_weight", 100), GroupOverride: ext.Get("group_override") == true,
	}
	if e.Title == "" {
		e.Title = CleanName(o.text("comment"))
	}
	switch id := o.Get("id").(type) {
	case string:
		e.ID = id
	case json.Number:
		e.ID = id.String()
	}
	if n, ok := wholeNumber(o.Get("insertion_order")); ok {
		e.Order = n
	}
	if n, ok := wholeNumber(o.Get("priority")); ok {
		e.Priority = &n
	}
	if n, ok := wholeNumber(ext.Get("scan_depth")); ok {
		e.ScanDepth = &n
	}
	if on := ext.Get("useProbability"); on != false {
		e.Probability = number("probability", 100)
	}
	if n := number("delay_until_recursion", 0); ext.Get("delay_until_recursion") == true || n > 0 {
		e.DelayRecursion = true
	}
	e.Place, e.Role = lorePlace(o, ext)
	return e
}

// lorePlace tells where an entry goes. SillyTavern's number counts before the
// word of version 2; what it keeps for outlets, which nothing calls, goes after the
// character.
func lorePlace(o, ext *Object) (lore.Place, string) {
	role := "system"
	if n, ok := wholeNumber(ext.Get("role")); ok && n >= 0 && n <= 2 {
		role = [...]string{"system", "user", "assistant"}[n]
	}
	if n, ok := wholeNumber(ext.Get("position")); ok {
		switch n {
		case 0:
			return lore.BeforeChar, role
		case 1:
			return lore.AfterChar, role
		case 2:
			return lore.NoteTop, role
		case 3:
			return lore.NoteBottom, role
		case 4:
			return lore.AtDepth, role
		case 5:
			return lore.ExamplesTop, role
		case 6:
			return lore.ExamplesBottom, role
		}
	}
	if o.text("position") == string(lore.BeforeChar) {
		return lore.BeforeChar, role
	}
	return lore.AfterChar, role
}
