package speed

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A Work is one kind of work, on texts of any number of lines.
type Work struct {
	Name  string
	Lines int // the size of the text for which there is a target
	// The target: a time, a multiple of the time of the floor, or a rate.
	Limit  time.Duration
	Times  float64
	Rate   float64 // megabytes of the input per second
	Allocs int64   // the most allocations, 0 if there is no target
	Edits  bool    // the work is Apply, which has a target for its memory
	Make   func(t Text, lines int) Job
}

// A Job is a piece of work that is ready to run: by this package and, if they exist, as the floor and by peers. All get
// the same input, which is Input or a copy of it.
type Job struct {
	Input Input
	Ours  func(Input)
	Floor func(Input)
	Peers func() []Peer
}

// A Peer does the job with another package.
type Peer struct {
	Name string
	Run  func(Input)
}

// Works has the rows of the table about edits and diffs.
var Works = []Work{
	{Name: "one exact edit of whole lines", Lines: 100_000, Times: 1.5, Allocs: 12, Edits: true, Make: exact},
	{Name: "a 10-line block at another indentation", Lines: 100_000, Limit: 8 * time.Millisecond, Edits: true,
		Make: indented},
	{Name: "a 30-line request that fits nowhere", Lines: 100_000, Limit: 15 * time.Millisecond, Edits: true,
		Make: hopeless},
	{Name: "200 edits of whole lines", Lines: 100_000, Limit: 12 * time.Millisecond, Edits: true, Make: many},
	{Name: "1,000 hunks of a diff", Lines: 20_000, Limit: 6 * time.Millisecond, Edits: true, Make: hunks},
	{Name: "200 substring edits in sequence", Lines: 100_000, Limit: 8 * time.Millisecond, Edits: true,
		Make: substrings},
	{Name: "an edit carried over to a file that has changed", Lines: 100_000, Times: 3, Make: carried},
	{Name: "Diff of one changed line", Lines: 100_000, Limit: 3 * time.Millisecond, Make: oneLine},
	{Name: "Diff of two changed lines far apart", Lines: 100_000, Make: farApart},
	{Name: "Diff of two unrelated texts", Lines: 20_000, Limit: 300 * time.Millisecond, Make: unrelated},
	{Name: "ParseUnified, a hunk for 10 lines", Lines: 100_000, Make: parseUnified},
}

// apply returns a function that applies edits to a text. It panics if the result is not the expected one.
func apply(text []byte, edits []atomicedit.Edit, expect string) func(Input) {
	res, err := atomicedit.Apply(text, edits, nil)
	if err != nil || string(res.Text) != expect {
		panic(fmt.Sprint("not what was expected: ", err))
	}
	return func(in Input) { atomicedit.Apply(in.Old, edits, nil) }
}

// replaced returns the text with new in place of old, which begins at line first.
func (s *source) replaced(first int, old, new string) string {
	at := s.starts[first]
	return string(s.text[:at]) + new + string(s.text[at+len(old):])
}

// changeable reports whether the line that change changes has text, and no dots that could stand for lines left out.
func changeable(piece string) bool {
	lines := strings.Split(piece, "\n")
	last := lines[len(lines)-3]
	return strings.TrimSpace(last) != "" && !strings.Contains(last, "..")
}

// change changes the second-to-last line of a piece.
func change(piece string) string {
	at := strings.LastIndexByte(piece[:len(piece)-1], '\n')
	return piece[:at] + " // changed" + piece[at:]
}

func exact(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	first := s.unique(lines/2, 9, changeable)
	old := s.lines(first, 9)
	needle := []byte(old[:min(60, len(old))]) // the length at which bytes.Index is fastest
	expect := s.replaced(first, old, change(old))
	return Job{
		Input: Input{Old: s.text},
		Ours:  apply(s.text, []atomicedit.Edit{{Old: old, New: change(old), WholeLines: true}}, expect),
		Floor: func(in Input) {
			for range 2 {
				at := bytes.Index(in.Old, needle)
				bytes.Index(in.Old[at+1:], needle)
			}
			bytes.Count(in.Old, []byte("\n"))
			_ = append([]byte(nil), in.Old...)
		},
		Peers: func() []Peer { return exactPeers(s.text, expect) },
	}
}

func indented(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	const n = 10
	first := s.unique(lines/2, n, changeable)
	piece := s.lines(first, n)
	old := "\t" + strings.ReplaceAll(strings.ReplaceAll(piece[:len(piece)-1], "\n", "\n\t"), "\t\n", "\n") + "\n"
	edit := atomicedit.Edit{Old: old, New: change(old), WholeLines: true}
	return Job{Input: Input{Old: s.text}, Ours: apply(s.text, []atomicedit.Edit{edit},
		s.replaced(first, piece, change(piece)))}
}

func hopeless(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	for first := lines / 2; ; first++ { // if few lines have two words, the edit can pass for misspelled
		var old strings.Builder
		for line := range strings.Lines(s.lines(first, 30)) {
			for i, word := range strings.SplitAfter(line, " ") {
				if i == 1 && len(word) > 3 {
					word = word[:2] + "x" + word[2:]
				}
				old.WriteString(word)
			}
		}
		edits := []atomicedit.Edit{{Old: old.String(), New: change(old.String()), WholeLines: true}}
		if _, err := atomicedit.Apply(s.text, edits, nil); err != nil {
			return Job{Input: Input{Old: s.text}, Ours: func(in Input) { atomicedit.Apply(in.Old, edits, nil) }}
		}
	}
}

func many(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	var edits []atomicedit.Edit
	var expect strings.Builder
	from, next := 0, 0
	for i := range 200 {
		const n = 3
		first := s.unique(max(next, i*(lines-100)/200), n, changeable)
		old := s.lines(first, n)
		edits = append(edits, atomicedit.Edit{Old: old, New: change(old), WholeLines: true})
		expect.WriteString(string(s.text[from:s.starts[first]]) + change(old))
		next, from = first+n, s.starts[first+n]
	}
	expect.Write(s.text[from:])
	return Job{Input: Input{Old: s.text}, Ours: apply(s.text, edits, expect.String())}
}

func hunks(t Text, lines int) Job {
	text := t(lines, 0)
	all := strings.SplitAfter(string(text), "\n")
	for i := lines / 2000; i < lines; i += lines / 1000 {
		all[i] = strings.TrimSuffix(all[i], "\n") + " // changed\n"
	}
	expect := strings.Join(all, "")
	p, err := atomicedit.ParseUnified(atomicedit.Diff("a/x", text, "b/x", []byte(expect)))
	if err != nil {
		panic(err)
	}
	return Job{
		Input: Input{Old: text},
		Ours:  apply(text, p.Ops[0].Edits, expect),
		Peers: func() []Peer { return exactPeers(text, expect) },
	}
}

func substrings(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	var edits []atomicedit.Edit
	expect, next := string(s.text), 0
	for i := range 200 {
		first := s.unique(max(next, i*(lines-200)/200), 1, func(line string) bool {
			return len(line) > 15 && bytes.Count(s.text, []byte(strings.TrimSpace(line))) == 1
		})
		next = first + 1
		old := strings.TrimSpace(s.lines(first, 1))
		edits = append(edits, atomicedit.Edit{Old: old, New: old + " // changed"})
		expect = strings.Replace(expect, old, old+" // changed", 1)
	}
	return Job{Input: Input{Old: s.text}, Ours: apply(s.text, edits, expect)}
}

func oneLine(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	old := s.lines(lines/2, 2)
	return diff(s.text, []byte(s.replaced(lines/2, old, change(old))))
}

func farApart(t Text, lines int) Job {
	text := t(lines, 0)
	return diff(text, []byte("first\n"+string(text)+"last\n"))
}

func unrelated(t Text, lines int) Job {
	return diff(t(lines, 0), t(lines, 1_234_567))
}

func diff(old, new []byte) Job {
	return Job{
		Input: Input{old, new},
		Ours:  func(in Input) { atomicedit.Diff("x", in.Old, "x", in.New) },
		Peers: func() []Peer { return diffPeers(Input{old, new}) },
	}
}

func parseUnified(t Text, lines int) Job {
	old := string(t(lines, 0))
	var changed strings.Builder
	i := 0
	for line := range strings.Lines(old) {
		if i++; i%10 == 5 {
			line = "// " + line
		}
		changed.WriteString(line)
	}
	patch := "diff --git a/x b/x\n" + atomicedit.Diff("a/x", []byte(old), "b/x", []byte(changed.String()))
	if _, err := atomicedit.ParseUnified(patch); err != nil {
		panic(err)
	}
	return Job{
		Input: Input{Old: []byte(patch)},
		Ours: func(in Input) {
			patch, _ := in.strings()
			atomicedit.ParseUnified(patch)
		},
		Peers: func() []Peer { return parsePeers(patch) },
	}
}
