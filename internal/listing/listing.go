// Package listing shows lines of a text with their numbers in front, as a model reads them, within a limit of bytes.
package listing

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Text is a text in UTF-8.
type Text struct {
	text.Text
	Columns map[int]int // the byte of a line that is shown if the line is cut; 0 if missing
}

func New(data []byte) Text { return Text{Text: text.New(data)} }

// A Listing holds lines of a text with their numbers in front, as many as fit.
type Listing struct {
	Text    string
	Notes   string   // sentences about lines that are missing from Text or altered in it
	Whole   [][2]int // the first and last lines of the ranges that are shown in full
	Stopped int      // the first line that did not fit, 0 if all did

	shortened []int // the lines that are shown only in part
	repaired  int   // the first line with bytes that are not UTF-8
}

// IsCut reports whether lines are missing, or shown only in part.
func (l *Listing) IsCut() bool { return l.Stopped > 0 || len(l.shortened) > 0 }

// List lists ranges of lines of t, which are in order. It shows at most maxLine bytes of a line, unless that is 0, and
// budget bytes in all. The first line fits, perhaps cut, if there is any room. Tagged lines have tags unless cut.
func (t Text) List(parts [][2]int, maxLine, budget int, tagged bool) *Listing {
	l := &Listing{}
	var out strings.Builder
	frame := len("123456\t …\n")
	if t.Columns != nil {
		frame += len("… ")
	}
	var tags *text.Tags
	if tagged {
		frame, tags = frame+len("#QKVR"), text.TagsOf(t.Text)
	}
	if maxLine > 0 {
		maxLine = min(maxLine, max(budget-frame, 1))
	}
	for i, part := range parts {
		if i > 0 {
			out.WriteString("     …\n")
		}
		from := part[0] // of the range shown in full up to n
		n := part[0]
		for next := t.LineAt(t.Skip(0, n-1)); n <= part[1]; n++ {
			line := t.Bytes(next)
			next = t.LineAt(next.Next)
			before, show, fits := bytesToShow(line, t.Columns[n], maxLine, budget-out.Len()-frame)
			if !fits {
				l.Stopped = n
				break
			}
			if l.repaired == 0 && !utf8.Valid(line[before:show]) {
				l.repaired = n
			}
			tag, start, end := "", "", "\n"
			if show-before < len(line) {
				if before > 0 {
					start = "… "
				}
				if show < len(line) {
					end = " …\n"
				}
				l.shortened = append(l.shortened, n)
				l.Whole = append(l.Whole, [2]int{from, n - 1})
				from = n + 1
			} else if tagged {
				tag = "#" + tags.Of(n)
			}
			shown := bytes.ToValidUTF8(line[before:show], []byte("\uFFFD"))
			fmt.Fprintf(&out, "%6d%s\t%s%s%s", n, tag, start, shown, end)
		}
		l.Whole = append(l.Whole, [2]int{from, n - 1})
		if l.Stopped > 0 {
			break
		}
	}
	l.Text, l.Notes = out.String(), t.notes(l, parts[len(parts)-1][1], maxLine)
	return l
}

// bytesToShow returns which bytes of a line to show: at most maxLine, or as many as there is room for if that is 0, and
// among them the one at column. It reports whether they fit in the remaining room.
func bytesToShow(line []byte, column, maxLine, room int) (from, to int, fits bool) {
	if maxLine == 0 {
		maxLine = max(room, 0)
	}
	show := min(len(line), maxLine)
	if show > room {
		return 0, 0, false
	}
	if column > show*3/4 {
		from = min(column-show/4, len(line)-show)
	}
	return plan.RuneStart(line, from), plan.RuneStart(line, from+show), true
}

// notes returns the notes of a listing. Last is the last line that was requested.
func (t Text) notes(l *Listing, last, maxLine int) string {
	var b strings.Builder
	if l.Stopped > 0 {
		missing := plan.LineSpan(l.Stopped, last-l.Stopped+1)
		fmt.Fprintf(&b, "note: %s did not fit in this answer: read on from line %d\n", missing, l.Stopped)
	}
	switch {
	case len(l.shortened) == 0:
	case maxLine > 0:
		const format = "note: cut off after %d bytes: %s; read a single line to see more of it\n"
		fmt.Fprintf(&b, format, maxLine, plan.ListLines(l.shortened))
	default:
		const format = "note: line %d has %d bytes, too many for one answer; it can be edited by text\n"
		fmt.Fprintf(&b, format, l.shortened[0], len(t.Bytes(t.LineAt(t.Skip(0, l.shortened[0]-1)))))
	}
	if l.repaired > 0 {
		fmt.Fprintf(&b, "note: from line %d on, bytes that are not valid UTF-8 are shown as \uFFFD\n", l.repaired)
	}
	return b.String()
}

// Ends returns parts without the lines in the middle of a long one: n are left at its start and at its end.
func Ends(parts [][2]int, n int) (ends [][2]int) {
	for _, p := range parts {
		if p[1]-p[0] > 2*n {
			ends = append(ends, [2]int{p[0], p[0] + n - 1})
			p[0] = p[1] - n + 1
		}
		ends = append(ends, p)
	}
	return ends
}
