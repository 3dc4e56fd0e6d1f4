// Package trial carries out a request on texts in memory and describes what happened in a form that a page can draw:
// which part of the request went to which lines of a file, what was ignored there, what decided the place, and what the
// diff is. It uses only the public interface of package atomicedit.
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/atomicedit/atomicedit"
)

// A File is a text with a path.
type File struct {
	Path string `json:"path"`
	Text string `json:"text"`
	Read string `json:"read,omitempty"` // the text when the conversation read it, "" if it has not changed since
}

// An Input is what the reader of the page has entered.
type Input struct {
	Files   []File
	Request string
	Loosest atomicedit.Fit // the zero value accepts every fit
}

// store returns a store with the files. If one has changed since it was read, the store is a session that has read
// them.
func (in Input) store() atomicedit.Store {
	texts := make(map[string]string, len(in.Files))
	for _, f := range in.Files {
		texts[f.Path] = f.Text
	}
	m := atomicedit.NewMem(texts)
	if !in.hasChanged() {
		return m
	}
	session := atomicedit.NewSession(m)
	for _, f := range in.Files {
		session.MarkReadText(f.Path, []byte(cmp.Or(f.Read, f.Text)), 0, 0)
	}
	return session
}

// hasChanged reports whether a file has changed since it was read.
func (in Input) hasChanged() bool {
	return slices.ContainsFunc(in.Files, func(f File) bool { return f.Read != "" && f.Read != f.Text })
}

// text returns the text of a file, and whether there is such a file.
func (in Input) text(path string) (string, bool) {
	for _, f := range in.Files {
		if f.Path == path {
			return f.Text, true
		}
	}
	return "", false
}

// plan reads the request. Edits that name no file are for the only file, if there is only one.
func (in Input) plan() (atomicedit.Plan, error) {
	p, err := atomicedit.Parse(in.Request)
	if err != nil {
		return p, err
	}
	return in.named(p), nil
}

func (in Input) named(p atomicedit.Plan) atomicedit.Plan {
	if len(in.Files) == 1 {
		return p.ForFile(in.Files[0].Path)
	}
	return p
}

func (in Input) prepare(p atomicedit.Plan, loosest atomicedit.Fit) (*atomicedit.Transaction, error) {
	return atomicedit.Prepare(context.Background(), in.store(), p, &atomicedit.Options{Loosest: loosest})
}

// An Answer says what becomes of a request.
type Answer struct {
	Outcome  string               `json:"outcome"` // "done" or "refused"
	Format   string               `json:"format"`  // as Plan.Format has it
	Ops      []Op                 `json:"ops"`
	Edits    []Edit               `json:"edits"`
	Files    []FileView           `json:"files"`
	Report   *atomicedit.Report   `json:"report,omitempty"`
	Diff     []DiffRow            `json:"diff"`
	Message  string               `json:"message,omitempty"` // of a refusal, as the model reads it
	Problems []atomicedit.Problem `json:"problems,omitempty"`
	// the request was cut off, and the plan is its complete part
	Partial bool   `json:"partial,omitempty"`
	Looser  string `json:"looser,omitempty"` // the first fit that would accept a request that Loosest refuses
}

// An Op is an operation of the plan, without its edits.
type Op struct {
	Kind  string `json:"kind"`
	Path  string `json:"path"`
	To    string `json:"to,omitempty"`
	Edits int    `json:"edits"`
}

// Try carries out a request and describes the outcome.
func Try(in Input) Answer {
	p, err := in.plan()
	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) {
		partial := in.named(refusal.Partial)
		a := in.describe(partial, nil, refusal)
		a.Partial = len(partial.Ops) > 0
		return a
	}
	return in.carryOut(p)
}

// carryOut prepares a plan and describes the outcome.
func (in Input) carryOut(p atomicedit.Plan) Answer {
	t, err := in.prepare(p, in.Loosest)
	if err == nil {
		return in.describe(p, t, nil)
	}
	a := in.describe(p, nil, err)
	a.Looser = in.looser(p)
	return a
}

// looser returns the first fit looser than the one accepted with which the plan would be carried out, "" if there is
// none.
func (in Input) looser(p atomicedit.Plan) string {
	if in.Loosest == 0 {
		return ""
	}
	for fit := in.Loosest + 1; fit <= atomicedit.Drift; fit++ {
		if _, err := in.prepare(p, fit); err == nil {
			return fit.String()
		}
	}
	return ""
}

// describe describes a plan that was prepared as t, or that err refuses.
func (in Input) describe(p atomicedit.Plan, t *atomicedit.Transaction, err error) Answer {
	a := Answer{Outcome: "done", Format: p.Format, Ops: []Op{}, Diff: []DiffRow{}}
	for _, op := range p.Ops {
		a.Ops = append(a.Ops, Op{op.Kind.String(), op.Path, op.To, len(op.Edits)})
	}
	report := &atomicedit.Report{}
	if err != nil {
		a.Outcome, a.Message = "refused", err.Error()
		var refusal *atomicedit.Refusal
		if errors.As(err, &refusal) {
			a.Problems = refusal.Problems
			report = in.rest(p)
		}
	} else {
		report = t.Report()
		a.Report = report
		a.Diff = diffRows(report.Diff)
	}
	d := newDrawing(in, p)
	d.placed(report, err == nil)
	d.refused(a.Problems)
	d.hideRows()
	a.Edits, a.Files = d.edits, d.fileViews()
	return a
}

// rest returns the report of the edits that can be placed, so that the page can show where they would go.
func (in Input) rest(p atomicedit.Plan) *atomicedit.Report {
	o := &atomicedit.Options{Loosest: in.Loosest, Partial: true}
	t, err := atomicedit.Prepare(context.Background(), in.store(), p, o)
	if err != nil {
		return &atomicedit.Report{}
	}
	report := t.Report()
	for i := range report.Files {
		report.Files[i].Notes = nil
	}
	return report
}

// String describes an answer in a line, for tests.
func (a Answer) String() string {
	return fmt.Sprintf("%s: %s, %d operations, %d edits", a.Outcome, a.Format, len(a.Ops), len(a.Edits))
}
