package place

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// explain returns the problem that the old text of the last of all edits was not found: the reason, and what the text
// has instead. The edits before it, which are placed with it, are built.
func (r *request) explain(x search, all []judged) *Problem {
	w := &all[len(all)-1]
	if w.tooMany {
		return x.v.tooOften()
	}
	if p := cmp.Or(r.dependence(x.v, all), x.nowhere(w.plain.bare, w.plain.old)); p != nil {
		return p
	}
	for _, u := range undamaged(w.e.Old) {
		if r.effort.take(20) == 20 && (len(x.v.Occurrences(strings.TrimSuffix(u.text, "\n"), 1)) > 0 ||
			len(x.asLines(u.text, upTo(Indentation))) > 0) {
			return x.v.problem(errs.ErrNotFound, "{old} is not there as written, but it is "+u.how)
		}
	}
	return x.nearestTo(w, &r.edits[w.edit], &r.effort)
}

// An unharmed has an old text as the text may have it if that is not there as written.
type unharmed struct{ text, how string }

// undamaged returns an old text without a level of escapes, a code fence, or the markers of blocks, if it has them.
func undamaged(old string) (all []unharmed) {
	if plain := text.Unescaped(old); plain != old {
		all = append(all, unharmed{plain, "after one level of unescaping " +
			`("\n", "\"", "&lt;" and the like): send {old} and {new} without the escapes`})
	}
	if bare, ok := plan.WithoutFence(old); ok {
		all = append(all, unharmed{bare, "without its code fence: send {old} and {new} without the fence"})
	}
	isMarker := func(l string) bool {
		return strings.HasPrefix(l, "<<<<<<<") || strings.HasPrefix(l, "=======") || strings.HasPrefix(l, ">>>>>>>")
	}
	if lines := text.Split(old); slices.ContainsFunc(lines, isMarker) {
		bare := strings.Join(slices.DeleteFunc(lines, isMarker), "\n")
		all = append(all, unharmed{bare, "without the markers: send {old} and {new} without them"})
	}
	return all
}

// dependence returns the problem that the old text of the last edit depends on one before it, nil if it does not.
func (r *request) dependence(v *version, all []judged) *Problem {
	const near = 50 // earlier edits are considered
	w := &all[len(all)-1]
	from := max(0, w.edit-near)
	for i, e := range r.edits[from:w.edit] {
		i += from
		if own := r.edits[w.edit]; e.Old == own.Old && e.New == own.New && !r.isRefused(all, i) {
			return v.problem(errs.ErrNotFound, "it is the same as %s, after which {old} is not there any more: leave it out",
				v.words.Nth(i))
		}
		if strings.Contains(e.New, strings.Trim(w.e.Old, text.Space+"\n")) && r.isRefused(all, i) {
			return v.problem(errs.ErrNotFound,
				"not tried: it looks for text that %s writes, and that {edit} was refused", v.words.Nth(i))
		}
	}
	if len(v.done) == 0 {
		return nil
	}
	if places := v.origin().Occurrences(w.e.Old, 1); len(places) > 0 {
		return v.changed(places[0])
	}
	return nil
}

// isRefused reports whether an edit has been refused, one of all or one before them.
func (r *request) isRefused(all []judged, edit int) bool {
	if k := edit - all[0].edit; k >= 0 {
		return all[k].done.problem != nil
	}
	return slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Edit == edit })
}

// An effort is how often a text was searched to explain why edits were not found. Only the first edits that fail are
// explained at length: where many fail, they usually have a common cause.
type effort int

// take counts some more searches, and returns how many of them are allowed.
func (f *effort) take(searches int) int {
	const most = 300
	searches = min(searches, most-int(*f))
	*f += effort(searches)
	return searches
}

// nearestTo refuses w, the edit e as it was tried last, whose old text is nowhere, and shows the closest region, in the
// plainest reading with one, and in the scope of its anchor if one is there.
func (x search) nearestTo(w *judged, e *Edit, effort *effort) *Problem {
	const enough, hardly = 0.4, 0.15 // the least similarity of a region that is shown, and how much less another has
	const few = 6                    // lines that are shown of the other
	problem := x.v.problem(errs.ErrNotFound, "{old} is not there")
	if omission.Any(e.Old) && !omission.Any(e.New) {
		problem.Msg = x.v.words.Say(`{old} is not there, and its "..." stands for lines only if {new} has it as well`)
	}
	if w.plain.isBlank() || len(x.index.Starts) == 0 {
		problem.Msg += ": read the file"
		return problem
	}
	scopes := x.follow(w.e.Anchors).scopes
	worth := func(region []pair) float64 {
		alike := similarity(region)
		first, _ := spanOf(region)
		for _, s := range scopes {
			if alike >= enough && s.Start <= x.index.Starts[first] && x.index.Starts[first] < s.End {
				return alike + 1
			}
		}
		return alike
	}
	for _, p := range append([]*pattern{&w.plain}, w.readings...) {
		offsets := x.likely(p, effort)
		if start, ok := x.shuffled(p, offsets); ok {
			problem.Msg += ", but its lines are, in another order, at "
			x.show(problem, p, x.inOrder(p, start))
			problem.Differs, problem.More = nil, 0
			return problem
		}
		var best, rival []pair
		for _, o := range offsets {
			switch r := x.compared(p, o); {
			case worth(r) > worth(best):
				best, rival = r, best
			case worth(r) > worth(rival):
				rival = r
			}
		}
		if similarity(best) < enough {
			continue
		}
		first, last := spanOf(best)
		from, to := spanOf(rival)
		if similarity(rival) < enough || worth(rival) < worth(best)-hardly || from <= last && first <= to {
			differs := func(d pair) bool { return !d.fits }
			switch isThere := !slices.ContainsFunc(best, differs); {
			case isThere && len(p.segments) > 1:
				problem.Msg += `; what it has above its "..." is at `
			case isThere:
				problem.Msg += "; but for blank lines, it is at "
			default:
				problem.Msg += "; the closest is at "
			}
			x.show(problem, p, best)
			return problem
		}
		start, end := x.index.Starts[from], x.v.LineAt(x.index.Starts[min(to, from+few-1)]).Next
		problem.Msg += x.v.words.Say("; the closest are at line %d and, compared below, at ", x.v.sourceLine(start))
		x.show(problem, p, best)
		problem.Lines = append(problem.Lines, x.v.shown(text.Span{Start: start, End: end})...)
		return problem
	}
	problem.Msg += ", nor is any text close to it: read the file"
	return problem
}

// likely returns where the first lines of p may be meant to be, or 0: lines vote, or words; nothing is compared with
// all. Behind an elision, nobody knows how far down a line is.
func (x search) likely(p *pattern, effort *effort) []int {
	keys := p.keys[:p.segments[0].to]
	offsets, score, _ := x.index.Vote(keys)
	if 2*score < float64(len(p.segments[0].solid)) {
		const most = 12
		clues := text.Clues(keys, most)
		offsets = append(offsets, x.index.VoteByClues(x.v.Text, clues[:effort.take(len(clues))])...)
	}
	if len(offsets) == 0 {
		offsets = []int{0}
	}
	return offsets
}

// A pair is a line of the request and the line that the text has in its place.
type pair struct {
	asked int // index in pattern.old, or -1
	found int // index in index.Starts, or -1
	fits  bool
	alike float64 // how much the lines have in common, from 0 to 1
}

// similarity returns how much is common, from 0 to 1. A line that the request lacks is half as bad as a wrong one.
func similarity(pairs []pair) float64 {
	alike, all := 0.0, 0.0
	for _, d := range pairs {
		alike, all = alike+d.alike, all+1
		if d.asked < 0 {
			all -= 0.5
		}
	}
	return alike / max(1, all)
}

// pair compares the k-th line of p that is not blank with the i-th of the text. There may be no such line.
func (x search) pair(p *pattern, k, i int) pair {
	if k < 0 {
		return pair{asked: -1, found: i}
	}
	asked := p.segments[0].solid[k]
	if i < 0 || i >= len(x.index.Starts) {
		return pair{asked: asked, found: -1}
	}
	found := x.v.Bytes(x.v.LineAt(x.index.Starts[i]))
	if fitOf(p.old[asked], p.keys[asked], found).within(x.allows & p.allows) {
		return pair{asked, i, true, 1}
	}
	return pair{asked, i, false, linediff.Likeness(p.old[asked], found)}
}

// spanOf returns the first and the last line of the text among pairs.
func spanOf(pairs []pair) (first, last int) {
	first, last = -1, -1
	for _, d := range pairs {
		if last = max(last, d.found); first < 0 {
			first = d.found
		}
	}
	return first, last
}

// compared pairs the lines of p with those of the text at an offset, one to one or as they are most alike.
func (x search) compared(p *pattern, offset int) []pair {
	inOrder, aligned := x.inOrder(p, offset), x.aligned(p, offset)
	if similarity(aligned) > similarity(inOrder) {
		return aligned
	}
	return inOrder
}

// inOrder pairs the lines of p with those of the text from an offset on, one to one.
func (x search) inOrder(p *pattern, offset int) (pairs []pair) {
	for k := range p.segments[0].solid {
		pairs = append(pairs, x.pair(p, k, offset+k))
	}
	return pairs
}

// beside returns the keys of the lines of p, and of the text's around an offset, from a line on; none if p is long.
func (x search) beside(p *pattern, offset int) (asked, found []string, from int) {
	const most, around = 200, 8
	solid := p.segments[0].solid
	if len(solid) > most {
		return nil, nil, 0
	}
	from = max(0, offset-around)
	lines := x.index.Starts[from:min(len(x.index.Starts), offset+len(solid)+around)]
	found = mapped(lines, func(start int) string { return text.Fold(string(x.v.Bytes(x.v.LineAt(start)))) })
	return mapped(solid, func(i int) string { return p.keys[i] }), found, from
}

// aligned pairs the lines of p with those of the text around an offset, where either may lack some; nil if p is long.
func (x search) aligned(p *pattern, offset int) (pairs []pair) {
	asked, found, from := x.beside(p, offset)
	for _, r := range linediff.Rows(asked, found) {
		if r.New >= 0 {
			r.New += from
		}
		pairs = append(pairs, x.pair(p, r.Old, r.New))
	}
	return pairs
}

// shuffled returns where, near some offsets, the lines of the text are those of p in another order, if they are nowhere
// in the same one.
func (x search) shuffled(p *pattern, offsets []int) (start int, ok bool) {
	for _, o := range offsets {
		asked, found, from := x.beside(p, o)
		sorted := slices.Sorted(slices.Values(asked))
		for n := len(asked); 1 < n && n <= min(shownLines, len(found)); found, from = found[1:], from+1 {
			here := found[:n]
			if slices.Equal(asked, here) {
				return 0, false
			}
			if !ok && slices.Equal(sorted, slices.Sorted(slices.Values(here))) {
				start, ok = from, true
			}
		}
	}
	return start, ok
}

// show adds the region of some pairs to a problem: where it is, its lines, and how p differs from them.
func (x search) show(problem *Problem, p *pattern, pairs []pair) {
	const most = 5 // differences that are listed
	starts := x.index.Starts
	last, focus := -1, -1
	for _, d := range pairs {
		last = max(last, d.found)
		if d.fits {
			continue
		}
		if focus < 0 {
			focus = last
		}
		if len(problem.Differs) == most {
			problem.More++
			continue
		}
		differs := plan.Difference{Extra: d.asked < 0, Missing: d.found < 0}
		if last >= 0 {
			differs.At = x.v.show(x.v.LineAt(starts[last]))
		}
		if d.asked >= 0 {
			differs.Old = p.old[d.asked]
		}
		problem.Differs = append(problem.Differs, differs)
	}
	first, _ := spanOf(pairs)
	start, bottom := starts[first], x.v.LineAt(starts[last])
	at := x.v.locate([]text.Span{{Start: start, End: bottom.Next}, {Start: bottom.Start, End: bottom.Next}})
	problem.Nearest = &plan.Region{Line: at.lines[0], Text: string(x.v.Data[start:bottom.Next]),
		Similarity: similarity(pairs)}
	problem.Msg += plan.LineSpan(at.lines[0], at.lines[1]-at.lines[0]+1) + at.after
	if bytes.Count(x.v.Data[start:bottom.Start], []byte{x.v.EOL}) >= shownLines {
		problem.Msg += ", shown in part"
		start = starts[max(first, focus-2)]
	}
	problem.Msg += ":"
	problem.Lines = x.v.shown(text.Span{Start: start, End: bottom.Next})
}
