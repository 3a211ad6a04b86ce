package portrait

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"herarena/tui/screentest"
)

// painted is a picture with a dark left, a bright right, and a clear corner.
func painted(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(255 * x / w), uint8(255 * y / h), 90, 255}
			if x < w/8 && y < h/8 {
				c.A = 0
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

func pngOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decoded(t testing.TB, img image.Image) *Picture {
	t.Helper()
	p, err := Decode(context.Background(), pngOf(t, img))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryKindOfPictureIsRead(t *testing.T) {
	t.Parallel()
	var j, g bytes.Buffer
	if err := jpeg.Encode(&j, painted(90, 120), nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&g, painted(90, 120), nil); err != nil {
		t.Fatal(err)
	}
	webp, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		w, h int
	}{"png": {pngOf(t, painted(90, 120)), 90, 120}, "jpeg": {j.Bytes(), 90, 120}, "gif": {g.Bytes(), 90, 120}, "webp": {webp, 1, 1}, "large": {pngOf(t, painted(1024, 512)), 512, 256}} {
		p, err := Decode(context.Background(), c.data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w, h := p.Size(); w != c.w || h != c.h {
			t.Errorf("%s: %d × %d pixels are kept, want %d × %d", name, w, h, c.w, c.h)
		}
	}
}

// claiming is the beginning of a PNG that says it has so many pixels.
func claiming(w, h uint32) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	head = append(head, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
}

func TestHostilePicturesAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	whole := pngOf(t, painted(300, 300))
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"a square of fifty thousand": {claiming(50_000, 50_000), ErrLarge},
		"a thin line":                {claiming(1<<30, 1), ErrLarge},
		"many pixels":                {claiming(16_000, 16_000), ErrLarge},
		"no pixels":                  {claiming(0, 10), nil},
		"no picture":                 {[]byte("hello"), ErrKind},
		"nothing":                    {nil, ErrKind},
		"cut off":                    {whole[:len(whole)/2], nil},
		"a head alone":               {claiming(10, 10), nil},
	} {
		began := time.Now()
		_, err := Decode(context.Background(), c.data)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Decode(ctx, whole); !errors.Is(err, context.Canceled) {
		t.Errorf("a picture nobody waits for is read on: %v", err)
	}
}

// TestAveragesAreOfLight has a checkerboard become the grey that gives as much
// light, which is far from half of 255.
func TestAveragesAreOfLight(t *testing.T) {
	t.Parallel()
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range img.Pix {
		if (i%64+i/64)%2 == 0 {
			img.Pix[i] = 255
		}
	}
	for _, p := range decoded(t, img).sample(4, 4, 1, 1) {
		if p.g < 187 || p.g > 189 {
			t.Fatalf("half the light is %.1f, want 188", p.g)
		}
	}
}

func TestAPortraitIsCutFromTheSidesAndBelow(t *testing.T) {
	t.Parallel()
	if x0, y0, x1, y1 := decoded(t, painted(400, 200)).crop(1, 1); x0 != 100 || x1 != 300 || y0 != 0 || y1 != 200 {
		t.Errorf("a wide picture: %v %v %v %v", x0, y0, x1, y1)
	}
	if x0, y0, x1, y1 := decoded(t, painted(100, 700)).crop(1, 1); x0 != 0 || x1 != 100 || y0 != 100 || y1 != 200 {
		t.Errorf("a high picture: %v %v %v %v", x0, y0, x1, y1)
	}
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestCellsFillTheirPlaceInAllColours(t *testing.T) {
	t.Parallel()
	for _, img := range []image.Image{painted(300, 400), painted(1, 1), painted(3, 700), painted(700, 3), image.NewNRGBA(image.Rect(0, 0, 40, 40))} {
		p := decoded(t, img)
		for _, o := range []Options{{Colours: True}, {Colours: Many}, {Colours: Sixteen}, {}, {ASCII: true}, {ASCII: true, Colours: True}} {
			for _, size := range [][2]int{{1, 1}, {12, 9}, {40, 30}} {
				for _, o.Dark = range []bool{true, false} {
					o.W, o.H = size[0], size[1]
					rows := p.Cells(o)
					if len(rows) != o.H {
						t.Fatalf("%+v: %d rows", o, len(rows))
					}
					for _, row := range rows {
						if n := ansi.StringWidth(row); n != o.W {
							t.Fatalf("%+v: a row of %d cells: %q", o, n, row)
						}
						plain := sgr.ReplaceAllString(row, "")
						switch {
						case strings.Contains(plain, "\x1b"):
							t.Fatalf("%+v: a row has more than colours: %q", o, row)
						case o.Colours == None && plain != row:
							t.Fatalf("%+v: there are colours in %q", o, row)
						case o.ASCII && strings.ContainsFunc(plain, func(r rune) bool { return r > '~' }):
							t.Fatalf("%+v: not ASCII: %q", o, plain)
						}
					}
				}
			}
		}
	}
}

func TestWhatIsClearStaysClear(t *testing.T) {
	t.Parallel()
	rows := decoded(t, painted(160, 160)).Cells(Options{W: 32, H: 16, Colours: True})
	if !strings.HasPrefix(ansi.Strip(rows[0]), "   ") || strings.Contains(ansi.Strip(rows[0])[6:], " ") {
		t.Errorf("the first row is %q", ansi.Strip(rows[0]))
	}
}

// pane shows rows of placeholders beside a border, as a screen does.
type pane struct{ rows []string }

func (p pane) Init() tea.Cmd { return nil }

func (p pane) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "ctrl+c" {
		return p, tea.Quit
	}
	return p, nil
}

func (p pane) View() tea.View {
	out := make([]string, len(p.rows))
	for i, row := range p.rows {
		out[i] = "|" + row + "|"
	}
	return tea.View{Content: strings.Join(out, "\n"), AltScreen: true}
}

// TestPlaceholdersAreCellsOfTheirOwn draws placeholders with Bubble Tea's renderer
// and reads the terminal: each takes one cell and keeps its row and column.
func TestPlaceholdersAreCellsOfTheirOwn(t *testing.T) {
	t.Parallel()
	const w, h = 24, 18
	p, err := decoded(t, painted(300, 400)).PlaceKitty(0x480123, w, h, false)
	if err != nil {
		t.Fatal(err)
	}
	for y, row := range p.Rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("row %d has %d cells", y, n)
		}
	}
	x := screentest.Start(t, pane{p.Rows}, 60, 24)
	x.WaitUntil(t, "all placeholders stand", func(s string) bool { return strings.Count(s, string(kitty.Placeholder)) == w*h })
	for y, line := range x.Lines()[:h] {
		want := "|"
		for i := range w {
			want += string([]rune{kitty.Placeholder, kitty.Diacritic(y), kitty.Diacritic(i)})
		}
		if line != want+"|" {
			t.Fatalf("row %d reads %q", y, line)
		}
	}
	x.Press("ctrl+c")
	x.WaitDone(t)
}

func TestThePictureIsSentInPieces(t *testing.T) {
	t.Parallel()
	pic := decoded(t, painted(500, 700))
	for _, wrap := range []bool{false, true} {
		p, err := pic.PlaceKitty(77, 30, 22, wrap)
		if err != nil {
			t.Fatal(err)
		}
		up := p.Upload
		if wrap {
			if !strings.HasPrefix(up, "\x1bPtmux;\x1b\x1b_G") {
				t.Fatalf("not passed through tmux: %.30q", up)
			}
			up = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(up, "\x1bPtmux;", ""), "\x1b\x1b", "\x1b"), "\x1b\\\x1b\\", "\x1b\\")
		}
		var data string
		for i, part := range strings.Split(strings.TrimSuffix(up, "\x1b\\"), "\x1b\\") {
			keys, piece, ok := strings.Cut(strings.TrimPrefix(part, "\x1b_G"), ";")
			if !ok || len(piece) > kitty.MaxChunkSize || i == 0 && !strings.Contains(keys, "a=T,U=1,i=77,c=30,r=22,f=100,q=2") {
				t.Fatalf("piece %d: %d bytes under %q", i, len(piece), keys)
			}
			data += piece
		}
		raw, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := png.DecodeConfig(bytes.NewReader(raw)); err != nil || c.Width > 360 || c.Height > 528 {
			t.Errorf("what was sent is %v, %v", c, err)
		}
	}
	if _, err := pic.PlaceKitty(1, 0, 5, false); err == nil {
		t.Error("no cells are enough")
	}
}

func TestTheTerminalIsAskedAndNeverGuessed(t *testing.T) {
	t.Parallel()
	yes := uv.KittyGraphicsEvent{Options: kitty.Options{ID: query}, Payload: []byte("OK")}
	for name, c := range map[string]struct {
		setting Setting
		tmux    string
		hears   []tea.Msg
		places  bool
	}{
		"kitty":               {Auto, "", []tea.Msg{tea.TerminalVersionMsg{Name: "kitty(0.35.2)"}, yes}, true},
		"ghostty":             {"", "", []tea.Msg{tea.TerminalVersionMsg{Name: "ghostty 1.1.0"}, yes}, true},
		"an old kitty":        {Auto, "", []tea.Msg{tea.TerminalVersionMsg{Name: "kitty(0.27.1)"}, yes}, false},
		"no second answer":    {Auto, "", []tea.Msg{tea.TerminalVersionMsg{Name: "kitty(0.35.2)"}}, false},
		"WezTerm":             {Auto, "", []tea.Msg{tea.TerminalVersionMsg{Name: "WezTerm 20240203"}, yes}, false},
		"an answer unasked":   {Auto, "", []tea.Msg{yes}, false},
		"in tmux":             {Auto, "/tmp/tmux", []tea.Msg{tea.TerminalVersionMsg{Name: "kitty(0.35.2)"}, yes}, false},
		"in tmux, by setting": {Kitty, "/tmp/tmux", nil, true},
		"blocks by setting":   {Blocks, "", []tea.Msg{tea.TerminalVersionMsg{Name: "kitty(0.35.2)"}, yes}, false},
		"off":                 {Off, "", []tea.Msg{tea.TerminalVersionMsg{Name: "kitty(0.35.2)"}, yes}, false},
	} {
		term := NewTerminal(c.setting, func(string) string { return c.tmux })
		term.Ask()
		if term.Ask() != nil {
			t.Errorf("%s: it is asked twice", name)
		}
		for _, m := range c.hears {
			term.Hear(m)
		}
		if term.Places() != c.places || term.Shown() != (c.setting != Off) {
			t.Errorf("%s: places %v, shown %v", name, term.Places(), term.Shown())
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(pngOf(f, painted(20, 20)))
	f.Add(claiming(40, 40))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00"))
	f.Add([]byte("\xff\xd8\xff\xe0\x00\x10JFIF"))
	f.Add([]byte("RIFF\x22\x00\x00\x00WEBPVP8 "))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(context.Background(), data)
		if err != nil {
			return
		}
		for _, row := range p.Cells(Options{W: 6, H: 4, Colours: Many}) {
			if ansi.StringWidth(row) != 6 {
				t.Errorf("a row is %q", row)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data := pngOf(b, painted(2048, 3072))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(context.Background(), data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCells(b *testing.B) {
	p := decoded(b, painted(800, 1200))
	for b.Loop() {
		p.Cells(Options{W: 40, H: 30, Colours: True})
	}
}
