package place

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// reaches returns the problem that the new text of an edit ends with what stands right behind a place, in its line or
// below it, so that it would be there twice: the place ends within a word, or brackets and quotes pair only if the old
// text has that too (J8).
func (v *version) reaches(place text.Span, e *Edit) *Problem {
	if e.Hunk != "" || place.Start == place.End {
		return nil
	}
	l, new := v.LineAt(v.LineStart(place.End)), strings.TrimRight(e.New, text.Space+"\n")
	rest := v.Data[place.End:l.End]
	start, end := v.wordAt(place.End)
	isInLine, isWord := place.End > l.Start && !text.IsBlankText(rest), false
	switch {
	case isInLine:
		tail := bytes.TrimRight(v.Data[end:l.End], text.Space)
		isWord = start < end && (strings.HasSuffix(new, string(v.Data[start:end])) ||
			strings.HasSuffix(new, string(v.Data[start:end])+string(tail)))
		isEnd := len(bytes.Trim(tail, ";,:%")) == 0 && !bytes.HasSuffix(v.Data[:place.End], tail) // which nobody writes twice
		isWord = isWord || isEnd && len(tail) > 0 && strings.HasSuffix(new, string(tail))
		if condition, ok := withoutJoin(string(tail)); ok && strings.HasSuffix(new, condition) {
			tail = []byte(condition)
			rest = tail
		}
		if !isWord && (len(tail) == 0 || !strings.HasSuffix(new, string(tail))) {
			return nil
		}
	default:
		if place.End > l.Start || l.Start == l.End {
			l = v.SolidBelow(l)
		}
		if !l.Real() || new[strings.LastIndexByte(new, '\n')+1:] != string(v.Bytes(l)) {
			return nil
		}
		rest = v.Bytes(l)
	}
	was := string(v.Data[place.Start:place.End])
	old, is, whole := pairs(was, isInLine), pairs(new, isInLine), pairs(was+string(rest), isInLine)
	isMeant := is == old || is != whole || is != (pairing{}) && (isInLine || v.origin().brackets().file != (pairing{}))
	isTwice := !isInLine && len(v.origin().edits) == 1 && closesBody(string(rest)) &&
		!strings.HasSuffix("\n"+strings.TrimSuffix(cmp.Or(e.Old, was), "\n"), "\n"+string(rest))
	if !isWord && !isTwice && isMeant && !(isInLine && tellsMuch(string(rest))) {
		return nil
	}
	if v.othersChangePairs(e) {
		return nil
	}
	return v.problem(errs.ErrApplied, "{new} ends with text that is right behind "+whatGoes(e)+" already, %s"+leaveOut(e),
		plan.Quote(strings.TrimSpace(string(rest))))
}

// withoutJoin returns what stands in the rest of a line behind a word or sign that joins two conditions. It reports false
// if the rest does not begin with one.
func withoutJoin(rest string) (condition string, ok bool) {
	for _, join := range [...]string{"and ", "or ", "&& ", "|| "} {
		if condition, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), join); ok {
			return condition, true
		}
	}
	return "", false
}

// whatGoes names what the new text takes the place of.
func whatGoes(e *Edit) string {
	if e.Old == "" {
		return "the range"
	}
	return "{old}"
}

// leaveOut says what can be done about new text that would be there twice.
func leaveOut(e *Edit) string {
	if e.Old == "" {
		return ": leave it out of {new}, or change the range of lines"
	}
	return ": leave it out of {new}, or show it in {old} as well"
}

// tellsMuch reports whether a rest of a line has so many letters and digits that nobody writes it twice in a row.
func tellsMuch(s string) bool {
	const enough = 12
	n := 0
	for _, r := range s {
		if text.IsLetterOrDigit(r) {
			n++
		}
	}
	return n >= enough
}

// closesBody reports whether a line is the word that ends a body, at some depth. Two of them, one below the other, end
// the body and nothing.
func closesBody(l string) bool {
	word := strings.TrimSpace(l)
	return len(word) < len(l) && slices.Contains([]string{"end", "fi", "done", "esac", "endif"}, word)
}

// cutsLine refuses an edit after which the rest of a line, behind a place, cannot be meant to be where it is: in a line
// of its own without the indentation; closing the brackets of the old text, of which the new one leaves none open; or,
// if it begins with a semicolon or a comma, which belongs to the old text, behind a line that is only added: one that is
// as deep, and does not go on.
func (v *version) cutsLine(place text.Span, e *Edit) *Problem {
	l := v.LineAt(v.LineStart(place.End))
	indent, rest := outline.Indent(v.Bytes(l)), v.Data[place.End:l.End]
	added, adds := strings.CutPrefix(e.New, e.Old+"\n"+indent)
	word, _, _ := strings.Cut(added, " ")
	const goesOn = "|and|as|group|having|in|join|limit|on|or|order|union|where|"
	why := ""
	switch {
	case len(rest) == 0:
		return nil
	case adds && e.Count == 0 && strings.IndexByte(";,", rest[0]) >= 0 && added != "" && text.InWord(added[0]) &&
		!strings.Contains(goesOn, "|"+strings.ToLower(word)+"|"):
		why = "adds a line behind it, so that the rest, %s, would be at the end of that one"
	case strings.HasSuffix(e.New, "\n") && !strings.HasSuffix(e.Old, "\n") && !v.InIndent(place.End) &&
		indent != "" && !text.IsBlank(rest) && outline.Indent(rest) != indent:
		why = "ends with a newline, so that the rest, %s, would be a line without indentation"
	case arePaired(e.New) && !arePaired(e.Old) && arePaired(e.Old+string(rest)) && !v.othersChangePairs(e):
		why = "leaves no bracket open for the rest, %s, to close"
	default:
		return nil
	}
	return v.problem(errs.ErrNotFound, "{old} ends before the end of line %d, and {new} "+why+": show the whole "+
		"line in both", v.sourceLine(place.End), plan.Quote(string(rest)))
}

// wordAt returns where the word around an offset begins and ends: at the offset if it is not within a word.
func (v *version) wordAt(at int) (start, end int) {
	start, end = at, at
	for text.CutsWord(v.Data, start) {
		start--
	}
	for text.CutsWord(v.Data, end) {
		end++
	}
	return start, end
}

// brackets returns the balance of v, which is the source of a request. It is counted once.
func (v *version) brackets() balance {
	if v.balance == nil {
		v.balance = &balance{file: pairs(string(v.Data), false)}
		for i := range v.edits {
			if changesPairs(&v.edits[i]) {
				v.balance.edits++
			}
		}
	}
	return *v.balance
}

// othersChangePairs reports whether another edit of the request changes the balance of brackets, so that e may as well.
func (v *version) othersChangePairs(e *Edit) bool {
	n := v.origin().brackets().edits
	if changesPairs(e) {
		n--
	}
	return n > 0
}

func changesPairs(e *Edit) bool { return pairs(e.Old, false) != pairs(e.New, false) }
