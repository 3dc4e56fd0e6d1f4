package linediff

import (
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/linediff/difftest"
)

// hostileLines are texts on which a search for the shortest diff takes very long: line i of text k, which is 1 or 2.
var hostileLines = map[string]func(k, i int) int{
	"one value":          func(k, i int) int { return 1 / (i + k) }, // except the first line of one text
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

// A comparison looks at each line no more often than a constant, whatever the texts look like.
func TestDiffLooksAtEachLineAFewTimes(t *testing.T) {
	const most = 1 + maxDepth + maxPairs
	for name, line := range hostileLines {
		for _, n := range []int{900, 9_000, 90_000} {
			old, new := linesOf(n, line, 1), linesOf(n, line, 2)
			if _, _, _, looks := compare(old, new); looks > most*2*n {
				t.Errorf("%s: two texts of %d lines took %d looks", name, n, looks)
			}
			var hunks strings.Builder
			deltas, _ := Deltas(old, new, nil)
			WriteHunks(&hunks, old, new, deltas)
			if got, err := difftest.Patched(string(old), hunks.String()); err != nil || got != string(new) {
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
