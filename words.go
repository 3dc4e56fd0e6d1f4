package atomicedit

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/edit"
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

// ownWords matches the words of package place, and what it quotes.
var ownWords = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\bthe old text\b|\bthe new text\b|\bedit \d+\b|\bedits?\b`)

// say puts w in place of the words of package place in a message about edits.
func (w words) say(msg string, edits []Edit) string {
	if w == wordsOf("") && !slices.ContainsFunc(edits, func(e Edit) bool { return e.Number != 0 }) {
		return msg // these are the words of package place
	}
	return ownWords.ReplaceAllStringFunc(msg, func(s string) string {
		switch s {
		case "the old text":
			return w.old
		case "the new text":
			return w.new
		}
		if n, ok := strings.CutPrefix(s, "edit "); ok {
			i, _ := strconv.Atoi(n)
			return w.number(edits, i-1)
		}
		if rest, ok := strings.CutPrefix(s, "edit"); ok {
			return w.edit + rest
		}
		return s // quoted
	})
}

// message returns the message of a problem with one of some edits. It shows lines of the text as a view does, and below them how
// the old text differs.
func (w words) message(p edit.Problem, edits []Edit) string {
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

// nameOf names a line: by its number, or by the edit that affected it.
func (w words) nameOf(l edit.Line, edits []Edit) string {
	if l.Edit >= 0 {
		return "the line of " + w.number(edits, l.Edit)
	}
	return "line " + strconv.Itoa(l.Number)
}

// difference puts a line that was asked for beside the one that the text has.
func (w words) difference(d edit.Difference, edits []Edit) string {
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
