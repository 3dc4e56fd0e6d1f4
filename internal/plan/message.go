package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/text"
)

// Message returns the message of a problem. It shows lines of the text as a view does, and below them how
// the old text differs.
func (w Words) Message(p Problem) string {
	const room = 2000 // bytes for the lines
	all := 0
	for _, l := range p.Lines {
		all += len(l.Text)
	}
	var b strings.Builder
	b.WriteString(p.Msg)
	var cut []string
	for _, l := range p.Lines {
		shown := l.Text
		if limit := room / len(p.Lines); all > room && len(shown) > limit {
			shown, cut = text.Clip(shown, limit), append(cut, w.lineOf(l))
		}
		label := strconv.Itoa(l.Number)
		if l.Edit >= 0 {
			label = w.Nth(l.Edit)
		}
		fmt.Fprintf(&b, "\n%6s%s\t%s", label, BehindNumber(l.Tag), shown)
	}
	if len(cut) > 0 {
		b.WriteString("\nnote: cut off: " + strings.Join(cut, ", "))
	}
	for _, d := range p.Differs {
		b.WriteString("\n" + w.difference(d))
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", p.More)
	}
	return b.String()
}

// lineOf names a line: by its number, or by the edit that affected it.
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
		return fmt.Sprintf("above line 1: %s has %s, the file does not", w.Old, quoteFrom(d.Old, 0))
	case d.Missing:
		return fmt.Sprintf("below %s: %s has %s, the file does not", at, w.Old, quoteFrom(d.Old, 0))
	case d.Extra:
		return fmt.Sprintf("%s: %s lacks %s", at, w.Old, quoteFrom(d.At.Text, 0))
	}
	const lead = 40 // bytes that are shown before the first difference of long lines
	from := 0
	if max(len(d.Old), len(d.At.Text)) > maxQuoted {
		same, _ := text.CommonEnds(d.Old, d.At.Text)
		from = max(0, same-lead)
	}
	return fmt.Sprintf("%s: %s has %s, the file has %s", at, w.Old, quoteFrom(d.Old, from), quoteFrom(d.At.Text, from))
}

// maxQuoted is the most bytes of a line that a difference quotes.
const maxQuoted = 160

// quoteFrom quotes a line from the character at an offset on. The marks of a cut stand outside the quotation.
func quoteFrom(l string, from int) string {
	characterAt := func(i int) int {
		for 0 < i && i < len(l) && !utf8.RuneStart(l[i]) {
			i--
		}
		return i
	}
	before, after := "", ""
	if from = characterAt(from); from > 0 {
		l, before = l[from:], "… "
	}
	if len(l) > maxQuoted {
		l, after = l[:characterAt(maxQuoted)], " …"
	}
	return before + strconv.Quote(l) + after
}

// BehindNumber returns a tag as it is shown behind the number of a line.
func BehindNumber(tag string) string {
	if tag == "" {
		return ""
	}
	return "#" + tag
}
