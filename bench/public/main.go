// Public carries out the tasks of two public benchmarks without a model: the requests are made of what is known to be
// right. It prints the tables of README.md. The data is one JSON object per line, and may be compressed with gzip.
//
//	public [-v] explicit tasks.jsonl.gz
//	public [-v] stale scenarios.jsonl
//
// Explicit has the tasks of the Explicit Edit benchmark (github.com/alexshpunt/explicit-edit-benchmark; data: CC BY
// 4.0). Each line is an object with an id, and the files before and after (path to text). The difference becomes a
// request in each format, at three levels: exact; as a viewer shows the text, with LF, without a byte order mark and
// without trailing whitespace; and as one types it, with plain characters for those that no keyboard has. Each cell of
// the table has the requests whose outcome is the text of the task, those that were refused, and those with another
// outcome. A request that a format cannot say is left out.
//
// Stale has scenarios after the descriptions of pi-edit-benchmark. Each line is an object with the id, the name of the
// file, what the model has seen, what the file is now (null for the same), what the model wants, what it wants once it
// has looked again (null for nothing), and the texts that are right in the end (accept). Those that are not current are
// left out. Noop is a line that the model replaces by itself, then what it makes of the file afterwards, and undo says
// that the edit is taken back.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

var verbose = flag.Bool("v", false, "print each request that does not come out right")

func main() {
	flag.Parse()
	run := map[string]func(w io.Writer, name string) error{"explicit": explicit, "stale": stale}[flag.Arg(0)]
	if flag.NArg() != 2 || run == nil {
		fmt.Fprintln(os.Stderr, "usage: public [-v] explicit|stale data.jsonl[.gz]")
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "public:", err)
		os.Exit(1)
	}
}
