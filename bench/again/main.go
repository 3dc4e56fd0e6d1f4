// Again carries out requests, and then each of them once more on its own result, as happens when a model repeats itself. The second
// time nothing may change: an insertion must not stand there twice, and nothing may go to another place.
//
//	go run ./again [-show n] requests.jsonl.gz
//
// Each line of the file is a JSON object with an id, files (path to text) and a request.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

func main() {
	show := flag.Int("show", 0, "changes of a second time to print")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	counts, err := run(flag.Arg(0), *show)
	if err != nil {
		fmt.Fprintln(os.Stderr, "again:", err)
		os.Exit(2)
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%6d  %s\n", counts[what], what)
	}
	if counts[changed] > 0 {
		os.Exit(1)
	}
}

type request struct {
	ID      string
	Request string
	Files   map[string]string
}

func run(name string, show int) (counts map[string]int, err error) {
	counts = map[string]int{}
	return counts, jsonlines.Each(name, func(r request) {
		what, diff := r.twice()
		counts[what]++
		if what == changed && show > 0 {
			show--
			fmt.Printf("== %s\n%s\n", r.ID, diff)
		}
	})
}

const changed = "the second time: changed"

// twice carries out a request twice, and says what came of the second time. Diff is what it changed.
func (r request) twice() (what, diff string) {
	plan, err := atomicedit.Parse(r.Request)
	if err != nil {
		return "the first time: not read", ""
	}
	if len(r.Files) == 1 {
		for path := range r.Files {
			plan = plan.ForFile(path)
		}
	}
	store := atomicedit.NewMem(r.Files)
	if _, err := carryOut(store, plan); err != nil {
		return "the first time: refused", ""
	}
	report, err := carryOut(store, plan)
	if err == nil {
		return changed, report.Diff
	}
	for _, kind := range []error{atomicedit.ErrApplied, atomicedit.ErrNoChange, atomicedit.ErrNotFound, atomicedit.ErrAmbiguous} {
		if errors.Is(err, kind) {
			return fmt.Sprintf("the second time: refused (%v)", kind), ""
		}
	}
	return "the second time: refused otherwise", ""
}

func carryOut(store atomicedit.Store, plan atomicedit.Plan) (*atomicedit.Report, error) {
	change, err := atomicedit.Prepare(context.Background(), store, plan, nil)
	if err != nil {
		return nil, err
	}
	return change.Report(), change.Commit(context.Background())
}
