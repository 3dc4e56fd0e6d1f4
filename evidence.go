package atomicedit

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// A want is an edit on its way to its place.
type want struct {
	edit     int
	e        *Edit
	plain    passage    // as it stands
	readings []*passage // that, and the others if it fits nowhere
	reading  *passage   // of them, the one that fits
	places   []place    // those left to choose from
	first    [1]place   // room for one
	placed   bool       // there was one, and no problem, before splices were made
	looser   int        // how many fit less well
	anchor   bool       // the edit changes nothing: it is there as evidence
	overrun  bool       // there are too many places to look at
	vague    bool       // there are more ways to lay an elision than places
	missing  string     // an anchor that leads nowhere
	problem  *Problem
	splices  []splice
}

func (w *want) unique() bool { return len(w.places) == 1 }

// fit returns the edit at the k-th of its places.
func (w *want) fit(k int) fit { return fit{w.reading, w.places[k]} }

// A scope is what an anchor line heads: itself and the lines below it up to the first that is no deeper (PLACING O6).
type scope struct{ start, end int }

// scopes returns the scopes that anchors lead to, each looked for in those of the one before; missing is an anchor
// that leads nowhere.
func (x *index) scopes(anchors []string) (found []scope, missing string) {
	if len(anchors) > 0 && slices.Equal(anchors, x.anchors) { // as many edits of a request have the same
		return x.scoped, x.missing
	}
	defer func() { x.anchors, x.scoped, x.missing = anchors, found, missing }()
	found = []scope{{0, len(x.data)}}
	for i, a := range anchors {
		start, end := trimmed(a)
		if start == end {
			continue
		}
		inner := x.headed(a[start:end], found, i > 0)
		if len(inner) == 0 && !slices.ContainsFunc(found, x.holds) { // not inside, but below
			inner = x.headed(a[start:end], []scope{{found[0].start, len(x.data)}}, i > 0)
		}
		if len(inner) == 0 {
			return nil, a[start:end]
		}
		found = inner
	}
	return found, ""
}

// headed returns the scopes of the lines within others that are the anchor, or of the one line that has it as a part;
// below leaves out the first line of each.
func (x *index) headed(anchor string, within []scope, below bool) (found []scope) {
	if x.where != nil {
		found = x.heads(anchor, within, below, x.indexed(anchor))
	}
	if len(found) == 0 {
		found = x.heads(anchor, within, below, x.containing(anchor))
	}
	for i := range found {
		found[i].end = x.scopeEnd(x.lineAt(found[i].start))
	}
	return found
}

// heads returns where the scopes of an anchor start, of all the lines that next finds.
func (x *index) heads(anchor string, within []scope, below bool, next func(from, to int) line) (found []scope) {
	whole := false // lines that are the anchor, not only have it
	at := 0
	for _, s := range within {
		from := max(at, s.start)
		if below {
			from = max(at, x.lineAt(s.start).next)
		}
		for from < s.end {
			l := next(from, s.end)
			if !l.real() {
				break
			}
			from, at = l.next, l.next
			start, end := trimmed(x.bytes(l))
			if is := end-start == len(anchor); is && !whole {
				whole, found = true, nil
			} else if is != whole {
				continue
			}
			found = append(found, scope{l.start, -1})
		}
	}
	if !whole && len(found) > 1 {
		return nil
	}
	return found
}

// containing returns a function that finds the first line between two offsets that has the anchor.
func (x *index) containing(anchor string) func(from, to int) line {
	return func(from, to int) line {
		i := bytes.Index(x.data[from:to], []byte(anchor))
		if i < 0 {
			return none
		}
		return x.lineAt(x.lineStart(from + i))
	}
}

// indexed returns a function that finds the first line between two offsets that is the anchor.
func (x *index) indexed(anchor string) func(from, to int) line {
	lines := x.where[x.ids[fold(anchor)]]
	return func(from, to int) line {
		k := sort.Search(len(lines), func(k int) bool { return x.starts[lines[k]] >= from })
		for ; k < len(lines) && x.starts[lines[k]] < to; k++ {
			l := x.lineAt(x.starts[lines[k]])
			if start, end := trimmed(x.bytes(l)); string(x.bytes(l)[start:end]) == anchor {
				return l
			}
		}
		return none
	}
}

func (t *text) lineStart(at int) int { return bytes.LastIndexByte(t.data[:at], t.eol) + 1 }

// holds reports whether there is text in a scope below its head.
func (x *index) holds(s scope) bool { return !isBlankText(x.data[x.lineAt(s.start).next:s.end]) }

// scopeEnd returns where the first line below head starts that is no deeper and has a letter or digit; below the head of a
// section, or a heading, that is the next of at least its level.
func (t *text) scopeEnd(head line) int {
	title := t.bytes(head)
	depth, flat := width(indentOf(title)), headerOf(title, t.bytes(t.lineAt(head.next)))
	level := headingLevel(title)
	fenced, closed := false, false
	open := brackets(title)
	for at := head.next; at < len(t.data); {
		l := t.lineAt(at)
		content := t.bytes(l)
		ends := !isBlank(content) && width(indentOf(content)) <= depth && longestRun(string(content), isLetterOrDigit) > 0
		open += brackets(content)
		switch {
		case closed:
			ends = !isBlank(content)
		case flat == "}" && open <= 0 && width(indentOf(content)) <= depth && bytes.HasPrefix(bytes.TrimLeft(content, space), []byte("}")):
			closed = true
		case flat == "" || flat == "}":
			ends = ends && !(goesOn(content, flat) && !isComment(string(title)))
		case flat == "[":
			ends = ends && headerOf(content, nil) == flat
		case flat == "#" && level > 0:
			if isFence(string(content)) {
				fenced = !fenced
			}
			n := headingLevel(content)
			ends = ends && !fenced && 0 < n && n <= level
		}
		if ends {
			return at
		}
		at = l.next
	}
	return len(t.data)
}

// brackets counts the braces that a line opens, less those that it closes.
func brackets(l []byte) int { return bytes.Count(l, []byte("{")) - bytes.Count(l, []byte("}")) }

// goesOn reports whether a scope that nothing has closed goes on at a line that is as far out as its head: with the end of a list
// of parameters, a directive or comment, or in braces a label or case. More words before a colon open something of its own.
func goesOn(l []byte, flat string) bool {
	l = bytes.Trim(l, space)
	return bytes.IndexByte([]byte(")]#"), l[0]) >= 0 || flat == "}" && (l[len(l)-1] == ':' && !bytes.ContainsAny(l, space) || bytes.HasPrefix(l, []byte("case ")))
}

// headingLevel returns the level of a heading in Markdown, 0 if the line is none.
func headingLevel(l []byte) int {
	marks := len(l) - len(bytes.TrimLeft(l, "#"))
	if marks == len(l) || l[marks] != ' ' {
		return 0
	}
	return marks
}

// thin leaves w the fits that its anchors and its place at the end speak for (PLACING O1, O6).
func (x *index) thin(w *want) {
	if w.e.AtEnd || strings.Contains(w.e.hunk, `\`) {
		k := len(w.places)
		for k > 0 && isBlankText(x.data[x.end(w.fit(k-1)):]) {
			k--
		}
		w.places = w.places[k:]
	}
	if len(w.e.After) == 0 || len(w.places) == 0 {
		return
	}
	scopes, missing := x.scopes(w.e.After)
	if w.missing = missing; missing != "" {
		w.places = nil
		return
	}
	all, end := w.places, 0
	w.places = nil
	for _, s := range scopes { // in order; the inner ones of those that lie in one another add nothing
		if s.end > end {
			w.places = append(w.places, inside(all, max(s.start, end), s.end)...)
			end = s.end
		}
	}
	if len(w.places) == 0 && !slices.ContainsFunc(scopes, x.holds) { // else it is in none of what they head
		w.places = inside(all, scopes[0].start, len(x.data)+1)
	}
}

// underHeading leaves w the places that the heading of its hunk speaks for, if it speaks for any: those that a line encloses which
// begins with it, or that such a line is the nearest above of those that tools take for headings: git takes what begins with a
// letter, or, if it knows the language, with a word such as "func" (PLACING O5).
func (x *index) underHeading(w *want) {
	heading := []byte(w.e.heading)
	if len(w.places) < 2 || len(heading) == 0 {
		return
	}
	type outer struct {
		depth int
		heads bool // it, or one around it, begins with the heading
	}
	var around []outer
	var kept []place
	word, _, _ := bytes.Cut(heading, []byte(" "))
	limit := x.limit()
	x.overrun = false
	nearest, likely := false, false // the last line that begins with a letter does, or that begins with the same word
	for rest, at := w.places, 0; at < len(x.data) && len(rest) > 0; {
		if x.work++; x.giveUp(limit) {
			w.problem = tooOften()
			return
		}
		l := x.lineAt(at)
		content := x.bytes(l)
		at = l.next
		if isBlank(content) {
			continue
		}
		depth := width(indentOf(content))
		for len(around) > 0 && around[len(around)-1].depth >= depth {
			around = around[:len(around)-1]
		}
		inside := len(around) > 0 && around[len(around)-1].heads
		if rest[0].start == l.start {
			if inside || nearest || likely {
				kept = append(kept, rest[0])
			}
			rest = rest[1:]
		}
		body := bytes.TrimLeft(content, space)
		heads := bytes.HasPrefix(body, heading)
		if bytes.HasPrefix(body, word) {
			likely = heads
		}
		if c := content[0]; c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z' {
			nearest = heads
		}
		around = append(around, outer{depth, heads || inside})
	}
	if len(kept) > 0 {
		w.places = kept
	}
}

// inside returns the places that start at an offset from start up to end.
func inside(places []place, start, end int) []place {
	first := func(at int) int { return sort.Search(len(places), func(k int) bool { return places[k].start >= at }) }
	return places[first(start):first(end)]
}

// keep leaves w the places that are good.
func (w *want) keep(good func(fit) bool) {
	var kept []place
	for k, at := range w.places {
		if good(w.fit(k)) {
			kept = append(kept, at)
		}
	}
	w.places = kept
}

func isBlankText(b []byte) bool { return len(bytes.Trim(b, space+"\n")) == 0 }

// nearest leaves w the fit that the line which the request names speaks for, if it is clear which: the one there, or
// one at most half as far away as the next (PLACING O5). shift is by how many lines earlier hints were off.
func (x *index) nearest(w *want, shift int) {
	if len(w.places) < 2 || w.e.Count != 0 {
		return
	}
	hint := w.e.Near
	if w.reading != nil {
		hint = w.reading.near
	}
	if hint <= 0 {
		return
	}
	hint = x.current(hint) + shift
	number := func(k int) int { return x.lineNumber(x.top(w.fit(k))) }
	below := sort.Search(len(w.places), func(k int) bool { return number(k) >= hint })
	best, first, second := 0, -1, -1
	for k := max(0, below-2); k < min(len(w.places), below+2); k++ {
		n := number(k)
		switch d := max(n-hint, hint-n); {
		case first < 0 || d < first:
			best, first, second = k, d, first
		case second < 0 || d < second:
			second = d
		}
	}
	if first == 0 && second > 0 || 2*first <= second && second > 0 {
		w.places = w.places[best : best+1]
	}
}

// end returns where the last line of a fit ends.
func (x *index) end(f fit) int {
	if f.p == nil {
		return f.end
	}
	end := 0
	for _, l := range x.lines(f) {
		end = max(end, l.next)
	}
	return end
}

// top returns where the first line of a fit starts, blank or not.
func (x *index) top(f fit) int {
	at := f.start
	if f.p == nil || len(f.p.segments[0].solid) == 0 {
		return at
	}
	for i := f.p.segments[0].solid[0]; i > 0 && at > 0; i-- {
		at = x.lineBefore(at).start
	}
	return at
}

// near takes the lines that the request names as evidence, in its order.
func (x *index) near(wants []want) {
	shift := 0
	for i := range wants {
		w := &wants[i]
		x.nearest(w, shift)
		if w.unique() && w.reading.near > 0 {
			shift = x.lineNumber(x.top(w.fit(0))) - x.current(w.reading.near)
		}
	}
}

// order places ambiguous edits by their neighbours in the request, if those are enough evidence and leave exactly one
// way to place all of them in order (PLACING O2).
func (x *index) order(wants []want) {
	if len(wants) < 2 {
		return
	}
	var row []*want
	placed, anchored, ambiguous, last := 0, false, false, -1
	for i := range wants {
		w := &wants[i]
		if len(w.places) == 0 || w.e.Count != 0 { // what fits nowhere, or everywhere, says nothing about order
			continue
		}
		row = append(row, w)
		if !w.unique() {
			ambiguous = true
			continue
		}
		if w.places[0].start <= last {
			return
		}
		last = w.places[0].start
		placed++
		anchored = anchored || w.anchor
	}
	if !ambiguous || placed < 2 && !anchored {
		return
	}
	// ways[i][k]: how many ways there are to place the edits up to the i-th in order with that one at its k-th fit, at most 2.
	ways := make([][]int8, len(row))
	// follows reports whether the i-th edit may begin at an offset if the one before begins at another.
	clash := make([]bool, len(row))
	for i := 1; i < len(row); i++ {
		clash[i] = clashing(row[i-1].reading, row[i].reading)
	}
	follows := func(i, before, at int) bool { return before < at || before == at && !clash[i] }
	for i, w := range row {
		ways[i] = make([]int8, len(w.places))
		if i == 0 {
			for k := range ways[i] {
				ways[i][k] = 1
			}
			continue
		}
		before, sum := 0, int8(0)
		for k, at := range w.places {
			for ; before < len(row[i-1].places) && follows(i, row[i-1].places[before].start, at.start); before++ {
				sum = min(2, sum+ways[i-1][before])
			}
			ways[i][k] = sum
		}
	}
	total := int8(0)
	for _, n := range ways[len(row)-1] {
		total = min(2, total+n)
	}
	if total != 1 {
		return
	}
	limit := len(x.data) + 1
	for i := len(row) - 1; i >= 0; i-- {
		for k, at := range row[i].places {
			if ways[i][k] > 0 && (i == len(row)-1 || follows(i+1, at.start, limit)) {
				limit, row[i].places = at.start, row[i].places[k:k+1]
				break
			}
		}
	}
}

// clashing reports whether two edits would change one line if they began at the same one.
func clashing(a, b *passage) bool {
	if len(a.segments) == 0 || len(b.segments) == 0 {
		return true
	}
	above, below := a.segments[0].solid, b.segments[0].solid
	for k := range min(len(above), len(below)) {
		if !a.keeps(above[k]) && !b.keeps(below[k]) {
			return true
		}
	}
	return false
}

// twins places edits that are the same, and have as many places as there are edits, one at each (PLACING O3).
func twins(wants []want) {
	var same map[string][]*want
	for i := range wants {
		if w := &wants[i]; len(w.places) > 1 && w.e.Count == 0 {
			if same == nil {
				same = map[string][]*want{}
			}
			e := w.e
			key := strings.Join(append([]string{e.Old, e.New, e.hunk}, e.After...), "\x00")
			same[key] = append(same[key], w)
		}
	}
	for _, group := range same {
		if k := len(group); k > 1 && len(group[0].places) == k {
			for i, w := range group {
				if len(w.places) == k {
					w.places = w.places[i : i+1]
				}
			}
		}
	}
}
