package atomicedit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// numberedText is a text in UTF-8 and the offsets of its lines.
type numberedText struct {
	text.Text
	starts []int
}

func newNumberedText(data []byte) numberedText {
	t := text.New(data)
	return numberedText{t, t.Starts()}
}

// count returns how many lines t has.
func (t numberedText) count() int { return len(t.starts) - 1 }

// line returns the n-th line without its ending.
func (t numberedText) line(n int) []byte { return t.Bytes(t.LineAt(t.starts[n-1])) }

// A listing holds lines of a text with their numbers in front, as many as fit.
type listing struct {
	text      string
	notes     string      // sentences about lines that are missing from text or altered in it
	whole     []lineRange // the lines that are shown in full
	shortened bool        // some lines are shown only in part
	stopped   int         // the first line that did not fit, 0 if all did
}

// list lists the given parts of t, which are in order. It shows at most maxLine bytes of a line, unless maxLine is 0, and at
// most budget bytes in all. The first line always fits if there is any room, but may be cut. Tagged lines have their tags, unless
// they are cut.
func (t numberedText) list(parts []lineRange, maxLine, budget int, tagged bool) listing {
	var l listing
	var out strings.Builder
	var shortened []int // the lines shown in part
	repaired := 0       // the first line with bytes that are not UTF-8
	frame := len("123456\t …\n")
	if tagged {
		frame += len("#QKVR")
	}
	tags := text.TagsOf(t.Text, t.starts)
	if maxLine > 0 {
		maxLine = min(maxLine, max(budget-frame, 1))
	}
	for i, part := range parts {
		if i > 0 {
			out.WriteString("     …\n")
		}
		run := lineRange{part.first, part.first - 1}
		for n := part.first; n <= part.last; n++ {
			line := t.line(n)
			show, fits := bytesToShow(line, maxLine, budget-frame)
			if !fits {
				l.stopped = n
				break
			}
			cut := show < len(line)
			line = line[:show]
			if repaired == 0 && !utf8.Valid(line) {
				repaired = n
			}
			tag := ""
			if tagged && !cut {
				tag = plan.BehindNumber(tags.Of(n))
			}
			shown := fmt.Sprintf("%6d%s\t%s", n, tag, bytes.ToValidUTF8(line, []byte("\uFFFD")))
			if cut {
				shown += " …"
				shortened = append(shortened, n)
				l.whole = append(l.whole, run)
				run = lineRange{n + 1, n}
			} else {
				run.last = n
			}
			out.WriteString(shown + "\n")
			budget -= len(shown) + 1
		}
		l.whole = append(l.whole, run)
		if l.stopped > 0 {
			break
		}
	}
	l.text = out.String()
	l.shortened = len(shortened) > 0
	l.notes = t.listingNotes(parts[len(parts)-1].last, l.stopped, shortened, maxLine, repaired)
	return l
}

// bytesToShow returns how many bytes of a line to show, at most maxLine, or as many as there is room for if that is 0. It reports
// whether they fit in the remaining room.
func bytesToShow(line []byte, maxLine, room int) (show int, fits bool) {
	show = len(line)
	if maxLine > 0 {
		show = min(show, maxLine)
	} else {
		show = min(show, max(room, 0))
	}
	if show > room {
		return 0, false
	}
	if show < len(line) {
		for show > 0 && !utf8.RuneStart(line[show]) {
			show--
		}
	}
	return show, true
}

// listingNotes writes the notes of a listing. Last is the last line that was requested.
func (t numberedText) listingNotes(last, stopped int, shortened []int, maxLine, repaired int) string {
	var b strings.Builder
	if stopped > 0 {
		fmt.Fprintf(&b, "note: %s did not fit in this answer: read on from line %d\n", plan.LineSpan(stopped, last-stopped+1), stopped)
	}
	switch {
	case len(shortened) == 0:
	case maxLine > 0:
		fmt.Fprintf(&b, "note: cut off after %d bytes: %s; read a single line to see more of it\n", maxLine, plan.ListLines(shortened))
	default:
		fmt.Fprintf(&b, "note: line %d has %d bytes, too many for one answer; it can be edited by text\n", shortened[0], len(t.line(shortened[0])))
	}
	if repaired > 0 {
		fmt.Fprintf(&b, "note: from line %d on, bytes that are not valid UTF-8 are shown as \uFFFD\n", repaired)
	}
	return b.String()
}

// inFence puts text into a code fence that is longer than any run of backticks in it.
func inFence(language, text string) string {
	longest, run := 2, 0
	for _, c := range []byte(text) {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + text + fence + "\n"
}
