package judge_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/arena/rehearsal"
	"herarena/judge"
	"herarena/judge/house"
	"herarena/judge/prompt"
)

// BenchmarkEchoPrefill measures what it saves to send the echo of both
// candidates as the beginning of the answer: tokens written by the model and the
// time until the first principle can be read, at 60 tokens a second.
func BenchmarkEchoPrefill(b *testing.B) {
	template := prompt.Default()
	server, err := rehearsal.Start(rehearsal.Options{Pace: 60, Critic: func(p string) string { return house.FromPrompt(template, p) }})
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	client, err := endpoint.New(endpoint.Config{BaseURL: server.URL(), Kind: endpoint.KindOther})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	// Replies of about 150 words, as HER's models write.
	long := pair
	long.Cand1 = strings.TrimSpace(strings.Repeat("<role_action>turns the card over</role_action>You have crossed the whole room to tell me so, and I cannot think why. ", 8))
	long.Cand2 = strings.TrimSpace(strings.Repeat("*nods* Good evening. I think that it is a fine evening and that the music is quite lovely, do you not agree? ", 8))
	for name, echo := range map[string]bool{"with": true, "without": false} {
		b.Run(name, func(b *testing.B) {
			var first, total time.Duration
			tokens := 0
			for b.Loop() {
				critic := judge.NewRewardModel(judge.Options{Player: client.Player(rehearsal.CriticModel), Template: template, EchoPrefill: echo})
				start := time.Now()
				seen := time.Duration(0)
				v := critic.Judge(context.Background(), long, func(v arena.Verdict) {
					if seen == 0 && len(v.Principles) > 0 {
						seen = time.Since(start)
					}
				})
				if v.Usage == nil || seen == 0 || v.Better == arena.NoChoice {
					b.Fatalf("usage %v, first principle after %s, better %q, fault %v", v.Usage, seen, v.Better, v.Fault)
				}
				first, total, tokens = first+seen, total+v.Total, tokens+v.Usage.CompletionTokens
			}
			b.ReportMetric(first.Seconds()/float64(b.N), "s-to-first-principle")
			b.ReportMetric(total.Seconds()/float64(b.N), "s-in-all")
			b.ReportMetric(float64(tokens)/float64(b.N), "tokens")
		})
	}
}
