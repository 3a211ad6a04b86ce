package verdict

import (
	"strings"
	"unicode"
)

// nodeKind is what a value is.
type nodeKind uint8

const (
	objectNode nodeKind = iota
	arrayNode
	stringNode
	scalarNode // true, None, 3, or a bare word
)

// node is a value as far as it has been written.
type node struct {
	kind    nodeKind
	closed  bool
	members []member // of an object, in the order written
	items   []*node  // of an array
	text    clean    // of a string (unescaped) or a scalar
	known   *known   // what has been read out of it, once it is closed
}

type member struct {
	key  string // as written
	norm string // folded
	part part
	val  *node
}

func newMember(key string) member {
	norm := foldKey(key)
	return member{key: key, norm: norm, part: partOf(norm)}
}

// foldKey reduces a key to its lower-case letters and digits, so that
// "better_response", "Better Response" and "betterResponse" are one.
func foldKey(key string) string {
	var b strings.Builder
	for _, r := range key {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// part is the role a key plays in a verdict.
type part uint8

const (
	noPart part = iota
	resultPart
	firstEcho
	secondEcho
	principlePart
	analysisPart
	comparisonsPart
	overallPart
	summaryPart
	labelPart
	fieldPart // a field of a principle or a comparison
)

// partOf names the role of a folded key.
func partOf(norm string) part {
	switch norm {
	case "result", "results", "output", "evaluation":
		return resultPart
	case "cand1", "candidate1", "response1", "responsecandidate1":
		return firstEcho
	case "cand2", "candidate2", "response2", "responsecandidate2":
		return secondEcho
	case "principle", "principles":
		return principlePart
	case "analysis", "analyses":
		return analysisPart
	case "principlecomparisons", "principlecomparison", "comparisons", "comparison":
		return comparisonsPart
	case "overallanalysis", "overall":
		return overallPart
	case "principlesummary", "summary":
		return summaryPart
	case "betterresponse", "better", "bettercandidate", "finalanswer", "finalverdict", "finaldecision", "verdict", "preferred", "preferredresponse":
		return labelPart
	case "principlename", "dimensionname", "dimension", "polarity", "principlelevel", "level", "maincontent", "definition",
		"reasonforchoosing", "cand1performance", "cand2performance", "candidate1performance", "candidate2performance",
		"response1performance", "response2performance", "comparisonreason", "winner", "degree":
		return fieldPart
	}
	return noPart
}
