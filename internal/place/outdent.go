package place

import (
	"cmp"
	"io/fs"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// outdents returns the problem that new lines have lost their indentation, or have all moved, where the old ones are at
// a place as they stand: then nothing else would indent the new ones (I5).
func (v *version) outdents(place text.Span, old, new []string, e *Edit) *Problem {
	if p := cmp.Or(v.orphans(place, old, new, e), v.beheads(place, old, new, e)); p != nil {
		return p
	}
	top, end := outline.Neighbour(old, -1, 1), outline.Neighbour(old, len(old), -1)
	first, last := outline.Neighbour(new, -1, 1), outline.Neighbour(new, len(new), -1)
	if top < 0 || first < 0 || !slices.ContainsFunc(old, isIndented) ||
		slices.EqualFunc(old, new, haveSameBody) { // the edit is about indentation
		return nil
	}
	solid := func(lines []string) []string { return slices.DeleteFunc(slices.Clone(lines), text.IsBlank) }
	head, tail := text.EqualEnds(old, new)
	if min(len(old), len(new)) > head+tail && max(len(old), len(new)) > head+tail+1 { // more than a line changes
		if l := flattens(solid(old), solid(new)); l != "" {
			return v.problem(fs.ErrInvalid,
				"{new} has %s no deeper than the line above it, unlike {old}: indent {new} as {old} is", plan.Quote(l))
		}
	}
	opensBracket := func(l string) bool { return l != "" && strings.IndexByte("{[(", l[len(l)-1]) >= 0 }
	if new[first] == old[top] && len(outline.Indent(new[last])) >= len(outline.Indent(old[end])) &&
		(slices.ContainsFunc(new, isIndented) || !slices.ContainsFunc(old, opensBracket)) { // as deep as before
		return nil
	}
	old, new = solid(old), solid(new)
	depths := map[string]string{} // the least indentation of the old lines, by body
	for _, l := range old {
		indent := outline.Indent(l)
		body := l[len(indent):]
		if least, ok := depths[body]; !ok || len(indent) < len(least) {
			depths[body] = indent
		}
	}
	below := v.SolidBelow(v.LineAt(v.LineStart(max(place.End-1, place.Start))))
	above := v.SolidAbove(v.LineAt(v.LineStart(place.Start)))
	switch {
	case losesBody(old, new):
		return v.problem(fs.ErrInvalid,
			"the lines of {new} have no indentation, though {old} has some of them at several depths: indent {new} "+
				"as {old} is")
	case losesFirst(old, new, depths):
		return v.problem(fs.ErrInvalid,
			"the first line of {new}, %s, has lost the indentation that the line has in {old}: "+
				"begin it with that", plan.Quote(new[0]))
	case v.othersChange(above, below, e) || slices.EqualFunc(old, new, haveSameBody):
		return nil
	case strays(old, new, v.content(above), v.content(below)):
		return v.problem(fs.ErrInvalid,
			"the first line of {new}, %s, is in column 0, but the lines around it are indented: indent it as they are",
			plan.Quote(new[0]))
	case moves(old, new, depths, v.content(above), v.content(below)):
		return v.problem(fs.ErrInvalid,
			"{new} moves the lines that it keeps to another indentation, but the lines around them stay: indent "+
				"{new} as {old} is, or take one of these lines into the {edit}")
	}
	return v.isTooFarOut(above, below, old, new, isShallower(old, new, depths))
}

// isTooFarOut returns the problem that new lines, or a definition at their end, are less deep than old ones, but a line
// above or below is such that they should be as deep.
func (v *version) isTooFarOut(above, below text.Line, old, new []string, shallower bool) *Problem {
	const far = 500 // lines, to what heads the place
	upper, lower := v.content(above), v.content(below)
	lastNew, lastOld, beside := new[len(new)-1], old[len(old)-1], above
	switch {
	case !shallower:
		head := lastDefinition(new)
		if head == "" || outline.Indent(lower) != outermost(old) || !isDeeper(lower, head) {
			return nil
		}
		beside = below
	case !outline.Opens(lastNew) && (outline.Indent(lower) == outermost(old) ||
		outline.Indent(lower) == outline.Indent(lastOld) && isDeeper(lastOld, lastNew)):
		beside = below
	case outline.Opens(upper) && isDeeper(old[0], upper) && !isDeeper(new[0], upper) && text.HasLetterOrDigit(new[0]):
	case outline.Indent(new[0]) == "" && !mayBeOuter(new[0], old[0]):
		for n := 0; n < far && beside.Real() && outline.Depth(v.Bytes(beside)) >= outline.Depth(old[0]); n++ {
			beside = v.SolidAbove(beside)
		}
		head := v.content(beside)
		if head == "" || outline.Indent(head) == "" && strings.IndexByte("{[(", head[len(head)-1]) < 0 {
			return nil
		}
	default:
		return nil
	}
	return v.problem(fs.ErrInvalid, "{new} is less deep than {old}, but line %d beside it goes on as deep or opens a "+
		"body: indent {new} as {old} is", v.sourceLine(beside.Start))
}

// orphans returns the problem that an edit takes the head of the body away that is right below the place, and leaves
// the body in that of a line above, or below one that opens nothing.
func (v *version) orphans(place text.Span, old, new []string, e *Edit) *Problem {
	end, last := len(old)-1, outline.Neighbour(new, len(new), -1)
	if end < 0 || !strings.HasSuffix(old[end], ":") {
		return nil
	}
	above, below := v.SolidAbove(v.LineAt(v.LineStart(place.Start))), v.LineAt(place.End)
	upper, lower := v.content(above), v.content(below)
	if last >= 0 {
		upper = new[last]
	}
	isHead := func(l string) bool { return outline.Opens(l) && outline.Indent(l) == outline.Indent(old[end]) }
	isIn := outline.Indent(upper) == outline.Indent(lower) || isDeeper(lower, upper)
	if !isDeeper(lower, old[end]) || outline.Opens(upper) || !isIn ||
		slices.ContainsFunc(new, isHead) || v.othersChange(above, below, e) {
		return nil
	}
	return v.problem(fs.ErrInvalid,
		"the {edit} takes %s away, but not the deeper lines below it: take these into the {edit}",
		plan.Quote(strings.TrimSpace(old[end])))
}

// beheads returns the problem that an edit takes the head of a body away, but not the body, nor the line that ends it.
func (v *version) beheads(place text.Span, old, new []string, e *Edit) *Problem {
	const words = "|class|def|for|func|function|if|module|unless|until|while|"
	same, _ := text.EqualEnds(old, new)
	old, new = old[same:], new[same:]
	top, first := outline.Neighbour(old, -1, 1), outline.Neighbour(new, -1, 1)
	last := outline.Neighbour(new, len(new), -1)
	if top < 0 || first == last {
		return nil
	}
	head, body := text.Unindented(old[top]), outline.Neighbour(old, top, 1)
	word, rest, _ := strings.Cut(head, " ")
	isHead := outline.Opens(head) && rest != "" || strings.HasSuffix(head, " do") || strings.HasSuffix(head, " then") ||
		strings.Contains(words, "|"+word+"|")
	isOutside := func(l string) bool {
		return !text.IsBlank(l) && !isDeeper(l, old[top]) || haveSameBody(l, old[top])
	}
	ends := func(l string) bool {
		return outline.Indent(l) == outline.Indent(old[top]) &&
			(closesBlock(l) || outline.ClosesScope(text.Unindented(l)))
	}
	isOther := func(l string) bool { return !ends(l) }
	if !isHead || outline.IsComment(old[top]) || closesBlock(head) || !ends(new[last]) || body < 0 ||
		!isDeeper(old[body], old[top]) || slices.ContainsFunc(new[first:last], isOutside) ||
		len(slices.DeleteFunc(slices.Clone(old), isOther)) != 1 || v.othersChangePairs(e) ||
		v.othersChange(v.SolidAbove(v.LineAt(v.LineStart(place.Start))), v.LineAt(place.End), e) {
		return nil
	}
	return v.problem(fs.ErrInvalid, "{new} has the body of %s and the end of it, but not that line: add it to {new}",
		plan.Quote(strings.TrimSpace(old[top])))
}

// othersChange reports whether another edit shows one of two lines, or changes lines by their numbers from one to the
// other, and ends at another depth than before, or opens a body there. Then they say nothing about the lines between.
func (v *version) othersChange(upper, lower text.Line, e *Edit) bool {
	source := v.origin()
	if len(source.edits) == 1 {
		return false
	}
	from, to := 0, math.MaxInt
	if upper.Real() {
		from = v.sourceLine(upper.Start)
	}
	if lower.Real() {
		to = v.sourceLine(lower.Start)
	}
	changes := func(old, new string) bool { return !endsAlike(text.Split(old), text.Split(new)) }
	for _, l := range [...]text.Line{upper, lower} {
		if source.isShown(text.Fold(v.content(l)), e, changes) {
			return true
		}
	}
	return slices.ContainsFunc(source.edits, func(o Edit) bool {
		isSame := o.First == e.First && o.Last == e.Last && o.New == e.New
		return o.First > 0 && !isSame && from <= max(o.First, o.Last) && o.First <= to &&
			changes(source.oldOf(&o), o.New)
	})
}

// endsAlike reports whether lines begin and end at the depths at which others do, and open a body where those do.
func endsAlike(old, new []string) bool {
	isLike := func(i, k int) bool {
		return i >= 0 && k >= 0 && outline.Indent(old[i]) == outline.Indent(new[k]) &&
			outline.Opens(old[i]) == outline.Opens(new[k])
	}
	return isLike(outline.Neighbour(old, -1, 1), outline.Neighbour(new, -1, 1)) &&
		isLike(outline.Neighbour(old, len(old), -1), outline.Neighbour(new, len(new), -1))
}

// moves reports whether new lines copy old ones, all of them deeper or less deep by the same indentation, while the
// line above the place or below it is in the same block. If they are less deep, those that stay in column 0 do not
// count. The new text begins or ends with a copy, and takes no lines out of the body of its first old line, nor puts
// them into one of its own.
func moves(old, new []string, depths map[string]string, upper, lower string) bool {
	const alike = 0.7
	n, m := len(old)-1, len(new)-1
	depth := func(l string) int { return len(outline.Indent(l)) }
	isMoved := func(l, was string, by int) bool {
		return depth(l)-depth(was) == by &&
			(haveSameBody(l, was) || n > 0 && m > 0 && linediff.Likeness(l, was) >= alike)
	}
	outer := depth(outermost(new)) - depth(outermost(old))
	at := func(depth int, body string) string { return string(rune(depth)) + body } // a key
	had := text.SetOf(mapped(old, func(l string) string { return at(depth(l), text.Unindented(l)) }))
	for i, end := range [...][2]int{{}, {n, m}} {
		was, is := old[end[0]], new[end[1]]
		by := depth(is) - depth(was)
		least, moved, stays := depth(was), 0, false // of the copies of old lines
		for _, l := range new {
			body := text.Unindented(l)
			_, isCopy := depths[body]
			switch {
			case !isCopy || !text.HasLetterOrDigit(l):
			case had[at(depth(l)-by, body)]:
				least, moved = min(least, depth(l)-by), moved+1
			default:
				stays = stays || by > 0 || depth(l) > 0
			}
		}
		isInBlock := depth(upper) >= least && !outline.Opens(upper) ||
			depth(lower) >= least && !outline.Opens(new[m])
		isAlone := text.LettersAndDigits(was) >= news &&
			(by == outer || by < 0 && moved > 1 && (i == 0 || !outline.Opens(old[0])))
		if (by < 0 || by > 0 && by == outer) && isInBlock && !stays && isMoved(is, was, by) &&
			(isAlone || isMoved(new[m-end[1]], old[n-end[0]], by)) {
			return true
		}
	}
	return false
}

// lastDefinition returns the last of the outermost lines if it is the head of a definition without an end, "" if not.
func lastDefinition(lines []string) string {
	i := len(lines) - 1
	for outer := len(outermost(lines)); len(outline.Indent(lines[i])) > outer; {
		i--
	}
	body := text.Unindented(lines[i])
	isHead := strings.HasPrefix(body, "def ") || strings.HasPrefix(body, "class ") || strings.HasPrefix(body, "async ")
	if !isHead || !strings.HasSuffix(body, ":") {
		return ""
	}
	return lines[i]
}

func isIndented(l string) bool { return outline.Indent(l) != "" }

// losesFirst reports whether the first new line is in column 0, while the old line that it copies or replaces and the
// new lines below it are deeper, and none of these copies an old line that was deeper still: all may have moved out
// then. Depths has the least indentation of the old lines, by body.
func losesFirst(old, new []string, depths map[string]string) bool {
	if outline.Indent(new[0]) != "" {
		return false
	}
	was, isCopy := depths[new[0]]
	if !isCopy {
		was = outline.Indent(old[0])
		isKept := func(l string) bool { return haveSameBody(l, old[0]) }
		if slices.ContainsFunc(new, isKept) || isRemark(new[0], old[0]) || !linediff.ShareWords(old[:1], new[:1]) {
			return false
		}
	}
	deeper := false
	for _, l := range new[1:] {
		indent := outline.Indent(l)
		depth, isOld := depths[l[len(indent):]]
		if len(indent) < len(depth) && text.HasLetterOrDigit(l) {
			return false
		}
		isBeside := !isCopy && indent == was && !outline.Opens(new[0])
		deeper = deeper || indent != "" && (isCopy && len(indent) >= len(was) || isOld && indent == depth || isBeside)
	}
	return was != "" && deeper
}

// strays reports whether the first of several new lines alone is in column 0, among old lines, new lines and lines above
// and below that are deeper, and is no head of theirs.
func strays(old, new []string, above, below string) bool {
	isOut := func(l string) bool { return !isIndented(l) }
	return len(new) > 1 && isOut(new[0]) && (!outline.Opens(new[0]) || isDeeper(new[1], old[0])) &&
		!mayBeOuter(new[0], old[0]) && strings.Contains(new[0], " ") &&
		!slices.ContainsFunc(slices.Concat(old, new[1:], []string{above, below}), isOut)
}

// isRemark reports whether a new line begins with the mark of a comment or directive in column 0, and the old one not.
func isRemark(l, was string) bool {
	return strings.IndexByte("#/-;%", l[0]) >= 0 && l[0] != text.Unindented(was)[0]
}

// flattens returns a new line that is no deeper than the one right above it, though the two are kept, the lower one was
// deeper, and the upper one opens a body; or though the upper one opens a body in braces, as an old line with deeper
// lines below it does, and no old line without. A namespace and a code fence open no body, and a comment, a label or an
// entry of a list may be as deep as what heads it. It returns "" if there is no such line.
func flattens(old, new []string) string {
	const far = 200
	bodies := func(lines []string, i int) string {
		return text.Unindented(lines[i-1]) + "\n" + text.Unindented(lines[i])
	}
	mayBeLevel := func(l string) bool {
		body := text.Unindented(l)
		return outline.IsComment(l) || outline.IsListEntry(body) || strings.HasSuffix(l, ":") ||
			strings.HasPrefix(body, "case ") || strings.IndexByte("#0123456789", body[0]) >= 0 || closesBlock(l)
	}
	opens := func(l string) bool {
		body := text.Unindented(l)
		return (outline.Opens(l) || strings.HasSuffix(l, " do") || strings.HasSuffix(l, "->")) &&
			!text.IsFence(l) && !strings.HasPrefix(body, "namespace ") && !strings.HasPrefix(body, "extern ")
	}
	// The lines from the i-th on are the body of the line above, which does not go on from another, and end soon.
	isBody := func(lines []string, i int) bool {
		head := lines[i-1]
		goesOn := i > 1 && isDeeper(head, lines[i-2]) && !strings.HasSuffix(lines[i-2], "{")
		isEnd := func(l string) bool { return outline.Indent(l) == outline.Indent(head) && closesBlock(l) }
		return strings.HasSuffix(head, "{") && !goesOn && slices.ContainsFunc(lines[i:min(i+far, len(lines))], isEnd)
	}
	deeper, flush := false, false // of the bodies of old lines
	wasDeeper := map[string]bool{}
	level := map[string]int{} // how many more new lines than old ones are no deeper than the one above
	for i := 1; i < len(old); i++ {
		if isDeeper(old[i], old[i-1]) {
			wasDeeper[bodies(old, i)] = true
			deeper = deeper || isBody(old, i)
		} else {
			level[bodies(old, i)]--
			flush = flush || strings.HasSuffix(old[i-1], "{") && !closesBlock(old[i])
		}
	}
	isOld := text.SetOf(old)
	for i := 1; i < len(new); i++ {
		if isDeeper(new[i], new[i-1]) || isOld[new[i]] || mayBeLevel(new[i]) || !opens(new[i-1]) {
			continue
		}
		pair := bodies(new, i)
		if level[pair]++; wasDeeper[pair] && level[pair] > 0 || deeper && !flush && isBody(new, i) {
			return text.Unindented(new[i])
		}
	}
	return ""
}

// losesBody reports whether no new line is indented, though some copy an old line and a deeper one right below it.
func losesBody(old, new []string) bool {
	if slices.ContainsFunc(new, isIndented) {
		return false
	}
	isNew := text.SetOf(new)
	for i, l := range old[1:] {
		if isDeeper(l, old[i]) && isNew[text.Unindented(old[i])] && isNew[text.Unindented(l)] {
			return true
		}
	}
	return false
}

// isShallower reports whether the outermost new line is less deep than the outermost old one, and every copy of an old
// line less deep than that. If there is no copy, the new lines have the words of the old ones then.
func isShallower(old, new []string, depths map[string]string) bool {
	if len(outermost(new)) >= len(outermost(old)) {
		return false
	}
	copies := false
	for _, l := range new {
		indent := outline.Indent(l)
		if was, ok := depths[l[len(indent):]]; ok && text.HasLetterOrDigit(l) {
			if len(indent) >= len(was) {
				return false
			}
			copies = true
		}
	}
	behind := func(l string) bool { return strings.Contains(l, old[0]) } // a label, for instance
	return copies || linediff.ShareWords(old, new) && !isRemark(new[0], old[0]) && !slices.ContainsFunc(new, behind)
}

// closesBlock reports whether a line begins with a bracket or a tag that closes something.
func closesBlock(l string) bool {
	body := text.Unindented(l)
	return body != "" && strings.IndexByte(")]}", body[0]) >= 0 || strings.HasPrefix(body, "</")
}

// isDeeper reports whether a line has the indentation of another, and more.
func isDeeper(l, than string) bool {
	more, ok := strings.CutPrefix(outline.Indent(l), outline.Indent(than))
	return ok && more != ""
}

func haveSameBody(a, b string) bool { return text.Unindented(a) == text.Unindented(b) }

// mayBeOuter reports whether a line may be further out than the one above: it is blank, closes or parts a block, or
// begins with a sign of a list or with another sign than the line above.
func mayBeOuter(l, above string) bool {
	l, above = strings.Trim(l, text.Space), text.Unindented(above)
	if l == "" {
		return true
	}
	begins, _ := utf8.DecodeRuneInString(l)
	isEnd := func(mark string) bool { return strings.HasPrefix(l, mark) }
	return strings.IndexByte(")]}-*", l[0]) >= 0 || !text.IsLetterOrDigit(begins) && !strings.HasPrefix(above, l[:1]) ||
		slices.ContainsFunc([]string{"</", "<%", "{%", `\end`, "case "}, isEnd) || strings.HasSuffix(l, ":") ||
		outline.ClosesScope(l) || outline.IsSection([]byte(l))
}
