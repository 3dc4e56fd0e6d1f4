package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// Words are what a request calls an edit and its parts, so that a message about it uses the same words. They also know
// the numbers that the request gives its edits.
type Words struct {
	Old, New, Edit string
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

// Of returns w for the edits of a request.
func (w Words) Of(edits []Edit) Words {
	w.edits = edits
	return w
}

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

// Say formats a message in which {old}, {new} and {edit} stand for the words.
func (w Words) Say(format string, args ...any) string {
	if strings.IndexByte(format, '{') >= 0 {
		verbatim := func(s string) string { return strings.ReplaceAll(s, "%", "%%") }
		format = strings.NewReplacer("{old}", verbatim(w.Old), "{new}", verbatim(w.New), "{edit}",
			verbatim(w.Edit)).Replace(format)
	}
	return fmt.Sprintf(format, args...)
}

const quotedBytes = 160 // the most bytes of a line that are quoted

// Quote quotes a line, cut off if it is long.
func Quote(line string) string { return strconv.Quote(text.Clip(line, quotedBytes)) }

// Times words a number of occurrences.
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// CountLines words a number of lines.
func CountLines(n int) string {
	return strconv.Itoa(n) + " " + Plural(n, "line")
}

// ListLines names sorted lines, at most ten of them. A line that is listed twice is named once.
func ListLines(lines []int) string {
	const shown = 10
	lines = slices.Compact(slices.Clone(lines))
	var b strings.Builder
	b.WriteString(Plural(len(lines), "line"))
	for i, n := range lines {
		if i == shown {
			fmt.Fprintf(&b, " and %d more", len(lines)-shown)
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}

// LineSpan names n lines, from the first on.
func LineSpan(first, n int) string {
	if n <= 1 {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, first+n-1)
}
