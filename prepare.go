package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/seen"
)

// Prepare computes the changes that p makes to the files of s. It reads each file once and writes nothing. The ops are
// applied in order, each to the files as the ones before left them; then o.Format formats the outcome. A [*Refusal]
// lists everything that is wrong with the plan. Any other error comes from the store or the context, or is about o. A
// nil o is the zero value. For each file, the cost is about that of [Apply], of [Diff] and of the checks. A backslash
// in a path of p is a slash, with a note, unless s has a file of that very name: if Read refuses the path with
// [fs.ErrNotExist], [ErrOutside] or [fs.ErrInvalid], it is asked for that with slashes. "C:\a.go" is absolute.
func Prepare(ctx context.Context, s Store, p Plan, o *Options) (*Transaction, error) {
	if s == nil {
		return nil, errNoStore
	}
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	rest, end := func() {}, func() {}
	if d, ok := find[interface {
		looking(context.Context) (with context.Context, rest, end func())
	}](s); ok {
		ctx, rest, end = d.looking(ctx)
	}
	defer end()
	files, leftOut, err := placedInPart(ctx, s, p, &checked)
	if err != nil {
		return nil, err
	}
	rest() // formatting may take its time
	for _, t := range files.targets {
		if t.isEdited() {
			if t.now, err = t.now.formatted(ctx, t.path, &checked); err != nil {
				return nil, err
			}
		}
	}
	effects := effectsOf(files.targets)
	if len(effects) == 0 {
		return nil, refuse(append(leftOut, nothingToDo(files.targets))...)
	}
	return (&Transaction{store: s, options: &checked, shown: files.shown()}).of(ctx, effects, leftOut)
}

// placedOn returns the files of s as ops leave them, before formatting. Edits of the files in asItIs are not placed on
// the text that a conversation has seen of them, but on the file as it is; files that need that are added.
func placedOn(ctx context.Context, s Store, ops []plannedOp, o *Options, asItIs map[string]bool) (*workingCopy, error) {
	files := &workingCopy{store: s, asItIs: asItIs, named: map[string]*target{}}
	var problems []Problem
	known := len(asItIs)
	for _, op := range ops {
		if op.gone {
			continue
		}
		found, err := files.do(ctx, op, o)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	for _, t := range files.targets {
		if t.now == nil || t.now.base == nil || t.now.base.since == nil {
			continue
		}
		from := t.now.base.since // which the plan may move to t
		now, msg := t.now.carriedOver()
		switch {
		case msg == "":
			t.now = now
		case from.isMeant(string(t.now.data)):
			asItIs[from.path] = true
		default:
			problems = append(problems, Problem{Err: ErrStale, Path: from.asked, Op: t.op, Edit: -1, Msg: msg})
		}
	}
	if len(asItIs) > known {
		return placedOn(ctx, s, ops, o, asItIs)
	}
	if len(problems) == 0 {
		return files, nil
	}
	files.hint(ctx, problems)
	room := maxMessage - 100
	for _, p := range problems {
		if room -= len(p.message()) + 10; room < 0 { // the rest is cut off
			break
		}
		files.told(p)
	}
	r := refuse(problems...)
	r.shown = files.shown()
	return nil, r
}

// told notes the lines that a problem shows of a file that the conversation knows, as the file has them.
func (w *workingCopy) told(p Problem) {
	t := w.named[p.Path]
	if t == nil || t.look == nil || !t.look.known || !strings.Contains(p.Msg, "\t") {
		return
	}
	shown := shownLines{known: true, path: t.path, file: t.before, how: seen.Sight.Answer}
	file := encodedFile{t.before, t.enc}.tags()
	for line := range strings.SplitSeq(p.Msg, "\n") {
		number, is, _ := strings.Cut(line, "\t")
		if n, _ := strconv.Atoi(strings.TrimSpace(number)); file.Reads(n, is) {
			shown.lines = append(shown.lines, [2]int{n, n})
		}
	}
	t.showed = append(t.showed, shown)
}

// shown returns the lines that the conversation knows if the plan is refused.
func (w *workingCopy) shown() []shownLines {
	return slices.Concat(convertAll(w.targets, func(t *target) []shownLines { return t.showed })...)
}

// of returns t with other effects, if neither the store nor the checks have anything against it.
func (t *Transaction) of(ctx context.Context, effects []effect, leftOut []Problem) (*Transaction, error) {
	problems, err := forbidden(ctx, t.store, effects)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	t = &Transaction{store: t.store, options: t.options, proposal: t.proposal, shown: t.shown}
	t.effects, t.changes = effects, changesOf(effects)
	if err := checkPaths(t.changes); err != nil {
		problems, _ := problemsOf(err)
		problems = t.ofRequest(problems)
		for i := range problems {
			problems[i].Op = -1 // it is about several
		}
		return nil, refuse(problems...)
	}
	if t.report, t.broken, problems = reportOf(effects, t.options.Checks); len(problems) > 0 {
		return nil, refuse(problems...)
	}
	t.report.LeftOut = leftOut
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

// placedInPart returns the files of s as p leaves them, without what cannot be placed if o asks for that.
func placedInPart(ctx context.Context, s Store, p Plan, o *Options) (files *workingCopy, leftOut []Problem, err error) {
	ops := p.planned()
	var shown []shownLines
	for {
		files, err = placedOn(ctx, s, ops, o, map[string]bool{})
		var r *Refusal
		if err == nil || !o.Partial || !errors.As(err, &r) {
			return files, leftOut, err
		}
		found, some := p.leaveOut(ops, r.Problems)
		leftOut = append(leftOut, found...)
		slices.SortStableFunc(leftOut, func(a, b Problem) int { return a.Op - b.Op })
		if shown = append(shown, r.shown...); !some {
			r = refuse(leftOut...)
			r.shown = shown
			return nil, nil, r
		}
	}
}

// leaveOut takes out of ops, as p planned them, what problems are about, and what may not happen without it: ops that
// count the lines of such a file or make one disappear. It returns a problem for each part, and whether any is left.
func (p Plan) leaveOut(ops []plannedOp, problems []Problem) (leftOut []Problem, some bool) {
	about := map[int][]Problem{}
	for _, problem := range problems {
		about[problem.Op] = append(about[problem.Op], problem)
	}
	for op, found := range about {
		ops[op].leaveOut(found)
	}
	lost := map[string]bool{} // by path
	for i, op := range p.Ops {
		countsLost := lost[names.OfRequest(op.Path)] && slices.ContainsFunc(op.Edits, Edit.countsLines)
		ends := len(lost) > 0 && (op.Kind == OpDelete || op.Kind == OpMove || op.Overwrite)
		if !ops[i].gone && (countsLost || ends) {
			const msg = "something before it is left out: send it again once that is mended"
			ops[i].gone = true
			problems = append(problems, ops[i].refuse(op.Path, fs.ErrInvalid, msg)...)
		}
		if ops[i].gone || ops[i].at != nil {
			lost[names.OfRequest(op.Path)], lost[names.OfRequest(cmp.Or(op.To, op.Path))] = true, true
		}
	}
	return problems, slices.ContainsFunc(ops, func(s plannedOp) bool { return !s.gone })
}
