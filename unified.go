package atomicedit

import (
	"bytes"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// ParseUnified reads a unified diff, as "diff -u" or "git diff" print it, or as models write it: timestamps, quoted and
// spaced paths, a/ and b/ in front of paths or not, one of "---" and "+++" alone, or the two swapped, wrong counts, "@@ ... @@"
// without numbers, and hunks without any file (see [Plan.ForFile]) are understood; text around the files is ignored. But text
// between a file's hunks, or above hunks without a file, may name the file of those below, as it may for [ParseBlocks], and is
// refused where that is in doubt; so is what would be lost as text: an indented or quoted diff, one in another form.
//
// The line of a hunk becomes [Edit.Near]; the heading behind the numbers tells places apart as well. Only in a file's part that
// shows no line of context at all ("diff -U0") is it the place of a hunk that inserts, [Edit.First], if its header counts no old
// line and the right number of new ones; but "@@ -0,0" alone is for an empty file, unless git's "index" line says that the file
// was not empty.
//
// A file that comes from /dev/null is created; one that goes there is removed, its Op has the hunks in Edits, and they
// must cover the whole file. git's rename headers are a move. What a plan cannot say is refused: a copy, a changed mode,
// a link, a submodule; and a binary patch, with [ErrBinary].
//
// Every other error is a [*Refusal] with [ErrSyntax] and the line. A diff has no mark at its end, so that it was cut off,
// io.ErrUnexpectedEOF as well, is told by what it promises: a header without the lines below it, lines that its last hunk counts
// and that cannot all be context left out, half a line of a change. A cut that leaves all of that whole cannot be told.
// (Counts say nothing otherwise.)
// Time and memory are linear in the length of text.
func ParseUnified(text string) (Plan, error) {
	p := unifiedParser{in: scanner{src: text}}
	for p.in.scan() {
		if err := p.line(); err != nil {
			return Plan{}, err
		}
	}
	if msg := p.cut(); msg != "" {
		return Plan{}, p.cutOff(msg)
	}
	if err := p.closeFile(); err != nil {
		return Plan{}, err
	}
	switch {
	case len(p.plan.Ops) > 0:
	case p.quoted != nil:
		return Plan{}, p.quoted
	case strings.Contains(text, "\\n@@ "):
		return Plan{}, syntax(1, "the line breaks of the diff are written as \"\\n\": expected lines")
	default:
		return Plan{}, syntax(1, "there is no diff here: expected \"--- a/file\", \"+++ b/file\" and \"@@ -1,2 +1,2 @@\"")
	}
	return p.plan, nil
}

type unifiedParser struct {
	in     scanner
	plan   Plan
	file   diffFile
	hunk   hunk
	inHunk bool
	head   header   // of the hunk
	left   header   // what its counts still promise
	line0  int      // its line
	fenced bool     // a code fence stands before
	quoted *Refusal // of a diff that stands behind other signs
	behind scanner  // the first line that is no part of the file's header or last hunk
	lines  []gapLine
}

// A diffFile is what the headers of one file say.
type diffFile struct {
	line             int    // of its first header, 0 if none is open
	crlf             bool   // its last header ends in "\r\n"; if not, "\r" in a created file is content
	named            bool   // it has a header of its own, not only hunks
	git              bool   // it begins with "diff --git", and no "---" was seen
	header           string // that line
	last             int    // the last line of its header
	due              bool   // git's headers say that it has hunks
	full             bool   // and that it was not empty
	old, new         string // names; "" if not known
	created, deleted bool
	mode             fs.FileMode // of a created file that can be executed
	from, to         string      // of a rename
	edits            []Edit
}

func (f *diffFile) kind() OpKind {
	switch {
	case f.created:
		return OpCreate
	case f.deleted:
		return OpDelete
	case f.to != "":
		return OpMove
	}
	return OpEdit
}

// path is the file's name: the old one if it goes away. Of two names for one file it is the shorter one, if the other
// has something appended (".orig"), else the new one.
func (f *diffFile) path() string {
	switch {
	case f.to != "":
		return f.from
	case f.deleted, f.old != "" && !f.created && strings.HasPrefix(f.new, f.old):
		return f.old
	}
	return f.new
}

// line reads the current line.
func (p *unifiedParser) line() error {
	s := p.in.text
	header := readFileHeader(&p.in)
	if p.inHunk {
		switch {
		case p.startsFile(header) || strings.HasPrefix(s, "@@"):
			if err := p.closeHunk(); err != nil {
				return err
			}
		case p.endsInHeader():
			if err := p.closeHunk(); err != nil {
				return err
			}
			return p.cutOff("the diff was cut off in the header of another file; send it again, whole; if this is content, " +
				"correct the counts of the hunk on line " + strconv.Itoa(p.line0))
		case header != nil && !header.hunk && p.surplus(header):
			return syntax(p.in.no, quote(s)+" may name another file, or be content: expected \"@@\" below it, or right counts in "+
				"the hunk on line "+strconv.Itoa(p.line0))
		case p.done() && (s == "-- " || s == "--"): // the signature of git format-patch
			return p.closeHunk()
		case p.hunk.add(p.content()):
			p.count(s)
			return nil
		case p.done() || p.fenced && isFence(s):
			if err := p.closeHunk(); err != nil {
				return err
			}
		default:
			return syntax(p.in.no, quote(s)+" is no line of a hunk: expected \" \" (kept), \"-\" (removed) or \"+\" (added) in front of it")
		}
	}
	switch {
	case strings.HasPrefix(s, "diff --git "):
		if err := p.closeFile(); err != nil {
			return err
		}
		p.file = diffFile{line: p.in.no, named: true, git: true, header: s, last: p.in.no}
		p.file.old, p.file.new = gitNames(s[len("diff --git "):])
		return nil
	case header != nil && (header.pair || header.hunk && (header.surely(isFileName) || header.olds == 0 && header.surely(isPath))):
		return p.names(header)
	case strings.HasPrefix(s, "@@@"):
		return syntax(p.in.no, "a combined diff, of a merge, cannot be applied: expected a diff of two versions, "+
			"whose hunks begin with \"@@ -1,2 +1,2 @@\"")
	case strings.HasPrefix(s, "Binary files ") && strings.HasSuffix(s, " differ"):
		return refuse(Problem{Err: ErrBinary, Path: p.file.path(), Op: len(p.plan.Ops), Edit: -1, Line: p.in.no, Msg: binaryPatch})
	case strings.HasPrefix(s, "@@"):
		if err := p.heading(); err != nil {
			return err
		}
		p.file.git = false
		p.inHunk, p.line0 = true, p.in.no
		p.head, _ = hunkHeader(s)
		p.left = p.head
		return nil
	case p.file.git:
		return p.extended(s)
	}
	if isFence(s) {
		p.fenced = true
	}
	if f := formatOf(&p.in); f == formatBlocks || f == formatV4A {
		return mixed(p.in.no, quote(s), "diff")
	}
	return p.lost()
}

// startsFile reports whether the current line, in a hunk, is the first header of another file. Lines that could name one are
// content if they are the last that the counts promise, and if they do not surely name a file.
func (p *unifiedParser) startsFile(h *fileHeader) bool {
	s := p.in.text
	switch {
	case strings.HasPrefix(s, "diff --git "), strings.HasPrefix(s, "diff -") && strings.HasPrefix(p.in.peek(), "--- "),
		strings.HasPrefix(s, "Index: ") && strings.HasPrefix(p.in.peek(), "====="):
		return true
	case h == nil || !h.hunk:
		return false
	case h.prefixed():
		return true
	case p.left.counted && p.left.oldN-h.olds == p.left.newN-h.news && p.left.oldN >= h.olds && p.left.oldN <= h.olds+h.blanks:
		return false
	case h.pair && h.blanks == 0:
		return true
	case p.done() && h.olds == 0:
		return h.surely(isPath)
	}
	return h.surely(isFileName)
}

// surplus reports whether lines in a hunk that may name a file, though no "@@" follows, are more than its counts promise, and
// surely name one. A lone old name does not count: it would have to be in the file.
func (p *unifiedParser) surplus(h *fileHeader) bool {
	return (p.done() || !p.left.counted) && (h.prefixed() || h.olds == 0 && h.surely(isFileName))
}

// content returns the current line of the hunk.
func (p *unifiedParser) content() string {
	if p.file.created && !p.file.crlf && p.in.text != "" {
		return p.in.verbatim()
	}
	return p.in.text
}

// count takes a line of the hunk off the counts.
func (p *unifiedParser) count(s string) {
	if s == "" || s[0] == ' ' || s[0] == '-' {
		p.left.oldN--
	}
	if s == "" || s[0] == ' ' || s[0] == '+' {
		p.left.newN--
	}
}

// done reports whether the hunk has all the lines that its header counts.
func (p *unifiedParser) done() bool { return p.left.counted && p.left.oldN <= 0 && p.left.newN <= 0 }

// cut says what shows that the request ended too early, "" if nothing does. Context that is left out shows nothing.
func (p *unifiedParser) cut() string {
	const again = "; send it again, whole"
	unended := p.in.src != "" && p.in.src[len(p.in.src)-1] != '\n'
	if !p.inHunk {
		if f := &p.file; f.named && len(f.edits) == 0 && f.cut(&p.in, unended) {
			return "the diff was cut off: its last file has a header, but no lines below it" + again
		}
		return ""
	}
	cols, left := p.hunk.cols, p.left
	if len(cols) == 0 && p.in.no == p.line0 {
		return "the diff was cut off: its last hunk has a header, but no lines below it" + again
	}
	if !left.counted || left.oldN <= 0 && left.newN <= 0 {
		return ""
	}
	counts := " counts " + strconv.Itoa(max(left.oldN, 0)) + " more old and " + strconv.Itoa(max(left.newN, 0)) + " more new lines" + again
	switch {
	case !bytes.ContainsAny(cols, "-+"), p.file.deleted:
		return "the diff was cut off: its last header" + counts
	case cols[len(cols)-1] != ' ' && left.newN > 0 && (left.newN != left.oldN || unended):
		return "the diff was cut off: its last header" + counts
	}
	return ""
}

// cut reports whether a request whose last line is the current one ended in the header of this file, which has no hunk yet.
func (f *diffFile) cut(in *scanner, unended bool) bool {
	switch {
	case !f.git:
		return f.last == in.no || f.last == in.no-1 && unended && in.text == "@"
	case f.due || f.kind() == OpEdit || f.from != "" && f.to == "":
		return true
	case f.kind() == OpMove && strings.HasPrefix(in.text, "rename "):
		_, to, _ := strings.Cut(in.text[len("rename "):], " ")
		return unended && !strings.HasSuffix(f.header, strings.TrimPrefix(to, "\""))
	}
	return unended && !strings.HasPrefix(in.text, "index ") && !strings.HasPrefix("diff --git ", in.text)
}

// cutOff is the refusal of a request that ended too early, with the files and hunks that are complete.
func (p *unifiedParser) cutOff(msg string) error {
	partial := p.plan
	if len(p.file.edits) > 0 && p.file.kind() == OpEdit {
		partial.Ops = append(partial.Ops, Op{Path: p.file.path(), Edits: p.file.edits})
	}
	return cutOff(p.in.no, partial, msg)
}

// endsInHeader reports whether the request ends in the header of another file that begins on the current line, behind all the
// lines that the hunk counts.
func (p *unifiedParser) endsInHeader() bool {
	in := p.in
	begins := func(marker string) bool {
		return strings.HasPrefix(in.text, marker) || in.text != "" && in.at+len(in.text) == len(in.src) && strings.HasPrefix(marker, in.text)
	}
	if !p.done() || !begins("--- ") {
		return false
	}
	return !in.scan() || begins("+++ ") && (in.next == len(in.src) || in.src[in.next:] == "@")
}

const binaryPatch = "a binary patch cannot be applied: expected a text diff; leave this file out"

// extended reads a header line between "diff --git" and "---".
func (p *unifiedParser) extended(s string) error {
	f := &p.file
	mode := ""
	for _, h := range []struct {
		head string
		to   *string
		flag *bool
	}{
		{"rename from ", &f.from, nil}, {"rename to ", &f.to, nil}, {"rename old ", &f.from, nil}, {"rename new ", &f.to, nil},
		{"new file mode ", &mode, &f.created}, {"deleted file mode ", nil, &f.deleted},
	} {
		if rest, ok := strings.CutPrefix(s, h.head); ok {
			if h.to != nil {
				*h.to = unquote(rest)
			}
			if h.flag != nil {
				*h.flag = true
			}
		}
	}
	refused := func(err error, msg string) error {
		return refuse(Problem{Err: err, Path: f.path(), Op: len(p.plan.Ops), Edit: -1, Line: p.in.no, Msg: msg})
	}
	switch {
	case strings.HasPrefix(s, "GIT binary patch"):
		return refused(ErrBinary, binaryPatch)
	case strings.HasPrefix(s, "index ") && (strings.HasSuffix(s, " 160000") || strings.HasSuffix(s, " 120000")):
		return refused(ErrSyntax, "a submodule or a link cannot be changed by a diff: expected a file; leave this one out")
	case strings.HasPrefix(s, "copy from "), strings.HasPrefix(s, "copy to "):
		return refused(ErrSyntax, "a copy cannot be made from a diff: expected the whole new file, from /dev/null")
	case strings.HasPrefix(s, "old mode "), strings.HasPrefix(s, "new mode "):
		return refused(ErrSyntax, "a file's mode cannot be changed by a diff: expected the text changes alone")
	case strings.HasPrefix(s, "similarity index "):
		f.due = s != "similarity index 100%"
	case strings.HasPrefix(s, "index "):
		older, newer, _ := strings.Cut(s[len("index "):], "..")
		f.due = f.due || f.created && !isEmptyBlob(newer) || f.deleted && !isEmptyBlob(older)
		f.full = !isEmptyBlob(older) && strings.Trim(older, "0") != ""
	case mode == "100755":
		f.mode = 0o755
	case len(mode) < len("100644") && p.in.at+len(s) == len(p.in.src): // cut off
	case mode != "" && mode != "100644":
		return refused(ErrSyntax, "a file of mode "+mode+" cannot be made by a diff: expected 100644 or 100755")
	}
	return nil
}

// isEmptyBlob reports whether git's id of a content, by SHA-1 or SHA-256, is that of an empty file.
func isEmptyBlob(id string) bool {
	return strings.HasPrefix(id, "e69de29") || strings.HasPrefix(id, "473a0f4")
}

// closeHunk makes the hunk an edit of its file.
func (p *unifiedParser) closeHunk() error {
	if len(p.hunk.cols) == 0 {
		return syntax(p.line0, "a hunk without lines: expected lines that begin with \" \", \"-\" or \"+\" below \"@@\"")
	}
	e := p.hunk.edit()
	e.heading = p.head.heading
	switch {
	case e.Old == "" && p.head.counted && p.head.oldN == 0 && p.left.newN == 0:
		e.First = p.head.near() // of a diff without context, unless closeFile finds some
	case p.head.counted:
		e.Near = p.head.near()
	}
	p.file.edits = append(p.file.edits, e)
	p.inHunk = false
	p.behind = p.in
	p.behind.next, p.behind.no = p.in.at, p.in.no-1
	return nil
}

// closeFile adds the operation that a file's part of the diff asks for, if a file is open.
func (p *unifiedParser) closeFile() error {
	if p.inHunk {
		if err := p.closeHunk(); err != nil {
			return err
		}
	}
	f := p.file
	if p.file = (diffFile{}); f.line == 0 {
		return nil
	}
	fresh := len(f.edits) == 1 && f.edits[0].First == 1 && !f.full // "@@ -0,0" alone: of a new file, or of an empty one
	if fresh || slices.ContainsFunc(f.edits, func(e Edit) bool { return strings.Contains(e.hunk, " ") }) {
		for i, e := range f.edits {
			f.edits[i].Near, f.edits[i].First = max(e.Near, e.First), 0
		}
	}
	op := Op{Kind: f.kind(), Path: f.path(), Edits: f.edits, Mode: f.mode}
	if op.Path == "" && f.named && op.Kind != OpMove {
		return syntax(f.line, "the file cannot be told: expected \"--- a/file\" and \"+++ b/file\"")
	}
	switch op.Kind {
	case OpCreate:
		var content strings.Builder
		for i, e := range f.edits {
			if strings.Trim(e.Old, "\n") != "" { // an empty line may lack its "+"
				return syntax(f.line, "a new file has no lines to keep or to remove: expected \"+\" in front of all lines of hunk "+strconv.Itoa(i+1))
			}
			if e.hunk[len(e.hunk)-1] == '\\' {
				e.New = strings.TrimSuffix(e.New, "\n")
			}
			content.WriteString(e.New)
		}
		op.Content, op.Edits = content.String(), nil
	case OpDelete:
		if len(f.edits) == 0 {
			op.Version = VersionOf(nil) // so it was empty
		}
		for i, e := range f.edits {
			if e.New != "" {
				return syntax(f.line, "a deleted file keeps no lines: expected \"-\" in front of all lines of hunk "+strconv.Itoa(i+1))
			}
		}
	case OpMove:
		op.To = f.to
		if f.from == "" {
			return syntax(f.line, "\"rename to\" without \"rename from\": expected both")
		}
	default:
		if len(f.edits) == 0 {
			return syntax(f.line, "a file without hunks: expected \"@@ -1,2 +1,2 @@\" and lines below it")
		}
	}
	p.plan.Ops = append(p.plan.Ops, op)
	return nil
}
