package main

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/tui/guard"
)

const (
	// pageColumns is how wide the doctor's page is at most.
	pageColumns = 100
	// labelColumns is how wide the labels of its details are.
	labelColumns = 12
	// shownModels bounds how many models of a server are named.
	shownModels = 8
)

// doctorPage writes the page: a table with a row for each endpoint, then the
// details of each, then what else runs on this machine. What servers say passes
// the guard line by line, so that it cannot pass for the page's own words.
func doctorPage(d doctorOutput) string {
	var b strings.Builder
	file := guard.Line(d.Config)
	if file == "" {
		file = "none (herarena config init writes one)"
	}
	fmt.Fprintf(&b, "config  %s\nledger  %s\n", file, guard.Line(d.Ledger))
	if len(d.Endpoints) > 0 {
		b.WriteString("\n" + doctorTable(d.Endpoints))
	}
	for _, c := range d.Endpoints {
		b.WriteString("\n" + checkupText(c))
	}
	for _, f := range d.Found {
		b.WriteString("\n" + foundText(f))
	}
	if len(d.Endpoints) == 0 && len(d.Found) == 0 {
		b.WriteString("\nno endpoint is configured and none was found on this machine: the rehearsal plays\n")
	}
	return b.String()
}

// doctorTable writes one row for each endpoint. "?" is what could not be found
// out, "-" what was not tried.
func doctorTable(all []checkup) string {
	rows := [][]string{{"endpoint", "state", "server", "context", "streams", "usage", "prefill", "schema", "cancel", "first"}}
	for _, c := range all {
		row := []string{shortName(c.Report), stateOf(c), serverOf(c.Report), "-", "-", "-", "-", "-", "-", "-"}
		if c.ContextLength > 0 {
			row[3] = fmt.Sprint(c.ContextLength)
		}
		if c.Chat == endpoint.Yes {
			for i, a := range []endpoint.Ability{c.Streaming, c.Usage, c.Prefill, c.Schema, c.Cancel} {
				row[4+i] = string(a)
				if a == endpoint.Unknown {
					row[4+i] = "?"
				}
			}
			row[9] = shortTime(c.FirstByte)
		}
		rows = append(rows, row)
	}
	return aligned(rows, pageColumns, 2, 0)
}

// aligned writes rows in columns with two spaces between. Where they are wider
// than columns, the cells of those in narrow are cut, the widest first.
func aligned(rows [][]string, columns int, narrow ...int) string {
	widths := make([]int, len(rows[0]))
	total := 2 * (len(widths) - 1)
	for _, row := range rows {
		for i := range row {
			row[i] = guard.Line(row[i])
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
	}
	for _, w := range widths {
		total += w
	}
	for ; total > columns; total-- {
		widest := narrow[0]
		for _, i := range narrow {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= 1 {
			break
		}
		widths[widest]--
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			cell = ansi.Truncate(cell, widths[i], "…")
			line += cell + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// shortName is the endpoint's name; of one that is named by its address, the
// host.
func shortName(r endpoint.Report) string {
	if u, err := url.Parse(r.Name); err == nil && u.Host != "" {
		return u.Host
	}
	return r.Name
}

func serverOf(r endpoint.Report) string {
	if !r.Reachable {
		return "-"
	}
	if r.Kind == endpoint.KindOther {
		return cmp.Or(r.Version, "?")
	}
	return strings.TrimSpace(r.Kind + " " + r.Version)
}

// kindDetail names a server's kind and version in words. A server that is locked
// may be of any kind.
func kindDetail(kind, version string, locked bool) string {
	switch {
	case kind != endpoint.KindOther:
	case locked:
		kind = "of a kind that it does not tell without a key"
	default:
		kind = "of no kind that is known"
	}
	return strings.TrimSpace(kind + " " + version)
}

// locked reports whether a fault is about the key.
func locked(f *arena.Fault) bool { return f != nil && f.Kind == arena.Unauthorised }

// stateOf says in a word or two how an endpoint does.
func stateOf(c checkup) string {
	r, f := c.Report, c.Fault
	switch {
	case f == nil && c.partly():
		return "in part"
	case f == nil && r.Chat == endpoint.Yes:
		return "works"
	case f == nil && len(r.Models) == 0, f != nil && f.Kind == arena.NoSuchModel && r.Model == "":
		return "no models"
	case f == nil:
		return "not asked"
	case r.Auth == endpoint.AuthNeeded || r.Auth == endpoint.AuthRefused:
		return string(r.Auth)
	}
	switch f.Kind {
	case arena.Unreachable:
		return "no answer"
	case arena.Stalled:
		if r.FirstByte > 0 {
			return "too slow"
		}
		return "silent"
	case arena.Cancelled:
		return "too slow"
	case arena.Loading:
		return "loading"
	case arena.Overloaded:
		return "busy"
	case arena.NoSuchModel:
		return "no model"
	case arena.Unauthorised:
		return "refused"
	}
	if r.BaseURL == "" {
		return "not set up"
	}
	return "fails"
}

// checkupText writes the details of one endpoint.
func checkupText(c checkup) string {
	r := c.Report
	var b strings.Builder
	title := guard.Line(r.Name)
	if base := guard.Line(r.BaseURL); base != title {
		title += "   " + base
	}
	b.WriteString(strings.TrimSpace(title) + "\n")
	detail(&b, "address", r.Repaired)
	if r.Reachable {
		detail(&b, "server", serverDetail(r))
		detail(&b, "models", modelsDetail(r.Models))
		detail(&b, "asked", r.Model)
		detail(&b, "key", string(r.Auth))
	}
	if r.Chat == endpoint.Yes {
		detail(&b, "first text", shortTime(r.FirstByte))
		detail(&b, "streaming", string(r.Streaming))
		detail(&b, "usage", string(r.Usage))
		detail(&b, "reasoning", reasoningDetail(r))
		detail(&b, "prefill", prefillDetail(r))
		detail(&b, "JSON schema", string(r.Schema))
		detail(&b, "cancel", cancelDetail(r))
		detail(&b, "connection", connectionDetail(r))
	}
	for _, one := range r.Replicas {
		state := "lists its models"
		if one.Fault != nil {
			state = one.Fault.Error()
		}
		detail(&b, "also at", one.BaseURL+": "+state)
	}
	for _, u := range c.Used {
		if u.Offered == endpoint.No {
			detail(&b, "missing", missingDetail(u))
		}
	}
	for _, note := range r.Notes {
		detail(&b, "note", note)
	}
	if r.Fault != nil {
		detail(&b, "fault", r.Fault.Error())
	}
	return b.String()
}

// detail writes a label and a text, wrapped and indented; nothing where the text
// is empty.
func detail(b *strings.Builder, label, text string) {
	text = guard.Line(text)
	if text == "" {
		return
	}
	indent := strings.Repeat(" ", 2+labelColumns)
	fmt.Fprintf(b, "  %-*s%s\n", labelColumns, label, strings.Join(wordLines(text, pageColumns-len(indent)), "\n"+indent))
}

// wordLines breaks a text at its spaces, so that addresses and names stay whole
// for copying; a word that is wider than a line is cut.
func wordLines(text string, columns int) []string {
	var lines []string
	line, width := "", 0
	for _, word := range strings.Fields(text) {
		w := ansi.StringWidth(word)
		if width > 0 && width+1+w > columns {
			lines = append(lines, line)
			line, width = "", 0
		}
		if width > 0 {
			line, width = line+" ", width+1
		}
		for w > columns {
			head := ansi.Truncate(word, columns, "")
			if head == "" {
				break
			}
			lines = append(lines, head)
			word = word[len(head):]
			w = ansi.StringWidth(word)
		}
		line, width = line+word, width+w
	}
	return append(lines, line)
}

func serverDetail(r endpoint.Report) string {
	text := kindDetail(r.Kind, r.Version, locked(r.Fault) && len(r.Models) == 0)
	if r.ConfiguredKind != "" {
		text += " (configured as " + r.ConfiguredKind + ")"
	}
	if r.Service != "" {
		text += " at " + r.Service
	}
	if r.ContextLength > 0 {
		text += fmt.Sprintf(", %d tokens of context", r.ContextLength)
	}
	if r.Slots > 0 {
		text += fmt.Sprintf(", %s at once", pluralY(r.Slots, "repl"))
	}
	return text
}

// pluralY counts a thing that ends in y.
func pluralY(n int, stem string) string {
	if n == 1 {
		return "1 " + stem + "y"
	}
	return fmt.Sprintf("%d %sies", n, stem)
}

func modelsDetail(models []endpoint.Model) string {
	var parts []string
	for _, m := range models[:min(len(models), shownModels)] {
		text := guard.Line(m.ID)
		switch {
		case m.ContextLength > 0 && m.Trained > m.ContextLength:
			text += fmt.Sprintf(" (%d of %d tokens)", m.ContextLength, m.Trained)
		case m.ContextLength > 0 || m.Trained > 0:
			text += fmt.Sprintf(" (%d tokens)", max(m.ContextLength, m.Trained))
		}
		parts = append(parts, text)
	}
	if more := len(models) - shownModels; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

func reasoningDetail(r endpoint.Report) string {
	if r.Reasoning == "" {
		return "none came"
	}
	return "in the field " + r.Reasoning
}

func prefillDetail(r endpoint.Report) string {
	if r.PrefillWay == "" {
		return string(r.Prefill)
	}
	return fmt.Sprintf("%s, by the way %q", r.Prefill, r.PrefillWay)
}

func cancelDetail(r endpoint.Report) string {
	switch {
	case r.Cancel == endpoint.Yes:
		return "yes, the server was free again after " + shortTime(r.FreedTime)
	case r.Cancel == endpoint.Unknown && r.CancelTime > 0:
		return "unknown, the server does not tell; the client let go in " + shortTime(r.CancelTime)
	}
	return string(r.Cancel)
}

func connectionDetail(r endpoint.Report) string {
	text := "unknown whether it is kept"
	switch r.KeepAlive {
	case endpoint.KeepAliveKept:
		text = "kept between requests"
	case endpoint.KeepAliveClosed:
		text = "closed after each reply, as the server says"
	case endpoint.KeepAliveBroken:
		text = "closed after each reply, though the server promises to keep it"
	}
	if r.Pings > 0 {
		text += ", " + plural(r.Pings, "ping") + " while waiting"
	}
	return text
}

func missingDetail(u usedModel) string {
	text := fmt.Sprintf("the model %s of %s is not in the server's list", u.Model, strings.Join(u.By, " and "))
	if len(u.Nearest) > 0 {
		text += "; nearest: " + strings.Join(u.Nearest, ", ")
	}
	return text
}

// foundText writes what is known of a server that is not configured.
func foundText(f foundServer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "found %s, not configured: %s\n", guard.Line(f.BaseURL), plural(len(f.Models), "model"))
	detail(&b, "server", kindDetail(f.Kind, f.Version, locked(f.Fault)))
	detail(&b, "models", modelsDetail(f.Models))
	if f.Fault != nil {
		detail(&b, "fault", f.Fault.Error())
	}
	return b.String()
}
