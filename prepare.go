package atomicedit

import (
	"context"
	"errors"
	"slices"
)

var errNoStore = errors.New("atomicedit: there is no store")

// Prepare computes the changes that p makes to the files of s. It reads each file once and writes nothing. The ops are applied
// in order, each to the files as the ones before left them; then o.Format formats the outcome. A [*Refusal] lists everything that is
// wrong with the plan. Any other error comes from the store or the context, or is about o. A nil o is the zero value. For each file, the
// cost is about that of [Apply], of [Diff] and of the checks.
//
// A backslash in a path of p is a slash, with a note in the report, unless s has a file of that very name: if Read refuses the
// path with [fs.ErrNotExist], [ErrOutside] or [fs.ErrInvalid], it is asked for the path with slashes. "C:\a.go" is absolute.
//
// An op with an OtherPath comes from a diff of two directories. Its file is the one that s has, of the two names and of the paths without
// their leading directories; if several are there, the plan is refused with [ErrAmbiguous]. In the repository, docs/reading.md says more.
func Prepare(ctx context.Context, s Store, p Plan, o *Options) (*Transaction, error) {
	if s == nil {
		return nil, errNoStore
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if o == nil {
		o = &Options{}
	}
	files := newWorkingCopy(s)
	p, spelled, problems := files.settle(ctx, p)
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	for _, op := range p.planned() {
		op.spelled = spelled[op.index]
		found, err := files.do(ctx, op, o)
		if err != nil {
			return nil, err
		}
		files.hint(ctx, found)
		problems = append(problems, found...)
	}
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	if err := files.format(ctx, o); err != nil {
		return nil, err
	}
	effects := effectsOf(files.targets)
	problems, err := forbidden(ctx, s, effects)
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, refuse(problems...)
	case len(effects) == 0:
		return nil, refuse(nothingToDo(files.targets))
	}
	return newTransaction(s, effects, o.Checks)
}

// newTransaction returns the transaction of some effects, if checks have nothing against it.
func newTransaction(s Store, effects []effect, checks []Check) (*Transaction, error) {
	t := &Transaction{store: s, formatted: map[string]*content{}}
	for _, e := range effects {
		t.add(e.change, e.file)
		if e.moved {
			t.add(Change{Path: e.from.path, Before: e.from.before}, e.from)
		}
		if now := e.file.now; now != nil && now.isFormatted {
			t.formatted[e.change.Path] = now
		}
	}
	if err := checkPaths(t.changes); err != nil {
		problems, _ := problemsOf(err)
		problems = t.ofRequest(problems)
		for i := range problems {
			problems[i].Op = -1 // it is about several
		}
		return nil, refuse(problems...)
	}
	report, problems := reportOf(effects, checks)
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	t.report = report
	return t, nil
}

// nothingToDo returns the problem of a plan that leaves every file as it was.
func nothingToDo(targets []*target) Problem {
	p := Problem{Err: ErrNoChange, Op: -1, Edit: -1, Msg: "the request changes nothing: the files are already as it asks"}
	if slices.ContainsFunc(targets, func(t *target) bool { return t.now != nil && t.now.isFormatted }) {
		p.Msg = "the request changes nothing: the formatter takes its changes back"
	}
	if len(targets) == 1 {
		p.Path = targets[0].asked
	}
	return p
}

// Run prepares a plan and commits it, unless the plan is a dry run. The report has the warnings. It describes what was tried, so it also
// comes with every error of the commit. With [ErrNotDurable], everything was done.
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
