// Truth makes random edits of real files, damages the requests the way models damage them, in random combinations, and
// checks whether the result is what was meant.
//
//	go run ./truth [-n cases] [-seed n] [-first case] [-show n] [-j workers] [-damage name] [-memory] [-strings] dir...
//
// With -memory, the damages are those of a text that is told from memory; in some of them, such as a context line that
// the new text lacks, nothing tells what is meant. With -strings, the edits are substring edits.
//
// The cases take turns in the directories. A case depends on the seed and its number alone: "-first 4711 -n 1" makes it
// again.
//
// A request may be refused, but must not be carried out wrongly. Requests whose text has changed in the file should be
// refused, and are counted as stale then. A request that was carried out as meant is sent again on its own result,
// which it must not change, unless it only removes lines that the file still has elsewhere. Results that nobody could
// decide are counted separately:
//
//   - the number of blank lines, if the request lost or doubled some, and the spaces in them, if the file has such
//     lines;
//   - typographic characters in changed lines, if the request changed every one that it shows;
//   - how deep changed lines are, in a text that mixes tabs and spaces, or if the old lines are indented as in the
//     file, or all at one depth, so that nothing shows how the indentation of the new lines was damaged;
//   - the place, if the damaged text stands exactly once in the file, or once between the neighbouring edits of the
//     request, but not where it was meant, or if it stands there twice and the line numbers are wrong. It may differ
//     there in blank lines, indentation, trailing whitespace and typographic characters.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

func main() {
	n := flag.Int("n", 100_000, "`cases`")
	seed := flag.Uint64("seed", 1, "seed")
	first := flag.Int("first", 0, "number of the first `case`")
	show := flag.Int("show", 5, "wrong answers to print of each kind")
	workers := flag.Int("j", runtime.GOMAXPROCS(0), "`workers`")
	flag.StringVar(&only, "damage", "", "do this `damage` alone")
	memory := flag.Bool("memory", false, "damages of a text that is told from memory")
	flag.BoolVar(&asStrings, "strings", false, "substring edits, not edits of whole lines")
	flag.Parse()
	if *memory {
		damages = fromMemory
	}
	if only != "" && only != fromGrep && !slices.ContainsFunc(damages, func(d damage) bool { return d.name == only }) {
		fmt.Fprintln(os.Stderr, "truth: there is no damage of this name")
		os.Exit(2)
	}
	var trees []tree
	for _, dir := range flag.Args() {
		if t := read(dir); len(t.files) > 0 {
			trees = append(trees, t)
		}
	}
	if len(trees) == 0 {
		fmt.Fprintln(os.Stderr, "usage: truth [-n cases] [-seed n] [-first case] [-show n] [-j workers] "+
			"[-damage name] [-memory] [-strings] directory...")
		os.Exit(2)
	}
	all := run(trees, *seed, *first, *n, *workers)
	all.print(*show)
	if len(all.wrong) > 0 {
		os.Exit(1)
	}
}

// run judges n cases from the first on.
func run(trees []tree, seed uint64, first, n, workers int) tally {
	var next atomic.Int64
	parts := make([]tally, workers)
	var wg sync.WaitGroup
	for w := range parts {
		parts[w] = newTally()
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				t := trees[(first+i)%len(trees)]
				c := draw(rand.New(rand.NewPCG(seed, uint64(first+i))), t)
				c.number = first + i
				parts[w].add(t, c, c.try())
			}
		})
	}
	wg.Wait()
	all := newTally()
	for _, p := range parts {
		all.merge(p)
	}
	return all
}

// draw makes a case of one of the files of a tree.
func draw(rnd *rand.Rand, t tree) *testCase {
	for {
		f := t.files[rnd.IntN(len(t.files))]
		if c := newCase(rnd, f); c != nil {
			return c
		}
	}
}
