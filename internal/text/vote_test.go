package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestLinesVoteForTheirPlace(t *testing.T) {
	x := text.New([]byte("first()\n\n  second()\nthird()\nsecond()\n" + strings.Repeat("}\n", 100)))
	for _, c := range []struct {
		name, lines string
		offsets     []int
		score, lead float64
	}{
		{"all of them", "first()||second()|third()", []int{0}, 3, 2},
		{"some of them", "zeroth()|third()|second()", []int{1}, 2, 1},
		{"two places", "second()", []int{1, 3}, 1, 0},
		{"a line that is everywhere", "third()|}", []int{2}, 1, 1},
		{"none", "fourth()", nil, 0, 0},
	} {
		lines := strings.Split(c.lines, "|")
		ids := text.Keys{}
		ids.Add(lines...)
		offsets, score, lead := text.NewIndex(x, ids).Vote(lines)
		if !slices.Equal(offsets, c.offsets) || score != c.score || lead != c.lead {
			t.Errorf("%s: lines %d, score %v, lead %v", c.name, offsets, score, lead)
		}
	}
}

func TestWordsVoteForThePlaceOfTheirLines(t *testing.T) {
	x := text.New([]byte("alpha beta\n\ngamma = delta\nepsilon\nsome beta(beta, beta)\n" +
		strings.Repeat("the\n", 100)))
	index := text.NewIndex(x, text.Keys{})
	for _, c := range []struct {
		name, lines string
		offsets     []int
	}{
		{"a word of each line", "my alpha|your gamma", []int{0}},
		{"a word of the second line", "no such line||some epsilon", []int{1}},
		{"the longer word", "beta|x|delta", []int{-1}},
		{"many words before one that is there often", "alpha beta", []int{0}},
		{"a word that is everywhere", "the", nil},
		{"short words", "no\nsu", nil},
		{"the end of a line that has other words", "not alpha or beta(beta, beta)|next", []int{3}},
		{"a word of two lines", "beta", []int{0, 3}},
	} {
		if got := index.VoteByClues(x, text.Clues(strings.Split(c.lines, "|"), 12)); !slices.Equal(got, c.offsets) {
			t.Errorf("%s: lines %d", c.name, got)
		}
	}
	if n := len(text.Clues([]string{"alpha beta", "gamma"}, 2)); n != 2 {
		t.Errorf("%d clues, want the first 2", n)
	}
}

func TestUnescaped(t *testing.T) {
	for s, want := range map[string]string{
		`a\n\tb`: "a\n\tb", `\\n`: `\n`, `\"x\"`: `"x"`, "a &lt; b &amp;&amp; c": "a < b && c", `\d`: `\d`,
		"plain": "plain",
	} {
		if got := text.Unescaped(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
