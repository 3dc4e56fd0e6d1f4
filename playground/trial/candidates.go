package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// refused draws the candidates of refused edits.
func (d *drawing) refused(problems []atomicedit.Problem) {
	for _, p := range problems {
		edits := []*Edit{d.edit(p.Op, p.Edit)}
		if p.Edit < 0 { // all edits of the operation
			edits = nil
			for i := range d.edits {
				if d.edits[i].Op == p.Op {
					edits = append(edits, &d.edits[i])
				}
			}
		}
		for _, e := range edits {
			if e == nil {
				continue
			}
			e.State, e.Code, e.Msg = "refused", p.Code, p.Msg
			e.Places, e.Fit, e.By = []Place{}, "", ""
			if p.Part != "" {
				e.Name = p.Part
			}
			if e.Edit >= 0 {
				d.candidates(e, d.plan.Ops[e.Op].Edits[e.Edit], d.in.placed(d.plan, e, p))
			}
		}
	}
}

// placed returns a problem of an edit with places. That its lines have changed since they were read has none: then they
// are those of the edit in the files as they are.
func (in Input) placed(plan atomicedit.Plan, e *Edit, p atomicedit.Problem) atomicedit.Problem {
	if p.Code != "stale" || p.Nearest != nil || len(p.Places) > 0 {
		return p
	}
	now := in
	now.Files = nil
	for _, f := range in.Files {
		now.Files = append(now.Files, File{Path: f.Path, Text: f.Text})
	}
	var refusal *atomicedit.Refusal
	if _, err := now.prepare(plan, in.Loosest); errors.As(err, &refusal) {
		for _, q := range refusal.Problems {
			if q.Op == e.Op && q.Edit == e.Edit {
				return q
			}
		}
	}
	return p
}

// candidates draws the places that a problem of an edit names.
func (d *drawing) candidates(e *Edit, edit atomicedit.Edit, p atomicedit.Problem) {
	s := d.sheet(e.Path)
	old := splitLines(edit.Old)
	for _, c := range considered(p) {
		line := c.Line
		if line < 1 || line > len(s.lines) {
			continue
		}
		place := Place{First: line, Last: line, Role: "candidate", Why: c.Why}
		from, to := line-1, min(len(s.lines), line+len(old)+1)
		pairs := align(old, s.lines[from:to], func(int) bool { return false })
		d.pair(s, e, edit, pairs, from, &place)
		e.Places = append(e.Places, place)
		s.spans = append(s.spans, place)
	}
	if n := p.Nearest; n != nil && n.Line >= 1 && n.Line <= len(s.lines) {
		near := splitLines(n.Text)
		place := Place{First: n.Line, Last: min(len(s.lines), n.Line+len(near)-1), Role: "nearest"}
		from, to := n.Line-1, min(len(s.lines), n.Line-1+len(near))
		pairs := align(old, s.lines[from:to], func(int) bool { return true })
		d.pair(s, e, edit, pairs, from, &place)
		place.Why = whyNotNearest(e.Rows, n.Similarity)
		e.Places = append(e.Places, place)
		s.spans = append(s.spans, place)
	}
}

// considered returns the places that a problem names, each with the reason why the edit did not go there.
func considered(p atomicedit.Problem) []atomicedit.Candidate {
	if len(p.Candidates) > 0 {
		return p.Candidates
	}
	why := firstLine(p.Msg)
	if p.Code == "applied" {
		why = "the new text is already here"
	}
	var all []atomicedit.Candidate
	for _, line := range p.Places {
		all = append(all, atomicedit.Candidate{Line: line, Why: why})
	}
	return all
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// whyNotNearest says what keeps the closest text from being the place.
func whyNotNearest(rows []Row, similarity float64) string {
	total, differ := 0, 0
	for _, r := range rows {
		if r.Kind == "+" {
			continue
		}
		total++
		if r.Line == 0 || slices.ContainsFunc(r.Segs, func(s Seg) bool { return s.Kind == "d" }) {
			differ++
		}
	}
	verb := "differ"
	if differ == 1 {
		verb = "differs"
	}
	return fmt.Sprintf("closest text, %.0f%% similar: %d of %s %s from the request", 100*similarity, differ,
		plural(total, "line"), verb)
}

// evidence says why a place was passed over, by what decided where the edit goes.
var evidence = map[string]string{
	"end of file":  "it is not at the end of the file",
	"anchor":       "it is outside the scope of the anchor",
	"section":      "it is not below the heading that the hunk header names",
	"line numbers": "it is not in the lines that the request names",
	"line":         "it is further away from the line that the request names",
	"source":       "an earlier edit wrote it",
	"repetition":   "it is for an equal edit",
	"order":        "it is out of order with the other edits",
}

// passedOver returns the places where an edit fits but for its evidence. Edits before it may have changed the text
// meanwhile, so these are places of the text before the request.
func (d *drawing) passedOver(s *sheet, edit atomicedit.Edit, by string, taken Place) (others []Place) {
	why := evidence[by]
	text, _ := d.in.text(s.view.Path)
	if why == "" || edit.Old == "" {
		return nil
	}
	edit.First, edit.Last = 0, 0
	edit.Near, edit.Anchors, edit.Section, edit.AtEnd, edit.Hunk = 0, nil, "", false,
		strings.ReplaceAll(edit.Hunk, `\`, "")
	_, err := atomicedit.Apply([]byte(text), []atomicedit.Edit{edit}, &atomicedit.Options{Loosest: d.in.Loosest})
	var refusal *atomicedit.Refusal
	if !errors.As(err, &refusal) || refusal.Problems[0].Code != "ambiguous" {
		return nil
	}
	for _, line := range refusal.Problems[0].Places {
		if line < taken.First || line > taken.Last {
			others = append(others, Place{First: line, Last: min(line+len(splitLines(edit.Old))-1, len(s.lines)),
				Role: "passed", Why: why})
		}
	}
	return others
}
