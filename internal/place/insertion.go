package place

import (
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// separates returns the problem that new lines would be put between two lines that belong together, or in a block at a
// depth that its lines do not have (I6).
func (v *version) separates(place text.Span, new []string, e *Edit) *Problem {
	top := outline.Neighbour(new, -1, 1)
	lower := v.LineAt(place.Start)
	if place.Start < place.End || place.Start == 0 || !lower.Real() || top < 0 {
		return nil
	}
	upper := v.LineAt(v.LineStart(place.Start - 1))
	above, below, first := v.content(upper), v.content(lower), new[top]
	if text.IsBlank(above) || v.othersChange(upper, lower, e) {
		return nil
	}
	isWithin := func(l, head string) bool {
		areHeads := strings.HasSuffix(head, ":") && strings.HasSuffix(l, ":") && !isCase(l)
		return isDeeper(l, head) || mayBeOuter(l, head) && !areHeads
	}
	isAsDeep := outline.Indent(first) == outline.Indent(above) && outline.Indent(first) == outline.Indent(below)
	begins, _ := utf8.DecodeRuneInString(text.Unindented(first))
	msg := ""
	switch {
	case isDeeper(below, above):
		if !isWithin(first, above) && !closesBlock(below) && above[0] != '#' {
			msg = "{new} would separate line %d from the deeper line below it"
		}
	case isDeeper(above, below) && closesBlock(below) && arePaired(e.New) && !isWithin(first, below):
		msg = "{new} would be in the block of line %d, but is indented less than a block is"
	case strings.HasSuffix(above, ";") || strings.HasSuffix(above, "}"):
		if isDeeper(first, above) && text.IsLetterOrDigit(begins) {
			msg = "{new} would be deeper than line %d, which opens no block"
		}
	case isAsDeep && !text.IsBlank(below) && text.IsBlank(new[len(new)-1]) && isAbout(above) && !isAbout(first) &&
		opensBody(new[top:]):
		msg = "{new} would separate the comment or attribute in line %d from the line below it"
	}
	if msg == "" {
		return nil
	}
	p := v.problem(fs.ErrInvalid, msg+": correct the line number or the indentation. The lines there:",
		v.sourceLine(upper.Start))
	p.Lines = v.shown(text.Span{Start: upper.Start, End: lower.Next})
	return p
}

// closesBlock reports whether a line begins with a bracket or a tag that closes something.
func closesBlock(l string) bool {
	body := text.Unindented(l)
	return body != "" && strings.IndexByte(")]}", body[0]) >= 0 || strings.HasPrefix(body, "</")
}

// isCase reports whether a line heads a branch that may share its body with the branch below it.
func isCase(l string) bool {
	word, _, _ := strings.Cut(text.Unindented(l), " ")
	return word == "case" || word == "default:"
}

// isAbout reports whether a line is a comment or an attribute, which is about the line below it.
func isAbout(l string) bool {
	body := text.Unindented(l)
	return outline.IsComment(l) || strings.HasPrefix(body, "@") || strings.HasPrefix(body, "#[") ||
		strings.HasSuffix(body, "*/")
}

// opensBody reports whether the first of some lines opens a body.
func opensBody(lines []string) bool {
	next := outline.Neighbour(lines, 0, 1)
	return outline.Opens(lines[0]) || next > 0 && isDeeper(lines[next], lines[0])
}
