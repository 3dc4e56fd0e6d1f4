package atomicedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Transaction is a plan prepared for a store: every file before and after. It is immutable, safe for concurrent use,
// and needs no closing. [Prepare] makes it. The zero value changes nothing, and its Commit fails.
type Transaction struct {
	store    Store
	options  *Options
	effects  []effect
	changes  []Change
	report   *Report
	broken   []Problem    // with files that it breaks, most likely
	shown    []shownLines // what a conversation knows if they refuse it
	proposal *Transaction // that awaits approval as this one, so it does not commit; nil if it was never proposed
}

// Changes returns a copy of the changes, with the whole files before and after. Keep them to undo it with [Invert].
func (t *Transaction) Changes() []Change {
	if t == nil {
		return nil
	}
	changes := slices.Clone(t.changes)
	for i, c := range changes {
		changes[i].Before, changes[i].After = c.Before.clone(), c.After.clone()
	}
	return changes
}

func (f *File) clone() *File {
	if f == nil {
		return nil
	}
	return &File{Path: f.Path, Data: bytes.Clone(f.Data), Mode: f.Mode, Notes: slices.Clone(f.Notes)}
}

// Report returns a copy of the report: what the transaction does, and warnings. Commit does not change it.
func (t *Transaction) Report() *Report {
	if t == nil || t.report == nil {
		return &Report{Files: []FileReport{}}
	}
	r := &Report{Files: slices.Clone(t.report.Files), Diff: t.report.Diff, LeftOut: slices.Clone(t.report.LeftOut)}
	for i, f := range r.Files {
		r.Files[i].Matches, r.Files[i].Notes = slices.Clone(f.Matches), slices.Clone(f.Notes)
	}
	for i, p := range r.LeftOut {
		r.LeftOut[i].Places, r.LeftOut[i].Candidates = slices.Clone(p.Places), slices.Clone(p.Candidates)
		if p.Nearest != nil {
			near := *p.Nearest
			r.LeftOut[i].Nearest = &near
		}
	}
	return r
}

// Commit carries out the transaction, completely or not at all. A [*Refusal] with [ErrStale] or [fs.ErrExist] means
// that a file has changed since [Prepare], if only because the transaction was already committed. One with [ErrDenied]
// means that the store, or whoever it asked, does not allow the changes; if ctx has ended, the error is the context's
// instead. With [ErrNotDurable], everything was done. Other errors are those of [Store]'s Commit. A Transaction that
// [Host].Approve was given does not commit.
func (t *Transaction) Commit(ctx context.Context) error {
	if t == nil || t.store == nil {
		return errNoTransaction
	}
	if t.proposal != nil {
		return errors.New("atomicedit: this Transaction awaits approval: the Host commits what Approve returns")
	}
	err := t.store.Commit(context.WithValue(ctx, ownCommit{}, t.written), slices.Clone(t.changes))
	if err == nil || errors.Is(err, ErrNotDurable) || errors.Is(err, ErrUnfinished) {
		return err
	}
	if ctx.Err() != nil && errors.Is(err, ErrDenied) {
		return ctx.Err()
	}
	problems, ok := problemsOf(err)
	if !ok {
		return err
	}
	return refuse(t.ofRequest(problems)...)
}

// written returns which lines of each file t has from its request.
func (t *Transaction) written() map[string]writing {
	wrote := map[string]writing{}
	for i, e := range t.effects {
		if e.change.After != nil {
			w := e.file.now.written()
			w.data, w.version = e.change.After.Data, t.report.Files[i].After
			wrote[e.change.Path] = w
		}
	}
	return wrote
}

// written returns the lines of c that its request has written.
func (c *content) written() writing {
	switch {
	case c.plain != nil:
		w := c.plain.written()
		w.lines, w.alone = linesAfter(w.lines, c.plain.data, c.data), false
		return w
	case c.own != nil:
		return *c.own
	case c.base == nil:
		return writing{all: true, text: c.data}
	}
	end, n := len(c.base.before.Data), countLines(c.base.before.Data)
	return writing{alone: true, lines: seen.Of(convertAll(c.matches, func(m text.Match) [2]int {
		first, last := m.New.Line, m.New.Line+m.New.Lines-1
		if m.Old.Start == end && m.Old.Line == n && first < last { // it only ends the last line that was there
			first++
		}
		return [2]int{first, last}
	})...)}
}

// ofRequest returns problems with the changes of t as problems of the request: with the op, and the path that it has.
func (t *Transaction) ofRequest(problems []Problem) []Problem {
	at, files := map[string]int{}, map[string]*target{}
	for _, e := range t.effects {
		for i, c := range e.changes() {
			at[c.Path], files[c.Path] = len(at), []*target{e.file, e.from}[i]
		}
	}
	// several roots may not keep the order
	slices.SortStableFunc(problems, func(a, b Problem) int { return at[a.Path] - at[b.Path] })
	for i, p := range problems {
		if of := files[p.Path]; of != nil {
			problems[i].Op, problems[i].Path = of.op, of.asked
		}
	}
	return problems
}

var errNoTransaction = errors.New("atomicedit: the Transaction is empty: make one with Prepare")

// An effect is the change that a plan makes to one file of the report.
type effect struct {
	file   *target
	change Change
	from   *target // the file whose content continues here while its own path is removed, nil if there is none
	moved  bool    // it is a move of from: the report has both as one, and the delete of from belongs to it
}

// effectsOf returns the effects on the files of a working copy, in their order, without files that stay as they are.
func effectsOf(targets []*target) []effect {
	movedTo := map[*target]*target{} // for each file that leaves its path: where its content first goes on
	for _, t := range targets {
		if t.before == nil && t.now != nil && t.now.base != nil && t.now.base.now == nil && movedTo[t.now.base] == nil {
			movedTo[t.now.base] = t
		}
	}
	effects := make([]effect, 0, len(targets))
	for _, t := range targets {
		e := effect{file: t, change: Change{Path: t.path, Before: t.before}}
		switch {
		case t.now == nil && (t.before == nil || movedTo[t] != nil),
			t.now != nil && t.before != nil && bytes.Equal(t.now.data, t.before.Data):
			continue
		case t.now != nil:
			e.change.After = &File{Path: t.path, Data: t.now.data, Mode: t.now.mode}
			e.change.Written = t.now.base == nil
			if base := t.now.base; base != nil && base != t {
				e.change.After.Mode = base.before.Mode
				e.moved = movedTo[base] == t
				if onto := base.now == nil && t.before != nil; e.moved || onto {
					e.from, e.change.From = base, base.path
				}
			}
		}
		effects = append(effects, e)
	}
	return effects
}

// effectsOfChanges returns the effects of changes whose plan is not known. Each file moves only once.
func effectsOfChanges(changes []Change) (effects []effect) {
	deletes := map[string]Change{} // those that belong to no move
	for _, c := range changes {
		if c.Before != nil && c.After == nil {
			deletes[c.Path] = c
		}
	}
	for _, c := range changes {
		e := effect{change: c, file: targetOf(c)}
		from, ok := deletes[c.From]
		if e.moved = ok && c.From != "" && c.Before == nil && c.After != nil; e.moved {
			e.from = targetOf(from)
			e.file.now.base = e.from
			delete(deletes, c.From)
		}
		effects = append(effects, e)
	}
	return slices.DeleteFunc(effects, func(e effect) bool {
		_, isDelete := deletes[e.change.Path]
		return e.change.After == nil && !isDelete
	})
}

// targetOf returns the file of a change as a plan would have left it.
func targetOf(c Change) *target {
	t := &target{path: c.Path, before: c.Before}
	if c.Before != nil {
		t.enc = text.EncodingOf(c.Before.Data)
	}
	if c.After != nil {
		t.now = &content{data: c.After.Data, enc: text.EncodingOf(c.After.Data), base: t}
	}
	return t
}

// origin returns the file from whose content the effect starts.
func (e effect) origin() *target {
	if e.moved {
		return e.from
	}
	return e.file
}

func (e effect) before() encodedFile { return encodedFile{e.origin().before, e.origin().enc} }

func (e effect) after() encodedFile {
	if e.change.After == nil {
		return encodedFile{}
	}
	return encodedFile{e.change.After, e.file.now.enc}
}

// forbidden returns the problems for which the store would refuse to commit, as far as it can tell in advance. It is
// asked about a file by every path that the request has for it: one may be a protected link.
func forbidden(ctx context.Context, s Store, effects []effect) (problems []Problem, err error) {
	checker, ok := find[Checker](s)
	if !ok {
		return nil, nil
	}
	check := func(changes ...Change) []Problem {
		refused := checker.Check(ctx, changes)
		if found, ok := problemsOf(refused); ok && ctx.Err() == nil {
			return found
		}
		err = cmp.Or(err, refused)
		return nil
	}
	all := check(changesOf(effects)...)
	for _, e := range effects {
		known := len(problems)
		for _, t := range []*target{e.file, e.from} {
			if t == nil || len(all) == 0 && len(t.also) == 0 {
				continue
			}
			for _, path := range append(slices.Clip(t.also), t.path) {
				c, asked := e.change, []Change(nil)
				if t == e.file {
					c.Path, c.From = path, ""
				} else {
					c.From, asked = path, []Change{{Path: path, Before: t.before}}
				}
				if len(problems) > known {
					break
				}
				for _, p := range check(append(asked, c)...) {
					p.Path, p.Op = t.asked, e.file.op
					problems = append(problems, p)
				}
			}
		}
	}
	if len(problems) == 0 {
		problems = all
	}
	return problems, err
}

func changesOf(effects []effect) []Change {
	changes := make([]Change, 0, len(effects))
	for _, e := range effects {
		changes = append(changes, e.changes()...)
	}
	return changes
}

// changes returns the changes of e: for a move, that of its new path first.
func (e effect) changes() []Change {
	if e.moved {
		return []Change{e.change, {Path: e.from.path, Before: e.from.before}}
	}
	return []Change{e.change}
}
