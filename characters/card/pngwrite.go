package card

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	_ "image/jpeg" // pictures of cards
	"image/png"
	"strconv"
	"strings"

	_ "golang.org/x/image/webp" // likewise
)

// The bounds of a picture that is converted, in pixels.
const (
	maxSide   = 8192
	maxPixels = 24_000_000
)

// png writes the card into its picture: version 3 under ccv3, version 2 under
// chara for older programs, and the assets beside them. All other chunks of a
// PNG stay, with checksums set right.
func (f *File) png() ([]byte, error) {
	var assets []chunk
	data, err := f.packed(func(i int, data []byte, _ string) string {
		key := strconv.Itoa(i)
		assets = append(assets, chunk{"tEXt", []byte("chara-ext-asset_:" + key + "\x00" + base64.StdEncoding.EncodeToString(data))})
		return "__asset:" + key
	})
	if err != nil {
		return nil, err
	}
	v2, err := compact(f.root2(data))
	if err != nil {
		return nil, err
	}
	v3, err := compact(f.root3(data))
	if err != nil {
		return nil, err
	}
	added := append(assets,
		chunk{"tEXt", []byte("chara\x00" + base64.StdEncoding.EncodeToString(v2))},
		chunk{"tEXt", []byte("ccv3\x00" + base64.StdEncoding.EncodeToString(v3))})
	var out bytes.Buffer
	out.WriteString(pngSignature)
	for _, c := range f.canvas() {
		if c.kind == "IEND" {
			break
		}
		if !cardChunk(c) {
			writeChunk(&out, c)
		}
	}
	for _, c := range added {
		writeChunk(&out, c)
	}
	writeChunk(&out, chunk{"IEND", nil})
	return out.Bytes(), nil
}

// cardChunk reports a chunk that holds a card or one of its assets, in any of
// the forms.
func cardChunk(c chunk) bool {
	if c.kind == "eXIf" {
		return looksLikeJSON(exifComment(c.data))
	}
	if c.kind != "tEXt" && c.kind != "zTXt" && c.kind != "iTXt" {
		return false
	}
	name, _, _ := bytes.Cut(c.data, []byte{0})
	key := strings.ToLower(string(name))
	return key == "ccv3" || key == "chara" || strings.HasPrefix(key, "chara-ext-asset_")
}

func writeChunk(b *bytes.Buffer, c chunk) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(c.data)))
	b.Write(n[:])
	sum := crc32.NewIEEE()
	for _, part := range [][]byte{[]byte(c.kind), c.data} {
		b.Write(part)
		_, _ = sum.Write(part)
	}
	binary.BigEndian.PutUint32(n[:], sum.Sum32())
	b.Write(n[:])
}

// canvas returns the chunks of a picture for the card: its own PNG, its avatar,
// or a plain one.
func (f *File) canvas() []chunk {
	avatar, _ := f.Avatar()
	for _, data := range [][]byte{f.Picture, avatar} {
		if chunks := pictureChunks(data); chunks != nil {
			return chunks
		}
	}
	return walkPNG(plainPicture(f.DisplayName())).list
}

// pictureChunks returns the chunks of a picture, converted where it is no PNG;
// nil where that cannot be done.
func pictureChunks(data []byte) []chunk {
	switch pictureKind(data) {
	case "png":
		p := walkPNG(data)
		has := map[string]bool{}
		for _, c := range p.list {
			has[c.kind] = true
		}
		if p.cut || p.tooMany || !has["IHDR"] || !has["IDAT"] {
			return nil
		}
		return p.list
	case "jpeg", "webp":
		size, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || size.Width > maxSide || size.Height > maxSide || size.Width*size.Height > maxPixels {
			return nil
		}
		img, _, err := image.Decode(bytes.NewReader(data))
		var out bytes.Buffer
		if err != nil || png.Encode(&out, img) != nil {
			return nil
		}
		return walkPNG(out.Bytes()).list
	}
	return nil
}

// plainPicture draws a soft gradient whose colour comes from the name.
func plainPicture(name string) []byte {
	const width, height = 256, 384
	h := crc32.ChecksumIEEE([]byte(name))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	r, g, b := 60+h&0x7F, 60+h>>8&0x7F, 60+h>>16&0x7F
	for y := range height {
		shade := uint32(255 - 160*y/height)
		c := color.RGBA{uint8(r * shade / 255), uint8(g * shade / 255), uint8(b * shade / 255), 255}
		for x := range width {
			img.SetRGBA(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return []byte(pngSignature)
	}
	return out.Bytes()
}
