package place

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A numbering is how a viewer numbered the lines that a request copied (N2).
type numbering struct {
	first     int    // the number of the first line
	separator string // between number and line, without space that only some lines have
	sure      bool   // false if ordinary lines may have such a separator, so that only the place can confirm it
}

var numberedLine = regexp.MustCompile(`^[ \t]*([0-9]{1,9})([ ]*[|│→]|\t|:| |$)`)

// numberingOf returns the numbering of lines that all have a number, rising by one.
func numberingOf(lines []string) (n numbering, ok bool) {
	spaced := true // a space after the separator belongs to it if every line has one
	for i, l := range lines {
		if c := strings.TrimLeft(l, text.Space); c == "" || c[0] < '0' || '9' < c[0] {
			return n, false
		}
		m := numberedLine.FindStringSubmatch(l)
		if m == nil {
			return n, false
		}
		number, err := strconv.Atoi(m[1])
		switch {
		case err != nil || i > 0 && number != n.first+i:
			return n, false
		case i == 0:
			n.first = number
		}
		if m[2] == "" { // a blank line that lost the separator
			continue
		}
		if n.separator == "" {
			n.separator = m[2]
		}
		if strings.TrimLeft(m[2], " ") != strings.TrimLeft(n.separator, " ") {
			return n, false
		}
		rest := l[len(m[0]):]
		spaced = spaced && (rest == "" || rest[0] == ' ')
	}
	if n.separator == "" {
		return n, false
	}
	n.separator = strings.TrimLeft(n.separator, " ")
	n.sure = n.separator != "" && n.separator != ":"
	if n.separator == "" {
		n.separator = " "
	} else if spaced && n.separator != "\t" {
		n.separator += " "
	}
	return n, true
}

// strip removes the numbers from lines. It reports false if a line has none.
func (n numbering) strip(lines []string) ([]string, bool) {
	stripped := make([]string, len(lines))
	for i, l := range lines {
		m := numberedLine.FindStringSubmatch(l)
		if m == nil {
			return nil, false
		}
		rest := strings.TrimLeft(l[strings.Index(l, m[1])+len(m[1]):], " ")
		if n.separator == " " {
			rest = l[strings.Index(l, m[1])+len(m[1]):]
		}
		if !strings.HasPrefix(rest, n.separator) && strings.Trim(rest, text.Space) != strings.Trim(n.separator, text.Space) {
			return nil, false
		}
		stripped[i] = strings.TrimPrefix(rest, n.separator)
		if text.IsBlank(rest) || strings.Trim(rest, text.Space) == strings.Trim(n.separator, text.Space) {
			stripped[i] = ""
		}
	}
	return stripped, true
}
