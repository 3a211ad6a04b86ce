package card

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Bounds on an archive.
const (
	maxMembers = 10_000
	maxAsset   = 64 << 20 // bytes of one asset
)

// zipArchive is an open archive and its members by name.
type zipArchive struct {
	files  []*zip.File
	byName map[string]*zip.File
}

// archiveStart returns where an archive begins behind a picture, -1 if none
// does.
func archiveStart(data []byte) int {
	tail := data[max(0, len(data)-65557):]
	if !bytes.Contains(tail, []byte("PK\x05\x06")) {
		return -1
	}
	return bytes.Index(data, []byte("PK\x03\x04"))
}

// archive reads a file that is a ZIP, with or without something before it.
func (r *reader) archive(data []byte) (*File, *Error) {
	if !bytes.HasPrefix(data, []byte("PK")) {
		r.warn("prefix_data", "", "there is something before the archive, as in one that unpacks itself; it was passed over")
	}
	return r.zip(data)
}

// zip reads a CHARX or Backyard archive.
func (r *reader) zip(data []byte) (*File, *Error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, &Error{Code: BadZip, Message: "is an archive that cannot be opened (" + strings.TrimPrefix(err.Error(), "zip: ") + "); get the file again"}
	}
	if len(z.File) > maxMembers {
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("is an archive of more than %d files", maxMembers)}
	}
	a := zipArchive{byName: map[string]*zip.File{}}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if !fs.ValidPath(f.Name) {
			r.warnOnce("unsafe_path", "unsafe_path", "", fmt.Sprintf("the archive holds a file called %.80q, which points outside of it; it was left out", f.Name))
			continue
		}
		if a.byName[f.Name] == nil {
			a.files = append(a.files, f)
			a.byName[f.Name] = f
		}
	}
	if member, folder := a.find("card.json"); member != nil {
		if folder != "" {
			r.warn("card_json_not_at_root", "", fmt.Sprintf("card.json lies in the folder %.80q and not at the root of the archive", folder))
		}
		return r.charx(a, member, folder)
	}
	if member, folder := a.find("manifest.json"); member != nil {
		return r.byaf(a, member, folder)
	}
	if member, _ := a.find("character.json"); member != nil && strings.HasPrefix(strings.ToLower(member.Name), "characters/") {
		return nil, &Error{Field: member.Name, Code: NotACard, Message: "is a character of Voxta, whose fields are not published; export it there as a card (PNG or JSON)"}
	}
	return nil, &Error{Code: NoCard, Message: "is an archive without a card.json; a CHARX has one at its root"}
}

// find returns the member with a base name that lies highest, and its folder.
func (a zipArchive) find(base string) (*zip.File, string) {
	var best *zip.File
	for _, f := range a.files {
		if strings.EqualFold(path.Base(f.Name), base) && (best == nil || strings.Count(f.Name, "/") < strings.Count(best.Name, "/")) {
			best = f
		}
	}
	if best == nil {
		return nil, ""
	}
	folder := path.Dir(best.Name)
	if folder == "." {
		folder = ""
	}
	return best, folder
}

// member unpacks one member up to a bound.
func member(f *zip.File, limit int64) ([]byte, *Error) {
	tooLarge := &Error{Field: f.Name, Code: TooLarge, Message: fmt.Sprintf("unpacks to more than %d MiB", limit>>20)}
	if f.Flags&1 != 0 {
		return nil, &Error{Field: f.Name, Code: Encrypted, Message: "is encrypted; a card must not be: export it without a password"}
	}
	if f.UncompressedSize64 > uint64(limit) {
		return nil, tooLarge
	}
	rc, err := f.Open()
	if err != nil {
		return nil, &Error{Field: f.Name, Code: BadZip, Message: "cannot be unpacked: " + err.Error()}
	}
	defer rc.Close()
	data, err := io.ReadAll(io.LimitReader(rc, limit+1))
	switch {
	case int64(len(data)) > limit:
		return nil, tooLarge
	case err != nil:
		return nil, &Error{Field: f.Name, Code: BadZip, Message: "cannot be unpacked (" + strings.TrimPrefix(err.Error(), "zip: ") + "); get the file again"}
	}
	return data, nil
}

// document unpacks and parses a member that is JSON.
func (r *reader) document(f *zip.File) (*Object, *Error) {
	data, fault := member(f, maxText)
	if fault != nil {
		return nil, fault
	}
	v, fault := parseJSON(r.decodeText(data), r.duplicate)
	if fault != nil {
		fault.Field = f.Name
		return nil, fault
	}
	o, ok := v.(*Object)
	if !ok {
		return nil, &Error{Field: f.Name, Code: NotACard, Message: "holds no JSON object"}
	}
	return o, nil
}

func (r *reader) charx(a zipArchive, cardFile *zip.File, folder string) (*File, *Error) {
	root, fault := r.document(cardFile)
	if fault != nil {
		return nil, fault
	}
	f, fault := r.understand(root, "charx")
	if fault != nil {
		fault.Field = cardFile.Name
		return nil, fault
	}
	f.Format = "charx"
	for _, m := range a.files {
		if strings.EqualFold(path.Base(m.Name), "module.risum") {
			r.warn("risu_module_ignored", "", "the archive holds a RisuAI module (module.risum), which only RisuAI can read; its scripts and lore are not in play")
		}
	}
	for i, v := range f.Data.list("assets") {
		entry, _ := v.(*Object)
		uri := entry.text("uri")
		name, ok := embeddedPath(uri)
		if !ok {
			continue
		}
		m := a.byName[path.Join(folder, name)]
		if !fs.ValidPath(name) {
			r.warnOnce("unsafe_path", "unsafe_path", fmt.Sprintf("data.assets[%d]", i), fmt.Sprintf("points outside of the archive (%.80q); it was left out", uri))
			m = nil
		}
		if m == nil {
			r.warn("asset_missing", fmt.Sprintf("data.assets[%d]", i), fmt.Sprintf("names %.80q, which is not in the archive", uri))
			continue
		}
		f.addAsset(uri, int64(min(m.UncompressedSize64, maxAsset+1)), func() ([]byte, error) {
			data, fault := member(m, maxAsset)
			if fault != nil {
				return nil, fault
			}
			return data, nil
		})
	}
	return f, nil
}
