package text

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Numbering is how a viewer numbered lines that somebody copied.
type Numbering struct {
	First  int  // the number of the first line
	Sure   bool // false if ordinary lines may begin so, so that only the place can confirm it
	Tagged bool // it has a tag that depends on the line, as in "4#HY:", which ordinary lines never have

	// The prefix of a line is space, a number of up to nine digits, and what separates it from the line.
	letter string // right before the number
	tag    string // if not "", what begins a tag of up to eight letters and digits behind the number
	spaces bool   // spaces may follow
	ends   string // the characters of which one ends the prefix
	spaced bool   // a space after the prefix may belong to it
}

// numberings has the forms in which viewers write numbers. Those that say more come before those that say less.
var numberings = []Numbering{
	{spaces: true, ends: "|", spaced: true, Sure: true},
	{spaces: true, ends: "│", spaced: true, Sure: true},
	{spaces: true, ends: "→", spaced: true, Sure: true},
	{ends: "\t", Sure: true},
	{tag: "#", ends: "\t", Sure: true, Tagged: true},
	{tag: "#", ends: ":|", spaced: true, Sure: true, Tagged: true},
	{tag: ":", ends: "|", spaced: true, Sure: true, Tagged: true},
	{letter: "L", ends: ":", spaced: true},
	{ends: ":", spaced: true},
	{ends: " ", spaced: true},
}

// cut cuts a line that begins with the form of n into its number and what follows the prefix.
func (n Numbering) cut(line string) (number int, rest string, ok bool) {
	number, rest, ok = cutNumber(line, n.letter)
	if n.tag != "" {
		behind, hasTag := strings.CutPrefix(rest, n.tag)
		rest = strings.TrimLeft(behind, digits+letters)
		size := len(behind) - len(rest)
		ok = ok && hasTag && 0 < size && size <= 8
	}
	if n.spaces {
		rest = strings.TrimLeft(rest, " ")
	}
	end, size := utf8.DecodeRuneInString(rest)
	return number, rest[size:], ok && strings.ContainsRune(n.ends, end)
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// cutNumber cuts space, a letter and a number of up to nine digits from the beginning of a line.
func cutNumber(line, letter string) (number int, rest string, ok bool) {
	line, ok = strings.CutPrefix(strings.TrimLeft(line, " \t"), letter)
	rest = strings.TrimLeft(line, digits)
	size := len(line) - len(rest)
	number, err := strconv.Atoi(line[:size])
	return number, rest, ok && err == nil && size <= 9
}

// AnyNumbered reports whether a line of a text may have a number of any form in front.
func AnyNumbered(s string) bool {
	for l := range strings.SplitSeq(s, "\n") {
		isNumbered := func(n Numbering) bool {
			_, _, _, ok := n.read(l)
			return ok
		}
		if !hasNoDigitInFront(l) && !IsBlank(l) && slices.ContainsFunc(numberings, isNumbered) {
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
	counted, least := false, math.MaxInt // the depth of the outermost line
	for i, l := range lines {
		if IsBlank(l) {
			continue
		}
		number, rest, bare, isNumbered := n.read(l)
		if !counted {
			n.First, counted = number-i, true
		}
		if !isNumbered || number != n.First+i {
			return n, false
		}
		ok = ok || !bare
		n.spaced = n.spaced && (IsBlank(rest) || rest[0] == ' ')
		if body := strings.TrimLeft(rest, " "); !IsBlank(body) {
			least = min(least, len(rest)-len(body))
		}
	}
	n.spaced = n.spaced && least%2 == 1 // otherwise the outermost line would be at an odd depth without it
	return n, ok
}

// read returns the number in front of a line, and the line without it. Bare is a line that is only a number: it was
// blank, and has lost what separates it from its number.
func (n Numbering) read(line string) (number int, rest string, bare, ok bool) {
	if number, rest, ok = n.cut(line); ok {
		return number, rest, false, true
	}
	number, rest, ok = cutNumber(line, "")
	bare = ok && IsBlank(rest)
	return number, "", bare, bare
}

// Fits reports whether a line has a number of the form of n in front.
func (n Numbering) Fits(line string) bool {
	_, _, ok := n.cut(line)
	return ok
}

// Unnumbered returns lines without the line numbers in front of them, if all have one.
func Unnumbered(s string) string {
	lines := Split(s)
	if n, ok := NumberingOf(lines); ok {
		if bare, ok := n.Strip(lines); ok {
			return strings.Join(bare, "\n")
		}
	}
	return s
}

// Strip removes the numbers from lines. It reports false if a line that is not blank has none.
func (n Numbering) Strip(lines []string) ([]string, bool) {
	stripped := make([]string, len(lines))
	some, numbers := false, false
	for i, l := range lines {
		if IsBlank(l) {
			stripped[i] = l
			continue
		}
		_, rest, bare, ok := n.read(l)
		body, isSpaced := strings.CutPrefix(rest, " ")
		switch some, numbers = some || !bare, numbers || bare; {
		case !ok, n.spaced && !isSpaced && !IsBlank(rest):
			return nil, false
		case n.spaced:
			rest = body
		}
		stripped[i] = rest
	}
	return stripped, some || !numbers // lines that are nothing but numbers may be the text
}

// IsViewers reports whether n, of lines, is surely a viewer's. Numbers in a table are not aligned to the right.
func (n Numbering) IsViewers(lines []string) bool {
	first := slices.IndexFunc(lines, func(l string) bool { return !IsBlank(l) })
	return n.Sure && (n.Tagged || first >= 0 && IsSpace(lines[first][0]))
}
