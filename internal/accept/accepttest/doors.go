package accepttest

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// SkipWithoutDirs skips a test of directories on a system that OpenDir does not support. Elsewhere it never skips.
func SkipWithoutDirs(t testing.TB) {
	t.Helper()
	if !slices.Contains([]string{"js", "wasip1", "plan9", "solaris", "illumos", "aix"}, runtime.GOOS) {
		return
	}
	if _, err := atomicedit.OpenDir(".", nil); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system has no Dir: ", err)
	}
}

// ShellPlan reads a shell script, as it stands in a call in JSON.
func ShellPlan(script string) (atomicedit.Plan, error) { return Public(call.ShellPlan(script)) }

// ArgvPlan reads the words of a command, as they stand in a call in JSON.
func ArgvPlan(argv []string) (atomicedit.Plan, error) { return Public(call.ArgvPlan(argv)) }

// Public returns what an internal parser has read in the types of the interface.
func Public(p plan.Plan, err error) (atomicedit.Plan, error) {
	var refused *plan.Refusal
	if errors.As(err, &refused) {
		own := &atomicedit.Refusal{}
		for _, p := range refused.Problems {
			own.Problems = append(own.Problems, atomicedit.Problem{
				Err: p.Err, Code: "syntax", Path: p.Path, Op: p.Op, Edit: p.Edit, Part: p.Part, Line: p.Line,
				Msg: p.Msg,
			})
		}
		if len(refused.Partial.Ops) > 0 {
			own.Partial, _ = Public(refused.Partial, nil)
		}
		return atomicedit.Plan{}, own
	}
	if err != nil {
		return atomicedit.Plan{}, err
	}
	text, err := call.Print(p)
	if err != nil {
		return atomicedit.Plan{}, err
	}
	return atomicedit.ParseJSON([]byte(text))
}
