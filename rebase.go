package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Rebase turns changes that were made for older texts into changes for the texts that s has now. It reads and commits
// nothing else. A file that has changed since is merged by lines, as "git merge-file" does: the text in s keeps its
// line endings, encoding and mode, and a change that both sides have made is taken once. Where both sides have changed
// the same lines, or neighboring ones, the error is a [*Refusal] with [ErrStale] that shows both. A file is created,
// deleted or moved only if nothing of it has changed. Changes that are there already are left out; if nothing is left,
// the error is [ErrApplied].
//
// Rebase of [Invert] takes an edit back while the edits that others have made since stay. It reads through a [Session],
// whatever the conversation has seen. The cost for each file that has changed is about that of [Diff], twice.
func Rebase(ctx context.Context, s Store, changes []Change) ([]Change, error) {
	if s == nil {
		return nil, errNoStore
	}
	var rebased []Change
	var problems []Problem
	gone := map[string]bool{}
	for _, c := range changes {
		path := c.Path
		now, err := readAny(ctx, s, path)
		if errors.Is(err, fs.ErrNotExist) {
			now, err = nil, nil
		}
		if err == nil {
			c, err = c.rebase(now)
		}
		switch found, ok := problemsOf(err); {
		case ok && ctx.Err() == nil:
			problems = append(problems, found...)
		case err != nil:
			return nil, err
		case c != Change{}:
			rebased = append(rebased, c)
		default:
			gone[path] = now == nil
		}
	}
	for _, c := range rebased {
		if gone[c.From] { // what moves, as the create and the delete of a move stand or fall together
			found, _ := problemsOf(Change{Path: c.From, Before: c.After}.Check(nil))
			problems = append(problems, found...)
		}
	}
	switch {
	case len(problems) > 0:
		return nil, refuse(problems...)
	case len(rebased) == 0:
		return nil, refuseFile("", ErrApplied, "there is nothing left to change: the files are already as asked")
	}
	return rebased, nil
}

// rebase returns c for the file as it is now. The zero value stands for a change that is there already.
func (c Change) rebase(now *File) (Change, error) {
	isEdit := c.Before != nil && c.After != nil && c.From == ""
	switch {
	case c.Check(now) == nil:
		return c, nil
	case now == nil && c.After == nil, now != nil && c.After != nil && bytes.Equal(now.Data, c.After.Data):
		return Change{}, nil
	case now == nil || !isEdit:
		return c, c.Check(now)
	}
	of := func(f *File) encodedFile { return encodedFile{f, text.EncodingOf(f.Data)} }
	m, msg := mergeTexts(of(c.Before), of(now), of(c.After), nil) // nobody asks where the matches come from
	if msg != "" {
		return c, refuseFile(c.Path, ErrStale, msg)
	}
	if bytes.Equal(m.data, now.Data) {
		return Change{}, nil
	}
	after := &File{Path: c.After.Path, Data: m.data, Mode: c.After.Mode}
	if c.After.Mode == c.Before.Mode {
		after.Mode = now.Mode
	}
	return Change{Path: c.Path, Before: now, After: after}, nil
}

// A mergedText is a text with the change of another version of it.
type mergedText struct {
	data    []byte
	matches []text.Match // that lead there from ours
	since   []merge.Group
	others  string // the difference between the base and ours, as hunks
	once    int    // bytes that both have added beside other changes: ours has them
	layout  bool   // there are conflicts, but what ours has changed there is white space alone
}

// mergeTexts makes in ours the change from base to theirs, by the matches. A message says why not.
func mergeTexts(base, ours, theirs encodedFile, by []text.Match) (m mergedText, msg string) {
	var texts [3]text.Text
	var lines [3]merge.Lines
	for i, f := range []encodedFile{base, ours, theirs} {
		data, ok := f.text()
		if !ok {
			return m, "the file has changed since it was read, and it is not text; read it again"
		}
		texts[i] = text.New(data)
		lines[i] = merge.LinesOf(texts[i])
	}
	toOurs, _ := merge.Changed(lines[0], lines[1])
	toTheirs, _ := merge.Changed(lines[0], lines[2])
	groups, once, conflicts := merge.Carry(lines[1], lines[2], toOurs, toTheirs)
	m.since, m.others, m.once = toOurs, merge.Hunks(lines[0], lines[1], toOurs), once
	if len(conflicts) > 0 {
		m.layout = !slices.ContainsFunc(conflicts, func(c merge.Conflict) bool {
			was, is := lines[0].Between(c.Base[0], c.Base[1]), lines[1].Between(c.Ours[0], c.Ours[1])
			return !slices.EqualFunc(was, is, func(a, b string) bool {
				return slices.Equal(strings.Fields(a), strings.Fields(b))
			})
		})
		return m, bothSides(conflicts[0], lines)
	}
	ended := texts[1].Terminated()
	if texts[2].Terminated() != texts[0].Terminated() {
		ended = texts[2].Terminated()
	}
	splices := splicesOf(groups, texts[1], lines[2], ended, by)
	var lacks string
	if m.data, m.matches, lacks = ours.splice(texts[1].Data, splices); lacks != "" {
		return m, "the file has changed its encoding since it was read, and lacks " + plan.Excerpt(lacks)
	}
	return m, ""
}

// splicesOf returns the splices that put lines of theirs into ours. Ended: the last line has an ending.
func splicesOf(groups []merge.Group, ours text.Text, theirs merge.Lines, ended bool, by []text.Match) []text.Splice {
	var splices []text.Splice
	at, line := 0, 0
	for _, g := range groups {
		var removed []text.Line
		at, line = ours.Skip(at, g.OldFrom-line), g.OldFrom
		for next := at; len(removed) < g.OldTo-g.OldFrom; next = removed[len(removed)-1].Next {
			removed = append(removed, ours.LineAt(next))
		}
		o := text.Origin{Op: -1, Edit: -1}
		isOf := func(m text.Match) bool { return m.New.Line <= g.NewTo+1 && g.NewFrom < m.New.Line+m.New.Lines }
		if i := slices.IndexFunc(by, isOf); i >= 0 {
			o = by[i].Origin
		}
		splices, _ = ours.ReplaceLines(splices, o, at, removed, theirs.Between(g.NewFrom, g.NewTo))
	}
	return text.MergeTouching(ours.EndAs(ended, splices, text.Origin{Op: -1, Edit: -1}))
}

func bothSides(c merge.Conflict, lines [3]merge.Lines) string {
	const most = 500 // bytes of each side
	side := func(new merge.Lines, to [2]int) string {
		g := merge.Group{OldFrom: c.Base[0], OldTo: c.Base[1], NewFrom: to[0], NewTo: to[1]}
		hunk := text.Clip(merge.Hunk(lines[0], new, g), most)
		return strings.TrimSuffix(hunk, "\n") + "\n"
	}
	return "the file has changed since it was read, at " + plan.LineSpan(c.Ours[0]+1, c.Ours[1]-c.Ours[0]) +
		", where the request changes it too. The change since then:\n" + side(lines[1], c.Ours) +
		"The change that the request makes:\n" + side(lines[2], c.Theirs)
}
