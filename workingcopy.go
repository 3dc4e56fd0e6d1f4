package atomicedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A workingCopy holds the files that a plan names, as the store has them and as the ops so far have left them.
type workingCopy struct {
	store   Store
	asItIs  map[string]bool    // files whose edits do not fit the text that was seen: see start
	named   map[string]*target // by the store's path, and by every path that was asked for
	targets []*target          // in the order of the plan
}

type target struct {
	path    string
	named   string        // the first path of the request for it
	also    []string      // further paths for it, which may lead there by links
	before  *File         // as the store has it, nil if absent
	enc     text.Encoding // of before
	look    *look         // what the conversation has seen of before, nil if nobody remembers it
	since   *target       // if this is only the text that it saw: the file as it is now
	showed  []shownLines  // by its problems
	now     *content      // as the plan has left it, nil if absent
	op      int           // the last op that involved it
	asked   string        // what that op calls it
	refused error         // why the store would not show it; reported by each op that needs it
	broken  bool          // an op that should have made or removed the file was refused, so later ops cannot be judged
	notes   []Note        // on how the request spells its path
	proofs  proofs        // of what its edits say of before

	olds map[string]string // the old texts of earlier edits in one place, with the new ones, but for those of last
	last []Edit            // of the last op
}

// A content is the planned content of a file, and its origin.
type content struct {
	data    []byte
	enc     text.Encoding
	base    *target // the file that the matches lie in, as it was before; nil if all of the content is new
	matches []text.Match
	notes   []Note
	mode    fs.FileMode // see Op
	ops     []plannedOp // whose edits made it from a text that was seen: see carriedOver
	others  string      // what others have changed since that text, as hunks

	// plain is the content before formatting, nil if that has changed nothing. If all of plain is new, the matches lie
	// in it.
	plain *content

	own *writing // what the request has written of it, if a user has changed it since; see written
}

type plannedOp struct {
	Op
	index  int
	words  plan.Words // of the request
	shared bool       // another op edits the file as well
	at     []int      // the indexes of its edits in the op of the request, nil if it has all of them
	gone   bool       // it is left out: see Options.Partial
}

func (p Plan) planned() []plannedOp {
	lists := map[string]int{}
	for _, op := range p.Ops {
		lists[op.Path] += min(1, len(op.Edits))
	}
	ops := make([]plannedOp, len(p.Ops))
	for i, op := range p.Ops {
		ops[i] = plannedOp{Op: op, index: i, words: plan.WordsOf(p.Format), shared: lists[op.Path] > 1}
	}
	return ops
}

// part names an edit of s as the request counts them, "" if the file has no other or there is no such edit.
func (s plannedOp) part(i int) string {
	if i < 0 || len(s.Edits) == 1 && s.Edits[0].Number == 0 && !s.shared {
		return ""
	}
	return s.words.Numbered(s.Edits[i].Number, i)
}

// indexOf returns the index of an edit of s in the op of the request.
func (s plannedOp) indexOf(edit int) int {
	if edit < 0 || s.at == nil {
		return edit
	}
	return s.at[edit]
}

// leaveOut takes the edits out of s that problems are about, or all of s if one is about none, or if s needs them or is
// nothing else.
func (s *plannedOp) leaveOut(problems []Problem) {
	gone, at, rest := map[int]bool{}, []int{}, []Edit(nil)
	for _, p := range problems {
		gone[p.Edit] = true
	}
	for i, e := range s.Edits {
		if n := s.indexOf(i); !gone[n] {
			e.Number = cmp.Or(e.Number, n+1)
			at, rest = append(at, n), append(rest, e)
		}
	}
	s.at, s.Edits = at, rest
	isNothing := len(at) == 0 && s.Content == ""
	s.gone = s.gone || gone[-1] || isNothing || s.Kind != OpEdit && s.Kind != OpCreate
}

func (s plannedOp) refuse(path string, err error, msg string) []Problem {
	return []Problem{{Err: err, Path: path, Op: s.index, Edit: -1, Msg: msg}}
}

func (s plannedOp) refuseEdit(i int, err error, msg string) []Problem {
	return []Problem{{Err: err, Path: s.Path, Op: s.index, Edit: s.indexOf(i), Part: s.part(i), Msg: msg}}
}

// target returns the file that a path names for an op, read at its first use. An error is one of the machinery.
func (w *workingCopy) target(ctx context.Context, path string, op int, o *Options) (*target, error) {
	if t := w.named[path]; t != nil {
		t.op, t.asked = op, path
		return t, nil
	}
	var l *look
	f, as, err := readNamed(path, func(path string) (f *File, err error) {
		f, l, err = readSeen(ctx, w.store, path)
		return f, err
	})
	name := nameOf(f, as)
	t := w.named[name]
	if t == nil {
		t = &target{path: name, named: path}
		switch {
		case err == nil:
			t.before, t.enc, t.look = f, o.encodingOf(name, f.Data), l
			t.now = w.start(t, o)
		case errors.Is(err, fs.ErrNotExist):
		default:
			if _, ok := problemsOf(err); !ok || ctx.Err() != nil {
				return nil, err
			}
			t.refused = err
		}
		w.named[name] = t
		w.targets = append(w.targets, t)
	}
	if as != path {
		t.notes = append(t.notes, Note{Op: op, Edit: -1, Msg: names.SlashesNote(path)})
	}
	w.named[path] = t
	if clean, err := CleanPath(as); err != nil || clean != t.path {
		t.also = append(t.also, as)
	}
	t.op, t.asked = op, path
	return t, nil
}

// do carries out one op. An error is one of the machinery.
func (w *workingCopy) do(ctx context.Context, s plannedOp, o *Options) ([]Problem, error) {
	if s.Path == "" && w.named[""] == nil {
		return s.refuse("", fs.ErrInvalid, "the request names no file: say which one"), nil
	}
	if msg := s.misfit(); msg != "" {
		return s.refuse(s.Path, fs.ErrInvalid, msg), nil
	}
	t, err := w.target(ctx, s.Path, s.index, o)
	if err != nil {
		return nil, err
	}
	switch {
	case t.broken:
		return nil, nil
	case s.Kind == OpCreate:
		return w.create(ctx, s, t, o), nil
	}
	if problems := s.needs(t); problems != nil {
		return problems, nil
	}
	switch s.Kind {
	case OpEdit:
		return w.edit(s, t, o), nil
	case OpDelete:
		return w.delete(s, t, o), nil
	case OpMove:
		return w.move(ctx, s, t, o)
	}
	return s.refuse(s.Path, fs.ErrInvalid, "an operation of unknown kind"), nil
}

// hint adds the path that may be meant to the first problems of a path under which the store has no file.
func (w *workingCopy) hint(ctx context.Context, problems []Problem) {
	left := 5 // for each, the whole store may be searched
	for i, p := range problems {
		t := w.named[p.Path]
		if left > 0 && t != nil && t.before == nil && (p.Err == fs.ErrNotExist || p.Err == ErrOutside) {
			problems[i].Msg += isElsewhere(ctx, w.store, p.Path)
			left--
		}
	}
}

// needs refuses an op on a file that does not exist or cannot be read, or that has another version.
func (s plannedOp) needs(t *target) []Problem {
	switch {
	case t.refused != nil:
		return s.pass(s.Path, t.refused)
	case t.now == nil && t.before != nil:
		return s.refuse(s.Path, fs.ErrNotExist,
			"an earlier part of the request has removed or moved this file: leave this part out, or use the new path")
	case t.now == nil:
		return s.refuse(s.Path, fs.ErrNotExist, "there is no such file; check the path")
	}
	return s.current(t)
}

// delete removes a file. A patch that removes it line by line must cover it.
func (w *workingCopy) delete(s plannedOp, t *target, o *Options) []Problem {
	if msg, err := t.unknown("deleting", len(s.Edits) > 0, ""); err != nil {
		return s.refuse(t.base().isNow().asked, err, msg)
	}
	if len(s.Edits) > 0 {
		if problems := w.edit(s, t, o); problems != nil {
			return problems
		}
		if len(t.now.data) > 0 {
			const msg = "the request deletes the file but does not show all of its lines; read it again"
			return s.refuse(s.Path, ErrStale, msg)
		}
	}
	t.now = nil
	return nil
}

// pass returns the problems of a file that the store refused to show.
func (s plannedOp) pass(path string, err error) []Problem {
	problems, _ := problemsOf(err)
	for i := range problems {
		problems[i].Path, problems[i].Op = path, s.index
	}
	return problems
}

func (s plannedOp) current(t *target) []Problem {
	if base := t.base().isNow(); s.Version != "" && (base == nil || !s.Version.isOf(base.before.Data)) {
		const msg = "the file has changed since the version that the request was written against; read it again"
		return s.refuse(s.Path, ErrStale, msg)
	}
	return nil
}

// base returns the file in the store from which t, or its content, comes; nil if there is none.
func (t *target) base() *target {
	if t.now != nil && t.now.base != nil {
		return t.now.base
	}
	if t.before != nil {
		return t
	}
	return nil
}

// edit applies the edits of an op to t. If there are problems, t stays as it was, so that later ops are still judged.
// Where line numbers do not count, the other edits are tried as well, so that all problems are told at once.
func (w *workingCopy) edit(s plannedOp, t *target, o *Options) []Problem {
	c := *t.now
	if problems := s.rivals(t); problems != nil {
		return problems
	}
	s, c, misnumbered := s.onWhatWasSeen(c)
	if misnumbered != nil {
		s.leaveOut(misnumbered)
	}
	if s.gone || misnumbered != nil && c.base.since != nil {
		return misnumbered
	}
	r, problems := s.place(c, o)
	if misnumbered != nil {
		return append(misnumbered, problems...)
	}
	if len(problems) > 0 {
		if s.Kind == OpMove && problems[0].Err == ErrNoChange && problems[0].Edit < 0 {
			return nil // everything is context, and the context is there: a move without edits
		}
		if c.base != nil && c.base.since != nil {
			w.asItIs[c.base.path] = true
		}
		return problems
	}
	c = c.then(s, r)
	if c.base != nil && c.base.since != nil {
		c.ops = append(slices.Clip(c.ops), s)
	}
	t.now = &c
	return nil
}

// rivals refuses edits whose meaning an earlier op has made ambiguous, because two calls in one message may both mean
// the file as it was: edits by line numbers, if that op has changed the file under another path, which the parser has
// not seen to be the same; and an edit with the old text of an earlier one and another new text, where nothing but the
// old text says which place is meant. It remembers the others.
func (s plannedOp) rivals(t *target) (problems []Problem) {
	base := t.base()
	changed := base == nil || !bytes.Equal(t.now.data, base.before.Data)
	named, before := names.OfRequest(s.Path), names.OfRequest(t.named)
	if changed && named != before && slices.ContainsFunc(s.Edits, Edit.countsLines) {
		return s.refuse(s.Path, fs.ErrInvalid, "the request changes this file as "+names.Show(t.named)+
			" too, so its line numbers are ambiguous here: use one path for the file")
	}
	isByText := func(e Edit) bool {
		return e.Old != "" && e.Count == 0 && len(e.Anchors) == 0 && e.Near == 0 && e.First == 0 && e.Hunk == "" &&
			!e.AtEnd
	}
	for _, e := range t.last {
		if isByText(e) {
			if t.olds == nil {
				t.olds = map[string]string{}
			}
			t.olds[e.Old] = e.New
		}
	}
	t.last = s.Edits
	for i, e := range s.Edits {
		if new, is := t.olds[e.Old]; is && isByText(e) && new != e.New && strings.Contains(new, e.Old) {
			problems = append(problems, s.refuseEdit(i, ErrOverlap,
				"an earlier part of the request has the same old text, and "+
					"another new one: combine the two into one")...)
		}
	}
	return problems
}

// then returns c after the edits of an op that have made r of its text.
func (c content) then(s plannedOp, r content) content {
	for i, m := range r.matches {
		r.matches[i].Op, r.matches[i].Edit = s.index, s.indexOf(m.Edit)
	}
	c.notes = append(followNotes(c.notes, r.matches), r.notes...)
	if c.base != nil && len(c.matches) > 0 {
		c.matches = text.Settle(text.Compose(c.matches, r.matches), c.base.before.Data, r.data, c.base.enc, c.enc)
	} else if c.base != nil {
		c.matches = r.matches
	}
	c.data = r.data
	return c
}

func (w *workingCopy) create(ctx context.Context, s plannedOp, t *target, o *Options) []Problem {
	if problems := s.current(t); t.refused == nil && problems != nil {
		return problems
	}
	problems := w.replaceable(ctx, s, s.Path, t)
	var before []byte
	if t.now != nil {
		before = t.now.enc.Readable(t.now.data)
	}
	if p := plan.CheckContent(t.path, s.Content, before); p != nil {
		problems = append(problems, s.refuse(s.Path, p.Err, p.Msg)...)
	}
	if len(problems) > 0 {
		return problems
	}
	was := t.now
	t.olds, t.last = nil, nil
	t.now = &content{data: []byte(s.Content), enc: o.encodingOf(t.path, []byte(s.Content)), mode: s.Mode}
	if s.Mode&0o111 != 0 {
		t.now.notes = []Note{{Op: s.index, Edit: -1, Msg: "the file is executable, as the request says"}}
	}
	if len(s.Edits) == 0 {
		return nil
	}
	if problems = w.edit(s, t, o); problems != nil {
		t.now, t.broken = was, true
	}
	return problems
}

// replaceable refuses to put a file where t is, unless the op may.
func (w *workingCopy) replaceable(ctx context.Context, s plannedOp, path string, t *target) []Problem {
	isFrom := func(to *target) bool { return to.now != nil && to.now.base.isNow() == t }
	switch {
	case isUnknown(t.refused) && !s.Overwrite:
		return w.taken(ctx, s, path, t)
	case t.refused != nil:
		return s.pass(path, t.refused)
	case t.now == nil && (t.before == nil || slices.ContainsFunc(w.targets, isFrom)),
		t.now != nil && t.now.base.isNow() == t.now.base && len(t.now.data) == 0 && !s.Exclusive:
		return nil
	case t.now != nil && !s.Overwrite:
		return w.taken(ctx, s, path, t)
	}
	if msg, err := t.unknown("replacing", false, s.Content); err != nil {
		return s.refuse(t.base().isNow().asked, err, msg)
	}
	return nil
}

func (w *workingCopy) taken(ctx context.Context, s plannedOp, path string, t *target) []Problem {
	instead := "edit it instead"
	if s.Kind == OpMove {
		instead = "choose another path"
	} else if checker, ok := find[Checker](w.store); ok {
		change := Change{Path: path, Before: t.before, After: &File{}}
		if problems, ok := problemsOf(checker.Check(ctx, []Change{change})); ok {
			instead = problems[0].Msg // nor can it be edited
		}
	}
	t.broken = t.now == nil
	return s.refuse(path, fs.ErrExist, "the file is already there; "+instead)
}

// move carries the content of t, edited, to another path. An error is one of the machinery.
func (w *workingCopy) move(ctx context.Context, s plannedOp, t *target, o *Options) (problems []Problem, err error) {
	if s.To == "" {
		const msg = "the request does not say where to move the file: give the new path"
		return s.refuse(s.Path, fs.ErrInvalid, msg), nil
	}
	to, err := w.target(ctx, s.To, s.index, o)
	if err != nil {
		return nil, err
	}
	switch {
	case to == t:
	case w.respells(ctx, t, to):
		to.before, to.now, to.refused = nil, nil, nil
	default:
		problems = w.replaceable(ctx, s, s.To, to)
	}
	if len(s.Edits) > 0 {
		problems = append(problems, w.edit(s, t, o)...)
	}
	switch {
	case len(problems) > 0:
		to.broken = true
	case to != t:
		to.now, t.now = t.now, nil
	}
	return problems, nil
}

// respells reports whether the path of to, which differs only in case, also names the file t, which no op has changed.
func (w *workingCopy) respells(ctx context.Context, t, to *target) bool {
	same := to.refused != nil || to.before != nil && to.now != nil && to.now.base.isNow() == to &&
		len(to.now.matches) == 0
	store, ok := find[respeller](w.store)
	return ok && same && t.before != nil && strings.EqualFold(t.path, to.path) && store.Respells(ctx, t.path, to.path)
}

// changedSince shows how the file has changed since it was read, below an introduction: "" if that is not known.
func (t *target) changedSince(intro string) string {
	if t.look.Text == nil {
		return ""
	}
	was, _ := t.enc.For(t.look.Text).Decode(t.look.Text)
	is, _ := t.enc.Decode(t.before.Data)
	before, after := merge.LinesOf(text.New(was)), merge.LinesOf(text.New(is))
	groups, isText := merge.Changed(before, after)
	if !isText || len(groups) == 0 {
		return ""
	}
	return intro + text.Clip(merge.Hunks(before, after, groups), maxOthers)
}

const sinceThen = ". The change since then:\n"

// maxOthers bounds how much is shown of the change that others have made, in bytes.
const maxOthers = 1000
