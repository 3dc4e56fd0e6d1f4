package patch

import (
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/shell"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A ScriptReader reads a shell script for the one patch that it applies.
type ScriptReader struct {
	Src   string
	above int // the line of the request above the script

	dir   string        // where the commands so far have gone, and the paths of the patch start; "" if they do not say
	patch *text.Scanner // in front of the patch, nil if there is none yet
	piped bool          // the patch is on its way to the next command
}

const onlyPatch = ": expected only apply_patch <<'EOF', the patch, and EOF on a line of its own, with an optional " +
	"\"cd DIR &&\" in front"

// Read reads the script up to its end, or to the first line below the patch for which ends is true, and returns where.
func (s *ScriptReader) Read(ends func(line string) bool) (end int, err error) {
	r := shell.Reader{Src: s.Src}
	for r.At < len(s.Src) {
		if s.patch != nil && ends != nil && ends(text.FirstLine(s.Src[r.At:])) {
			break
		}
		commands, err := r.Line()
		if err != nil {
			bad := jsonread.NewRequest([]byte(s.Src)).Refusal(err)
			bad.Problems[0].Line += s.above
			return 0, bad
		}
		for _, c := range commands {
			if err := s.Command(c); err != nil {
				return 0, err
			}
		}
	}
	return r.At, s.Missing()
}

func (s *ScriptReader) Missing() error {
	if s.patch == nil || s.piped {
		return plan.Syntax(s.above+1, "the command applies no patch"+onlyPatch)
	}
	return nil
}

// line returns the line of the request that an offset of the script is on.
func (s *ScriptReader) line(at int) int { return s.above + 1 + strings.Count(s.Src[:at], "\n") }

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
	ok := !c.Odd && name == "" && len(c.Heres) == 0
	if !ok && !c.Odd && (s.patch == nil || s.piped) {
		ok, err = s.run(name, args, c)
	}
	if err == nil && (!ok || !s.piped && c.Then != "" && c.Then != "&&" && c.Then != ";") {
		line := text.FirstLine(strings.TrimLeft(s.Src[c.Start:], " \t\r\n"))
		return plan.Syntax(s.line(c.Start), plan.Excerpt(line)+" is more than a patch"+onlyPatch+"; run other "+
			"commands by themselves")
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

func (s *ScriptReader) changeDir(args []shell.Word, at int) error {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) != 1 || args[0].Expands != "" || args[0].Text == "" || args[0].Text[0] == '-' ||
		strings.ContainsAny(args[0].Text, "\r\n\"`*") {
		line := text.FirstLine(strings.TrimSpace(s.Src[at:]))
		return plan.Syntax(s.line(at), plan.Excerpt(line)+" depends on the shell that runs it, or names no plain "+
			"directory: expected \"cd DIR &&\" with the path of one directory")
	}
	s.dir = names.In(s.dir, args[0].Text)
	return nil
}

func (s *ScriptReader) readHere(h shell.Here) error {
	patch := s.Src[h.Start:h.End]
	for _, escape := range []string{`\$`, "\\`"} {
		if at := strings.Index(patch, escape); at >= 0 && !h.Quoted {
			return plan.Syntax(s.line(h.Start+at), "a shell removes the backslash of "+plan.Excerpt(escape)+
				" in a here-document whose word has no quotes, but a patch is read as it is: "+
				"expected <<'"+text.Clip(h.Word, 60)+"', and the lines exactly as in the file")
		}
	}
	if h.Tabs { // The shell removes the tabs in front of every line; the patch has as many as its first line.
		indent := patch[:len(patch)-len(strings.TrimLeft(patch, "\t"))]
		patch = strings.ReplaceAll("\n"+patch, "\n"+indent, "\n")[1:]
	}
	s.patch = &text.Scanner{Src: patch, No: s.line(h.Start) - 1}
	return s.endHere(h)
}

// endHere refuses a here-document that does not end below its patch. A shell would read on, or run something else.
func (s *ScriptReader) endHere(h shell.Here) error {
	in := *s.patch
	end := marker.LastPatchEnd(in.Src)
	if end < 0 && (h.Ended || marker.HasPatchBegin(in.Src)) {
		return nil // the patch itself was cut off, or has no marks
	}
	in.Next = max(0, end)
	in.No += strings.Count(in.Src[:in.Next], "\n")
	for in.Scan(); end >= 0 && in.Scan(); {
		if !text.IsBlank(in.Line) && !(h.Ended && text.IsFence(in.Line)) {
			return plan.BadLine(&in, " stands between the patch and the end of its here-document: expected "+
				plan.Excerpt(h.Word)+" alone on that line; run other commands by themselves")
		}
	}
	if h.Ended {
		return nil
	}
	var complete plan.Plan
	if end >= 0 {
		complete, _ = s.Plan() // an error leaves nothing
	}
	return plan.CutOff(s.line(len(s.Src)), complete, "the here-document was cut off: expected "+
		plan.Excerpt(h.Word)+" on a line of its own below it; send it again in full")
}

func (s *ScriptReader) readPatch(w shell.Word) error {
	above := s.line(w.Start) - 1
	switch {
	case w.Expands != "", strings.HasPrefix(strings.TrimSpace(w.Text), "<<"):
		return s.readScript(w)
	case !strings.Contains(w.Text, "\n"):
		return plan.Syntax(above+1, plan.Excerpt(w.Text)+" is no patch: expected all of its lines, with real line "+
			"breaks between them, in a here-document below apply_patch <<'EOF'")
	}
	s.patch = &text.Scanner{Src: w.Text, No: above}
	return nil
}

// readScript reads an argument that is a script. It refuses one that a shell would not take as it stands.
func (s *ScriptReader) readScript(w shell.Word) error {
	if w.Expands != "" {
		return plan.Syntax(s.line(w.Start), "a shell replaces "+plan.Excerpt(text.FirstLine(w.Expands))+" in this "+
			"argument, but a patch is read as it is: expected it in a here-document, below apply_patch <<'EOF'")
	}
	inner := ScriptReader{Src: w.Text, above: s.line(w.Start) - 1, dir: s.dir}
	_, err := inner.Read(nil)
	s.patch, s.dir = inner.patch, inner.dir
	return err
}

func isShell(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))), ".exe")
	return slices.Contains([]string{"bash", "sh", "zsh", "dash", "ksh", "powershell", "pwsh", "cmd"}, name)
}

// isScriptCall reports whether the arguments of a shell are flags that make it run the one argument behind them.
func isScriptCall(args []shell.Word) bool {
	runs := false
	for _, f := range args[:max(0, len(args)-1)] {
		flag := strings.ToLower(f.Text)
		letters, isShort := strings.CutPrefix(f.Text, "-")
		isShort = isShort && letters != "" && strings.Trim(letters, "ceilux") == ""
		runs = isShort && strings.HasSuffix(letters, "c") || flag == "-command" || flag == "/c" // of PowerShell, or cmd
		if !runs && !isShort && !slices.Contains([]string{"--login", "-noprofile", "-nologo", "-noninteractive"},
			flag) {
			return false
		}
	}
	return runs
}

// pass notes that the current line is outside all patches.
func (p *parser) pass() {
	s := p.in.Line
	fence := text.IsFence(s)
	ends := text.IsBlank(s) || strings.HasPrefix(s, "%%") || strings.HasSuffix(s, ":")
	if fence || ends && !p.fenced && !p.hasMoved {
		p.paragraph, p.hasMoved = p.in, false
	}
	p.hasMoved = p.hasMoved || strings.HasPrefix(s, "cd ")
	p.fenced = p.fenced != fence
}

func (p *parser) readOutside(mark marker.PatchMarker) {
	if !p.inScript && marker.CallsPatch(&p.in) {
		p.readScript()
		return
	}
	p.pass()
	added, _ := marker.ReadInnerMarker(strings.TrimLeft(p.in.Line, "+> \t"))
	switch f := marker.Of(&p.in); {
	case mark == marker.PatchBegin:
		p.state = between
	case added != marker.PatchNone || f == marker.V4A:
		p.err = plan.BadLine(&p.in, " is outside the patch: expected it between \"*** Begin Patch\" and \"*** End "+
			"Patch\"")
	case f != marker.None:
		p.err = plan.MixedFormats(p.in.No, plan.Excerpt(p.in.Line), "patch")
	}
}

// readWrapper reads a line that may stand above a bare patch: an empty one, or the beginning of a shell script.
func (p *parser) readWrapper() (taken bool) {
	s := p.in.Line
	if !p.inScript && (marker.CallsPatch(&p.in) || strings.HasPrefix(s, "cd ") || strings.HasPrefix(s, "<<")) {
		p.bare, p.state = true, bareEnd
		p.readScript()
		return true
	}
	p.pass()
	return text.IsBlank(s) || strings.HasPrefix(s, "%%")
}

// readScript reads the script around the current line: all of a code fence or of the request, or else a paragraph.
func (p *parser) readScript() {
	from := p.paragraph
	ends := text.IsBlank[string]
	switch {
	case p.fenced:
		ends = text.IsFence
	case text.IsBlankText(p.in.Src[:from.Next]):
		ends = nil
	}
	s := ScriptReader{Src: p.in.Src[from.Next:], above: from.No}
	end, err := s.Read(ends)
	var done plan.Plan
	if err == nil {
		done, err = s.Plan()
	}
	var r *plan.Refusal
	if errors.As(err, &r) && errors.Is(err, io.ErrUnexpectedEOF) {
		r.Partial.Ops = append(p.plan.Ops, r.Partial.Ops...)
	}
	p.plan.Ops = append(p.plan.Ops, done.Ops...)
	p.in.Next, p.in.No = from.Next+end, from.No+strings.Count(s.Src[:end], "\n")
	p.paragraph, p.hasMoved, p.err = p.in, false, err
}

// Plan returns the plan of the patch that the script applies.
func (s *ScriptReader) Plan() (plan.Plan, error) {
	p, err := read(*s.patch, true)
	var r *plan.Refusal
	switch {
	case errors.As(err, &r):
		r.Partial, r.Rest = r.Partial.In(s.dir), r.Rest.In(s.dir)
		return plan.Plan{}, r
	case p.LacksPath():
		return plan.Plan{}, OfNoFile(s.patch.No + 1)
	}
	return p.In(s.dir), nil
}

// OfNoFile refuses a patch of chunks alone.
func OfNoFile(line int) error {
	return plan.Syntax(line, "the patch names no file: expected \"*** Update File: path\" above its lines")
}
