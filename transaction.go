package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

// A Transaction is a plan worked out against a store: every file before and after. It is immutable, and needs no
// closing: a preview is a Transaction that nobody commits.
type Transaction struct {
	store   Store
	changes []Change
	ops     []int // for each change, the last op that had to do with it
	report  *Report
}

// Changes returns a copy of the changes; the data of the files is shared, and read-only. Keep them to undo the
// transaction with [Invert].
func (t *Transaction) Changes() []Change {
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

// Report says what the transaction does. It is the same before and after Commit: show it, then ask. It has no warnings:
// those are in the report of [Transaction.Checked].
func (t *Transaction) Report() *Report { return t.report.clone() }

// Commit carries the transaction out, completely or not at all. A [*Refusal] with [ErrStale] or [fs.ErrExist] says that a
// file has changed since [Prepare], as it has if the transaction was committed before, and not undone. Other errors are
// those of [Store.Commit].
func (t *Transaction) Commit(ctx context.Context) error {
	err := t.store.Commit(ctx, t.Changes())
	if err == nil || errors.Is(err, ErrNotDurable) || errors.Is(err, ErrUnfinished) {
		return err
	}
	problems, ok := problemsOf(err)
	if !ok {
		return err
	}
	ops := map[string]int{}
	for i, c := range t.changes {
		ops[c.Path] = t.ops[i]
	}
	for i, p := range problems {
		if op, ok := ops[p.Path]; ok {
			problems[i].Op = op
		}
	}
	return refuse(problems...)
}

// Run prepares a plan and commits it, unless the plan is a dry run. The report comes with every error of the commit too:
// it says what was tried.
func Run(ctx context.Context, s Store, p Plan, o *Options) (*Report, error) {
	t, err := Prepare(ctx, s, p, o)
	if err != nil {
		return nil, err
	}
	if p.DryRun {
		return t.Report(), nil
	}
	return t.Report(), t.Commit(ctx)
}

// finish turns the working copy into a transaction.
func (w *working) finish() (*Transaction, error) {
	if len(w.problems) > 0 {
		return nil, refuse(w.problems...)
	}
	gone := map[*target]*target{} // the files that go, and where their content does
	for _, t := range w.targets {
		if t.before == nil && t.now != nil && t.now.base != nil && t.now.base.now == nil && gone[t.now.base] == nil {
			gone[t.now.base] = t
		}
	}
	t := &Transaction{store: w.store, report: &Report{Files: []FileReport{}}}
	var diffs strings.Builder
	add := func(f *target, c Change) {
		t.changes = append(t.changes, c)
		t.ops = append(t.ops, f.op)
		diffs.WriteString(t.report.add(f, c))
	}
	for _, f := range w.targets {
		as := toReplace
		if f.now == nil {
			as = toDelete
		}
		switch {
		case f.now == nil && (f.before == nil || gone[f] != nil):
		case f.now != nil && f.before != nil && bytes.Equal(f.now.data, f.before.Data):
		case f.before != nil && f.before.protected[as] != "":
			w.op = f.op
			w.refuse(f.path, fs.ErrPermission, f.before.protected[as])
		case f.now == nil:
			add(f, Change{Path: f.path, Before: f.before})
		default:
			c := Change{Path: f.path, Before: f.before}
			c.After = &File{Path: f.path, Data: f.now.data, Mode: f.now.mode, written: f.now.base == nil, foundBy: f.foundBy}
			base := f.now.base
			if base != nil && base != f {
				c.After.Mode = base.before.Mode
			}
			onto := base != nil && base != f && base.now == nil && f.before != nil // a move onto a file that is there
			if onto {
				c.After.from = base.path
			}
			if base == nil || gone[base] != f && !onto {
				add(f, c)
				break
			}
			msg := base.before.protected[toMove]
			if msg == "" && !bytes.Equal(f.now.data, base.before.Data) {
				msg = base.before.protected[toReplace]
			}
			if msg != "" {
				w.op = f.op
				w.refuse(base.path, fs.ErrPermission, msg)
				break
			}
			if onto {
				add(f, c)
				break
			}
			c.From = base.path
			add(f, c)
			t.changes = append(t.changes, Change{Path: base.path, Before: base.before})
			t.ops = append(t.ops, base.op)
		}
	}
	t.report.Diff = diffs.String()
	if len(w.problems) > 0 {
		return nil, refuse(w.problems...)
	}
	if len(t.changes) == 0 {
		return nil, refuse(w.noChange())
	}
	if err := checkPaths(t.changes); err != nil {
		problems, _ := problemsOf(err)
		return nil, refuse(problems...)
	}
	return t, nil
}

// noChange words the refusal of a plan after which everything is as before.
func (w *working) noChange() Problem {
	p := Problem{Err: ErrNoChange, Op: -1, Edit: -1, Msg: "the request changes nothing: everything it asks for is already so"}
	if len(w.targets) == 1 {
		p.Path = w.targets[0].path
	}
	return p
}

// plainly words an error for a model: without the sentinel that it ends in, if it says more than that.
func plainly(err, about error) string { return strings.TrimSuffix(err.Error(), ": "+about.Error()) }

// problemsOf reads an error of a store as problems of a request, and reports whether it is about the request at all.
func problemsOf(err error) ([]Problem, bool) {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return slices.Clone(refusal.Problems), true
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []Problem
		for _, err := range many.Unwrap() {
			problems, ok := problemsOf(err)
			if !ok {
				return nil, false
			}
			all = append(all, problems...)
		}
		return all, len(all) > 0
	}
	for _, about := range []error{
		ErrStale, ErrUnread, ErrBinary, ErrTooLarge, ErrOutside,
		fs.ErrExist, fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, errors.ErrUnsupported,
	} {
		if !errors.Is(err, about) {
			continue
		}
		p := Problem{Err: about, Op: -1, Edit: -1, Msg: plainly(err, about)}
		var at *fs.PathError
		if errors.As(err, &at) {
			p.Path, p.Msg = at.Path, plainly(at.Err, about)
			switch at.Op {
			case "open", "check", "create":
			default:
				p.Msg = at.Op + ": " + p.Msg
			}
		}
		switch about {
		case ErrStale:
			p.Msg += "; read it again"
		case fs.ErrExist:
			p.Msg = "there is a file now that was not there when the request was worked out; read it"
		}
		return []Problem{p}, true
	}
	return nil, false
}
