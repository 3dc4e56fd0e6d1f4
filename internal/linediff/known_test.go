package linediff_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/linediff/difftest"
	"github.com/atomicedit/atomicedit/internal/text"
)

// diff returns the hunks that lead from old to new, which differ by the known deltas.
func diff(old, new []byte, known []linediff.Delta) string {
	var b strings.Builder
	deltas, _ := linediff.Deltas(old, new, known)
	linediff.WriteHunks(&b, old, new, deltas)
	return b.String()
}

// drawText draws a text in which lines repeat, some with CRLF, perhaps without a final newline.
func drawText(t *rapid.T) string {
	line := rapid.SampledFrom([]string{"\n", "}\n", "a\n", "b\n", "b\r\n", "c\n", "d\n", "e f\n", "g\n", "h\n"})
	s := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "lines"), "")
	if rapid.Bool().Draw(t, "unterminated") {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// drawSplices draws replacements anywhere in old, and returns the new text and the deltas that describe them.
func drawSplices(t *rapid.T, old string) (new string, known []linediff.Delta) {
	cuts := rapid.SliceOfN(rapid.IntRange(0, len(old)), 0, 8).Draw(t, "cuts")
	slices.Sort(cuts)
	var out []byte
	at := 0
	for ; len(cuts) > 1; cuts = cuts[2:] {
		out = append(out, old[at:cuts[0]]...)
		d := linediff.Delta{OldFrom: cuts[0], OldTo: cuts[1], NewFrom: len(out)}
		out = append(out, rapid.SampledFrom([]string{"", "a", "\n", "b\n", "x\ny", "}\r\n", "\n\n"}).Draw(t, "in")...)
		d.NewTo, at = len(out), cuts[1]
		known = append(known, d)
	}
	return string(append(out, old[at:]...)), known
}

func TestADiffOfKnownDeltasLeadsFromOldToNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := drawText(t)
		new, known := drawSplices(t, old)
		d := diff([]byte(old), []byte(new), known)
		got, err := difftest.Patched(old, d)
		if err != nil || got != new {
			t.Fatalf("%v\n%s\ngot  %q\nwant %q", err, d, got, new)
		}
	})
}

func TestADiffHidesNoChangeThatTheKnownDeltasLack(t *testing.T) {
	same := func(from, to int) linediff.Delta {
		return linediff.Delta{OldFrom: from, OldTo: to, NewFrom: from, NewTo: to}
	}
	before, after := []byte("a\nb\nc\n"), []byte("A\nb\nC\n")
	want := diff(before, after, nil)
	for name, known := range map[string][]linediff.Delta{
		"none":         {},
		"one of two":   {same(0, 1)},
		"out of order": {same(4, 5), same(0, 1)},
		"out of range": {same(0, 99)},
		"negative":     {same(-1, 1)},
		"backwards":    {same(5, 0)},
	} {
		if d := cmp.Diff(want, diff(before, after, known)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// BenchmarkDiffKnown renders the diff of a report, whose changes are known. The texts are read from memory, whatever
// their size: copies of them, which no cache holds together, take turns.
func BenchmarkDiffKnown(b *testing.B) {
	const beyondCache = 128 << 20
	shape := strings.SplitAfter("func handleN(w Writer, r *Request) {\n\tvalueN := compute(r, N)\n\tif valueN != nil {\n\t\treturn errUnavailable\n"+
		"\tvalueN := compute(r, N)\n\tif valueN != nil {\n\t\treturn errUnavailable\n\t}\n}\n\n", "\n")[:10]
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("lines=%d", n), func(b *testing.B) {
			var code bytes.Buffer
			for i := range n {
				code.WriteString(strings.ReplaceAll(shape[i%len(shape)], "N", strconv.Itoa(i)))
			}
			old := code.Bytes()
			at := bytes.Index(old, fmt.Appendf(nil, "\tvalue%d ", n/2+1))
			known := []linediff.Delta{{OldFrom: at, OldTo: at + 1, NewFrom: at, NewTo: at + 2}}
			new := slices.Concat(old[:at], []byte("\t\t"), old[at+1:])
			var before, after [][]byte
			for size := 0; size < beyondCache; size += 2 * len(old) {
				before, after = append(before, bytes.Clone(old)), append(after, bytes.Clone(new))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				was, is := before[i%len(before)], after[i%len(after)]
				diff(text.MarkOf(was).Readable(was), text.MarkOf(is).Readable(is), known)
			}
		})
	}
}
