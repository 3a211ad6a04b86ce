package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"herarena/arena"
)

// clean are replies of our own without a flaw, by language.
func clean() map[string][]string {
	return map[string][]string{
		"fr": {
			"(elle referme le livre) Vous arrivez bien tard, monsieur. La pluie n'a pas cessé depuis midi.", "Je ne sais rien de cette lettre, et je n'en veux rien savoir.", "[Il ment, je le vois à ses mains.] Asseyez-vous donc.",
			"(se lève et va à la fenêtre) Écoutez. Ce n'est pas le vent.", "Ma sœur vous dira le contraire, mais ma sœur dit toujours le contraire.", "Trois jours ! Vous aviez promis trois jours, pas trois semaines.",
			"(hausse les épaules) L'assistant du notaire est passé ce matin.", "Non. Pas ce soir, Julien.",
		},
		"de": {
			"(legt die Feder weg) Sie kommen spät, Herr Rat. Der Wein ist schon warm.", "Ich habe nichts versprochen, und das wissen Sie.", "[Er lügt, aber er lügt gut.] Setzen Sie sich doch.", "Das Modell steht noch in der Werkstatt, unverkauft.",
			"(steht auf) Hören Sie das? Das ist nicht der Wind.", "Meine Schwester meint es gut. Das ist das Schlimme daran.", "Drei Tage! Drei Tage, nicht drei Wochen.", "Nein. Heute nicht, Jakob.",
		},
		"es": {
			"(cierra la puerta) Llegas tarde, y con las botas llenas de barro.", "No sé nada de esa carta.", "[Miente, pero miente bien.] Siéntate.", "(se asoma a la ventana) ¿Oyes eso? No es el viento.", "Mi hermana dirá lo contrario, como siempre.",
			"¡Tres días! Prometiste tres días.", "El asistente del juez vino esta mañana.", "No. Esta noche no, Tomás.",
		},
		"it": {
			"(chiude il libro) Arrivate tardi, signore. La pioggia non smette da mezzogiorno.", "Non so nulla di quella lettera.", "[Mente, lo vedo dalle mani.] Sedetevi.", "(va alla finestra) Sentite? Non è il vento.", "Mia sorella vi dirà il contrario.",
			"Tre giorni! Avevate promesso tre giorni.", "Il modello è ancora in bottega.", "No. Non stasera, Piero.",
		},
		"ru": {
			"(закрывает книгу) Вы поздно, сударь. Дождь не перестаёт с полудня.", "Я ничего не знаю об этом письме.", "[Он лжёт.] Садитесь.", "(подходит к окну) Слышите? Это не ветер.", "Сестра скажет вам обратное.", "Три дня! Вы обещали три дня.",
			"Модель корабля стоит на полке.", "Нет. Не сегодня, Пётр.",
		},
		"ja": {
			"（本を閉じる）遅かったですね。雨は昼から止みません。", "その手紙のことは何も知りません。", "（窓に寄る）聞こえますか。風ではありません。", "姉は逆のことを言うでしょう。", "三日と約束したでしょう。", "私は行きません。", "助手の人が今朝来ました。", "いいえ、今夜はだめです。",
		},
		"ko": {
			"(책을 덮는다) 늦으셨네요. 비가 정오부터 그치지 않아요.", "그 편지에 대해서는 아무것도 몰라요.", "(창가로 간다) 들리세요? 바람이 아니에요.", "언니는 반대로 말할 거예요.", "사흘이라고 약속하셨잖아요.", "저는 안 가요.", "조수가 아침에 왔어요.", "아니요, 오늘 밤은 안 돼요.",
		},
		"zh": {
			"（合上账本）您来晚了，雨从晌午下到现在。", "那封信的事，我一概不知。", "[他在撒谎。]坐吧。", "（走到窗前）听见了吗？不是风。", "我姐姐会跟你说反话，她一向如此。", "三天！你答应的是三天，不是三个月。", "（放下茶壶，又拿起来）模型还摆在铺子里。", "不。今晚不行，阿成。",
			"作为一个守夜的人，我见得多了。", "抱歉，我不能让您进去。", "我是看铺子的，不是看客人的。",
		},
	}
}

// What is written cleanly in any language raises no alarm, in a scene told in
// that language, whether the settings name it or not.
func TestNoAlarmInCleanLinesOfOtherLanguages(t *testing.T) {
	t.Parallel()
	for tag, lines := range clean() {
		for _, language := range []string{tag, ""} {
			for i, line := range lines {
				c := arena.Case{Character: "Anna", User: "Jakob", Language: language}
				for k := range i { // what came before
					role := []string{"user", "assistant"}[k%2]
					c.Context = append(c.Context, arena.ContextLine{Role: role, Name: map[string]string{"user": "Jakob", "assistant": "Anna"}[role], Content: lines[k]})
				}
				alarm(t, c, line, tag)
			}
		}
	}
}

// The lines of the rehearsal's players, English and Chinese, raise none either.
func TestNoAlarmInTheRehearsalsLines(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../arena/rehearsal/scripts/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	quoted, n := regexp.MustCompile(`"((?:[^"\\]|\\.){6,})"`), 0
	slips := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		language := "en"
		if strings.Contains(string(b), "沈砚秋") || strings.HasSuffix(file, "zh.toml") {
			language = "zh"
		}
		if strings.HasPrefix(filepath.Base(file), "cues") {
			continue // words to look for, not lines to say
		}
		for _, m := range quoted.FindAllStringSubmatch(string(b), -1) {
			line := strings.NewReplacer(`\"`, `"`, "{quote}", "", "{name}", "", "{person}", "", "{you}", "").Replace(m[1])
			c := arena.Case{Character: "Nobody", User: "Somebody", Language: language, Context: []arena.ContextLine{{Role: "system", Content: map[string]string{"en": "You are in a scene, the android AI of the house, say.", "zh": "你在一个场景里。"}[language]}}}
			n++
			// The general player breaks character on purpose now and then.
			if strings.HasPrefix(filepath.Base(file), "general") && breaksCharacter(newScene(t.Context(), c), cut(c, line)).amount > 0 {
				slips++
				continue
			}
			alarm(t, c, line, filepath.Base(file))
		}
	}
	if n < 300 || slips != 7 {
		t.Errorf("%d lines, %d of them the player's slips, want 7", n, slips)
	}
	t.Log(n, "lines")
}

func alarm(t *testing.T, c arena.Case, line, where string) {
	t.Helper()
	s, k := newScene(t.Context(), c), cut(c, line)
	for _, ch := range flaws() {
		if ch.name == "Speaks at all" {
			continue // acts stand alone in the scripts
		}
		if f := ch.look(s, k); f.amount > 0 {
			t.Errorf("%s: %s: %s %q in %q", where, ch.name, f.note, f.quotes, line)
		}
	}
}
