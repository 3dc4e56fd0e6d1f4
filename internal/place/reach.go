package place

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// reaches returns the problem that the new text ends with what stands right behind a place, in its line or below, so
// that it would be there twice: the place ends within a word, or brackets and quotes pair only with it (J8).
func (v *version) reaches(place text.Span, e *Edit) *Problem {
	if e.Hunk != "" || place.Start == place.End {
		return nil
	}
	l, new := v.LineAt(v.LineStart(place.End)), strings.TrimRight(e.New, text.Space+"\n")
	rest, isWord, isRest := "", false, false
	isInLine := place.End > l.Start && !text.IsBlankText(v.Data[place.End:l.End])
	if isInLine {
		rest = string(v.Data[place.End:l.End])
		ends := func(s string) bool { return s != "" && strings.HasSuffix(new, s) }
		start, end := v.wordAt(place.End)
		word, tail := string(v.Data[start:end]), strings.TrimRight(string(v.Data[end:l.End]), text.Space)
		// Nobody writes such a sign twice.
		isEnd := strings.Trim(tail, ";,:%") == "" && !bytes.HasSuffix(v.Data[:place.End], []byte(tail))
		isWord = word != "" && (ends(word) || ends(word+tail)) || isEnd && ends(tail)
		if bare := strings.TrimRight(tail, ";,"); text.HasLetterOrDigit(bare) && !ends(tail) {
			tail = bare // without what ends a statement
		}
		// Closing brackets and quotes have to pair. A number may be there twice, except in the name of a tag.
		isRest = ends(tail) && !text.InWord(tail[0]) && strings.Trim(tail, ")]}>'\"`,;: ") != "" &&
			(strings.HasPrefix(tail, "</") || !ends(tail+tail) && !strings.ContainsAny(tail, "0123456789")) &&
			!bytes.HasSuffix(v.Data[:place.End], []byte(tail))
		join, condition, _ := strings.Cut(strings.TrimLeft(tail, " "), " ")
		if slices.Contains([]string{"and", "or", "&&", "||"}, join) && ends(condition) {
			tail, rest = condition, condition
		}
		if !isWord && !ends(tail) {
			return nil
		}
	} else {
		if place.End > l.Start || l.Start == l.End {
			l = v.SolidBelow(l)
		}
		if !l.Real() || new[strings.LastIndexByte(new, '\n')+1:] != string(v.Bytes(l)) {
			return nil
		}
		rest = string(v.Bytes(l))
	}
	was := string(v.Data[place.Start:place.End])
	old, is, whole := pairs(was, isInLine), pairs(new, isInLine), pairs(was+rest, isInLine)
	isMeant := is == old || is != whole || is != (pairing{}) && (isInLine || v.origin().brackets().file != (pairing{}))
	isTwice := !isInLine && len(v.origin().edits) == 1 && closesBody(rest) &&
		!strings.HasSuffix("\n"+strings.TrimSuffix(cmp.Or(e.Old, was), "\n"), "\n"+rest)
	const much = 12 // letters and digits, which nobody writes twice in a row
	isLong := isInLine && (isRest || text.LettersAndDigits(rest) >= much) && !closesOwnTag(rest, new)
	if !isWord && !isTwice && isMeant && !isLong || v.othersChangePairs(e) {
		return nil
	}
	return v.twice(e, "ends with text that is right behind", "%s", rest)
}

// closesOwnTag reports whether the rest of a line begins with the end of a tag that a new text opens as often as it
// closes it: one of two tags of that name is in the other.
func closesOwnTag(rest, new string) bool {
	closing, _, _ := strings.Cut(rest, ">")
	name, ok := strings.CutPrefix(closing, "</")
	opened := 0
	for _, end := range [...]string{">", " ", "\n"} { // "<br>" opens no "<b>"
		opened += strings.Count(new, "<"+name+end)
	}
	return ok && opened >= strings.Count(new, closing+">")
}

// takesAlong returns the problem that a range of lines takes along what its new text lacks: a bracket, a fence or
// triple quotes whose partner is not in it, though all of the text pair; the word that ends the body which the other
// lines are in, and the new lines as well; the attribute of the line that begins both; or the blank line below a block,
// the end of which the new lines are.
func (v *version) takesAlong(place text.Span, old, new []string, e *Edit) *Problem {
	const partner = "the range has %s whose partner is outside, and {new} has none: correct the line numbers, or add " +
		"it to {new}"
	was, below, n, m := string(v.Data[place.Start:place.End]), v.content(v.LineAt(place.End)), len(old)-1, len(new)-1
	isAlone := len(v.origin().edits) == 1 // else another edit may take the partner
	isOut := func(l string) bool { return !text.IsBlank(l) && !isDeeper(l, old[n]) }
	isNext := func(o Edit) bool { return o.First == e.Last+1 }
	isShown := len(e.Tags) > 0 && e.Tags[0].Line == e.First && e.Tags[0].Hash == "" // the first line
	switch {
	case isAlone && isUnpaired(was, e.New) && v.origin().brackets().file == (pairing{}):
		return v.misnumbered(place, fs.ErrInvalid, partner, "a bracket, a fence or triple quotes")
	case isAlone && n > 0 && text.LettersAndDigits(e.New) >= news && closesBody(old[n]) &&
		!slices.ContainsFunc(old[:n], isOut) && !slices.ContainsFunc(new, isOut):
		return v.misnumbered(place, fs.ErrInvalid, partner, "the line "+plan.Quote(strings.TrimSpace(old[n])))
	case n > 0 && m >= 0 && outline.IsPlainAttribute(old[0]) && new[0] == old[1] && !slices.Equal(new, old[1:]) &&
		!isShown:
		return v.misnumbered(place, fs.ErrInvalid, "the range begins with %s, but {new} with the line below that: "+
			"correct the line numbers, or name that line alone in order to remove it",
			plan.Quote(strings.TrimSpace(old[0])))
	case min(n, m) >= 0 && text.IsBlank(old[n]) && !text.IsBlank(below) &&
		(n > 0 && !text.IsBlank(old[n-1]) || n == 0 && text.IsBlank(new[0])) && !closesBlock(below) &&
		(isDeeper(new[m], below) || closesBlock(new[m])) && !slices.ContainsFunc(v.origin().edits, isNext):
		return v.misnumbered(place, fs.ErrInvalid, "the range ends with the blank line below a block, and {new} ends "+
			"without one: correct the line numbers, or end {new} with a blank line")
	}
	return nil
}

// leavesBeside returns the problem that the new text begins with a line like the one above the range or with the one
// below, or ends with a line like the one below or with the one above, and that no line of the range is so: it would be
// there twice.
func (v *version) leavesBeside(old, new []string, e *Edit) *Problem {
	const few = 16               // edits and lines
	const alike, more = 0.8, 0.4 // as [linediff.Likeness] measures
	source := v.origin()
	if len(old) == 0 || len(new) == 0 || len(old) > few || len(source.edits) > few {
		return nil
	}
	for below, no := range [...]int{e.First - 1, e.Last + 1} {
		beside := source.line(no)
		isOther := func(o Edit) bool { return o.First > 0 && o.First <= no && no <= max(o.First, o.Last) }
		if text.LettersAndDigits(beside) < news || slices.ContainsFunc(source.edits, isOther) {
			continue
		}
		for end, line := range [...]string{new[0], new[len(new)-1]} {
			likeness := linediff.Likeness(line, beside)
			isNoLess := func(o string) bool { return linediff.Likeness(line, o) > likeness-more }
			isLike := likeness >= alike && line != beside && !slices.ContainsFunc(old, isNoLess)
			if end != below { // a copy, not another version: the only such line of the file
				isLike = line == beside && len(source.Occurrences(beside, 2)) == 1
			}
			if isLike {
				starts := source.lineStarts()
				piece := text.Span{Start: starts[min(no, e.First)-1], End: starts[max(no, e.Last)]}
				return source.problemShowing(piece, fs.ErrInvalid, "{new} has a line like line %d, which is beside "+
					"the range and would stay: take it into the range, or correct the line numbers. The lines there:",
					no)
			}
		}
	}
	return nil
}

// isShifted returns the problem that new lines are like some a few lines above a range, or below it, and not like those
// of the range. A line that another edit of the request changes may have moved.
func (v *version) isShifted(old, new []string, e *Edit) *Problem {
	const far, few = 5, 16       // lines, edits
	const alike, more = 0.7, 0.5 // as [linediff.Likeness] measures
	source, n, m := v.origin(), len(old)-1, len(new)-1
	isAdded := func(l string) bool { return !text.IsBlank(l) && !slices.Contains(old, l) }
	if n < 0 || m < 0 || len(source.edits) > few || new[0] == old[0] || new[m] == old[n] ||
		n == m && !slices.ContainsFunc(new, isAdded) { // the lines of the range in another order
		return nil
	}
	starts, pairs := source.lineStarts(), tellingPairs(old, new)
	likeness := func(by int) (mean float64) {
		for _, p := range pairs {
			mean += linediff.Likeness(new[p.New], source.line(e.First+p.Old+by)) / float64(len(pairs))
		}
		return mean
	}
	least := max(alike, more+likeness(0))
	for _, by := range [...]int{1, -1, 2, -2, 3, -3, 4, -4, far, -far} {
		first, last := e.First+by, e.Last+by
		if first < 1 || last >= len(starts) {
			continue
		}
		isLike := by*by == 1 && n > 0 && m > 0 && new[0] == source.line(first) && new[m] == source.line(last)
		if !isLike && len(pairs) > 0 && least <= 1 {
			outer := pairs[0]
			if by > 0 {
				outer = pairs[len(pairs)-1]
			}
			isOutside := outer.Old+by < 0 || outer.Old+by > n
			isLike = isOutside && linediff.Likeness(new[outer.New], source.line(e.First+outer.Old+by)) >= alike &&
				likeness(by) >= least
		}
		isOther := func(o Edit) bool {
			return o.First > 0 && o.First != e.First && o.First <= last && first <= o.Last
		}
		if isLike && !slices.ContainsFunc(source.edits, isOther) {
			piece := text.Span{Start: starts[min(first, e.First)-1], End: starts[max(last, e.Last)]}
			return source.problemShowing(piece, fs.ErrInvalid, "{new} resembles %s, not the range: correct the line "+
				"numbers, or take these lines into the range. The lines there:", plan.LineSpan(first, last-first+1))
		}
	}
	return nil
}

// tellingPairs pairs the new lines that say something with the old ones in their place. If their numbers differ, or
// they are many, it pairs the first and the last lines, or none if one of them says nothing new.
func tellingPairs(old, new []string) (all []linediff.Step) {
	const many = 50
	n, m := len(old)-1, len(new)-1
	says := func(l string) bool { return text.LettersAndDigits(l) >= news }
	if n != m || n > many {
		if says(new[0]) && says(new[m]) && !slices.Contains(old, new[0]) && !slices.Contains(old, new[m]) {
			all = []linediff.Step{{}, {Old: n, New: m}}
		}
		return all
	}
	for i, l := range new {
		if says(l) {
			all = append(all, linediff.Step{Old: i, New: i})
		}
	}
	return all
}

// misnumbered refuses an edit by line numbers, and shows the lines there.
//
//go:noinline
func (v *version) misnumbered(place text.Span, err error, format string, args ...any) *Problem {
	around := text.Span{Start: v.LineStart(max(place.Start-1, 0)), End: v.LineAt(place.End).Next}
	return v.problemShowing(around, err, format+". The lines there:", args...)
}

// twice refuses an edit because some of its new text, from a line on, is beside the place already.
func (v *version) twice(e *Edit, what, from, line string) *Problem {
	line = plan.Quote(strings.TrimSpace(line))
	place, or := "{old}", "show it in {old} as well"
	switch starts := v.origin().lineStarts(); {
	case e.Old != "":
	case e.Last == 0:
		place, or = "the place", "replace the line there"
	default:
		lines := text.Span{Start: starts[e.First-1], End: starts[min(e.Last, len(starts)-1)]}
		return v.origin().misnumbered(lines, errs.ErrApplied, "{new} "+what+" the range already, "+from+
			": correct the line numbers, or leave it out of {new}", line)
	}
	return v.problem(errs.ErrApplied, "{new} "+what+" "+place+" already, "+from+": leave it out of {new}, or "+or, line)
}

// closesBody reports whether an indented line is the word that ends a body. A second one below it would end nothing.
func closesBody(l string) bool {
	word := strings.TrimSpace(l)
	return len(word) < len(l) && slices.Contains([]string{"end", "fi", "done", "esac", "endif"}, word)
}

// cutsLine refuses an edit that leaves the rest of a line, behind a place, where it cannot be meant: in a line of its
// own without the indentation; closing brackets that the new text does not leave open; if it begins with the semicolon
// or comma of the old text, behind an added line that is as deep and does not go on; or, if it begins within a word, or
// with a bracket or a dot right behind one, behind any added line.
func (v *version) cutsLine(place text.Span, e *Edit) *Problem {
	l := v.LineAt(v.LineStart(place.End))
	indent, rest := outline.Indent(v.Bytes(l)), v.Data[place.End:l.End]
	added, adds := strings.CutPrefix(e.New, e.Old)
	if adds {
		added, adds = strings.CutPrefix(added, "\n"+indent)
	}
	word, _, _ := strings.Cut(added, " ")
	goesOnBelow := strings.HasPrefix(strings.TrimLeft(added, text.Space+"\n"), ".")
	isTail := e.Old != "" && text.InWord(e.Old[len(e.Old)-1]) && len(rest) > 0 &&
		strings.IndexByte("([.", rest[0]) >= 0 && !goesOnBelow
	const goesOn = "|and|as|group|having|in|join|limit|on|or|order|union|where|"
	why := ""
	switch {
	case len(rest) == 0:
		return nil
	case e.Count == 0 && strings.HasPrefix(e.New, e.Old+"\n") && !strings.HasSuffix(e.New, "\n") &&
		(text.CutsWord(v.Data, place.End) || isTail),
		adds && e.Count == 0 && strings.IndexByte(";,", rest[0]) >= 0 && added != "" && text.InWord(added[0]) &&
			!strings.Contains(goesOn, "|"+strings.ToLower(word)+"|"):
		why = "adds a line behind it, so that the rest, %s, would be at the end of that one"
	case strings.HasSuffix(e.New, "\n") && !strings.HasSuffix(e.Old, "\n") && !v.InIndent(place.End) &&
		indent != "" && !text.IsBlank(rest) && outline.Indent(rest) != indent:
		why = "ends with a newline, so that the rest, %s, would be a line without indentation"
	case e.Count == 0 && endsSentence(e.New) && !endsSentence(e.Old) && len(rest) > 1 && rest[0] == ' ' &&
		'a' <= rest[1] && rest[1] <= 'z':
		why = "ends a sentence, so that the rest, %s, would stand behind it"
	case arePaired(e.New) && !arePaired(e.Old) && arePaired(e.Old+string(rest)) && !v.othersChangePairs(e):
		why = "leaves no bracket open for the rest, %s, to close"
	default:
		return nil
	}
	return v.problem(errs.ErrNotFound, "{old} ends before the end of line %d, and {new} "+why+": show the whole line "+
		"in both", v.sourceLine(place.End), plan.Quote(string(rest)))
}

// cutsToken refuses an edit of a string that changes a number of which a place has only some digits. If the edit is of
// all places, it also refuses one that changes a number between dots, or that begins in the middle of a word and
// changes it, where other places do not: "get" in "forget". With one or two letters, it may not end there either.
func (v *version) cutsToken(w *judged) *Problem {
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	first := func(s, of string) string { return s[:len(s)-len(strings.TrimLeft(s, of))] }
	last := func(s string) string { return s[len(strings.TrimRight(s, digits+".")):] }
	numberBegins := first(w.e.Old, digits+".") != first(w.e.New, digits+".")
	wordBegins, numberEnds := first(w.e.Old, letters) != first(w.e.New, letters), last(w.e.Old) != last(w.e.New)
	isShort := len(w.e.Old) < 3 && first(w.e.Old, letters) == w.e.Old
	at, isAlone, all, everywhere := -1, false, w.e.Count != 0, w.e.Count == plan.All
	for i, c := range w.candidates {
		start, end := v.cuts(c.Start, c.Start-1), v.cuts(c.End-1, c.End)
		// What is in front of it changes too, or what is behind it.
		follows := i > 0 && w.candidates[i-1].End == c.Start
		precedes := i+1 < len(w.candidates) && w.candidates[i+1].Start == c.End
		switch {
		case start == '0' && (all || numberBegins):
			at, isAlone = c.Start, true
		case end == '0' && (all || numberEnds):
			at, isAlone = c.End, true
		case all && start == '.' && numberBegins, everywhere && start == 'a' && wordBegins && !follows:
			at = c.Start
		case all && end == '.' && numberEnds,
			everywhere && end == 'a' && isShort && !precedes && v.Data[c.End] != 's': // a plural
			at = c.End
		default:
			isAlone = true
		}
	}
	if at < 0 || !isAlone {
		return nil
	}
	start, end, apart := at, at, ""
	for v.kindOf(start-1) != 0 {
		start--
	}
	for v.kindOf(end) != 0 {
		end++
	}
	if all {
		apart = ", in an {edit} for each place"
	}
	return v.problem(errs.ErrNotFound, "{old} is only a part of %s in line %d: show all of that in both"+apart,
		plan.Quote(string(v.Data[start:end])), v.sourceLine(at))
}

// cuts returns what a place cuts whose first or last byte, and the byte outside of it, have the given offsets: '0' for
// a number, '.' for numbers between dots, 'a' for a word, else 0.
func (v *version) cuts(at, outside int) byte {
	in, out := v.kindOf(at), v.kindOf(outside)
	switch {
	case out == '.' || in == '0' && out == '0':
		return out
	case in == out && (in == 'a' || in == 'A'):
		return 'a'
	}
	return 0
}

// kindOf returns '0' for a digit, '.' for a dot between two, 'a' or 'A' for a letter, and else 0.
func (v *version) kindOf(at int) byte {
	if at < 0 || at >= len(v.Data) {
		return 0
	}
	switch c := v.Data[at]; {
	case isDigit(c):
		return '0'
	case 'a' <= c && c <= 'z':
		return 'a'
	case 'A' <= c && c <= 'Z':
		return 'A'
	case c == '.' && 0 < at && at+1 < len(v.Data) && isDigit(v.Data[at-1]) && isDigit(v.Data[at+1]):
		return '.'
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// endsSentence reports whether a text of several words ends with a full stop behind a word.
func endsSentence(s string) bool {
	const few = 3
	body, ok := strings.CutSuffix(s, ".")
	return ok && len(strings.Fields(body)) >= few && text.HasLetterOrDigit(body[len(body)-1:])
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
			if v.changesPairs(&v.edits[i]) {
				v.balance.edits++
			}
		}
	}
	return *v.balance
}

// othersChangePairs reports whether another edit of the request changes the balance of brackets, so that e may as well.
func (v *version) othersChangePairs(e *Edit) bool {
	n := v.origin().brackets().edits
	return n > 1 || n == 1 && !v.origin().changesPairs(e)
}

// changesPairs reports whether an edit of v, which is the source of a request, changes the balance of brackets.
func (v *version) changesPairs(e *Edit) bool { return pairs(v.oldOf(e), false) != pairs(e.New, false) }

// oldOf returns the text that an edit of v, the source, replaces: that of its lines, if it names them by numbers.
func (v *version) oldOf(e *Edit) string {
	if starts := v.lineStarts(); e.Old == "" && e.First > 0 && e.First <= e.Last && e.Last < len(starts) {
		return string(v.Data[starts[e.First-1]:starts[e.Last]])
	}
	return e.Old
}

// exchanged returns the problems that two edits of v, the source of a request, seem to have each other's new text. None
// of the edits is carried out then.
func (v *version) exchanged() (all []Problem) {
	const few = 16 // edits
	for i := 1; i < len(v.edits) && len(v.edits) <= few; i++ {
		if v.swaps(&v.edits[i-1], &v.edits[i]) {
			p := v.problem(fs.ErrInvalid, "{new} of %s reads like {old} of %s, and the other way round: exchange "+
				"them, or, if that is meant, send the {edit}s one by one", v.words.Nth(i-1), v.words.Nth(i))
			p.Edit = -1
			all = append(all, *p)
		}
	}
	return all
}

// swaps reports whether each of two edits has words in its new text that only the old text of the other one has, and
// none that only its own has. An exchange of equal texts is meant.
func (v *version) swaps(e, next *Edit) bool {
	was, is := [2]string{v.oldOf(e), v.oldOf(next)}, [2]string{e.New, next.New}
	const around = text.Space + "\n,;"
	equal := func(a, b string) bool { return strings.Trim(a, around) == strings.Trim(b, around) }
	if was[0] == "" || was[1] == "" || equal(is[0], was[1]) || equal(is[1], was[0]) {
		return false
	}
	var old, new [2]map[string]bool // words
	for i := range old {
		line := text.FirstLine(is[i])
		if line == text.FirstLine(was[i]) && text.LettersAndDigits(line) >= news && !strings.Contains(was[1-i], line) {
			return false // the usual context line
		}
		old[i], new[i] = text.SetOf(text.Tokens(was[i])), text.SetOf(text.Tokens(is[i]))
	}
	telling := func(which int, in map[string]bool) (n int) { // letters and digits of words that only one old text has
		for word := range old[which] {
			if in[word] && !old[1-which][word] {
				n += text.LettersAndDigits(word)
			}
		}
		return n
	}
	for i := range new {
		if telling(i, new[i]) > 0 || telling(1-i, new[i]) < news {
			return false
		}
	}
	return true
}
