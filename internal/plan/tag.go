package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

type Tag struct {
	Line int    `json:"line"`
	Hash string `json:"hash,omitempty"`
	Text string `json:"text,omitempty"`
}

// misfit returns a message about a tag that cannot be compared with any line, "" if it can.
func (t Tag) misfit() string {
	switch {
	case t.Line < 1:
		return fmt.Sprintf("a tag is of line %d: expected a line of the file, counted from 1", t.Line)
	case t.Hash != "" && !text.IsTag(t.Hash):
		return fmt.Sprintf("the tag %s of line %d is of an unknown kind, so it cannot be compared with the line: "+
			"copy the tag as it was shown, two to four of the letters %s", Quote(t.Hash), t.Line, text.TagAlphabet)
	}
	return ""
}

func (t Tag) fits(tags *text.Tags, kind text.TagKind) bool {
	if t.Hash == "" {
		return tags.Reads(t.Line, t.Text)
	}
	return tags.Has(t.Hash, kind, t.Line) && (t.Text == "" || tags.Reads(t.Line, t.Text))
}

// CheckTags puts problems of edits with tags that do not fit t, the text before the request, in the place of others.
// All tags have to be of one kind, because a request copies them from views of one tool.
func CheckTags(edits []Edit, t text.Text, found []Problem) []Problem {
	if !slices.ContainsFunc(edits, func(e Edit) bool { return len(e.Tags) > 0 }) {
		return found
	}
	tags := text.TagsOf(t)
	kind := text.TagWithNeighbours
	fewest := staleTags(edits, tags, kind)
	if stale := staleTags(edits, tags, text.TagOfLine); len(stale) < len(fewest) {
		fewest, kind = stale, text.TagOfLine
	}
	if len(fewest) == 0 {
		return found
	}
	found = slices.DeleteFunc(found, func(p Problem) bool { return fewest[p.Edit] != nil })
	now := map[string][]int{}
	for n := 1; n <= tags.Count(); n++ {
		tag := tags.Of(n)
		now[tag] = append(now[tag], n)
	}
	for i := range edits {
		if stale := fewest[i]; stale != nil {
			found = append(found, refuseTags(i, stale, kind, tags, now))
		}
	}
	return found
}

// Shifts returns by how many lines tags, all of them texts, can be moved to fit a text, 0 for where they are: the first
// two such numbers. Where too many lines read alike, they are taken to be there more than once.
func Shifts(all []Tag, tags *text.Tags) (shifts []int) {
	const most = 10_000 // comparisons
	reading := func(t Tag) []int { return tags.Reading(t.Text) }
	rare := slices.MinFunc(all, func(a, b Tag) int { return cmp.Compare(len(reading(a)), len(reading(b))) })
	lines := reading(rare)
	if len(lines)*len(all) > most && len(lines) > 1 {
		return []int{lines[0] - rare.Line, lines[1] - rare.Line}
	}
	for _, line := range lines {
		by := line - rare.Line
		isElse := func(t Tag) bool { return !tags.Reads(t.Line+by, t.Text) }
		if !slices.ContainsFunc(all, isElse) {
			shifts = append(shifts, by)
		}
		if len(shifts) > 1 {
			break
		}
	}
	return shifts
}

// ReadAlike reports whether a text has the texts of tags at their lines, apart from notation and outer whitespace.
func ReadAlike(all []Tag, tags *text.Tags) bool {
	return !slices.ContainsFunc(all, func(t Tag) bool {
		return t.Line < 1 || t.Line > tags.Count() || text.Fold(string(tags.Line(t.Line))) != text.Fold(t.Text)
	})
}

// staleTags returns the tags that do not fit, by the index of their edit, if they are of the given kind.
func staleTags(edits []Edit, tags *text.Tags, kind text.TagKind) map[int][]Tag {
	stale := map[int][]Tag{}
	for i, e := range edits {
		for _, t := range e.Tags {
			if t.misfit() == "" && !t.fits(tags, kind) { // what means nothing is refused elsewhere
				stale[i] = append(stale[i], t)
			}
		}
	}
	return stale
}

// refuseTags refuses an edit with tags that do not fit. It shows their lines as they are now, with those around them.
// Now has the lines of each tag.
func refuseTags(edit int, stale []Tag, kind text.TagKind, tags *text.Tags, now map[string][]int) Problem {
	const most = 3 // differences, or places, that are shown
	var lines, seen []int
	var differs []Difference // in notation or outer whitespace
	moved := ""
	for _, t := range stale {
		if t.Hash == "" && len(differs) < most && ReadAlike([]Tag{t}, tags) {
			differs = append(differs, Difference{Old: t.Text, At: Line{Number: t.Line, Edit: -1,
				Text: string(tags.Line(t.Line))}})
		}
		lines, seen = append(lines, t.Line), append(seen, t.Line)
		if at := now[t.Hash]; len(at) == 1 && len(moved) < quotedBytes {
			moved += fmt.Sprintf("; the tag %s is that of line %d now", t.Hash, at[0])
			seen[len(seen)-1] = at[0]
		} else if at := tags.Reading(t.Text); t.Hash == "" && 0 < len(at) && len(at) <= most && moved == "" {
			moved = fmt.Sprintf("; its text for line %d is that of %s now", t.Line, ListLines(at))
		}
	}
	slices.Sort(lines)
	p := Problem{Err: errs.ErrStale, Edit: edit, Differs: differs, Lines: around(tags, seen, stale[0].Hash != "")}
	p.Msg = fmt.Sprintf("the request has other text for %s: the file has changed since it was read, or the text was "+
		"not copied exactly%s", ListLines(lines), moved)
	isChanged := func(t Tag) bool { return t.Hash != "" && !tags.Has(t.Hash, kind, t.Line) }
	if slices.ContainsFunc(stale, isChanged) {
		p.Msg = fmt.Sprintf("the tag at %s does not fit: the line, or one beside it, has changed since it was read, "+
			"or the tag was not copied exactly%s", ListLines(lines), moved)
	}
	if len(p.Lines) == 0 {
		p.Msg += fmt.Sprintf("; the file has %s: read it again", CountLines(tags.Count()))
	} else {
		p.Msg += ". If the change is still right, send it again for the lines as they are now:"
	}
	return p
}

// around returns some lines and those beside them, with or without their tags.
func around(tags *text.Tags, lines []int, tagged bool) (all []Line) {
	const beside, most, shownBytes = 2, 20, 2000
	var show []int
	for _, at := range lines {
		for n := max(1, at-beside); n <= min(at+beside, tags.Count()) && len(show) < most; n++ {
			show = append(show, n)
		}
	}
	slices.Sort(show)
	for _, n := range slices.Compact(show) {
		line := tags.Line(n)
		l := Line{Number: n, Edit: -1, Text: text.Clip(string(line[:min(len(line), shownBytes+1)]), shownBytes)}
		if tagged {
			l.Tag = "#" + tags.Of(n)
		}
		all = append(all, l)
	}
	return all
}
