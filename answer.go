package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/listing"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// What an answer shows: lines beside a change, lines at each end of a long change, and changes of a file.
const around, maxOfChange, maxChanges = 1, 3, 3

// describe describes what was done in at most MaxAnswer bytes, with the changed lines as they are, or the diff for nil.
func (h *Host) describe(first string, r *Report, t *Transaction) string {
	budget := cmp.Or(h.MaxAnswer, 4000)
	files := convertAll(r.Files, FileReport.describe)
	first += r.leftOut()
	whole := first + strings.Join(files, "")
	left := budget - len(whole)
	switch {
	case left < 0:
		const more = "note: the answer is cut off here\n"
		head := text.Clip(whole, max(budget-len(more), 4))
		return head[:strings.LastIndexByte(head, '\n')+1] + more
	case t == nil && len(r.Diff) <= left:
		return whole + r.Diff
	case t == nil:
		note := fmt.Sprintf("\nnote: the diff has %d bytes, too many for one answer\n", len(r.Diff))
		if most := left - len(note); most >= 4 {
			whole += text.Clip(r.Diff, most) + note
		}
		return whole
	}
	for i, f := range r.Files {
		shown := h.lookAgain(t.effects[i], f, left/(len(files)-i))
		files[i], left = files[i]+shown, left-len(shown)
	}
	return first + strings.Join(files, "")
}

// lookAgain shows the changed lines of a file in at most budget bytes. Of a file that is all new, it shows the lines
// that formatting has changed, or every line if they do not have the numbers that whoever wrote them knows.
func (h *Host) lookAgain(e effect, f FileReport, budget int) string {
	now := e.file.now
	isNew := now != nil && now.plain != nil && now.base == nil
	data, ok := e.after().text()
	if !ok || len(f.Matches) == 0 && !isNew {
		return ""
	}
	lines := listing.New(data)
	n := lines.CountLines()
	if n == 0 {
		return names.Show(f.Path) + " is empty now\n"
	}
	changed, columns := f.changed()
	if isNew {
		changed = convertAll(now.matches, func(m text.Match) [2]int { return [2]int{m.New.Line, m.New.Lines} })
	}
	lines.Columns = columns
	parts, more := withLinesAround(changed, n), 0
	shifts := func(m text.Match) bool { return m.Old.Lines != m.New.Lines }
	if isNew && slices.ContainsFunc(now.matches, shifts) {
		parts = [][2]int{{1, n}}
	} else {
		if more = len(parts) - maxChanges; more > 1 { // to show one costs no more than to speak of it
			parts = parts[:maxChanges]
		}
		parts = listing.Ends(parts, around+maxOfChange)
	}
	const rest = "     … the rest did not fit in this answer\n"
	replaced := h.replaced(e, f, budget/3)
	l := lines.List(parts, min(h.maxLine(), maxOfLine), budget-len(rest)-len(replaced), h.Tagged)
	if s, ok := find[*Session](h.Store); ok {
		s.shown(e.change.After, f.Path, s.count(), seen.Sight.Answer, l.Whole...)
	}
	switch {
	case l.Stopped > 0 && l.Text != "":
		l.Text += rest
	case more > 1 && l.Text != "":
		l.Text += fmt.Sprintf("     … and %d more places\n", more)
	}
	return replaced + l.Text
}

// withLinesAround returns changed ranges of a text with n lines, and the lines on either side, as ranges that leave out
// at least two lines between them.
func withLinesAround(changed [][2]int, n int) [][2]int {
	parts := seen.Of(convertAll(changed, func(r [2]int) [2]int {
		return [2]int{max(min(r[0], n)-around, 1), min(r[0]+r[1]-1+around, n) + 1} // the next line joins ranges, too
	})...)
	for i := range parts {
		parts[i][1]--
	}
	return parts
}

// replaced shows the ends of what edits by line numbers have replaced, which a model may have counted wrongly.
func (h *Host) replaced(e effect, f FileReport, budget int) string {
	var gone [][2]int
	for _, m := range f.Matches {
		if m.By == "line numbers" && m.Old.Lines > 0 && len(gone) <= maxChanges {
			gone = append(gone, [2]int{m.Old.Line, m.Old.Line + m.Old.Lines - 1})
		}
	}
	data, ok := e.before().text()
	if !ok || gone == nil || f.Rebased != "" {
		return ""
	}
	const head, now = "replaced:\n", "now:\n"
	l := listing.New(data).List(listing.Ends(gone, 1), min(h.maxLine(), maxOfLine), budget-len(head+now), false)
	if l.Text == "" {
		return ""
	}
	return head + l.Text + now
}

func (h *Host) view(ctx context.Context, path string, first, last int) (*Answer, error) {
	if err := h.unusable(); err != nil {
		return nil, err
	}
	session, remembers := find[*Session](h.Store)
	since := session.count()
	read := func(path string) (*File, error) { // which the model need not have seen before
		f, err := readAny(ctx, h.Store, path)
		if isUnknown(err) && remembers {
			return readAny(ctx, session, path)
		} else if isUnknown(err) {
			err = errors.New("the store of the Host hides its Session: give the store an Unwrap method")
			return nil, &fs.PathError{Op: "view", Path: path, Err: err}
		}
		return f, err
	}
	f, as, err := readNamed(path, read)
	if h.rollsBack(ctx, err) {
		f, as, err = readNamed(path, read)
	}
	if err != nil {
		var is *errs.KindError
		if errors.As(err, &is) && is.Mode.IsDir() || errors.Is(err, names.ErrRoot) {
			if listed, ok := h.list(ctx, path); ok {
				return listed, nil
			}
		}
		return nil, h.readError(ctx, path, err)
	}
	return h.show(path, as, f, first, last, since)
}

// show answers with lines of f, which the model calls path, and which was read as the path as, after since commits.
func (h *Host) show(path, as string, f *File, first, last, since int) (*Answer, error) {
	name, size := nameOf(f, as), len(f.Data)
	data, ok := h.Options.encodingOf(name, f.Data).Decode(f.Data)
	if !ok {
		const format = "the file is not text (it has NUL bytes), so it cannot be shown; it has %d %s"
		return nil, refuseFile(path, ErrBinary, fmt.Sprintf(format, size, plan.Plural(size, "byte")))
	}
	lines := listing.New(data)
	n := lines.CountLines()
	switch {
	case first < 0 || last < 0 || last > 0 && last < first:
		const format = "lines %d to %d are not a range: expected the first and the last line to show, counted from 1"
		return nil, refuseFile(path, fs.ErrInvalid, fmt.Sprintf(format, first, last))
	case first > max(n, 1):
		const format = "the file has %s, so there is no line %d to start from"
		return nil, refuseFile(path, fs.ErrInvalid, fmt.Sprintf(format, plan.CountLines(n), first))
	}
	maxLine := h.maxLine()
	if first > 0 && first == last {
		maxLine = 0
	}
	from, to := max(first, 1), min(cmp.Or(last, n), n)
	l := lines.List([][2]int{{from, to}}, maxLine, h.maxText(), h.Tagged)
	if l.Stopped == from {
		const format = "atomicedit: not even one line fits into Host.MaxText, which is %d: %w"
		return nil, fmt.Errorf(format, h.MaxText, fs.ErrInvalid)
	}
	session, ok := find[*Session](h.Store)
	// in EBCDIC, a session counts no lines
	if ok && (n == countLines(f.Data) || slices.Equal(l.Whole, [][2]int{{1, n}})) {
		session.shown(f, as, since, seen.Sight.View, l.Whole...)
	}
	if l.Stopped > 0 {
		to = l.Stopped - 1
	}
	a := &Answer{Status: "shown", Path: name, Version: VersionOf(f.Data), Last: to, Lines: n, Cut: l.IsCut()}
	if to >= from {
		a.First = from
	}
	a.Text = fmt.Sprintf("%s: %s of %d\n", names.Show(name), plan.LineSpan(from, to-from+1), n)
	if n == 0 {
		a.Text = names.Show(name) + ": the file is empty\n"
	}
	a.Text += l.Text + l.Notes
	if to == n && !lines.Terminated() {
		a.Text += "note: the last line has no newline at its end\n"
	}
	if as != path {
		a.Text += "note: " + names.SlashesNote(path) + "\n"
	}
	return a, nil
}

// readError turns an error of a store into the refusal to show a file. An error about the machinery stays as it is.
func (h *Host) readError(ctx context.Context, path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		elsewhere := isElsewhere(ctx, h.Store, path)
		return refuseFile(path, fs.ErrNotExist, "there is no such file; check the path"+elsewhere)
	}
	problems, ok := problemsOf(err)
	if !ok || ctx.Err() != nil {
		return err
	}
	for i, p := range problems {
		problems[i].Path = path
		if p.Err == ErrOutside {
			problems[i].Msg += isElsewhere(ctx, h.Store, path)
		}
	}
	return refuse(problems...)
}

// list answers a view of a directory with two levels of names in at most MaxText bytes, or reports false if it is none.
func (h *Host) list(ctx context.Context, dir string) (*Answer, bool) {
	l, ok := find[lister](h.Store)
	if !ok {
		return nil, false
	}
	dir = names.OfRequest(dir)
	found, err := l.List(ctx, dir)
	if err != nil {
		return nil, false
	}
	a := &Answer{Status: "shown"}
	var b strings.Builder
	show := func(name string) {
		line := names.Show(name) + "\n"
		if a.Cut = a.Cut || b.Len()+len(line) > h.maxText(); !a.Cut {
			b.WriteString(line)
		}
	}
	isHidden := func(name string) bool { return name[0] == '.' }
	for _, name := range slices.DeleteFunc(found, isHidden) {
		show(name)
		if strings.HasSuffix(name, "/") && !a.Cut {
			below, _ := l.List(ctx, path.Join(dir, name)) // what cannot be listed is shown without what is in it
			for _, deeper := range slices.DeleteFunc(below, isHidden) {
				show(name + deeper)
			}
		}
	}
	a.Text = names.Show(dir) + " is a directory; two levels of it, without hidden names:\n" + b.String()
	if a.Cut {
		a.Text += "note: the list is cut off; view one of the directories in it\n"
	}
	return a, true
}
