package look

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Lay puts a box over rows that are w cells wide, its upper left corner at x, y.
// What of the box lies outside is left out.
func Lay(rows, box []string, x, y, w int) {
	x = max(x, 0)
	for i, over := range box {
		if y+i < 0 || y+i >= len(rows) {
			continue
		}
		row, size := rows[y+i], Width(over)
		left := ansi.Truncate(row, x, "")
		left += strings.Repeat(" ", max(x-Width(left), 0))
		right := ansi.TruncateLeft(row, x+size, "")
		if free := w - x - size - Width(right); free > 0 { // a wide character was cut in two
			right = strings.Repeat(" ", free) + right
		}
		rows[y+i] = left + reset + over + reset + right
	}
}
