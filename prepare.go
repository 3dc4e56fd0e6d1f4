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
	for i, p := range problems {
		if at := slices.IndexFunc(t.changes, func(c Change) bool { return c.Path == p.Path }); at >= 0 {
			problems[i].Op = t.ops[at]
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

// Prepare works out what p does to the files of s: it reads each file once, and never writes. The ops act in order, each
// on what the ones before it made. Everything that is wrong with the plan is told at once, in a [*Refusal]; an error of
// another kind comes from the store.
func Prepare(ctx context.Context, s Store, p Plan, o *Options) (*Transaction, error) {
	if o == nil {
		o = &Options{}
	}
	w := &working{ctx: ctx, store: s, opts: o, named: map[string]*target{}}
	for i, op := range p.Ops {
		w.op = i
		if err := w.do(op); err != nil {
			return nil, err
		}
	}
	return w.finish()
}

// A working copy of the files that a plan names.
type working struct {
	ctx      context.Context
	store    Store
	opts     *Options
	op       int                // index of the op at work
	named    map[string]*target // by the store's name, and by every name that was asked for
	targets  []*target          // in the order of the plan
	problems []Problem
}

// A target is one file: what the store has, and what the plan has made of it so far.
type target struct {
	path    string
	before  *File // nil: absent
	now     *content
	op      int   // the last op that had to do with it
	refused error // why the store would not show it; told once for each op
	broken  bool  // an op that should have made or removed it was refused: what comes later cannot be judged
}

// Content is what a file is to hold, and where that comes from.
type content struct {
	data    []byte
	base    *target // the file whose before the matches lie on; nil if all of it is new
	matches []Match
	notes   []Note
	unseen  string      // see File
	mode    fs.FileMode // see Op
}

// refuse notes a problem with the op at work.
func (w *working) refuse(path string, err error, msg string) {
	w.problems = append(w.problems, Problem{Err: err, Path: path, Op: w.op, Edit: -1, Msg: msg})
}

// target returns the file that path names, read now if it was not before. The error is one of the machinery.
func (w *working) target(path string) (*target, error) {
	if t := w.named[path]; t != nil {
		t.op = w.op
		return t, nil
	}
	f, err := w.store.Read(w.ctx, path)
	name := path
	if clean, bad := cleanPath(path); bad == nil {
		name = clean
	}
	if f != nil && f.Path != "" {
		name = f.Path
	}
	t := w.named[name]
	if t == nil {
		t = &target{path: name}
		switch {
		case err == nil:
			t.before = f
			t.now = &content{data: f.Data, base: t, unseen: f.unseen}
		case errors.Is(err, fs.ErrNotExist):
		default:
			if _, ok := problemsOf(err); !ok || w.ctx.Err() != nil {
				return nil, err
			}
			t.refused = err
		}
		w.named[name] = t
		w.targets = append(w.targets, t)
	}
	w.named[path] = t
	t.op = w.op
	return t, nil
}

// do carries out one op on the working copy.
func (w *working) do(op Op) error {
	if op.Path == "" {
		w.refuse("", fs.ErrInvalid, "the request names no file: say which one")
		return nil
	}
	t, err := w.target(op.Path)
	if err != nil {
		return err
	}
	if op.Kind == OpCreate {
		return w.create(op, t)
	}
	switch {
	case t.broken:
		return nil
	case t.refused != nil:
		w.pass(op.Path, t.refused)
		return nil
	case t.now == nil && t.before != nil:
		w.refuse(op.Path, fs.ErrNotExist, "an earlier part of the request has removed or moved this file: leave this part out, or use the new path")
		return nil
	case t.now == nil:
		w.refuse(op.Path, fs.ErrNotExist, "there is no such file; check the path, or create the file")
		return nil
	case !w.current(op, t):
		return nil
	}
	switch op.Kind {
	case OpEdit:
		_, err := w.edit(op, t)
		return err
	case OpDelete:
		return w.delete(op, t)
	case OpMove:
		return w.move(op, t)
	}
	w.refuse(op.Path, fs.ErrInvalid, "an operation of unknown kind")
	return nil
}

// delete removes a file. A patch that removes it line by line must cover it.
func (w *working) delete(op Op, t *target) error {
	if len(op.Edits) > 0 {
		if ok, err := w.edit(op, t); !ok {
			return err
		}
		if len(t.now.data) > 0 {
			w.refuse(op.Path, ErrStale, "the file has lines that the request, which deletes it, does not show; read it again")
			return nil
		}
	}
	t.now = nil
	return nil
}

// pass hands on what the store says about a file that it refused to show.
func (w *working) pass(path string, err error) {
	problems, _ := problemsOf(err)
	for _, p := range problems {
		p.Path, p.Op = path, w.op
		w.problems = append(w.problems, p)
	}
}

// current checks the version that an op was written against.
func (w *working) current(op Op, t *target) bool {
	if op.Version == "" {
		return true
	}
	var is Version
	if base := t.base(); base != nil {
		is = VersionOf(base.before.Data)
	}
	if is != op.Version {
		w.refuse(op.Path, ErrStale, "the file has changed since the version that the request was written against; read it again")
	}
	return is == op.Version
}

// base returns the file as the store has it that t, or its content, goes back to; nil if there is none.
func (t *target) base() *target {
	if t.now != nil && t.now.base != nil {
		return t.now.base
	}
	if t.before != nil {
		return t
	}
	return nil
}

// edit applies the edits of op to t, and reports whether they were accepted. If not, t is left as it was, so that later
// ops are still judged.
func (w *working) edit(op Op, t *target) (bool, error) {
	c := *t.now
	if c.unseen != "" {
		at := slices.IndexFunc(op.Edits, func(e Edit) bool { return e.First != 0 })
		if at >= 0 {
			w.refuse(op.Path, ErrUnread, "read the file again before editing it by line numbers ("+c.unseen+")")
			w.problems[len(w.problems)-1].Edit = at
			return false, nil
		}
	}
	r, err := Apply(c.data, op.Edits, w.opts)
	if err != nil {
		var refusal *Refusal
		if !errors.As(err, &refusal) {
			return false, err
		}
		if op.Kind == OpMove && refusal.Problems[0].Err == ErrNoChange && refusal.Problems[0].Edit < 0 {
			return true, nil // all of it context, and the context is there: a move, and nothing else
		}
		for _, p := range refusal.Problems {
			p.Op, p.Path = w.op, op.Path
			w.problems = append(w.problems, p)
		}
		return false, nil
	}
	matches := slices.Clone(r.Matches)
	for i := range matches {
		matches[i].Op = w.op
	}
	notes := slices.Clone(c.notes)
	for _, n := range r.Notes {
		n.Op = w.op
		notes = append(notes, n)
	}
	if c.base != nil && len(c.matches) > 0 {
		matches = settle(compose(c.matches, matches), c.base.before.Data, r.Text)
	}
	if c.base != nil {
		c.matches = matches
	}
	c.data, c.notes = r.Text, notes
	t.now = &c
	return true, nil
}

// create makes t a file with the content of op.
func (w *working) create(op Op, t *target) error {
	switch {
	case t.broken:
		return nil
	case t.refused != nil && !op.Overwrite && (errors.Is(t.refused, ErrUnread) || errors.Is(t.refused, ErrStale)):
		w.exists(op.Path, t)
		return nil
	case t.refused != nil:
		w.pass(op.Path, t.refused)
		return nil
	case !w.current(op, t):
		return nil
	case !w.replaceable(op, op.Path, t):
		return nil
	}
	if t.now != nil {
		if line := placeholderIn(op.Content, "", newText(t.now.data)); line != "" {
			p := placeholderProblem(line)
			w.refuse(op.Path, p.Err, p.Msg)
			return nil
		}
	}
	was := t.now
	t.now = &content{data: []byte(op.Content), mode: op.Mode & fs.ModePerm}
	if op.Mode&0o111 != 0 {
		t.now.notes = []Note{{Op: w.op, Edit: -1, Msg: "the file can be executed, as the request says"}}
	}
	if len(op.Edits) == 0 {
		return nil
	}
	ok, err := w.edit(op, t)
	if !ok {
		t.now, t.broken = was, true
	}
	return err
}

// replaceable checks that op may put a file where t is.
func (w *working) replaceable(op Op, path string, t *target) bool {
	switch {
	case t.now == nil || len(t.now.data) == 0:
		return true
	case !op.Overwrite:
		w.exists(path, t)
		return false
	case t.now.unseen != "":
		w.refuse(path, ErrUnread, "read the whole file before overwriting it ("+t.now.unseen+")")
		return false
	}
	return true
}

func (w *working) exists(path string, t *target) {
	w.refuse(path, fs.ErrExist, "the file is there already, and the request does not say that it may be replaced; edit it instead")
	t.broken = t.now == nil
}

// move carries the content of t, edited, to another name.
func (w *working) move(op Op, t *target) error {
	if op.To == "" {
		w.refuse(op.Path, fs.ErrInvalid, "the request does not say where to move the file: give the new path")
		return nil
	}
	to, err := w.target(op.To)
	if err != nil {
		return err
	}
	good := true
	switch {
	case to == t:
	case to.refused != nil && !op.Overwrite && (errors.Is(to.refused, ErrUnread) || errors.Is(to.refused, ErrStale)):
		w.exists(op.To, to)
		good = false
	case to.refused != nil:
		w.pass(op.To, to.refused)
		good = false
	default:
		good = w.replaceable(op, op.To, to)
	}
	if len(op.Edits) > 0 {
		ok, err := w.edit(op, t)
		if err != nil {
			return err
		}
		good = good && ok
	}
	switch {
	case !good:
		to.broken = true
	case to != t:
		to.now, t.now = t.now, nil
	}
	return nil
}

// finish turns the working copy into a transaction.
func (w *working) finish() (*Transaction, error) {
	if len(w.problems) > 0 {
		return nil, refuse(w.problems...)
	}
	moved := map[*target]*target{} // from base to where its content went
	for _, t := range w.targets {
		if t.before == nil && t.now != nil && t.now.base != nil && t.now.base.now == nil && moved[t.now.base] == nil {
			moved[t.now.base] = t
		}
	}
	t := &Transaction{store: w.store, report: &Report{Files: []FileReport{}}}
	for _, f := range w.targets {
		switch {
		case f.now == nil && (f.before == nil || moved[f] != nil):
		case f.now != nil && f.before != nil && bytes.Equal(f.now.data, f.before.Data):
		case f.before != nil && f.before.protected != "":
			w.op = f.op
			w.refuse(f.path, fs.ErrPermission, f.before.protected)
		case f.now == nil:
			t.add(f, Change{Path: f.path, Before: f.before})
		default:
			c := Change{Path: f.path, Before: f.before}
			c.After = &File{Path: f.path, Data: f.now.data, Mode: f.now.mode, written: f.now.base == nil}
			base := f.now.base
			if base != nil && base != f {
				c.After.Mode = base.before.Mode
			}
			if base == nil || moved[base] != f {
				t.add(f, c)
				break
			}
			c.From = base.path
			t.add(f, c)
			t.changes = append(t.changes, Change{Path: base.path, Before: base.before})
			t.ops = append(t.ops, base.op)
		}
	}
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

// add appends a change of f, and what there is to say about it.
func (t *Transaction) add(f *target, c Change) {
	t.changes = append(t.changes, c)
	t.ops = append(t.ops, f.op)
	t.report.add(f, c)
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
