package atomicedit

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// patched applies the hunks of a unified diff to old, strictly: every line number and count has to be right.
func patched(old, diff string) (string, error) {
	src := strings.SplitAfter(old, "\n")
	if src[len(src)-1] == "" {
		src = src[:len(src)-1]
	}
	_, rest, _ := strings.Cut("\n"+diff, "\n@@ ")
	if rest == "" {
		return old, nil
	}
	lines := strings.SplitAfter("@@ "+rest, "\n")
	var out []string
	at := 0
	for i := 0; i < len(lines) && lines[i] != ""; {
		f := strings.Fields(lines[i])
		if len(f) != 4 || f[0] != "@@" || f[3] != "@@" {
			return "", fmt.Errorf("no hunk header: %q", lines[i])
		}
		wantA, countA := parseRange(f[1])
		wantB, countB := parseRange(f[2])
		if wantA-1 < at || wantA-1 > len(src) {
			return "", fmt.Errorf("hunk at %d, with %d lines done of %d", wantA, at, len(src))
		}
		out = append(out, src[at:wantA-1]...)
		at = wantA - 1
		if len(out) != wantB-1 {
			return "", fmt.Errorf("new line %d, want %d", len(out)+1, wantB)
		}
		for i++; countA > 0 || countB > 0; i++ {
			line := lines[i][1:]
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				line = strings.TrimSuffix(line, "\n")
			}
			sign := lines[i][0]
			if sign != '+' {
				if at >= len(src) || src[at] != line {
					return "", fmt.Errorf("line %d is not %q", at+1, line)
				}
				at, countA = at+1, countA-1
			}
			if sign != '-' {
				out, countB = append(out, line), countB-1
			}
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				i++
			}
		}
	}
	return strings.Join(append(out, src[at:]...), ""), nil
}

// parseRange reads "-12,3" as the first line and the number of lines.
func parseRange(s string) (line, n int) {
	l, c, ok := strings.Cut(s[1:], ",")
	line, _ = strconv.Atoi(l)
	if n = 1; ok {
		n, _ = strconv.Atoi(c)
	}
	if n == 0 {
		line++
	}
	return line, n
}

func TestDiffText(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"three lines of context", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"six lines between share a hunk", "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
		{"seven do not", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\nB\n",
			"@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -6,4 +5,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"final newline added", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"no final newline on both sides", "a\nb", "A\nb",
			"@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
		{"lines added after a missing newline", "a", "a\nb",
			"@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		{"CRLF stays in the lines", "a\r\nb\r\n", "a\r\nb\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n"},
		{"the suffix of one line is not a line", "xb\n", "b\n", "@@ -1 +1 @@\n-xb\n+b\n"},
		{"the prefix of one line is not a line", "x", "x\nx\n",
			"@@ -1 +1,2 @@\n-x\n\\ No newline at end of file\n+x\n+x\n"},
		{"unique lines are anchors, braces are not",
			"x\n{\n1\n}\nfunc b\n{\n2\n}\n", "{\n}\nfunc b\n{\n3\n}\nx\n",
			"@@ -1,8 +1,7 @@\n-x\n {\n-1\n }\n func b\n {\n-2\n+3\n }\n+x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want != "" {
				tt.want = "--- x\n+++ y\n" + tt.want
			}
			if d := cmp.Diff(tt.want, Diff("x", []byte(tt.old), "y", []byte(tt.new))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDiffNames(t *testing.T) {
	tests := []struct{ name, want string }{
		{"plain.txt", "plain.txt"},
		{"with space", "with space\t"},
		{"größe.txt", "größe.txt"},
		{"tab\there", `"tab\there"`},
		{"new\nline", `"new\nline"`},
		{`quo"te`, `"quo\"te"`},
		{"\x01\xff", `"\001\377"`},
	}
	for _, tt := range tests {
		got := Diff(tt.name, []byte("a"), "y", []byte("b"))
		if first, _, _ := strings.Cut(got, "\n"); first != "--- "+tt.want {
			t.Errorf("%q: got %q", tt.name, first)
		}
	}
}

func TestDiffOfWhatIsNoText(t *testing.T) {
	if got := Diff("x", []byte("a\x00"), "y", []byte("b\n")); got != "Binary files x and y differ\n" {
		t.Error(got)
	}
	utf16LE := func(s string) []byte {
		b := []byte{0xFF, 0xFE}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return b
	}
	want := "--- x\n+++ y\n@@ -1,2 +1,2 @@\n-ä\n+𝄞\n b\n"
	if got := Diff("x", utf16LE("ä\nb\n"), "y", utf16LE("𝄞\nb\n")); got != want {
		t.Error(got)
	}
	if got := Diff("x", utf16LE("a\n"), "y", []byte("a\n")); got != "Binary files x and y differ\n" {
		t.Error(got)
	}
}

func TestGitDiffHeaders(t *testing.T) {
	file := func(s string, m fs.FileMode) *File { return &File{Data: []byte(s), Mode: m} }
	tests := []struct {
		name, from, to string
		before, after  *File
		want           string
	}{
		{"created", "", "n", nil, file("a\n", 0),
			"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"created empty", "", "n", nil, file("", 0o755), "diff --git a/n b/n\nnew file mode 100755\n"},
		{"deleted", "o", "", file("a\n", 0o644), nil,
			"diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"deleted empty", "o", "", file("", 0o644), nil, "diff --git a/o b/o\ndeleted file mode 100644\nindex e69de29..0000000\n"},
		{"moved", "o", "n", file("a\n", 0o644), file("a\n", 0), "diff --git a/o b/n\nrename from o\nrename to n\n"},
		{"moved and edited", "o", "n", file("a\n", 0o644), file("b\n", 0),
			"diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n"},
		{"made executable", "o", "o", file("a\n", 0o644), file("a\n", 0o755),
			"diff --git a/o b/o\nold mode 100644\nnew mode 100755\n"},
		{"only permissions git does not know", "o", "o", file("a\n", 0o644), file("a\n", 0o600), ""},
		{"unchanged", "o", "o", file("a\n", 0), file("a\n", 0), ""},
		{"binary", "o", "o", file("\x00", 0), file("\x01\x00", 0),
			"diff --git a/o b/o\nBinary files a/o and b/o differ\n"},
		{"names in need of quotes", "a\tb", "a b", file("x\n", 0), file("y\n", 0),
			"diff --git \"a/a\\tb\" \"b/a b\"\nrename from \"a\\tb\"\nrename to a b\n" +
				"--- \"a/a\\tb\"\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n"},
		{"nothing at all", "", "", nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, gitDiff(tt.from, tt.to, tt.before, tt.after, nil)); d != "" {
				t.Error(d)
			}
		})
	}
}

// lineText draws texts in which lines repeat, some with CRLF, some without a final newline.
func lineText(t *rapid.T, name string) string {
	line := rapid.SampledFrom([]string{"\n", "}\n", "a\n", "b\n", "b\r\n", "c\n", "d\n", "e f\n", "g\n", "h\n"})
	s := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, name), "")
	if rapid.Bool().Draw(t, name+" unterminated") {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func TestDiffLeadsFromOldToNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := lineText(t, "old"), lineText(t, "new")
		got, err := patched(old, Diff("x", []byte(old), "y", []byte(new)))
		if err != nil || got != new {
			t.Fatalf("%v\n%s\ngot  %q\nwant %q", err, Diff("x", []byte(old), "y", []byte(new)), got, new)
		}
	})
}

// drawSplices draws replacements anywhere in old, and returns the new text and the matches that describe them.
func drawSplices(t *rapid.T, old string) (string, []Match) {
	cuts := rapid.SliceOfN(rapid.IntRange(0, len(old)), 0, 8).Draw(t, "cuts")
	if len(cuts)%2 == 1 {
		cuts = cuts[1:]
	}
	for i := range cuts {
		for j := i; j > 0 && cuts[j] < cuts[j-1]; j-- {
			cuts[j], cuts[j-1] = cuts[j-1], cuts[j]
		}
	}
	var out []byte
	matches, pos := []Match{}, 0
	for ; len(cuts) > 0; cuts = cuts[2:] {
		out = append(out, old[pos:cuts[0]]...)
		m := Match{Old: Span{Start: cuts[0], End: cuts[1]}, New: Span{Start: len(out)}}
		out = append(out, rapid.SampledFrom([]string{"", "a", "\n", "b\n", "x\ny", "}\r\n", "\n\n"}).Draw(t, "in")...)
		m.New.End, pos = len(out), cuts[1]
		matches = append(matches, m)
	}
	return string(append(out, old[pos:]...)), matches
}

func TestGitDiffOfKnownSplicesLeadsFromOldToNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := lineText(t, "old")
		new, matches := drawSplices(t, old)
		d := gitDiff("x", "x", &File{Data: []byte(old)}, &File{Data: []byte(new)}, matches)
		got, err := patched(old, d)
		if err != nil || got != new {
			t.Fatalf("%v\n%s\ngot  %q\nwant %q", err, d, got, new)
		}
	})
}

func TestGitDiffHidesNoChangeThatTheMatchesDoNotHave(t *testing.T) {
	span := func(start, end int) Span { return Span{Start: start, End: end} }
	before, after := &File{Data: []byte("a\nb\nc\n")}, &File{Data: []byte("A\nb\nC\n")}
	want := gitDiff("x", "x", before, after, nil)
	for name, matches := range map[string][]Match{
		"none":         {},
		"one of two":   {{Old: span(0, 1), New: span(0, 1)}},
		"out of order": {{Old: span(4, 5), New: span(4, 5)}, {Old: span(0, 1), New: span(0, 1)}},
		"out of range": {{Old: span(0, 99), New: span(0, 99)}},
		"negative":     {{Old: span(-1, 1), New: span(-1, 1)}},
		"backwards":    {{Old: span(5, 0), New: span(5, 0)}},
	} {
		if d := cmp.Diff(want, gitDiff("x", "x", before, after, matches)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc")
	f.Add("", "a\r\n")
	f.Add("x\n{\n1\n}\nfunc b\n{\n2\n}\n", "{\n}\nfunc b\n{\n3\n}\nx\n")
	f.Add("\xff\xfea\x00", "\xff\xfeb\x00")
	f.Fuzz(func(t *testing.T, old, new string) {
		diff := Diff("x", []byte(old), "y", []byte(new))
		if (diff == "") != (old == new) {
			t.Fatalf("equal: %v, but the diff is %q", old == new, diff)
		}
		for _, s := range []string{old, new} {
			if shown := string(readable([]byte(s))); shown != s || strings.Contains(s, "\x00") {
				return // shown otherwise, or only mentioned
			}
		}
		if got, err := patched(old, diff); err != nil || got != new {
			t.Errorf("%v\n%s\ngot  %q\nwant %q", err, diff, got, new)
		}
	})
}
