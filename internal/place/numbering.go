package place

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A numberForm is a form in which viewers write the number of a line in front of it.
type numberForm struct {
	prefix *regexp.Regexp // its group is the number
	spaced bool           // a space after the prefix belongs to it if every line has one
	sure   bool           // false if ordinary lines may begin so, so that only the place can confirm it
	tagged bool           // it has a tag that depends on the line, as in "4#HY:", which ordinary lines never have
}

// numberForms has the forms that say more before those that say less.
var numberForms = []numberForm{
	{numberPrefix(` *[|]`), true, true, false},
	{numberPrefix(` *│`), true, true, false},
	{numberPrefix(` *→`), true, true, false},
	{numberPrefix(`\t`), false, true, false},
	{numberPrefix(`#[0-9A-Za-z]{1,8}[:|]`), true, true, true},
	{numberPrefix(`:[0-9A-Za-z]{1,8}[|]`), true, true, true},
	{regexp.MustCompile(`^[ \t]*L([0-9]{1,9}):`), true, false, false},
	{numberPrefix(`:`), true, false, false},
	{numberPrefix(` `), false, false, false},
}

// bareNumber is a line that was blank and has lost what separates it from its number.
var bareNumber = numberPrefix(`[ \t]*$`)

func numberPrefix(separator string) *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*([0-9]{1,9})` + separator)
}

// looksNumbered reports whether a line may have a number of any form in front.
func looksNumbered(line string) bool {
	return bareNumber.MatchString(line) || slices.ContainsFunc(numberForms, func(f numberForm) bool { return f.prefix.MatchString(line) })
}

// read returns the number in front of a line, and the line without it. Bare means that the line is nothing but a number.
func (f numberForm) read(line string) (number int, rest string, bare, ok bool) {
	m := f.prefix.FindStringSubmatch(line)
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

// A numbering is how a viewer numbered the lines that a request copied (N2).
type numbering struct {
	numberForm
	first int // the number of the first line
}

// numberingOf returns the numbering of lines that all have a number, rising by one. Blank lines may have lost theirs.
func numberingOf(lines []string) (n numbering, ok bool) {
	if slices.ContainsFunc(lines, hasNoDigitInFront) { // cheaper than the forms, and true of almost every text
		return n, false
	}
	for _, f := range numberForms {
		if n, ok = f.numbering(lines); ok {
			break
		}
	}
	return n, ok
}

// hasNoDigitInFront reports whether a line is not blank, and begins with no digit.
func hasNoDigitInFront(line string) bool {
	line = strings.TrimPrefix(strings.TrimLeft(line, text.Space), "L")
	return line != "" && (line[0] < '0' || '9' < line[0])
}

// numbering returns the numbering of lines in the form f.
func (f numberForm) numbering(lines []string) (n numbering, ok bool) {
	n.numberForm = f
	counted := false
	for i, l := range lines {
		if text.IsBlank(l) {
			continue
		}
		number, rest, bare, isNumbered := f.read(l)
		if !isNumbered {
			return n, false
		}
		if ok = ok || !bare; !counted {
			n.first, counted = number-i, true
		}
		if number != n.first+i {
			return n, false
		}
		n.spaced = n.spaced && (text.IsBlank(rest) || rest[0] == ' ')
	}
	return n, ok
}

// strip removes the numbers from lines, and everything from blank lines. It reports false if a line that is not blank has no
// number.
func (n numbering) strip(lines []string) ([]string, bool) {
	stripped := make([]string, len(lines))
	some, numbers := false, false
	for i, l := range lines {
		if text.IsBlank(l) {
			continue
		}
		_, rest, bare, ok := n.read(l)
		switch some, numbers = some || !bare, numbers || bare; {
		case !ok:
			return nil, false
		case text.IsBlank(rest):
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
