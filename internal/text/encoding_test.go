package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
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
			if isText != c.isText || isText && string(got) != c.want || e.IsMarked() != c.marked ||
				e.IsUTF16() != c.utf16 {
				t.Errorf("%+v: %q, %v", e, got, isText)
			}
			if c.isText && c.want != "\uFFFDa" && !strings.HasSuffix(c.src, encoded(e, string(got))) {
				t.Errorf("encoded again: %q", encoded(e, string(got)))
			}
			readable := c.src
			if c.utf16 && c.isText {
				readable = c.want
			}
			if got := text.MarkOf([]byte(c.src)).Readable([]byte(c.src)); string(got) != readable {
				t.Errorf("shown as %q, want %q", got, readable)
			}
		})
	}
}

func TestEncodeNamesTheFirstCharacterThatIsLacking(t *testing.T) {
	for _, c := range []struct {
		name, file, new, lacks string
		latin                  bool
	}{
		{"ASCII", "a", "é\xe9", "", false},
		{"UTF-8", "é", "a→\xe9\xff", "\xe9", false},
		{"unknown", "\xe9", "a\xff→é", "→", false},
		{"a mark, but another encoding", "\xef\xbb\xbf\xe9", "é", "é", false},
		{"UTF-16", "\xff\xfe", "é→\ufffd", "", false},
		{"a charset", "\xe9", "é→€", "→", true},
		{"a sign for bytes that cannot be read", "\xe9", "é\ufffd", "\ufffd", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := text.EncodingOf([]byte(c.file))
			if c.latin {
				e = e.Named(charmap.ISO8859_1)
			}
			if _, lacks := e.Encode([]byte(c.file), []byte(c.new)); lacks != c.lacks {
				t.Errorf("%q, want %q", lacks, c.lacks)
			}
		})
	}
}

// encoded returns a text in e, which has all of its characters.
func encoded(e text.Encoding, s string) string {
	b, _ := e.Encode(nil, []byte(s))
	return string(b)
}

var byteOrderMarks = []string{"", "\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}

// drawEncoded draws a file of any encoding, and returns its text as well.
func drawEncoded(t *rapid.T) (e text.Encoding, file []byte, decoded string) {
	mark := rapid.SampledFrom(byteOrderMarks).Draw(t, "mark")
	decoded = drawText(t)
	if e = text.EncodingOf([]byte(mark)); mark == "" && rapid.Bool().Draw(t, "named") {
		e = e.Named(simplifiedchinese.GB18030)
	}
	return e, []byte(mark + encoded(e, decoded)), decoded
}

func TestOffsetsLeadBackIntoTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, file, decoded := drawEncoded(t)
		mark := len(file) - len(encoded(e, decoded))
		offset := e.Offsets(file)
		for i := 0; i <= len(decoded); i++ {
			if i < len(decoded) && !utf8.RuneStart(decoded[i]) {
				continue
			}
			if got, want := offset(i), mark+len(encoded(e, decoded[:i])); got != want {
				t.Fatalf("offset %d of %q in %+v: %d, want %d", i, decoded, e, got, want)
			}
		}
	})
}

func TestRecodedSplicesMakeTheNewFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, file, decoded := drawEncoded(t)
		runes := []rune(decoded)
		from := rapid.IntRange(0, len(runes)).Draw(t, "from")
		to := rapid.IntRange(from, len(runes)).Draw(t, "to")
		start := len(string(runes[:from]))
		s := text.Splice{Start: start, End: start + len(string(runes[from:to])), New: "new ä"}
		new, matches := text.ApplySplices(nil, []byte(decoded), []text.Splice{s})
		data, _, lacks, _ := e.Recode(file, []byte(decoded), new, matches)
		if lacks != "" {
			t.Fatalf("%+v lacks %q", e, lacks)
		}
		if got, ok := e.Decode(data); !e.IsPlain() && (!ok || string(got) != string(new)) {
			t.Fatalf("%q became %q, not %q", decoded, got, new)
		}
	})
}

func TestNumberCountsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, file, decoded := drawEncoded(t)
		mark := len(file) - len(encoded(e, decoded))
		eol := string(text.New([]byte(decoded)).EOL)
		cuts := rapid.SliceOfN(rapid.IntRange(0, utf8.RuneCountInString(decoded)), 0, 8).Draw(t, "cuts")
		slices.Sort(cuts)
		runes := []rune(decoded)
		var matches []text.Match
		for k := 0; k+1 < len(cuts); k += 2 {
			start := mark + len(encoded(e, string(runes[:cuts[k]])))
			end := start + len(encoded(e, string(runes[cuts[k]:cuts[k+1]])))
			matches = append(matches, text.Match{New: text.Piece{Start: start, End: end}})
		}
		e.Number(file, matches, func(m *text.Match) *text.Piece { return &m.New })
		for _, m := range matches {
			before, piece := string(runes[:cuts[0]]), string(runes[cuts[0]:cuts[1]])
			p := m.New
			cuts = cuts[2:]
			wantLine, wantLines := 1+strings.Count(before, eol), 0
			if piece != "" {
				wantLines = 1 + strings.Count(strings.TrimSuffix(piece, eol), eol)
			}
			if p.Line != wantLine || p.Lines != wantLines {
				t.Fatalf("%q of %q in %+v: %+v; want line %d, %d lines", piece, decoded, e, p, wantLine, wantLines)
			}
		}
	})
}
