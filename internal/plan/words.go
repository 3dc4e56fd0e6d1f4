package plan

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Problem is a reason for refusing an edit. Msg calls the parts of an edit "the old text" and "the new text", and the
// edit with index 0 "edit 1". A caller with other words for them may put those in their place, but not within quotation
// marks: there, Msg has what the request or the text has.
type Problem struct {
	Err        error
	Path       string
	Op         int    // its index, -1 for all of them
	Edit       int    // its index, -1 for all of them
	Part       string // the edit as the request counts it; "" if the caller is to name it
	Line       int    // of the request, from 1; 0 if the problem is not about its syntax
	Places     []int  // lines, from 1, where the old text does fit, or where the new text is already
	Nearest    *Region
	Candidates []Candidate // those that were considered
	Msg        string      // one line
	Lines      []Line      // of the text, to be shown below it
	Differs    []Difference
	More       int // differences that are not among these
}

// A Candidate is a place that was considered for an edit.
type Candidate struct {
	Line int    // as in Problem.Places
	Why  string // it was not taken
}

// A Line is a line of the text, without its ending.
type Line struct {
	Number int    // in the text that the request started from
	Tag    string // as a view shows it behind the number; "" if the number says enough
	Edit   int    // the index of the last edit that affected the line, whose Number is then an old one; or -1
	Text   string
}

// A Difference is a line of the old text, and the line that the text has in its place.
type Difference struct {
	Old     string
	At      Line // if Missing, the line above, and the zero value above the first line
	Extra   bool // the old text lacks this line of the text
	Missing bool // the text lacks the line of the old text
}

// A Region is the part of the text that is most like the old text of an edit, in whole lines.
type Region struct {
	Line       int // from 1
	Text       string
	Similarity float64 // 0 to 1
}

func Invalid(msg string) *Problem { return &Problem{Err: fs.ErrInvalid, Msg: msg} }

// Words are what a request calls an edit and its parts. They also know the numbers that it gives its edits.
type Words struct {
	Old, New, Edit string
	or             string // another way to say which of several places is meant, after "or "
	file           string // that is edited, "" if it is not known
	edits          []Edit
}

// WordsOf returns the words of a Plan.Format. After "json:", the format names the fields for the old and the new text.
func WordsOf(format string) Words {
	w := Words{Old: "the old text", New: "the new text", Edit: "edit"}
	switch format {
	case "blocks":
		w.Old, w.New, w.Edit = "the SEARCH text", "the REPLACE text", "block"
	case "v4a":
		w.Old, w.New, w.Edit = "the chunk's old text", "the chunk's new text", "chunk"
		w.or = ", or copy a line above it that is there only once behind \"@@ \""
	case "unified":
		w.Old, w.New, w.Edit = "the hunk's old text", "the hunk's new text", "hunk"
	case "lsp":
		w.New = "newText"
	case "hashline":
		w.Edit = "operation"
	}
	if fields, ok := strings.CutPrefix(format, "json:"); ok {
		named := false
		if w.Old, w.New, named = strings.Cut(fields, ","); !named {
			w.New = strings.Replace(w.Old, "old", "new", 1)
		}
	}
	return w
}

func (w Words) In(file string) Words {
	w.file = file
	return w
}

func (w Words) Of(edits []Edit) Words {
	w.edits = edits
	return w
}

//go:noinline
func (w Words) Nth(i int) string {
	number := 0
	if i < len(w.edits) {
		number = w.edits[i].Number
	}
	return w.Numbered(number, i)
}

// Numbered names the i-th edit, by its number if that is not 0.
func (w Words) Numbered(number, i int) string {
	return w.Edit + " " + strconv.Itoa(cmp.Or(number, i+1))
}

// Say formats a message in which {old}, {new} and {edit} stand for the words of w, and {or} for w.or.
func (w Words) Say(format string, args ...any) string {
	if strings.IndexByte(format, '{') >= 0 {
		verbatim := func(s string) string { return strings.ReplaceAll(s, "%", "%%") }
		format = strings.NewReplacer("{old}", verbatim(w.Old), "{new}", verbatim(w.New), "{edit}",
			verbatim(w.Edit), "{or}", w.or).Replace(format)
	}
	return fmt.Sprintf(format, args...)
}

const quotedBytes = 160 // the most bytes of a line that are quoted

func Quote(line string) string { return quoted(text.Clip(line, quotedBytes)) }

func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func CountLines(n int) string { return strconv.Itoa(n) + " " + Plural(n, "line") }

// ListLines names sorted lines, at most ten of them. A line that is listed twice is named once.
func ListLines(lines []int) string {
	const shown = 10
	lines = slices.Compact(slices.Clone(lines))
	var all []string
	for _, n := range lines[:min(len(lines), shown)] {
		all = append(all, strconv.Itoa(n))
	}
	list := Plural(len(lines), "line") + " " + strings.Join(all, ", ")
	if more := len(lines) - shown; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func LineSpan(first, n int) string {
	if n <= 1 {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, first+n-1)
}

// Message returns the message of a problem, with lines of the text as a view shows them and how the old text differs.
func (w Words) Message(p Problem) string {
	const room = 2000 // bytes for the lines
	limit, all := room, 0
	for _, l := range p.Lines {
		all += len(l.Text)
	}
	if all > room {
		limit /= len(p.Lines)
	}
	var b strings.Builder
	b.WriteString(p.Msg)
	for _, l := range p.Lines {
		label := strconv.Itoa(l.Number)
		if l.Edit >= 0 {
			label = w.Nth(l.Edit)
		}
		fmt.Fprintf(&b, "\n%6s%s\t%s", label, l.Tag, text.Clip(l.Text, limit))
	}
	for _, d := range p.Differs {
		b.WriteString("\n" + w.difference(d))
	}
	isMissing := func(d Difference) bool { return d.Missing }
	if (w.Edit == "chunk" || w.Edit == "hunk") && slices.ContainsFunc(p.Differs, isMissing) {
		b.WriteString("\nput \"+\" in front of a line that is new")
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", p.More)
	}
	return b.String()
}

func (w Words) lineOf(l Line) string {
	if l.Edit >= 0 {
		return "the line of " + w.Nth(l.Edit)
	}
	return "line " + strconv.Itoa(l.Number)
}

// difference puts a line that was asked for beside the one that the text has.
func (w Words) difference(d Difference) string {
	at := w.lineOf(d.At)
	switch {
	case d.Missing && d.At.Number == 0:
		return fmt.Sprintf("above line 1: %s has %s, the file does not", w.Old, quoteFrom(d.Old, 0, quoted))
	case d.Missing:
		return fmt.Sprintf("below %s: %s has %s, the file does not", at, w.Old, quoteFrom(d.Old, 0, quoted))
	case d.Extra:
		return fmt.Sprintf("%s: %s lacks %s", at, w.Old, quoteFrom(d.At.Text, 0, quoted))
	}
	const lead = 40 // bytes that are shown before the first difference of long lines
	from := 0
	if max(len(d.Old), len(d.At.Text)) > quotedBytes {
		same, _ := text.CommonEnds(d.Old, d.At.Text)
		from = max(0, same-lead)
	}
	quote := quoted
	if quoted(d.Old)[0] != quoted(d.At.Text)[0] { // both in one way
		quote = strconv.Quote
	}
	return fmt.Sprintf("%s: %s has %s, the file has %s", at, w.Old, quoteFrom(d.Old, from, quote),
		quoteFrom(d.At.Text, from, quote))
}

// quoteFrom quotes a line from the character at an offset on. The marks of a cut stand outside the quotation.
func quoteFrom(l string, from int, quote func(string) string) string {
	before, after := "", ""
	if from = RuneStart(l, from); from > 0 {
		l, before = l[from:], "… "
	}
	if len(l) > quotedBytes {
		l, after = l[:RuneStart(l, quotedBytes)], " …"
	}
	return before + quote(l) + after
}

// quoted quotes a text, without escapes if it has nothing but them and characters that everybody sees.
func quoted(s string) string {
	isHidden := func(r rune) bool { return r == '`' || !unicode.IsPrint(r) }
	if strings.ContainsAny(s, `"\`) && !strings.ContainsFunc(s, isHidden) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// RuneStart returns i, or the start of the character that has the byte at i.
func RuneStart[T string | []byte](line T, i int) int {
	for i > 0 && i < len(line) && !utf8.RuneStart(line[i]) {
		i--
	}
	return i
}
