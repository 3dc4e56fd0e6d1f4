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
		{"a tag of the request", "a.txt", "x\n", "x\n  </old_text>\n", "[{2 </old_text> looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a tag behind text", "a.txt", "x\n", "x</new_string>\n", "[{1 </new_string> looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a tag that the file had", "a.txt", "</old_text>\nx\n", "</old_text>\ny\n</old_text>\n", "[]"},
		{"a tag with its beginning", "a.xml", "", "<parameter name='a'>\nb\n</parameter>\n", "[]"},
		{"a tag within a line", "a.txt", "", "say </old_text> at the end\n", "[]"},
		{"the end of a patch", "a.txt", "x\n", "x\n*** End Patch\n", "[{2 *** End Patch looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"the beginning and the end, each once", "a.txt", "", "*** Begin Patch\r\n*** End Patch\r\n*** End Patch\r\n", "[{1 *** Begin Patch looks like a part of the request that was left in: remove it, unless it belongs to the text} " +
			"{2 *** End Patch looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a lone SEARCH", "a.txt", "x\n", "<<<<<<< SEARCH\nx\n=======\n", "[{1 <<<<<<< SEARCH looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a lone REPLACE", "a.txt", "x\n", "<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n>>>>>>> REPLACE\n", "[{3 >>>>>>> REPLACE looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a block", "a.md", "", "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", "[]"},
		{"an underlined heading", "a.md", "", "x\n=======\n", "[]"},
		{"an unknown language", "Makefile", "", "(\n", "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fmt.Sprint(lint.Warnings(test.path, []byte(test.before), []byte(test.after))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
