package characters

import (
	"bytes"
	"testing"
	"time"
)

// FuzzDecode checks that no file makes the reader panic, hang or accept what
// Validate refuses.
func FuzzDecode(f *testing.F) {
	f.Add(false, []byte("title='D'\nscenario='x'\n[character]\nname='M'\nprofile='p'\n[user]\nname='C'\n[[others]]\nname='P'\n"))
	f.Add(true, []byte(`{"title":"Dock","scenario":"x","character":{"name":"Mara","profile":"p"},"user":{"name":"C"}}`))
	f.Add(false, []byte("a = [{b='''\n'''}]\n[[others]]\n\"name\" = \"x\\\"\"\n"))
	f.Add(true, []byte(`{"others":[{"name":1}],"x":{}}`))
	f.Add(false, []byte("[user]\nname=\"a\"\n[user.x]\ny=1979-05-27\n"))
	f.Fuzz(func(t *testing.T, asJSON bool, data []byte) {
		name := "scene.toml"
		if asJSON {
			name = "scene.json"
		}
		began := time.Now()
		s, line, err := decode(data, name)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
		if line < 0 || line > 1+bytes.Count(data, []byte("\n")) {
			t.Errorf("the fault %v is at line %d", err, line)
		}
		if err != nil {
			return
		}
		if err := s.Validate(); err != nil {
			t.Errorf("a scene was read that is not valid: %v", err)
		}
		if SystemPrompt(s, PromptOptions{Dialect: "her"}) == "" {
			t.Error("a valid scene has no prompt")
		}
	})
}
