package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"slices"
)

// A Transaction is a plan prepared for a store: every file before and after. It is immutable, safe for concurrent use, and
// needs no closing: a preview is a Transaction that nobody commits. [Prepare] makes it. The zero value changes nothing, and its
// Commit fails.
type Transaction struct {
	store    Store
	changes  []Change
	targets  []*target // of the changes
	report   *Report
	proposed bool // it awaits approval, so it does not commit

	formatted map[string]*content // by path, of the files that formatting has changed
}

func (t *Transaction) add(c Change, of *target) {
	t.changes = append(t.changes, c)
	t.targets = append(t.targets, of)
}

// Changes returns a copy of the changes, with the whole contents of the files before and after. Keep them to undo the
// transaction with [Invert].
func (t *Transaction) Changes() []Change {
	if t == nil {
		return nil
	}
	changes := t.sharedChanges()
	for _, c := range changes {
		for _, f := range []*File{c.Before, c.After} {
			if f != nil {
				f.Data = bytes.Clone(f.Data)
			}
		}
	}
	return changes
}

// sharedChanges is Changes without copies of the contents.
func (t *Transaction) sharedChanges() []Change {
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
	c := *f
	c.Notes = slices.Clone(f.Notes)
	return &c
}

// Report returns a copy of the report: what the transaction does, and warnings. It is the same before and after Commit: show
// it, then ask.
func (t *Transaction) Report() *Report {
	if t == nil || t.report == nil {
		return &Report{Files: []FileReport{}}
	}
	return t.report.clone()
}

// Commit carries out the transaction, completely or not at all. A [*Refusal] with [ErrStale] or [fs.ErrExist] means that a file has changed
// since [Prepare]; this includes a transaction that was already committed and not undone. One with [ErrDenied] means that the store, or
// whoever it asked, does not allow the changes; if ctx has ended, the error is the context's instead. With [ErrNotDurable], everything was
// done. Other errors are those of [Store]'s Commit. A Transaction that [Host].Approve was given does not commit.
func (t *Transaction) Commit(ctx context.Context) error {
	if t == nil || t.store == nil {
		return errNoTransaction
	}
	if t.proposed {
		return errProposed
	}
	err := t.store.Commit(ctx, t.sharedChanges())
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

// ofRequest returns problems with the changes of t as problems of the request: with the op, and the path that it has.
func (t *Transaction) ofRequest(problems []Problem) []Problem {
	at := map[string]int{}
	for i, c := range t.changes {
		at[c.Path] = i
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return at[a.Path] - at[b.Path] }) // several roots may not keep the order
	for i, p := range problems {
		if change, ok := at[p.Path]; ok {
			of := t.targets[change]
			problems[i].Op, problems[i].Path = of.op, of.asked
		}
	}
	return problems
}

// proposal returns t as a Host shows it to whoever approves it: complete, but only the Host commits it.
func (t *Transaction) proposal() *Transaction {
	p := *t
	p.proposed = true
	return &p
}

var errProposed = errors.New("atomicedit: this Transaction awaits approval: the Host commits it once Approve returns nil")

var errNoTransaction = errors.New("atomicedit: the Transaction is empty: make one with Prepare")
