package place

import (
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// separates returns the problem that new lines would be put between two lines that belong together, or in a block at a
// depth that its lines do not have (I6), or that they begin or end with one of the two (J8).
func (v *version) separates(place text.Span, new []string, e *Edit) *Problem {
	top, end := outline.Neighbour(new, -1, 1), len(new)-1
	lower := v.LineAt(place.Start)
	if place.Start < place.End || place.Start == 0 || e.Hunk != "" || text.LettersAndDigits(e.New) < news {
		return nil
	}
	upper := v.LineAt(v.LineStart(place.Start - 1))
	above, below := v.content(upper), v.content(lower)
	if text.IsBlank(above) || v.othersChange(upper, lower, e) {
		return nil
	}
	isTwice := func(l, beside string) bool {
		return end > 0 && l == beside && text.LettersAndDigits(l) >= news && !isAbout(l)
	}
	switch {
	case isTwice(new[0], above):
		return v.twice(e, "begins with text that is right above", "%s", above)
	case end > 0 && new[end] == above && isAbout(above) && len(v.Occurrences(above, 2)) == 1:
		return v.twice(e, "ends with text that is right above", "%s", above)
	case isTwice(new[end], below):
		return v.twice(e, "ends with text that is right below", "%s", below)
	}
	msg := separated(above, below, new, top)
	if msg == "" {
		return nil
	}
	return v.misnumbered(place, fs.ErrInvalid, msg+": correct the line number or {new}",
		v.sourceLine(upper.Start))
}

// separated returns why new lines, of which the first that is not blank is at top, do not belong below a line and above
// another, with a place for the number of the upper one; "" if they may.
func separated(above, below string, new []string, top int) (msg string) {
	first := new[top]
	body := text.Unindented(first)
	begins, _ := utf8.DecodeRuneInString(body)
	hasBody := slices.ContainsFunc(new, func(l string) bool { return isDeeper(l, first) })
	last, end := new[len(new)-1], new[outline.Neighbour(new, len(new), -1)]
	opensComment := strings.HasPrefix(text.Unindented(above), "/*") && !strings.Contains(above, "*/")
	const parts = "{new} would separate the comment or attribute in line %d from the line below it"
	switch {
	case top == 0 && text.IsBlank(last) && text.IsBlank(below) && hasBody &&
		(outline.Opens(first) || closesBlock(end)) && !(outline.Opens(above) && isDeeper(first, above)):
		return "{new} ends with a blank line, but would be right below line %d and above a blank one"
	case (opensComment || strings.HasPrefix(text.Unindented(below), "*/")) && !isAbout(first) && !isAbout(end),
		opensComment && strings.HasPrefix(body, "/*"):
		return parts
	case isDeeper(below, above):
		isDirective := begins == '#' && len(body) > 1 && text.InWord(body[1]) // for a preprocessor
		word, _, _ := strings.Cut(body, " ")
		isBranch := word == "case" || word == "default:" // it may share the body of the branch below it
		isHead := strings.HasSuffix(above, ":") && strings.HasSuffix(first, ":") && (hasBody || !isBranch)
		mayBe := isDirective || mayBeOuter(first, above) && !isHead && !strings.HasPrefix(body, "- ") &&
			!outline.IsComment(first)
		isBody := !closesBlock(below) && !outline.IsComment(above) && !text.IsFence(above)
		if isBody && !isDeeper(first, above) && !mayBe {
			return "{new} would separate line %d from the deeper line below it"
		}
	case isDeeper(above, below) && closesBlock(below):
		mayBe := mayBeOuter(first, below) && !strings.ContainsRune("{[(", begins)
		if !isDeeper(first, below) && !mayBe && arePaired(strings.Join(new, "\n")) {
			return "{new} would be in the block of line %d, but is indented less than a block is"
		}
	case strings.HasSuffix(above, ";") || strings.HasSuffix(above, "}"):
		if isDeeper(first, above) && text.IsLetterOrDigit(begins) {
			return "{new} would be deeper than line %d, which opens no block"
		}
	case isAbout(above) && !text.IsBlank(below):
		isSecond := strings.HasSuffix(above, "*/") && strings.HasPrefix(body, "/*")
		isApart := (top > 0 || text.IsBlank(last)) && (outline.IsAttribute(above) || !isAbout(first) || isSecond)
		isOfHead := outline.Opens(below) && outline.IsPlainAttribute(above) && !isAbout(first) && !isAbout(last)
		tears := isDoc(above) && isDoc(below) && !isAbout(end) || isSecond && top > 0
		depth := outline.Indent(above)
		if strings.HasPrefix(text.Unindented(above), "*") { // the end of a comment, one column off
			depth = strings.TrimSuffix(depth, " ")
		}
		if ((isApart || isOfHead) && (hasBody || outline.Opens(first)) || tears) &&
			outline.Indent(first) == depth && outline.Indent(below) == depth {
			return parts
		}
	}
	return ""
}

// isAbout reports whether a line is a comment or an attribute, which is about the line below it.
func isAbout(l string) bool {
	return outline.IsComment(l) || strings.HasSuffix(l, "*/") || outline.IsAttribute(l)
}

// isDoc reports whether a line is of a comment that documents what is below it.
func isDoc(l string) bool { return strings.HasPrefix(text.Unindented(l), "///") }
