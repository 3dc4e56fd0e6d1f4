package atomicedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

// With returns the same proposal with another text for one of its files, for a user who changes it before saying yes,
// or takes only a part of it. The path is that of the [Change] or of the request. Data has the bytes of the file, in
// its own encoding; it is not copied. The text is formatted and checked as that of any plan. A path that t does not
// change, or deletes, is [fs.ErrInvalid]. A text equal to Before takes the file out, and if that leaves nothing, the
// error is [ErrNoChange]. Errors about the text are a [*Refusal]. It does not change t.
func (t *Transaction) With(ctx context.Context, path string, data []byte) (*Transaction, error) {
	if t == nil || t.store == nil {
		return nil, errNoTransaction
	}
	isNamed := func(e effect) bool {
		paths := append([]string{e.file.path, e.file.named, e.file.asked}, e.file.also...)
		return e.change.After != nil && slices.Contains(paths, path)
	}
	at := slices.IndexFunc(t.effects, isNamed)
	if at < 0 {
		return nil, &fs.PathError{Op: "amend", Path: path, Err: fs.ErrInvalid}
	}
	e, err := t.effects[at].become(ctx, t.effects[at].change.Before, data, t.options)
	if err != nil {
		return nil, err
	}
	effects := slices.Clone(t.effects)
	effects[at] = e
	if before := e.change.Before; before != nil && bytes.Equal(before.Data, e.change.After.Data) {
		effects = slices.Delete(effects, at, at+1)
	}
	if len(effects) == 0 {
		return nil, refuseFile(path, ErrNoChange, "nothing is left of the request")
	}
	return t.of(ctx, effects, t.report.LeftOut)
}

// become returns e for a file that is before, and data afterwards. Of its lines, the conversation wrote those of e.
func (e effect) become(ctx context.Context, before *File, data []byte, o *Options) (effect, error) {
	was, file := e.file.now, *e.file
	file.before, file.look = before, nil
	if before != nil {
		file.enc = o.encodingOf(file.path, before.Data)
	}
	c := *was
	c.data, c.enc, c.matches, c.plain = data, o.encodingOf(file.path, data), nil, nil
	if was.base == e.file {
		c.base = &file
	}
	if c.base != nil {
		c.matches = matchesOfLines(encodedFile{c.base.before, c.base.enc}, encodedFile{&File{Data: data}, c.enc})
	}
	own := was.written()
	own.lines, own.alone = linesAfter(own.lines, was.data, data), false
	c.own = &own
	now, err := c.formatted(ctx, file.path, o)
	file.now, e.file = now, &file
	e.change.Before, e.change.After = before,
		&File{Path: e.change.After.Path, Data: now.data, Mode: e.change.After.Mode}
	return e, err
}

// matchesOfLines returns matches of whole lines, which come from no edit, that lead from one file to another: one of
// all lines if the encoding differs.
func matchesOfLines(from, to encodedFile) []text.Match {
	was, _ := from.text()
	is, _ := to.text()
	deltas, _ := linediff.Deltas(was, is, nil)
	matchOf := func(d linediff.Delta) text.Match {
		return text.Match{Origin: text.Origin{Op: -1, Edit: -1, Fit: int(Exact)},
			Old: text.Piece{Start: d.OldFrom, End: d.OldTo}, New: text.Piece{Start: d.NewFrom, End: d.NewTo}}
	}
	data, matches, _, _ := from.enc.Recode(from.Data, was, is, convertAll(deltas, matchOf))
	if !bytes.Equal(data, to.Data) {
		matches = []text.Match{matchOf(linediff.Delta{OldTo: len(from.Data), NewTo: len(to.Data)})}
	}
	return text.Settle(matches, from.Data, to.Data, from.enc, to.enc)
}

// rebased returns t for the files as they are now. It reports false if it might change other lines, or otherwise.
func (t *Transaction) rebased(ctx context.Context) (*Transaction, bool) {
	changes, err := Rebase(ctx, t.store, t.changes)
	if err != nil || len(changes) != len(t.changes) {
		return nil, false
	}
	effects := slices.Clone(t.effects)
	for i, c := range changes {
		was := t.changes[i]
		at := slices.IndexFunc(effects, func(e effect) bool { return e.change.Path == c.Path && e.change.After != nil })
		if at < 0 || c == was {
			continue
		}
		if !slices.Equal(linesOf(c), linesOf(was)) {
			return nil, false
		}
		if effects[at], err = effects[at].become(ctx, c.Before, c.After.Data, t.options); err != nil {
			return nil, false
		}
	}
	d, err := t.of(ctx, effects, t.report.LeftOut)
	return d, err == nil
}

// linesOf returns the lines that a change takes away and puts in their place, wherever they are.
func linesOf(c Change) (all []string) {
	old, new := linesIn(c.Before.Data), linesIn(c.After.Data)
	groups, _ := merge.Changed(old, new)
	for _, g := range groups {
		gone, come := old.Between(g.OldFrom, g.OldTo), new.Between(g.NewFrom, g.NewTo)
		all = append(all, strings.Join(gone, "\n"), strings.Join(come, "\n"))
	}
	return all
}

// approve returns the transaction to commit.
func (h *Host) approve(ctx context.Context, t *Transaction) (*Transaction, error) {
	if h.Approve == nil {
		return t, nil
	}
	proposed := *t // complete, but only the Host commits it
	proposed.proposal = t
	done, err := h.Approve(ctx, &proposed)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || done == nil:
		return nil, refuse(denial(cmp.Or(err, ErrDenied)))
	case done == &proposed:
		return t, nil
	case done.proposal != t:
		return nil, errors.New(
			"atomicedit: Approve has returned a Transaction that is neither the proposal, nor made of it by With")
	}
	approved := *done
	approved.proposal = nil
	return &approved, nil
}

// maxRetry is how long a Host goes on to prepare a request again whose files change all the time.
const maxRetry = 10 * time.Second

// commitOver commits t, or what it becomes for files that have changed since, as long as it changes the same lines. A
// commit that was late has the store to itself, if the store has turns, so that it is not late for ever.
func commitOver(ctx context.Context, t *Transaction) (*Transaction, error) {
	var late error
	for began := time.Now(); ; {
		next, err := commitInTurn(ctx, t, late)
		if next == nil {
			return t, err
		}
		if !isLate(ctx, err) || time.Since(began) >= maxRetry {
			return next, err
		}
		t, late = next, err
	}
}

// commitInTurn commits t or, after a late commit, what it has become. It returns nil and late if other lines change.
func commitInTurn(ctx context.Context, t *Transaction, late error) (*Transaction, error) {
	// only commits to a Dir take turns
	if s, ok := find[interface {
		turn(context.Context, bool) (func(), error)
	}](t.store); ok {
		release, err := s.turn(ctx, late != nil)
		if err != nil {
			return t, err
		}
		defer release()
	}
	if late != nil {
		next, ok := t.rebased(ctx)
		if !ok {
			return nil, late
		}
		t = next
	}
	return t, t.Commit(ctx)
}

// Turns let commits or edits run beside one another, or one alone; while one waits to be alone, no other begins.
type turns struct{ mu sync.RWMutex }

// turn begins a commit, which ends with release. It fails only if ctx ends.
func (t *turns) turn(ctx context.Context, alone bool) (release func(), err error) {
	lock, unlock := t.mu.RLock, t.mu.RUnlock
	if alone {
		lock, unlock = t.mu.Lock, t.mu.Unlock
	}
	begun := make(chan struct{})
	go func() {
		lock()
		select {
		case begun <- struct{}{}:
		case <-ctx.Done():
			unlock()
		}
	}()
	select {
	case <-begun:
		return unlock, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// isLate reports whether a commit has failed because a file has changed since it was prepared.
func isLate(ctx context.Context, err error) bool {
	return errors.Is(err, ErrStale) && !errors.Is(err, ErrDenied) && ctx.Err() == nil
}

// amendments describes to the model what a user has made of a proposal, "" if nothing.
func amendments(proposed, approved *Transaction) string {
	if proposed == approved {
		return ""
	}
	after := map[string]*File{}
	for _, c := range approved.changes {
		after[c.Path] = c.After
	}
	var b strings.Builder
	for _, c := range proposed.changes {
		now, kept := after[c.Path]
		switch {
		case c.After == nil:
		case !kept:
			fmt.Fprintf(&b, "%s stays as it was\n", names.Show(c.Path))
		default:
			b.WriteString(Diff("proposed/"+c.Path, c.After.Data, "done/"+c.Path, now.Data))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "the user has changed the proposal before approving it; do not change it back:\n" +
		text.Clip(b.String(), maxOthers) + "\n"
}
