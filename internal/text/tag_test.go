package text_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

// The values are those of the reference implementation.
func TestXXHash32(t *testing.T) {
	for _, c := range []struct {
		data string
		seed uint32
		want uint32
	}{
		{"", 0, 0x02cc5d05},
		{"", 1, 0x0b2cb792},
		{"a", 0, 0x550d7456},
		{"abc", 0, 0x32d153ff},
		{"Nobody inspects the spammish repetition", 0, 0xe2293b2f},
	} {
		if got := text.XXHash32([]byte(c.data), c.seed); got != c.want {
			t.Errorf("%q with seed %d: %08x, want %08x", c.data, c.seed, got, c.want)
		}
	}
}

func tagsOf(s string) *text.Tags {
	t := text.New([]byte(s))
	return text.TagsOf(t)
}

// Two letters are what pi-hashline-edit shows for these lines.
func TestATagHasTheLinesAroundIt(t *testing.T) {
	tags := tagsOf("alpha\nbeta\ngamma\ndelta\nepsilon\n")
	for n, want := range map[int]string{1: "KT", 2: "JB", 4: "TT"} {
		if got := tags.Of(n); len(got) != 4 || !strings.HasSuffix(got, want) ||
			!tags.Has(want, text.TagWithNeighbours, n) {
			t.Errorf("line %d: %s, want four letters that end in %s", n, got, want)
		}
	}
	if tags.Has("ZZ", text.TagWithNeighbours, 2) {
		t.Error("line 2 has a tag that is not its own")
	}
}

func TestTagsIgnoreSpaceAtLineEnds(t *testing.T) {
	want := tagsOf("a\n\tb\n\nc")
	for _, s := range []string{"a\r\n\tb\r\n\r\nc\r\n", "a \n\tb\t\n  \nc\u00a0\n", "a\r\tb\r\rc\r"} {
		for n := 1; n <= 4; n++ {
			if got := tagsOf(s).Of(n); got != want.Of(n) {
				t.Errorf("%q: line %d is %s, want %s", s, n, got, want.Of(n))
			}
		}
	}
	if tagsOf("a\n b\n\nc").Of(2) == want.Of(2) {
		t.Error("the indentation does not count")
	}
}

// Lines that are the same have different tags where their neighbours differ, so that a tag also tells where a line is.
func TestATagDependsOnTheNeighbours(t *testing.T) {
	const lines = "f {\n}\n\ng {\n}\n\n"
	before, after := tagsOf(lines), tagsOf("new\n"+lines)
	for n := 1; n <= 6; n++ {
		if before.Of(n) == after.Of(n) {
			t.Errorf("line %d still has the tag %s", n, before.Of(n))
		}
		if n > 1 && before.Of(n) != after.Of(n+1) {
			t.Errorf("line %d, now line %d, does not have the tag %s any more", n, n+1, before.Of(n))
		}
	}
}

// A line without letters and digits is told from others like it by its number.
func TestATagOfALineAlone(t *testing.T) {
	tags := tagsOf("}\nx\n}\nx\n")
	tagOf := func(n int) (found []string) {
		for _, a := range "ZPMQVRWSNKTXJBYH" {
			for _, b := range "ZPMQVRWSNKTXJBYH" {
				if tag := string([]rune{a, b}); tags.Has(tag, text.TagOfLine, n) {
					found = append(found, tag)
				}
			}
		}
		return found
	}
	if a, b := tagOf(2), tagOf(4); len(a) != 1 || len(b) != 1 || a[0] != b[0] {
		t.Errorf("the same line has the tags %s and %s", a, b)
	}
	if a, b := tagOf(1), tagOf(3); len(a) != 1 || len(b) != 1 || a[0] == b[0] {
		t.Errorf("two brackets have the tags %s and %s", a, b)
	}
}

func TestIsTag(t *testing.T) {
	for s, want := range map[string]bool{"QK": true, "QKV": true, "QKVR": true, "": false, "Q": false, "QKVRZ": false,
		"qk": false, "a3": false, "Q ": false} {
		if text.IsTag(s) != want {
			t.Errorf("IsTag(%q) is %v", s, !want)
		}
	}
}

func TestFileTagIgnoresLineEndings(t *testing.T) {
	tag := func(s string) string { return text.New([]byte(s)).FileTag() }
	if got := tag("abc"); got != "53FF" { // the low half of the hash in TestXXHash32
		t.Errorf("got %s", got)
	}
	if tag("a \r\nb\t\n") != tag("a\nb\n") {
		t.Error("whitespace at line ends counts")
	}
	if tag("a\nb\n") == tag("a\nb") || tag("a\nb\n") == tag("a\nc\n") {
		t.Error("different texts have the same tag")
	}
}
