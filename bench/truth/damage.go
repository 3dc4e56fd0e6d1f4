package main

import (
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// A damage spoils what a request shows of a hunk. Unit is the indentation of the file.
type damage struct {
	name string
	do   func(rnd *rand.Rand, h *hunk, unit string)
}

// only is the name of the one damage to do, "" for all.
var only string

// widths are damages of indentation of which two together may undo one another, or leave nothing to go by.
var widths = []string{"dedent", "indent 2", "indent 4", "spaces to tabs", "other width", "marks", "old lines dedented",
	"old lines in column 0", "first line lost its indentation"}

var damages = []damage{
	{"trailing", func(_ *rand.Rand, h *hunk, _ string) { // new lines stay
		mapLines(func(l string) string { return l + "  " }, h.before, h.old, h.after)
	}},
	{"dedent", func(_ *rand.Rand, h *hunk, _ string) { dedent(h) }},
	{"indent 2", func(_ *rand.Rand, h *hunk, _ string) { h.each(func(lines []string) { shift(lines, "  ") }) }},
	{"indent 4", func(_ *rand.Rand, h *hunk, _ string) { h.each(func(lines []string) { shift(lines, "    ") }) }},
	{"tabs to spaces", func(_ *rand.Rand, h *hunk, _ string) {
		h.indented(func(s string) string { return strings.ReplaceAll(s, "\t", "    ") })
	}},
	{"spaces to tabs", func(_ *rand.Rand, h *hunk, unit string) {
		if unit != "" {
			h.indented(func(s string) string { return strings.ReplaceAll(s, unit, "\t") })
		}
	}},
	{"other width", func(_ *rand.Rand, h *hunk, unit string) {
		other := map[string]string{"  ": "    ", "    ": "  "}[unit]
		even := other != ""
		h.indented(func(s string) string {
			even = even && len(s)%max(len(unit), 1) < 2 // comments go on one space deeper than they begin
			return s
		})
		if even {
			h.indented(func(s string) string { return strings.ReplaceAll(s, unit, other) })
		}
	}},
	{"quotes", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) { mapLines(curly.Replace, lines) })
	}},
	{"dashes", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) { mapLines(dashes.Replace, lines) })
	}},
	{"plain signs", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) { mapLines(plain.Replace, lines) })
	}},
	{"no blanks", func(_ *rand.Rand, h *hunk, _ string) {
		h.before, h.after = slices.DeleteFunc(h.before, edge), slices.DeleteFunc(h.after, edge)
	}},
	{"double blanks", func(_ *rand.Rand, h *hunk, _ string) {
		h.before, h.after = doubleBlanks(h.before), doubleBlanks(h.after)
	}},
	{"typo", func(rnd *rand.Rand, h *hunk, _ string) {
		for _, lines := range [][]string{h.before, h.after} {
			if len(lines) > 0 {
				i := rnd.IntN(len(lines))
				lines[i] = misspell(rnd, lines[i])
			}
		}
	}},
	{"a context line off at its end", func(rnd *rand.Rand, h *hunk, _ string) {
		if context := [][]string{h.before, h.after}[rnd.IntN(2)]; len(context) > 0 {
			i := rnd.IntN(len(context))
			context[i] = offAtEnd(rnd, context[i])
		}
	}},
	{"stale", func(rnd *rand.Rand, h *hunk, _ string) {
		for i, l := range h.old {
			if words := longWord.FindAllStringIndex(l, -1); len(words) > 0 {
				at := words[rnd.IntN(len(words))]
				h.old[i] = l[:at[0]] + "other" + l[at[1]:]
			}
		}
	}},
	{"moved", func(rnd *rand.Rand, h *hunk, _ string) {
		parts := [][]string{h.before, h.old, h.after}
		if lines := parts[rnd.IntN(len(parts))]; len(lines) > 1 {
			i := rnd.IntN(len(lines) - 1)
			if a, b := strings.TrimSpace(lines[i]), strings.TrimSpace(lines[i+1]); a != "" && b != "" && a != b {
				lines[i], lines[i+1] = lines[i+1], lines[i]
			}
		}
	}},
	{"composition", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) { mapLines(recompose, lines) })
	}},
	{"marks", func(_ *rand.Rand, h *hunk, _ string) {
		shift(h.before, " ")
		shift(h.old, "-")
		shift(h.new, "+")
		shift(h.after, " ")
	}},
	{"marks of old lines", func(_ *rand.Rand, h *hunk, _ string) {
		shift(h.before, " ")
		shift(h.old, "-")
	}},
	{"quoted", func(_ *rand.Rand, h *hunk, _ string) { h.each(func(lines []string) { shift(lines, "> ") }) }},
	{"old lines dedented", func(_ *rand.Rand, h *hunk, _ string) { // the new ones are as in the file
		h.split()
		dedent(&hunk{old: h.old})
	}},
	{"old lines in column 0", func(_ *rand.Rand, h *hunk, _ string) {
		h.split()
		mapLines(func(l string) string { return l[len(indentOf(l)):] }, h.old)
	}},
	{"first line lost its indentation", func(_ *rand.Rand, h *hunk, _ string) {
		h.split()
		for _, lines := range [][]string{h.old, h.new} {
			if len(lines) > 0 {
				lines[0] = lines[0][len(indentOf(lines[0])):]
			}
		}
	}},
	{"entities", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) { mapLines(html.EscapeString, lines) })
	}},
	{"characters without width", func(rnd *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) { mapLines(func(l string) string { return widthless(rnd, l) }, lines) })
	}},
	{"characters without width in the old text", func(rnd *rand.Rand, h *hunk, _ string) {
		h.split()
		mapLines(func(l string) string { return widthless(rnd, l) }, h.old)
	}},
	{"padded", func(_ *rand.Rand, h *hunk, _ string) { // as copied from a terminal
		h.each(func(lines []string) { mapLines(func(l string) string { return l + "   " }, lines) })
	}},
	{"quotes with backslashes in the new text", func(_ *rand.Rand, h *hunk, _ string) {
		h.split()
		mapLines(func(l string) string { return strings.ReplaceAll(l, `"`, `\"`) }, h.new)
	}},
	{"no semicolons", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) {
			mapLines(func(l string) string { return strings.TrimSuffix(l, ";") }, lines)
		})
	}},
}

// offAtEnd returns a line with a comma or a semicolon more at its end, or cut short.
func offAtEnd(rnd *rand.Rand, l string) string {
	switch bare := strings.TrimRight(l, ",;"); {
	case edge(l):
		return l
	case rnd.IntN(2) == 0:
		return l[:len(l)-len(l[len(indentOf(l)):])/3]
	case bare != l:
		return bare
	}
	return l + string(",;"[rnd.IntN(2)])
}

// split makes the context part of the old and of the new lines, which can then be damaged apart.
func (h *hunk) split() {
	h.old, h.new = slices.Concat(h.before, h.old, h.after), slices.Concat(h.before, h.new, h.after)
	h.before, h.after = nil, nil
}

// widthless puts a character without width before a word of a line.
func widthless(rnd *rand.Rand, l string) string {
	if at := longWord.FindStringIndex(l); at != nil && rnd.IntN(2) == 0 {
		return l[:at[0]] + string([]rune("\u200b\u2060\ufeff")[rnd.IntN(3)]) + l[at[0]:]
	}
	return l
}

// recompose writes accented letters in the other Unicode composition.
func recompose(l string) string {
	if d := norm.NFD.String(l); d != l {
		return d
	}
	return norm.NFC.String(l)
}

var (
	longWord = regexp.MustCompile(`[a-z]{4,}`)
	curly    = strings.NewReplacer(`"`, "”", `'`, "’")
	dashes   = strings.NewReplacer("...", "…", " - ", " – ", "--", "—")
	plain    = strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "…", "...", "–", "-", "—", "--")
)

// damage makes the requests of the hunks. Either all hunks are damaged alike, or each in its own way.
func (c *testCase) damage(rnd *rand.Rand, unit string) {
	spoiled := make([]hunk, len(c.hunks))
	at := c.places()
	for i, h := range c.hunks {
		spoiled[i] = hunk{before: slices.Clone(h.before), old: slices.Clone(h.old), new: slices.Clone(h.new),
			after: slices.Clone(h.after), above: h.above, below: *c.gap(i + 1), at: at[i]}
	}
	if len(spoiled) > 1 && rnd.IntN(3) == 0 {
		c.damages = append(c.damages, "each in its own way")
		for i := range spoiled {
			c.spoil(rnd, unit, spoiled[i:i+1])
		}
	} else {
		c.spoil(rnd, unit, spoiled)
	}
	for _, h := range spoiled {
		c.requests = append(c.requests, request{slices.Concat(h.before, h.old, h.after),
			slices.Concat(h.before, h.new, h.after)})
	}
	c.bare = c.requests
	c.dress(rnd)
}

// spoil does a few damages to each of the hunks.
func (c *testCase) spoil(rnd *rand.Rand, unit string, hunks []hunk) {
	chosen := rnd.Perm(len(damages))[:rnd.IntN(4)]
	slices.Sort(chosen)
	if i := slices.IndexFunc(damages, func(d damage) bool { return d.name == only }); i >= 0 {
		chosen = []int{i}
	}
	wide := false
	for _, d := range chosen {
		if slices.Contains(widths, damages[d].name) {
			if wide {
				continue
			}
			wide = true
		}
		if !slices.Contains(c.damages, damages[d].name) {
			c.damages = append(c.damages, damages[d].name)
		}
		for i := range hunks {
			damages[d].do(rnd, &hunks[i], unit)
		}
	}
}

// saysSomething reports whether a hunk shows a word. Blank lines and brackets alone identify no place.
func (h *hunk) saysSomething() bool {
	return word.MatchString(strings.Join(slices.Concat(h.before, h.old, h.after), "\n"))
}

// each calls f for all parts of a hunk.
func (h *hunk) each(f func(lines []string)) {
	for _, lines := range [][]string{h.before, h.old, h.new, h.after} {
		f(lines)
	}
}

// indented replaces every indentation by f of it.
func (h *hunk) indented(f func(string) string) {
	h.each(func(lines []string) {
		mapLines(func(l string) string { return f(indentOf(l)) + l[len(indentOf(l)):] }, lines)
	})
}

// dedent removes the indentation that all lines have.
func dedent(h *hunk) {
	least := -1
	h.each(func(lines []string) {
		for _, l := range lines {
			if n := len(indentOf(l)); !edge(l) && (least < 0 || n < least) {
				least = n
			}
		}
	})
	h.each(func(lines []string) {
		for i, l := range lines {
			if !edge(l) {
				lines[i] = l[max(least, 0):]
			}
		}
	})
}

func doubleBlanks(lines []string) (doubled []string) {
	for _, l := range lines {
		if doubled = append(doubled, l); edge(l) {
			doubled = append(doubled, l)
		}
	}
	return doubled
}

// misspell leaves out a letter of a long word.
func misspell(rnd *rand.Rand, line string) string {
	words := regexp.MustCompile(`[a-z]{5,}`).FindAllStringIndex(line, -1)
	if len(words) == 0 {
		return line
	}
	at := words[rnd.IntN(len(words))][0]
	return line[:at+2] + line[at+3:]
}

// mapLines replaces every line of some parts of a hunk by f of it.
func mapLines(f func(string) string, parts ...[]string) {
	for _, lines := range parts {
		for i, l := range lines {
			lines[i] = f(l)
		}
	}
}
