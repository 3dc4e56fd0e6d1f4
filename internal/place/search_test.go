package place

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// findings lists the candidates of an edit of whole lines: the number of the first line of each segment.
func findings(src, old, new string) (places [][]int, class Fit, vague bool) {
	v := newVersion([]byte(src))
	e := Edit{Old: old, New: new, WholeLines: true}
	_, w := judgedByFit(&v, &e)
	for _, c := range w.candidates {
		at := []int{v.numbers.At(c.Start)}
		for _, start := range c.later {
			at = append(at, v.numbers.At(start))
		}
		places, class = append(places, at), c.ignores.class()
	}
	return places, class, w.vague
}

// judgedByFit searches for an edit of whole lines, and takes the candidates that ignore least.
func judgedByFit(v *version, e *Edit) (search, judged) {
	x, all := search{v: v, allows: upTo(Drift), meter: &meter{}}, []judged{{asked: asked{e: e}}}
	x.read(&all[0].asked)
	x = x.findAll(all, make([]candidate, 1))
	x.byFit(all)
	return x, all[0]
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name, src, old, new string
		want                [][]int
		class               Fit
		vague               bool
	}{
		{"exact", "a1x\nb1x\na1x\n", "a1x\n", "c\n", [][]int{{1}, {3}}, Exact, false},
		{"exact goes before indented", "one()\n  one()\n", "one()\n", "two()\n", [][]int{{1}}, Exact, false},
		{"space at the end", "one()  \n", "one()\n", "two()\n", [][]int{{1}}, Spacing, false},
		{"indentation", "  one()\n\tone()\n", "one()\n", "two()\n", [][]int{{1}, {2}}, Indentation, false},
		{"signs", "say(“it”)\n", "say(\"it\")\n", "ask(\"it\")\n", [][]int{{1}}, Notation, false},
		{"line numbers", "x\none()\n", "2| one()\n", "2| two()\n", [][]int{{2}}, Notation, false},
		{"a misspelled context line", "function first() {\n  two()\n  three()\n",
			"function frist() {\n  two()\n  three()\n", "function frist() {\n  two()\n  four()\n", [][]int{{1}}, Drift,
			false},
		{"a misspelled line that goes", "function first() {\n  two()\n", "function frist() {\n  two()\n",
			"function second() {\n  two()\n", nil, 0, false},
		{"an elision", "first()\nx\ny\nlast()\n", "first()\n...\nlast()\n", "first()\n...\nend()\n", [][]int{{1, 4}},
			Elision, false},
		{"an elision of nothing", "first()\nlast()\n", "first()\n...\nlast()\n", "first()\n...\nend()\n", nil, 0,
			false},
		{"two ends of an elision", "first()\nx\nlast()\ny\nlast()\n", "first()\n...\nlast()\n", "first()\n...\nend()\n",
			[][]int{{1, 3}, {1, 5}}, Elision, false},
		{"two beginnings of an elision", "first()\nx\nfirst()\ny\nlast()\n", "first()\n...\nlast()\n",
			"start()\n...\nlast()\n", [][]int{{3, 5}}, Elision, true},
		{"an elision out of its function", "def f():\n    a = 1\n\ndef g():\n    return b\n",
			"def f():\n    ...\n    return b\n", "def f():\n    ...\n    return c\n", nil, 0, false},
		{"a lone bracket", "f {\n  }\n", "}\n", "x\n", nil, 0, false},
		{"nowhere", "one()\n", "none()\n", "x\n", nil, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			places, class, vague := findings(c.src, c.old, c.new)
			if d := cmp.Diff(c.want, places); d != "" || class != c.class || vague != c.vague {
				t.Errorf("class %d, vague %v (-want +got):\n%s", class, vague, d)
			}
		})
	}
}

// A line hint decides if the nearest candidate is at most half as far from it as the next (J4).
func TestALineHintDecidesUpToHalfAsFarAway(t *testing.T) {
	src := []byte(strings.Repeat("x\n", 9) + "here\n" + strings.Repeat("y\n", 8) + "here\n") // at lines 10 and 19
	for hint, want := range map[int]int{10: 10, 12: 10, 13: 10, 14: 0, 15: 0, 16: 19, 19: 19, 30: 0} {
		res, problems := Apply(src, text.EncodingOf(src),
			[]Edit{{Old: "here\n", New: "there\n", WholeLines: true, Near: hint}}, Drift, plan.WordsOf(""))
		got := 0
		if len(problems) == 0 {
			got = res.Matches[0].Old.Line
		}
		if got != want {
			t.Errorf("a hint of line %d: placed at line %d, want %d (0 is refused)", hint, got, want)
		}
	}
}
