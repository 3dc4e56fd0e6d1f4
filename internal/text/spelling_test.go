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
		{"setWitdh", "setWidth", true}, {"recieve_all", "receive_all", true}, {"compute", "computed", true},
		{"colour", "color", true},
		{"get", "set", false}, {"isValid", "isInvalid", false}, {"handle_get", "handle_set", false},
		{"v1", "v2", false}, {"x", "y", false},
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

// D2: a line may differ in punctuation at its end, in the mark of a list, or be cut short.
func TestDiffersAtEdge(t *testing.T) {
	for _, c := range []struct {
		asked, own string
		want       bool
	}{
		{"a = load(1),", "a = load(1)", true}, {"a = load(1)", "a = load(1);", true},
		{"* an entry", "- an entry", true},
		{"log(\"done with", "log(\"done with it\")", true}, {"port = 80", "port = 8080", false},
		{"log", "log(\"done\")", false}, {"a = 1", "a = 11111", false},
		{"log(\"done with it\")", "log(\"done", false}, {"a.", "a", false}, {"-x", "*x", false},
	} {
		if got := DiffersAtEdge(c.asked, c.own); got != c.want {
			t.Errorf("%s and %s: %v", c.asked, c.own, got)
		}
	}
}
