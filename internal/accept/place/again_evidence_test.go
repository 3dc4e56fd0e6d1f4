package place_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
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

func TestAProblemNamesThePlaceOfAnEditThatIsMadeAlready(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		edit      atomicedit.Edit
		want      int
	}{
		{"a changed line", "head\nnew line here\ntail\n",
			accepttest.Lines("head\nold line here\ntail", "head\nnew line here\ntail"), 1},
		{"an insertion", "x\nfoo()\nbar()\n", atomicedit.Edit{Old: "foo()\n", New: "foo()\nbar()\n"}, 2},
		{"an insertion by its number", "head\nthe new line\ntail\n", atomicedit.Edit{New: "the new line\n", First: 2},
			2},
		{"a wrapped call", "x\ny\ngo wrap(foo(x))\n", atomicedit.Edit{Old: "foo(x)", New: "wrap(foo(x))"}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := atomicedit.Apply([]byte(tt.src), []atomicedit.Edit{tt.edit}, nil)
			var refusal *atomicedit.Refusal
			if !errors.Is(err, atomicedit.ErrApplied) || !errors.As(err, &refusal) {
				t.Fatalf("got %v, want ErrApplied", err)
			}
			if diff := cmp.Diff([]int{tt.want}, refusal.Problems[0].Places); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}
