package place

import (
	"regexp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// An omission is the way in which a line of new text stands for code left out.
type omission int

const (
	noOmission omission = iota
	byDots              // dots alone or before words, which an ordinary comment may have too
	byWords             // words for code left out, or dots on both sides of something
	byHint              // words that any comment may have: they count only if there is less code than before
)

const (
	commentSign = `(//|#|--|;|%|/\*+|<!--|\{/\*)[ \t]*`
	commentEnd  = `[ \t]*(\*/\}?|-->)?$`
	threeDots   = `(\.{3,5}|…)` // more of them are a horizontal rule
	codeLeftOut = `((keep|leave|insert|and|plus|all|any|more|the|your|other)[ \t]+)*` +
		`(rest of|existing|remaining|unchanged|same|previous|other)[ \t]+(\w+[ \t]+){0,2}` +
		`(code|implementations?|methods?|functions?|contents?|files?|lines?|logic|imports?|class(es)?|body)` +
		`([ \t]+(is|are|remains?|stays?|goes))?([ \t]+(here|unchanged|the same|as before|as is))*[ \t]*[\])]?`
)

var (
	// dotted matches dots that stand alone or begin a comment. Dots with no space after them are text, and so are dots in a
	// formula.
	dotted = regexp.MustCompile(`^(\.\.\.|…)$|^` + commentSign + threeDots + `([ \t]+[^ \t.=,;)\]}+|&>!?].*|` + commentEnd + `)$`)

	// framed matches dots on both sides of something, and dots beside words for code left out.
	framed = regexp.MustCompile(`(?i)^` + commentSign + threeDots + `[^.].*` + threeDots + `[ \t]*[\])]?` + commentEnd +
		`|^(` + commentSign + `|\[)?` + threeDots + `[ \t]*[\[(]?` + codeLeftOut + `[ \t.…:]*\]?` + commentEnd +
		`|^` + commentSign + threeDots + `[ \t]*[\[(]?(the )?(rest of|existing|remaining|unchanged|previous|same as)\b` +
		`|^` + commentSign + `[\[(]?` + codeLeftOut + `[ \t]*` + threeDots +
		`|^` + commentSign + `[\[(]?((keep|leave|the) )*(rest|existing|remaining|previous|same|other)([ \t].*)?` + threeDots +
		`|^` + commentSign + `.*\b(unchanged|same as before)[ \t\])]*` + threeDots)

	// wordy matches such words without dots.
	wordy = regexp.MustCompile(`(?i)^` + commentSign + `[\[(]?[ \t]*(the )?` +
		`(rest of (the )?(code|file|function|method|class|implementation|body|contents?)|(existing|remaining) (code|implementation|methods|functions|imports|logic)|` +
		`previous (code|methods|functions|implementation (is|remains|stays|goes|here|unchanged|as before))|same as before|unchanged code|code unchanged|unchanged|(keep|leave) (everything|all) else|` +
		`(everything else|other (code|methods|functions|imports|logic|content))( (is|are|remains?|stays?|goes))? (unchanged|the same|as before|as is))` +
		`( (is|are|remains?|stays?|goes))?( here| unchanged| the same| as before| as is)?[ \t]*[\])]?[ \t.:]*` + commentEnd)

	// hinting matches words that may mean code left out.
	hinting = regexp.MustCompile(`(?i)^` + commentSign + `[-=[({< \t]*(` +
		`((keep|leave|your|the|all|any|and|insert|add)[ \t]+)*(rest([ \t]+of([ \t]+(the|your|this|that))?[ \t]+\w+)?|(existing|remaining|original)[ \t]+\w+)` +
		`([ \t]+(is|are|remains?|stays?|goes))?([ \t]+(here|unchanged|the same|as before|as is|omitted))?|` +
		`([\w,-]+[ \t]+){1,4}(unchanged|omitted([ \t]+for[ \t]+brevity)?|as[ \t]+before|(remains?|stays?)[ \t]+the[ \t]+same|as[ \t]+is|left[ \t]+out|snipped)` +
		`)[-=\])}>.: \t]*` + commentEnd)

	// openEnd matches the dots at the end of a comment.
	openEnd = regexp.MustCompile(threeDots + commentEnd)
)

// omissionIn returns the omission in a line of new text.
func omissionIn(s string) omission {
	_, s, _ = text.Parts(s)
	if s == "" || len(s) > 200 || strings.IndexByte("/#-;%<{.[\xe2", s[0]) < 0 { // the first byte of no comment, dots or ellipsis
		return noOmission
	}
	switch hasDots := hasDots(s); {
	case hasDots && framed.MatchString(s) || mayBeWordy(s) && wordy.MatchString(s):
		return byWords
	case hasDots && dotted.MatchString(s):
		return byDots
	case mayHint(s) && hinting.MatchString(s):
		return byHint
	}
	return noOmission
}

// mayBeWordy reports whether s has one of the words without which wordy does not match. It is cheaper than wordy.
func mayBeWordy(s string) bool {
	return hasAny(s, "est of", "xisting ", "emaining ", "revious ", "ame as before", "nchanged", " else", "ther ")
}

// mayHint does for hinting what mayBeWordy does for wordy.
func mayHint(s string) bool {
	return hasAny(s, "rest", "Rest", "xisting ", "emaining ", "riginal ", "nchanged", "mitted", "as before", "the same", "as is", "left out", "snipped")
}

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

var elisionMark = regexp.MustCompile(`^[ \t]*(//|#|--|;|%|/\*|<!--|\{/\*)?[ \t]*(\.\.\.|…)[ \t]*(\*/\}?|-->)?[ \t]*$`)

// isElision reports whether a line of old text stands for lines left out.
func isElision(s string) bool {
	return len(s) < 200 && hasDots(s) && (elisionMark.MatchString(s) || framed.MatchString(strings.Trim(s, text.Space)))
}

// hasDots reports whether s has dots that may stand for text left out. Few lines do.
func hasDots(s string) bool { return strings.Contains(s, "...") || strings.Contains(s, "…") }
