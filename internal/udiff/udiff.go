// Package udiff reads unified diffs into a plan, as "diff -u" and "git diff" print them or models write them, and
// prints them. docs/reading.md says what is understood. Time and memory are linear in the length of the request.
package udiff

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Parse reads the diff in a request, without "a/" and "b/" or the like in front of names.
func Parse(request string) (plan.Plan, error) { return Read(request, false) }

const noDiff = "there is no diff here: " + expectedDiff

// InOtherForm returns the refusal of a diff that a text has in another form, or indented or quoted; nil if it has none.
func InOtherForm(request string) error {
	_, err := Parse(request)
	var bad *plan.Refusal
	if errors.As(err, &bad) && bad.Problems[0].Msg == noDiff {
		return nil
	}
	return err
}

// Read reads a diff. With more, the request goes on, which counts as cut off.
func Read(request string, more bool) (plan.Plan, error) {
	p := parser{in: text.Scanner{Src: request}, plan: plan.Plan{Format: "unified"}, more: more}
	for p.err == nil && p.in.Scan() {
		header := marker.ReadFileHeader(&p.in)
		if taken := p.hunk.open && p.readInHunk(header); !taken && p.err == nil {
			p.readBetweenHunks(header)
		}
		if p.err != nil && !more {
			p.goOn()
		}
	}
	if msg := p.missing(); p.err == nil && !more && msg != "" {
		p.err = p.cutOff(msg)
	}
	if p.err == nil && !more {
		p.closeFile()
	}
	switch {
	case len(p.problems) > 0:
		return plan.Plan{}, p.plan.RefuseAll(p.problems, p.err)
	case p.err != nil:
		return plan.Plan{}, p.err
	case more:
		return plan.Plan{}, p.cutOff(plan.GoesOn)
	case len(p.plan.Ops) > 0:
		p.cutTrees()
		p.plan.NumberEdits()
		return p.plan, nil
	case p.quoted.No > 0:
		return plan.Plan{}, quotedDiff(&p.quoted)
	}
	return plan.Plan{}, plan.OrEscaped(request, plan.Syntax(1, noDiff))
}

type parser struct {
	in       text.Scanner
	err      error          // the problem of what is being read, behind which nothing counts
	problems []plan.Problem // of the hunks and files above that are malformed: the diff is refused
	plan     plan.Plan
	more     bool         // the request goes on
	file     file         // the one being read
	hunk     hunk         // the one being read
	fenced   bool         // there is a code fence above
	inFence  bool         // one is open
	prose    text.Scanner // in front of the lines below the file's header or last hunk
	quoted   text.Scanner // at the first diff with other characters in front, if there is no file above it
	trees    [][2]string  // directories that were in front of the two names of files
}

// A hunk is a hunk being read. Its memory is reused for the next one.
type hunk struct {
	marker.Hunk
	open   bool
	header marker.HunkHeader
	line   int // of the header
	oldN   int // lines that the header counts and that have not come yet
	newN   int
}

// count subtracts a line from the counts. One without a prefix counts as an empty one, a context line.
func (h *hunk) count(s string) {
	if s == "" || s[0] == ' ' || s[0] == '-' {
		h.oldN--
	}
	if s == "" || s[0] == ' ' || s[0] == '+' {
		h.newN--
	}
}

func (h *hunk) isComplete() bool { return h.header.Counted && h.oldN <= 0 && h.newN <= 0 }

// readInHunk reads a line below the header of a hunk. If it reports false, the hunk has ended above that line.
func (p *parser) readInHunk(header *marker.FileHeader) (taken bool) {
	s := p.in.Line
	switch {
	case p.isFileStart(header) || strings.HasPrefix(s, "@@"):
		p.closeHunk()
		return false
	case p.endsInHeader():
		if p.closeHunk(); p.err == nil {
			p.err = p.cutOff("the diff was cut off in the header of another file: send it again in full, " +
				"or if this is content, correct the counts of the hunk on line " + strconv.Itoa(p.hunk.line))
		}
	case header != nil && !header.AboveHunk && p.isSurplus(header):
		p.err = plan.BadLine(&p.in, " may name another file or be content: expected \"@@\" below it, "+
			"or correct counts in the hunk on line "+strconv.Itoa(p.hunk.line))
	case p.hunk.isComplete() && (s == "-- " || s == "--"): // the signature of git format-patch
		p.closeHunk()
	case p.hunk.Add(p.hunkLine()):
		p.hunk.count(s)
	case p.hunk.isComplete() || p.fenced && text.IsFence(s):
		p.closeHunk()
		return false
	case marker.Of(&p.in) != marker.None:
		p.err = marker.NotOfHunk(p.in.No, s, "hunk")
	default:
		p.hunk.AddBare(p.hunkLine(), p.in.No)
		p.hunk.count("")
	}
	return true
}

// goOn notes the problem of a hunk or file and goes to the next one, so that all problems are told at once.
func (p *parser) goOn() {
	bad := plan.Malformed(p.err, p.problems)
	if bad == nil {
		return
	}
	inHunk := p.hunk.open && p.in.No > p.hunk.line
	for ok := true; ok; ok = p.in.Scan() {
		header := marker.ReadFileHeader(&p.in)
		isFile := strings.HasPrefix(p.in.Line, "diff --git ") || header != nil && header.Paired && header.AboveHunk
		if !isFile && !(inHunk && strings.HasPrefix(p.in.Line, "@@")) {
			continue
		}
		p.problems, p.err, p.hunk = append(p.problems, bad.Problems...), nil, hunk{}
		p.file.edits = append(p.file.edits, plan.Edit{}) // in the place of the hunk
		if isFile {
			p.plan.Ops = append(p.plan.Ops, plan.Op{Path: p.file.path(), Edits: p.file.edits})
			p.file = file{}
		}
		p.in.Next, p.in.No = p.in.At, p.in.No-1
		p.prose = p.in
		return
	}
}

const expectedDiff = "expected \"--- a/file\", \"+++ b/file\" and \"@@ -1,2 +1,2 @@\""

func (p *parser) readBetweenHunks(header *marker.FileHeader) {
	s := p.in.Line
	switch {
	case strings.HasPrefix(s, "diff --git "):
		p.closeFile()
		p.file, p.prose = file{line: p.in.No, named: true, inGit: true, git: s, last: p.in.No}, p.in
		p.file.old, p.file.new = marker.ReadGitNames(s[len("diff --git "):])
	case header != nil && (header.Paired || header.AboveHunk &&
		(header.IsSure(filehint.IsFileName) || header.Olds == 0 && header.IsSure(filehint.IsPath))):
		p.startFile(header)
	case strings.HasPrefix(s, "@@@"):
		p.err = plan.Syntax(p.in.No, "the combined diff of a merge cannot be applied: expected a diff of two "+
			"versions, whose hunks begin with \"@@ -1,2 +1,2 @@\"")
	case strings.HasPrefix(s, "Binary files ") && strings.HasSuffix(s, " differ"):
		p.refuseFile(binaryPatch)
	case strings.HasPrefix(s, "@@"):
		p.startHunk()
	case p.file.inGit:
		m, _ := marker.ReadPatchMarker(s)
		if f := marker.Of(&p.in); f != marker.None && f != marker.Unified && m != marker.PatchEnd {
			p.err = plan.MixedFormats(p.in.No, plan.Excerpt(s), "diff")
		} else if msg, isHeader := p.file.readGitHeader(&p.in); msg != "" {
			p.refuseFile(msg)
		} else if isHeader {
			p.prose = p.in
		}
	default:
		p.readProse()
	}
}

func (p *parser) refuseFile(msg string) {
	reason := errs.ErrSyntax
	if msg == binaryPatch {
		reason = errs.ErrBinary
	}
	p.err = plan.Refuse(plan.Problem{Err: reason, Path: p.file.path(), Op: len(p.plan.Ops), Edit: -1, Line: p.in.No,
		Msg: msg})
}

// isFileStart reports whether the current line, in a hunk, begins the header of another file. Lines that may name one
// are content if they are the last that the counts announce, or if they do not surely name a file.
func (p *parser) isFileStart(header *marker.FileHeader) bool {
	s := p.in.Line
	switch {
	case strings.HasPrefix(s, "diff --git "), strings.HasPrefix(s, "diff -") && strings.HasPrefix(p.in.Peek(), "--- "),
		strings.HasPrefix(s, "Index: ") && strings.HasPrefix(p.in.Peek(), "====="):
		return true
	case header == nil || !header.AboveHunk:
		return false
	case header.HasPrefixes():
		return true
	case p.hunk.header.Counted && p.hunk.oldN-header.Olds == p.hunk.newN-header.News && p.hunk.oldN >= header.Olds &&
		p.hunk.oldN <= header.Olds+header.Blanks:
		return false
	case header.Paired && header.Blanks == 0:
		return true
	case p.hunk.isComplete() && header.Olds == 0:
		return header.IsSure(filehint.IsPath)
	}
	return header.IsSure(filehint.IsFileName)
}

// isSurplus reports whether lines in a hunk that may name a file, without a "@@" below, exceed the counts and surely
// name one. A single old name does not count: such a line would have to be in the file.
func (p *parser) isSurplus(header *marker.FileHeader) bool {
	return (p.hunk.isComplete() || !p.hunk.header.Counted) &&
		(header.HasPrefixes() || header.Olds == 0 && header.IsSure(filehint.IsFileName))
}

// endsInHeader reports whether the request ends in the header of another file, below all lines that the hunk counts.
func (p *parser) endsInHeader() bool {
	in := p.in
	begins := func(marker string) bool {
		return strings.HasPrefix(in.Line, marker) || in.Line != "" && in.At+len(in.Line) == len(in.Src) &&
			strings.HasPrefix(marker, in.Line)
	}
	return !p.more && p.hunk.isComplete() && begins("--- ") &&
		(!in.Scan() || begins("+++ ") && (in.Next == len(in.Src) || in.Src[in.Next:] == "@"))
}

func (p *parser) hunkLine() string {
	if p.file.created && !p.file.crlf && p.in.Line != "" {
		return p.in.Verbatim()
	}
	return p.in.Line
}

func (p *parser) startFile(header *marker.FileHeader) {
	if !p.file.inGit {
		if p.closeFile(); p.err != nil {
			return
		}
		p.file = file{line: p.in.No, named: true}
	}
	p.in, p.prose = header.Last, header.Last
	p.file.inGit, p.file.crlf, p.file.last = false, p.in.CRLF(), p.in.No
	p.err = p.file.setNames(header, p.in.No)
}

func (p *parser) startHunk() {
	p.err = p.findFile()
	p.file.line = cmp.Or(p.file.line, p.in.No)
	p.file.inGit = false
	h := &p.hunk
	h.open, h.header, h.line = true, marker.ReadHunkHeader(p.in.Line), p.in.No
	h.oldN, h.newN = h.header.OldN, h.header.NewN
}

// findFile finds the file of the hunk that begins on the current line. If no header of a file stands right above it,
// the lines below the last hunk may name another file than the one being read.
func (p *parser) findFile() error {
	const expected = "\"--- a/file\" and \"+++ b/file\" above the hunk"
	if p.file.line == 0 && p.quoted.No > 0 && len(p.plan.Ops) == 0 {
		return quotedDiff(&p.quoted) // it may be its header
	}
	known := p.file.path()
	inner := strings.Trim(p.in.Line, "@ \t") // "@@ b.go @@"
	if known != "" && filehint.IsFileName(inner) && !strings.ContainsAny(inner, " \t") &&
		!filehint.SameFile(inner, known) {
		conflict := &filehint.Conflict{Hint: filehint.Hint{Path: inner, Line: p.in.No}, Other: known}
		return plan.DoubtfulFile(conflict, "hunk", p.in.No, expected)
	}
	above := p.prose
	above.Src = p.in.Src[:p.in.At]
	lines := filehint.Lines(above, p.file.line > 0)
	for i, l := range lines {
		if name := marker.ReadToolName(l.Text); name != "" && !l.Fence {
			lines[i].Text = "File: " + name
		}
	}
	hint, conflict := filehint.File(lines, known)
	isApart := slices.ContainsFunc(lines, func(l filehint.Line) bool { return l.Fence })
	isFirst := p.file.named && len(p.file.edits) == 0
	same := names.OfRequest(hint.Path) == names.OfRequest(known) || hint.Path == "a/"+known || hint.Path == "b/"+known
	switch {
	case conflict != nil && (isApart || !isFirst): // else it is a comment that mentions a file
		return plan.DoubtfulFile(conflict, "hunk", p.in.No, expected)
	case hint.Path == "", same, hint.Certainty <= filehint.Word && known == "":
		return nil
	}
	p.closeFile()
	p.file = file{line: p.in.No, named: true, old: hint.Path, new: hint.Path}
	return p.err
}

func (p *parser) closeHunk() {
	h := &p.hunk
	if h.IsEmpty() {
		p.err = plan.Syntax(h.line, "a hunk without lines: expected lines that begin with \" \", \"-\" or \"+\" "+
			"below \"@@\"")
		return
	}
	var e plan.Edit
	if e, p.err = h.Edit("hunk", plan.Edit{Section: h.header.Section}); p.err != nil {
		return
	}
	switch {
	case e.Old == "" && h.header.Counted && h.header.OldN == 0 && h.newN == 0:
		e.First = h.header.Near() // unless the file has context lines: see file.add
	case h.header.Counted:
		e.Near = h.header.Near()
	}
	p.file.add(e)
	h.open = false
	p.prose = p.in
	p.prose.Next, p.prose.No = p.in.At, p.in.No-1 // in front of the current line
}

// closeFile adds the operation of the file being read to the plan, if a file is open.
func (p *parser) closeFile() {
	if p.hunk.open {
		p.closeHunk()
	}
	f := p.file
	if p.file = (file{}); f.line == 0 || p.err != nil {
		return
	}
	var op plan.Op
	op, p.err = f.op()
	if f.trees != [2]string{} {
		p.trees = append(p.trees, f.trees)
	}
	p.plan.Ops = append(p.plan.Ops, op)
}

// cutTrees removes the directories of the diff from the names of files that are in only one of them.
func (p *parser) cutTrees() {
	if len(slices.Compact(p.trees)) != 1 { // they have none, or others
		return
	}
	for i := range p.plan.Ops {
		switch op := &p.plan.Ops[i]; op.Kind {
		case plan.OpDelete:
			op.Path = strings.TrimPrefix(op.Path, p.trees[0][0])
		case plan.OpCreate:
			op.Path = strings.TrimPrefix(op.Path, p.trees[0][1])
		}
	}
}

// missing describes what a request that was cut off lacks, "" if nothing: a last hunk may omit context that it counts.
func (p *parser) missing() string {
	const again = "; send it again in full"
	unended := p.in.Src != "" && p.in.Src[len(p.in.Src)-1] != '\n'
	h := &p.hunk
	switch {
	case !h.open && p.file.named && len(p.file.edits) == 0 && p.file.isCutOff(&p.in, unended):
		return "the diff was cut off: its last file has a header but no lines below it" + again
	case !h.open:
		return ""
	case h.IsEmpty() && p.in.No == h.line:
		return "the diff was cut off: its last hunk has a header but no lines below it" + again
	case !h.header.Counted && p.inFence && unended:
		return "the diff was cut off: its last hunk is in a code fence that does not end" + again
	case !h.header.Counted || h.isComplete():
		return ""
	}
	changes := bytes.ContainsAny(h.Columns, "-+")
	endsInChange := changes && strings.IndexByte(" ?", h.Columns[len(h.Columns)-1]) < 0
	if !changes || p.file.deleted || endsInChange && h.newN > 0 && (h.newN != h.oldN || unended) {
		return fmt.Sprintf("the diff was cut off: its last hunk header announces %d more old and %d more new lines",
			max(h.oldN, 0), max(h.newN, 0)) + again
	}
	return ""
}

// cutOff returns the refusal of a request that ended too early, with the files and hunks that are complete.
func (p *parser) cutOff(msg string) error {
	partial := p.plan
	isOpen := p.more && (!p.file.hasContext || p.file.named && p.file.path() == "") // what follows may change it
	if len(p.file.edits) > 0 && p.file.kind() == plan.OpEdit && !isOpen {
		partial.Ops = append(partial.Ops, plan.Op{Path: p.file.path(), Edits: p.file.edits})
	}
	partial.NumberEdits()
	return plan.CutOff(p.in.No, partial, msg)
}

// readProse reads a line outside all files. It refuses a line of a diff in another form, which would be lost as prose.
func (p *parser) readProse() {
	s, next, isFirst := p.in.Line, p.in.Peek(), len(p.plan.Ops) == 0 && p.file.line == 0
	fence := text.IsFence(s)
	p.fenced, p.inFence = p.fenced || fence, p.inFence != fence
	switch f, bare := marker.Of(&p.in), withoutQuoteSigns(s); {
	case f != marker.None && f != marker.Unified && isFirst:
		p.err = plan.BadLine(&p.in, " is not of a diff: "+expectedDiff)
	case f != marker.None && f != marker.Unified:
		p.err = plan.MixedFormats(p.in.No, plan.Excerpt(s), "diff")
	case strings.HasPrefix(s, "***************") && strings.HasPrefix(next, "*** "):
		p.err = plan.Syntax(p.in.No, "a context diff cannot be read: expected a unified diff, as \"diff -u\" prints it")
	case marker.IsNormalCommand(s) && (strings.HasPrefix(next, "< ") || strings.HasPrefix(next, "> ")):
		p.err = plan.Syntax(p.in.No, "a diff in \"normal\" format cannot be read: expected a unified diff, as \"diff "+
			"-u\" prints it")
	case strings.HasPrefix(s, "rename from ") && strings.HasPrefix(next, "rename to "):
		p.err = plan.Syntax(p.in.No, "a rename without its first line: expected \"diff --git a/old b/new\" above it")
	case bare == s || !marker.StartsDiff(bare, withoutQuoteSigns(next)):
	case !isFirst:
		p.err = quotedDiff(&p.in)
	case p.quoted.No == 0: // a mail that begins like this may have a diff below
		p.quoted = p.in
	}
}

// quotedDiff returns the refusal of a diff that begins on the current line after other characters.
func quotedDiff(in *text.Scanner) error {
	return plan.Syntax(in.No, plan.Excerpt(withoutQuoteSigns(in.Line))+" has other characters in front of it: "+
		"expected the lines of a diff to begin in the first column")
}

// withoutQuoteSigns removes the quote marks of a mail, and whitespace, from the beginning of a line.
func withoutQuoteSigns(s string) string { return strings.TrimLeft(s, "> \t") }
