//go:build unix

package endpoint

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"herarena/arena"
)

// The load: a battle with more streams than anyone watches, each at the pace of
// a 32B model on one good card.
const (
	loadStreams = 64
	loadRate    = 60 // pieces a second
	loadSeconds = 4
	loadPieces  = loadRate * loadSeconds

	// loadServerEnv makes a test binary the server of a load.
	loadServerEnv = "HERARENA_LOAD_SERVER"
)

// TestLoadServer is the server of BenchmarkLoad when the benchmark starts the
// test binary once more, so that its work is not counted as the client's. It
// ends when its standard input does.
func TestLoadServer(t *testing.T) {
	if os.Getenv(loadServerEnv) == "" {
		t.Skip("only for BenchmarkLoad")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	pieces := vllmTape().writes
	pieces = append(pieces[:loadPieces:loadPieces], pieces[len(pieces)-1])
	fmt.Printf("%s\n", l.Addr())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { pacedReply(conn, pieces) })
		}
	})
	_, _ = io.Copy(io.Discard, os.Stdin)
	l.Close()
	wg.Wait()
}

// pacedReply answers one request with the pieces, loadRate of them a second.
func pacedReply(conn net.Conn, pieces []string) {
	defer conn.Close()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
	start := time.Now()
	for i, piece := range pieces {
		time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second / loadRate)))
		if _, err := fmt.Fprintf(conn, "%x\r\n%s\r\n", len(piece), piece); err != nil {
			return
		}
	}
	_, _ = io.WriteString(conn, "0\r\n\r\n")
}

// startLoadServer starts the other process and returns its base address.
func startLoadServer(b *testing.B) string {
	b.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestLoadServer$", "-test.v=false")
	cmd.Env = append(os.Environ(), loadServerEnv+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return "http://" + strings.TrimSpace(line) + "/v1"
}

// cpuTime is what this process has used of all cores, in the kernel included.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkLoad reads 64 replies of 60 pieces a second at once and reports how
// much of one core this process took: core-% in all, and above-copy-% beyond
// what reading the same bytes without a look at them takes. One turn takes four
// seconds and is enough (-benchtime 1x).
func BenchmarkLoad(b *testing.B) {
	base := startLoadServer(b)
	plain := &http.Client{Transport: &http.Transport{}}
	b.Cleanup(plain.CloseIdleConnections)
	cfg := openai.DefaultConfig("")
	cfg.BaseURL, cfg.HTTPClient = base, plain
	api := openai.NewClientWithConfig(cfg)
	c := newClient(b, Config{BaseURL: base})
	var bare float64
	for _, way := range []struct {
		name string
		read func() error
	}{
		{"io.Copy", func() error { return loadCopy(plain, base) }},
		{"Recv", func() error { return loadRecv(api) }},
		{"Play", func() error { return loadPlay(c) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			var percent float64
			for b.Loop() {
				percent += loadOnce(b, way.read)
			}
			percent /= float64(b.N)
			if way.name == "io.Copy" {
				bare = percent
			}
			b.ReportMetric(percent, "core-%")
			b.ReportMetric(percent-bare, "above-copy-%")
			b.ReportMetric(percent*1e4/(loadStreams*loadRate), "µs/chunk")
		})
	}
}

// loadOnce runs all streams and returns the percentage of one core they took.
func loadOnce(b *testing.B, read func() error) float64 {
	b.Helper()
	errs := make(chan error, loadStreams)
	start, used := time.Now(), cpuTime(b)
	for i := range loadStreams {
		go func() {
			// Spread over one period, as streams are that began by themselves.
			time.Sleep(time.Duration(i) * time.Second / loadRate / loadStreams)
			errs <- read()
		}()
	}
	for range loadStreams {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
	return 100 * (cpuTime(b) - used).Seconds() / time.Since(start).Seconds()
}

func loadCopy(client *http.Client, base string) error {
	resp, err := client.Post(base+"/chat/completions", "application/json", strings.NewReader("{}"))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func loadRecv(api *openai.Client) error {
	s, err := api.CreateChatCompletionStream(context.Background(), openai.ChatCompletionRequest{Model: "m"})
	if err != nil {
		return err
	}
	defer s.Close()
	for {
		if _, err := s.Recv(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func loadPlay(c *Client) error {
	n := 0
	out := c.Player("m").Play(context.Background(), hello(), func(arena.Chunk) { n++ })
	if out.Fault != nil {
		return out.Fault
	}
	if n != loadPieces || !out.Complete {
		return fmt.Errorf("%d pieces, complete %v", n, out.Complete)
	}
	return nil
}
