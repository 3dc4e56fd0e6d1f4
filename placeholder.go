package atomicedit

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// placeholderIn returns a line of new text that stands for code left out, "" if there is none: one that neither the old
// text nor the file has (PLACING E5).
func placeholderIn(new, old string, t *text) string {
	any := false
	for l := range strings.Lines(new) {
		if any = isPlaceholder(strings.TrimRight(l, "\r\n")); any {
			break
		}
	}
	if !any {
		return ""
	}
	had := map[string]bool{}
	for _, l := range splitLines(old) {
		if _, body, _ := cut(l); isPlaceholder(l) {
			had[body] = true
		}
	}
	lines := splitLines(new)
	comment := func(i int) bool { return 0 <= i && i < len(lines) && isComment(lines[i]) && !isPlaceholder(lines[i]) }
	before := ""
	for i, l := range lines {
		_, body, _ := cut(l)
		if isPlaceholder(l) && !had[body] && !bytes.Contains(t.data, []byte(body)) && !(body == "..." && opens(before)) &&
			!(comment(i-1) && comment(i+1)) { // a comment may have dots in its midst
			return body
		}
		if body != "" {
			before = body
		}
	}
	return ""
}

// opens reports whether a line opens a body, which may be a bare "...".
func opens(l string) bool {
	return strings.HasSuffix(l, ":") || strings.HasSuffix(l, "{") || strings.HasSuffix(l, "(")
}

func placeholderProblem(line string) *Problem {
	return &Problem{Err: ErrPlaceholder, Msg: fmt.Sprintf("the new text has the line %q, which stands for code left out: write the code out, or leave unchanged lines out of the edit", line)}
}

var placeholder = regexp.MustCompile(`(?i)^[ \t]*(//|#|--|;|%|/\*+|<!--|\{/\*)[ \t]*(\.\.\.|…)|^[ \t]*(//|#|--|;|%|/\*+|<!--|\{/\*).*` +
	`\b(rest of|existing|remaining|unchanged|same as before|previous)\b.*(\.\.\.|…)|^[ \t]*(\.\.\.|…)[ \t]*$`)

var wordyPlaceholder = regexp.MustCompile(`(?i)^[ \t]*(//|#|--|;|%|/\*+|<!--|\{/\*)[ \t]*[\[(]?[ \t]*(the )?` +
	`(rest of (the )?(code|file|function|method|class|implementation|body)|(existing|remaining|previous) (code|implementation|methods|functions)|same as before|unchanged code|code unchanged)` +
	`( (is|are|remains?|stays?|goes))?( here| unchanged| the same| as before| as is)?[ \t]*[\])]?[ \t.:]*(\*/\}?|-->)?[ \t]*$`)

// isPlaceholder reports whether a line of new text says that code was left out (PLACING E5).
func isPlaceholder(s string) bool {
	s = strings.TrimLeft(s, space)
	if s == "" || len(s) > 200 || strings.IndexByte("/#-;%<{.\xe2", s[0]) < 0 { // none of these signs, nor of the ellipsis
		return false
	}
	return hasDots(s) && placeholder.MatchString(s) || sparesCode(s) && wordyPlaceholder.MatchString(s)
}

// sparesCode reports whether s has one of the words in which placeholders without dots are written.
func sparesCode(s string) bool {
	for _, w := range []string{"est of", "xisting ", "emaining ", "revious ", "ame as before", "nchanged"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
