package place

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A shape has the parts of a reading that a test compares.
type shape struct {
	Old, New string
	Tightest Fit
	Segments int
}

// read reads an edit of whole lines.
func read(old, new string) *pattern {
	p := &pattern{e: &Edit{Old: old, New: new, WholeLines: true}}
	p.read(old, new)
	return p
}

// The readings of an edit come in a fixed order: plain spaces for special ones, as it stands, without line numbers,
// with elisions.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		name     string
		text     string
		old, new string
		want     []shape
	}{
		{"plain lines", "", "a\nb\n", "a\nc\n", []shape{{"a\nb", "a\nc", Exact, 1}}},
		{"numbered lines", "", "1| a\n2| b\n", "1| a\n2| c\n", []shape{
			{"1| a\n2| b", "1| a\n2| c", Exact, 1}, {"a\nb", "a\nc", Notation, 1},
		}},
		{"numbers before the old lines alone", "", "1| a\n2| b\n", "a\nc\n", []shape{
			{"1| a\n2| b", "a\nc", Exact, 1}, {"a\nb", "a\nc", Notation, 1},
		}},
		{"numbers before some new lines", "", "1| a\n", "1| a\nb\n", []shape{{"1| a", "1| a\nb", Exact, 1}}},
		{"an elision", "", "a\n...\nb\n", "a\n...\nc\n", []shape{
			{"a\n...\nb", "a\n...\nc", Exact, 1}, {"a\n...\nb", "a\n...\nc", Elision, 2},
		}},
		{"an elision that the new text drops", "", "a\n...\nb\n", "a\nc\n", []shape{{"a\n...\nb", "a\nc", Exact, 1}}},
		{"an elision at the end", "", "a\n...\n", "b\n...\n", []shape{{"a\n...", "b\n...", Exact, 1}}},
		{"special spaces in front", "", "\u00a0a\n", "\u00a0b\n", []shape{
			{" a", " b", Notation, 1}, {"\u00a0a", "\u00a0b", Exact, 1},
		}},
		{"special spaces that the text has", "x\u00a0", "\u00a0a\n", "\u00a0b\n",
			[]shape{{"\u00a0a", "\u00a0b", Exact, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []shape
			typography := text.Typography{Text: text.New([]byte(c.text))}
			for _, p := range readings(read(c.old, c.new), &typography, false) {
				got = append(got, shape{strings.Join(p.old, "\n"), strings.Join(p.new, "\n"), p.ignores.class(),
					len(p.segments)})
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// A blank line below line numbers is a blank line, whatever space it has: the text keeps its own, and a new one is
// empty.
func TestBlankLinesBelowLineNumbers(t *testing.T) {
	number := func(form string, first int, lines ...string) string {
		for i, l := range lines {
			lines[i] = fmt.Sprintf(form, first+i, l)
		}
		return strings.Join(lines, "\n") + "\n"
	}
	for _, form := range []string{"%d|%s", "%d| %s", "%6d\t%s", "%d: %s", "%d→%s", "%3d | %s", "%d#HY:%s", "L%d: %s",
		"%d:a3|%s"} {
		for _, has := range []string{"", " ", "    ", "\t"} { // a blank line of the text
			for _, shows := range []string{"", " ", "  ", "    "} { // a blank line of the request
				src := []byte("def f():\n    a = 1\n" + has + "\n    b = 2\n    c = 3\n")
				head, tail := "def f():\n    a = 1\n"+has+"\n    x = 2\n", "\n    c = 3\n"
				old := number(form, 2, "    a = 1", shows, "    b = 2", "    c = 3")
				further := has // what the request shows as it shows the line that the text has
				if shows == "" {
					further = ""
				}
				for name, c := range map[string]struct{ new, want string }{
					"numbered": {number(form, 2, "    a = 1", shows, "    x = 2", shows, "    c = 3"),
						head + further + tail},
					"plain": {"    a = 1\n" + shows + "\n    x = 2\n" + shows + "\n    c = 3\n", head + tail},
				} {
					res, problems := Apply(src, text.EncodingOf(src), []Edit{{Old: old, New: c.new, WholeLines: true}},
						Drift, plan.WordsOf(""))
					if d := cmp.Diff(c.want, string(res.Text)); d != "" {
						t.Errorf("%q, %q in the text, %q in a %s request: %v (-want +got):\n%s", form, has, shows, name,
							problems, d)
					}
				}
			}
		}
	}
}

// A new line of spaces behind its number, where the old lines have none, is what the request says.
func TestANewBlankLineBehindItsNumberKeepsItsSpaces(t *testing.T) {
	src := []byte("def f():\n    a = 1\n    b = 2\n")
	for _, form := range []string{"%d| %s\n", "%6d\t%s\n", "%3d | %s\n"} {
		e := Edit{WholeLines: true, Old: fmt.Sprintf(form, 2, "    a = 1") + fmt.Sprintf(form, 3, "    b = 2")}
		e.New = fmt.Sprintf(form, 2, "    a = 1") + fmt.Sprintf(form, 3, "    ") + fmt.Sprintf(form, 4, "    b = 2")
		res, problems := Apply(src, text.EncodingOf(src), []Edit{e}, Drift, plan.WordsOf(""))
		if d := cmp.Diff("def f():\n    a = 1\n    \n    b = 2\n", string(res.Text)); d != "" {
			t.Errorf("%q: %v (-want +got):\n%s", form, problems, d)
		}
	}
}

// Lines that are nothing but numbers are not blank lines with numbers in front.
func TestALineOfNumbersIsNotTakenForABlankLine(t *testing.T) {
	src := []byte("a\nbcd\ne\n")
	res, problems := Apply(src, text.EncodingOf(src), []Edit{{Old: "2| bcd\n", New: "42\n", WholeLines: true}}, Drift,
		plan.WordsOf(""))
	if len(problems) == 0 {
		t.Errorf("%q", res.Text)
	}
}

// Only the old lines have numbers, and nothing but the new ones tells whether a space belongs to the viewer.
func TestASpaceBehindANumberMayBelongToTheViewer(t *testing.T) {
	for _, tt := range []struct{ src, old, new, want string }{
		{"x\n/**\n * foo\n * bar\n */\n", "3|  * foo\n4|  * bar\n", " * foo\n * baz\n",
			"x\n/**\n * foo\n * baz\n */\n"},
		{"x\n/**\n * foo\n * bar\n */\n", "3| * foo\n4| * bar\n", " * foo\n * baz\n", "x\n/**\n * foo\n * baz\n */\n"},
		{"x\n   foo()\n   bar()\n", "2|   foo()\n3|   bar()\n", "   foo()\n   baz()\n", "x\n   foo()\n   baz()\n"},
	} {
		edits := []Edit{{Old: tt.old, New: tt.new, WholeLines: true}}
		if res, problems := Apply([]byte(tt.src), text.Encoding{}, edits, Drift,
			plan.Words{}); string(res.Text) != tt.want {
			t.Errorf("%q: got %q, problems %v, want %q", tt.old, res.Text, problems, tt.want)
		}
	}
}
