package text_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestLinesVoteForTheirPlace(t *testing.T) {
	x := text.New([]byte("first()\n\n  second()\nthird()\nsecond()\n" + strings.Repeat("}\n", 100)))
	for _, c := range []struct {
		name, lines string
		offset      int
		score, lead float64
	}{
		{"all of them", "first()||second()|third()", 0, 3, 2},
		{"some of them", "zeroth()|third()|second()", 1, 2, 1},
		{"two places", "second()", 1, 1, 0},
		{"a line that is everywhere", "third()|}", 2, 1, 1},
		{"none", "fourth()", 0, 0, 0},
	} {
		lines := strings.Split(c.lines, "|")
		ids := text.Keys{}
		ids.Add(lines...)
		offset, score, lead := text.NewIndex(x, ids).Vote(lines)
		if score > 0 && offset != c.offset || score != c.score || lead != c.lead {
			t.Errorf("%s: line %d, score %v, lead %v", c.name, offset, score, lead)
		}
	}
}

func TestWordsVoteForThePlaceOfTheirLines(t *testing.T) {
	x := text.New([]byte("alpha beta\n\ngamma = delta\nepsilon\nsome beta(beta, beta)\n" + strings.Repeat("the\n", 100)))
	index := text.NewIndex(x, text.Keys{})
	for _, c := range []struct {
		name, lines string
		offset      int
		ok          bool
	}{
		{"a word of each line", "my alpha|your gamma", 0, true},
		{"a word of the second line", "no such line||some epsilon", 1, true},
		{"the longer word", "beta|x|delta", -1, true},
		{"many words before one that is there often", "alpha beta", 0, true},
		{"a word that is everywhere", "the", 0, false},
		{"short words", "no\nsu", 0, false},
		{"the end of a line that has other words", "not alpha or beta(beta, beta)|next", 3, true},
	} {
		offset, ok := index.VoteByClues(x, text.Clues(strings.Split(c.lines, "|"), 12))
		if offset != c.offset || ok != c.ok {
			t.Errorf("%s: line %d, %v", c.name, offset, ok)
		}
	}
	if n := len(text.Clues([]string{"alpha beta", "gamma"}, 2)); n != 2 {
		t.Errorf("%d clues, want the first 2", n)
	}
}

func TestUnescaped(t *testing.T) {
	for s, want := range map[string]string{
		`a\n\tb`: "a\n\tb", `\\n`: `\n`, `\"x\"`: `"x"`, "a &lt; b &amp;&amp; c": "a < b && c", `\d`: `\d`, "plain": "plain",
	} {
		if got := text.Unescaped(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
