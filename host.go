package atomicedit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/internal/call"
)

// A Host carries out the tool calls of a model: it reads a call, prepares it, asks for approval, commits, and writes
// the answer. A Host with a Store is ready: &Host{Store: s}. Without one, every call fails. Set the fields before the
// first call, and do not copy a Host after it. A Host is safe for concurrent use. Edits take turns, from [Prepare] to
// the end of the commit. With an unknown Show, or a negative limit, every call fails with [fs.ErrInvalid].
type Host struct {
	// Store has the files. Use one [Session] for each conversation, or a store that wraps one as [Store] says.
	Store Store

	// Options are passed to Prepare. Nil is the zero value.
	Options *Options

	// Approve is called before a commit. The changes of t have the whole text of each file before and after, and its
	// report has the diff and the warnings. Approve returns the transaction to commit: t, or what [Transaction.With]
	// has made of it, which the model is told. An error, or a nil transaction, denies the commit, and the answer has
	// the message. Nil approves everything. Other edits wait in the meantime. The Commit of t itself fails. If a file
	// changes before the commit, the approved changes are carried over, or the call is refused, as a [Session] that has
	// read the text does; Approve is asked again if other lines would change, or if lines would change in another way.
	Approve func(ctx context.Context, t *Transaction) (*Transaction, error)

	// Events is called for each call: with a preview, if the call is an edit that can be made, and at the end. It runs
	// in the goroutine of the call, with its context, and other edits wait for it. Nil ignores all events.
	Events func(ctx context.Context, e Event)

	// Show is how an answer shows changes: "lines" (as they are now; also ""), or "diff", as previews do.
	Show string

	// MaxAnswer limits the bytes of an answer to an edit that was made or previewed (0: 4,000). See [Answer].Report.
	MaxAnswer int

	// Tools are those that the model is offered. Nil means all of [Tools], and an empty list none. Call refuses every
	// other tool, and refusals name only these. A tool of your own that reads files may be among them, with its Reads,
	// but Call does not carry it out.
	Tools []Tool

	// Tagged shows each line with the hash of its [Tag] behind the number, as in "12#QKVR", so that an edit can prove
	// that the line is still what the model has seen. A line that is cut has no tag.
	Tagged bool

	// MaxLine and MaxText limit the bytes of a line, and of a file in all, that a view shows. 0 means 2,000 and 50,000.
	// A call fails with fs.ErrInvalid if not even one line fits into MaxText.
	MaxLine, MaxText int

	edits turns // each runs alone
}

// An Answer is the outcome of a call, made by a [Host]. The zero value is not an outcome.
type Answer struct {
	// Status is "done", "partial" (done, except for [Report].LeftOut), "previewed" (only a preview was asked for),
	// "shown" (a file was read), "refused", "denied" (by Approve or the store), or "failed" (not by the request).
	Status   string    `json:"status"`
	Text     string    `json:"text"`               // for the model
	Report   *Report   `json:"report,omitempty"`   // of an edit that could be made, with warnings
	Problems []Problem `json:"problems,omitempty"` // of a refusal
	// as committed: do not modify them; commit [Invert] of them to undo the call
	Changes []Change `json:"-"`

	// Of a file that was read, these say which part of it Text shows. Lines are counted from 1.
	Path    string  `json:"path,omitempty"` // as the store calls the file; "" if none was read
	Version Version `json:"version,omitempty"`
	First   int     `json:"first,omitempty"` // 0 if no line is shown
	Last    int     `json:"last,omitempty"`
	Lines   int     `json:"lines,omitempty"` // of the file
	Cut     bool    `json:"cut,omitempty"`   // less is shown than was asked for
}

// An Event is a stage of a call, for showing to a user. A [Host] makes it. The zero value is not a stage.
type Event struct {
	Kind   string  `json:"kind"` // "preview" or "finished"
	Tool   string  `json:"tool,omitempty"`
	Report *Report `json:"report,omitempty"` // of a preview; show its Diff
	Answer *Answer `json:"answer,omitempty"` // of a finished call
}

// Call carries out a call of one of [Tools], including calls that read a file. There is always an answer: send its text
// to the model, whether the call succeeded or not. The error is a [*Refusal] if the model can do better; this includes
// [ErrDenied] and a tool that is not one of Tools. With [ErrNotDurable], everything was done. Any other error is about
// the machinery.
func (h *Host) Call(ctx context.Context, tool string, args []byte) (*Answer, error) {
	if err := h.unusable(); err != nil {
		return h.finish(ctx, tool, nil, err)
	}
	kind, err := call.KindOf(tool, call.KindsOf(internalTools(h.Tools)))
	if err != nil {
		return h.finish(ctx, tool, nil, refusalOf(err))
	}
	p, view, note, err := kind.Parse(args, true)
	if err != nil {
		return h.finish(ctx, tool, nil, h.withRest(ctx, ofCall(refusalOf(err), args)))
	}
	if view == nil {
		return h.takeTurn(ctx, tool, note, fromPlan(p))
	}
	answer, err := h.view(ctx, view.Path, view.First, view.Last)
	if err == nil {
		answer.Text += note
	}
	return h.finish(ctx, tool, answer, err)
}

// Do carries out a plan, for hosts with tools of their own. See [Host.Call].
func (h *Host) Do(ctx context.Context, p Plan) (*Answer, error) { return h.takeTurn(ctx, "", "", p) }

// View shows the lines first to last of a file, counted from 1, each with its number in front, and its tag if h is
// Tagged. A first or last of 0 means that of the file. A [Session] remembers lines that were shown in full.
func (h *Host) View(ctx context.Context, path string, first, last int) (*Answer, error) {
	answer, err := h.view(ctx, path, first, last)
	return h.finish(ctx, "", answer, err)
}

func (h *Host) event(ctx context.Context, e Event) {
	if h != nil && h.Events != nil {
		h.Events(ctx, e)
	}
}

// finish announces the end of a call. If the call has failed, a is nil or has only a report.
func (h *Host) finish(ctx context.Context, tool string, a *Answer, err error) (*Answer, error) {
	if a = cmp.Or(a, &Answer{}); a.Status == "" {
		a.fail(ctx, err)
		a.Text += h.advice(tool, err)
	}
	a.Text = strings.ToValidUTF8(a.Text, "\uFFFD")
	h.event(ctx, Event{Kind: "finished", Tool: tool, Answer: a})
	return a, err
}

// fail makes a the answer to a call that failed. Unless the error is ErrUnfinished, the call has changed nothing.
func (a *Answer) fail(ctx context.Context, err error) {
	a.Status, a.Text = "failed", "the call failed, and nothing was changed; the request is not at fault: "+err.Error()
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		a.Status, a.Text, a.Problems = "refused", err.Error(), refusal.Problems
		if errors.Is(err, ErrDenied) {
			a.Status = "denied"
		}
	case errors.Is(err, ErrUnfinished):
		a.Text = "the call failed midway, so some files may be changed and others not; " +
			"tell the user, and read the files before you do anything else: " + err.Error()
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		a.Text = "the call was stopped before it finished, and nothing was changed"
	}
}

// unusable returns an error if h has no store, or a limit that means nothing.
func (h *Host) unusable() error {
	switch {
	case h == nil || h.Store == nil:
		return errors.New("atomicedit: the Host has no store: make one with &Host{Store: s}")
	case h.Show != "" && h.Show != "lines" && h.Show != "diff":
		return fmt.Errorf("atomicedit: Host.Show is %q: %w", h.Show, fs.ErrInvalid)
	case min(h.MaxLine, h.MaxText, h.MaxAnswer) < 0:
		const format = "atomicedit: a limit of the Host is negative: MaxLine is %d, MaxText %d, MaxAnswer %d: %w"
		return fmt.Errorf(format, h.MaxLine, h.MaxText, h.MaxAnswer, fs.ErrInvalid)
	}
	return nil
}

// takeTurn carries out a plan once no other call does, up to the event of its end. Note begins the answer.
func (h *Host) takeTurn(ctx context.Context, tool, note string, p Plan) (a *Answer, err error) {
	if err = h.unusable(); err != nil {
		return h.finish(ctx, tool, nil, err)
	}
	release, err := h.edits.turn(ctx, true)
	if err != nil {
		return h.finish(ctx, tool, nil, err)
	}
	defer release()
	a, late, err := h.try(ctx, h.Store, tool, note, p)
	for began, s := time.Now(), h.asRead(late); late != nil && time.Since(began) <= maxRetry; {
		a, late, err = h.try(ctx, s, tool, note, p)
	}
	return h.finish(ctx, tool, a, err)
}

// asRead returns the store of h or, if Approve was asked and there is no Session, one for which the texts that t was
// prepared for were read: somebody has seen them.
func (h *Host) asRead(t *Transaction) Store {
	if _, ok := find[*Session](h.Store); ok || t == nil || h.Approve == nil {
		return h.Store
	}
	s := NewSession(h.Store)
	for _, c := range t.changes {
		if c.Before != nil {
			s.MarkReadText(c.Path, c.Before.Data, 0, 0)
		}
	}
	return s
}

// withRest returns the refusal of a call that cannot be read, with the problems that the rest of the call has.
func (h *Host) withRest(ctx context.Context, err error) error {
	var bad, more *Refusal
	if !errors.As(err, &bad) || len(bad.rest.Ops) == 0 {
		return err
	}
	session, _ := find[*Session](h.Store)
	since := session.count()
	o, _ := h.Options.checked() // no option is wrong where the rest is carried out
	if _, err := placedOn(ctx, h.Store, bad.rest.planned(), &o, map[string]bool{}); errors.As(err, &more) {
		session.showed(err, since, false)
		for i, p := range more.Problems {
			if p.Err == ErrNotFound && p.Edit >= 0 && bad.rest.Ops[p.Op].Edits[p.Edit].Number > p.Edit+1 {
				more.Problems[i].Msg += "\nnote: this was tried without the edits above that cannot be read"
			}
		}
		bad.Problems, bad.shown = append(bad.Problems, more.Problems...), more.shown
	}
	return err
}

// advice returns what a model can do after an error, in a line of its own; "" if nothing helps.
func (h *Host) advice(tool string, err error) string {
	switch {
	case h == nil, errors.Is(err, ErrDenied):
	case isUnknown(err) && slices.ContainsFunc(shownBy(err), shownLines.areLines): // that an edit may mean
		return "\nnote: these lines count as read now: send the call again, with the numbers that they have here"
	case isUnknown(err) && slices.ContainsFunc(shownBy(err), shownLines.isQuestion) && h.cannotRead(tool):
		return "\nnote: if you have read the file by other means, send the same call again"
	case isUnknown(err):
		return h.howToRead(tool)
	case errors.Is(err, fs.ErrExist):
		return call.HowToWrite(internalTools(h.Tools), tool)
	case errors.Is(err, ErrAmbiguous):
		return call.HowToChoose(tool)
	}
	return ""
}

// howToRead returns a line that tells a model how to read a file, "" if it has no tool for that here.
func (h *Host) howToRead(tool string) string { return call.HowToRead(internalTools(h.Tools), tool) }

// cannotRead reports whether the model has no tool here to read a file, so that it reads files by other means.
func (h *Host) cannotRead(tool string) bool { return h.Tools != nil && h.howToRead(tool) == "" }

// try carries out a plan on s. If it fails, the answer has at most a report, and late is the transaction if a file has
// changed before the commit.
func (h *Host) try(ctx context.Context, s Store, tool, note string, p Plan) (a *Answer, late *Transaction, err error) {
	a = &Answer{}
	session, _ := find[*Session](h.Store)
	since := session.count()
	t, err := Prepare(ctx, s, p, h.Options)
	if h.rollsBack(ctx, err) {
		t, err = Prepare(ctx, s, p, h.Options)
	}
	if err != nil {
		session.showed(err, since, h.cannotRead(tool))
		return a, nil, err
	}
	a.Report = t.Report()
	if !p.DryRun {
		if err := doubtful(ctx, session, t); err != nil {
			session.showed(err, since, false)
			return a, nil, err
		}
	}
	h.event(ctx, Event{Kind: "preview", Tool: tool, Report: t.Report()})
	if p.DryRun {
		a.Status = "previewed"
		a.Text = h.describe(note+"a preview, as requested; nothing was changed\n", a.Report, nil)
		return a, nil, nil
	}
	done, err := h.approve(ctx, t)
	if err != nil {
		return a, nil, err
	}
	first := note + amendments(t, done)
	done, err = commitOver(ctx, done)
	if err != nil && !errors.Is(err, ErrNotDurable) {
		if isLate(ctx, err) {
			late = t
		}
		return a, late, err
	}
	a.Report = done.Report()
	a.Status, a.Changes = "done", slices.Clone(done.changes)
	if len(a.Report.LeftOut) > 0 {
		a.Status = "partial"
	}
	if err != nil {
		first += "note: " + err.Error() + "; the files are changed as shown: do not send the request again\n"
	}
	if h.Show == "diff" {
		done = nil // describe has only the report then
	}
	a.Text = h.describe(first, a.Report, done)
	return a, nil, err
}

// doubtful refuses a transaction that breaks files, or makes directories that may be misspelled, unless the session has
// asked for the same call before.
func doubtful(ctx context.Context, s *Session, t *Transaction) error {
	if s.isZero() {
		return nil
	}
	doubts := append(slices.Clone(t.broken), newDirs(ctx, t.store, t.changes)...)
	if len(doubts) == 0 {
		return nil
	}
	var what strings.Builder
	for _, f := range t.report.Files {
		what.WriteString(f.Path + "\x00" + string(f.After) + "\n")
	}
	if s.wasAsked(what.String()) {
		return nil
	}
	s.ask(what.String())
	r := refuse(doubts...)
	r.shown = t.shown
	return r
}

// rollsBack reports whether err is ErrUnfinished, and the store has rolled the unfinished commit back.
func (h *Host) rollsBack(ctx context.Context, err error) bool {
	r, ok := find[Recoverer](h.Store)
	return ok && errors.Is(err, ErrUnfinished) && r.Recover(ctx) == nil
}

func (h *Host) maxText() int { return cmp.Or(h.MaxText, 50_000) }
func (h *Host) maxLine() int { return cmp.Or(h.MaxLine, 2000) }

// A Tool is the definition of an editing tool, as a host offers it to a model. The zero value is no tool.
type Tool struct {
	Name        string
	Title       string // for people
	Description string // for the model: the purpose, the rules and an example, in at most 1,024 bytes

	// Schema is the JSON schema of the arguments, draft 2020-12. Objects allow no properties that it does not name. It
	// has no references, and no type that may be null.
	Schema json.RawMessage

	// Strict is the same schema for an API that samples arguments by it and accepts only a few keywords: every property
	// is required, and one that Schema does not require may be null, which means missing. The parsers check the limits.
	Strict json.RawMessage

	// Grammar describes, in Lark, the patch that apply_patch takes as the text of a call, for an API that offers tools
	// without arguments in JSON. Everything that it derives can be read. It is empty for a tool that takes only JSON.
	Grammar string

	// Reads tells a model how to read a file with the tool: its name, and what the call must have. "" if it reads none.
	Reads string
}

// Tools returns the tools whose calls [Tool.Parse] and [Host.Call] read: those with the given names, each once and in
// that order. An unknown name is fs.ErrInvalid. Without names, it returns all of them: multi_edit, apply_patch,
// text_editor, multi_edit_file, file_write_or_edit and str_replace_editor. The caller may change the tools. Offer a
// model only a few tools, because several ways to make the same edit cost tokens in every request, and confuse the
// model. str_replace_editor, alone or with multi_edit, is a complete set: it reads, creates and edits files. In the
// repository, docs/hosting.md has the other sets. Tell the host which tools it offers: see [Host].
func Tools(names ...string) ([]Tool, error) {
	tools, err := call.Tools(names...)
	return convertAll(tools, func(t call.Tool) Tool { return Tool(t) }), err
}

// Parse reads the arguments of a call of t, which is one of [Tools] by its name, or the text of the call if t has a
// Grammar. It reads only the shapes of this tool, so that one tool cannot be made to do what another is for. It refuses
// a call that shows a file (text_editor's read and str_replace_editor's view), because that is not a plan: use
// [Host.Call]. The errors are those of [ParseJSON].
func (t Tool) Parse(args []byte) (Plan, error) {
	p, err := parsed(call.Tool(t).Parse(args))
	return p, ofCall(err, args)
}

func internalTools(tools []Tool) []call.Tool {
	return convertAll(tools, func(t Tool) call.Tool { return call.Tool(t) })
}
