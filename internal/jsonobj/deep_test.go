package jsonobj_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// However many brackets open, a document neither exhausts the stack nor takes longer than its length.
func TestBracketsThatOnlyOpen(t *testing.T) {
	for _, opening := range []string{"{", "[", `{"a":`, `[{"a":`, `{"a":[`, "{[", "[{", `{{"a":`} {
		if _, err := jsonobj.ParseValue([]byte(strings.Repeat(opening, 5_000_000)), 0); err == nil {
			t.Errorf("%q: no error", opening)
		}
	}
}
