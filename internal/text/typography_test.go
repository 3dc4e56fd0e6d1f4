package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestFold(t *testing.T) {
	for line, want := range map[string]string{
		"  x = 1 \t":     "x = 1",
		"say(“it’s”)":    `say("it's")`,
		"a – b — c − d":  "a - b - c - d",
		"wait…":          "wait...",
		"one\u00a0two":   "one two",
		"e\u0301":        "é",
		"a\u200bb\u2060": "ab",
		"\u200b":         "\u200b",
		"a  b":           "a  b", // space within a line counts
		"":               "",
		" \t":            "",
		" \u00a0\u3000 ": "\u00a0\u3000", // a line of special spaces is not blank
	} {
		if got := text.Fold(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// N1: the lessons of a matched line about notation.
func TestALexiconTranslates(t *testing.T) {
	for _, c := range []struct {
		name, old, file, new, want string
		unknown                    bool
	}{
		{"a plain apostrophe", "it’s", "it's", "don’t", "don't", false},
		{"a plain quote for the other kind", "it’s", "it's", "say “x”", "say \"x\"", false},
		{"the same sign", "it’s", "it’s", "don’t", "don’t", false},
		{"another family", "it’s", "it's", "a – b", "a – b", true},
		{"an ellipsis", "wait…", "wait...", "stop…", "stop...", false},
		{"both", "it’s it’s", "it's it’s", "don’t", "don’t", false},
		{"no width", "a\u200bb", "ab", "c\u200bd", "cd", false},
		{"no width in the file", "ab", "a\u200bb", "c\u200bd", "c\u200bd", false},
		{"a joiner", "a\u200db", "ab", "c\u200dd", "c\u200dd", false},
		{"nothing but ASCII", "its", "its", "don't", "don't", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &text.Lexicon{}
			x.Learn(c.old, c.file)
			got, unknown, ok := x.Translate(c.new)
			if !ok || got != c.want || (unknown != 0) != c.unknown {
				t.Errorf("%q, %v", got, unknown)
			}
		})
	}
}

func TestComposition(t *testing.T) {
	const one, several = "caf\u00e9", "cafe\u0301"
	for _, c := range []struct{ name, old, file, new, want string }{
		{"a decomposed file", one, several, one + " two", several + " two"},
		{"a composed file", several, one, several + " two", one + " two"},
		{"the request has the composition of the file", one, one, several, several},
		{"ASCII", one, several, "cafe", "cafe"},
		{"both in the file", one + one, one + several, one, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &text.Lexicon{}
			x.Learn(c.old, c.file)
			if got, _, ok := x.Translate(c.new); ok != (c.want != "") || ok && got != c.want {
				t.Errorf("%+q, %v", got, ok)
			}
		})
	}
}

func TestKeepUnseen(t *testing.T) {
	const noBreak, noWidth = "\u00a0", "\u200b"
	for _, tt := range []struct{ name, old, new, want string }{
		{"a line that only looks the same", "a" + noBreak + "b\nc\n", "a b\nd\n", "a" + noBreak + "b\nd\n"},
		{"nothing else changes", "a" + noBreak + "b\nc\n", "a b\nc\n", "a b\nc\n"},
		{"a line is gone", "a" + noWidth + "b\nc\n", "ab\n", "a" + noWidth + "b\n"},
		{"a line that changes", "a" + noBreak + "b: 1\n", "a b: 2\n", "a b: 2\n"},
		{"two old lines look the same", "a" + noWidth + "b\nab\nc\n", "ab\nab\nd\n", "ab\nab\nd\n"},
		{"two new lines look the same", "a" + noWidth + "b\nc\n", "ab\nab\n", "ab\nab\n"},
		{"a sign that is seen", "it’s\nc\n", "it's\nd\n", "it's\nd\n"},
		{"joiners and directions", "a\u200db\na\u2067b\n", "ab\nd\n", "ab\nd\n"},
		{"a line that has some of its own", "ab\nc\n", "a" + noWidth + "b\nd\n", "a" + noWidth + "b\nd\n"},
		{"a blank line", noWidth + "\nc\n", "\nd\n", "\nd\n"},
		{"bytes of another encoding", "caf\xe9\nx\n", "caf\ufffd\ny\n", "caf\ufffd\ny\n"},
	} {
		new := text.Split(tt.new)
		kept := text.KeepUnseen(text.Split(tt.old), new)
		if diff := cmp.Diff(text.Split(tt.want), new); diff != "" || kept != (tt.want != tt.new) {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, kept, diff)
		}
	}
}
