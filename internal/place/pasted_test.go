package place_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/place"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// N2: numbers that only the new text has are those of a viewer if they are those of the place, if the line of that
// number or the indentation of an old line is behind one, or if they are in front of a copy and look like nothing else.
func TestNumbersInTheNewTextAlone(t *testing.T) {
	lines := func(old, new string) place.Edit { return place.Edit{Old: old, New: new, WholeLines: true} }
	const file, deep = "one\ntwo\nthree\nfour\n\n", "one\n  two\n  three\n"
	for _, c := range []struct {
		name, file string
		edit       place.Edit
		refused    bool
	}{
		{"a bar", file, lines("two\nthree\n", "2| two\n3| 3\n"), true},
		{"an arrow", file, lines("two\n", "2→2\n"), true},
		{"a tab", file, lines("two\nthree\n", "     2\ttwo\n     3\t3\n     4\tmore\n"), true},
		{"a colon", file, lines("two\nthree\n", "2: two\n3: 3\n"), true},
		{"a space", file, lines("two\nthree\n", "2 2\n3 3\n"), true},
		{"a tag", file, lines("two\n", "9#HY:2\n9#HX:two\n"), false}, // they do not rise
		{"tags", file, lines("two\n", "8#HY:2\n9#HX:two\n"), true},
		{"a blank line first", "one\n\n\n", lines("one\n", "\n     2\tone\n"), true},
		{"with a blank line", file, lines("two\nthree\n", "2| 2\n\n4| 3\n"), true},
		{"a string", file, place.Edit{Old: "two\nthree", New: "2| two\n3| 3"}, true},
		{"a string within a line", "x = 1; y()\nx = 2; z()\n", place.Edit{Old: "z()", New: "2| zz()"}, true},
		{"lines by their numbers", file, place.Edit{First: 2, Last: 3, New: "2| two\n3| 3\n"}, true},
		{"an insertion by its number", file, place.Edit{First: 3, New: "3| more\n"}, true},
		{"other numbers, aligned, in front of a copy", file, lines("two\nthree\n", "  12| two\n  13| 3\n"), true},
		{"the first line, aligned", file, lines("one\ntwo\n", "     1\t1\n     2\t2\n"), true},

		{"other numbers, aligned, in front of no copy", file, lines("two\nthree\n", "  12| 2\n  13| 3\n"), false},
		{"other numbers in front of a copy", file, lines("two\nthree\n", "12|two\n13|3\n"), false},
		{"a list", file, lines("two\nthree\n", "1. two\n2. three\n"), false},
		{"keys of a map", file, lines("two\nthree\n", "1: two\n2: three\n"), false},
		{"a list at the top", file, lines("one\ntwo\n", "1: one\n2: two\n"), false},
		{"a table at the top", file, lines("one\ntwo\n", "1|one\n2|two\n"), false},
		{"a word with a number", file, lines("two\n", "2 cats\n"), false},
		{"numbers that do not rise", file, lines("two\nthree\n", "2| two\n2| three\n"), false},
		{"a line without, and the line of a number", file, lines("two\nthree\n", "2| two\nthree\n"), true},
		{"the indentation of an old line behind another number", deep, lines("  two\n", "12|  2\n"), true},
		{"the same in front of some lines", deep, lines("  two\n  three\n", "12|  2\n  more\n13|  3\n"), true},
		{"the same with colons", deep, lines("  two\n  three\n", "12:  2\n13:  3\n"), true},
		{"the same with a tab", deep, lines("  two\n", "    12\t  2\n"), true},

		{"a label", "\tmov\n\tadd\n", lines("\tmov\n", "1:\tmov\n"), false},
		{"a number in front of some lines", file, lines("two\nthree\n", "7| 2\nthree\n"), false},
		{"a number on another level", deep, lines("  two\n", "12|    2\n"), false},
		{"the text has numbers above", "1|a\ntwo\nthree\n", lines("two\nthree\n", "2|b\n3|c\n"), false},
		{"the text has numbers below", "one\ntwo\n\n3: c\n", lines("two\n", "2: a\n3: b\n"), false},
		{"the text has numbers some lines above", "  4 |  x\n       ^\n  one\n  two\n",
			lines("  two\n", "  $ run\n  7 |  y\n       ^\n  two\n"), false},
		{"a line of marks below another line", deep, lines("  two\n  three\n", "12|  2\n  more\n  ~~~\n"), true},
		{"numbers in front of all lines, and of a table far away", "1 | a\n\n  zero\n  one\n  two\n",
			lines("  two\n", "12 |  2\n13 |  3\n"), true},
		{"an excerpt of a compiler", deep, lines("  two\n", "12|  2\n  |  ^\n  two\n"), false},
		{"the replaced lines have numbers", "one\n2| two\nthree\n", place.Edit{First: 2, Last: 2, New: "2| 2\n"},
			false},
		{"the old text has numbers too", file, lines("2| two\n3| three\n", "2| two\n3| 3\n"), false},
	} {
		_, problems := place.Apply([]byte(c.file), text.Encoding{}, []place.Edit{c.edit}, place.Drift, plan.WordsOf(""))
		refused := len(problems) == 1 && errors.Is(problems[0].Err, fs.ErrInvalid) &&
			strings.Contains(problems[0].Msg, "line number")
		if refused != c.refused || !refused && len(problems) > 0 {
			t.Errorf("%s: problems %+v, want a refusal: %v", c.name, problems, c.refused)
		}
	}
	edits := []place.Edit{{Old: "one\n", New: "1a\n1b\n"}, {Old: "two\nthree\n", New: "2| 2\n3| 3\n", WholeLines: true}}
	if _, problems := place.Apply([]byte(file), text.Encoding{}, edits, place.Drift,
		plan.WordsOf("")); len(problems) != 1 || problems[0].Edit != 1 {
		t.Errorf("below lines that an edit has added: problems %+v", problems)
	}
}
