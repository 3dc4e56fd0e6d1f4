// Real carries out requests that models wrote, and compares what comes of them with what the tool of the time made of them.
//
//	go run ./real [-v] requests.jsonl.gz
//
// Each line of the file is a JSON object with an id, files (path to text), a request, truth (what the tool did) and after (path to
// text, null for a deleted file; null as a whole if nobody knows). The flag -v prints a line for each request: its id, what came of
// it, and a hash of the texts. Accepted.txt lists the requests of which something else should come than the tool made, and why.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

func main() {
	verbose := flag.Bool("v", false, "print what came of each request")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	counts, err := run(flag.Arg(0), *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "real:", err)
		os.Exit(2)
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%6d  %s\n", counts[what], what)
	}
}

type request struct {
	ID, Format, Request, Truth string
	Files                      map[string]string
	After                      map[string]*string
}

//go:embed accepted.txt
var accepted string

// isAccepted reports whether accepted.txt lists a request.
func isAccepted(id string) bool { return strings.Contains("\n"+accepted, "\n"+id+"\t") }

func run(name string, verbose bool) (counts map[string]int, err error) {
	counts = map[string]int{}
	return counts, jsonlines.Each(name, func(r request) {
		what, texts := r.carryOut()
		if what == "differs" && isAccepted(r.ID) {
			what = "differs, as accepted.txt says"
		}
		if strings.HasPrefix(r.Truth, "refused") {
			what = "refused by the tool, " + what
		}
		counts[what]++
		if verbose {
			fmt.Printf("%s\t%s\t%x\n", r.ID, what, hash(texts))
		}
	})
}

// carryOut says what comes of a request, and returns the texts afterwards.
func (r request) carryOut() (what string, texts map[string]string) {
	plan, err := atomicedit.Parse(r.Request)
	if err != nil && r.Format == "v4a" {
		plan, err = atomicedit.ParseV4A(r.Request)
	}
	if err != nil {
		return "not read", nil
	}
	if len(r.Files) == 1 {
		for path := range r.Files {
			plan = plan.ForFile(path)
		}
	}
	store := atomicedit.NewMem(r.Files)
	var refusal *atomicedit.Refusal
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); errors.As(err, &refusal) {
		return "refused", nil
	} else if err != nil {
		return "failed", nil
	}
	texts = store.Files()
	if r.After == nil {
		return "done", texts
	}
	for path, want := range r.After {
		got, ok := texts[path]
		if ok != (want != nil) || ok && strings.TrimRight(got, "\r\n") != strings.TrimRight(*want, "\r\n") {
			return "differs", texts
		}
		if ok && got != *want {
			return "differs in the newline at the end", texts
		}
	}
	return "equal", texts
}

func hash(texts map[string]string) uint32 {
	h := fnv.New32a()
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(h, "%q %q\n", path, texts[path])
	}
	return h.Sum32()
}
