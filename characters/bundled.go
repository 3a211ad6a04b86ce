package characters

import "embed"

//go:embed scenes/*.toml
var sceneFiles embed.FS

// bundledOrder is the order of the casting screen.
var bundledOrder = [...]string{"ball", "mutiny", "interrogation", "android", "market", "teahouse"}

// Bundled returns the scenes that ship with the program, in the order of the
// casting screen. Each call gives a copy of its own.
func Bundled() []Scene {
	out := make([]Scene, 0, len(bundledOrder))
	for _, id := range bundledOrder {
		name := id + ".toml"
		data, err := sceneFiles.ReadFile("scenes/" + name)
		if err != nil {
			continue // the files are part of the program; a test reads each of them
		}
		s, _, err := decode(data, name)
		if err != nil {
			continue
		}
		s.Bundled = true
		out = append(out, s)
	}
	return out
}
