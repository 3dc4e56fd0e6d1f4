package place

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestFitOf(t *testing.T) {
	for _, c := range []struct {
		old, file string
		want      ignored
	}{
		{"  x = 1", "  x = 1", nothing}, {"  x = 1", "  x = 1 ", trailing}, {"x = 1", "\tx = 1", indents}, {"x = 1", "\tx = 1\t", indents | trailing},
		{"say(“x”)", `say("x")`, signs}, {`say("x")`, "  say(“x”) ", signs | indents | trailing},
		{"x = 1", "x  = 1", misfit}, {"x = 1", "x = 2", misfit}, {"say(“x”)", "say(“y”)", misfit},
	} {
		if got := fitOf(c.old, text.Fold(c.old), []byte(c.file)); got != c.want {
			t.Errorf("%q on %q: %v, want %v", c.old, c.file, got, c.want)
		}
	}
}
