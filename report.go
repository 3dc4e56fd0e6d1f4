package atomicedit

import (
	"cmp"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/lint"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Report describes a transaction to the person who approves it and to the model. The zero value has no files. In JSON
// an empty list is []. Every file that is changed or created is also checked, and each suspicion becomes a note of its
// FileReport, such as brackets that no longer pair. Warnings, which docs/hosting.md lists, do not stop a transaction; a
// [Host] with a [Session] asks for the same call again if one says that a file is broken. Apart from [Options].Checks,
// their cost is linear in the texts.
type Report struct {
	Files []FileReport `json:"files"`
	Diff  string       `json:"diff"` // unified, of all files, with git headers and a/ and b/ before the names

	LeftOut []Problem `json:"left_out,omitempty"` // parts of the plan that are not carried out: see [Options].Partial
}

// A FileReport describes what happens to one file. The zero value stands for no file. In JSON an empty list is [].
type FileReport struct {
	Status      string  `json:"status"` // "added", "modified", "deleted", "moved"
	Path        string  `json:"path"`
	From        string  `json:"from,omitempty"` // where it was, if moved
	Added       int     `json:"added"`          // lines
	Removed     int     `json:"removed"`        // lines
	Lines       int     `json:"lines"`          // of the text after
	Bytes       int     `json:"bytes"`          // of the file after
	BytesBefore int     `json:"bytes_before"`
	Before      Version `json:"before,omitempty"`    // "" if added
	After       Version `json:"after,omitempty"`     // "" if deleted
	Formatted   bool    `json:"formatted,omitempty"` // [Options].Format has changed the text
	// from the text before to the text after, or to the text before it was Formatted; none for a file written whole
	Matches []Match `json:"matches"`
	Notes   []Note  `json:"notes"` // of the store, of placing, and warnings

	// Rebased is the change that others have made to the file since the conversation read it, as the hunks of a diff,
	// in at most 1,000 bytes. It is "" unless the edits were carried over to the file as it is: see [Session].
	Rebased string `json:"rebased,omitempty"`

	// Diff is the part of the report's Diff that is about this file. JSON leaves it out.
	Diff string `json:"-"`
}

// reportOf returns the report of all effects of a plan, problems with files that it breaks, and those that checks find.
func reportOf(effects []effect, checks []Check) (r *Report, broken, problems []Problem) {
	r = &Report{Files: make([]FileReport, len(effects))}
	for i, e := range effects {
		f, of := fileReport(e), e.file
		notes, breaks, errs := warningsOf(e.change.Path, e.before(), e.after(), checks)
		f.Notes = append(f.Notes, notes...)
		r.Files[i] = f
		if isWhole := f.Status == "modified" && len(f.Matches) == 0 && e.from == nil; isWhole && breaks == "" &&
			lint.IsExcerpt(e.before().Data, e.after().Data) {
			breaks = fmt.Sprintf("the new content is only a part of the file, which has %s now: send an edit, or "+
				"all of it; if the file is to lose the rest, send the same call again",
				plan.CountLines(countLines(e.before().Data)))
		}
		if breaks != "" {
			broken = append(broken, Problem{Err: fs.ErrInvalid, Path: of.asked, Op: of.op, Edit: -1, Msg: breaks})
		}
		for _, err := range errs {
			problems = append(problems, Problem{Err: err, Path: of.asked, Op: of.op, Edit: -1, Msg: err.Error()})
		}
	}
	r.Diff = strings.Join(convertAll(r.Files, func(f FileReport) string { return f.Diff }), "")
	return r, broken, problems
}

// ReportOf returns the report of changes, such as those that [Invert] returns, so that they can be shown before they
// are committed. It is that of a [Transaction] that makes the changes, except that there are no matches, and that the
// diff may pair lines in another way. A text that is neither in UTF-8 nor in UTF-16 is shown as it is. The cost is
// about that of [Diff].
func ReportOf(changes []Change) *Report {
	r, _, _ := reportOf(effectsOfChanges(changes), nil) // only checks have problems
	return r
}

// fileReport returns the report of an effect without the warnings. Its diff is rendered from the matches.
func fileReport(e effect) FileReport {
	c, before := e.change, e.before()
	from, to := c.Path, c.Path
	var known []text.Match // from before to after
	f := FileReport{Status: "modified", Path: c.Path}
	switch {
	case e.moved:
		f.Status, f.From, from = "moved", c.From, c.From
	case c.Before == nil:
		f.Status, from = "added", ""
	case c.After == nil:
		f.Status, to = "deleted", ""
	}
	if before.File != nil {
		f.BytesBefore = len(before.Data)
		if l := e.origin().look; l != nil {
			f.Before = l.now // without a second hash
		} else {
			f.Before = VersionOf(before.Data)
		}
		f.Notes = convertAll(before.Notes, noteOf)
	}
	if e.moved {
		f.Notes = append(f.Notes, e.from.notes...)
	}
	f.Notes = append(f.Notes, e.file.notes...)
	if c.After != nil {
		f.After, f.Bytes, f.Lines = VersionOf(c.After.Data), len(c.After.Data), countLines(c.After.Data)
		now := e.file.now
		if now.base == e.file || e.moved {
			known = now.matches
			f.Matches = matchesOf(cmp.Or(now.plain, now).matches)
		}
		f.Formatted, f.Rebased = now.plain != nil, now.others
		f.Notes = append(f.Notes, now.notes...)
	}
	after := e.after()
	if before.File == nil {
		before.File = &File{}
	}
	if after.File == nil {
		after.File = &File{}
	}
	from, to = strings.TrimPrefix(from, "/"), strings.TrimPrefix(to, "/") // as in git
	var b strings.Builder
	b.Grow(1 << 10) // most diffs are shorter
	from, to = marker.WriteGitHeaders(&b, from, to, before.Mode, after.Mode, len(before.Data) == 0)
	f.Added, f.Removed = writeChange(&b, from, to, before, after, known)
	f.Diff = b.String()
	return f
}

// warningsOf returns notes about suspicious parts of a file after a change, how it breaks the file, "" if it does not,
// and the errors of checks that refuse it.
func warningsOf(path string, before, after encodedFile, checks []Check) (notes []Note, breaks string, errs []error) {
	if after.File == nil {
		return nil, "", nil
	}
	is, ok := after.text()
	old, was := before.text()
	if !ok {
		if was || before.File == nil {
			notes = []Note{noteOf("the file now has NUL bytes, so it cannot be shown or edited as text")}
		}
		return notes, "", nil
	}
	for _, w := range lint.Warnings(path, old, is) {
		notes = append(notes, Note{Op: -1, Edit: -1, Line: w.Line, Msg: w.Msg})
		if w.Broken && breaks == "" {
			lines := text.Split(cmp.Or(string(is), "\n"))
			line := lines[min(w.Line, len(lines))-1]
			breaks = fmt.Sprintf("line %d would be %s: %s; if that is meant, or another call mends it, send the same "+
				"call again", w.Line, plan.Quote(line), w.Msg)
		}
	}
	if before.File != nil && before.enc.IsLeftFor(after.enc, after.Data) {
		notes = append(notes, noteOf("the file was in another encoding before, and is in UTF-8 now"))
	}
	for _, check := range checks {
		if check == nil {
			continue
		}
		known := map[string]int{} // before the change
		if before.File != nil {
			had, _ := check(path, old)
			for _, n := range had {
				known[n.Msg]++
			}
		}
		has, err := check(path, is)
		if err != nil {
			errs = append(errs, err)
		}
		for _, n := range has {
			if known[n.Msg]--; known[n.Msg] < 0 {
				notes = append(notes, n)
			}
		}
	}
	return notes, breaks, errs
}

// These limit how many ranges of lines, and notes, a description of one file has, and how many bytes of a line.
const maxRanges, maxNotes, maxOfLine = 10, 20, 200

// String describes the report for a model: the changes, the changed lines and the notes. That of nil is "".
func (r *Report) String() string {
	if r == nil {
		return ""
	}
	return r.leftOut() + strings.Join(convertAll(r.Files, FileReport.describe), "")
}

func (r *Report) leftOut() string {
	all := strings.Join(convertAll(r.LeftOut, func(p Problem) string { return "left out: " + p.String() + "\n" }), "")
	if strings.Contains(all, "\t") { // lines
		all += "note: the lines of what is left out have the numbers from before the change\n"
	}
	return all
}

func (f FileReport) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.Status, names.Show(f.Path))
	if f.From != "" {
		fmt.Fprintf(&b, " from %s", names.Show(f.From))
	}
	if f.Added+f.Removed > 0 {
		fmt.Fprintf(&b, ": +%d -%d lines", f.Added, f.Removed)
	}
	if f.Status != "deleted" {
		b.WriteString(", now " + plan.CountLines(f.Lines))
		if f.Before != "" && f.Bytes != f.BytesBefore {
			fmt.Fprintf(&b, ", %d %s (%+d)", f.Bytes, plan.Plural(f.Bytes, "byte"), f.Bytes-f.BytesBefore)
		}
	}
	b.WriteString("\n")
	switch {
	case f.Formatted:
		b.WriteString("  formatted after the change\n")
	case len(f.Matches) > 0:
		changed, _ := f.changed()
		b.WriteString("  changed now: " + listSpans(changed, maxRanges, func(r [2]int) string {
			if r[1] == 0 {
				return fmt.Sprintf("at line %d", max(min(r[0], f.Lines), 1))
			}
			return plan.LineSpan(r[0], r[1])
		}) + "\n")
	}
	for i, n := range f.Notes {
		if i == maxNotes {
			fmt.Fprintf(&b, "  and %d more\n", len(f.Notes)-maxNotes)
			break
		}
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	if f.Rebased != "" {
		b.WriteString("The change of others since then:\n" + strings.TrimSuffix(f.Rebased, "\n") + "\n")
	}
	return b.String()
}

// listSpans lists the first spans of lines, most of them, in words.
func listSpans[T any](spans []T, most int, words func(T) string) string {
	all := convertAll(spans[:min(len(spans), most)], words)
	if n := len(spans) - most; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}

// changed returns the ranges of lines of the text after that the diff adds, each the first line and how many there are:
// 0 where lines only go. Columns has the byte at which a line begins to differ from the one whose place it takes.
func (f FileReport) changed() (ranges [][2]int, columns map[int]int) {
	columns = map[int]int{}
	var removed []string // above a line that is added
	n, isHunk := 0, false
	for line := range strings.Lines(f.Diff) {
		switch {
		case strings.HasPrefix(line, "@@ -"):
			_, after, _ := strings.Cut(line, " +")
			n, _ = strconv.Atoi(after[:max(strings.IndexAny(after, ", "), 0)])
			isHunk = true
		case !isHunk || line[0] == '\\':
		case line[0] == ' ':
			removed = nil
			n++
		default:
			if last := len(ranges) - 1; last < 0 || ranges[last][0]+ranges[last][1] < n {
				ranges = append(ranges, [2]int{n, 0})
			}
			if line[0] == '-' {
				removed = append(removed, line[1:])
				break
			}
			if len(removed) > 0 && len(line) > maxOfLine {
				columns[n] = text.CommonPrefix(removed[0], line[1:])
			}
			removed = removed[min(len(removed), 1):]
			ranges[len(ranges)-1][1]++
			n++
		}
	}
	return ranges, columns
}
