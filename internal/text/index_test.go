package text

import (
	"strings"
	"testing"
)

func TestIndexFoldsLinesWithOtherCharacters(t *testing.T) {
	lines := []string{"plain", "“quoted”  ", "", "plain again, and longer than eight", "é", "\tplain", "12345678é",
		"12345678",
		"é12345678 and on", "  \"quoted\"", "x", "last ’"}
	for n := range lines {
		some := lines[n:]
		ids := Keys{}
		for _, l := range some {
			ids.Add(Fold(l))
		}
		x := NewIndex(New([]byte(strings.Join(some, "\n"))), ids)
		k := 0
		for _, l := range some {
			if Fold(l) == "" {
				continue
			}
			if x.lineIDs[k] == 0 || x.lineIDs[k] != ids[Fold(l)] {
				t.Errorf("from line %d on, %q has the id %d, not %d", n, l, x.lineIDs[k], ids[Fold(l)])
			}
			k++
		}
	}
}
