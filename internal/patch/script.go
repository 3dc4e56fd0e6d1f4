package patch

import (
	"errors"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/shell"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A call is a patch that a shell script applies.
type call struct {
	patch string
	above int    // the line of the request above the patch
	dir   string // where the paths of the patch start, "" if the script does not say
}

// A ScriptReader reads a shell script for the one patch that it applies.
type ScriptReader struct {
	Src   string
	above int // the line of the request above the script
	depth int // the number of scripts around this one

	dir   string // where the commands read so far have gone
	Call  *call
	piped bool // the patch is on its way to the next command
}

const onlyPatch = ": expected only apply_patch <<'EOF', the patch, and EOF on a line of its own, with an optional \"cd DIR &&\" in front"

// Read reads the script up to its end, or up to the first line below the patch for which ends is true. It returns the offset where
// it stopped.
func (s *ScriptReader) Read(ends func(line string) bool) (end int, err error) {
	r := shell.Reader{Src: s.Src}
	for r.At < len(s.Src) {
		if line, _, _ := strings.Cut(s.Src[r.At:], "\n"); s.Call != nil && ends != nil && ends(line) {
			break
		}
		commands, err := r.Line()
		var e *shell.Error
		switch {
		case errors.As(err, &e) && e.CutOff:
			return 0, plan.CutOff(s.line(e.Offset), plan.Plan{}, e.Msg)
		case errors.As(err, &e):
			return 0, plan.Syntax(s.line(e.Offset), e.Msg)
		}
		for _, c := range commands {
			if err := s.Command(c); err != nil {
				return 0, err
			}
		}
	}
	return r.At, s.Missing()
}

// Missing refuses a script without a patch.
func (s *ScriptReader) Missing() error {
	if s.Call == nil || s.piped {
		return plan.Syntax(s.above+1, "the command applies no patch"+onlyPatch)
	}
	return nil
}

// line returns the line of the request that an offset of the script is on.
func (s *ScriptReader) line(at int) int { return s.above + 1 + strings.Count(s.Src[:at], "\n") }

// Command reads a command of the script.
func (s *ScriptReader) Command(c shell.Command) error {
	args := c.Words
	if len(args) > 0 && args[0].Text == "$" { // the prompt of a terminal
		args = args[1:]
	}
	name := ""
	if len(args) > 0 {
		name, args = args[0].Text, args[1:]
	}
	var err error
	ok := !c.Odd && (s.Call == nil || s.piped)
	if name == "" && len(c.Heres) == 0 && !c.Odd {
		ok = true
	} else if ok {
		ok, err = s.run(name, args, c)
	}
	if err == nil && (!ok || !s.piped && c.Then != "" && c.Then != "&&" && c.Then != ";") {
		line, _, _ := strings.Cut(strings.TrimLeft(s.Src[c.Start:], " \t\r\n"), "\n")
		return plan.Syntax(s.line(c.Start), plan.Excerpt(line)+" is more than a patch"+onlyPatch+"; run other commands by themselves")
	}
	return err
}

// run does what a command does. It reports false for a command that has nothing to do with a patch.
func (s *ScriptReader) run(name string, args []shell.Word, c shell.Command) (ok bool, err error) {
	applies := name == "apply_patch" || name == "applypatch"
	inputs := len(args) + len(c.Heres)
	switch {
	case s.piped:
		s.piped = false
		return applies && inputs == 0, nil
	case name == "cd" && len(c.Heres) == 0:
		return true, s.changeDir(args, c.Start)
	case (applies || name == "cat" || name == "") && len(args) == 0 && len(c.Heres) == 1:
		s.piped = !applies && c.Then == "|"
		return true, s.readHere(c.Heres[0])
	case applies && len(c.Heres) == 0 && len(args) < 2:
		for _, a := range args {
			err = s.readPatch(a)
		}
		return true, err
	case isShell(name) && len(c.Heres) == 0 && isScriptCall(args):
		return true, s.readScript(args[len(args)-1])
	}
	return false, nil
}

// changeDir reads the arguments of "cd".
func (s *ScriptReader) changeDir(args []shell.Word, at int) error {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) != 1 || args[0].Expands != "" || args[0].Text == "" || args[0].Text[0] == '-' || strings.ContainsAny(args[0].Text, "\r\n\"`*") {
		line, _, _ := strings.Cut(strings.TrimSpace(s.Src[at:]), "\n")
		return plan.Syntax(s.line(at), plan.Excerpt(line)+" depends on the shell that runs it, or names no plain directory: expected \"cd DIR &&\" with the path of one directory")
	}
	s.dir = names.In(s.dir, args[0].Text)
	return nil
}

// readHere reads the patch in a here-document.
func (s *ScriptReader) readHere(h shell.Here) error {
	patch := s.Src[h.Start:h.End]
	for _, escape := range []string{`\$`, "\\`"} {
		if at := strings.Index(patch, escape); at >= 0 && !h.Quoted {
			return plan.Syntax(s.line(h.Start+at), "a shell removes the backslash of "+plan.Excerpt(escape)+" in a here-document whose word has no quotes, "+
				"but a patch is read as it is: expected <<'"+text.Clip(h.Word, 60)+"', and the lines exactly as in the file")
		}
	}
	if h.Tabs { // The shell removes the tabs in front of every line; the patch has as many as its first line.
		indent := patch[:len(patch)-len(strings.TrimLeft(patch, "\t"))]
		patch = strings.ReplaceAll("\n"+patch, "\n"+indent, "\n")[1:]
	}
	s.Call = &call{patch, s.line(h.Start) - 1, s.dir}
	if !h.Ended && !marker.HasPatchBegin(patch) {
		return plan.CutOff(s.line(len(s.Src)), plan.Plan{}, "the here-document was cut off: expected "+plan.Excerpt(h.Word)+" on a line of its own below it; send it again in full")
	}
	return nil
}

// readPatch reads the patch in an argument.
func (s *ScriptReader) readPatch(w shell.Word) error {
	above := s.line(w.Start) - 1
	switch {
	case w.Expands != "":
		return s.expands(w)
	case strings.HasPrefix(strings.TrimSpace(w.Text), "<<"):
		return s.readScript(w)
	case !strings.Contains(w.Text, "\n"):
		return plan.Syntax(above+1, plan.Excerpt(w.Text)+" is no patch: expected all of its lines, with real line breaks between them, in a here-document below apply_patch <<'EOF'")
	}
	s.Call = &call{w.Text, above, s.dir}
	return nil
}

// readScript reads a script in an argument.
func (s *ScriptReader) readScript(w shell.Word) error {
	const deepest = 2 // nobody needs more than one script within another
	if w.Expands != "" {
		return s.expands(w)
	}
	inner := ScriptReader{Src: w.Text, above: s.line(w.Start) - 1, depth: s.depth + 1, dir: s.dir}
	if inner.depth > deepest {
		return plan.Syntax(inner.above+1, "too many scripts are within one another"+onlyPatch)
	}
	_, err := inner.Read(nil)
	s.Call = inner.Call
	return err
}

// expands refuses an argument that a shell would not take as it stands.
func (s *ScriptReader) expands(w shell.Word) error {
	return plan.Syntax(s.line(w.Start), "a shell replaces "+plan.Excerpt(w.Expands)+" in this argument, but a patch is read as it is: expected it in a here-document, below apply_patch <<'EOF'")
}

// isShell reports whether a command is a shell.
func isShell(name string) bool {
	switch path.Base(name) {
	case "bash", "sh", "zsh", "dash", "ksh":
		return true
	}
	return false
}

// isScriptCall reports whether the arguments of a shell are flags, the last of which makes it run the one argument behind them.
func isScriptCall(args []shell.Word) bool {
	flags := args[:max(0, len(args)-1)]
	for _, f := range flags {
		if f.Text != "--login" && (len(f.Text) < 2 || f.Text[0] != '-' || strings.Trim(f.Text[1:], "ceilux") != "") {
			return false
		}
	}
	return len(flags) > 0 && strings.HasSuffix(flags[len(flags)-1].Text, "c")
}
