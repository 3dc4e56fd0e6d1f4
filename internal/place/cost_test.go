package place

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// program returns a text of n lines of code, most of them different.
func program(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		if i%10 == 9 {
			b.WriteString("}\n\n")
			continue
		}
		fmt.Fprintf(&b, "\tvalue%d := compute(r, %d)\n", i, i*7)
	}
	return b.Bytes()
}

// piece returns n lines of a text from line first (0-based) on.
func piece(text []byte, first, n int) string {
	return strings.Join(strings.SplitAfter(string(text), "\n")[first:first+n], "")
}

func dedent(s string) string { return strings.ReplaceAll("\n"+s, "\n\t", "\n")[1:] }

// A quadratic search would compare far more lines.
func TestLinesLaidGrowNoFasterThanTheText(t *testing.T) {
	same := func(n int) string { return strings.Repeat("the same line\n", n) }
	for _, tt := range []struct {
		name string
		make func(n int) (text []byte, old string)
	}{
		{"an exact edit", func(n int) ([]byte, string) { text := program(n); return text, piece(text, n/2, 9) }},
		{"a dedented edit", func(n int) ([]byte, string) {
			text := program(n)
			return text,
				dedent(piece(text, n/2+1, 6))
		}},
		{"a hopeless edit", func(n int) ([]byte, string) {
			text := program(n)
			return text, strings.ReplaceAll(piece(text, n/2, 30), "value", "valve")
		}},
		{"equal lines", func(n int) ([]byte, string) { return []byte(same(n)), same(10) }},
		{"half of equal lines", func(n int) ([]byte, string) { return []byte(same(n)), same(n / 2) }},
		{"equal lines indented", func(n int) ([]byte, string) {
			return []byte(same(n)), strings.ReplaceAll(same(n/2), "the", "\tthe")
		}},
		{"a drifted edit", func(n int) ([]byte, string) {
			text := program(n)
			return text, strings.Replace(piece(text, n/2, 9), "compute", "computed", 1)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			work := func(n int) int {
				text, old := tt.make(n)
				e := Edit{Old: old, New: old + "another\n", WholeLines: true}
				v := newVersion(text)
				x, _ := judgedByFit(&v, &e)
				return x.meter.spent
			}
			few, many := work(1_000), work(10_000)
			if many > 15*few+1_000 && many > 10_000*2 {
				t.Errorf("%d lines compared in 1,000, %d in 10,000", few, many)
			}
		})
	}
}
