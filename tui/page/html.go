package page

import "html/template"

// pages are the parts of an HTML document. The template package escapes what is
// put in by where it stands; the policy in the head forbids scripts and anything
// from elsewhere even if it did not.
var pages = template.Must(template.New("").Parse(`
{{define "head"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.}}</title>
<style>
:root{--ink:#22242a;--paper:#fbfaf7;--soft:#5d6070;--line:#ddd8cc;--card:#fff;--a:#974200;--b:#00569e;--think:#5b3a94;--act:#735300;--warn:#b0141f;--good:#1a6b2b}
@media(prefers-color-scheme:dark){:root{--ink:#e6e2d8;--paper:#1b1c20;--soft:#a7abc0;--line:#3a3b41;--card:#232429;--a:#ffb067;--b:#7cc4ff;--think:#cbb4f2;--act:#dcbd7f;--warn:#ff9a9a;--good:#93d69a}}
*{box-sizing:border-box}
body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;max-width:76rem;padding:1rem;color:var(--ink);background:var(--paper)}
h1{margin-bottom:.2rem}h2{border-top:1px solid var(--line);padding-top:1rem;margin-top:2rem}h3{margin:.2rem 0}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.5rem .7rem;border:1px solid var(--line);border-radius:.3rem;font-size:.9rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;color:var(--soft)}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
.line{border-left:3px solid var(--soft);padding:.2rem .8rem;margin:.6rem 0}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
@media(max-width:50rem){.sides{grid-template-columns:1fr}}
.side{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;min-width:0}
.A h3,.goes-A{color:var(--a)}.B h3,.goes-B{color:var(--b)}
details{margin:.35rem 0}summary{cursor:pointer;color:var(--soft)}
.system .text,.native .text{color:var(--soft)}.think .text{color:var(--think);font-style:italic}.act{color:var(--act);font-weight:600}
.marks{color:var(--soft);font-size:.9rem}.canon{color:var(--good);font-weight:600}.remark{color:var(--warn);font-size:.92rem}
.ruling{border:1px solid var(--line);border-radius:.5rem;padding:.4rem .9rem;margin:1rem 0;background:var(--card)}
.bar{width:9rem;height:.7rem;vertical-align:middle;margin:0 .5rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .5rem;border-top:1px solid var(--line)}
@media print{details:not([open])>*:not(summary){display:block}body{max-width:none}}
</style>
</head>
<body>
{{end}}

{{define "segment"}}{{if eq .Kind "speech"}}{{range .Parts}}{{if .Code}}<pre class="code"><code>{{.Text}}</code></pre>{{else}}<p class="speech text" dir="auto">{{.Text}}</p>{{end}}
{{end}}{{else if eq .Kind "act"}}<p class="act text" dir="auto">{{.Text}}</p>
{{else}}<details class="{{.Kind}}"{{if eq .Kind "think"}} open{{end}}><summary>{{.Name}}</summary><div class="text" dir="auto">{{.Text}}</div></details>
{{end}}{{end}}

{{define "reply"}}<div class="reply">
<p class="marks">{{if .Title}}{{.Title}} {{end}}{{if .Canon}}<span class="canon">● canon</span> {{end}}{{if .Chosen}}<b>the vote</b> {{end}}{{if .Invalid}}<b>does not count: {{.Invalid}}</b> {{end}}{{.Stats}}</p>
{{range .Segments}}{{template "segment" .}}{{end}}{{range .Remarks}}<p class="remark" dir="auto">{{.}}</p>
{{end}}</div>
{{end}}

{{define "principle"}}<details class="principle"><summary><b>{{.Name}}</b> <span class="marks">{{.About}}</span>
<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{{.Goes}} {{.Degree}}"><rect x="0" y="4" width="100" height="2" fill="currentColor" opacity="0.25"/><rect x="{{.From}}" y="1" width="{{.Width}}" height="8" fill="currentColor"/><rect x="49.5" y="0" width="1" height="10" fill="currentColor"/></svg>
<b class="goes-{{.Goes}}">{{.Goes}}</b>{{if ne .Goes "tie"}} {{.Degree}}{{end}}</summary>
{{if .Definition}}<p class="marks text" dir="auto">{{.Definition}}</p>
{{end}}{{if .Opinions}}<table><tr><th>order</th><th>A</th><th>B</th><th>why</th><th>goes to</th></tr>
{{range .Opinions}}<tr><td>{{.Order}}</td><td class="text" dir="auto">{{.A}}</td><td class="text" dir="auto">{{.B}}</td><td class="text" dir="auto">{{.Reason}}</td><td>{{.Goes}}</td></tr>
{{end}}</table>
{{end}}</details>
{{end}}

{{define "ruling"}}<section class="ruling"><p><b>{{.Critic}}: {{.Sum}}</b> <span class="marks">{{.Orders}} {{.Time}}{{if .Old}}, on replies that were asked for again{{end}}{{if .Why}}; does not count: {{.Why}}{{end}}</span></p>
{{range .Cards}}{{template "principle" .}}{{end}}{{range .Prose}}<details><summary>{{.Name}}</summary><div class="text" dir="auto">{{.Value}}</div></details>
{{end}}{{range .Faults}}<p class="remark" dir="auto">{{.}}</p>
{{end}}</section>
{{end}}

{{define "said"}}{{if .Scenery}}<p class="text marks" dir="auto">{{.Scenery}}</p>
{{end}}{{if .Note}}<details open><summary>director's note</summary><div class="text" dir="auto">{{.Note}}</div></details>
{{end}}{{end}}

{{define "duel"}}<article>
<h1 dir="auto">{{.Title}}</h1>
<dl>{{range .Facts}}<dt>{{.Name}}</dt><dd dir="auto">{{.Value}}</dd>{{end}}</dl>
<details><summary>{{if .Cast}}{{.Cast}} are{{else}}{{.Character}} is{{end}} played by {{range $i, $p := .Parties}}{{if $i}} and {{end}}<b>{{$p.Name}}</b>{{end}}{{if .Hidden}}; who stood where stays hidden{{end}}</summary>
{{range .Parties}}<h3>{{.Name}}</h3><dl>{{range .Facts}}<dt>{{.Name}}</dt><dd dir="auto">{{.Value}}</dd>{{end}}</dl>
{{end}}</details>
{{if .Scenario}}<p class="text" dir="auto">{{.Scenario}}</p>
{{end}}{{if .Opening}}<div><b>{{.Character}}</b>
{{range .Opening}}{{template "segment" .}}{{end}}</div>
{{end}}{{$user := .User}}{{$character := .Character}}{{range .Past}}<section class="past"><h2>Before: turn {{.Number}}</h2>
{{template "said" .}}{{if or .Line (not (or .Speaker .Scenery))}}<div class="line"><b>{{$user}}</b><p class="text" dir="auto">{{.Line}}</p></div>
{{end}}{{if .HasReply}}<div class="side"><b>{{if .Speaker}}{{.Speaker}}{{else}}{{$character}}{{end}}</b> <span class="marks">{{.By}}{{if .Edited}} (edited by hand){{end}}</span>
{{range .Segments}}{{template "segment" .}}{{end}}</div>
{{end}}</section>
{{end}}{{range .Turns}}<section class="turn"><h2>Turn {{.Number}}</h2>
{{template "said" .}}{{if or .Line (not (or .Speaker .Scenery))}}<div class="line"><b>{{$user}}</b>{{if .Auto}} <span class="marks">written by {{.Auto}}</span>{{end}}<p class="text" dir="auto">{{.Line}}</p></div>
{{end}}{{if .Speaker}}<p class="marks">{{.Speaker}} {{if .Line}}answers{{else}}goes on{{end}}</p>
{{end}}<div class="sides">
{{range .Sides}}<div class="side {{.Letter}}"><h3>{{.Letter}}{{if .Name}} · {{.Name}}{{end}}</h3>
{{if not .Replies}}<p class="marks">no reply</p>
{{end}}{{range .Replies}}{{if .Latest}}{{template "reply" .}}{{else}}<details><summary>{{.Title}}</summary>{{template "reply" .}}</details>
{{end}}{{end}}</div>
{{end}}</div>
{{range .Rulings}}{{template "ruling" .}}{{end}}{{range .Votes}}<p class="vote"><b>Vote: {{.Text}}</b> <span class="marks">{{.By}} {{.At}}{{if .Why}}; does not count: {{.Why}}{{end}}{{if not .Holds}} (no longer holds){{end}}</span></p>
{{end}}</section>
{{end}}</article>
{{end}}

{{define "foot"}}</body>
</html>
{{end}}
`))
