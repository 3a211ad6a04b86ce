package house

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// tangible are English nouns for what can be seen, heard, smelt or touched, as
// stems. The set is made once, on first use, and only read after that.
var tangible = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`apple apron arch arrow ash axe bag bandage banner barrel basin basket beam beard bed bell belt bench bird blade blanket blood board boat bolt bone
		book boot bottle bow bowl box branch bread brick bridge broom brush bucket bullet bush button cage cake candle cane cap card carpet carriage cart chain chair chalk
		chimney chess cigarette clay cloak clock cloth cloud coal coat coffee coin collar comb copper cord corridor counter crack crate crown crumb crystal cup cupboard curtain
		cushion dagger deck desk dice dish dog door drawer dress drum dust ear earth ember engine envelope fan feather fence field fiddle finger fire fireplace fish flag flame flask floor flour
		flower flute fog forest fork frost fruit fur garden gate ghost glass glove goblet gold grass gravel grease gun hair hall hammer hammock handkerchief handle harbour hat hay hearth hedge helmet hill
		hinge honey hook horn horse ice ink iron ivy jacket jar jewel jug kettle key knife knot lace ladder lamp lantern latch leaf leather ledger letter lid lightning linen lip lock locket loom
		map marble market mask mast match meadow medal metal milk mirror mist moon moss mud mug nail napkin necklace needle net notebook oar oak oil orchard oven page paint pan paper parcel
		path pearl pen pencil perfume petal photograph piano picture pillow pin pipe pistol plank plate plum pocket pond porcelain porch portrait pot powder purse quill radio rag rail
		rain ribbon rifle ring river road robe rock roof rope rose rug saddle sail salt sand scar scarf scent screen screw sea shadow shawl sheet shell ship shirt shoe shutter silk silver sink skin
		skirt sky sleeve slipper smoke snow soap sofa soil soup spade spark spear spice spoon stable stain stair stairs star statue steam steel step stick stone stool storm stove straw street string sugar sun sword
		table tail tapestry tea teapot tear tent thread threshold throne thunder ticket tide tile tin tobacco torch towel tower toy tray tree trunk tunic umbrella vase veil velvet vine violin waistcoat wall wallpaper watch
		water wave wax well wheel whip whistle wick wind window windowsill wine wing wire wood wool wound wrist yarn`) {
		m[stem(w)] = true
	}
	return m
})

var tangibleHan = regexp.MustCompile(`铜壶|茶壶|茶杯|杯子|茶盏|茶叶|酒杯|酒壶|酒碗|碗|筷|盘子|桌|椅|凳|柜|门闩|门槛|门板|木门|窗纸|窗台|窗|帘|灯笼|灯芯|油灯|灯|蜡烛|烛|炉|灶|火盆|火|炭|灰|烟|雨|雪|风|雾|霜|檐|瓦|墙|砖|石桥|桥|河|码头|船|桨|帆|海|浪|山|树|竹|花|草|叶子|月亮|月光|星|太阳|云|马|狗|猫|鸟|鱼|刀|剑|枪|弓|箭|盔甲|旗|鼓|琴|笛|书|信|账本|纸|笔|墨|砚|伞|鞋|靴|衣|袖|帽|围巾|手帕|布|线|针|簪|镜|梳|戒指|玉|金|银|铜|铁|钥匙|锁|绳|箱|匣|抽屉|石|泥|沙|血|伤|泪|汗|糖|盐|酒|茶|药|饭|饼|面|肉`)

// details counts what can be seen and touched.
//
// Measures: different nouns of a fixed list (450 English stems, 130 Chinese
// words) in actions and speech, four of them being full marks.
// Evidence: the words. English and Chinese; elsewhere both candidates measure
// nothing alike.
// Known mistakes: a figure of speech ("a wall of silence") counts; what is not on
// the list does not.
func details(_ *scene, k *candidate) finding {
	found := tangibles(k.visible)
	if len(found) == 0 {
		return merit(0, "names nothing of the list of things to see and touch")
	}
	return merit(float64(len(found))/4, "names "+countOf(len(found), "thing")+" to see and touch", written(k.visible, found)...)
}

func tangibles(text string) []string {
	var out []string
	deeds := onlyDeeds(text)
	for _, w := range contentOf(text) {
		if tangible()[w] && !deeds[w] {
			out = append(out, w)
		}
	}
	if hasHan(text) {
		out = append(out, unique(tangibleHan.FindAllString(text, enough))...)
	}
	return out
}

// onlyDeeds are the stems of words that could be things ("leaves", "rose") and
// in this text are only done: behind a pronoun, or before what they are done to.
func onlyDeeds(text string) map[string]bool {
	deeds, things := map[string]bool{}, map[string]bool{}
	words := wordsOf(text)
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return words[i]
	}
	for i, w := range words {
		switch w {
		case "leaves", "rose", "watch", "watches", "tear", "tears", "step", "steps", "stick", "sticks", "match", "matches":
		default:
			continue
		}
		done := false
		switch at(i - 1) {
		case "i", "you", "he", "she", "it", "we", "they", "who", "that", "to", "will", "would", "then", "never", "always", "not", "only":
			done = true
		case "the", "a", "an", "these", "those", "some", "my", "your", "his", "her", "its", "our", "their", "of", "with", "tea", "dry", "dead", "fallen":
		default:
			switch at(i + 1) {
			case "it", "him", "her", "them", "me", "you", "us", "the", "a", "an", "his", "my", "your", "their", "its", "no", "nothing", "open", "room", "over", "away", "aside", "back", "closer", "forward", "up":
				done = true
			}
		}
		if done {
			deeds[stem(w)] = true
		} else {
			things[stem(w)] = true
		}
	}
	for w := range things {
		delete(deeds, w)
	}
	return deeds
}

// newThings counts things to see and touch that the scene has not had.
//
// Measures: nouns of the same list in the reply that the context does not have,
// and names and numbers that it does not have; three are full marks.
// Evidence: the words. English and Chinese things; names and numbers in scripts
// with capitals.
// Known mistakes: a new word is not yet an event; an event in old words is not
// seen.
func newThings(s *scene, k *candidate) finding {
	var fresh []string
	for _, w := range tangibles(k.visible) {
		if !s.said[w] && !s.things[w] {
			fresh = append(fresh, w)
		}
	}
	fresh = append(written(k.visible, fresh), s.newNames(k)...)
	if len(fresh) == 0 {
		return merit(0, "brings no new thing or name")
	}
	note := fmt.Sprintf("brings %d things or names that are new to the scene", len(fresh))
	if len(fresh) == 1 {
		note = "brings one thing or name that is new to the scene"
	}
	return merit(float64(len(fresh))/3, note, fresh...)
}

var capitalised = regexp.MustCompile(`(?:[\p{Ll},;] )(\p{Lu}\p{Ll}{2,})|\b(\d{1,4})\b`)

// newNames are capitalised words inside sentences, and numbers.
func (s *scene) newNames(k *candidate) []string {
	var out []string
	for _, m := range capitalised.FindAllStringSubmatch(k.visible, enough) {
		name := m[1] + m[2]
		if w := strings.ToLower(name); !stopWords()[w] && !s.said[stem(w)] && !strings.Contains(s.all, name) {
			out = append(out, name)
		}
	}
	return unique(out)
}

// balances measures whether actions and speech stand in proportion.
//
// Measures: the share of actions in the visible words. Between a twentieth and
// six tenths is full marks; no action at all is half, since a line of talk is a
// turn as well.
// Evidence: the share. Any language that the reply marks its actions in.
// Known mistakes: a plain dialect has no marked actions; a silent scene wants
// more of them.
func balances(_ *scene, k *candidate) finding {
	acts, all := length(k.actions), length(k.visible)
	if all == 0 {
		return merit(0, "has no visible word")
	}
	share := float64(acts) / float64(all)
	note := fmt.Sprintf("gives actions %d of 100 visible words", int(math.Round(100*share)))
	switch {
	case acts == 0:
		return merit(0.5, note)
	case share < 0.05:
		return merit(0.7, note)
	case share <= 0.6:
		return merit(1, note)
	}
	return merit(1-(share-0.6)/0.4, note)
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

func abs(f float64) float64 { return math.Abs(f) }
