// Package omission knows the lines that stand for text left out, such as "// ... existing code ...". In old text such a
// line is an elision, in new text a placeholder.
package omission

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Kind is the way in which a line stands for text left out.
type Kind int

// The kinds of omissions.
const (
	None   Kind = iota
	Dots        // dots alone
	Remark      // dots before words that say nothing of text left out: an ordinary comment may begin so
	Framed      // dots on both sides of something, or beside a word such as "existing"
	Words       // words for text left out
	Hint        // words that any comment may have: they count only if there is less text than before
)

// maxLine is the length of the longest line, or comment behind code, that may stand for text left out, in bytes.
const maxLine = 200

// In returns the omission in a line.
func In(l string) Kind {
	_, s, _ := text.Parts(l)
	if comment := behindNothing(s); comment != "" {
		return In(comment)
	}
	// most lines neither begin like a comment, dots or a bracket, nor end in dots
	if s == "" || len(s) > maxLine || !outline.MayBeComment(s) && strings.IndexByte("[|*\xe2", s[0]) < 0 &&
		!EndsInDots(s) {
		return None
	}
	inner, is, only, framed := uncomment(s)
	if !HasDots(inner) && (!is && !framed || !mayBeSaying(inner)) {
		return None
	}
	r := undress(inner)
	p := sayingOf(r.words)
	switch dots := r.before || r.after; {
	case len(r.words) == 0 && dots && (is || framed || s == "..." || s == "…"):
		return Dots
	case len(r.words) == 0 && dots && strings.IndexByte("|-*", s[0]) >= 0: // the row of a table, the item of a list
		return Hint
	case s == "⋮" || s == "⋯": // the icon of a menu may stand alone as well
		return Hint
	case p.surely && (is || framed) || p.likely && (r.before || r.last) && len(r.words) > 1:
		return Words
	case only && (dots && p.opens || r.last && (r.before || p.stays)), p.opens && r.before && (r.last || framed) &&
		len(r.words) > 1:
		return Framed
	case only && r.before && beginsRemark(inner):
		return Remark
	case only && p.maybe || framed && p.likely:
		return Hint
	}
	return None
}

// behindNothing returns the comment behind a statement that does nothing, and is not what that is about, or "".
func behindNothing(s string) string {
	for _, nothing := range [...]string{"pass ", "... "} {
		if comment, found := strings.CutPrefix(s, nothing); found && text.Unindented(comment)[0] == '#' {
			return comment
		}
	}
	return ""
}

// uncomment returns the text of a line that is a comment, and whether that is in brackets, or has some around it.
func uncomment(s string) (inner string, is, only, framed bool) {
	for {
		inner, is, only = outline.Comment(s)
		switch {
		case is && !only && outline.IsComment(inner): // "{- /* one */ -}" of a template
			s = inner
		case !is && isFramed(s):
			s, framed = strings.Trim(s[1:len(s)-1], text.Space+"-%"), true
		default:
			return inner, is, only, framed || isFramed(inner)
		}
	}
}

func isFramed(s string) bool {
	return len(s) > 1 && strings.Contains("() [] {} <>", s[:1]+s[len(s)-1:])
}

// A remark is a text without brackets and rules.
type remark struct {
	words  []string // lower-case, up to the first dots between them
	before bool     // there are dots before them
	after  bool     // there are dots after them
	last   bool     // and nothing after those
}

// undress takes brackets, rules and dots off a text.
func undress(s string) (r remark) {
	for isFramed(s) {
		s = strings.Trim(s[1:len(s)-1], text.Space)
	}
	for _, f := range strings.Fields(strings.ToLower(s)) {
		if strings.Trim(f, "-=*~|") == "" {
			continue
		}
		for f = cmp.Or(strings.Trim(f, "()[]{}<>-=*~"), f); f != ""; {
			word, rest, dots := cutDots(f)
			if word != "" && !r.after {
				r.words = append(r.words, word)
			}
			if dots {
				r.before, r.after = r.before || len(r.words) == 0, len(r.words) > 0
			}
			r.last, f = dots && r.after && rest == "", rest
		}
	}
	if n := len(r.words) - 1; n >= 0 {
		r.words[n] = strings.TrimRight(r.words[n], ".:)]}>")
	}
	return r
}

// dots has the characters that stand for several dots. They begin with the same byte.
var dots = [...]string{"…", "⋮", "⋯"}

// cutDots cuts s around the first dots, of which there are three to five: more are a rule.
func cutDots(s string) (before, after string, found bool) {
	for _, d := range dots {
		if before, after, found = strings.Cut(s, d); found {
			return before, after, true
		}
	}
	if before, after, found = strings.Cut(s, "..."); !found {
		return s, "", false
	}
	after = strings.TrimLeft(after, ".")
	if len(s)-len(before)-len(after) > 5 {
		return s, "", false
	}
	return before, after, true
}

// IsPart reports whether a line is a longer one with a note of text left out in the place of a part, or with dots
// within a word or a sentence. Elsewhere, as in "Loading..." and f(...), dots may be meant.
func IsPart(l, whole string) bool {
	const least = 4 // letters and digits left out
	head, tail := text.CommonEnds(l, whole)
	head = len(strings.TrimRight(l[:head], "."))
	tail = len(strings.TrimLeft(l[len(l)-tail:], "."))
	note, gone := l[head:len(l)-tail], whole[head:len(whole)-tail]
	before, behind := l[:head], strings.TrimLeft(l[head:], ".…")
	if len(gone) < least || text.IsBlank(before) {
		return false
	}
	isNote := !slices.Contains([]Kind{None, Remark, Dots}, In(strings.TrimLeft(note, ".… ")))
	cutsWord := text.InWord(before[len(before)-1]) && text.InWord(gone[0])
	isWithin := strings.HasSuffix(before, " ") && strings.HasPrefix(behind, " ") && tail > 0
	return (isNote || (cutsWord || isWithin) && HasDots(note) && strings.Trim(note, ".… ") == "") &&
		text.LettersAndDigits(gone) >= least && !HasDots(whole)
}

// beginsRemark reports whether the dots that a text begins with are before words, not part of a word or a formula.
func beginsRemark(s string) bool {
	_, after, _ := cutDots(s)
	first := strings.TrimLeft(after, text.Space)
	return first != after && strings.IndexByte(".=,;)]}+|&>!?", first[0]) < 0
}

// IsElision reports whether a line of old text stands for lines left out.
func IsElision(l string) bool {
	return HasDots(l) && slices.Contains([]Kind{Dots, Framed, Words}, In(l))
}

// HasDots reports whether s has dots that may stand for text left out. Few lines do.
func HasDots(s string) bool {
	return strings.Contains(s, "...") ||
		strings.IndexByte(s, dots[0][0]) >= 0 &&
			slices.ContainsFunc(dots[:], func(d string) bool { return strings.Contains(s, d) })
}

// EndsInDots reports whether s ends in dots.
func EndsInDots(s string) bool {
	return strings.HasSuffix(s, "...") || s != "" && s[len(s)-1] >= utf8.RuneSelf &&
		slices.ContainsFunc(dots[:], func(d string) bool { return strings.HasSuffix(s, d) })
}

// Behind returns the comment behind the code of a line, if dots and words make it stand for text left out; or "".
func Behind(l string) string {
	if !HasDots(l) || outline.IsComment(l) {
		return ""
	}
	for at := max(0, len(l)-maxLine); ; {
		_, after, found := cutDots(l[at:])
		if !found {
			return ""
		}
		code := strings.TrimRight(strings.TrimRight(l[:len(l)-len(after)], ".…⋮⋯"), text.Space+"([{<")
		if c := outline.Behind(l, len(code)); In(c) == Words {
			return c
		}
		at = len(l) - len(after)
	}
}
