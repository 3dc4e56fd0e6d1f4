package atomicedit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A hunk or chunk that is sent again does not go to a place that its own evidence excludes.
func TestSentAgainWhereEvidenceSaysItIsDone(t *testing.T) {
	const src = "package a\n\nfunc f() {\n\tx := 1\n\tuse(x)\n}\n\nfunc g() {\n\tx := 1\n\tuse(y)\n}\n"
	const hunk = "\n \tx := 1\n-\tuse(x)\n+\tuse(y)\n"
	diff := func(header string) string { return "--- a/a.go\n+++ b/a.go\n" + header + hunk }
	patch := func(header, end string) string {
		return "*** Begin Patch\n*** Update File: a.go\n" + header + hunk + end + "*** End Patch\n"
	}
	for name, tt := range map[string]struct{ src, request string }{
		"a heading without numbers":       {src, diff("@@ ... @@ func g() {")},
		"a heading and a line far off":    {src, diff("@@ -40,2 +40,2 @@ func g() {")},
		"an anchor":                       {src, patch("@@ func g() {", "")},
		"the mark of the end of the file": {strings.TrimSuffix(src, "}\n"), patch("@@", "*** End of File\n")},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := atomicedit.Parse(tt.request)
			if err != nil {
				t.Fatal(err)
			}
			if res, err := plan.Apply([]byte(tt.src), nil); !errors.Is(err, atomicedit.ErrApplied) {
				t.Errorf("got %v, %v, want ErrApplied", res, err)
			}
		})
	}
}
