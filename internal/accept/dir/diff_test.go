package dir_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/linediff/difftest"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

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
			if d := cmp.Diff(tt.want, atomicedit.Diff("x", []byte(tt.old), "y", []byte(tt.new))); d != "" {
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
		got := atomicedit.Diff(tt.name, []byte("a"), "y", []byte("b"))
		if first, _, _ := strings.Cut(got, "\n"); first != "--- "+tt.want {
			t.Errorf("%q: got %q", tt.name, first)
		}
	}
}

func TestDiffOfWhatIsNoText(t *testing.T) {
	if got := atomicedit.Diff("x", []byte("a\x00"), "y", []byte("b\n")); got != "Binary files x and y differ\n" {
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
	if got := atomicedit.Diff("x", utf16LE("ä\nb\n"), "y", utf16LE("𝄞\nb\n")); got != want {
		t.Error(got)
	}
	if got := atomicedit.Diff("x", utf16LE("a\n"), "y", []byte("a\n")); got != "Binary files x and y differ\n" {
		t.Error(got)
	}
}

// gitDiff returns the diff of a report on a change that leads from one file to another: one that is created if before
// is nil, and deleted if after is.
func gitDiff(t testing.TB, from, to string, before, after *atomicedit.File) string {
	t.Helper()
	var op atomicedit.Op
	switch {
	case before == nil:
		op = atomicedit.Op{Kind: atomicedit.OpCreate, Path: to, Content: string(after.Data), Mode: after.Mode}
	case after == nil:
		op = atomicedit.Op{Kind: atomicedit.OpDelete, Path: from}
	case from == to:
		op = atomicedit.Op{Kind: atomicedit.OpCreate, Path: to, Content: string(after.Data), Mode: after.Mode,
			Overwrite: true}
	case bytes.Equal(before.Data, after.Data):
		op = atomicedit.Op{Kind: atomicedit.OpMove, Path: from, To: to}
	default:
		op = atomicedit.Op{Kind: atomicedit.OpMove, Path: from, To: to,
			Edits: []atomicedit.Edit{{Old: string(before.Data), New: string(after.Data)}}}
	}
	tr, err := atomicedit.Prepare(t.Context(), oneFile{from, before}, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
	if errors.Is(err, atomicedit.ErrNoChange) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return tr.Report().Diff
}

// oneFile is a store of one file, for reading.
type oneFile struct {
	path string
	file *atomicedit.File
}

func (s oneFile) Read(_ context.Context, path string) (*atomicedit.File, error) {
	if path != s.path || s.file == nil {
		return nil, fs.ErrNotExist
	}
	return s.file, nil
}

func (oneFile) Commit(context.Context, []atomicedit.Change) error { return errors.ErrUnsupported }

func TestGitDiffHeaders(t *testing.T) {
	file := func(s string, m fs.FileMode) *atomicedit.File { return &atomicedit.File{Data: []byte(s), Mode: m} }
	tests := []struct {
		name, from, to string
		before, after  *atomicedit.File
		want           string
	}{
		{"created", "", "n", nil, file("a\n", 0),
			"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"},
		{"created empty", "", "n", nil, file("", 0o755), "diff --git a/n b/n\nnew file mode 100755\n"},
		{"deleted", "o", "", file("a\n", 0o644), nil,
			"diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"deleted empty", "o", "", file("", 0o644), nil,
			"diff --git a/o b/o\ndeleted file mode 100644\nindex e69de29..0000000\n"},
		{"moved", "o", "n", file("a\n", 0o644), file("a\n", 0), "diff --git a/o b/n\nrename from o\nrename to n\n"},
		{"moved and edited", "o", "n", file("a\n", 0o644), file("b\n", 0),
			"diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n"},
		{"made executable", "o", "o", file("a\n", 0o644), file("b\n", 0o755),
			"diff --git a/o b/o\nold mode 100644\nnew mode 100755\n--- a/o\n+++ b/o\n@@ -1 +1 @@\n-a\n+b\n"},
		{"a mode alone, which no plan changes", "o", "o", file("a\n", 0o644), file("a\n", 0o755), ""},
		{"only permissions git does not know", "o", "o", file("a\n", 0o644), file("b\n", 0o600),
			"diff --git a/o b/o\n--- a/o\n+++ b/o\n@@ -1 +1 @@\n-a\n+b\n"},
		{"unchanged", "o", "o", file("a\n", 0), file("a\n", 0), ""},
		{"binary", "o", "o", file("\x00", 0), file("\x01\x00", 0),
			"diff --git a/o b/o\nBinary files a/o and b/o differ\n"},
		{"names in need of quotes", "a\tb", "a b", file("x\n", 0), file("y\n", 0),
			"diff --git \"a/a\\tb\" \"b/a b\"\nrename from \"a\\tb\"\nrename to a b\n" +
				"--- \"a/a\\tb\"\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, gitDiff(t, tt.from, tt.to, tt.before, tt.after)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDiffLeadsFromOldToNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := accepttest.LineText(t, "old"), accepttest.LineText(t, "new")
		got, err := difftest.Patched(old, atomicedit.Diff("x", []byte(old), "y", []byte(new)))
		if err != nil || got != new {
			t.Fatalf("%v\n%s\ngot  %q\nwant %q", err, atomicedit.Diff("x", []byte(old), "y", []byte(new)), got, new)
		}
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc")
	f.Add("", "a\r\n")
	f.Add("x\n{\n1\n}\nfunc b\n{\n2\n}\n", "{\n}\nfunc b\n{\n3\n}\nx\n")
	f.Add("\xff\xfea\x00", "\xff\xfeb\x00")
	f.Fuzz(func(t *testing.T, old, new string) {
		diff := atomicedit.Diff("x", []byte(old), "y", []byte(new))
		if (diff == "") != (old == new) {
			t.Fatalf("equal: %v, but the diff is %q", old == new, diff)
		}
		for _, s := range []string{old, new} {
			if shown := string(text.MarkOf([]byte(s)).Readable([]byte(s))); shown != s || strings.Contains(s, "\x00") {
				return // shown otherwise, or only mentioned
			}
		}
		if got, err := difftest.Patched(old, diff); err != nil || got != new {
			t.Errorf("%v\n%s\ngot  %q\nwant %q", err, diff, got, new)
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	text := func(lines int, salt string) []byte {
		var t []byte
		for i := range lines {
			t = fmt.Appendf(t, "line %d %s of some text\n", i, salt)
		}
		return t
	}
	old := text(100_000, "")
	at := bytes.Index(old, []byte("line 50000"))
	changed := append(append(append([]byte(nil), old[:at]...), "LINE"...), old[at+4:]...)
	twice := append([]byte("first\n"), append(changed[:len(changed):len(changed)], "last\n"...)...)
	b.Run("OneLineOf100000", func(b *testing.B) {
		for b.Loop() {
			atomicedit.Diff("x", old, "x", changed)
		}
	})
	b.Run("FarApartIn100000", func(b *testing.B) {
		for b.Loop() {
			atomicedit.Diff("x", old, "x", twice)
		}
	})
	for _, n := range []int{2_000, 20_000, 200_000} {
		x, y := text(n, "x"), text(n, "y")
		b.Run("Unrelated"+strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				atomicedit.Diff("x", x, "y", y)
			}
		})
		words := func(seed uint32, words uint32) (t []byte) {
			for range n {
				seed = seed*1664525 + 1013904223
				t = fmt.Appendf(t, "%d\n", seed>>8%words)
			}
			return t
		}
		for _, vocabulary := range []uint32{10, 300, 10_000} {
			x, y := words(1, vocabulary), words(2, vocabulary)
			b.Run(fmt.Sprintf("Words%d_%d", vocabulary, n), func(b *testing.B) {
				for b.Loop() {
					atomicedit.Diff("x", x, "y", y)
				}
			})
		}
	}
}
