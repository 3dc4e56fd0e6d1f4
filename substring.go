package atomicedit

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A stretch is a piece of a text: data[start:end].
type stretch struct{ start, end int }

// manyPlaces is how many places of one string are looked at where one was asked for.
const manyPlaces = 100

// occurrences returns where old stands in t, a line ending in it standing for any one ending of the text (PLACING P5);
// a CRLF is never split. It stops after most places, and at two that overlap if there are to be none.
func (t *text) occurrences(old string, most int, apart bool) (places []stretch) {
	next := t.finder(old)
	for from := 0; len(places) < most && !(apart && overlap(places)); {
		s, ok := next(from)
		if !ok {
			break
		}
		if from = s.start + 1; !t.cutsLetter(s) {
			places = append(places, s)
		}
	}
	return places
}

// cutsLetter reports whether a place ends between a letter and a mark that combines with it.
func (t *text) cutsLetter(s stretch) bool {
	if s.end == len(t.data) || t.data[s.end] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(t.data[s.end:])
	return unicode.Is(unicode.M, r)
}

// overlap reports whether the last two places overlap.
func overlap(places []stretch) bool {
	n := len(places)
	return n > 1 && places[n-1].start < places[n-2].end
}

// overlapping returns the first two places that overlap, nil if none do.
func overlapping(places []stretch) []stretch {
	for i := range places {
		if overlap(places[:i+1]) {
			return places[i-1 : i+1]
		}
	}
	return nil
}

// finder returns a function that finds the next place of old that starts at from or later.
func (t *text) finder(old string) func(from int) (stretch, bool) {
	old = strings.ReplaceAll(old, "\r\n", "\n")
	if t.eol == '\r' {
		old = strings.ReplaceAll(old, "\n", "\r")
	}
	mixed := t.eol == '\n' && strings.Contains(old, "\n") && bytes.IndexByte(t.data, '\r') >= 0
	if !mixed {
		rare := rarest(old)
		return func(from int) (stretch, bool) {
			for from < len(t.data) {
				i := t.find(old, rare, from)
				if i < 0 {
					break
				}
				s := stretch{i, i + len(old)}
				if !t.splitsCRLF(s.start) && !t.splitsCRLF(s.end) {
					return s, true
				}
				from = s.start + 1
			}
			return stretch{}, false
		}
	}
	// Look for the longest line of old, then around it, line by line.
	lines := strings.Split(old, "\n")
	key := 0
	for i, l := range lines {
		if len(l) > len(lines[key]) {
			key = i
		}
	}
	needle := []byte(lines[key])
	if len(needle) == 0 {
		needle, key = []byte("\n"), 0
	}
	at := 0
	return func(from int) (stretch, bool) {
		for at = max(at, from+key); at < len(t.data); { // behind as many line endings
			i := bytes.Index(t.data[at:], needle)
			if i < 0 {
				at = len(t.data)
				break
			}
			hit := at + i
			at = hit + 1
			if lines[key] == "" && hit > 0 && t.data[hit-1] == '\r' {
				hit--
			}
			if s, ok := t.around(hit, lines, key); ok && s.start >= from {
				return s, true
			}
		}
		return stretch{}, false
	}
}

// around returns the place of lines of which the key-th begins at hit.
func (t *text) around(hit int, lines []string, key int) (stretch, bool) {
	s := stretch{hit, hit}
	for i := key - 1; i >= 0; i-- {
		if s.start == 0 || t.data[s.start-1] != '\n' {
			return s, false
		}
		if s.start--; s.start > 0 && t.data[s.start-1] == '\r' {
			s.start--
		}
		if !bytes.HasSuffix(t.data[:s.start], []byte(lines[i])) {
			return s, false
		}
		s.start -= len(lines[i])
	}
	for i := key; i < len(lines); i++ {
		if !bytes.HasPrefix(t.data[s.end:], []byte(lines[i])) {
			return s, false
		}
		s.end += len(lines[i])
		if i == len(lines)-1 {
			break
		}
		if bytes.HasPrefix(t.data[s.end:], []byte("\r\n")) {
			s.end++
		}
		if s.end == len(t.data) || t.data[s.end] != '\n' {
			return s, false
		}
		s.end++
	}
	return s, !t.splitsCRLF(s.start) && !t.splitsCRLF(s.end)
}

// substitute returns the splice that puts new in a place, in the line endings of the place, as far as they differ.
func (t *text) substitute(s stretch, new string) splice {
	if strings.Contains(new, "\n") {
		new = t.withEndings(s, strings.ReplaceAll(new, "\r\n", "\n"))
	}
	old := t.data[s.start:s.end]
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	for head > 0 && !(boundary(old, head) && boundary(new, head)) {
		head--
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for tail > 0 && !(boundary(old, len(old)-tail) && boundary(new, len(new)-tail)) {
		tail--
	}
	return splice{start: s.start + head, end: s.end - tail, new: new[head : len(new)-tail], fit: Exact}
}

// boundary reports whether s may be cut at i: not within a character or a line ending.
func boundary[T string | []byte](s T, i int) bool {
	return i == 0 || i == len(s) || utf8.RuneStart(s[i]) && !(s[i-1] == '\r' && s[i] == '\n')
}

// withEndings writes the k-th line ending of new like the k-th of the place, the rest like its last; where the place
// has none, like the line that it lies in (PLACING F2).
func (t *text) withEndings(s stretch, new string) string {
	var endings []string
	for at := s.start; at < s.end; {
		l := t.lineAt(at)
		if l.next > s.end || l.end == l.next {
			break
		}
		endings, at = append(endings, t.ending(l)), l.next
	}
	if len(endings) == 0 {
		start := bytes.LastIndexByte(t.data[:s.start], t.eol) + 1
		endings = []string{t.endingLike(t.lineAt(start))}
	}
	var b strings.Builder
	for k, l := range strings.SplitAfter(new, "\n") {
		if body, ended := strings.CutSuffix(l, "\n"); ended {
			b.WriteString(body + endings[min(k, len(endings)-1)])
		} else {
			b.WriteString(l)
		}
	}
	return b.String()
}

// replaceString carries out a substring edit: exact, or else as an edit of whole lines (PLACING P5).
func (r *request) replaceString(t *text, edit int, e *Edit) []splice {
	switch {
	case e.Old == e.New:
		r.refuse(edit, ErrNoChange, "old and new text are the same: leave the edit out")
		return nil
	case e.Count < All || e.Near < 0:
		r.refuse(edit, fs.ErrInvalid, "a count below -1, or a negative line number")
		return nil
	}
	evidence := len(e.After) > 0 || e.AtEnd || e.Near > 0
	most := manyPlaces
	if e.Count != 0 || evidence {
		most = len(t.data) + 1
	}
	places := t.occurrences(e.Old, most, e.Count != 0 && !evidence)
	found := len(places)
	if evidence && len(places) > 0 {
		if places = r.thinStrings(t, edit, places, e); len(places) == 0 {
			return nil
		}
	}
	if two := overlapping(places); two != nil && e.Count != 0 {
		r.add(edit, &Problem{Err: ErrOverlap, Places: t.found(places).lines, Msg: fmt.Sprintf("occurrences of the old text overlap, in %s: "+
			"show more of the text, so that they do not", t.found(two))})
		return nil
	}
	switch {
	case len(places) == 0:
		return r.replaceLoosely(t, edit, e)
	case e.Count == 0 && len(places) > 1:
		r.add(edit, t.ambiguous(t.found(places), theOldText))
		return nil
	case e.Count > 0 && len(places) != e.Count:
		r.add(edit, miscounted(t.found(places), e.Count))
		return nil
	}
	if p := placeholder(e.Old, e.New, e.Old, t); p != nil {
		r.add(edit, p)
		return nil
	}
	if isSpace(e.Old[0]) && !severalLines(e.Old) && severalLines(e.New) && slices.ContainsFunc(places, t.withinIndent) {
		if found == 1 {
			return r.replaceLoosely(t, edit, e)
		}
		r.refuse(edit, ErrNotFound, "the old text is there within the indentation of its line, so that how deep the new lines belong cannot be told: copy the line from its beginning")
		return nil
	}
	if twice := func(s stretch) bool { return t.behindIndent(s) && t.indentsTwice(e, s) }; severalLines(e.Old) && slices.ContainsFunc(places, twice) {
		r.refuse(edit, ErrNotFound, "the old text is there behind the indentation of its line, which the new text has again: copy the line from its beginning, or begin both behind its indentation")
		return nil
	}
	var splices []splice
	for _, s := range places {
		if c := t.substitute(s, e.New); c.new != "" || c.start < c.end {
			c.edit = edit
			splices = append(splices, c)
		}
	}
	if len(splices) == 0 {
		r.refuse(edit, ErrNoChange, "old and new text differ only in line endings, which stay as the text has them: leave the edit out")
	}
	if at := slices.IndexFunc(places, t.aboveLine); at >= 0 && strings.HasSuffix(e.Old, "\n") && e.New != "" && !strings.HasSuffix(e.New, "\n") {
		r.note(edit, places[at].start, "the old text ends with a line ending, and the new text does not: its last line was joined with the line below")
	}
	if at := slices.IndexFunc(places, t.behindIndent); at >= 0 {
		r.noteIndent(t, edit, e, places[at])
	}
	if old := strings.Trim(e.Old, space+"\n"); e.Count != 0 && (old != e.Old || strings.ContainsAny(old, "\n\t\v\f")) {
		r.noteLooser(t, edit, e, len(places))
	}
	return splices
}

// behindIndent reports whether a string begins behind some of the indentation of its line, and nothing else.
func (t *text) behindIndent(s stretch) bool {
	return s.start > 0 && isSpace(t.data[s.start-1]) && t.data[s.start-1] != t.eol && t.indents(s.start)
}

// indents reports whether nothing but white space stands before an offset in its line.
func (t *text) indents(at int) bool {
	for at > 0 && t.data[at-1] != t.eol && isSpace(t.data[at-1]) {
		at--
	}
	return at == 0 || t.data[at-1] == t.eol
}

// indentsTwice reports whether new text begins with the indentation that the old text leaves out of its first line, which it
// changes besides: to indent a line is an edit that changes nothing else of it.
func (t *text) indentsTwice(e *Edit, s stretch) bool {
	hidden := string(t.data[t.lineStart(s.start):s.start])
	old, _, _ := strings.Cut(e.Old, "\n")
	new, _, _ := strings.Cut(e.New, "\n")
	return !isSpace(e.Old[0]) && !isBlank(new) && indentOf([]byte(new)) == hidden && strings.Trim(new, space) != strings.Trim(old, space)
}

// noteIndent says what becomes of indentation that the old text does not show: it goes on in front of whatever follows it.
func (r *request) noteIndent(t *text, edit int, e *Edit, s stretch) {
	hidden := string(t.data[t.lineStart(s.start):s.start])
	_, later, _ := strings.Cut(e.New, "\n")
	further := func(l string) bool {
		indent, body, _ := cut(l)
		return body != "" && width(indent) < width(hidden)
	}
	switch {
	case e.New == "" && strings.HasSuffix(e.Old, "\n") && s.end < len(t.data) && !isBlank(t.bytes(t.lineAt(s.end))):
		r.note(edit, s.start, "the old text begins behind indentation of its line, which now stands in front of the line below")
	case isSpace(e.Old[0]) || strings.Contains(strings.TrimSuffix(e.Old, "\n"), "\n"):
	case t.indentsTwice(e, s):
		r.note(edit, s.start, "the old text begins behind the indentation of its line, and the new text has it again: the line is indented twice")
	case slices.ContainsFunc(splitLines(later), further):
		r.note(edit, s.start, "the old text begins behind the indentation of its line: new lines below the first went in as written, further out than it")
	}
}

// severalLines reports whether s has text in more than one line.
func severalLines(s string) bool { return strings.Contains(strings.Trim(s, space+"\n"), "\n") }

// withinIndent reports whether a place of a line with text begins within its indentation and ends where it does: then new lines
// below the first are indented as the request has that line, not the text (PLACING P5).
func (t *text) withinIndent(s stretch) bool {
	start := t.lineStart(s.start)
	return start < s.start && isBlank(t.data[start:s.start]) && !isBlankText(t.data[s.start:s.end]) &&
		(s.end == len(t.data) || t.data[s.end-1] == t.eol || t.lineAt(t.lineStart(s.end)).end == s.end)
}

// aboveLine reports whether a place begins where a line does, and ends above one with text.
func (t *text) aboveLine(s stretch) bool {
	return t.indents(s.start) && s.end < len(t.data) && !isBlank(t.bytes(t.lineAt(s.end)))
}

// thinStrings keeps the places of a string that its evidence speaks for, and refuses the edit if there are none.
func (r *request) thinStrings(t *text, edit int, places []stretch, e *Edit) []stretch {
	w := &want{e: e}
	for _, s := range places {
		w.places = append(w.places, place{class: Exact, start: s.start, end: s.end})
	}
	x, all := r.index(t), w.places
	if x.thin(w); len(w.places) == 0 {
		r.add(edit, x.misplaced(w, all))
	}
	x.nearest(w, 0)
	places = nil
	for _, at := range w.places {
		places = append(places, stretch{at.start, at.end})
	}
	return places
}

// replaceLoosely carries out a substring edit that is not there to the letter as an edit of whole lines.
func (r *request) replaceLoosely(t *text, edit int, e *Edit) []splice {
	lines := *e
	lines.WholeLines = true
	if !strings.HasSuffix(e.Old, "\n") {
		lines.Old, lines.New = e.Old+"\n", e.New+"\n"
	} else if e.New != "" && !strings.HasSuffix(e.New, "\n") {
		lines.New = e.Old
		known := len(r.problems)
		if r.replaceLines(t, edit, []Edit{lines}); len(r.problems) == known {
			r.refuse(edit, ErrNotFound, "the old text is there only with other white space, and the new text lacks the line ending that the old text has at its end: "+
				"give both the same end, or copy the old text exactly")
		}
		return nil
	}
	return r.replaceLines(t, edit, []Edit{lines})
}

// noteLooser says where else an edit of all places would fit less well (PLACING P6).
func (r *request) noteLooser(t *text, edit int, e *Edit, exact int) {
	p := newPassage(edit, e, e.Old, e.Old)
	x := &index{text: t, loosest: min(r.loosest, Notation)}
	x.seek(p.keys...)
	x.scan()
	if places, looser := x.places(p); len(places)+looser > exact {
		r.note(edit, -1, leftAlone(len(places)+looser-exact))
	}
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
