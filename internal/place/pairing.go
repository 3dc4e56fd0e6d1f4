package place

import "strings"

// A balance has the brackets of a file, and the number of edits that need others elsewhere.
type balance struct {
	file  pairing
	edits int
}

// A pairing has how many more brackets of each kind a text opens than it closes, and which fences and quotes are odd.
type pairing [7]int

func pairs(s string, quotes bool) (p pairing) {
	for i, kind := range [...]string{"()", "[]", "{}"} {
		p[i] = strings.Count(s, kind[:1]) - strings.Count(s, kind[1:])
	}
	p[3] = (strings.Count(s, "```") + strings.Count(s, "~~~")) % 2
	p[4] = (strings.Count(s, `"""`) + strings.Count(s, "'''")) % 2
	if quotes {
		p[5], p[6] = strings.Count(s, `"`)%2, strings.Count(s, "'")%2
	}
	return p
}

func arePaired(s string) bool { return pairs(s, false) == pairing{} }

// isUnpaired reports whether a text has brackets, fences or quotes without their partners, and another pairs those.
func isUnpaired(s, by string) bool {
	was, is := pairs(s, false), pairs(by, false)
	for kind, n := range was {
		if n != 0 && is[kind] == 0 {
			return true
		}
	}
	return false
}
