package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// lookAlikes make, from a hunk, lines that a careless search takes for it.
var lookAlikes = []struct {
	name string
	make func(rnd *rand.Rand, h hunk, unit string) []string
}{
	{"deeper", func(_ *rand.Rand, h hunk, unit string) []string {
		return shift(slices.Concat(h.before, h.old, h.after), cmp.Or(unit, "\t"))
	}},
	{"shallower", func(_ *rand.Rand, h hunk, unit string) []string {
		lines := slices.Concat(h.before, h.old, h.after)
		for i, l := range lines {
			lines[i] = strings.TrimPrefix(l, unit)
		}
		return lines
	}},
	{"other word", func(rnd *rand.Rand, h hunk, _ string) []string {
		lines := slices.Concat(h.before, h.old, h.after)
		i := rnd.IntN(len(lines))
		if at := longWord.FindStringIndex(lines[i]); at != nil {
			lines[i] = lines[i][:at[1]] + "s" + lines[i][at[1]:]
		}
		return lines
	}},
	{"changed", func(_ *rand.Rand, h hunk, _ string) []string { return slices.Concat(h.before, h.new, h.after) }},
	{"changed, deeper", func(_ *rand.Rand, h hunk, unit string) []string {
		return shift(slices.Concat(h.before, h.new, h.after), cmp.Or(unit, "\t"))
	}},
	{"without context", func(_ *rand.Rand, h hunk, _ string) []string { return slices.Clone(h.old) }},
	{"half of it", func(_ *rand.Rand, h hunk, _ string) []string { return slices.Concat(h.before, h.old) }},
}

// addLookAlike puts lines that resemble a hunk into the lines that no hunk touches.
func (c *testCase) addLookAlike(rnd *rand.Rand, unit string) {
	a := lookAlikes[rnd.IntN(len(lookAlikes))]
	lines := a.make(rnd, c.hunks[rnd.IntN(len(c.hunks))], unit)
	gap := rnd.IntN(len(c.hunks) + 1)
	to := &c.below
	if gap < len(c.hunks) {
		to = &c.hunks[gap].above
	}
	*to = slices.Insert(slices.Clone(*to), rnd.IntN(len(*to)+1), lines...)
	c.damages = append(c.damages, "look-alike: "+a.name)
}

// shift puts lines deeper.
func shift(lines []string, by string) []string {
	for i, l := range lines {
		if l != "" {
			lines[i] = by + l
		}
	}
	return lines
}
