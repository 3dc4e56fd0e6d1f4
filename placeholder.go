package atomicedit

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// placeholder refuses new text with a line that stands for code left out: one that neither the old text nor the file has
// (PLACING E5). What new takes the place of is gone.
func placeholder(old, new, gone string, t *text) *Problem {
	any := false
	for l := range strings.Lines(new) {
		if any = omissionIn(strings.TrimRight(l, "\r\n")) != noOmission; any {
			break
		}
	}
	if !any {
		return nil
	}
	had := map[string]bool{}
	for _, l := range splitLines(old) {
		if _, body, _ := cut(l); omissionIn(l) != noOmission {
			had[body] = true
		}
	}
	lines := splitLines(new)
	comment := func(i int) bool {
		return 0 <= i && i < len(lines) && isComment(lines[i]) && omissionIn(lines[i]) == noOmission
	}
	for i, l := range lines {
		how := omissionIn(l)
		if how == noOmission {
			continue
		}
		_, body, _ := cut(l)
		switch {
		case had[body] || bytes.Contains(t.data, []byte(body)):
		case how == byHint && countText(lines) >= countText(splitLines(gone)):
		case comment(i-1) && comment(i+1): // a comment may have dots in its midst
		case how == byDots && comment(i-1) && isComment(l) && openEnd.MatchString(lines[i-1]): // a sentence goes on
		case body == "..." && (isBody(lines, i) || inDoctest(lines, i) || endsDocument(lines, i, old, t)):
		default:
			return &Problem{Err: ErrPlaceholder, Msg: fmt.Sprintf("the new text has the line %q, which stands for code left out: "+
				"write the code out, or leave unchanged lines out of the edit", body)}
		}
	}
	return nil
}

// countText counts the lines that are not blank.
func countText(lines []string) (n int) {
	for _, l := range lines {
		if !isBlank(l) {
			n++
		}
	}
	return n
}

// noContent refuses what cannot be meant as the content of a whole file, of which t is the text before: one with a placeholder,
// or with a viewer's numbers in front of all lines (PLACING N2).
func noContent(content string, t *text) *Problem {
	if len(t.data) > 0 { // else nothing was there that could be left out
		if p := placeholder("", content, string(t.data), t); p != nil {
			return p
		}
	}
	if content == "" || !isSpace(content[0]) { // a table may begin with numbers, but nobody sets them flush right
		return nil
	}
	lines := splitLines(content)
	if n, ok := numberingOf(lines); !ok || !n.sure || len(lines) < 2 || bytes.Contains(t.data, []byte(lines[0])) {
		return nil
	}
	return &Problem{Err: fs.ErrInvalid, Msg: "every line of the content has a line number in front of it, as a viewer shows them: write the lines without the numbers"}
}

// isBody reports whether the i-th line, a bare "...", is all that a line above it opens, but for a docstring. If it is no
// deeper than that line, nothing tells where the body ends.
func isBody(lines []string, i int) bool {
	up := neighbour(lines, i, -1)
	if up >= 0 {
		if doc := docstring(lines, up); doc >= 0 {
			up = neighbour(lines, doc, -1)
		}
	}
	if up < 0 || !opens(lines[up]) {
		return false
	}
	depth := func(i int) int { return width(indentOf([]byte(lines[i]))) }
	down := neighbour(lines, i, 1)
	return down < 0 || depth(down) < depth(i) || depth(i) <= depth(up)
}

// neighbour returns the next line from the i-th on, up or down, that is not blank; -1 if there is none.
func neighbour(lines []string, i, step int) int {
	for i += step; 0 <= i && i < len(lines); i += step {
		if !isBlank(lines[i]) {
			return i
		}
	}
	return -1
}

// opens reports whether a line, but for a comment at its end, opens a body, which may be a bare "...".
func opens(l string) bool {
	l, _, _ = strings.Cut(l, " # ")
	l = strings.TrimRight(l, space)
	return strings.HasSuffix(l, ":") || strings.HasSuffix(l, "{") || strings.HasSuffix(l, "(")
}

// docstring returns the line where the docstring begins that the i-th line ends, -1 if it ends none.
func docstring(lines []string, i int) int {
	_, l, _ := cut(lines[i])
	for _, quotes := range []string{`"""`, "'''"} {
		before, ended := strings.CutSuffix(l, quotes)
		if !ended {
			continue
		}
		for first := i; ; before = lines[first] {
			if at := strings.Index(before, quotes); at >= 0 {
				if isBlank(strings.TrimRight(before[:at], "rRuU")) {
					return first
				}
				return -1
			}
			if first--; first < 0 {
				return -1
			}
		}
	}
	return -1
}

// inDoctest reports whether the i-th line, a bare "...", goes on with what is typed at a prompt of Python. The dots of a
// JavaScript spread have no space behind them.
func inDoctest(lines []string, i int) bool {
	if i == 0 {
		return false
	}
	indent, body, _ := cut(lines[i-1])
	return strings.HasPrefix(lines[i], indent+"...") &&
		(strings.HasPrefix(body, ">>>") || strings.HasPrefix(body, "... ") || body == "...")
}

// endsDocument reports whether the i-th line, a bare "...", is the mark that ends a document of YAML: another document
// follows, or it stands below the last line of the file, which stays, so that there is nothing for it to stand for.
func endsDocument(lines []string, i int, old string, t *text) bool {
	if lines[i][0] != '.' {
		return false
	}
	if i+1 < len(lines) && (lines[i+1] == "---" || strings.HasPrefix(lines[i+1], "--- ")) {
		return true
	}
	up, last := neighbour(lines, i, -1), strings.TrimRight(old, space+"\n")
	return up >= 0 && last != "" && neighbour(lines, i, 1) < 0 && lines[up] == last[strings.LastIndexByte(last, '\n')+1:] &&
		bytes.HasSuffix(bytes.TrimRight(t.data, space+"\n"), []byte(last))
}

// An omission is how a line of new text says that code was left out.
type omission int

const (
	noOmission omission = iota
	byDots              // alone or before something, as a comment may have them that means no code
	byWords             // or by dots on both sides of something
	byHint              // by words that any comment may have: it counts only if there is less code than before
)

const (
	commentSign = `(//|#|--|;|%|/\*+|<!--|\{/\*)[ \t]*`
	commentEnd  = `[ \t]*(\*/\}?|-->)?$`
	threeDots   = `(\.{3,5}|…)` // more of them are a rule
	codeLeftOut = `((keep|leave|insert|and|plus|all|any|more|the|your|other)[ \t]+)*` +
		`(rest of|existing|remaining|unchanged|same|previous|other)[ \t]+(\w+[ \t]+){0,2}` +
		`(code|implementations?|methods?|functions?|contents?|files?|lines?|logic|imports?|class(es)?|body)` +
		`([ \t]+(is|are|remains?|stays?|goes))?([ \t]+(here|unchanged|the same|as before|as is))*[ \t]*[\])]?`
)

var (
	// dotted finds dots that stand alone or begin a comment. What follows them without a space is text, and so is what
	// follows them in a formula.
	dotted = regexp.MustCompile(`^(\.\.\.|…)$|^` + commentSign + threeDots + `([ \t]+[^ \t.=,;)\]}+|&>!?].*|` + commentEnd + `)$`)

	// framed finds dots on both sides of something, and dots beside words that say that code is left out.
	framed = regexp.MustCompile(`(?i)^` + commentSign + threeDots + `[^.].*` + threeDots + `[ \t]*[\])]?` + commentEnd +
		`|^(` + commentSign + `|\[)?` + threeDots + `[ \t]*[\[(]?` + codeLeftOut + `[ \t.…:]*\]?` + commentEnd +
		`|^` + commentSign + threeDots + `[ \t]*[\[(]?(the )?(rest of|existing|remaining|unchanged|previous|same as)\b` +
		`|^` + commentSign + `[\[(]?` + codeLeftOut + `[ \t]*` + threeDots +
		`|^` + commentSign + `[\[(]?((keep|leave|the) )*(rest|existing|remaining|previous|same|other)([ \t].*)?` + threeDots +
		`|^` + commentSign + `.*\b(unchanged|same as before)[ \t\])]*` + threeDots)

	// wordy finds words that say so without dots.
	wordy = regexp.MustCompile(`(?i)^` + commentSign + `[\[(]?[ \t]*(the )?` +
		`(rest of (the )?(code|file|function|method|class|implementation|body|contents?)|(existing|remaining) (code|implementation|methods|functions|imports|logic)|` +
		`previous (code|methods|functions|implementation (is|remains|stays|goes|here|unchanged|as before))|same as before|unchanged code|code unchanged|unchanged|(keep|leave) (everything|all) else|` +
		`(everything else|other (code|methods|functions|imports|logic|content))( (is|are|remains?|stays?|goes))? (unchanged|the same|as before|as is))` +
		`( (is|are|remains?|stays?|goes))?( here| unchanged| the same| as before| as is)?[ \t]*[\])]?[ \t.:]*` + commentEnd)

	// hinting finds words that may say so.
	hinting = regexp.MustCompile(`(?i)^` + commentSign + `[-=[({< \t]*(` +
		`((keep|leave|your|the|all|any|and|insert|add)[ \t]+)*(rest([ \t]+of([ \t]+(the|your|this|that))?[ \t]+\w+)?|(existing|remaining|original)[ \t]+\w+)` +
		`([ \t]+(is|are|remains?|stays?|goes))?([ \t]+(here|unchanged|the same|as before|as is|omitted))?|` +
		`([\w,-]+[ \t]+){1,4}(unchanged|omitted([ \t]+for[ \t]+brevity)?|as[ \t]+before|(remains?|stays?)[ \t]+the[ \t]+same|as[ \t]+is|left[ \t]+out|snipped)` +
		`)[-=\])}>.: \t]*` + commentEnd)

	// openEnd finds the dots that a comment ends with.
	openEnd = regexp.MustCompile(threeDots + commentEnd)
)

// omissionIn returns how a line of new text says that code was left out (PLACING E5).
func omissionIn(s string) omission {
	_, s, _ = cut(s)
	if s == "" || len(s) > 200 || strings.IndexByte("/#-;%<{.[\xe2", s[0]) < 0 { // none of these signs, nor of the ellipsis
		return noOmission
	}
	switch hasDots := hasDots(s); {
	case hasDots && framed.MatchString(s) || sparesCode(s) && wordy.MatchString(s):
		return byWords
	case hasDots && dotted.MatchString(s):
		return byDots
	case mayHint(s) && hinting.MatchString(s):
		return byHint
	}
	return noOmission
}

// sparesCode reports whether s has one of the words in which placeholders without dots are written.
func sparesCode(s string) bool {
	return hasAny(s, "est of", "xisting ", "emaining ", "revious ", "ame as before", "nchanged", " else", "ther ")
}

func mayHint(s string) bool {
	return hasAny(s, "rest", "Rest", "xisting ", "emaining ", "riginal ", "nchanged", "mitted", "as before", "the same", "as is", "left out", "snipped")
}

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
