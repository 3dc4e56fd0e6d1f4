package atomicedit

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"
)

// hostileLines are texts, as line i of text number k, on which a search for the shortest diff takes very long.
var hostileLines = map[string]func(k, i int) int{
	"one value":          func(k, i int) int { return 1 / (i + k) }, // but for the first line of one of them
	"two values":         func(k, i int) int { return (i + k) % 2 },
	"two uneven values":  func(k, i int) int { return i % (k + 1) % 2 },
	"seven values":       func(k, i int) int { return noise(k, i) % 7 },
	"many values":        func(k, i int) int { return noise(k, i) % 50_000 },
	"one in both orders": func(k, i int) int { return (3 - 2*k) * i },
	"permuted":           func(k, i int) int { return i * []int{1, 7_919}[k-1] % 90_001 },
	"sections that have much in common": func(k, i int) int {
		if i%499 == 0 {
			return 1_000 + i
		}
		return noise(k, i) % 30
	},
	"few in common, often": func(k, i int) int {
		if i%(k+2) == 0 {
			return 0
		}
		return 1_000 + 2*i + k
	},
}

// A diff looks at a line no more than so often, whatever the texts look like: a bound, not a ratio.
func TestDiffLooksAtEachLineAFewTimes(t *testing.T) {
	const most = 1 + maxDepth + maxPairs
	for name, line := range hostileLines {
		for _, n := range []int{900, 9_000, 90_000} {
			old, new := linesOf(n, line, 1), linesOf(n, line, 2)
			w := delta{0, len(old), 0, len(new)}
			c := newCutter(nil, old, new, w)
			c.cut(0, len(c.a.ids), 0, len(c.b.ids), 0)
			if c.work > most*2*n {
				t.Errorf("%s: two texts of %d lines took %d looks", name, n, c.work)
			}
			if got, err := patched(string(old), Diff("x", old, "x", new)); err != nil || got != string(new) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func noise(k, i int) int {
	x := uint32(i*2+k) * 2654435761
	x = (x ^ x>>15) * 2246822519
	return int(x >> 8)
}

func linesOf(n int, line func(k, i int) int, k int) []byte {
	var b []byte
	for i := range n {
		b = append(strconv.AppendInt(b, int64(line(k, i)), 10), '\n')
	}
	return b
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
			Diff("x", old, "x", changed)
		}
	})
	b.Run("FarApartIn100000", func(b *testing.B) {
		for b.Loop() {
			Diff("x", old, "x", twice)
		}
	})
	for _, n := range []int{2_000, 20_000, 200_000} {
		x, y := text(n, "x"), text(n, "y")
		b.Run("Unrelated"+strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				Diff("x", x, "y", y)
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
					Diff("x", x, "y", y)
				}
			})
		}
	}
}
