package udiff

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

type file struct {
	line int  // of its first header; 0 if no file is open
	last int  // the last line of its header
	crlf bool // its header ends in "\r\n"; if not, "\r" in a created file is content

	named    bool      // it has a header of its own, not only hunks
	inGit    bool      // the current line is below its "diff --git", and above its "---" and its hunks
	git      string    // its "diff --git" line
	old, new string    // names; "" if not known
	from, to string    // of a rename
	isOther  bool      // its names are not those of the rename
	trees    [2]string // directories that were in front of its two names, if they differ

	created, deleted bool
	mode             fs.FileMode // of a created file that is executable
	hasHunks         bool        // by git's headers
	hadText          bool        // by git's headers, the old file was not empty

	edits      []plan.Edit
	hasContext bool // one of them has a context line
}

func (f *file) kind() plan.OpKind {
	switch {
	case f.created:
		return plan.OpCreate
	case f.deleted:
		return plan.OpDelete
	case f.to != "":
		return plan.OpMove
	}
	return plan.OpEdit
}

// path returns the name of the file: the old name if the file is moved or deleted. Of two names for one file, it is the
// shorter one if the other has a suffix such as ".orig", and otherwise the new one.
func (f *file) path() string {
	switch {
	case f.to != "":
		return f.from
	case f.deleted, f.old != "" && !f.created && strings.HasPrefix(f.new, f.old):
		return f.old
	}
	return f.new
}

// cutTrees removes two directories from the two names of one file, as "diff -ru old new" prints them: whatever is in
// front of what they share. Each is one part, as "a/" is, unless a program has written the names.
func (f *file) cutTrees(h *marker.FileHeader, line int) error {
	older, newer, rest := apart(names.OfRequest(f.old), names.OfRequest(f.new))
	isOne := func(dir string) bool { return strings.IndexByte(dir, '/') == len(dir)-1 }
	isWritten := f.git != "" || h.Dated // by a program
	isBare := h.Old == f.old            // no prefix was removed
	areTrees := older != "" && newer != "" && (isWritten && strings.Contains(rest, "/") ||
		(isWritten || isBare) && isOne(older) && isOne(newer))
	switch {
	case f.to != "" || rest == "" || older == newer:
		return nil
	case !areTrees && path.IsAbs(older) == path.IsAbs(newer):
		return plan.Syntax(line, "the diff calls the file "+plan.Excerpt(f.old)+" and "+plan.Excerpt(f.new)+
			": expected its path from the root of the project in both, behind \"a/\" and \"b/\"")
	}
	f.old, f.new, f.trees = rest, rest, [2]string{older, newer}
	return nil
}

// apart cuts two paths of one file where they begin to be the same.
func apart(a, b string) (dirA, dirB, rest string) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n := 1; n <= min(len(as), len(bs)) && as[len(as)-n] == bs[len(bs)-n]; n++ {
		rest = strings.Join(as[len(as)-n:], "/")
	}
	return strings.TrimSuffix(a, rest), strings.TrimSuffix(b, rest), rest
}

// readGitHeader reads a line between "diff --git" and "---", and reports whether git puts it there. It returns a
// message if no plan can express the diff.
func (f *file) readGitHeader(in *text.Scanner) (problem string, ok bool) {
	s := in.Line
	_, name, _ := strings.Cut(strings.TrimPrefix(s, "rename "), " ") // if it is one
	mode, created := strings.CutPrefix(s, "new file mode ")
	deleted := strings.HasPrefix(s, "deleted file mode ")
	f.created, f.deleted = f.created || created, f.deleted || deleted
	switch {
	case strings.HasPrefix(s, "rename from "), strings.HasPrefix(s, "rename old "):
		f.from = marker.Unquote(name)
	case strings.HasPrefix(s, "rename to "), strings.HasPrefix(s, "rename new "):
		f.to = marker.Unquote(name)
	case strings.HasPrefix(s, "GIT binary patch"):
		return binaryPatch, true
	case strings.HasPrefix(s, "index ") && (strings.HasSuffix(s, " 160000") || strings.HasSuffix(s, " 120000")):
		return "a diff cannot change a submodule or symbolic link: expected a regular file; leave this one out", true
	case strings.HasPrefix(s, "copy from "), strings.HasPrefix(s, "copy to "):
		return "a diff cannot copy a file: expected all of the new file, from /dev/null", true
	case strings.HasPrefix(s, "old mode "), strings.HasPrefix(s, "new mode "):
		return "a diff cannot change the mode of a file: expected only changes to its text", true
	case strings.HasPrefix(s, "similarity index "):
		f.hasHunks = s != "similarity index 100%"
	case strings.HasPrefix(s, "index "):
		older, newer, _ := strings.Cut(s[len("index "):], "..")
		f.hasHunks = f.hasHunks || f.created && !isEmptyBlob(newer) || f.deleted && !isEmptyBlob(older)
		f.hadText = !isEmptyBlob(older) && strings.Trim(older, "0") != ""
	case !created:
		return "", deleted || strings.HasPrefix(s, "dissimilarity index ")
	case mode == "100755":
		f.mode = 0o755
	case len(mode) < len("100644") && in.At+len(s) == len(in.Src): // cut off
	case mode != "100644":
		return "a diff cannot create a file of mode " + mode + ": expected 100644 or 100755", true
	}
	return "", true
}

const (
	binaryPatch = "a binary patch cannot be applied: expected a text diff; leave this file out"
	namesNoFile = "the diff does not say which file it changes: expected \"--- a/file\" and \"+++ b/file\""
)

// isEmptyBlob reports whether a git object id, SHA-1 or SHA-256, is that of an empty file.
func isEmptyBlob(id string) bool {
	return strings.HasPrefix(id, "e69de29") || strings.HasPrefix(id, "473a0f4")
}

// setNames sets the names of the file from h. Line is the last line of h.
func (f *file) setNames(h *marker.FileHeader, line int) error {
	known := f.new // from "diff --git": only this tells whether a single name has a prefix
	isKnown := func(name string) bool { return strings.HasSuffix("/"+name, "/"+known) }
	single, none := h.Olds == 0 || h.News == 0, h.Fresh || h.Gone
	switch {
	case h.Olds == 0:
		_, f.new = marker.WithoutPrefixes("/dev/null", h.New)
		f.old = f.new
	case h.News == 0:
		f.old, _ = marker.WithoutPrefixes(h.Old, "/dev/null")
		f.new = f.old
	default:
		f.old, f.new = marker.WithoutPrefixes(h.Old, h.New)
	}
	f.created, f.deleted = f.created || h.Fresh, f.deleted || h.Gone
	f.isOther = h.Olds > 0 && !f.isRenamed(f.old, h.Old) || h.News > 0 && !f.isRenamed(f.new, h.New)
	older, isOld := strings.CutSuffix(f.old, "/"+f.from)
	if newer, isNew := strings.CutSuffix(f.new, "/"+f.to); f.to != "" && isOld && isNew && older != newer {
		f.trees = [2]string{older + "/", newer + "/"}
	}
	switch {
	case single && none && known == "":
		return plan.Syntax(line, namesNoFile)
	case h.Fresh && h.Gone:
		return plan.Syntax(line, "the file exists neither before nor after: expected /dev/null in only one of "+
			"\"---\" and \"+++\"")
	case single && none, (single || none) && known != "" && (isKnown(h.Old) || isKnown(h.New)):
		f.old, f.new = known, known
	case f.old == "/dev/null" && strings.HasPrefix(h.New, "a/"):
		return doubtfulPrefix(line, f.new, "+++ b/")
	case f.new == "/dev/null" && strings.HasPrefix(h.Old, "b/"):
		return doubtfulPrefix(line, f.old, "--- a/")
	case f.old != "/dev/null" && f.new != "/dev/null":
		return f.cutTrees(h, line)
	}
	return nil
}

// isRenamed reports whether a name below the header of a rename is one of those in it, maybe behind a prefix that
// "diff --git" has too. Written is the name before a usual prefix was removed.
func (f *file) isRenamed(name, written string) bool {
	isName := func(own string) bool {
		own = strings.TrimLeft(names.OfRequest(own), "/")
		isPrefixed := strings.HasSuffix(name, "/"+own) && strings.Contains(f.git+" ", " "+name+" ")
		return strings.TrimSpace(own) == strings.TrimSpace(strings.TrimLeft(names.OfRequest(name), "/")) ||
			own == written || isPrefixed
	}
	return isName(f.from) || isName(f.to)
}

// doubtfulPrefix refuses a name opposite /dev/null that begins with the other side's prefix, which may be a directory.
func doubtfulPrefix(line int, name, marker string) error {
	return plan.Syntax(line, plan.Excerpt(name)+" may mean "+plan.Excerpt(name[2:])+" or a file in the directory "+
		plan.Excerpt(name[:1])+": expected "+plan.Excerpt(marker+name[2:])+" or "+plan.Excerpt(marker+name))
}

// isCutOff reports whether a request ends on the current line, perhaps unended, in the header of f, which has no hunk.
func (f *file) isCutOff(in *text.Scanner, unended bool) bool {
	switch {
	case !f.inGit:
		return f.last == in.No || f.last == in.No-1 && unended && in.Line == "@"
	case f.hasHunks || f.kind() == plan.OpEdit || f.from != "" && f.to == "":
		return true
	case f.kind() == plan.OpMove && strings.HasPrefix(in.Line, "rename "):
		_, to, _ := strings.Cut(in.Line[len("rename "):], " ")
		return unended && !strings.HasSuffix(f.git, strings.TrimPrefix(to, "\""))
	}
	return unended && !strings.HasPrefix(in.Line, "index ") && !strings.HasPrefix("diff --git ", in.Line)
}

func (f *file) op() (plan.Op, error) {
	if len(f.edits) == 1 && f.edits[0].First == 1 && !f.hadText { // a lone "@@ -0,0" may be for a new file
		hintOnly(f.edits)
	}
	op := plan.Op{Kind: f.kind(), Path: f.path(), Edits: f.edits, Mode: f.mode}
	kept := slices.IndexFunc(f.edits, func(e plan.Edit) bool { return e.New != "" })
	var err error
	switch {
	case f.from != "" && f.to != "" && (f.isOther || f.created || f.deleted):
		err = plan.Syntax(f.last, "the names here are not those of the rename from "+plan.Excerpt(f.from)+" to "+
			plan.Excerpt(f.to)+" above: expected these, or \"diff --git\" where another file begins")
	case op.Path == "" && f.named && op.Kind != plan.OpMove:
		err = plan.Syntax(f.line, namesNoFile)
	case op.Kind == plan.OpCreate:
		op.Edits = nil
		op.Content, err = f.content()
		return op, err // that the file is new counts in any case
	case op.Kind == plan.OpDelete && kept >= 0:
		err = plan.Syntax(f.line, "a deleted file keeps no lines: expected \"-\" in front of every line of hunk "+
			strconv.Itoa(kept+1))
	case op.Kind == plan.OpDelete && len(f.edits) == 0:
		op.Version = plan.VersionOf(nil) // so it was empty
	case op.Kind == plan.OpMove && f.from == "":
		err = plan.Syntax(f.line, "\"rename to\" without \"rename from\": expected both")
	case op.Kind == plan.OpMove:
		op.To = f.to
	case op.Kind == plan.OpEdit && len(f.edits) == 0:
		err = plan.Syntax(f.line, "a file without hunks: expected \"@@ -1,2 +1,2 @@\" and lines below it")
	}
	if err != nil {
		return plan.Op{}, err
	}
	return op, nil
}

// add adds an edit. Unless the diff has no context lines at all, the line of an insertion is a mere hint.
func (f *file) add(e plan.Edit) {
	f.edits = append(f.edits, e)
	first := len(f.edits) - 1
	if !f.hasContext && strings.ContainsAny(e.Hunk, " ?") {
		f.hasContext, first = true, 0
	}
	if f.hasContext {
		hintOnly(f.edits[first:])
	}
}

// hintOnly makes the lines of insertions mere hints.
func hintOnly(edits []plan.Edit) {
	for i, e := range edits {
		edits[i].Near, edits[i].First = max(e.Near, e.First), 0
	}
}

func (f *file) content() (string, error) {
	var content strings.Builder
	for i, e := range f.edits {
		if strings.Trim(e.Old, "\n") != "" { // an empty line may lack its "+"
			return "", plan.Syntax(f.line, "a new file has no lines to keep or remove: "+
				"expected \"+\" in front of every line of hunk "+strconv.Itoa(i+1))
		}
		if strings.HasSuffix(e.Hunk, `\`) {
			e.New = strings.TrimSuffix(e.New, "\n")
		}
		content.WriteString(e.New)
	}
	return content.String(), nil
}
