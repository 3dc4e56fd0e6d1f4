package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/text"
)

// drawText draws a text with line endings of one kind or of several.
func drawText(t *rapid.T) string {
	line := rapid.SampledFrom([]string{"", "a", " b ", "ä", "𝄞\t", "x\ry"})
	endings := rapid.SampledFrom([][]string{{"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n", "\r"}}).Draw(t, "endings")
	var b strings.Builder
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		b.WriteString(line.Draw(t, "line") + rapid.SampledFrom(endings).Draw(t, "ending"))
	}
	return b.String() + line.Draw(t, "last")
}

func TestLinesMakeUpTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := text.New([]byte(drawText(t)))
		starts := x.Starts()
		numbers := text.Numbers{Text: x}
		var joined strings.Builder
		for i, at := range starts[:len(starts)-1] {
			l := x.LineAt(at)
			joined.WriteString(string(x.Bytes(l)) + x.Ending(l))
			if l.Next != starts[i+1] || x.LineBefore(l.Next) != l || x.LineStart(l.End) != at || !x.StartsLine(at) ||
				!l.Real() {
				t.Fatalf("line %d of %q: %+v, from behind %+v", i+1, x.Data, l, x.LineBefore(l.Next))
			}
			if below := x.Below(l); below.Real() != (l.Next < len(x.Data)) ||
				below.Real() && (below.Start != l.Next || x.Above(below) != l) {
				t.Fatalf("line %d of %q: %+v, and below it %+v", i+1, x.Data, l, below)
			}
			if between := x.LinesBetween(x.LineAt(0), l); between != max(0, i-1) {
				t.Fatalf("%d lines between the first and line %d of %q", between, i+1, x.Data)
			}
			if s := (text.Span{Start: at, End: l.End}); x.LinesAround(s) != s || !x.HasLines(at, x.Bytes(l)) {
				t.Fatalf("line %d of %q is not where it is: %+v", i+1, x.Data, x.LinesAround(s))
			}
			if ending := x.Ending(l); !slices.Contains([]string{"\n", "\r\n", "\r", ""}, ending) ||
				ending == "" && l.Next < len(x.Data) {
				t.Fatalf("line %d of %q ends in %q", i+1, x.Data, ending)
			}
			for in := at; in < l.Next; in++ {
				if n := numbers.At(in); n != i+1 {
					t.Fatalf("offset %d of %q lies in line %d, not %d", in, x.Data, i+1, n)
				}
			}
		}
		if joined.String() != string(x.Data) || x.CountLines() != len(starts)-1 ||
			starts[len(starts)-1] != len(x.Data) {
			t.Fatalf("%d lines, %v: %q, want %q", x.CountLines(), starts, joined.String(), x.Data)
		}
	})
}

// Line numbers are kept for every stride of a text, so that they cost one pass.
func TestWhereALineStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := strings.Repeat("line\n", rapid.IntRange(0, 20_000).Draw(t, "lines above"))
		x := text.New([]byte(long + drawText(t) + strings.Repeat("x", rapid.IntRange(0, 5000).Draw(t, "more"))))
		starts := x.Starts()
		numbers := text.Numbers{Text: x}
		for range 3 {
			n := rapid.IntRange(1, len(starts)).Draw(t, "number")
			if got := numbers.Start(n); got != starts[n-1] {
				t.Fatalf("line %d starts at %d, want %d", n, got, starts[n-1])
			}
		}
		from := rapid.IntRange(0, len(starts)-1).Draw(t, "from")
		to := rapid.IntRange(from, len(starts)).Draw(t, "to")
		if got, want := x.Skip(starts[from], to-from), starts[min(to, len(starts)-1)]; got != want {
			t.Fatalf("%d lines behind line %d: %d, want %d", to-from, from, got, want)
		}
	})
}

func TestNumbersOfALongText(t *testing.T) {
	x := text.New([]byte(strings.Repeat("some line\n", 20_000)))
	numbers := text.Numbers{Text: x}
	offsets := []int{0, 9, 10, 40_000, 40_010, 150_005, len(x.Data) - 1}
	var want []int
	for _, at := range offsets {
		want = append(want, 1+at/10)
	}
	for i, at := range slices.Backward(offsets) {
		if got := numbers.At(at); got != want[i] {
			t.Errorf("offset %d lies in line %d, not %d", at, want[i], got)
		}
	}
}

func TestEndingOfANewLine(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"a\nb\n", "\n"}, {"a\r\nb\r\n", "\r\n"}, {"a\rb\r", "\r"},
		{"a\r\nb", "\r\n"}, // the last line has the ending of the one before
		{"a\nx\r\ny", "\r\n"},
		{"a", "\n"}, {"", "\n"},
	} {
		x := text.New([]byte(c.data))
		starts := x.Starts()
		last := x.LineAt(starts[max(0, len(starts)-2)])
		if got := x.EndingLike(last); got != c.want {
			t.Errorf("%q: %q, want %q", c.data, got, c.want)
		}
	}
}

func TestFindFindsWhatIndexFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.StringOfN(rapid.SampledFrom([]rune("ab zQ\n")), 0, 400, -1).Draw(t, "data")
		if rapid.Bool().Draw(t, "repeated") {
			data = strings.Repeat(data, 200)
		}
		s := rapid.StringOfN(rapid.SampledFrom([]rune("ab zQ\n")), 1, 80, -1).Draw(t, "s")
		if at := rapid.IntRange(0, len(data)).Draw(t, "at"); rapid.Bool().Draw(t, "there") && at < len(data) {
			s = data[at:min(len(data), at+len(s))]
		}
		from := rapid.IntRange(0, len(data)).Draw(t, "from")
		want := strings.Index(data[from:], s)
		if want >= 0 {
			want += from
		}
		if got := text.New([]byte(data)).Find(s, text.Rarest(s), from); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}

func TestScanner(t *testing.T) {
	type line struct {
		Line, Verbatim, Peek string
		No, At               int
		CRLF                 bool
	}
	for src, want := range map[string][]line{
		"":            nil,
		"a":           {{"a", "a", "", 1, 0, false}},
		"a\n":         {{"a", "a", "", 1, 0, false}},
		"a\r\n\nb\rc": {{"a", "a\r", "", 1, 0, true}, {"", "", "b\rc", 2, 3, false}, {"b\rc", "b\rc", "", 3, 4, false}},
		"\ufeffa\n\ufeffb\n": {
			{"a", "a", "\ufeffb", 1, 0, false}, {"\ufeffb", "\ufeffb", "", 2, 5, false},
		},
	} {
		s := text.Scanner{Src: src}
		var got []line
		for s.Scan() {
			got = append(got, line{s.Line, s.Verbatim(), s.Peek(), s.No, s.At, s.CRLF()})
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", src, d)
		}
	}
}

func TestLinesOfARequest(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, "a": {"a"}, "a\n": {"a"}, "a\r\n\r\nb": {"a", "", "b"}, "\n": {""}, "a\rb\n": {"a\rb"},
	} {
		if got := text.Split(s); !slices.Equal(got, want) {
			t.Errorf("Split(%q): %q, want %q", s, got, want)
		}
		ended := ""
		for _, l := range want {
			ended += l + "\n"
		}
		if got := text.EndLines(s); got != ended {
			t.Errorf("EndLines(%q): %q, want %q", s, got, ended)
		}
	}
}

func TestPartsOfALine(t *testing.T) {
	for s, want := range map[string][3]string{
		"": {}, "\t x = 1 \v": {"\t ", "x = 1", " \v"}, "x": {"", "x", ""}, " \t": {" \t", "", ""},
		"\u00a0x": {"", "\u00a0x", ""},
	} {
		if indent, body, trail := text.Parts(s); [3]string{indent, body, trail} != want {
			t.Errorf("%q: %q, %q, %q", s, indent, body, trail)
		}
	}
}

func TestWords(t *testing.T) {
	const line = "if a_1==ä  {·}"
	if got, want := text.Tokens(line), []string{"if", "a_1", "=", "=", "ä", "{", "·", "}"}; !slices.Equal(got, want) {
		t.Errorf("tokens %q, want %q", got, want)
	}
	if got, want := text.Words(line),
		[]string{"if", " ", "a_1", "=", "=", "ä", "  ", "{", "·", "}"}; !slices.Equal(got, want) {
		t.Errorf("words %q, want %q", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "line")
		if got := strings.Join(text.Words(s), ""); got != s {
			t.Fatalf("the words of %q make %q", s, got)
		}
		n := rapid.IntRange(4, 20).Draw(t, "n")
		if got := text.Clip(s, n); len(got) > n || len(s) <= n && got != s {
			t.Fatalf("%q clipped to %d bytes: %q", s, n, got)
		}
	})
}

func TestWhatALineSays(t *testing.T) {
	for s, want := range map[string][3]bool{ // HasWord, Substantial, HasLetterOrDigit
		"": {}, "})": {}, "ab": {false, false, true}, "a1b": {false, true, true}, "été": {true, true, true},
		"123": {false, true, true}, "_-_": {},
	} {
		if got := [3]bool{text.HasWord(s), text.Substantial(s), text.HasLetterOrDigit(s)}; got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestEachIdeographIsAWord(t *testing.T) {
	if d := cmp.Diff([]string{"设", "置", "x1", "，", "値"}, text.Tokens("设置x1，値")); d != "" {
		t.Error(d)
	}
	if !text.HasWord("置") || !text.Substantial("値") || text.HasWord("ab") {
		t.Error("words by length")
	}
}
