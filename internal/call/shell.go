package call

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/patch"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/shell"
)

// ShellPlan reads a shell script that applies one patch:
//
//	script = { "cd" dir ( "&&" | ";" | newline ) } ( call | shell "-c" script )
//	call   = ( "apply_patch" | "applypatch" ) ( here-document | patch )
//
// The paths of the patch start from the last directory. "cat" may print the here-document, for apply_patch or alone. A
// script that does more is refused, and so is one whose meaning depends on the shell that runs it.
func ShellPlan(script string) (plan.Plan, error) {
	s := patch.ScriptReader{Src: script}
	if _, err := s.Read(nil); err != nil {
		return plan.Plan{}, err
	}
	return s.Call.Plan()
}

// ArgvPlan reads a command that applies one patch, as a list of its arguments: apply_patch and the patch, or a shell,
// "-c" and a script. A single argument may be a script.
func ArgvPlan(argv []string) (plan.Plan, error) {
	if len(argv) == 1 {
		return ShellPlan(argv[0])
	}
	c := shell.Command{Words: make([]shell.Word, len(argv))}
	for i, arg := range argv {
		c.Words[i].Text = arg
	}
	s := patch.ScriptReader{Src: strings.Join(argv, " ")}
	if err := s.Command(c); err != nil {
		return plan.Plan{}, err
	}
	if err := s.Missing(); err != nil {
		return plan.Plan{}, err
	}
	return s.Call.Plan()
}
