package characters

// Setting tells of a scene what a judge of its character should know: the
// sections of SystemPrompt up to the character's inner thoughts, without how
// the reply is to be written.
func Setting(s Scene) string { return SettingWith(s, Lore{}) }

// SettingWith is Setting with what a lorebook adds for one turn.
func SettingWith(s Scene, l Lore) string { return sections(s, settingSections(s, l)) }
