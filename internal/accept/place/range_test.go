package place_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

func TestRanges(t *testing.T) {
	insert := func(line, column int, new string) atomicedit.Edit {
		return accepttest.Ranged(line, column, line, column, new)
	}
	wide := func(s string) string {
		t.Helper()
		encoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	latin := &atomicedit.Options{Charset: func(string, []byte) encoding.Encoding { return charmap.ISO8859_1 }}
	for _, c := range []struct {
		name  string
		src   string
		edits []atomicedit.Edit
		o     *atomicedit.Options
		want  string
		err   error
	}{
		{name: "a piece of a line", src: "one two\n", edits: []atomicedit.Edit{accepttest.Ranged(1, 4, 1, 7, "2")},
			want: "one 2\n"},
		{name: "whole lines", src: "a\nb\nc\n", edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 3, 0, "")},
			want: "a\nc\n"},
		{name: "all of the text", src: "a\nb\n", edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 3, 0, "x")},
			want: "x"},
		{name: "nothing is indented", src: "\ta()\n", edits: []atomicedit.Edit{insert(1, 1, "if x:\nb()\n")},
			want: "\tif x:\nb()\na()\n"},
		{name: "several count the text before", src: "alpha\nbeta\ngamma\n",
			edits: []atomicedit.Edit{insert(1, 0, "first\n"), accepttest.Ranged(2, 0, 3, 0, ""), insert(3, 5, "!")},
			want:  "first\nalpha\ngamma!\n"},
		{name: "out of order", src: "a\nb\n",
			edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 2, 1, "B"), accepttest.Ranged(1, 0, 1, 1, "A")},
			want:  "A\nB\n"},
		{name: "insertions at one point", src: "a\n",
			edits: []atomicedit.Edit{insert(1, 1, "1"), insert(1, 1, "2"), insert(1, 1, "3")}, want: "a123\n"},
		{name: "insertions before a replacement", src: "abc\n",
			edits: []atomicedit.Edit{insert(1, 1, "1"), insert(1, 1, "2"), accepttest.Ranged(1, 1, 1, 2, "B")},
			want:  "a12Bc\n"},
		{name: "an insertion after a replacement", src: "abc\n",
			edits: []atomicedit.Edit{insert(1, 2, "2"), accepttest.Ranged(1, 1, 1, 2, "B")}, want: "aB2c\n"},
		{name: "a replacement before an insertion where it begins", src: "abc\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 1, 1, 2, "B"), insert(1, 1, "1")},
			err:   atomicedit.ErrOverlap},
		{name: "an insertion within a replacement", src: "abc\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 3, "B"), insert(1, 1, "1")},
			err:   atomicedit.ErrOverlap},
		{name: "overlap", src: "abc\ndef\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 1, 2, 1, "x"), accepttest.Ranged(2, 0, 2, 2, "y")},
			err:   atomicedit.ErrOverlap},
		{name: "overlap with one that is not next", src: "abcdef\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 6, "x"), accepttest.Ranged(1, 1, 1, 2, "y"),
				accepttest.Ranged(1, 4, 1, 5, "z")}, err: atomicedit.ErrOverlap},
		{name: "one that changes nothing", src: "abc\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 1, "a"), accepttest.Ranged(1, 2, 1, 3, "C")},
			want:  "abC\n"},
		{name: "all change nothing", src: "abc\n", edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 1, "a")},
			err: atomicedit.ErrNoChange},

		{name: "a column after the end of its line", src: "a\r\nb\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 9, 2, 99, "x")}, want: "ax\n"},
		{name: "the line after the last", src: "a\nb", edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 3, 0, "x")},
			want: "a\nx"},
		{name: "an empty text", src: "", edits: []atomicedit.Edit{insert(1, 0, "a\r\nb\n")}, want: "a\r\nb\n"},
		{name: "lines that are not there", src: "a\nb\n", edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 4, 0, "x")},
			err: fs.ErrInvalid},
		{name: "backwards", src: "abc\n", edits: []atomicedit.Edit{accepttest.Ranged(1, 2, 1, 1, "x")},
			err: fs.ErrInvalid},
		{name: "line 0", src: "abc\n", edits: []atomicedit.Edit{accepttest.Ranged(0, 0, 1, 1, "x")},
			err: fs.ErrInvalid},
		{name: "a column below 0", src: "abc\n", edits: []atomicedit.Edit{accepttest.Ranged(1, -1, 1, 1, "x")},
			err: fs.ErrInvalid},
		{name: "an unknown unit", src: "abc\n",
			edits: []atomicedit.Edit{accepttest.Counted("bytes", accepttest.Ranged(1, 0, 1, 1, "x"))},
			err:   fs.ErrInvalid},

		{name: "a surrogate pair is two columns", src: "x𝒳y\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 3, 1, 4, "z")}, want: "x𝒳z\n"},
		{name: "within a surrogate pair", src: "x𝒳y\n", edits: []atomicedit.Edit{accepttest.Ranged(1, 2, 1, 4, "z")},
			err: fs.ErrInvalid},
		{name: "columns in bytes", src: "x𝒳y\n",
			edits: []atomicedit.Edit{accepttest.Counted("utf-8", accepttest.Ranged(1, 5, 1, 6, "z"))}, want: "x𝒳z\n"},
		{name: "within a character, in bytes", src: "é\n",
			edits: []atomicedit.Edit{accepttest.Counted("utf-8", accepttest.Ranged(1, 1, 1, 2, "z"))},
			err:   fs.ErrInvalid},
		{name: "columns in code points", src: "x𝒳y\n",
			edits: []atomicedit.Edit{accepttest.Counted("utf-32", accepttest.Ranged(1, 2, 1, 3, "z"))}, want: "x𝒳z\n"},
		{name: "columns in several units", src: "𝒳a𝒳b𝒳c\n",
			edits: []atomicedit.Edit{accepttest.Counted("utf-8", accepttest.Ranged(1, 4, 1, 5, "A")),
				accepttest.Counted("utf-32", accepttest.Ranged(1, 3, 1, 4, "B")), accepttest.Ranged(1, 8, 1, 9, "C")},
			want: "𝒳A𝒳B𝒳C\n"},

		{name: "new lines end as the line does", src: "a\r\nb\n",
			edits: []atomicedit.Edit{insert(1, 1, "\n1"), insert(2, 0, "2\r\n")}, want: "a\r\n1\r\n2\nb\n"},
		{name: "line endings keep their order", src: "a\r\nb\nc\r\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 3, 0, "A\nB\n1\n")}, want: "A\r\nB\n1\nc\r\n"},
		{name: "a new line in a last line without ending", src: "a\r\nb", edits: []atomicedit.Edit{insert(2, 1, "\nc")},
			want: "a\r\nb\r\nc"},
		{name: "a new line in a text without any ending", src: "a", edits: []atomicedit.Edit{insert(1, 1, "\r\nb")},
			want: "a\r\nb"},
		{name: "a line ending that goes", src: "a\r\nb\r\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 1, 2, 0, "")}, want: "ab\r\n"},
		{name: "lines that end in a carriage return", src: "a\rb\rc\r",
			edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 3, 0, "B\n1\n")}, want: "a\rB\r1\rc\r"},
		{name: "above a lone carriage return", src: "a\nb\rc\nd\n",
			edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 2, 1, "B")}, want: "a\nB\rc\nd\n"},
		{name: "beyond a lone carriage return", src: "a\nb\rc\nd\n",
			edits: []atomicedit.Edit{accepttest.Ranged(3, 0, 3, 1, "D")}, err: atomicedit.ErrAmbiguous},

		{name: "a byte order mark is no column", src: "\ufeffabc\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 1, "A")}, want: "\ufeffAbc\n"},
		{name: "UTF-16", src: wide("é𝒳y\nb\n"), edits: []atomicedit.Edit{accepttest.Ranged(1, 3, 1, 4, "ü")},
			want: wide("é𝒳ü\nb\n")},
		{name: "a charset", src: "\xe9\xe9b\n", o: latin, edits: []atomicedit.Edit{accepttest.Ranged(1, 1, 1, 3, "ü")},
			want: "\xe9\xfc\n"},
		{name: "above bytes of an unknown encoding", src: "a\xe9b\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 1, "A")}, want: "A\xe9b\n"},
		{name: "beyond bytes of an unknown encoding", src: "a\xe9b\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 2, 1, 3, "B")}, err: atomicedit.ErrEncoding},

		{name: "after an edit of a text", src: "a\nb\n",
			edits: []atomicedit.Edit{{Old: "a", New: "1\n2"}, accepttest.Ranged(2, 0, 2, 1, "B")}, want: "1\n2\nB\n"},
		{name: "on text that an edit has changed", src: "a\nb\n",
			edits: []atomicedit.Edit{{Old: "a", New: "1\n2"}, accepttest.Ranged(1, 0, 1, 1, "B")},
			err:   atomicedit.ErrOverlap},
		{name: "before an edit of a text", src: "a\nb\n",
			edits: []atomicedit.Edit{accepttest.Ranged(2, 0, 2, 1, "B"), {Old: "B", New: "C"}}, want: "a\nC\n"},
		{name: "before an edit by line numbers", src: "a\nb\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 1, 0, "0\n"), {First: 2, Last: 2, New: "B\n"}},
			want:  "0\na\nB\n"},
		{name: "a placeholder", src: "a\nb\n",
			edits: []atomicedit.Edit{accepttest.Ranged(1, 0, 3, 0, "a\n// ... existing code ...\n")},
			err:   atomicedit.ErrPlaceholder},
		{name: "a text besides", src: "a\n",
			edits: []atomicedit.Edit{{Old: "a", Range: &atomicedit.Range{Start: atomicedit.Position{Line: 1}}}},
			err:   fs.ErrInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := atomicedit.Apply([]byte(c.src), c.edits, c.o)
			if !errors.Is(err, c.err) || err == nil && string(res.Text) != c.want {
				t.Fatalf("got %+v, error %v\nwant %q, %v", res, err, c.want, c.err)
			}
			if err != nil {
				t.Log(err)
				return
			}
			for _, m := range res.Matches {
				if by := m.By; by != "columns" && c.edits[m.Edit].Range != nil {
					t.Errorf("placed by %q", by)
				}
			}
		})
	}
}

// Edits by ranges do what replacing the pieces from the last to the first does.
func TestRangesAreReplacedFromTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "𝒳", "é𝒳b", "  }"}), 1, 6).Draw(t, "lines")
		src := strings.Join(lines, "\n")
		type at struct{ offset, line, column int }
		var places []at // between characters
		offset := 0
		for i, l := range lines {
			column := 0
			for k, r := range l {
				places = append(places, at{offset + k, i + 1, column})
				column += utf16.RuneLen(r)
			}
			places = append(places, at{offset + len(l), i + 1, column})
			offset += len(l) + 1
		}
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(places)-1), 2, 8).Draw(t, "cuts")
		slices.Sort(cuts)
		var edits []atomicedit.Edit
		var want string
		last := 0
		for i := 0; i+1 < len(cuts); i += 2 {
			from, to := places[cuts[i]], places[cuts[i+1]]
			new := rapid.SampledFrom([]string{"", "x", "𝒴\n", "\n\n"}).Draw(t, "new")
			edits = append(edits, accepttest.Ranged(from.line, from.column, to.line, to.column, new))
			want += src[last:from.offset] + new
			last = to.offset
		}
		want += src[last:]
		res, err := atomicedit.Apply([]byte(src), edits, nil)
		if want == src {
			if !errors.Is(err, atomicedit.ErrNoChange) {
				t.Fatalf("%q: %+v, error %v", src, res, err)
			}
			return
		}
		if err != nil || string(res.Text) != want {
			t.Fatalf("%q: got %+v, error %v\nwant %q", src, res, err, want)
		}
	})
}

// A session has to have seen the lines of a range before they are edited.
func TestRangesNeedLinesThatWereSeen(t *testing.T) {
	s := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "a\nb\nc\n"}))
	if _, err := s.View(t.Context(), "f", 2, 3); err != nil {
		t.Fatal(err)
	}
	p := accepttest.OneEdit("f", accepttest.Ranged(1, 0, 1, 1, "A"))
	if _, err := atomicedit.Run(t.Context(), s, p, nil); !errors.Is(err, atomicedit.ErrUnread) {
		t.Errorf("after a view of other lines: %v", err)
	}
	if _, err := s.View(t.Context(), "f", 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := atomicedit.Run(t.Context(), s, p, nil); err != nil {
		t.Errorf("after a view of the line: %v", err)
	}
}

// Every byte outside the matches is where Offset says, and a byte within one is where its new text begins.
func TestOffset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := accepttest.TextOf(t)
		res, edits := &atomicedit.Result{Text: []byte(src)}, []atomicedit.Edit(nil)
		for range 4 {
			more := append(edits, accepttest.EditOf(t, src))
			if r, err := atomicedit.Apply([]byte(src), more, nil); err == nil {
				res, edits = r, more
			}
		}
		replaced := make([]bool, len(src))
		for _, m := range res.Matches {
			for i := m.Old.Start; i < m.Old.End; i++ {
				replaced[i] = true
				if at := res.Offset(i); at != m.New.Start {
					t.Fatalf("byte %d is replaced at %d, got %d", i, m.New.Start, at)
				}
			}
		}
		for i := range replaced {
			if at := res.Offset(i); !replaced[i] && res.Text[at] != src[i] || i > 0 && at < res.Offset(i-1) {
				t.Fatalf("byte %d of %q is at %d of %q", i, src, at, res.Text)
			}
		}
		if at := res.Offset(len(src)); at != len(res.Text) {
			t.Fatalf("the end of %q is at %d of %q", src, at, res.Text)
		}
	})
}
