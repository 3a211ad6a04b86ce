package arena

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

var idAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns an id that sorts by the time it was made: 48 bits of Unix
// milliseconds and 48 random bits, 20 characters.
func NewID(at time.Time) string {
	var b [12]byte
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(b[:6], ms[2:])
	// crypto/rand.Read never fails on the platforms Go supports.
	_, _ = rand.Read(b[6:])
	return strings.ToLower(idAlphabet.EncodeToString(b[:]))
}
