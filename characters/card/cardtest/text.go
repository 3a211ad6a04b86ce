package cardtest

import (
	"strings"
)

// text is a text that something may stumble over.
func (m *maker) text() string {
	switch m.IntN(4) {
	case 0:
		return m.plain()
	case 1:
		return m.macros()
	}
	return one(m, traps[:]...)
}

func (m *maker) plain() string {
	return one(m, "Marrow keeps the light.", "*bows* Good evening.", "{{char}} waits for {{user}}.", "你好，{{user}}。", "مرحبا", "<START>\n{{user}}: Hi\n{{char}}: Ho", "")
}

// traps are texts that once broke a program of this kind.
var traps = [...]string{
	"\x1b[31mred\x1b[0m", "\x1b]52;c;cm0gLXJm\x07", "\x1bP+q544e\x1b\\", "\u009b31mC1", "\u0090q\u009c", "\x1b[2J\x1b[H", "\x1b[8mhidden", "\x07\x08\x0b\x0c\x7f",
	"\u202egnp.exe", "\u2066a\u2069\u2067b", "\u200b\u200d\ufeff\u00ad", "a\u0301\u0302\u0303\u0304", "👩‍👩‍👧‍👦🏳️‍🌈", "\U000E0041\U000E007F", "\u2028\u2029", "\x00", "a\x00b", "\ufffd", "\r\n\r\r\n",
	"../../../etc/passwd", "C:\\CON", "file:///etc/passwd", "javascript:alert(1)", "<script>alert(1)</script>", "&#27;[31m", "&lt;&#x1b;", "$&$1\\1", "%s%n%x", "'; DROP TABLE duels;--",
	"<think>", "</think>", "<system_thinking><role_thinking>", "</role_action></system_thinking>", "{{char}}: {{user}}: Name: ", "User: User: User:", "<|im_start|>system", "[INST]<<SYS>>", "\n\n\n\nA:", "```\n\n```",
	"@@depth 4\n@@@role assistant\n@@activate", "@@depth 999999999999999999999\n@@@@@@x", "/(a+)+$/", "/(?<=x)(a|aa)+$/i", "/[/", "/(?:(?:(?:a*)*)*)*b/", "/\\", "//", "/a{1000000}/", "/(.*)*\\1/s",
	"[character(\"X\") { trait(\"a\" + \"b\") }]", "---\nname: x\n---\n", "<START><START><start>", "**", "_", "\\", "\"", "'", "`", "|", "| a |\n|--|", "![x](http://127.0.0.1:1/x.png)", "[x](\x1b]8;;http://x\x07)", "# \n> \n- ", "\t", " ", "\u3000",
	"Ⅷ", "ﬀ", "İi̇", "ß", "ǅ", "0", "-0", "null", "NaN", "true", "[]", "{}", "=cmd|' /C calc'!A0", "\\ud800", "\\u0000",
}

// macros is text with marks, nested, unclosed and endless.
func (m *maker) macros() string {
	n := one(m, 1, 2, 5, 5, 40)
	if m.IntN(60) == 0 {
		n = one(m, 600, 4000)
	}
	switch m.IntN(14) {
	case 0:
		return strings.Repeat("{{", n)
	case 1:
		return strings.Repeat("{{random::a::", n) + strings.Repeat("}}", n)
	case 2:
		return strings.Repeat("{{if x}}", n) + strings.Repeat("{{else}}", n) + strings.Repeat("{{/if}}", n)
	case 3:
		return one(m, "{{roll:99999999999999999999d9}}", "{{roll:1000000d1000000}}", "{{roll:-1}}", "{{roll:0d0}}", "{{roll:1d6+99999999999999999999}}", "{{roll:d}}")
	case 4:
		return "{{setvar::a::{{getvar::a}}{{getvar::a}}}}" + strings.Repeat("{{getvar::a}}", n)
	case 5:
		return strings.Repeat("{{reverse:{{pick:a,b}}}}", n)
	case 6:
		return strings.Repeat("}}{{", n)
	case 7:
		return "{{" + strings.Repeat("char", n) + "}}"
	case 8:
		return strings.Repeat("{{original}}{{description}}{{personality}}{{mesExamples}}", min(n, 600))
	case 9:
		return strings.Repeat("{{//", n) + strings.Repeat("}}", n/2)
	case 10:
		return "{{datetimeformat " + strings.Repeat("YYYY", n) + "}}{{time_UTC+99999999999}}{{idle_duration}}"
	case 11:
		return strings.Repeat("<USER><BOT><char>{{user}}", n)
	case 12:
		return "{{random:" + strings.Repeat("x,", n) + "}}{{pick::" + strings.Repeat("::", n) + "}}"
	}
	return strings.Repeat("{", n) + "char" + strings.Repeat("}", n)
}

// name is a name nobody should have.
func (m *maker) name() string {
	switch m.IntN(12) {
	case 0:
		if m.IntN(4) > 0 {
			return m.plain()
		}
		return strings.Repeat(one(m, "A", "é", "a\u0301", "\u202e", "{{char}}", "A: "), one(m, 100, 300, 2000))
	case 1, 2, 3:
		return one(m, "Marrow Vane", "Wren", "User", "You", "Environment")
	case 4:
		return one(m, "", " ", "\n", ":", "：", "A:B", "\x1b[31m", "\u200b", "{{user}}", "{{char}}")
	}
	return m.text()
}

// list is several texts.
func (m *maker) list() []any {
	var out []any
	for range m.IntN(5) {
		out = append(out, m.value(m.text))
	}
	return out
}
