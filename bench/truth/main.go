// Truth makes random edits of real files, damages the requests the way models damage them, in random combinations, and checks
// whether the result is what was meant.
//
//	go run ./truth [-n runs] [-seed n] [-show n] directory
//
// A request may be refused, but must not be carried out wrongly. Results that nobody could decide are counted separately:
//
//   - the blank lines, if the request lost or doubled them;
//   - the quotes, if every quote was changed;
//   - the indentation, in a text that mixes tabs and spaces;
//   - the place, if the damaged text occurs exactly once in the file, or once between the neighbouring edits of the request, but
//     not where it was meant. An occurrence may differ in blank lines and trailing whitespace.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit"
)

func main() {
	runs := flag.Int("n", 100_000, "`runs`")
	seed := flag.Uint64("seed", 1, "seed")
	show := flag.Int("show", 5, "wrong answers to print")
	flag.Parse()
	files := textFiles(flag.Arg(0))
	if len(files) == 0 {
		fmt.Fprintln(os.Stderr, "usage: truth [-n runs] [-seed n] [-show n] directory")
		os.Exit(2)
	}
	rnd := rand.New(rand.NewPCG(*seed, 0))
	counts := map[string]map[string]int{}
	total := map[string]int{}
	for done := 0; done < *runs; {
		c := newCase(rnd, files[rnd.IntN(len(files))])
		if c == nil {
			continue
		}
		done++
		res, err := atomicedit.Apply([]byte(c.src), c.edits, nil)
		verdict := c.judge(res, err)
		name := strings.Join(c.damages, "+")
		if name == "" {
			name = "none"
		}
		if counts[name] == nil {
			counts[name] = map[string]int{}
		}
		counts[name][verdict]++
		total[verdict]++
		if verdict == "wrong" && *show > 0 {
			*show--
			c.print(res)
		}
	}
	var names []string
	for name := range counts {
		if counts[name]["wrong"] > 0 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Printf("%-60s %v\n", name, counts[name])
	}
	fmt.Printf("%d runs: %v\n", *runs, total)
	if total["wrong"] > 0 {
		os.Exit(1)
	}
}

// textFiles returns the contents of the source files below dir that are worth editing.
func textFiles(dir string) (files []string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(files) >= 3000 {
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".py", ".ts", ".js", ".md", ".json", ".yaml", ".c", ".h", ".s", ".txt", ".html":
		default:
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(string(data), "\n") && strings.Count(string(data), "\n") > 12 && len(data) < 60_000 && !strings.ContainsAny(string(data), "\x00\r“”‘’") {
			files = append(files, string(data))
		}
		return nil
	})
	return files
}

// A hunk is the change of one place: its context lines, the old lines and the new lines.
type hunk struct {
	before, old, new, after []string
	line                    int // of the first line, from 1
}

type testCase struct {
	src, want string
	edits     []atomicedit.Edit
	lines     []int // by edit: the line where it belongs, from 1
	damages   []string
}

// newCase makes a request for a file. It returns nil if the request would show only blank lines.
func newCase(rnd *rand.Rand, file string) *testCase {
	lines := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	var hunks []hunk
	var want []string
	at := 0
	for range 1 + rnd.IntN(3) {
		room := len(lines) - at
		if room < 12 {
			break
		}
		start := at + rnd.IntN(min(room-8, 60))
		context := 1 + rnd.IntN(4)
		from := max(at, start-context)
		n := rnd.IntN(4)
		h := hunk{
			before: slices.Clone(lines[from:start]),
			old:    slices.Clone(lines[start : start+n]),
			after:  slices.Clone(lines[start+n : min(len(lines), start+n+context)]),
			line:   from + 1,
		}
		if !word.MatchString(strings.Join(slices.Concat(h.before, h.old, h.after), "")) {
			break // blank lines and brackets alone identify no place
		}
		h.new = change(rnd, h, lines)
		want = append(want, lines[at:start]...)
		want = append(want, h.new...)
		want = append(want, h.after...)
		at = start + n + len(h.after)
		hunks = append(hunks, h)
	}
	if len(hunks) == 0 {
		return nil
	}
	c := &testCase{src: file, want: strings.Join(append(want, lines[at:]...), "\n") + "\n"}
	c.damage(rnd, hunks)
	return c
}

// change makes the new lines of a hunk. It edits some of the old ones, or inserts other lines of the file.
func change(rnd *rand.Rand, h hunk, lines []string) []string {
	var new []string
	for _, l := range h.old {
		switch rnd.IntN(4) {
		case 0: // removed
		case 1:
			new = append(new, l)
		default:
			new = append(new, strings.Replace(l, "e", "ee", 1+rnd.IntN(3)))
		}
	}
	if slices.Equal(new, h.old) || rnd.IntN(3) == 0 {
		model := append(slices.Clone(h.before), h.after...)
		for range 1 + rnd.IntN(3) {
			if l := model[rnd.IntN(len(model))]; strings.TrimSpace(l) != "" {
				new = append(new, strings.Replace(l, "a", "added", 1)+"x")
			}
		}
	}
	if slices.Equal(new, h.old) { // this program has no hunks of context lines alone
		new = append(new, "added")
	}
	return new
}

// damage makes the damaged request from the hunks.
func (c *testCase) damage(rnd *rand.Rand, hunks []hunk) {
	type damage struct {
		name string
		do   func(h *hunk)
	}
	each := func(f func(string) string) func(h *hunk) {
		return func(h *hunk) { mapLines(f, h.before, h.old, h.new, h.after) }
	}
	shown := func(f func(string) string) func(h *hunk) { // does not change the new lines
		return func(h *hunk) { mapLines(f, h.before, h.old, h.after) }
	}
	indent := strings.Repeat(" ", 2+2*rnd.IntN(2))
	available := []damage{
		{"trailing", shown(func(l string) string { return l + "  " })},
		{"dedent", func(h *hunk) { dedent(h) }},
		{"indent", each(func(l string) string {
			if l == "" {
				return l
			}
			return indent + l
		})},
		{"tabs-to-spaces", each(func(l string) string {
			body := strings.TrimLeft(l, "\t")
			return strings.Repeat("    ", len(l)-len(body)) + body
		})},
		{"quotes", each(func(l string) string { return strings.NewReplacer(`"`, "”", `'`, "’").Replace(l) })},
		{"no-blanks", func(h *hunk) {
			blank := func(l string) bool { return l == "" }
			h.before, h.after = slices.DeleteFunc(h.before, blank), slices.DeleteFunc(h.after, blank)
		}},
		{"double-blanks", func(h *hunk) {
			for _, side := range []*[]string{&h.before, &h.after} {
				var lines []string
				for _, l := range *side {
					if lines = append(lines, l); l == "" {
						lines = append(lines, l)
					}
				}
				*side = lines
			}
		}},
		{"typo", func(h *hunk) {
			for _, lines := range [][]string{h.before, h.after} {
				if len(lines) > 0 {
					i := rnd.IntN(len(lines))
					if words := regexp.MustCompile(`[a-z]{5,}`).FindAllStringIndex(lines[i], -1); len(words) > 0 {
						at := words[rnd.IntN(len(words))][0]
						lines[i] = lines[i][:at+2] + lines[i][at+3:]
					}
				}
			}
		}},
		{"stale", func(h *hunk) {
			for i, l := range h.old {
				if words := regexp.MustCompile(`[a-z]{4,}`).FindAllStringIndex(l, -1); len(words) > 0 {
					at := words[rnd.IntN(len(words))]
					h.old[i] = l[:at[0]] + "other" + l[at[1]:]
				}
			}
		}},
	}
	rnd.Shuffle(len(available), func(i, j int) { available[i], available[j] = available[j], available[i] })
	applied := available[:rnd.IntN(4)]
	sort.Slice(applied, func(i, j int) bool { return applied[i].name < applied[j].name })
	for _, d := range applied {
		c.damages = append(c.damages, d.name)
		for i := range hunks {
			d.do(&hunks[i])
		}
	}
	extra := rnd.IntN(8)
	if strings.Contains(strings.Join(c.damages, " "), "blanks") && extra == 0 { // no viewer numbers lines like that
		extra = 7
	}
	switch extra {
	case 0:
		c.damages = append(c.damages, "numbers")
		for i := range hunks {
			number(&hunks[i])
		}
	case 1:
		c.damages = append(c.damages, "crlf")
		c.src, c.want = strings.ReplaceAll(c.src, "\n", "\r\n"), strings.ReplaceAll(c.want, "\n", "\r\n")
	case 2:
		c.damages = append(c.damages, "no-newline")
		c.src, c.want = strings.TrimSuffix(c.src, "\n"), strings.TrimSuffix(c.want, "\n")
	case 3:
		c.damages = append(c.damages, "order")
		slices.Reverse(hunks)
	}
	for _, h := range hunks {
		c.lines = append(c.lines, h.line)
		text := func(lines ...[]string) string {
			if all := slices.Concat(lines...); len(all) > 0 {
				return strings.Join(all, "\n") + "\n"
			}
			return ""
		}
		c.edits = append(c.edits, atomicedit.Edit{Old: text(h.before, h.old, h.after), New: text(h.before, h.new, h.after), WholeLines: true})
	}
}

func dedent(h *hunk) {
	least := -1
	all := [][]string{h.before, h.old, h.new, h.after}
	for _, lines := range all {
		for _, l := range lines {
			if n := len(l) - len(strings.TrimLeft(l, " \t")); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
				least = n
			}
		}
	}
	for _, lines := range all {
		for i, l := range lines {
			if strings.TrimSpace(l) != "" {
				lines[i] = l[max(least, 0):]
			}
		}
	}
}

// number puts a line number before every line, as viewers do.
func number(h *hunk) {
	put := func(lines []string, n int) int {
		for i, l := range lines {
			lines[i] = fmt.Sprintf("%4d | %s", n, l)
			n++
		}
		return n
	}
	middle := put(h.before, h.line)
	put(h.new, middle)
	put(h.after, put(h.old, middle))
}

// mapLines replaces every line of some parts of a hunk by f of it.
func mapLines(f func(string) string, parts ...[]string) {
	for _, lines := range parts {
		for i, l := range lines {
			lines[i] = f(l)
		}
	}
}

// judge compares the result with what was meant.
func (c *testCase) judge(res *atomicedit.Result, err error) string {
	var refusal *atomicedit.Refusal
	switch {
	case errors.As(err, &refusal):
		return "refused"
	case err != nil:
		return "wrong"
	}
	got := string(res.Text)
	stale := slices.Contains(c.damages, "stale")
	switch {
	case got == c.want && !stale:
		return "right"
	case got == c.want:
		return "right, nothing was stale"
	case alike(got, c.want, blankLines):
		return "undecidable: blank lines"
	case slices.Contains(c.damages, "quotes") && alike(got, c.want, plainQuotes):
		return "undecidable: quotes"
	case mixed.MatchString(c.src) && alike(got, c.want, func(s string) string { return indentation.ReplaceAllString(s, "") }):
		return "undecidable: indentation in a text that mixes tabs and spaces"
	case slices.Contains(c.damages, "quotes") && alike(blankLines(got), blankLines(c.want), plainQuotes):
		return "undecidable: blank lines and quotes"
	}
	for i, e := range c.edits {
		for _, lines := range []func(string) ([]string, []int){all, solid} {
			for _, in := range []span{{0, math.MaxInt}, c.neighbours(i)} {
				if line := onlyLine(c.src, e.Old, in, lines); line > 0 && (line < c.lines[i] || line >= c.lines[i]+strings.Count(e.Old, "\n")) {
					return "undecidable: stands elsewhere as written"
				}
			}
		}
	}
	return "wrong"
}

// A span is the range of lines between above and below.
type span struct{ above, below int }

// neighbours returns the span between the edits before and after the i-th. The order of the edits is evidence for that span.
func (c *testCase) neighbours(i int) span {
	in := span{0, math.MaxInt}
	if i > 0 {
		in.above = c.lines[i-1]
	}
	if i+1 < len(c.lines) {
		in.below = c.lines[i+1]
	}
	return in
}

// onlyLine returns the number of the line in a span of src where the lines of old begin. It returns 0 unless there is exactly one.
func onlyLine(src, old string, in span, split func(string) ([]string, []int)) (line int) {
	want, _ := split(strings.TrimSuffix(old, "\n"))
	lines, numbers := split(strings.TrimSuffix(src, "\n"))
	for i := 0; i+len(want) <= len(lines); i++ {
		if in.above < numbers[i] && numbers[i] < in.below && slices.Equal(lines[i:i+len(want)], want) {
			if line > 0 {
				return 0
			}
			line = numbers[i]
		}
	}
	return line
}

// all returns the lines of a text, and their numbers.
func all(text string) (lines []string, numbers []int) {
	for i, l := range strings.Split(text, "\n") {
		lines, numbers = append(lines, strings.TrimSuffix(l, "\r")), append(numbers, i+1)
	}
	return lines, numbers
}

// solid returns the lines that are not blank, without trailing whitespace, and their numbers.
func solid(text string) (lines []string, numbers []int) {
	for i, l := range strings.Split(text, "\n") {
		if l = strings.TrimRight(l, " \t\v\f\r"); l != "" {
			lines, numbers = append(lines, l), append(numbers, i+1)
		}
	}
	return lines, numbers
}

func alike(a, b string, fold func(string) string) bool { return fold(a) == fold(b) }

var (
	word        = regexp.MustCompile(`[A-Za-z]{3}`)
	mixed       = regexp.MustCompile(`(?ms)^\t.*^ |^ .*^\t|^\t+ +[^ *]`)
	indentation = regexp.MustCompile(`(?m)^[ \t]+`)
)

var blank = regexp.MustCompile(`(?m)^[ \t\v\f\r]*\n`)

func blankLines(s string) string { return blank.ReplaceAllString(s, "") }

func plainQuotes(s string) string { return strings.NewReplacer("”", `"`, "’", "'").Replace(s) }

func (c *testCase) print(res *atomicedit.Result) {
	fmt.Printf("=== %s\n", strings.Join(c.damages, "+"))
	for i, e := range c.edits {
		fmt.Printf("--- edit %d\n%s--- to\n%s", i+1, e.Old, e.New)
	}
	fmt.Printf("--- the result instead of what was meant\n%s--- notes %v\n", atomicedit.Diff("meant", []byte(c.want), "answered", res.Text), res.Notes)
}
