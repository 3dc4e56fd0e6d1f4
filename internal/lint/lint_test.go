package lint_test

import (
	"fmt"
	"testing"

	"github.com/atomicedit/atomicedit/internal/lint"
)

func TestWarnings(t *testing.T) {
	for _, test := range []struct{ name, path, before, after, want string }{
		{"nothing", "a.go", "package a\n", "package b\n", "[]"},
		{"several", "a.go", "package a\n", "package a\r\n\nfunc f( {}", `[{3 the brackets are no longer balanced: "(" is not closed} ` +
			`{3 this is no longer valid Go: expected ')', found '{'} {3 the newline at the end of the file is gone} {2 the file now mixes CRLF and LF line endings}]`},
		{"only the first bracket", "a.c", "", "(\n])\n}\n", `[{2 the brackets are no longer balanced: "]" does not close the "(" on line 1}]`},
		{"the innermost open bracket", "a.c", "", "(\n[\n", `[{2 the brackets are no longer balanced: "[" is not closed}]`},
		{"an escape at the end", "a.ts", "", "`\\", "[]"},
		{"an unknown language", "Makefile", "", "(\n", "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fmt.Sprint(lint.Warnings(test.path, []byte(test.before), []byte(test.after))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
