package text_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestOccurrences(t *testing.T) {
	for _, c := range []struct {
		name, src, s string
		want         []text.Span
	}{
		{"apart", "ab ab", "ab", []text.Span{{Start: 0, End: 2}, {Start: 3, End: 5}}},
		{"overlapping", "aaa", "aa", []text.Span{{Start: 0, End: 2}, {Start: 1, End: 3}}},
		{"another line ending", "a\r\nb\r\n", "a\nb\n", []text.Span{{Start: 0, End: 6}}},
		{"endings of several kinds", "a\nb\r\na\r\nb", "a\nb", []text.Span{{Start: 0, End: 3}, {Start: 5, End: 9}}},
		{"carriage returns", "a\rb\r", "a\nb", []text.Span{{Start: 0, End: 3}}},
		{"lines below an empty one", "\r\n\r\na\nb\r\n", "\na\nb", []text.Span{{Start: 2, End: 7}}},
		{"a first line that is everywhere", "a\r\na\r\na\r\nb", "a\na\nb", []text.Span{{Start: 3, End: 10}}},
		{"half of a line ending", "a\r\n", "a\r", nil},
		{"half of a line ending, and a line ending", "a\r\nb", "a\r\r\nb", nil},
		{"a carriage return in front of a line ending", "a\r\r\nb", "a\r\r\nb", []text.Span{{Start: 0, End: 5}}},
		{"a letter with a combining mark", "e\u0301 e", "e", []text.Span{{Start: 4, End: 5}}},
		{"nowhere", "ab", "c", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, text.New([]byte(c.src)).Occurrences(c.s, 9)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestPlainOccurrences(t *testing.T) {
	for _, c := range []struct {
		name, src, s string
		want         []string
	}{
		{"nothing but ASCII", "it's", "it's", nil},
		{"an apostrophe", "so it’s here", "it's", []string{"it’s"}},
		{"in the string alone", "so it's here", "it’s", []string{"it's"}},
		{"several", "– –", "-", []string{"–", "–"}},
		{"other letters", "it’s", "it's a", nil},
		{"an ellipsis", "a…b", "a...b", []string{"a…b"}},
		{"a part of an ellipsis", "a…b", "a..", nil},
		{"a dash for one of two", "a --> b", "—>", nil},
		{"letters in two compositions", "cafe\u0301 café", "café", []string{"cafe\u0301", "café"}},
		{"a letter without its mark", "cafe\u0301", "cafe", nil},
		{"characters without width within it alone", "\u200bfoo\u200bbar\u200b", "foobar", []string{"foo\u200bbar"}},
		{"line endings", "“a”\r\nb", "\"a\"\nb", []string{"“a”\r\nb"}},
		{"nothing but what has no width", "a\u200b", "\u200b", nil},
		{"what is not UTF-8", "’\xff", "'", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range text.PlainOf(text.New([]byte(c.src))).Occurrences(c.s, 9) {
				got = append(got, c.src[s.Start:s.End])
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// The places are those of the string in plain characters in the text in plain characters, where both are ordinary.
func TestPlainOccurrencesAreAsInPlainCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signs := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", " ", "\n", "’", "'", "–", "-", "é", "e\u0301",
			"\u200b"}))
		src, s := strings.Join(signs.Draw(t, "text"), ""), strings.Join(signs.Draw(t, "string"), "")
		for _, at := range text.PlainOf(text.New([]byte(src))).Occurrences(s, 99) {
			if got := src[at.Start:at.End]; text.Fold("x"+got+"x") != text.Fold("x"+s+"x") {
				t.Errorf("%q is not %q", got, s)
			}
		}
	})
}

func TestMayCutCharacter(t *testing.T) {
	data := text.New([]byte("a\x83\\ \x83 \x83\xc1\n"))
	for at, want := range []bool{false, false, true, false, false, false, false, false, false, false} {
		if got := data.MayCutCharacter(at); got != want {
			t.Errorf("%d: %v", at, got)
		}
	}
}

func TestApartTakesOverlappingPlacesFromTheLeft(t *testing.T) {
	for src, want := range map[string]struct {
		places  int
		overlap bool
	}{"aa aa": {2, false}, "aaaa": {2, true}, "aaa": {1, true}, "a": {0, false}, "aaa\u0301": {1, false},
		"aa\u0301a aa": {1, false}} {
		if places, overlap := text.New([]byte(src)).Apart("aa"); len(places) != want.places || overlap != want.overlap {
			t.Errorf("%q: %v, %v", src, places, overlap)
		}
	}
}

func TestSearchOfManyEqualLinesIsLinear(t *testing.T) {
	for _, line := range []string{"", "\ta();"} {
		src := text.New([]byte(strings.Repeat(line+"\r\n", 400_000)))
		start := time.Now()
		if got := src.Occurrences(strings.Repeat(line+"\n", 30_000)+"another line", 1); got != nil {
			t.Error("found a line that is not there")
		}
		if got := src.Occurrences(strings.Repeat(line+"\n", 30_000), 400_000); len(got) != 370_001 {
			t.Errorf("%d places of lines %q", len(got), line)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("the search behind lines %q took %v", line, took)
		}
	}
}

func TestLongLineBelowTheFirstIsFoundWhateverTheEndings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unix := rapid.StringMatching(`([ab\n]|\n\n|aaaa){0,40}`).Draw(t, "text")
		old := rapid.StringMatching(`[ab\n]{1,9}`).Draw(t, "old")
		var mixed strings.Builder
		for _, c := range unix {
			if c == '\n' && rapid.Bool().Draw(t, "crlf") {
				mixed.WriteByte('\r')
			}
			mixed.WriteRune(c)
		}
		got := len(text.New([]byte(mixed.String()+"\r\n")).Occurrences(old, 99))
		want := len(text.New([]byte(unix+"\n")).Occurrences(old, 99))
		if got != want {
			t.Fatalf("%d places instead of %d", got, want)
		}
	})
}

// Texts that repeat themselves are searched in other ways, with the same outcome.
func TestOccurrencesOfWhatRepeatsItselfAreThoseOfASimpleSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.StringMatching(`[ab\n]{0,3}[\n]{0,1}a`).Draw(t, "unit")
		draw := func(label string, most int) string {
			s := strings.Repeat(unit, rapid.IntRange(0, most).Draw(t, label))
			return rapid.SampledFrom([]string{"", "\n", "b"}).Draw(t, label+" head") + s +
				rapid.SampledFrom([]string{"", "a", "\n", "c"}).Draw(t, label+" tail")
		}
		old, src := draw("old", 20)+"a", ""
		for i := range rapid.IntRange(1, 3).Draw(t, "runs") {
			src += draw(fmt.Sprint("run ", i), 60)
		}
		returns := rapid.SampledFrom([]string{"none", "all", "some"}).Draw(t, "returns")
		var mixed []byte
		var own []int // by offset of src, that in mixed
		for i := range len(src) {
			own = append(own, len(mixed))
			if src[i] == '\n' && (returns == "all" || returns == "some" && rapid.Bool().Draw(t, "crlf")) {
				mixed = append(mixed, '\r')
			}
			mixed = append(mixed, src[i])
		}
		own = append(own, len(mixed))
		var want []text.Span
		for i := range len(src) - len(old) + 1 {
			if src[i:i+len(old)] == old {
				want = append(want, text.Span{Start: own[i], End: own[i+len(old)]})
			}
		}
		if diff := cmp.Diff(want, text.New(mixed).Occurrences(old, len(src)+1)); diff != "" {
			t.Fatalf("%q in %q: %s", old, mixed, diff)
		}
	})
}
