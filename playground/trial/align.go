package trial

import (
	"strings"
	"unicode"
)

// align pairs lines of a request with lines of a file, in order, so that the lines of a pair are as similar as
// possible. It returns the index in have for each line of want, -1 for none. Favored lines of have are preferred.
//
// The library has decided already where the request goes; align only finds out which line to draw beside which.
func align(want, have []string, favored func(int) bool) []int {
	w, h := comparableLines(want), comparableLines(have)
	fuzzy := len(w)*len(h) <= 40_000
	if len(w)*len(h) > 4_000_000 { // too many to compare: pair them as they stand
		pairs := make([]int, len(w))
		for i := range pairs {
			pairs[i] = min(i, len(h)-1)
		}
		return pairs
	}
	// best[i][j] is the best score of want[i:] and have[j:].
	best := make([][]float32, len(w)+1)
	for i := range best {
		best[i] = make([]float32, len(h)+1)
	}
	score := func(i, j int) float32 {
		s := w[i].like(h[j], fuzzy)
		if s > 0 && favored(j) {
			s += 3
		}
		return s
	}
	const gap = 0.05
	skipCost := func(i int) float32 { // of a line of the file, between lines of the request
		if i == 0 || i == len(w) {
			return 0
		}
		return gap
	}
	for i := len(w); i >= 0; i-- {
		for j := len(h); j >= 0; j-- {
			if i < len(w) {
				best[i][j] = best[i+1][j]
			}
			if j < len(h) {
				best[i][j] = max(best[i][j], best[i][j+1]-skipCost(i))
			}
			if i < len(w) && j < len(h) {
				if s := score(i, j); s > 0 {
					best[i][j] = max(best[i][j], best[i+1][j+1]+s)
				}
			}
		}
	}
	pairs := make([]int, len(w))
	for i := range pairs {
		pairs[i] = -1
	}
	for i, j := 0, 0; i < len(w) && j < len(h); {
		if s := score(i, j); s > 0 && best[i][j] == best[i+1][j+1]+s {
			pairs[i] = j
			i, j = i+1, j+1
		} else if best[i][j] == best[i+1][j] {
			i++
		} else {
			j++
		}
	}
	return pairs
}

// A comparableLine is a line with what two lines are compared by.
type comparableLine struct {
	text, plain string // plain has no space around it and no typographic characters
	words       map[string]int
	count       int
}

func comparableLines(lines []string) []comparableLine {
	all := make([]comparableLine, len(lines))
	for i, l := range lines {
		c := comparableLine{text: l, plain: typographic.Replace(strings.TrimSpace(l)), words: map[string]int{}}
		for _, t := range tokens(c.plain) {
			if strings.TrimSpace(t) != "" {
				c.words[t]++
				c.count++
			}
		}
		all[i] = c
	}
	return all
}

var typographic = strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "…", "...", "\u00a0",
	" ")

// like returns how similar two lines are: 0 if not at all.
func (a comparableLine) like(b comparableLine, fuzzy bool) float32 {
	switch {
	case a.text == b.text && a.plain == "":
		return 0.5
	case a.plain == "" || b.plain == "":
		return 0
	case a.text == b.text:
		return 6
	case a.plain == b.plain:
		return 5
	case !fuzzy:
		return 0
	case strings.Contains(b.plain, a.plain):
		return 4
	}
	common := 0
	for t, n := range a.words {
		common += min(n, b.words[t])
	}
	if s := 2 * float32(common) / float32(a.count+b.count); s >= 0.4 {
		return 1 + 2*s
	}
	return 0
}

// tokens cuts a line into words, runs of other letters that belong together, and single characters.
func tokens(line string) []string {
	var all []string
	start, inWord := 0, false
	for i, r := range line {
		word := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if i > start && !(word && inWord) {
			all = append(all, line[start:i])
			start = i
		}
		inWord = word
	}
	if start < len(line) {
		all = append(all, line[start:])
	}
	return all
}

// A Seg is a piece of a line, to be drawn in one way.
type Seg struct {
	Text string `json:"t"`
	// "d" if it differs from the other line, "o" if it is outside of the requested text
	Kind string `json:"k,omitempty"`
}

// plain returns a line that is drawn in one way.
func plain(line string) []Seg {
	return []Seg{{Text: line}}
}

// compare marks in two lines what differs between them.
func compare(a, b string) (as, bs []Seg) {
	if a == b {
		return plain(a), plain(b)
	}
	at, bt := tokens(a), tokens(b)
	pre := 0
	for pre < len(at) && pre < len(bt) && at[pre] == bt[pre] {
		pre++
	}
	post := 0
	for post < len(at)-pre && post < len(bt)-pre && at[len(at)-1-post] == bt[len(bt)-1-post] {
		post++
	}
	as = appendSeg(as, strings.Join(at[:pre], ""), "")
	bs = appendSeg(bs, strings.Join(bt[:pre], ""), "")
	as, bs = compareTokens(as, bs, at[pre:len(at)-post], bt[pre:len(bt)-post])
	as = appendSeg(as, strings.Join(at[len(at)-post:], ""), "")
	bs = appendSeg(bs, strings.Join(bt[len(bt)-post:], ""), "")
	return as, bs
}

// compareTokens appends the tokens of two lines, and marks those that are not in a longest common subsequence.
func compareTokens(as, bs []Seg, a, b []string) ([]Seg, []Seg) {
	if len(a)*len(b) > 20_000 {
		return appendSeg(as, strings.Join(a, ""), "d"), appendSeg(bs, strings.Join(b, ""), "d")
	}
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			as, bs = appendSeg(as, a[i], ""), appendSeg(bs, b[j], "")
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || long[i+1][j] >= long[i][j+1]):
			as = appendSeg(as, a[i], "d")
			i++
		default:
			bs = appendSeg(bs, b[j], "d")
			j++
		}
	}
	return as, bs
}

// appendSeg appends a piece, to the last one if that is of the same kind.
func appendSeg(segs []Seg, text, kind string) []Seg {
	if text == "" {
		return segs
	}
	if n := len(segs); n > 0 && segs[n-1].Kind == kind {
		segs[n-1].Text += text
		return segs
	}
	return append(segs, Seg{text, kind})
}

// compareInside is compare for a substring: what b has around a is outside of the request.
func compareInside(a, b string) (as, bs []Seg) {
	if i := strings.Index(b, a); i >= 0 && a != "" {
		bs = appendSeg(bs, b[:i], "o")
		bs = appendSeg(bs, a, "")
		return plain(a), appendSeg(bs, b[i+len(a):], "o")
	}
	return compare(a, b)
}
