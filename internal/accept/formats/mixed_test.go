package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit"
)

// Edits of all kinds side by side, in any order: line numbers count the text of the start, and nothing is lost.
func TestEditsOfAllKindsSideBySide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src, want strings.Builder
		var edits []atomicedit.Edit
		put := false // something was put in right above
		for i := 1; i <= 12; i++ {
			l := fmt.Sprintf("line %d\n", i)
			src.WriteString(l)
			kinds := 6
			if put {
				kinds = 5
			}
			put = false
			switch rapid.IntRange(0, kinds).Draw(t, "kind") {
			case 0, 1:
				want.WriteString(l)
			case 2:
				edits, put = append(edits, atomicedit.Edit{Old: l, New: l + "more\n"}), true
				want.WriteString(l + "more\n")
			case 3:
				edits = append(edits, atomicedit.Edit{Old: fmt.Sprintf("e %d\n", i), New: fmt.Sprintf("k %d\n", i)})
				fmt.Fprintf(&want, "link %d\n", i)
			case 4:
				edits = append(edits, atomicedit.Edit{First: i, Last: i, New: "new\n"})
				want.WriteString("new\n")
			case 5:
				edits = append(edits, atomicedit.Edit{Old: l, New: "whole\n", WholeLines: true})
				want.WriteString("whole\n")
			case 6:
				edits = append(edits, atomicedit.Edit{First: i, New: "above\n"})
				want.WriteString("above\n" + l)
			}
		}
		edits = rapid.Permutation(edits).Draw(t, "order")
		res, err := atomicedit.Apply([]byte(src.String()), edits, nil)
		if len(edits) > 0 && (err != nil || string(res.Text) != want.String()) {
			t.Fatalf("%+v\nerror %v, got\n%s\nwant\n%s", edits, err, res.Text, want.String())
		}
	})
}
