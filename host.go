package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// A Host carries out the tool calls of a model: it reads a call, works it out, asks for approval, commits, and words the
// answer. Set the fields before the first call. It is safe for concurrent use; edits take turns, from [Prepare] to the end
// of the commit, so that calls that a model makes at once do not refuse one another.
type Host struct {
	// Options are those of Prepare. Nil is the zero value.
	Options *Options

	// Approve is asked before a commit, with the report and its diff. An error denies: nothing is changed, and the model is
	// told its message. Nil approves everything. Other edits wait meanwhile; the context ends when the call is given up.
	Approve func(ctx context.Context, r *Report) error

	// Events hears of every call: a preview, if it comes to an edit that can be made, and that it has finished. It is called
	// by the goroutine of the call, with its context.
	Events func(ctx context.Context, e Event)

	// Checks are asked for warnings, besides those of [Transaction.Checked].
	Checks []Check

	// MaxLine and MaxText are how many bytes of one line, and in all, an answer shows of a file; 0 means 2,000 and 50,000.
	MaxLine, MaxText int

	store Store
	turn  chan struct{}
}

// NewHost returns a Host on a store. With a [*Session], one for each conversation, a file must be read before it can be
// changed; any other store does without.
func NewHost(s Store) *Host { return &Host{store: s, turn: make(chan struct{}, 1)} }

// An Answer is what a call comes to.
type Answer struct {
	// Status is "done", "previewed" (only a preview was asked for), "shown" (a file was read), "refused", "denied" (by
	// Approve), or "failed" (the machinery did, not the request).
	Status   string    `json:"status"`
	Text     string    `json:"text"`               // for the model
	Report   *Report   `json:"report,omitempty"`   // of an edit that could be made, with warnings
	View     *View     `json:"view,omitempty"`     // of a file that was read
	Problems []Problem `json:"problems,omitempty"` // of a refusal
	Changes  []Change  `json:"-"`                  // what was committed; commit [Invert] of them to undo it
}

// An Event is a stage of a call, to be shown to a user.
type Event struct {
	Kind   string  `json:"kind"` // "preview" or "finished"
	Tool   string  `json:"tool,omitempty"`
	Report *Report `json:"report,omitempty"` // preview: what would be done; Diff is what to show
	Answer *Answer `json:"answer,omitempty"` // finished
}

// Call carries out a call of one of [Tools], reading included. There is always an answer; its text goes to the model, be it
// good or bad. The error is a [*Refusal] where the model can do better, also with [ErrDenied] or for a tool that is not one
// of Tools; [ErrNotDurable] where all is done; any other is about the machinery.
func (h *Host) Call(ctx context.Context, tool string, args []byte) (*Answer, error) {
	c := &call{Host: h, ctx: ctx, tool: tool}
	k, err := kindOf(tool)
	if err != nil {
		return c.fail(err)
	}
	plan, view, err := k.parse(args)
	switch {
	case err != nil:
		return c.fail(err)
	case view != nil:
		return c.view(view.path, view.first, view.last)
	}
	c.withDiff = k.fenced
	return c.do(plan)
}

// Do carries out a plan, for hosts with tools of their own. See [Host.Call].
func (h *Host) Do(ctx context.Context, p Plan) (*Answer, error) {
	c := &call{Host: h, ctx: ctx}
	return c.do(p)
}

// View shows the lines first to last of a file, counted from 1, with their numbers in front; 0 stands for the first and the
// last there is. A [Session] remembers what was shown: what was cut short or left out was not seen. See [Host.Call].
func (h *Host) View(ctx context.Context, path string, first, last int) (*Answer, error) {
	c := &call{Host: h, ctx: ctx}
	return c.view(path, first, last)
}

// A call is one call at work.
type call struct {
	*Host
	ctx      context.Context
	tool     string
	withDiff bool
	report   *Report
}

func (c *call) event(e Event) {
	if e.Tool = c.tool; c.Events != nil {
		c.Events(c.ctx, e)
	}
}

func (c *call) finish(a *Answer, err error) (*Answer, error) {
	a.Text = strings.ToValidUTF8(a.Text, "\uFFFD")
	c.event(Event{Kind: "finished", Answer: a})
	return a, err
}

// fail is the answer to a call that changed nothing, or nothing that is known.
func (c *call) fail(err error) (*Answer, error) {
	a := &Answer{Status: "refused", Text: err.Error(), Report: c.report}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		a.Problems = refusal.Problems
		if errors.Is(err, ErrDenied) {
			a.Status = "denied"
		}
	case c.ctx.Err() != nil && errors.Is(err, c.ctx.Err()) && !errors.Is(err, ErrUnfinished):
		a.Status, a.Text = "failed", "the call was given up before it was done, and nothing was changed"
	case errors.Is(err, ErrUnfinished):
		a.Status, a.Text = "failed", "the call broke off, and perhaps some files are changed and others not; tell the user, and read the files before anything else: "+err.Error()
	default:
		a.Status, a.Text = "failed", "the call failed, and nothing was changed; it was not the request: "+err.Error()
	}
	return c.finish(a, err)
}

func (c *call) do(p Plan) (*Answer, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-c.ctx.Done():
		return c.fail(c.ctx.Err())
	}
	t, err := Prepare(c.ctx, c.store, p, c.Options)
	if err != nil {
		return c.fail(err)
	}
	c.report = t.Checked(c.Checks...)
	c.event(Event{Kind: "preview", Report: c.report.clone()})
	a := &Answer{Status: "previewed", Report: c.report}
	if p.DryRun {
		a.Text = "a preview, as the request says; nothing was changed\n" + c.report.String() + c.diff()
		return c.finish(a, nil)
	}
	if c.Approve != nil {
		if err := c.Approve(c.ctx, c.report.clone()); err != nil {
			if c.ctx.Err() != nil {
				return c.fail(c.ctx.Err())
			}
			return c.fail(refuse(Problem{Err: ErrDenied, Op: -1, Edit: -1, Msg: "not approved, and nothing was changed: " + err.Error()}))
		}
	}
	err = t.Commit(c.ctx)
	if err != nil && !errors.Is(err, ErrNotDurable) {
		return c.fail(err)
	}
	a.Status, a.Changes = "done", t.Changes()
	a.Text = c.report.String()
	if c.withDiff {
		a.Text += c.diff()
	}
	left := c.maxText()
	for _, f := range c.report.Files {
		again := c.look(f, t.changes, min(lookAgain, left))
		a.Text += again
		left = max(left-len(again), 0)
	}
	if err != nil {
		a.Text += "note: " + err.Error() + "\n"
	}
	return c.finish(a, err)
}

// around is how many lines are shown on either side of a change, and lookAgain how many bytes for one file.
const (
	around    = 2
	lookAgain = 6000
)

// look shows the lines of a file to look at again after a change, as they are now.
func (c *call) look(f FileReport, changes []Change, budget int) string {
	if len(f.Matches) == 0 {
		return ""
	}
	var after *File
	for _, ch := range changes {
		if ch.Path == f.Path && ch.After != nil {
			after = ch.After
		}
	}
	data, ok := textIn(after)
	if !ok {
		return ""
	}
	l := newListing(data, c.maxLine(), budget)
	if l.lines() == 0 {
		return showPath(f.Path) + " is empty now\n"
	}
	var parts []lineRange
	for _, m := range f.Matches {
		first := min(m.New.Line, l.lines())
		last := min(m.New.Line+max(m.New.Lines, 1)-1+around, l.lines())
		if m.New.Lines == 0 {
			last = max(last-1, first)
		}
		first = max(first-around, 1)
		if n := len(parts) - 1; n >= 0 && first <= parts[n].last+2 {
			parts[n].last = max(parts[n].last, last)
		} else {
			parts = append(parts, lineRange{first, last})
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Look again at %s, as it is now:\n", showPath(f.Path))
	for i, p := range parts {
		if i > 0 {
			l.out.WriteString("     …\n")
		}
		if !l.add(p.first, p.last) {
			break
		}
	}
	b.WriteString(l.out.String() + l.notes(parts[len(parts)-1].last))
	if s, ok := c.store.(*Session); ok {
		s.shown(after, f.Path, s.commits(), l.whole...)
	}
	return b.String()
}

// diff shows the diff, or as much of it as there is room for.
func (c *call) diff() string {
	diff := c.report.Diff
	if len(diff) <= c.maxText() {
		return inFence("diff", diff)
	}
	return inFence("diff", clip(diff, c.maxText())) + fmt.Sprintf("note: the diff has %d bytes, and is cut after %d\n", len(diff), c.maxText())
}

func (c *call) maxText() int { return cmp.Or(max(c.MaxText, 0), 50_000) }
func (c *call) maxLine() int { return cmp.Or(max(c.MaxLine, 0), 2000) }

func (c *call) view(path string, first, last int) (*Answer, error) {
	no := func(err error, msg string) (*Answer, error) {
		return c.fail(refuse(Problem{Err: err, Path: path, Op: -1, Edit: -1, Msg: msg}))
	}
	store, since := c.store, 0
	s, remembers := c.store.(*Session)
	if remembers {
		store, since = s.store, s.commits()
	}
	f, err := store.Read(c.ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return no(fs.ErrNotExist, "there is no such file; check the path")
	}
	if problems, ok := problemsOf(err); ok && c.ctx.Err() == nil {
		for i, p := range problems {
			problems[i].Path = cmp.Or(p.Path, path)
		}
		return c.fail(refuse(problems...))
	}
	if err != nil {
		return c.fail(err)
	}
	data, ok := textIn(f)
	if !ok {
		return no(ErrBinary, fmt.Sprintf("the file is not a text (it has NUL bytes), so it cannot be shown; it has %d %s", len(f.Data), plural(len(f.Data), "byte")))
	}
	maxLine := c.maxLine()
	if first > 0 && first == last {
		maxLine = 0
	}
	l := newListing(data, maxLine, c.maxText())
	n := l.lines()
	switch {
	case first < 0 || last < 0 || last > 0 && last < first:
		return no(fs.ErrInvalid, fmt.Sprintf("lines %d to %d are no range: say the first and the last line to show, counted from 1", first, last))
	case first > max(n, 1):
		return no(fs.ErrInvalid, fmt.Sprintf("the file has %d %s, so there is no line %d to begin with", n, plural(n, "line"), first))
	}
	first = max(first, 1)
	if last == 0 || last > n {
		last = n
	}
	l.add(first, last)
	view := &View{Path: nameOf(f, path), Version: VersionOf(f.Data), Lines: n, Cut: l.stopped > 0 || len(l.shortened) > 0}
	if view.Last = last; l.stopped > 0 {
		view.Last = l.stopped - 1
	}
	if view.Last >= first {
		view.First = first
	}
	text := fmt.Sprintf("%s: %s of %d\n", showPath(view.Path), lineSpan(first, view.Last-first+1), n)
	if n == 0 {
		text = showPath(view.Path) + ": the file is empty\n"
	}
	text += l.out.String() + l.notes(last)
	if view.Last == n && !newText(data).terminated() {
		text += "note: the last line has no newline at its end\n"
	}
	if remembers {
		s.shown(f, path, since, l.whole...)
	}
	return c.finish(&Answer{Status: "shown", Text: text, View: view}, nil)
}
