package tagcall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/tagcall"
)

func BenchmarkRead(b *testing.B) {
	for name, src := range map[string]string{
		"code": "<write_to_file>\n<path>a</path>\n<content>\n" +
			strings.Repeat("\tif a < b && c > d { return f(a, b) }\n", 10000) + "</content>\n</write_to_file>",
		"html": "<write_to_file>\n<path>a</path>\n<content>\n" +
			strings.Repeat("<p><b>x</b> <content>y</content></p>\n", 10000) + "</content>\n</write_to_file>",
		"calls": strings.Repeat("<replace_in_file>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n\n", 3000),
		"prose": strings.Repeat("Some words about <div> and <b>bold</b> in <my_words> here.\n", 10000),
		"line":  strings.Repeat("Some words about <my_words of=\"mine\"> here. ", 10000),
	} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tagcall.Read(src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
