package lint

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A codeLine is a line that is neither blank nor a comment, without a comment behind it.
type codeLine struct {
	body  string
	depth int
}

// codeLines yields the lines of code of a text with their offsets.
func codeLines(src []byte) iter.Seq2[int, codeLine] {
	return func(yield func(int, codeLine) bool) {
		at := 0
		for line := range strings.Lines(string(src)) {
			l := strings.TrimRight(line, text.Space+"\n")
			if body := strings.TrimLeft(l, text.Space); body != "" && body[0] != '#' && !outline.IsComment(l) {
				for _, sign := range [...]string{" #", " //", " /*"} {
					body, _, _ = strings.Cut(body, sign)
				}
				if !yield(at, codeLine{strings.TrimRight(body, text.Space), outline.Depth(l)}) {
					return
				}
			}
			at += len(line)
		}
	}
}

// indentation warns about the first new line that has an indentation without a reason: no bracket closes above, though
// it is no deeper than the line whose brace it stands in; or it is above a deeper line, or below a less deep one, and the
// upper one of the two does not end as such lines do in the file. Between two new lines, only a dip counts. Where lines
// may end in anything, as in prose, all are taken to have a reason.
func indentation(c change) []Warning {
	if found := yaml(c); found != nil {
		return found
	}
	start, end := c.around()
	if c.before == nil || end-start > maxChange {
		return nil
	}
	t := text.New(c.after)
	old := map[codeLine]bool{}
	for _, l := range codeLines(c.before[start : len(c.before)-len(c.after)+end]) {
		old[l] = true
	}
	lang, known := syntaxOf(c.name)
	hasBraces := known && lang.line != "#" // and no text in a brace that begins in column 1
	var top, up codeLine                   // above low
	upper := 0
	before := sync.OnceValue(func() *rises { return risesOf(c.before) })
	for at, low := range codeLines(c.after[start:end]) {
		at += start
		const check = "check the indentation of this line: "
		switch {
		case up.body == "" || low.depth == up.depth:
		case low.depth < up.depth:
			if !old[low] && hasBraces && leavesBrace(t, at, low) {
				return warn(c.line(at), check+"it is less deep than the one above, and no bracket closes there")
			}
		case old[up] && old[low], !old[up] && !old[low] && top.depth != low.depth, opens(up.body), goesOn(low.body),
			before().explain(up, low):
		case !old[up]:
			return warn(c.line(upper), check+"the line below is deeper, and this one opens nothing")
		default:
			return warn(c.line(at), check+"it is deeper than the one above, which opens nothing")
		}
		top, up, upper = up, low, at
	}
	return nil
}

// leavesBrace reports whether a line at an offset is no deeper than the one whose brace it stands in, but no label.
func leavesBrace(t text.Text, at int, low codeLine) bool {
	if goesOn(low.body) || strings.HasSuffix(low.body, ":") {
		return false
	}
	const far = 1000 // lines
	for l, n := t.SolidAbove(text.Line{Start: at}), 0; l.Real() && n < far; l, n = t.SolidAbove(l), n+1 {
		for _, o := range codeLines(t.Bytes(l)) {
			if o.depth <= low.depth {
				return strings.HasSuffix(o.body, "{") && !isInString(t.Data[l.End:at])
			}
		}
	}
	return false
}

// isInString reports whether a string of several lines is open at the end of a text.
func isInString(s []byte) bool {
	return bytes.Count(s, []byte("`"))%2 != 0 || bytes.Count(s, []byte(`"`))%2 != 0
}

// opens reports whether a line ends as lines above deeper ones often do, leaves a bracket open, or is a list entry.
func opens(body string) bool {
	return strings.ContainsAny(body[len(body)-1:], "{([:,=\\|&+.>") || outline.IsListEntry(body) ||
		strings.Count(body, "(")+strings.Count(body, "[") > strings.Count(body, ")")+strings.Count(body, "]") ||
		slices.Contains([]string{"else", "do", "try", "then", "finally"}, endOf(body))
}

// goesOn reports whether a line of code goes on with what the line above says, or closes a bracket.
func goesOn(body string) bool { return strings.ContainsAny(body[:1], ".+&|?:<-*/%=)]}") }

// rises tell why lines of a text are deeper than those above them.
type rises struct {
	usual map[string]bool   // what the lines above end in
	other map[codeLine]bool // the deeper lines below one that ends in something else than a sign that opens
}

// risesOf returns the rises of a text, nil if its lines get deeper for too many reasons, or too few lines do.
func risesOf(src []byte) *rises {
	type rise struct {
		end string
		low codeLine
	}
	var all []rise
	times := map[string]int{}
	var up codeLine
	for _, low := range codeLines(src) {
		if up.body != "" && up.depth < low.depth {
			all = append(all, rise{endOf(up.body), low})
			times[endOf(up.body)]++
		}
		up = low
	}
	const fewReasons, fewLines = 6, 5
	most := slices.SortedFunc(maps.Values(times), func(a, b int) int { return cmp.Compare(b, a) })
	covered := 0
	for _, n := range most[:min(len(most), fewReasons)] {
		covered += n
	}
	if len(all) < fewLines || covered*20 < len(all)*19 {
		return nil
	}
	r := &rises{map[string]bool{}, map[codeLine]bool{}}
	for _, x := range all {
		r.usual[x.end] = r.usual[x.end] || times[x.end]*50 > len(all)
		r.other[x.low] = r.other[x.low] || !opens(x.end)
	}
	return r
}

// explain reports whether a line may be deeper than the one above.
func (r *rises) explain(up, low codeLine) bool {
	return r == nil || r.usual[endOf(up.body)] || r.other[low]
}

// endOf returns the last word of a line of code, or the sign behind it.
func endOf(body string) string {
	i := len(body)
	for i > 0 && text.InWord(body[i-1]) {
		i--
	}
	return body[min(i, len(body)-1):]
}
