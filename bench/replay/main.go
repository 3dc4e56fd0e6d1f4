// Replay carries out recorded cases, and counts what comes of them:
//
//	go run ./replay [-v] requests.jsonl.gz
//	go run ./replay -set again [-v] requests.jsonl.gz
//	go run ./replay -set robust [-via blocks] [-v] [cases.jsonl.gz]
//	go run ./replay -set corpus [-v] directory
//	go run ./replay -set calls [-v] requests.jsonl.gz
//
// The set real has requests that models wrote. What comes of them is compared with what the tool of the time made of
// them. Each line is a JSON object with an id, files (path to text), a request, truth (what the tool did) and after
// (path to text, null for a deleted file; null as a whole if nobody knows). Accepted.txt lists the requests of which
// something else should come, and why. The flag -v prints a line for each request: its id, what came of it, and a hash
// of the texts.
//
// The set again has the same requests. Each is carried out once more on its own result, as happens when a model repeats
// itself. The second time nothing may change: an insertion must not stand there twice, and nothing may go to another
// place. The flag -v prints what changes.
//
// The set robust has edits that were damaged the way models damage them (robust.go). Without a file, replay reads them
// from standard input and answers on standard output, for a program that scores appliers.
//
// The set calls has the requests of real once more. Replay carries them out through a Host, for a conversation that has
// read the files, and prints how long requests, answers and refusals are: how many there are, and the median, the 99th
// percentile and the maximum of their bytes. The flag -v prints the answers.
//
// The set corpus has cases taken from the test suites of other editing tools (corpus.go).
//
// The exit status is 1 if a second time changes something, or if a case of the corpus is open.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

func main() {
	set := flag.String("set", "real", "the kind of the cases: real, again, calls, robust or corpus")
	via := flag.String("via", "apply", "the format of the requests of the set robust: apply, blocks or v4a")
	verbose := flag.Bool("v", false, "print what came of the cases, one by one")
	flag.Parse()
	ok, err := run(*set, *via, flag.Args(), *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run carries out a set, and reports whether the exit status is 0.
func run(set, via string, files []string, verbose bool) (ok bool, err error) {
	if set == "robust" && len(files) == 0 {
		return true, serve(via, os.Stdin, os.Stdout)
	}
	if len(files) != 1 {
		return false, fmt.Errorf("one file or directory is needed; -h explains the flags")
	}
	switch name := files[0]; set {
	case "real":
		return replay(name, verbose, request.once)
	case "again":
		return replay(name, verbose, request.twice)
	case "robust":
		return replay(name, verbose, func(c damaged) (what, detail string) { return c.judged(via) })
	case "calls":
		return true, replayCalls(name, verbose)
	case "corpus":
		return runCorpus(name, verbose)
	}
	return false, fmt.Errorf("there is no set %q", set)
}

// replay carries out the cases in a file, and prints how many of them had which outcome. CarryOut returns the outcome
// of a case, and details for -v.
func replay[T any](name string, verbose bool, carryOut func(T) (what, detail string)) (ok bool, err error) {
	counts := map[string]int{}
	err = jsonlines.Each(name, func(c T) {
		what, detail := carryOut(c)
		counts[what]++
		if verbose && detail != "" {
			fmt.Println(detail)
		}
	})
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%6d  %s\n", counts[what], what)
	}
	return counts[changed] == 0, err
}
