package linediff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       []Step
	}{
		{"equal", "a b", "a b", []Step{{0, 0}, {1, 1}}},
		{"one differs", "a x c", "a b c", []Step{{0, 0}, {1, 1}, {2, 2}}},
		{"one is missing in a", "a c", "a b c", []Step{{0, 0}, {-1, 1}, {1, 2}}},
		{"one is missing in b", "a b c", "a c", []Step{{0, 0}, {1, -1}, {2, 1}}},
		{"more of b around", "a", "x a y", []Step{{0, 1}}},
		{"above the first equal line", "x y a", "p q r a", []Step{{0, 1}, {1, 2}, {2, 3}}},
		{"above the beginning", "x y a", "p a", []Step{{0, -1}, {1, 0}, {2, 1}}},
		{"below the last equal line", "a x", "a p q", []Step{{0, 0}, {1, 1}}},
		{"below the end", "a x y", "a p", []Step{{0, 0}, {1, 1}, {2, -1}}},
		{"nothing in a", "", "a", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Rows(strings.Fields(tt.a), strings.Fields(tt.b)),
				cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
