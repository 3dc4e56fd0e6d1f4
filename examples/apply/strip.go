package main

import (
	"errors"

	"github.com/atomicedit/atomicedit"
	toolcall "github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/udiff"
)

// parseStripped reads a unified diff, and removes n leading parts from every name of a file, as "patch -p" does. The library has no
// public function for that, so the plan takes the way through its JSON, which is exact.
func parseStripped(diff string, n int) (atomicedit.Plan, error) {
	p, err := udiff.Read(diff, marker.NameStrip{On: true, Parts: n}, false)
	var refused *plan.Refusal
	if errors.As(err, &refused) {
		own := &atomicedit.Refusal{}
		for _, p := range refused.Problems {
			code := "syntax"
			if errors.Is(p.Err, atomicedit.ErrBinary) {
				code = "binary"
			}
			own.Problems = append(own.Problems, atomicedit.Problem{
				Err: p.Err, Code: code, Path: p.Path, Op: p.Op, Edit: p.Edit, Line: p.Line, Msg: p.Msg,
			})
		}
		return atomicedit.Plan{}, own
	}
	if err != nil {
		return atomicedit.Plan{}, err
	}
	text, err := toolcall.Print(p)
	if err != nil {
		return atomicedit.Plan{}, err
	}
	return atomicedit.ParseJSON([]byte(text))
}
