package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
)

// Prepare computes the changes that p makes to the files of s. It reads each file once and writes nothing. The ops are
// applied in order, each to the files as the ones before left them; then o.Format formats the outcome. A [*Refusal]
// lists everything that is wrong with the plan. Any other error comes from the store or the context, or is about o. A
// nil o is the zero value. For each file, the cost is about that of [Apply], of [Diff] and of the checks.
//
// A backslash in a path of p is a slash, with a note in the report, unless s has a file of that very name: if Read
// refuses the path with [fs.ErrNotExist], [ErrOutside] or [fs.ErrInvalid], it is asked for the path with slashes.
// "C:\a.go" is absolute.
//
// An op with an OtherPath comes from a diff of two directories. In the repository, docs/reading.md says which file it
// means.
func Prepare(ctx context.Context, s Store, p Plan, o *Options) (*Transaction, error) {
	if s == nil {
		return nil, errNoStore
	}
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	files, leftOut, err := placedInPart(ctx, s, p, &checked)
	if err != nil {
		return nil, err
	}
	if err := files.format(ctx, &checked); err != nil {
		return nil, err
	}
	effects := effectsOf(files.targets)
	if len(effects) == 0 {
		return nil, refuse(append(leftOut, nothingToDo(files.targets))...)
	}
	t, err := newTransaction(ctx, s, effects, &checked)
	if err == nil {
		t.report.LeftOut = leftOut
	}
	return t, err
}

// placedOn returns the files of s as the ops of p leave them, before formatting. Edits of the files in asItIs are not
// placed on the text that a conversation has seen of them, but on the file as it is; files that need that are added.
func placedOn(ctx context.Context, s Store, p part, o *Options, asItIs map[string]bool) (*workingCopy, error) {
	files := &workingCopy{store: s, asItIs: asItIs, named: map[string]*target{}}
	settled, spelled, problems := files.settle(ctx, p.plan)
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	whole := p
	p.plan = settled
	for _, op := range p.planned() {
		op.spelled = spelled[op.index]
		found, err := files.do(ctx, op, o)
		if err != nil {
			return nil, err
		}
		files.hint(ctx, found)
		problems = append(problems, found...)
	}
	known := len(asItIs)
	for _, t := range files.targets {
		if t.unfit {
			asItIs[t.path] = true
		}
	}
	if len(asItIs) > known {
		return placedOn(ctx, s, whole, o, asItIs)
	}
	if problems = append(problems, files.carryOver()...); len(problems) > 0 {
		return nil, files.refuse(problems)
	}
	return files, nil
}

func (w *workingCopy) refuse(problems []Problem) error {
	r := refuse(problems...)
	for _, t := range w.targets {
		r.shown = append(r.shown, t.showed...)
	}
	return r
}

// newTransaction returns the transaction of some effects, if neither s nor the checks of o have anything against it.
func newTransaction(ctx context.Context, s Store, effects []effect, o *Options) (*Transaction, error) {
	problems, err := forbidden(ctx, s, effects)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	t := &Transaction{store: s, options: o, effects: effects, changes: changesOf(effects)}
	if err := checkPaths(t.changes); err != nil {
		problems, _ := problemsOf(err)
		problems = t.ofRequest(problems)
		for i := range problems {
			problems[i].Op = -1 // it is about several
		}
		return nil, refuse(problems...)
	}
	report, problems := reportOf(effects, o.Checks)
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	t.report = report
	return t, nil
}

// nothingToDo returns the problem of a plan that leaves every file as it was.
func nothingToDo(targets []*target) Problem {
	p := Problem{Err: ErrNoChange, Op: -1, Edit: -1}
	p.Msg = "the request changes nothing: the files are already as it asks"
	if slices.ContainsFunc(targets, func(t *target) bool { return t.now != nil && t.now.plain != nil }) {
		p.Msg = "the request changes nothing: the formatter takes its changes back"
	}
	if slices.ContainsFunc(targets, func(t *target) bool { return t.now != nil && t.now.others != "" }) {
		p.Err = ErrApplied
		p.Msg = "the file has changed since it was read, and it is already as the request asks"
	}
	if len(targets) == 1 {
		p.Path = targets[0].asked
	}
	return p
}

// Run prepares a plan and commits it, unless the plan is a dry run. The report has the warnings. It describes what was
// tried, so it also comes with every error of the commit. With [ErrNotDurable], everything was done.
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

// A part is what is carried out of a plan: with Options.Partial, what cannot be placed is left out.
type part struct {
	plan    Plan
	gone    map[int]bool  // ops
	edits   map[int][]int // of an op of which some edits are left out: the indexes of the others
	leftOut []Problem
}

// placedInPart returns the files of s as p leaves them, without what cannot be placed if o asks for that.
func placedInPart(ctx context.Context, s Store, p Plan, o *Options) (*workingCopy, []Problem, error) {
	of := part{plan: p, gone: map[int]bool{}, edits: map[int][]int{}}
	for {
		files, err := placedOn(ctx, s, of, o, map[string]bool{})
		var r *Refusal
		if err == nil || !o.Partial || !errors.As(err, &r) {
			return files, of.leftOut, err
		}
		if !of.leave(r.Problems) {
			return nil, nil, refuse(of.leftOut...)
		}
	}
}

// planned returns the ops that are carried out.
func (p part) planned() []plannedOp {
	all := p.plan.planned()
	ops := all[:0]
	for _, op := range all {
		if p.gone[op.index] {
			continue
		}
		if at, ok := p.edits[op.index]; ok {
			edits := op.Edits
			op.Edits, op.at = nil, at
			for _, i := range at {
				e := edits[i]
				e.Number = cmp.Or(e.Number, i+1)
				op.Edits = append(op.Edits, e)
			}
		}
		ops = append(ops, op)
	}
	return ops
}

// leave leaves out what problems are about, and what may not happen without it. It reports whether anything is left.
func (p *part) leave(problems []Problem) bool {
	for _, problem := range problems {
		p.leftOut = append(p.leftOut, problem)
		if problem.Op < 0 {
			return false
		}
		op := p.plan.Ops[problem.Op]
		at, ok := p.edits[problem.Op]
		if !ok {
			for i := range op.Edits {
				at = append(at, i)
			}
		}
		at = slices.DeleteFunc(at, func(i int) bool { return i == problem.Edit })
		if problem.Edit < 0 || len(at) == 0 || op.Kind != OpEdit {
			p.gone[problem.Op] = true
			continue
		}
		p.edits[problem.Op] = at
	}
	p.leaveDependent()
	slices.SortStableFunc(p.leftOut, func(a, b Problem) int { return cmp.Compare(a.Op, b.Op) })
	return len(p.gone) < len(p.plan.Ops)
}

// leaveDependent leaves out what comes after something that is left out: ops on the file that count its lines, and
// whatever makes a file disappear.
func (p *part) leaveDependent() {
	lost := map[string]bool{} // by path
	for i, op := range p.plan.Ops {
		countsLost := lost[names.OfRequest(op.Path)] && slices.ContainsFunc(op.Edits, Edit.countsLines)
		ends := len(lost) > 0 && (op.Kind == OpDelete || op.Kind == OpMove || op.Overwrite)
		if !p.gone[i] && (countsLost || ends) {
			const msg = "something before it is left out: send it again once that is mended"
			p.gone[i] = true
			p.leftOut = append(p.leftOut, Problem{Err: fs.ErrInvalid, Path: op.Path, Op: i, Edit: -1, Msg: msg})
		}
		if _, some := p.edits[i]; some || p.gone[i] {
			lost[names.OfRequest(op.Path)], lost[names.OfRequest(cmp.Or(op.To, op.Path))] = true, true
		}
	}
}

// A diff of two directories, as "diff -ru old new" prints it, has two names for a file: "old/a.go" and "new/a.go".
// Which directories in front are part of the path, only the store can tell. A treePair is two such directories, and the
// ops that a plan has in them.
type treePair struct {
	older, newer string // as far as they differ; "" or with a slash at the end
	ops          []int
	rest         []string // the path of each op below the directories
}

// settle returns p with one path for each file that has two names: that under which all files of the same directories
// are. Notes has a remark for each op whose path is not as in p.
func (w *workingCopy) settle(ctx context.Context, p Plan) (settled Plan, notes map[int]string, problems []Problem) {
	there := map[string]bool{}
	misses := func(op int, name string) bool {
		if name == "" || p.Ops[op].Kind == OpCreate {
			return name == "" // a new file need not be there before
		}
		if _, known := there[name]; !known {
			_, _, err := readNamed(name, w.reader(ctx))
			there[name] = isThere(err)
		}
		return !there[name]
	}
	settled, notes = p, map[int]string{}
	settled.Ops = slices.Clone(p.Ops)
	for _, pair := range treePairs(p.Ops) {
		found := slices.DeleteFunc(pair.places(), func(paths []string) bool {
			for i, op := range pair.ops {
				if misses(op, paths[i]) {
					return true
				}
			}
			return false
		})
		if len(found) > 1 {
			problems = append(problems, pair.doubt(p.Ops, found))
		}
		if len(found) != 1 {
			continue // if there is no place, the ops say so
		}
		for i, op := range pair.ops {
			if name := found[0][i]; name != p.Ops[op].Path {
				settled.Ops[op].Path = name
				notes[op] = "the request has the path " + names.Show(p.Ops[op].Path) +
					", of a diff of two directories; it was read as " + names.Show(name)
			}
		}
	}
	return settled, notes, problems
}

// treePairs returns the pairs of directories that the ops of a plan name.
func treePairs(ops []Op) (pairs []*treePair) {
	known := map[[2]string]*treePair{}
	for i, op := range ops {
		if op.OtherPath == "" {
			continue
		}
		older, newer, rest := cutTrees(names.OfRequest(op.OtherPath), names.OfRequest(op.Path))
		if op.Kind == OpDelete {
			older, newer = newer, older
		}
		pair := known[[2]string{older, newer}]
		if pair == nil {
			pair = &treePair{older: older, newer: newer}
			known[[2]string{older, newer}] = pair
			pairs = append(pairs, pair)
		}
		pair.ops, pair.rest = append(pair.ops, i), append(pair.rest, rest)
	}
	if len(pairs) != 1 { // a file with one name would belong to any of several
		return pairs
	}
	pair := pairs[0]
	for i, op := range ops {
		dir := map[OpKind]string{OpCreate: pair.newer, OpDelete: pair.older}[op.Kind]
		if rest, ok := strings.CutPrefix(names.OfRequest(op.Path), dir); ok && op.OtherPath == "" && dir != "" {
			pair.ops, pair.rest = append(pair.ops, i), append(pair.rest, rest)
		}
	}
	return pairs
}

// cutTrees cuts two paths of one file where they begin to be the same.
func cutTrees(older, newer string) (olderDir, newerDir, rest string) {
	a, b := strings.Split(older, "/"), strings.Split(newer, "/")
	for n := 1; n <= min(len(a), len(b)) && a[len(a)-n] == b[len(b)-n]; n++ {
		rest = strings.Join(a[len(a)-n:], "/")
	}
	return strings.TrimSuffix(older, rest), strings.TrimSuffix(newer, rest), rest
}

// places returns the paths that the files of t may have: below either directory, or without leading parts of them. A
// file that has none at a place has the path "" there.
func (t *treePair) places() (all [][]string) {
	const maxCut = 8 // leading parts of a path that are taken off, after those of the directories that differ
	add := func(dir string, cut int) {
		paths := convertAll(t.rest, func(rest string) string {
			parts := strings.Split(rest, "/")
			if rest == "" || cut >= len(parts) {
				return ""
			}
			return dir + strings.Join(parts[cut:], "/")
		})
		if !slices.ContainsFunc(all, func(known []string) bool { return slices.Equal(known, paths) }) {
			all = append(all, paths)
		}
	}
	add(t.newer, 0)
	add(t.older, 0)
	for cut := range maxCut {
		add("", cut)
	}
	return all
}

// doubt returns the problem of a pair whose files may be at several places.
func (t *treePair) doubt(ops []Op, found [][]string) Problem {
	op := ops[t.ops[0]]
	shown := convertAll(found[:min(len(found), 4)], func(paths []string) string { return names.Show(paths[0]) })
	return Problem{Err: ErrAmbiguous, Path: op.Path, Op: t.ops[0], Edit: -1,
		Msg: "the diff also calls this file " + names.Show(cmp.Or(op.OtherPath, op.Path)) +
			", and any of these may be meant: " + strings.Join(shown, ", ") +
			"; write its path from the root of the project, with a/ and b/ in front"}
}
