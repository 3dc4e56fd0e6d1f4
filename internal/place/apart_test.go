package place

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

var sameError = cmp.Comparer(func(a, b error) bool { return a == b })

// An outcomeOf has all that comes of the edits of a request.
type outcomeOf struct {
	Text     string
	Matches  []text.Match
	Notes    []Note
	Problems []Problem
}

// carriedOut carries out edits, with landmarks or without.
func carriedOut(src string, edits []Edit, with bool) (all outcomeOf) {
	enc := text.EncodingOf([]byte(src))
	r := &request{allows: upTo(Drift), source: newVersion([]byte(src))}
	r.edits, r.source.words = plan.Readable(edits, r.source.Text, enc), plan.WordsOf("").Of(edits)
	if with {
		r.landmarks = landmarksOf(r.edits, r.source.Text)
	}
	last := r.run(enc)
	all.Text, all.Problems = string(last.Data), r.problems
	// as Apply does
	sort.SliceStable(all.Problems, func(i, j int) bool { return all.Problems[i].Edit < all.Problems[j].Edit })
	for _, m := range last.done { // those that touch may be told as one
		if n := len(all.Matches) - 1; n >= 0 && all.Matches[n].Old.End == m.Old.Start &&
			all.Matches[n].New.End == m.New.Start {
			all.Matches[n].Old.End, all.Matches[n].New.End = m.Old.End, m.New.End
			continue
		}
		all.Matches = append(all.Matches, m)
	}
	res, _ := last.result(r.notes, r.edits, []byte(src), enc)
	all.Notes = res.Notes
	return all
}

// drawText draws a text whose lines are often unlike any other, and its lines.
func drawText(t *rapid.T) (lines []string) {
	n := rapid.IntRange(10, 100).Draw(t, "lines")
	endings := rapid.SampledFrom([]string{"\n", "\n", "\n\n\n\r\n", "\r\n"}).Draw(t, "endings")
	for i := range n {
		body := rapid.SampledFrom([]string{
			"", "}", strings.Repeat("\n", 30), strings.Repeat("long ", 30), "another line", "\treturn nothing",
			fmt.Sprintf("func step%d() {", i), fmt.Sprintf("a list, entry %d.", i),
			fmt.Sprintf("\tvalue%d := compute(%d)", i, 3*i), fmt.Sprintf("    line %d has more words", i),
			fmt.Sprintf("\t\tcaf\u00e9 number %d, s'il vous pla\u00eet", i), fmt.Sprintf("if ready(%d) then", i),
		}).Draw(t, "line")
		end := "\n"
		if k := i % len(endings); endings == "\r\n" || endings[k] == '\r' {
			end = "\r\n"
		}
		lines = append(lines, body+end)
	}
	if rapid.Bool().Draw(t, "unended") {
		lines[n-1] = strings.TrimRight(lines[n-1], "\r\n")
	}
	return lines
}

// drawStringEdit draws an edit of some lines, or of text that an edit before it may have written.
func drawStringEdit(t *rapid.T, lines []string, before []Edit) (e Edit) {
	pick := rapid.SampledFrom(lines)
	first := rapid.IntRange(0, len(lines)-1).Draw(t, "first")
	n := rapid.SampledFrom([]int{1, 1, 1, 1, 1, 2, 3, 6}).Draw(t, "of")
	e.Old = strings.Join(lines[first:min(len(lines), first+n)], "")
	if len(before) > 0 && rapid.IntRange(0, 9).Draw(t, "written") == 0 {
		e.Old = rapid.SampledFrom(before).Draw(t, "edit").New
	}
	switch rapid.IntRange(0, 9).Draw(t, "piece") {
	default:
		e.Old = strings.TrimSpace(e.Old)
	case 0, 1:
		e.Old = e.Old[rapid.IntRange(0, len(e.Old)/3).Draw(t, "from"):]
	case 2:
		e.Old = strings.TrimSuffix(e.Old, "\n")
	case 3: // with the ending
	}
	if rapid.IntRange(0, 9).Draw(t, "endings") == 0 {
		e.Old = strings.ReplaceAll(e.Old, "\r\n", "\n")
	}
	line := func() string { return strings.TrimRight(pick.Draw(t, "new line"), "\r\n") }
	switch rapid.IntRange(0, 17).Draw(t, "kind") {
	case 0:
	case 1:
		e.New = e.Old + "\n" + line() + "\n" + line()
	case 2:
		e.New = line() + "\n" + e.Old
	case 3:
		e.New = line() + "\n" + line() + "\n" + line() + "\n" + e.Old + line()
	case 4:
		e.New = strings.ReplaceAll(e.Old, "e", "\n")
	case 5:
		e.New = line()
	case 6:
		e.New = rapid.SampledFrom([]string{"// ... existing code ...\n", "+ added\n+ twice", "12| numbered\n13| lines",
			"a\\nb\n", "\r\n", "\n", "return nothing\n}\n", "\tb\n"}).Draw(t, "damage")
	case 7: // as the lines beside the place may have become
		if first > 0 {
			e.New = strings.TrimSpace(lines[first-1]) + " // changed\n"
		}
		e.New += strings.TrimSpace(e.Old)
	case 8:
		e.New = e.Old + "X"
		for _, l := range lines[min(len(lines), first+1):min(len(lines), first+4)] {
			e.New += "\n" + strings.TrimSpace(l) + " // changed"
		}
	case 9:
		e.New = e.Old[:len(e.Old)/2] + "X" + e.Old[len(e.Old)/2:]
	default:
		e.New = e.Old + " // changed"
	}
	switch rapid.IntRange(0, 80).Draw(t, "more") {
	case 0:
		e.Count = plan.All
	case 1:
		e.Near = first + 1
	case 2:
		e.WholeLines = true
	case 3:
		e.Anchors = []string{strings.TrimSpace(line())}
	case 4:
		e = Edit{New: e.New, First: first + 1, Last: first + 1}
	case 5:
		e.First, e.Last = max(first, 1), first+2
	}
	return e
}

// Substring edits whose places are found in one pass have the outcome of those that are placed one by one.
func TestSubstringsAreReplacedAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := drawText(t)
		var edits []Edit
		for range rapid.IntRange(8, 24).Draw(t, "edits") {
			edits = append(edits, drawStringEdit(t, lines, edits))
		}
		src := strings.Join(lines, "")
		want := carriedOut(src, edits, false)
		got := carriedOut(src, edits, true)
		if diff := cmp.Diff(want, got, sameError); diff != "" {
			t.Fatalf("one by one (-), and together (+):\n%s", diff)
		}
	})
}

// An edit whose place, or what is looked at around it, an earlier one has changed acts on the result of that one.
func TestSubstringsThatMeetActOneByOne(t *testing.T) {
	src := string(program(200)) + "+ a line with a plus\n// ... and dots\n"
	of := func(n int, to string) Edit {
		return Edit{Old: strings.TrimSpace(piece([]byte(src), n, 1)), New: to}
	}
	old := func(n int) string { return of(n, "").Old }
	for name, edits := range map[string][]Edit{
		"one line":              {of(1, old(1)+" // one"), {Old: old(1)[8:], New: "x"}},
		"a line below":          {of(1, old(1)+" // one"), of(2, old(2)+" // two")},
		"reads as the new text": {of(1, old(1)+" // one"), of(2, old(1)+" // one\n\t"+old(2))},
		"of two lines": {of(1, old(1)+" // one"), of(2, old(2)+" // two"),
			of(3, old(1)+" // one\n\t"+old(2)+" // two\n\t"+old(3))},
		"beyond blank lines": {of(8, "one"), of(9, "\n\n\n\n"), of(10, "one\n"+old(10))},
		"is shown empty":     {of(1, "one word"), of(2, ""), {Old: "\tone word\n\t\n", New: "two"}},
		"is not shown":       {of(1, "one word"), of(2, ""), {Old: old(1) + "\n\t\n", New: "two"}},
		"joined":             {{Old: old(1) + "\n", New: "("}, of(2, "two")},
		"written":            {of(1, old(50)), of(50, "fifty")},
		"written in part":    {of(1, old(50)[:8]), {Old: old(50), New: "fifty"}, of(1, "no")},
		"put together": {{Old: " := compute(r, 7)\n\tvalue2", New: "0"},
			{Old: "value10 := compute(r, 14)", New: "x"}},
		"a placeholder":    {of(1, "// ..."), of(100, "// ...\none")},
		"marks":            {of(1, "\n+one"), of(100, "+two\n+three")},
		"marks that go":    {{Old: "+ a line with", New: "a line with"}, of(100, "+two\n+three")},
		"dots that go":     {{Old: "// ... and dots", New: "dots"}, of(100, "// ... and dots\none")},
		"the same":         {of(1, "one"), of(1, "two")},
		"not in the lines": {{Old: old(1), New: "one", First: 50, Last: 60}},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 110; n < 190; n += 5 { // far from the others
				edits = append(edits, of(n, old(n)+" // changed"))
			}
			want, got := carriedOut(src, edits, false), carriedOut(src, edits, true)
			if diff := cmp.Diff(want, got, sameError); diff != "" {
				t.Errorf("one by one (-), and together (+):\n%s", diff)
			}
		})
	}
}

func TestSubstringsFarApartWait(t *testing.T) {
	src := program(1000)
	r := &request{allows: upTo(Drift), source: newVersion(src)}
	for n := 1; n < 1000; n += 11 {
		old := strings.TrimSpace(piece(src, n, 1))
		r.edits = append(r.edits, Edit{Old: old, New: old + " // changed"})
	}
	r.landmarks = landmarksOf(r.edits, r.source.Text)
	for i := range r.edits {
		if !r.waits(&r.source, i) {
			t.Errorf("%q does not wait", r.edits[i].Old)
		}
	}
}

// Where each edit meets the one before, none waits for long, and lists of all changes are not copied for each.
func TestSubstringsThatMeetTakeLittleMemory(t *testing.T) {
	src := program(3000)
	var edits []Edit
	for n := range 3000 {
		if old := strings.TrimSpace(piece(src, n, 1)); len(old) > 1 {
			edits = append(edits, Edit{Old: old, New: old + " // changed"})
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, problems := Apply(src, text.EncodingOf(src), edits, Exact, plan.Words{})
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 100 || len(problems) > 0 {
		t.Errorf("%d MB, and %d problems", got, len(problems))
	}
}
