package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// dress changes a whole request, or the endings of the file.
func (c *testCase) dress(rnd *rand.Rand) {
	name := ""
	kind := rnd.IntN(12)
	if only == fromGrep {
		kind = 11
	}
	switch kind {
	case 0, 1:
		if c.has("blanks") { // no viewer numbers lines like that
			return
		}
		name = c.pasteNumbers(rnd)
	case 2:
		name, c.endings.crlf = "crlf", true
	case 3:
		name, c.endings.mixed = "mixed endings", true
	case 4:
		name, c.endings.requestCRLF = "crlf request", true
	case 5:
		name, c.endings.unfinished = "no newline", true
	case 6:
		name, c.reversed = "order", true
	case 11:
		if name = fromGrep; c.has("blanks") {
			return
		}
		c.pasteMatches()
	default:
		return
	}
	c.damages = append(c.damages, name)
}

// has reports whether the name of a damage has some words.
func (c *testCase) has(words string) bool {
	return slices.ContainsFunc(c.damages, func(name string) bool { return strings.Contains(name, words) })
}

const fromGrep = "numbers of grep"

// pasteMatches puts the numbers of "grep -n -C" before every line: "12:" before changed lines, "12-" before the others.
func (c *testCase) pasteMatches() {
	at := c.places()
	c.requests = nil
	for i, r := range c.bare {
		put := func(lines, others []string) (numbered []string) {
			for k, l := range lines {
				mark := ":"
				if slices.Contains(others, l) {
					mark = "-"
				}
				numbered = append(numbered, fmt.Sprint(at[i]+k, mark, l))
			}
			return numbered
		}
		c.requests = append(c.requests, request{put(r.old, r.new), put(r.new, r.old)})
	}
}

// viewers number lines in these ways.
var viewers = []string{"%4d | ", "%d | ", "%d|", "%4d│ ", "%6d→", "%6d\t", "%d: ", "%d:", "%4d: ", "%d ", "%4d  "}

// pasteNumbers puts a line number before every line, as viewers do, or only before the old ones.
func (c *testCase) pasteNumbers(rnd *rand.Rand) string {
	v := viewers[rnd.IntN(len(viewers))]
	blanks := rnd.IntN(3)
	both := rnd.IntN(4) > 0
	if !both {
		blanks = 0 // a blank line must not become a change
	}
	off := 0
	if rnd.IntN(8) == 0 {
		off = 1 + rnd.IntN(5)
	}
	put := func(lines []string, n int) (numbered []string) {
		for i, l := range lines {
			n := fmt.Sprintf(v, n+i)
			switch {
			case edge(l) && blanks == 1:
				l = strings.TrimRight(n+l, " \t")
			case edge(l) && blanks == 2:
				l = n + l + " "
			default:
				l = n + l
			}
			numbered = append(numbered, l)
		}
		return numbered
	}
	at := c.places()
	c.requests = nil
	for i, r := range c.bare {
		r.old = put(r.old, at[i]+off)
		if both {
			r.new = put(r.new, at[i]+off)
		}
		c.requests = append(c.requests, r)
	}
	name := "numbers " + strings.TrimSpace(fmt.Sprintf(v, 1))
	if !both {
		name = "numbers in old text"
	}
	if off > 0 {
		name = "numbers off"
	}
	return name
}
