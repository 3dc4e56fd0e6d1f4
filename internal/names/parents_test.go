package names_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/names"
)

func TestParentsAreTheDirectoriesAboveANameFromTheNearest(t *testing.T) {
	for name, want := range map[string][]string{
		".": nil, "/": nil, "a": {"."}, "a/b/c": {"a/b", "a", "."}, "/a": {"/"}, "/a/b": {"/a", "/"},
		"../a/b": {"../a", "..", "."}, "..": {"."},
	} {
		if diff := cmp.Diff(want, names.Parents(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
