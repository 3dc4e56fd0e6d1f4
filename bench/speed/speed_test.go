package speed

import (
	"fmt"
	"slices"
	"testing"
)

// BenchmarkWork runs every row of the table on both kinds of text, at the size of its target: this package, the floor,
// and other packages.
func BenchmarkWork(b *testing.B) {
	for _, w := range slices.Concat(Works, Parsing) {
		for _, text := range Texts {
			job := w.Make(text.Make, w.Lines)
			ring := NewRing(job.Input)
			run := func(who string, work func(Input)) {
				f := ring.Run(work)
				b.Run(fmt.Sprintf("%s/%s/%s", w.Name, text.Name, who), func(b *testing.B) {
					b.SetBytes(int64(len(job.Input.Old)))
					b.ReportAllocs()
					for b.Loop() {
						f()
					}
				})
			}
			run("atomicedit", job.Ours)
			if job.Floor != nil {
				run("floor", job.Floor)
			}
			if job.Peers != nil {
				for _, p := range job.Peers() {
					run(p.Name, p.Run)
				}
			}
		}
	}
}

// BenchmarkCommits runs the ways to replace files on disk.
func BenchmarkCommits(b *testing.B) {
	for _, c := range Commits() {
		for _, w := range c.Ways {
			f, end, err := w.Open(b.TempDir(), c.Files, c.Size)
			if err != nil {
				b.Fatal(err)
			}
			defer end()
			b.Run(c.Name+"/"+w.Name, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
	}
}

func TestEveryWorkDoesWhatItIsMeantTo(t *testing.T) {
	for _, w := range slices.Concat(Works, Parsing) {
		for _, text := range Texts {
			job := w.Make(text.Make, 2_000) // panics if the outcome is wrong
			job.Ours(job.Input)
		}
	}
}
