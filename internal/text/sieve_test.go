package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestSieveFindsEveryPlaceOfEveryString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.StringMatching(`[ab]{0,200}`).Draw(t, "text")
		strs := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab]{8,14}`), 1, 30, rapid.ID[string]).Draw(t, "strings")
		want := make([][]int, len(strs))
		for k, s := range strs {
			for at := range data {
				if strings.HasPrefix(data[at:], s) {
					want[k] = append(want[k], at)
				}
			}
		}
		got := make([][]int, len(strs))
		if !text.NewSieve(strs).Find([]byte(data), func(k, at int) { got[k] = append(got[k], at) }) {
			t.Skip("there are too many places to look at")
		}
		for _, at := range got {
			slices.Sort(at)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Strings that are everywhere must not cost more than the text.
func TestSieveGivesUpIfStringsAreEverywhere(t *testing.T) {
	var strs []string
	for n := range 100 {
		strs = append(strs, strings.Repeat("a", 8+n))
	}
	found := 0
	data := []byte(strings.Repeat("a", 10_000))
	if text.NewSieve(strs).Find(data, func(k, at int) { found++ }) || found > 2*len(data) {
		t.Errorf("it went on to %d places", found)
	}
}
