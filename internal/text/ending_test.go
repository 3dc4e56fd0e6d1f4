package text_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestSubstituteCutsNeitherCharactersNorLineEndings(t *testing.T) {
	for _, c := range []struct{ name, src, new, want string }{
		{"what both have stays", "a b c", "a x c", "x"},
		{"a character", "é", "è", "è"},
		{"a line ending", "a\r\n", "a\n", ""},
		{"the endings of the place", "a\r\nb\n", "x\ny\nz\n", "x\r\ny\nz"},
		{"lines that stay", "a\nb\r\nc\nd", "a\nx\nb\nc\nd", "x\n"},
		{"lines that go", "a\r\nb\nc\r\nd", "a\nc\nd", ""},
	} {
		if got := text.New([]byte(c.src)).Substitute(text.Origin{}, text.Span{End: len(c.src)},
			c.new); got.New != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.New, c.want)
		}
	}
}

func TestEndAs(t *testing.T) {
	add := func(at int, new string) []text.Splice { return []text.Splice{{Start: at, End: at, New: new}} }
	for _, c := range []struct {
		name, src string
		ended     bool
		splices   []text.Splice
		want      string
	}{
		{"a newline is added", "a", true, nil, "a\n"},
		{"a newline is removed", "a\r\n", false, nil, "a"},
		{"it stays", "a\n", true, nil, "a\n"},
		{"a line below one without a newline", "a", false, add(1, "b\n"), "a\nb"},
		{"a line in an empty text", "", false, add(0, "b\n"), "b"},
		{"the last line goes", "a\nb", false, []text.Splice{{Start: 2, End: 3}}, "a"},
		{"the last line goes below a new one", "a\nb\n", false,
			[]text.Splice{{Start: 2, End: 2, New: "x\n"}, {Start: 2, End: 4}}, "a\nx"},
		{"the last lines go one by one", "a\nb\nc\n", false, []text.Splice{{Start: 2, End: 4}, {Start: 4, End: 6}},
			"a"},
		{"nothing", "", false, nil, ""},
	} {
		src := text.New([]byte(c.src))
		if got, _ := text.ApplySplices(nil, src.Data,
			src.EndAs(c.ended, c.splices, text.Origin{})); string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
