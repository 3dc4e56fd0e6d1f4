package atomicedit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// words are what a request calls an edit and its parts, so that a message about it uses the same words.
type words struct{ old, new, edit string }

// wordsOf returns the words of a [Plan.Format].
func wordsOf(format string) words {
	switch format {
	case "blocks":
		return words{"the SEARCH text", "the REPLACE text", "block"}
	case "v4a":
		return words{"the chunk's old text", "the chunk's new text", "chunk"}
	case "unified":
		return words{"the hunk's old text", "the hunk's new text", "hunk"}
	case "lsp":
		return words{"the old text", "newText", "edit"}
	case "hashline":
		return words{"the old text", "the new text", "operation"}
	}
	if field, ok := strings.CutPrefix(format, "json:"); ok {
		return words{field, strings.Replace(field, "old", "new", 1), "edit"}
	}
	return words{"the old text", "the new text", "edit"}
}

func (w words) number(edits []Edit, i int) string {
	return w.edit + " " + strconv.Itoa(cmp.Or(edits[i].Number, i+1))
}

// say puts w in place of the words of package place in a message about edits.
func (w words) say(msg string, edits []Edit) string {
	if w == wordsOf("") && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Number != 0 }) {
		return msg // these are the words of package place
	}
	var b strings.Builder
	for i := 0; i < len(msg); {
		n, own := 1, msg[i:i+1]
		if msg[i] == '"' {
			n = max(1, quotation(msg[i:]))
			own = msg[i : i+n]
		} else if i == 0 || !isWordByte(msg[i-1]) {
			if k, word := w.own(msg[i:], edits); k > 0 {
				n, own = k, word
			}
		}
		b.WriteString(own)
		i += n
	}
	return b.String()
}

// own returns the length of the words of package place that s begins with, and the words of w for them. The length is 0 if s begins with
// other words.
func (w words) own(s string, edits []Edit) (n int, own string) {
	begins := func(word string) bool {
		return strings.HasPrefix(s, word) && (len(s) == len(word) || !isWordByte(s[len(word)]))
	}
	for _, t := range [...]struct{ word, own string }{{"the old text", w.old}, {"the new text", w.new}, {"edits", w.edit + "s"}} {
		if begins(t.word) {
			return len(t.word), t.own
		}
	}
	const edit = "edit"
	if !begins(edit) {
		return 0, ""
	}
	number, _ := strings.CutPrefix(s[len(edit):], " ")
	number = number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
	if i, err := strconv.Atoi(number); err == nil && begins(edit+" "+number) {
		return len(edit) + 1 + len(number), w.number(edits, i-1)
	}
	return len(edit), w.edit
}

// quotation returns the length of the quotation that s begins with, 0 if it does not end.
func quotation(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// isWordByte reports whether c may be part of a word of a message.
func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// message returns the message of a problem with one of some edits. It shows lines of the text as a view does, and below them how
// the old text differs.
func (w words) message(p plan.Problem, edits []Edit) string {
	const room = 2000 // bytes for the lines
	all := 0
	for _, l := range p.Lines {
		all += len(l.Text)
	}
	var b strings.Builder
	b.WriteString(w.say(p.Msg, edits))
	var cut []string
	for _, l := range p.Lines {
		shown := l.Text
		if limit := room / len(p.Lines); all > room && len(shown) > limit {
			shown, cut = text.Clip(shown, limit), append(cut, w.nameOf(l, edits))
		}
		label := strconv.Itoa(l.Number)
		if l.Edit >= 0 {
			label = w.number(edits, l.Edit)
		}
		fmt.Fprintf(&b, "\n%6s%s\t%s", label, behindNumber(l.Tag), shown)
	}
	if len(cut) > 0 {
		b.WriteString("\nnote: cut off: " + strings.Join(cut, ", "))
	}
	for _, d := range p.Differs {
		b.WriteString("\n" + w.difference(d, edits))
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", p.More)
	}
	return b.String()
}

// candidates returns the candidates of a problem, with w in place of the words of package place.
func (w words) candidates(all []plan.Candidate, edits []Edit) (own []Candidate) {
	for _, c := range all {
		own = append(own, Candidate{c.Line, w.say(c.Why, edits)})
	}
	return own
}

// nameOf names a line: by its number, or by the edit that affected it.
func (w words) nameOf(l plan.Line, edits []Edit) string {
	if l.Edit >= 0 {
		return "the line of " + w.number(edits, l.Edit)
	}
	return "line " + strconv.Itoa(l.Number)
}

// difference puts a line that was asked for beside the one that the text has.
func (w words) difference(d plan.Difference, edits []Edit) string {
	at := w.nameOf(d.At, edits)
	switch {
	case d.Missing && d.At.Number == 0:
		return fmt.Sprintf("above line 1: %s has %s, the file does not", w.old, quoteFrom(d.Old, 0))
	case d.Missing:
		return fmt.Sprintf("below %s: %s has %s, the file does not", at, w.old, quoteFrom(d.Old, 0))
	case d.Extra:
		return fmt.Sprintf("%s: %s lacks %s", at, w.old, quoteFrom(d.At.Text, 0))
	}
	const lead = 40 // bytes that are shown before the first difference of long lines
	same := 0
	for same < min(len(d.Old), len(d.At.Text)) && d.Old[same] == d.At.Text[same] {
		same++
	}
	from := 0
	if max(len(d.Old), len(d.At.Text)) > maxQuoted {
		from = max(0, same-lead)
	}
	return fmt.Sprintf("%s: %s has %s, the file has %s", at, w.old, quoteFrom(d.Old, from), quoteFrom(d.At.Text, from))
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
	from = characterAt(from)
	to, before, after := len(l), "", ""
	if from > 0 {
		before = "… "
	}
	if to-from > maxQuoted {
		to, after = max(from, characterAt(from+maxQuoted)), " …"
	}
	return before + strconv.Quote(l[from:to]) + after
}
