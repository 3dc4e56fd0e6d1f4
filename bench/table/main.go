// Table measures the speed of the package and prints it beside its targets and beside other packages:
//
//	go run ./table [-cases file.jsonl.gz] [-dir directory] [-svg file.svg] [-growth=false] [-targets]
//	go run ./table -commits [-dir directory | -on ext4|xfs|btrfs] [-n rounds] [-many]
//
// A time is the median of several calls. If a target is a multiple of the time of something else, the two take turns.
// Times are processor time if the system reports it, garbage collection included, so that a busy machine matters less.
// For commits, which use a directory on the disk to be measured, they are wall time.
//
// Every call has to fetch its texts from memory instead of the processor's cache, whatever their size: copies that are
// together twice as large as the last-level cache take turns. (Linux reports its size in
// /sys/devices/system/cpu/cpu0/cache; otherwise it is taken to be 64 MiB.) Otherwise, 10,000 lines in the cache would
// be compared with 1,000,000 that fit in no cache. The same holds for the other packages, and for the work that targets
// are multiples of. Only the small edits of -cases are repeated in the cache.
//
// Growth compares minimum times, because other programs that use the shared cache slow down only the large texts.
//
// With -commits, it compares this package with other writers and with os.WriteFile, which is neither atomic nor
// durable. With -on, the disk is a new file system on a loop device (needs Linux, root and the mkfs of its kind).
//
// The exit status is 0 if it ran; with -targets, it is 1 if a target is missed.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/bench/speed"
)

// A row has the measurements of one kind of work.
type row struct {
	name   string
	text   string // the kind of text, "" if that does not matter
	ours   time.Duration
	target time.Duration // 0 if there is none
	growth float64       // the largest factor in time for ten times the text, 0 if not measured
	others []other
	allocs int64
	most   int64   // the most allocations, 0 if there is no target
	memory float64 // the memory allocated, as a fraction of the target, 0 if there is no target
}

type other struct {
	name string
	time time.Duration
}

func main() {
	cases := flag.String("cases", "", "edits to apply, as for replay -set robust")
	dir := flag.String("dir", os.TempDir(), "a directory on the disk that commits are measured on")
	svg := flag.String("svg", "", "the file to draw the table in")
	growth := flag.Bool("growth", true, "measure how the time grows up to 1,000,000 lines")
	commits := flag.Bool("commits", false, "measure nothing but commits, in more ways")
	on := flag.String("on", "", "with -commits, measure a new file system of this kind on a loop device instead")
	n := flag.Int("n", 200, "with -commits, rounds (a tenth of them for 10 MB)")
	many := flag.Bool("many", false, "with -commits, measure commits of 1,000 and 10,000 files too, in three rounds")
	strict := flag.Bool("targets", false, "exit with 1 if a target is missed")
	flag.Parse()
	var err error
	switch {
	case *commits && *on != "":
		err = onLoop(*on, func(dir string) error { return measureCommits(dir, *n, *many) })
	case *commits:
		err = measureCommits(*dir, *n, *many)
	default:
		err = run(*cases, *dir, *svg, *growth, *strict)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(cases, dir, svg string, growth, strict bool) error {
	var rows []row
	fmt.Println("| work | ours | target | ours ÷ target | ten times the text | allocations | memory ÷ allowed | " +
		"others |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	add := func(r row) {
		rows = append(rows, r)
		fmt.Println(r)
	}
	for _, w := range slices.Concat(speed.Works, speed.Parsing) {
		for _, text := range speed.Texts {
			r := measure(w, text.Make, growth)
			r.text = text.Name
			add(r)
		}
	}
	r, err := reportDiff(growth)
	if err != nil {
		return err
	}
	add(r)
	const files, size, memory = 10_000, 16 << 10, 64 << 20 // of which a Session remembers the newest
	held := speed.SessionMemory(files, size)
	add(row{name: fmt.Sprintf("memory of a Session that has read %s files of 16 KiB: %d MiB", thousands(files),
		held>>20),
		memory: float64(held) / (1.25 * memory)})
	for _, c := range speed.Commits() {
		r, err := commit(c, dir)
		if err != nil {
			return err
		}
		add(r)
	}
	for _, c := range speed.Calls() {
		r, err := call(c, dir)
		if err != nil {
			return err
		}
		add(r)
	}
	if cases != "" {
		all, err := speed.Cases(cases)
		if err != nil {
			return err
		}
		times := speed.Measure(speed.Processor, 3, 0, all...)
		slices.Sort(times)
		at := func(share int) time.Duration { return times[min(len(times)*share/100, len(times)-1)] }
		add(row{name: fmt.Sprintf("%d real edits, damaged: median", len(all)), ours: at(50),
			target: 30 * time.Microsecond})
		add(row{name: fmt.Sprintf("%d real edits, damaged: p99", len(all)), ours: at(99),
			target: 500 * time.Microsecond})
	}
	if svg != "" {
		if err := os.WriteFile(svg, []byte(draw(rows)), 0o644); err != nil {
			return err
		}
	}
	if missed := slices.DeleteFunc(rows, row.met); strict && len(missed) > 0 {
		return fmt.Errorf("%d rows miss a target; the first one is %s", len(missed), missed[0].title())
	}
	return nil
}

// met reports whether a row meets all its targets.
func (r row) met() bool {
	return (r.target == 0 || r.ours <= r.target) && r.growth <= 15 && r.memory <= 1 &&
		(r.most == 0 || r.allocs <= r.most)
}

func measure(w speed.Work, text speed.Text, growth bool) row {
	job := w.Make(text, w.Lines)
	ring := speed.NewRing(job.Input)
	all := []func(){ring.Run(job.Ours)}
	if job.Floor != nil {
		all = append(all, ring.Run(job.Floor))
	}
	r := row{name: w.Name, target: w.Limit}
	times := speed.Measure(speed.Processor, 25, 2*time.Second, all...)
	r.ours = times[0]
	if job.Floor != nil {
		r.target = time.Duration(w.Times * float64(times[1]))
	}
	if w.Rate > 0 {
		r.target = time.Duration(float64(len(job.Input.Old)) / w.Rate * float64(time.Microsecond))
	}
	if job.Peers != nil {
		for _, p := range job.Peers() {
			r.others = append(r.others, other{p.Name,
				speed.Measure(speed.Processor, 5, 2*time.Second, ring.Run(p.Run))[0]})
		}
	}
	var size int64
	r.allocs, size = speed.Cost(ring.Run(job.Ours))
	r.most = w.Allocs
	if w.Edits {
		r.memory = float64(size) / float64(3*len(job.Input.Old)+48*w.Lines)
	}
	if growth {
		var all []func()
		var bytes []int
		for _, n := range sizes {
			if w.Lines <= sizes[0] && n > 10*w.Lines {
				break // a request may have 64 MiB
			}
			job := w.Make(text, n)
			all = append(all, speed.NewRing(job.Input).Run(job.Ours))
			bytes = append(bytes, len(job.Input.Old))
		}
		r.growth = grown(speed.Least(speed.Processor, 15, 5*time.Second, all...), bytes)
	}
	r.name += ", " + thousands(w.Lines) + " lines"
	return r
}

var sizes = []int{10_000, 100_000, 1_000_000}

// grown returns the largest factor in time for ten times the text, for texts of these sizes. It counts bytes, because
// lines differ in length.
func grown(times []time.Duration, sizes []int) (most float64) {
	for i := range times[1:] {
		most = max(most, 10*float64(times[i+1])/float64(times[i])/(float64(sizes[i+1])/float64(sizes[i])))
	}
	return most
}

// reportDiff runs the package's own benchmark for rendering known changes, which is not exported.
func reportDiff(growth bool) (row, error) {
	r := row{name: "Report.Diff of one changed line, 100,000 lines", target: time.Millisecond}
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", "^BenchmarkDiffKnown$", "-benchtime", "20x", "-count",
		"9", "github.com/atomicedit/atomicedit/internal/linediff")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return r, fmt.Errorf("%w\n%s", err, out)
	}
	var times []time.Duration
	for _, n := range sizes {
		var all []time.Duration
		result := regexp.MustCompile(fmt.Sprintf(`/lines=%d\S*\s+\d+\s+(\d+)\S* ns/op.*\s(\d+) allocs/op`, n))
		for _, m := range result.FindAllSubmatch(out, -1) {
			ns, _ := strconv.Atoi(string(m[1]))
			all = append(all, time.Duration(ns))
			r.allocs, _ = strconv.ParseInt(string(m[2]), 10, 64)
		}
		if len(all) == 0 {
			return r, fmt.Errorf("no result for %d lines in\n%s", n, out)
		}
		slices.Sort(all)
		times = append(times, all[0]) // the minimum of the wall times
	}
	if r.ours = times[1]; growth {
		r.growth = grown(times, sizes)
	}
	return r, nil
}

func (r row) title() string {
	if r.text == "" {
		return r.name
	}
	return r.name + ", " + r.text
}

func (r row) String() string {
	cell := func(there bool, format string, args ...any) string {
		if !there {
			return "–"
		}
		return fmt.Sprintf(format, args...)
	}
	allocs := cell(r.allocs > 0, "%d", r.allocs)
	if r.most > 0 {
		allocs += fmt.Sprintf(" (≤ %d)", r.most)
	}
	var others []string
	for _, o := range r.others {
		others = append(others, fmt.Sprintf("%s %s = %.1f ×", o.name, ms(o.time), float64(o.time)/float64(r.ours)))
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s |", r.title(), ms(r.ours),
		cell(r.target > 0, "%s", ms(r.target)),
		cell(r.target > 0, "%.2f", float64(r.ours)/float64(r.target)), cell(r.growth > 0, "%.1f × (≤ 15)", r.growth),
		allocs,
		cell(r.memory > 0, "%.2f", r.memory), cell(len(others) > 0, "%s", strings.Join(others, ", ")))
}

func ms(d time.Duration) string {
	return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
}

func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
