package atomicedit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A View says what of a file an answer shows.
type View struct {
	Path    string  `json:"path"`
	Version Version `json:"version"`
	First   int     `json:"first"` // 1-based; 0 if no line is shown
	Last    int     `json:"last"`
	Lines   int     `json:"lines"` // of the file
	Cut     bool    `json:"cut"`   // less is shown than was asked for
}

// A listing is lines of a text with their numbers in front, as many as a budget allows.
type listing struct {
	*text           // in UTF-8
	starts    []int // see lineStarts
	maxLine   int   // bytes shown of one line, 0 for all
	budget    int   // bytes left
	out       strings.Builder
	whole     []lineRange // shown to the letter
	shortened []int       // lines shown in part
	repaired  int         // the first line with bytes that are no UTF-8
	stopped   int         // the line that did not fit any more, 0 if all did
}

func newListing(data []byte, maxLine, budget int) *listing {
	l := &listing{text: newText(data), maxLine: maxLine, budget: budget}
	l.starts = l.lineStarts()
	return l
}

// lines returns how many lines the text has.
func (l *listing) lines() int { return len(l.starts) - 1 }

// add lists the lines first to last, and reports whether all of them found room.
func (l *listing) add(first, last int) bool {
	run := lineRange{first, first - 1}
	for n := first; n <= last; n++ {
		line := l.bytes(l.lineAt(l.starts[n-1]))
		room := l.budget - len("123456\t …\n")
		show := len(line)
		if l.maxLine > 0 {
			show = min(show, l.maxLine)
		} else {
			show = min(show, max(room, 0))
		}
		if show > room {
			if l.out.Len() > 0 || room <= 0 {
				l.stopped = n
				break
			}
			show = room
		}
		cut := show < len(line)
		if cut {
			for show > 0 && !utf8.RuneStart(line[show]) {
				show--
			}
			line = line[:show]
			l.shortened = append(l.shortened, n)
		}
		if l.repaired == 0 && !utf8.Valid(line) {
			l.repaired = n
		}
		shown := fmt.Sprintf("%6d\t%s", n, bytes.ToValidUTF8(line, []byte("\uFFFD")))
		if cut {
			shown += " …"
		}
		l.out.WriteString(shown + "\n")
		l.budget -= len(shown) + 1
		if cut {
			l.whole = append(l.whole, run)
			run = lineRange{n + 1, n}
		} else {
			run.last = n
		}
	}
	l.whole = append(l.whole, run)
	return l.stopped == 0
}

// notes says what the listing does not show as it is. last is the last line that was asked for.
func (l *listing) notes(last int) string {
	var b strings.Builder
	if l.stopped > 0 {
		fmt.Fprintf(&b, "note: %s did not fit into this answer: read on from line %d\n", lineSpan(l.stopped, last-l.stopped+1), l.stopped)
	}
	switch {
	case len(l.shortened) == 0:
	case l.maxLine > 0:
		fmt.Fprintf(&b, "note: cut after %d bytes: %s; read one line alone to see more of it\n", l.maxLine, listLines(l.shortened))
	default:
		fmt.Fprintf(&b, "note: line %d has %d bytes, too many for one answer; it can be edited by text\n", l.shortened[0],
			len(l.bytes(l.lineAt(l.starts[l.shortened[0]-1]))))
	}
	if l.repaired > 0 {
		fmt.Fprintf(&b, "note: from line %d on, bytes that are no UTF-8 are shown as \uFFFD\n", l.repaired)
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
