package atomicedit

import (
	"fmt"
	"strings"
)

// explain says why the old text of an edit was not found, and what the text has instead.
func (b *builder) explain(w *want) *Problem {
	return &Problem{Err: ErrNotFound, Msg: "the old text is not there"}
}

func (x *index) misplaced(w *want, fits int) *Problem {
	if w.missing != "" {
		return &Problem{Err: ErrNotFound, Msg: fmt.Sprintf("no line reads %q, which the request names as an anchor", w.missing)}
	}
	return &Problem{Err: ErrNotFound, Msg: "the old text is there, but not where the request says"}
}

func ambiguous(places []int, what string) *Problem {
	if what == "" {
		what = "the old text is there more than once, in"
	}
	return &Problem{Err: ErrAmbiguous, Places: places, Msg: what + " " + listLines(places)}
}

func (r *request) ambiguous(edit int, places []int) {
	p := ambiguous(places, "")
	p.Edit = edit
	r.problems = append(r.problems, *p)
}

// places returns the line numbers of fits.
func (x *index) places(fits []fit) []int {
	starts := make([]int, len(fits))
	for i, f := range fits {
		starts[i] = f.starts[0]
	}
	return x.lineNumbers(starts)
}

// listLines names lines, the first ten if there are many.
func listLines(lines []int) string {
	const shown = 10
	var b strings.Builder
	b.WriteString("line")
	if len(lines) != 1 {
		b.WriteString("s")
	}
	for i, n := range lines {
		if i == shown {
			fmt.Fprintf(&b, " and %d more", len(lines)-shown)
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}

// placeholderIn returns a line of new text that stands for code left out, "" if there is none: one that neither the old
// text nor the file has (PLACING E5).
func placeholderIn(new, old string, t text) string {
	if !strings.Contains(new, "...") && !strings.Contains(new, "…") {
		return ""
	}
	had := map[string]bool{}
	for _, l := range splitLines(old) {
		if _, body, _ := cut(l); isPlaceholder(l) {
			had[body] = true
		}
	}
	before := ""
	for _, l := range splitLines(new) {
		_, body, _ := cut(l)
		if isPlaceholder(l) && !had[body] && !strings.Contains(string(t.data), body) && !(body == "..." && opens(before)) {
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

func (r *request) placeholder(edit int, line string) {
	p := placeholderProblem(line)
	p.Edit = edit
	r.problems = append(r.problems, *p)
}

// retry places edits that fit nowhere in the text on what earlier edits of the request wrote (PLACING O4).
func (r *request) retry(b *builder, wants []*want) {}
