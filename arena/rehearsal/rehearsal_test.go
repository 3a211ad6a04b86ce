package rehearsal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"herarena/arena/layers"
	"herarena/characters"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client keeps no connection, so that no goroutine of it outlives a test.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func start(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func instant(t *testing.T) *Server { return start(t, Options{Pace: -1}) }

type msg struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func post(t *testing.T, ctx context.Context, url string, body any) *http.Response {
	t.Helper()
	b, ok := body.([]byte)
	if !ok {
		var err error
		if b, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// reply is what a client makes of one answer.
type reply struct {
	status int
	body   string
	text   string
	finish string
	usage  *usage
	id     string
	chunks int
	done   bool
}

type answerJSON struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Choices []struct {
		Delta        struct{ Content string }
		Message      struct{ Content string }
		Text         string
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage `json:"usage"`
}

func ask(t *testing.T, url string, body map[string]any) reply {
	t.Helper()
	resp := post(t, t.Context(), url, body)
	defer resp.Body.Close()
	r := reply{status: resp.StatusCode}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		r.body = string(b)
		if r.status == http.StatusOK {
			r.take(t, b)
		}
		return r
	}
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := sc.Text()
		switch data, ok := strings.CutPrefix(line, "data: "); {
		case line == "":
		case !ok:
			t.Fatalf("line %q is no event", line)
		case data == "[DONE]":
			r.done = true
		case r.done:
			t.Fatalf("event after [DONE]: %s", data)
		default:
			r.chunks++
			r.take(t, []byte(data))
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *reply) take(t *testing.T, b []byte) {
	t.Helper()
	var a answerJSON
	if err := json.Unmarshal(b, &a); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	r.id = a.ID
	if a.Usage != nil {
		r.usage = a.Usage
	}
	for _, c := range a.Choices {
		r.text += c.Delta.Content + c.Message.Content + c.Text
		if c.FinishReason != nil {
			r.finish = *c.FinishReason
		}
	}
}

// play is a conversation with one or both players.
type play struct {
	t      *testing.T
	server *Server
	scene  characters.Scene
	msgs   []msg
	seed   int
}

func newPlay(t *testing.T, s *Server, scene characters.Scene) *play {
	return &play{t: t, server: s, scene: scene, msgs: []msg{
		{"system", characters.SystemPrompt(scene, characters.PromptOptions{Dialect: "her"})},
		{"user", characters.ConversationStart},
		{"assistant", scene.Opening},
	}}
}

// say puts the person's line and returns the replies of the models, the first
// of which becomes history.
func (p *play) say(line string, models ...string) []string {
	p.t.Helper()
	p.msgs = append(p.msgs, msg{"user", p.scene.User.Name + ": " + line})
	var out []string
	for _, m := range models {
		r := ask(p.t, p.server.URL()+"/chat/completions", map[string]any{"model": m, "messages": p.msgs, "seed": p.seed})
		if r.status != http.StatusOK {
			p.t.Fatalf("%s: %d %s", m, r.status, r.body)
		}
		out = append(out, r.text)
	}
	p.keep(out[0])
	return out
}

func (p *play) keep(reply string) {
	if i := strings.Index(reply, shutSystem); i >= 0 {
		reply = strings.TrimSpace(reply[i+len(shutSystem):])
	}
	p.msgs = append(p.msgs, msg{"assistant", reply})
}

// layer joins the text of one layer of a reply, as the arena reads it.
func (p *play) layer(raw string, l layers.Layer) string {
	parsed := layers.Parse(raw, layers.Options{Name: p.scene.Character.Name, Others: []string{p.scene.User.Name}})
	var out []string
	for _, s := range parsed.Segments {
		if s.Layer == l {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, "\n")
}

// generalScenes are scenes that no script was written for.
func generalScenes() []characters.Scene {
	return []characters.Scene{
		{
			ID: "lighthouse", Title: "The lamp", Language: "en", Scenario: "A lighthouse in a storm; the relief boat has not come.",
			Character: characters.Character{Name: "Marta Lind", Profile: "Keeper of the lamp for thirty years."},
			User:      characters.Character{Name: "Jonas", Profile: "Her nephew, sent to fetch her."},
		},
		{
			ID: "shanzhai", Title: "山寨", Language: "zh", Scenario: "深夜的山寨，火把将尽，官军已到山下。寨主在聚义厅里等一个人的回话。",
			Character: characters.Character{Name: "林九娘", Profile: "山寨的寨主，三十岁，使一口旧刀。"},
			User:      characters.Character{Name: "陆平", Profile: "来劝降的旧相识。"},
		},
	}
}

func allScenes() []characters.Scene { return append(characters.Bundled(), generalScenes()...) }

var varied = map[string][]string{
	"en": {
		"Hello there.", "My name is Tom Reed.", "Why did you wait for me here?", "Who told you that I would come?",
		"I will give you half of everything I own.", "You are lying to me.", "I am sorry. I should have said so before.", "...",
		"*takes off the wet coat and hangs it on the nail*", "What happens if I say no?", "asdfgh qwrtz", "Où est la gare, s'il vous plaît?",
		"You have a beautiful voice.", "I have never told anyone, but I am afraid of the dark.", "No.", "Yes, of course.",
		"Tell me about the worst day of your life.", "The old house by the river has been empty since my brother left.",
		"Are you a language model?", "I must go now. Goodbye.",
	},
	"zh": {
		"你好。", "我叫方小山。", "为什么在这里等我？", "是谁告诉你我会来的？", "我可以给你银元，多少钱都行。", "你在骗我。",
		"对不起，我早就该说的。", "……", "（把湿透的外衣挂在门后）", "要是我不答应呢？", "asdfgh qwrtz", "Où est la gare, s'il vous plaît?",
		"你的声音真好听。", "其实我从没告诉过别人，我怕黑。", "不。", "好。", "请你讲讲这一生最难过的一天。", "河边那间老屋，自从我哥走了就一直空着。",
		"你是不是语言模型？", "我得走了，再见。",
	},
}

func sceneLang(s characters.Scene) string {
	if s.Language == "zh" {
		return "zh"
	}
	return "en"
}
