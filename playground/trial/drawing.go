package trial

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// An Edit is an edit of the plan, and where it went.
type Edit struct {
	Op     int      `json:"op"`
	Edit   int      `json:"edit"` // -1 for an operation without edits
	Name   string   `json:"name"` // such as "edit 2"
	Path   string   `json:"path"`
	State  string   `json:"state"` // "placed", "refused", or "waiting": it could be placed, but the plan is refused
	Rows   []Row    `json:"rows"`
	Hidden int      `json:"hidden,omitempty"` // rows that are not among these
	Fit    string   `json:"fit,omitempty"`
	By     string   `json:"by,omitempty"`
	Notes  []string `json:"notes,omitempty"`
	Code   string   `json:"code,omitempty"` // of the problem
	Msg    string   `json:"msg,omitempty"`
	Places []Place  `json:"places"`
}

// A Row is a line of an edit.
type Row struct {
	Kind string `json:"kind"` // " " for a line that stays, "-" for one that goes, "+" for a new one
	Segs []Seg  `json:"segs"`
	Line int    `json:"line,omitempty"` // the line of the file that it is drawn beside
}

// A Place is a range of lines that an edit goes to, or could have gone to.
type Place struct {
	First int `json:"first"`
	Last  int `json:"last"` // First-1 for an insertion before First
	// "place", "passed" for a place that evidence ruled out, "candidate" or "nearest" of a refused edit
	Role string `json:"role"`
	Why  string `json:"why,omitempty"`
}

// A FileView is the part of a file, as it is before the request, that edits are about.
type FileView struct {
	Path   string     `json:"path"`
	Exists bool       `json:"exists"`
	Total  int        `json:"total"`
	Lines  []FileLine `json:"lines"`
	Status string     `json:"status,omitempty"` // of the FileReport
	To     string     `json:"to,omitempty"`     // of a file that moves
	Notes  []string   `json:"notes,omitempty"`  // that are about no single edit: warnings
}

// A FileLine is a line of a FileView.
type FileLine struct {
	N    int    `json:"n"`
	Segs []Seg  `json:"segs"`
	Kind string `json:"kind,omitempty"` // "-" for a line that the request changes
}

// A drawing collects what there is to draw.
type drawing struct {
	in    Input
	plan  atomicedit.Plan
	edits []Edit
	files []*sheet
}

// A sheet is a file of a drawing.
type sheet struct {
	view  FileView
	lines []string
	segs  map[int][]Seg // by line
	kinds map[int]string
	spans []Place // what has to be shown
}

func newDrawing(in Input, p atomicedit.Plan) *drawing {
	d := &drawing{in: in, plan: p, edits: []Edit{}}
	for i, op := range p.Ops {
		if len(op.Edits) == 0 {
			e := Edit{Op: i, Edit: -1, Name: op.Kind.String(), Path: op.Path, State: "placed", Rows: []Row{},
				Places: []Place{}}
			if op.Kind == atomicedit.OpCreate {
				e.Rows = rowsOf(nil, splitLines(op.Content), "")
			}
			d.edits = append(d.edits, e)
		}
		for k, edit := range op.Edits {
			d.edits = append(d.edits, Edit{Op: i, Edit: k, Name: fmt.Sprintf("edit %d", cmp.Or(edit.Number, k+1)),
				Path: op.Path, State: "placed",
				Rows: rowsOf(splitLines(edit.Old), splitLines(edit.New), edit.Hunk), Places: []Place{}})
		}
		d.sheet(op.Path)
	}
	return d
}

// sheet returns the sheet of a file.
func (d *drawing) sheet(path string) *sheet {
	if clean, err := atomicedit.CleanPath(path); err == nil {
		path = clean
	}
	for _, s := range d.files {
		if s.view.Path == path {
			return s
		}
	}
	text, ok := d.in.text(path)
	s := &sheet{view: FileView{Path: path, Exists: ok, Lines: []FileLine{}}, segs: map[int][]Seg{},
		kinds: map[int]string{}}
	s.lines = splitLines(text)
	s.view.Total = len(s.lines)
	d.files = append(d.files, s)
	return s
}

// edit returns the edit with the given indexes in the plan, nil if there is none.
func (d *drawing) edit(op, edit int) *Edit {
	for i := range d.edits {
		if e := &d.edits[i]; e.Op == op && e.Edit == edit {
			return e
		}
	}
	return nil
}

// placed draws the edits that a report has matches of. If done is false, the plan was refused because of others.
func (d *drawing) placed(report *atomicedit.Report, done bool) {
	if !done {
		for i := range d.edits {
			d.edits[i].State = "waiting"
		}
	}
	for _, f := range report.Files {
		s := d.sheet(cmp.Or(f.From, f.Path))
		if done {
			s.view.Status = f.Status
			if f.Status == "deleted" {
				s.removeAll()
			}
			if f.From != "" {
				s.view.To = f.Path
			}
		}
		d.matched(s, f.Matches)
		for _, n := range f.Notes {
			if e := d.edit(n.Op, n.Edit); e != nil && n.Edit >= 0 {
				e.Notes = append(e.Notes, n.Msg)
			} else {
				s.view.Notes = append(s.view.Notes, lineNote(n))
			}
		}
	}
}

// removeAll draws every line as one that goes.
func (s *sheet) removeAll() {
	for n := range s.lines {
		s.kinds[n+1] = "-"
	}
}

func lineNote(n atomicedit.Note) string {
	if n.Line > 0 {
		return fmt.Sprintf("new line %d: %s", n.Line, n.Msg)
	}
	return n.Msg
}

// matched draws the matches of a file: those of an edit as one place, unless the edit replaces every occurrence.
func (d *drawing) matched(s *sheet, matches []atomicedit.Match) {
	for from := 0; from < len(matches); {
		m := matches[from]
		to := from + 1
		e := d.edit(m.Op, m.Edit)
		if e == nil || m.Edit < 0 {
			from = to
			continue
		}
		edit := d.plan.Ops[m.Op].Edits[m.Edit]
		for to < len(matches) && edit.Count == 0 && matches[to].Op == m.Op && matches[to].Edit == m.Edit {
			to++
		}
		if m.Fit != 0 {
			e.Fit = m.Fit.String()
		}
		e.By = m.By
		d.draw(s, e, edit, matches[from:to])
		from = to
	}
}

// draw draws the lines of an edit beside those that it was found at, of which matches are changed.
func (d *drawing) draw(s *sheet, e *Edit, edit atomicedit.Edit, matches []atomicedit.Match) {
	changed := map[int]bool{} // lines of the file, from 0
	first, last := matches[0].Old.Line-1, 0
	for _, m := range matches {
		for k := range m.Old.Lines {
			changed[m.Old.Line-1+k] = true
			s.kinds[m.Old.Line+k] = "-"
		}
		last = max(last, m.Old.Line-1+m.Old.Lines)
	}
	old := splitLines(edit.Old)
	place := Place{First: first + 1, Last: last, Role: "place"}
	if edit.First > 0 && edit.Old == "" {
		place.First, place.Last = edit.First, max(edit.Last, edit.First-1)
	}
	if len(old) > 0 {
		from := max(0, first-len(old)-2)
		to := min(len(s.lines), last+len(old)+2)
		pairs := align(old, s.lines[from:to], func(j int) bool { return changed[from+j] })
		d.pair(s, e, edit, pairs, from, &place)
	}
	e.Places = append(e.Places, place)
	e.Places = append(e.Places, d.passedOver(s, edit, e.By, place)...)
	s.spans = append(s.spans, e.Places...)
}

// pair marks the differences between the lines of an edit and those of the file that they are drawn beside, and widens
// the place.
func (d *drawing) pair(s *sheet, e *Edit, edit atomicedit.Edit, pairs []int, from int, place *Place) {
	k := 0
	for i := range e.Rows {
		row := &e.Rows[i]
		if row.Kind == "+" {
			continue
		}
		if k < len(pairs) && pairs[k] >= 0 {
			n := from + pairs[k] + 1
			differ := compare
			if !edit.WholeLines {
				differ = compareInside
			}
			have := s.lines[n-1]
			want := text(row.Segs)
			rowSegs, fileSegs := differ(want, have)
			if row.Line == 0 {
				row.Line, row.Segs = n, rowSegs
			}
			if _, ok := s.segs[n]; !ok || have != want {
				s.segs[n] = fileSegs
			}
			place.First, place.Last = min(place.First, n), max(place.Last, n)
		}
		k++
	}
}

// Lines around a place that are shown, and how long a file may be to be shown as a whole.
const (
	around    = 3
	wholeFile = 40
	maxShown  = 400
)

// fileViews returns the lines of each file that have to be shown.
func (d *drawing) fileViews() []FileView {
	views := []FileView{}
	for _, s := range d.files {
		shown := 0
		for n := 1; n <= len(s.lines) && shown < maxShown; n++ {
			near := len(s.lines) <= wholeFile || slices.ContainsFunc(s.spans, func(p Place) bool {
				return p.First-around <= n && n <= p.Last+around
			})
			if !near {
				continue
			}
			segs := s.segs[n]
			if segs == nil {
				segs = plain(s.lines[n-1])
			}
			s.view.Lines = append(s.view.Lines, FileLine{n, segs, s.kinds[n]})
			shown++
		}
		views = append(views, s.view)
	}
	return views
}

// hideRows leaves out rows of long edits.
func (d *drawing) hideRows() {
	for i := range d.edits {
		if e := &d.edits[i]; len(e.Rows) > maxShown {
			e.Rows, e.Hidden = e.Rows[:maxShown], len(e.Rows)-maxShown
		}
	}
}

// splitLines returns the lines of a text without their endings.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	if strings.Contains(s, "\r") {
		for i, l := range lines {
			lines[i] = strings.TrimSuffix(l, "\r")
		}
	}
	return lines
}

func text(segs []Seg) string {
	var b strings.Builder
	for _, s := range segs {
		b.WriteString(s.Text)
	}
	return b.String()
}
