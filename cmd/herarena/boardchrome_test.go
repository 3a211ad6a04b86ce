package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium here")
	return ""
}

// The page of a board is opened in a browser without a network, on a phone and a
// desk, light and dark: all of it is there, asks for nothing from elsewhere, and is
// no wider than the screen.
func TestTheBoardPageInABrowser(t *testing.T) {
	browser := chromium(t)
	folder := t.TempDir()
	page := filepath.Join(folder, "board.html")
	csv := filepath.Join("..", "..", "arena", "rating", "testdata", "battles_200.csv")
	if r := call(t, "", "board", "--from", csv, "--by", "language", "--rating", "glicko2", "--html", page); r.code != exitOK {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?i)(src|href|url\(|@import|<script|https?:)`).Find(text); m != nil {
		t.Errorf("the page holds %q", m)
	}
	// A page beside it measures it in a frame of the width of a screen.
	const measure = `<!doctype html><iframe id=f src="board.html" style="width:%dpx;height:800px;border:0"></iframe><pre id=o></pre><script>
f.onload=()=>{const d=f.contentDocument,e=d.documentElement;o.textContent=[e.scrollWidth<=%d?"fits":"wide "+e.scrollWidth,d.querySelectorAll("tbody tr").length,
d.querySelectorAll("polyline").length,f.contentWindow.getComputedStyle(d.body).backgroundColor].join(";")}</script>`
	seen := make(map[string]bool)
	for _, width := range []int{390, 1200} {
		for _, scheme := range []string{"0", "1"} {
			frame := filepath.Join(folder, fmt.Sprintf("frame%d.html", width))
			if err := os.WriteFile(frame, fmt.Appendf(nil, measure, width, width), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
			cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files",
				"--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir="+filepath.Join(folder, "profile"), "--blink-settings=preferredColorScheme="+scheme,
				"--virtual-time-budget=4000", "--dump-dom", "file://"+frame)
			out, err := cmd.Output()
			cancel()
			if err != nil {
				t.Fatalf("the browser failed: %v", err)
			}
			m := regexp.MustCompile(`<pre id="o">([^;]*);(\d+);(\d+);([^<]*)</pre>`).FindStringSubmatch(string(out))
			if m == nil {
				t.Fatalf("the page did not load: %.400s", out)
			}
			if m[1] != "fits" || m[2] == "0" || m[3] != "8" {
				t.Errorf("%d wide: %q", width, m[1:])
			}
			seen[strings.TrimSpace(m[4])] = true
		}
	}
	if len(seen) != 2 {
		t.Errorf("light and dark are drawn on %v", seen)
	}
}

func TestBoardAsTablesOfOtherKinds(t *testing.T) {
	csv := filepath.Join("..", "..", "arena", "rating", "testdata", "battles_200.csv")
	for args, want := range map[string]string{
		"--csv":                         "by,value,contestant,rank,rank_to,bt,low,high",
		"--md":                          "| rank | contestant | BT |",
		"--md --agreement":              "### Agreement",
		"--agreement --flips tie":       "the same 22 %",
		"--rating am-elo":               "am-elo",
		"--rating openwebui --csv":      "rp-model-06,1,",
		"--ridge 2":                     "rp-model-06",
		"--daily-cap 3":                 "164 battles left out",
		"--next --seed 4":               "Drawn: ",
		"--history":                     "ratings over time",
		"--agreement --json":            `"shown_first"`,
		"--composite vote=1 --from x":   "",
		"--json --csv":                  "",
		"--flips tie":                   "",
		"--daily-cap -1":                "",
		"--rating chess":                "",
		"--scene ball":                  "",
		"--ridge 1 --model davidson":    "",
		"--agreement --flips sometimes": "",
	} {
		r := call(t, "", append([]string{"board", "--from", csv}, strings.Fields(args)...)...)
		switch {
		case want == "" && r.code != exitUsage:
			t.Errorf("%s: %+v", args, r)
		case want != "" && (r.code != exitOK || !strings.Contains(r.out, want)):
			t.Errorf("%s: want %q in %+v", args, want, r)
		}
	}
}
