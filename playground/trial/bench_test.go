package trial

import (
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// BenchmarkTry measures how long a file of a megabyte takes. Run it as the page does: GOOS=js GOARCH=wasm go test
// -bench . ./trial, with $(go env GOROOT)/lib/wasm in PATH.
func BenchmarkTry(b *testing.B) {
	const text, goText = "line %d of a long text, which has about as many words as a line of a program\n",
		"var name%d = \"a line of a program in Go, which is also parsed for warnings\"\n"
	for _, kind := range []struct{ path, line, edited string }{
		{"big.txt", text, "an edited line\n"},
		{"big.go", goText, "var edited = 1\n"},
		{"broken.go", goText, "var edited = =\n"},
	} {
		var text strings.Builder
		text.WriteString("package p\n")
		for n := 1; text.Len() < 1e6; n++ {
			fmt.Fprintf(&text, kind.line, n)
		}
		old := fmt.Sprintf(kind.line, 7777)
		in := Input{
			Files:   []File{{Path: kind.path, Text: text.String()}},
			Request: kind.path + "\n<<<<<<< SEARCH\n" + old + "=======\n" + kind.edited + ">>>>>>> REPLACE\n",
		}
		b.Run(kind.path, func(b *testing.B) {
			for b.Loop() {
				if a := Try(in); a.Outcome != "done" {
					b.Fatal(a.Message)
				}
			}
		})
		b.Run("prepare "+kind.path, func(b *testing.B) {
			p, _ := in.plan()
			for b.Loop() {
				if _, err := in.prepare(p, atomicedit.Drift); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
