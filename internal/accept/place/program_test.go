package place_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// program returns a text of n lines that looks like code: about 29 bytes a line, with many lines that recur.
func program(n int) []byte {
	var b bytes.Buffer
	for i := 0; i < n; i++ {
		switch i % 10 {
		case 0:
			fmt.Fprintf(&b, "func handle%d(w Writer, r *Request) {\n", i)
		case 1, 4:
			fmt.Fprintf(&b, "\tvalue%d := compute(r, %d)\n", i, i*7)
		case 2, 5:
			fmt.Fprintf(&b, "\tif value%d != nil {\n", i-1)
		case 3, 6:
			b.WriteString("\t\treturn errUnavailable\n")
		case 7:
			b.WriteString("\t}\n")
		case 8:
			b.WriteString("}\n")
		default:
			b.WriteString("\n")
		}
	}
	return b.Bytes()
}

// piece returns n lines of a text from line first (0-based) on.
func piece(text []byte, first, n int) string {
	return strings.Join(strings.SplitAfter(string(text), "\n")[first:first+n], "")
}

func dedent(s string) string {
	return strings.ReplaceAll("\n"+s, "\n\t", "\n")[1:]
}

// patchOf returns a diff of n lines, a tenth of which change.
func patchOf(n int) string {
	text := string(program(n))
	return "diff --git a/x b/x\n" +
		atomicedit.Diff("a/x", []byte(text), "b/x", []byte(strings.ReplaceAll(text, "compute", "calculate")))
}
