package place

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// pastedNumbers refuses an edit at a place of v if only its new text has the line numbers of a viewer, in front of some
// lines or of all (N2). They are a viewer's if the line of that number or the indentation of an old line is behind one,
// if they are those of the place, or if they can be nothing else and one is in front of an old line. If a line at the
// place or right beside it begins with a number too, numbers belong to the text.
func (v *version) pastedNumbers(e *Edit, place text.Span) *Problem {
	if !text.AnyNumbered(e.New) {
		return nil
	}
	new := text.Split(e.New)
	some := slices.DeleteFunc(slices.Clone(new), func(l string) bool { return !text.AnyNumbered(l) })
	n, all := text.NumberingOf(new)
	if all {
		some = new
	} else if one, ok := text.NumberingOf(some[:1]); !ok || !one.Sure {
		return nil
	} else {
		n = one
	}
	bare, ok := n.Strip(some)
	old := slices.Concat(text.Split(e.Old), text.Split(string(v.Data[place.Start:place.End])))
	if !ok || slices.ContainsFunc(slices.Concat(old, v.beside(place)), n.Fits) {
		return nil
	}
	several, surely := all && len(new) > 1, all && n.IsViewers(new)
	// A list begins at 1.
	isOwn := all && n.First == v.sourceLine(place.Start) && (surely || n.First > 1 && (n.Sure || several))
	isShown := func(l string) bool {
		return surely && copies(l, old) || (n.Sure || several) && outline.IsIndentedLike(l, old)
	}
	if isOwn || slices.ContainsFunc(bare, isShown) ||
		len(some) < text.CountSolid(new) && v.origin().copiesLine(bare[0], n.First) {
		return v.problem(fs.ErrInvalid, "{new} has line numbers in front of its lines, as a viewer shows them, and "+
			"the lines in the file have none: write the lines without the numbers")
	}
	return nil
}

// copiesLine reports whether a line is the n-th of v.
func (v *version) copiesLine(l string, n int) bool {
	starts := v.lineStarts()
	return 0 < n && n < len(starts) && copies(l, []string{string(v.Bytes(v.LineAt(starts[n-1])))})
}

// copies reports whether a line is one of some lines, apart from the whitespace around it, and not merely a bracket.
func copies(l string, lines []string) bool {
	l = strings.Trim(l, text.Space)
	return text.HasLetterOrDigit(l) &&
		slices.ContainsFunc(lines, func(o string) bool { return strings.Trim(o, text.Space) == l })
}

// beside returns the nearest lines above and below a place that are not blank.
func (v *version) beside(place text.Span) (lines []string) {
	above := v.SolidAbove(text.Line{Start: v.LineStart(place.Start)})
	below := v.SolidBelow(text.Line{Next: v.LineStart(place.End)})
	for _, l := range []text.Line{above, below} {
		if l.Real() {
			lines = append(lines, string(v.Bytes(l)))
		}
	}
	return lines
}
