package outline

import "github.com/atomicedit/atomicedit/internal/text"

// A Gap is the lines between two others, neither of which is blank.
type Gap struct {
	text         text.Text
	upper, lower text.Line
	header       Header // the kind of upper
	outer, inner int    // the depths of upper and lower
}

// GapBetween returns the gap between two lines.
func GapBetween(t text.Text, upper, lower text.Line) Gap {
	above, below := t.Bytes(upper), t.Bytes(lower)
	return Gap{t, upper, lower, HeaderOf(above, t.Bytes(t.LineAt(upper.Next))), Depth(above), Depth(below)}
}

// Opened reports whether the upper line opens a scope.
func (g Gap) Opened() bool { return g.outer < g.inner || g.header != "" }

// LeavesScope reports whether a line in the gap leaves the scope of the upper line. No line may be further out than
// both its neighbours. If the upper line opened something, none may be as far out as that line, or be another header
// like it.
func (g Gap) LeavesScope() bool {
	least := g.inner
	if g.outer < g.inner {
		least = g.outer + 1
	}
	for l := g.text.LineAt(g.upper.Next); l.Start < g.lower.Start; l = g.text.LineAt(l.Next) {
		content := g.text.Bytes(l)
		depth := Depth(content)
		switch {
		case depth < least && text.HasLetterOrDigit(content) && !g.header.GoesOn(content):
			return true
		case depth+g.outer+g.inner == 0 && IsSection(content):
			return true
		case depth == g.outer && g.header.ClosedBy(content):
			return true
		}
	}
	return false
}
