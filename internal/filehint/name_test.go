package filehint_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/filehint"
)

func TestSameFile(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"b.go", "src/b.go", true}, {"src/b.go", "/src/b.go", true}, {`src\b.go`, "./src/b.go", true},
		{"b.go", "b.go", true},
		{"b.go", "src/ab.go", false}, {"src/b.go", "lib/b.go", false}, {"b.go", "b.go/c", false},
	} {
		if filehint.SameFile(c.a, c.b) != c.want || filehint.SameFile(c.b, c.a) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

// B2: among other words, only a word that is certainly a path counts.
func TestIsFileName(t *testing.T) {
	for s, want := range map[string]struct{ path, name bool }{
		"src/b.go": {true, true}, "b.go": {true, true}, "Makefile": {true, true}, "my dir/b.go": {true, true},
		"api/v1.proto": {true, true},
		"fmt.Println":  {true, false}, "and/or": {true, false}, "Node.js": {true, false}, "v1.2": {true, false},
		"res.json()": {true, false}, "https://example.com/b.go": {}, "two words": {}, "": {}, "b.go,": {}, "src/": {},
		"a*.go": {},
	} {
		if got := filehint.IsPath(s); got != want.path {
			t.Errorf("IsPath(%q): %v", s, got)
		}
		if got := filehint.IsFileName(s); got != want.name {
			t.Errorf("IsFileName(%q): %v", s, got)
		}
	}
}

// B2: how surely a line names the file of the block below it.
func TestHint(t *testing.T) {
	for line, want := range map[string]filehint.Hint{
		"### b.go - the handler": {Path: "b.go", Certainty: filehint.Title},
		"**b.go**":               {Path: "b.go", Certainty: filehint.Title},
		"File: src/b.go":         {Path: "src/b.go", Certainty: filehint.Title},
		"`b.go`":                 {Path: "b.go", Certainty: filehint.Label},
		"2. `b.go`:":             {Path: "b.go", Certainty: filehint.Label},
		"Update b.go:":           {Path: "b.go", Certainty: filehint.Label},
		"Server.Start":           {Path: "Server.Start", Certainty: filehint.Word},
		"Then b.go has to follow the change of its caller": {}, // a mention
		"That is all.": {},
	} {
		if got := (filehint.Line{Text: line}).Hint(); got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
	if got, want := (filehint.Line{Text: "go title=\"src/b.go\"", Fence: true, No: 3}).Hint(),
		(filehint.Hint{Path: "src/b.go", Certainty: filehint.Label, Line: 3}); got != want {
		t.Errorf("a fence: %+v, want %+v", got, want)
	}
}
