package place

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A change may have been made already. Then the text reads as the new text says, better than it reads as the old text, and the edit
// is refused (J8). An edit whose new text contains the old one fits exactly in its own result, and there it would do its work twice:
// it is refused if the text around its place reads as the new text.

// alreadyThere returns the problem that the text has the new text of an edit, in one place, and that place ignores less than every
// place of the old text, or is where line numbers of the request say. The old text may be nowhere.
func (x search) alreadyThere(w *pending) *Problem {
	p := w.reading
	if len(p.segments) > 1 || !slices.ContainsFunc(p.new, text.Substantial) {
		return nil
	}
	done := &pattern{edit: p.edit, e: p.e}
	done.take(p.new, p.new, nil)
	done.ignores, done.numbered = p.ignores, p.numbered
	best := closest(x.findAs(done).all, nothing)
	if len(best) != 1 {
		return nil
	}
	named := p.numbered != nil && x.v.number(best[0].start) == x.v.current(p.numbered.first)+done.segments[0].solid[0]
	isAsGood := func(c candidate) bool {
		return !best[0].ignores.isBetter(c.ignores) && (!named || c.ignores.isBetter(best[0].ignores))
	}
	if slices.ContainsFunc(w.candidates, isAsGood) {
		return nil
	}
	here := placement{done, best[0]}
	if countText(p.new) == 1 && !sharesWords(p.old, p.new) || !p.adds() && x.isAmong(here, w) {
		return nil
	}
	msg := "the old text is not there, but the new text is, at %s: the change seems to have been made already; if so, leave the edit out"
	if len(w.candidates) > 0 {
		msg = "the new text is already there, at %s, and fits better than the old text does anywhere: if the change has been made, leave the edit out; if not, copy the old text exactly"
	}
	at := x.v.locate([]text.Span{here.span(x.v.Text)})
	return &Problem{Err: errs.ErrApplied, Msg: fmt.Sprintf(msg, at)}
}

// adds reports whether an edit writes a line that it does not show.
func (p *pattern) adds() bool {
	was := map[string]bool{}
	for _, key := range p.keys {
		was[key] = true
	}
	return slices.ContainsFunc(p.new, func(l string) bool { return text.Substantial(l) && !was[fold(l)] })
}

// isAmong reports whether a placement of the new text of w lies where its old text fits, or that this is nowhere. Lines that stay
// when others are removed are no sign that the change was made.
func (x search) isAmong(here placement, w *pending) bool {
	s := here.span(x.v.Text)
	for k := range w.candidates {
		if t := w.placement(k).span(x.v.Text); s.Start < t.End && t.Start < s.End {
			return true
		}
	}
	return len(w.candidates) == 0
}

// sharesWords reports whether at least half of the words of the new text are in the old text too. A single line that shares fewer
// may be in the text by chance.
func sharesWords(old, new []string) bool {
	was, is := text.Tokens(strings.Join(old, "\n")), text.Tokens(strings.Join(new, "\n"))
	return 2*len(linediff.Subsequence(was, is)) >= len(is)
}

// readsSo returns the problem that the text around a place reads as the new text of a substring edit, nil if it does not.
func (v *version) readsSo(at text.Span, e *Edit) *Problem {
	if !strings.Contains(e.New, e.Old) {
		return nil
	}
	old, new := string(v.Data[at.Start:at.End]), e.New
	if strings.Contains(new, "\n") {
		new = withEndings(v.Text, at, strings.ReplaceAll(new, "\r\n", "\n"))
	}
	if !text.HasLetterOrDigit(strings.Replace(new, old, " ", 1)) {
		return nil
	}
	for from, tries := 0, 0; tries < maxCopies; tries++ {
		i := strings.Index(new[from:], old)
		if i < 0 {
			return nil
		}
		if start := at.Start - from - i; start >= 0 && bytes.HasPrefix(v.Data[start:], []byte(new)) {
			return v.again(text.Span{Start: start, End: start + len(new)})
		}
		from += i + 1
	}
	return nil
}

// readsSo does the same for an edit of whole lines. It ignores blank lines, and differences between lines that fold to the same
// key.
func (x search) readsSo(f placement) *Problem {
	p := f.p
	if len(p.new) <= len(p.old) || len(p.segments) != 1 {
		return nil
	}
	old, new := solidKeys(p.old), solidKeys(p.new)
	if len(old) == 0 || len(new) <= len(old) {
		return nil
	}
	all, part := joinedKeys(new), joinedKeys(old)
	for from, tries := 0, 0; tries < maxCopies; tries++ {
		i := strings.Index(all[from:], part)
		if i < 0 {
			return nil
		}
		from += i + 1
		k := strings.Count(all[:from-1], "\n")
		above, below := new[:k], new[k+len(old):]
		at := f.solid(x.v.Text)
		if x.v.endsAt(&at.Start, above) && x.v.beginsAt(&at.End, below) {
			return x.v.again(at)
		}
	}
	return nil
}

// maxCopies is how many copies of the old text in the new one are looked at. More than one is rare: the text would have as many
// places.
const maxCopies = 4

// joinedKeys returns keys as one string in which each is between two newlines.
func joinedKeys(keys []string) string { return "\n" + strings.Join(keys, "\n") + "\n" }

// solidKeys returns the keys of the lines that are not blank.
func solidKeys(lines []string) (keys []string) {
	for _, l := range lines {
		if !text.IsBlank(l) {
			keys = append(keys, fold(l))
		}
	}
	return keys
}

// endsAt reports whether the lines above an offset have these keys, but for blank lines. It moves the offset
// to the first of them.
func (v *version) endsAt(offset *int, keys []string) bool {
	for k := len(keys); k > 0; {
		if *offset == 0 {
			return false
		}
		l := v.LineBefore(*offset)
		*offset = l.Start
		if text.IsBlank(v.Bytes(l)) {
			continue
		}
		if k--; fold(string(v.Bytes(l))) != keys[k] {
			return false
		}
	}
	return true
}

// beginsAt reports whether the lines from an offset on have these keys, but for blank lines. It moves the offset behind them.
func (v *version) beginsAt(offset *int, keys []string) bool {
	for k := 0; k < len(keys); {
		if *offset == len(v.Data) {
			return false
		}
		l := v.LineAt(*offset)
		*offset = l.Next
		if text.IsBlank(v.Bytes(l)) {
			continue
		}
		if fold(string(v.Bytes(l))) != keys[k] {
			return false
		}
		k++
	}
	return true
}

func (v *version) again(at text.Span) *Problem {
	return &Problem{Err: errs.ErrApplied, Msg: fmt.Sprintf("the new text is already there, with the old text in it, at %s: leave the edit out", v.locate([]text.Span{at}))}
}
