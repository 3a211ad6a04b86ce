package clip

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// mostNames bounds the files of one name in one folder.
const mostNames = 999

// Save writes a text into a new file that only its owner may read, and returns
// the file's full path: in the first of the folders that takes it. A file that is
// there already stays as it is, and another name is taken. name may hold
// anything; what no file name should hold becomes a hyphen.
func Save(folders []string, name, text string) (path string, err error) {
	base := "herarena-" + plainName(name)
	err = errors.New("there is no folder to write to")
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if path, err = saveIn(folder, base, text); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the text could not be written to a file: %w", err)
}

// Folders are where Save may write: the folder the program was started in, the
// person's home, the system's folder for what is temporary.
func Folders() []string {
	out := []string{"."}
	if home, err := os.UserHomeDir(); err == nil {
		out = append(out, home)
	}
	return append(out, os.TempDir())
}

func saveIn(folder, base, text string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for n := 1; n <= mostNames; n++ {
		path := filepath.Join(folder, base+".txt")
		if n > 1 {
			path = filepath.Join(folder, fmt.Sprintf("%s-%d.txt", base, n))
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.WriteString(strings.TrimRight(text, "\n") + "\n")
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return "", errors.Join(err, os.Remove(path)) // half a text is worse than none
		}
		return path, nil
	}
	return "", fmt.Errorf("%s and %d more of that name are there already; move some away", base+".txt", mostNames-1)
}

// plainName makes a short file name of letters, digits and hyphens.
func plainName(s string) string {
	const most = 60
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if b.Len()+4 >= most {
			break
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "text"
	}
	return b.String()
}
