package house_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/judge/house"
)

// talk is a scene of n turns of about 60 words each.
func talk(n int) arena.Case {
	c := ball(good, "<role_action>curtsies</role_action>You are too kind, sir. I had not thought the evening could be improved, and yet here you stand.")
	for i := range n {
		c.Context = append(c.Context,
			arena.ContextLine{Role: "assistant", Name: "Elizabeth Bennet", Content: fmt.Sprintf("<role_thinking>He will not have the last word of number %d.</role_thinking><role_action>turns to window %d and folds her gloves</role_action>"+
				"I counted %d carriages on the drive, and every one of them held somebody's aunt. Shall we go and be presented, or would you rather hide behind the punch?", i, i, i)},
			arena.ContextLine{Role: "user", Name: "Mr Darcy", Content: fmt.Sprintf("*He looks at clock %d.* You count well, Miss Bennet, and I dislike aunts as much as any man. But the %dth dance is promised, and a promise outweighs an aunt.", i, i)})
	}
	return c
}

func BenchmarkJudge(b *testing.B) {
	for _, turns := range []int{0, 10, 100} {
		c := talk(turns)
		b.Run(fmt.Sprintf("%d turns", turns), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				house.New().Judge(context.Background(), c, nil)
			}
		})
	}
	long := ball(strings.Repeat(good+" ", 20), strings.Repeat(good+"\n", 20))
	b.Run("replies of 5 kB", func(b *testing.B) {
		for b.Loop() {
			house.New().Judge(context.Background(), long, nil)
		}
	})
}
