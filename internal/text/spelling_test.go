package text

import (
	"slices"
	"testing"
)

// D2: a typing error does not make another word.
func TestIsAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"setWitdh", "setWidth", true}, {"recieve_all", "receive_all", true}, {"compute", "computed", true}, {"colour", "color", true},
		{"get", "set", false}, {"isValid", "isInvalid", false}, {"handle_get", "handle_set", false}, {"v1", "v2", false}, {"x", "y", false},
		{"first", "last", false}, {"run", "ran", false}, {"getAll", "get", false},
	} {
		if got := isAlike(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
		if got := isAlike(c.b, c.a); got != c.want {
			t.Errorf("%s and %s: %v", c.b, c.a, got)
		}
	}
	if got := components("readHTTPBody_now"); !slices.Equal(got, []string{"read", "HTTPBody", "now"}) {
		t.Errorf("components %q", got)
	}
}
