package text

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Numbering is how a viewer numbered lines that somebody copied.
type Numbering struct {
	First  int  // the number of the first line
	Sure   bool // false if ordinary lines may begin so, so that only the place can confirm it
	Tagged bool // it has a tag that depends on the line, as in "4#HY:", which ordinary lines never have

	prefix *regexp.Regexp // what is in front of a line; its group is the number
	spaced bool           // a space after the prefix may belong to it
}

// numberings has the forms in which viewers write numbers. Those that say more come before those that say less.
var numberings = []Numbering{
	{prefix: numberPrefix(` *[|]`), spaced: true, Sure: true},
	{prefix: numberPrefix(` *│`), spaced: true, Sure: true},
	{prefix: numberPrefix(` *→`), spaced: true, Sure: true},
	{prefix: numberPrefix(`\t`), Sure: true},
	{prefix: numberPrefix(`#[0-9A-Za-z]{1,8}\t`), Sure: true, Tagged: true},
	{prefix: numberPrefix(`#[0-9A-Za-z]{1,8}[:|]`), spaced: true, Sure: true, Tagged: true},
	{prefix: numberPrefix(`:[0-9A-Za-z]{1,8}[|]`), spaced: true, Sure: true, Tagged: true},
	{prefix: regexp.MustCompile(`^[ \t]*L([0-9]{1,9}):`), spaced: true},
	{prefix: numberPrefix(`:`), spaced: true},
	{prefix: numberPrefix(` `), spaced: true},
}

// bareNumber is a line that was blank and has lost what separates it from its number.
var bareNumber = numberPrefix(`[ \t]*$`)

func numberPrefix(separator string) *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*([0-9]{1,9})` + separator)
}

// LooksNumbered reports whether a line may have a number of any form in front.
func LooksNumbered(line string) bool {
	return !hasNoDigitInFront(line) &&
		(bareNumber.MatchString(line) || slices.ContainsFunc(numberings, func(n Numbering) bool { return n.Fits(line) }))
}

// AnyNumbered reports whether a line of a text that is not blank may have a number in front.
func AnyNumbered(s string) bool {
	for l := range strings.Lines(s) {
		if !IsBlank(l) && LooksNumbered(strings.TrimRight(l, "\r\n")) {
			return true
		}
	}
	return false
}

// NumberingOf returns the numbering of lines that all have a number, rising by one. Blank lines may have lost theirs.
func NumberingOf(lines []string) (n Numbering, ok bool) {
	if slices.ContainsFunc(lines, hasNoDigitInFront) { // cheaper than the forms, and true of almost every text
		return n, false
	}
	for _, form := range numberings {
		if n, ok = form.of(lines); ok {
			break
		}
	}
	return n, ok
}

// hasNoDigitInFront reports whether a line is not blank, and begins with no digit.
func hasNoDigitInFront(line string) bool {
	line = strings.TrimPrefix(strings.TrimLeft(line, Space), "L")
	return line != "" && (line[0] < '0' || '9' < line[0])
}

// of returns the numbering of lines that have the form of n.
func (n Numbering) of(lines []string) (_ Numbering, ok bool) {
	counted := false
	least, stars := math.MaxInt, math.MaxInt // the depths of the outermost lines
	for i, l := range lines {
		if IsBlank(l) {
			continue
		}
		number, rest, bare, isNumbered := n.read(l)
		if !isNumbered {
			return n, false
		}
		if ok = ok || !bare; !counted {
			n.First, counted = number-i, true
		}
		if number != n.First+i {
			return n, false
		}
		n.spaced = n.spaced && (IsBlank(rest) || rest[0] == ' ')
		switch body := strings.TrimLeft(rest, " "); {
		case IsBlank(body):
		case body[0] == '*': // may be a comment that goes on, one column deeper
			stars = min(stars, len(rest)-len(body))
		default:
			least = min(least, len(rest)-len(body))
		}
	}
	if least == math.MaxInt {
		least = stars
	}
	n.spaced = n.spaced && least%2 == 1 // otherwise the outermost line would be at an odd depth without it
	return n, ok
}

// read returns the number in front of a line, and the line without it. Bare means that the line is nothing but a number.
func (n Numbering) read(line string) (number int, rest string, bare, ok bool) {
	m := n.prefix.FindStringSubmatch(line)
	if m == nil {
		m = bareNumber.FindStringSubmatch(line)
		bare = true
	}
	if m == nil {
		return 0, "", false, false
	}
	number, err := strconv.Atoi(m[1])
	return number, line[len(m[0]):], bare, err == nil
}

// Fits reports whether a line has a number of the form of n in front.
func (n Numbering) Fits(line string) bool { return n.prefix.MatchString(line) }

// Strip removes the numbers from lines, and everything from blank lines. It reports false if a line that is not blank has no
// number.
func (n Numbering) Strip(lines []string) ([]string, bool) {
	stripped := make([]string, len(lines))
	some, numbers := false, false
	for i, l := range lines {
		if IsBlank(l) {
			continue
		}
		_, rest, bare, ok := n.read(l)
		switch some, numbers = some || !bare, numbers || bare; {
		case !ok:
			return nil, false
		case IsBlank(rest):
			continue
		case n.spaced && rest[0] != ' ':
			return nil, false
		case n.spaced:
			rest = rest[1:]
		}
		stripped[i] = rest
	}
	return stripped, some || !numbers // lines that are nothing but numbers may be the text
}

// IsViewers reports whether n, the numbering of lines, is surely that of a viewer. A table may begin with numbers, but they are not
// aligned to the right.
func (n Numbering) IsViewers(lines []string) bool {
	first := slices.IndexFunc(lines, func(l string) bool { return !IsBlank(l) })
	return n.Sure && (n.Tagged || first >= 0 && IsSpace(lines[first][0]))
}
