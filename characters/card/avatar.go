package card

import "bytes"

// Avatar returns the picture of the character and what it is ("png", "jpeg",
// "webp", "gif"), nil where the file holds none: the main icon among its
// assets, else the picture that the card came in.
func (f *File) Avatar() ([]byte, string) {
	var best []byte
	for _, v := range f.Data.list("assets") {
		a, _ := v.(*Object)
		if a.text("type") != "icon" || best != nil && a.text("name") != "main" {
			continue
		}
		if data := f.AssetBytes(a.text("uri")); pictureKind(data) != "" {
			best = data
		}
	}
	if best == nil {
		best = f.Picture
	}
	return best, pictureKind(best)
}

// AssetBytes returns what a URI stands for where the file itself holds it, nil
// where it does not.
func (f *File) AssetBytes(uri string) []byte {
	if _, rest, ok := bytes.Cut([]byte(uri), []byte(";base64,")); ok && len(uri) > 5 && uri[:5] == "data:" {
		data, _, fault := payload(rest)
		if fault != nil {
			return nil
		}
		return data
	}
	data, err := f.Asset(uri)
	if err != nil {
		return nil
	}
	return data
}

// pictureKind tells a picture by its first bytes.
func pictureKind(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte(pngSignature)):
		return "png"
	case bytes.HasPrefix(data, []byte("\xFF\xD8\xFF")):
		return "jpeg"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp"
	case bytes.HasPrefix(data, []byte("GIF8")):
		return "gif"
	}
	return ""
}
