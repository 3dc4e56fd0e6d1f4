package text_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestEncodingOf(t *testing.T) {
	for _, c := range []struct {
		name, src, want string // want is the decoded text
		isText          bool
		marked, utf16   bool
	}{
		{"nothing", "", "", true, false, false},
		{"UTF-8", "ä", "ä", true, false, false},
		{"a byte order mark", "\xef\xbb\xbfä", "ä", true, true, false},
		{"little-endian UTF-16", "\xff\xfe\xe4\x00\n\x00", "ä\n", true, true, true},
		{"big-endian UTF-16", "\xfe\xff\x00\xe4\x00\n", "ä\n", true, true, true},
		{"a surrogate pair", "\xfe\xff\xd8\x34\xdd\x1e", "𝄞", true, true, true},
		{"half a surrogate pair", "\xfe\xff\xd8\x34\x00a", "\uFFFDa", true, true, true},
		{"invalid UTF-8", "\xff\n", "\xff\n", true, false, false},
		{"a NUL byte", "a\x00", "", false, false, false},
		{"a NUL in UTF-16", "\xff\xfe\x00\x00", "", false, true, true},
		{"half a code unit", "\xff\xfea", "", false, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := text.EncodingOf([]byte(c.src))
			got, isText := e.Decode([]byte(c.src))
			if isText != c.isText || isText && string(got) != c.want || e.IsMarked() != c.marked || e.IsUTF16() != c.utf16 {
				t.Errorf("%+v: %q, %v", e, got, isText)
			}
			if c.isText && c.want != "\uFFFDa" && !bytes.HasSuffix([]byte(c.src), e.Encode(got)) {
				t.Errorf("encoded again: %q", e.Encode(got))
			}
			readable := c.src
			if c.utf16 && c.isText {
				readable = c.want
			}
			if got := text.Readable([]byte(c.src)); string(got) != readable {
				t.Errorf("shown as %q, want %q", got, readable)
			}
		})
	}
}

var byteOrderMarks = []string{"", "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}

// drawEncoded draws a file of any encoding, and returns its text as well.
func drawEncoded(t *rapid.T) (e text.Encoding, file []byte, decoded string) {
	mark := rapid.SampledFrom(byteOrderMarks).Draw(t, "mark")
	decoded = drawText(t)
	e = text.EncodingOf([]byte(mark))
	return e, append([]byte(mark), e.Encode([]byte(decoded))...), decoded
}

func TestOffsetsLeadBackIntoTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, file, decoded := drawEncoded(t)
		mark := len(file) - len(e.Encode([]byte(decoded)))
		offset := e.Offsets(file)
		for i := 0; i <= len(decoded); i++ {
			if i < len(decoded) && !utf8.RuneStart(decoded[i]) {
				continue
			}
			if got, want := offset(i), mark+len(e.Encode([]byte(decoded[:i]))); got != want {
				t.Fatalf("offset %d of %q in %+v: %d, want %d", i, decoded, e, got, want)
			}
		}
	})
}

func TestLineCounterCountsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, file, decoded := drawEncoded(t)
		mark := len(file) - len(e.Encode([]byte(decoded)))
		eol := string(text.New([]byte(decoded)).EOL)
		counter := e.LineCounter(file)
		cuts := rapid.SliceOfN(rapid.IntRange(0, utf8.RuneCountInString(decoded)), 0, 8).Draw(t, "cuts")
		slices.Sort(cuts)
		for ; len(cuts) > 1; cuts = cuts[2:] {
			runes := []rune(decoded)
			before, piece := string(runes[:cuts[0]]), string(runes[cuts[0]:cuts[1]])
			start := mark + len(e.Encode([]byte(before)))
			line, lines := counter.Lines(start, start+len(e.Encode([]byte(piece))))
			wantLine, wantLines := 1+strings.Count(before, eol), 0
			if piece != "" {
				wantLines = 1 + strings.Count(strings.TrimSuffix(piece, eol), eol)
			}
			if line != wantLine || lines != wantLines {
				t.Fatalf("%q of %q in %+v: line %d, %d lines; want %d, %d", piece, decoded, e, line, lines, wantLine, wantLines)
			}
		}
	})
}
