package replay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"herarena/tui/keys"
	"herarena/tui/look"
)

// barPlaces are the cells of the bar in the last row, for the mouse.
type barPlaces struct{ from, to int }

// View returns the stage with the replay's own row in place of the composer's.
// While nothing has changed it is the very same string.
func (s *Screen) View() string {
	frame, row := s.stage.View(), ""
	if s.stage.Searching() {
		return frame // its last row is the search's
	}
	row = s.control()
	if s.text != "" && frame == s.shown && row == s.row {
		return s.text
	}
	s.shown, s.row = frame, row
	i := strings.LastIndexByte(frame, '\n')
	s.text = frame[:i+1] + row
	return s.text
}

// control is the last row: what the replay does, where it is, and its keys.
func (s *Screen) control() string {
	l := s.o.Look
	word := "held"
	switch {
	case s.over():
		word = "over"
	case s.playing || s.o.Bare:
		word = "plays"
	}
	left := " " + l.Paint(look.Accent, l.Pad(word, 5)) + "  " + clock(s.at) + l.Paint(look.Dim, " of "+clock(s.length)) + "  " + times(l, s.speed) + "  "
	hints := ""
	if !s.o.Bare {
		bar := 14
		if s.w < 80 {
			bar = 5
		}
		hints = s.hints(max(s.w-look.Width(left)-bar-1, 0))
	}
	room := max(s.w-look.Width(left)-look.Width(hints)-1, 0)
	s.bar = barPlaces{look.Width(left), look.Width(left) + room}
	return l.Pad(left+s.progress(room)+hints, s.w)
}

// progress draws how far the replay has come in w cells.
func (s *Screen) progress(w int) string {
	if w <= 0 {
		return ""
	}
	l, full := s.o.Look, 0
	if s.length > 0 {
		full = min(int(float64(w)*float64(s.at)/float64(s.length)), w)
	}
	block := l.Glyphs.Bar[len(l.Glyphs.Bar)-1]
	return l.Paint(look.Accent, strings.Repeat(block, full)) + l.Paint(look.Border, strings.Repeat(l.Glyphs.BarEmpty, w-full))
}

func (s *Screen) hints(room int) string {
	l := s.o.Look
	hold := s.keys.Get("replay.play")
	switch {
	case s.over():
		hold = hold.Hinted("again")
	case !s.playing:
		hold = hold.Hinted("go on")
	}
	text := ""
	for _, b := range []keys.Binding{
		hold, s.keys.Get("replay.leave"), keys.New("", "?").Hinted("help"),
		s.keys.Get("replay.faster"), s.keys.Get("replay.slower"), s.keys.Get("replay.turn.next"), s.find,
	} {
		next := text + "  " + l.Paint(look.Key, b.ShownIn(l.ASCII)) + l.Paint(look.Dim, " "+b.Hint)
		if look.Width(next) > room {
			break
		}
		text = next
	}
	return text
}

// clock writes minutes and seconds.
func clock(d time.Duration) string {
	n := int(d / time.Second)
	if n >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

func times(l *look.Look, speed float64) string {
	sign := "×"
	if l.ASCII {
		sign = "x"
	}
	return sign + strconv.FormatFloat(speed, 'g', 3, 64)
}
