package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/shell"
)

// shellPlan reads a shell script that applies one patch:
//
//	script = { "cd" dir ( "&&" | ";" | newline ) } ( call | shell "-c" script )
//	call   = ( "apply_patch" | "applypatch" ) ( here-document | patch )
//
// The paths of the patch start from the last directory. "cat" may print the here-document, for apply_patch or alone. A script
// that does more is refused, and so is one whose meaning depends on the shell that runs it.
func shellPlan(script string) (Plan, error) {
	s := scriptReader{src: script}
	if _, err := s.read(nil); err != nil {
		return Plan{}, err
	}
	return s.call.plan()
}

// argvPlan reads a command that applies one patch, as a list of its arguments: apply_patch and the patch, or a shell, "-c" and a
// script. A single argument may be a script.
func argvPlan(argv []string) (Plan, error) {
	if len(argv) == 1 {
		return shellPlan(argv[0])
	}
	c := shell.Command{Words: make([]shell.Word, len(argv))}
	for i, arg := range argv {
		c.Words[i].Text = arg
	}
	s := scriptReader{src: strings.Join(argv, " ")}
	if err := s.command(c); err != nil {
		return Plan{}, err
	}
	if err := s.missing(); err != nil {
		return Plan{}, err
	}
	return s.call.plan()
}
