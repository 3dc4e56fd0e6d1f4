package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// These damages are those of a text that a model tells from memory.

var (
	digits  = regexp.MustCompile(`[1-9]`)
	quotedS = regexp.MustCompile(`"[^"\\]{3,}"`)
	comment = regexp.MustCompile(`^\s*(//|#|--|;|%) ?\w`)
)

var fromMemory = []damage{
	{"a long line wrapped", func(rnd *rand.Rand, h *hunk, unit string) {
		h.context(rnd, func(lines []string, i int) []string {
			l := lines[i]
			if at := strings.LastIndex(l, " "); len(l) > 40 && at > len(l)/2 {
				return slices.Replace(lines, i, i+1, l[:at], indentOf(l)+unit+l[at+1:])
			}
			return lines
		})
	}},
	{"two lines merged", func(rnd *rand.Rand, h *hunk, _ string) {
		h.context(rnd, func(lines []string, i int) []string {
			if i+1 == len(lines) || edge(lines[i]) || edge(lines[i+1]) {
				return lines
			}
			return slices.Replace(lines, i, i+2, lines[i]+" "+strings.TrimSpace(lines[i+1]))
		})
	}},
	{"a line missing", func(rnd *rand.Rand, h *hunk, _ string) {
		h.context(rnd, func(lines []string, i int) []string {
			if edge(lines[i]) {
				return lines
			}
			return slices.Delete(lines, i, i+1)
		})
	}},
	{"a line missing in the old text", func(rnd *rand.Rand, h *hunk, _ string) {
		h.split()
		if i := rnd.IntN(max(1, len(h.old))); len(h.old) > 2 && !edge(h.old[i]) {
			h.old = slices.Delete(h.old, i, i+1)
		}
	}},
	{"a context line missing in the new text", func(rnd *rand.Rand, h *hunk, _ string) {
		if rnd.IntN(2) == 0 && len(h.before) > 0 {
			b := h.before
			h.old, h.before, h.new = slices.Concat(b, h.old), nil, slices.Concat(b[1:], h.new)
		}
	}},
	{"a middle left out", func(rnd *rand.Rand, h *hunk, _ string) {
		h.context(rnd, func(lines []string, i int) []string {
			if l := lines[i]; len(l) > 40 {
				lines[i] = l[:20] + "..." + l[len(l)-12:]
			}
			return lines
		})
	}},
	{"a name renamed", func(rnd *rand.Rand, h *hunk, _ string) {
		var names []string
		for _, l := range slices.Concat(h.before, h.old, h.after) {
			names = append(names, longWord.FindAllString(l, -1)...)
		}
		if len(names) > 0 {
			name := names[rnd.IntN(len(names))]
			h.each(func(lines []string) {
				mapLines(func(l string) string { return strings.ReplaceAll(l, name, "renamed") }, lines)
			})
		}
	}},
	{"a number changed in the old text", func(rnd *rand.Rand, h *hunk, _ string) {
		h.split()
		h.oneOf(rnd, h.old, digits, "7")
	}},
	{"a number changed", func(rnd *rand.Rand, h *hunk, _ string) {
		h.oneOf(rnd, [][]string{h.before, h.after}[rnd.IntN(2)], digits, "7")
	}},
	{"a string changed in the old text", func(rnd *rand.Rand, h *hunk, _ string) {
		h.split()
		h.oneOf(rnd, h.old, quotedS, `"another"`)
	}},
	{"no comments", func(_ *rand.Rand, h *hunk, _ string) {
		isComment := func(l string) bool { return comment.MatchString(l) }
		h.before, h.after = slices.DeleteFunc(h.before, isComment), slices.DeleteFunc(h.after, isComment)
	}},
	{"no comments in the old text", func(_ *rand.Rand, h *hunk, _ string) {
		h.split()
		h.old = slices.DeleteFunc(h.old, func(l string) bool { return comment.MatchString(l) })
	}},
	{"Windows paths", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) {
			mapLines(func(l string) string { return strings.ReplaceAll(l, "/", `\`) }, lines)
		})
	}},
	{"trailing commas", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) {
			mapLines(func(l string) string {
				if strings.HasSuffix(l, ",") || edge(l) || strings.ContainsAny(l[len(l)-1:], "{}()[];:") {
					return strings.TrimSuffix(l, ",")
				}
				return l + ","
			}, lines)
		})
	}},
	{"tabs as eight spaces", func(_ *rand.Rand, h *hunk, _ string) {
		h.indented(func(s string) string { return strings.ReplaceAll(s, "\t", "        ") })
	}},
	{"a level less", func(_ *rand.Rand, h *hunk, unit string) {
		h.indented(func(s string) string { return strings.TrimPrefix(s, unit) })
	}},
	{"new lines a level less", func(_ *rand.Rand, h *hunk, unit string) {
		h.split()
		mapLines(func(l string) string { return strings.TrimPrefix(l, unit) }, h.new)
	}},
	{"new lines in column 0", func(_ *rand.Rand, h *hunk, _ string) {
		h.split()
		mapLines(func(l string) string { return l[len(indentOf(l)):] }, h.new)
	}},
	{"the first new line in column 0", func(_ *rand.Rand, h *hunk, _ string) {
		if h.split(); len(h.new) > 0 {
			h.new[0] = h.new[0][len(indentOf(h.new[0])):]
		}
	}},
	{"one more line below in the new text", func(rnd *rand.Rand, h *hunk, _ string) { h.repeatBelow(1) }},
	{"more lines below in the new text", func(rnd *rand.Rand, h *hunk, _ string) { h.repeatBelow(2 + rnd.IntN(3)) }},
	{"one more line above in the new text", func(rnd *rand.Rand, h *hunk, _ string) { h.repeatAbove(1) }},
	{"more lines above in the new text", func(rnd *rand.Rand, h *hunk, _ string) { h.repeatAbove(2 + rnd.IntN(3)) }},
	{"numbers in front of some lines", func(rnd *rand.Rand, h *hunk, _ string) {
		v := viewers[rnd.IntN(len(viewers))]
		n, some := h.at, rnd.IntN(2)
		put := func(n int, lines []string) {
			for i, l := range lines {
				if (n+i)%2 == some {
					lines[i] = fmt.Sprintf(v, n+i) + l
				}
			}
		}
		put(n, h.before)
		put(n+len(h.before), h.old)
		if rnd.IntN(2) == 0 {
			put(n+len(h.before), h.new)
		}
		put(n+len(h.before)+len(h.old), h.after)
	}},
	{"spaces around signs", func(rnd *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) {
			mapLines(func(l string) string { return strings.ReplaceAll(l, " = ", "=") }, lines)
		})
	}},
	{"another case of a letter", func(rnd *rand.Rand, h *hunk, _ string) {
		h.oneOf(rnd, [][]string{h.before, h.after}[rnd.IntN(2)], regexp.MustCompile(`[a-z][A-Z]`), "Xx")
	}},
	{"single quotes", func(_ *rand.Rand, h *hunk, _ string) {
		h.each(func(lines []string) {
			mapLines(func(l string) string { return strings.ReplaceAll(l, `"`, "'") }, lines)
		})
	}},
	{"a bracket more at the end of the new text", func(rnd *rand.Rand, h *hunk, _ string) {
		if len(h.below) > 0 && strings.Trim(h.below[0], " \t});],") == "" && !edge(h.below[0]) {
			h.repeatBelow(1)
		}
	}},
}

// context changes one line of the context above or below in both texts.
func (h *hunk) context(rnd *rand.Rand, f func(lines []string, i int) []string) {
	part := &h.before
	if rnd.IntN(2) == 0 && len(h.after) > 0 || len(h.before) == 0 {
		part = &h.after
	}
	if len(*part) > 0 {
		*part = f(slices.Clone(*part), rnd.IntN(len(*part)))
	}
}

// oneOf replaces one match in some lines.
func (h *hunk) oneOf(rnd *rand.Rand, lines []string, of *regexp.Regexp, by string) {
	var all []int
	for i, l := range lines {
		if of.MatchString(l) {
			all = append(all, i)
		}
	}
	if len(all) > 0 {
		i := all[rnd.IntN(len(all))]
		at := of.FindStringIndex(lines[i])
		lines[i] = lines[i][:at[0]] + by + lines[i][at[1]:]
	}
}

// repeatBelow lets the new text end with lines that the file has below the place.
func (h *hunk) repeatBelow(n int) {
	h.split()
	h.new = append(h.new, h.below[:min(n, len(h.below))]...)
}

// repeatAbove lets the new text begin with lines that the file has above the place.
func (h *hunk) repeatAbove(n int) {
	h.split()
	h.new = slices.Concat(h.above[max(0, len(h.above)-n):], h.new)
}
