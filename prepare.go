package atomicedit

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

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
	before  *File   // nil: absent
	foundBy *finder // of an absent one
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
			if f != nil {
				t.foundBy = f.foundBy
			}
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
		w.create(op, t)
		return nil
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
		w.edit(op, t)
	case OpDelete:
		w.delete(op, t)
	case OpMove:
		return w.move(op, t)
	default:
		w.refuse(op.Path, fs.ErrInvalid, "an operation of unknown kind")
	}
	return nil
}

// delete removes a file. A patch that removes it line by line must cover it.
func (w *working) delete(op Op, t *target) {
	if len(op.Edits) > 0 {
		if !w.edit(op, t) {
			return
		}
		if len(t.now.data) > 0 {
			w.refuse(op.Path, ErrStale, "the file has lines that the request, which deletes it, does not show; read it again")
			return
		}
	}
	t.now = nil
}

// pass hands on what the store says about a file that it refused to show.
func (w *working) pass(path string, err error) {
	problems, _ := problemsOf(err)
	for _, p := range problems {
		p.Path, p.Op = path, w.op
		w.problems = append(w.problems, p)
	}
}

// passNew does the same for a path where a file is to be put. A request that removes a file cannot put a directory in its
// place, nor a file in that of a directory: directories stay when they become empty, so neither could be undone.
func (w *working) passNew(path string, t *target) {
	for _, dir := range parents(t.path) {
		if d := w.named[dir]; d != nil && d.before != nil && d.now == nil {
			w.refuse(path, fs.ErrInvalid, "the request removes the file "+showPath(dir)+
				", but a directory cannot take its place in the same request: remove it in a request of its own first")
			return
		}
	}
	w.pass(path, t.refused)
	var kind *kindError
	if errors.As(t.refused, &kind) && kind.what == aDirectory {
		w.problems[len(w.problems)-1].Msg += "; it stays one though its files are removed: choose another path"
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
func (w *working) edit(op Op, t *target) bool {
	c := *t.now
	if c.unseen != "" {
		at := slices.IndexFunc(op.Edits, func(e Edit) bool { return e.First != 0 })
		if at >= 0 {
			w.refuse(op.Path, ErrUnread, "read the file again before editing it by line numbers ("+c.unseen+")")
			w.problems[len(w.problems)-1].Edit = at
			return false
		}
	}
	r, problems := applyEdits(c.data, op.Edits, w.opts)
	if len(problems) > 0 {
		if op.Kind == OpMove && problems[0].Err == ErrNoChange && problems[0].Edit < 0 {
			return true // all of it context, and the context is there: a move, and nothing else
		}
		for _, p := range problems {
			p.Op, p.Path = w.op, op.Path
			w.problems = append(w.problems, p)
		}
		return false
	}
	for i := range r.Matches {
		r.Matches[i].Op = w.op
	}
	notes := follow(c.notes, r.Matches)
	for _, n := range r.Notes {
		n.Op = w.op
		notes = append(notes, n)
	}
	if c.base != nil && len(c.matches) > 0 {
		c.matches = settle(compose(c.matches, r.Matches), c.base.before.Data, r.Text)
	} else if c.base != nil {
		c.matches = r.Matches
	}
	c.data, c.notes = r.Text, notes
	t.now = &c
	return true
}

// create makes t a file with the content of op.
func (w *working) create(op Op, t *target) {
	if t.broken || t.refused == nil && !w.current(op, t) || !w.replaceable(op, op.Path, t) {
		return
	}
	var before []byte
	if t.now != nil {
		before = t.now.data
	}
	if p := noContent(op.Content, newText(before)); p != nil {
		w.refuse(op.Path, p.Err, p.Msg)
		return
	}
	was := t.now
	t.now = &content{data: []byte(op.Content), mode: op.Mode & fs.ModePerm}
	if op.Mode&0o111 != 0 {
		t.now.notes = []Note{{Op: w.op, Edit: -1, Msg: "the file can be executed, as the request says"}}
	}
	if len(op.Edits) > 0 && !w.edit(op, t) {
		t.now, t.broken = was, true
	}
}

// replaceable checks that op may put a file where t is.
func (w *working) replaceable(op Op, path string, t *target) bool {
	switch {
	case t.refused != nil && !op.Overwrite && (errors.Is(t.refused, ErrUnread) || errors.Is(t.refused, ErrStale)):
		w.exists(op, path, t)
		return false
	case t.refused != nil:
		w.passNew(path, t)
		return false
	case t.now == nil || len(t.now.data) == 0:
		return true
	case !op.Overwrite:
		w.exists(op, path, t)
		return false
	case t.now.unseen != "":
		w.refuse(path, ErrUnread, "read the whole file before overwriting it ("+t.now.unseen+")")
		return false
	}
	return true
}

func (w *working) exists(op Op, path string, t *target) {
	instead := "edit it instead"
	if op.Kind == OpMove {
		instead = "choose another path"
	}
	w.refuse(path, fs.ErrExist, "the file is there already, and the request does not say that it may be replaced; "+instead)
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
	case w.respells(t, to):
		to.before, to.now, to.refused = nil, nil, nil
	default:
		good = w.replaceable(op, op.To, to)
	}
	if len(op.Edits) > 0 {
		good = w.edit(op, t) && good // what is wrong with either is told
	}
	switch {
	case !good:
		to.broken = true
	case to != t:
		to.now, t.now = t.now, nil
	}
	return nil
}

// respells reports whether the store has the file t by the name of to as well, which differs in case alone, and no other
// file there: then a move changes the name and nothing else. No op may have made something else of it before.
func (w *working) respells(t, to *target) bool {
	store, ok := w.store.(interface{ respells(from, to string) bool })
	same := to.refused != nil || to.before != nil && to.now != nil && to.now.base == to && len(to.now.matches) == 0
	return ok && same && t.before != nil && strings.EqualFold(t.path, to.path) && store.respells(t.path, to.path)
}
