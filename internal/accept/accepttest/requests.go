package accepttest

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var Update = flag.Bool("update", false, "write the files that tests generate anew")

// OnStores runs a test on a Mem and on a Dir that have the same files, and on both behind a Session that has seen all
// of them.
func OnStores(t *testing.T, files map[string]string,
	test func(t *testing.T, s atomicedit.Store, now func() map[string]string)) {
	t.Helper()
	seen := func(t *testing.T, s atomicedit.Store) *atomicedit.Session {
		session := atomicedit.NewSession(s)
		for path := range files {
			if _, err := session.View(t.Context(), path, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		return session
	}
	onMem := func(t *testing.T) (*atomicedit.Mem, func() map[string]string) {
		m := atomicedit.NewMem(files)
		return m, m.Files
	}
	onDir := func(t *testing.T) (*atomicedit.Dir, func() map[string]string) {
		dir := Seed(t, files)
		return OpenDir(t, dir), func() map[string]string { return Found(t, dir) }
	}
	t.Run("Mem", func(t *testing.T) {
		m, now := onMem(t)
		test(t, m, now)
	})
	t.Run("Session on a Mem", func(t *testing.T) {
		m, now := onMem(t)
		test(t, seen(t, m), now)
	})
	t.Run("Dir", func(t *testing.T) {
		d, now := onDir(t)
		test(t, d, now)
	})
	t.Run("Session on a Dir", func(t *testing.T) {
		d, now := onDir(t)
		test(t, seen(t, d), now)
	})
}

func IndentedBy(indent, s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if line != "\n" {
			line = indent + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// Lines is an edit of whole lines.
func Lines(old, new string) atomicedit.Edit {
	return atomicedit.Edit{Old: old, New: new, WholeLines: true}
}

// Everywhere is an edit of all places of whole lines.
func Everywhere(old, new string) atomicedit.Edit {
	return atomicedit.Edit{Old: old, New: new, Count: atomicedit.All, WholeLines: true}
}

// Edits is an edit of strings: pairs of old and new text.
func Edits(path string, pairs ...string) atomicedit.Op {
	op := atomicedit.Op{Kind: atomicedit.OpEdit, Path: path}
	for i := 0; i < len(pairs); i += 2 {
		op.Edits = append(op.Edits, atomicedit.Edit{Old: pairs[i], New: pairs[i+1]})
	}
	return op
}

// Edit is an op of any edits of one file.
func Edit(path string, edits ...atomicedit.Edit) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: edits}
}

// Create makes a file.
func Create(path, text string) atomicedit.Op {
	return atomicedit.Op{Kind: atomicedit.OpCreate, Path: path, Content: text}
}

// Move moves a file, and edits strings in it.
func Move(from, to string, pairs ...string) atomicedit.Op {
	op := Edits(from, pairs...)
	op.Kind, op.To = atomicedit.OpMove, to
	return op
}

// Remove deletes a file.
func Remove(path string) atomicedit.Op { return atomicedit.Op{Kind: atomicedit.OpDelete, Path: path} }

// Over lets an op replace a file that is there.
func Over(op atomicedit.Op) atomicedit.Op {
	op.Overwrite = true
	return op
}

// OneEdit is a plan of edits of one file.
func OneEdit(path string, edits ...atomicedit.Edit) atomicedit.Plan {
	return atomicedit.Plan{Ops: []atomicedit.Op{{Path: path, Edits: edits}}}
}

// A Printed format has the printer of a plan, and the parser that reads the outcome.
type Printed struct {
	Print func(atomicedit.Plan) (string, error)
	Read  func(string) (atomicedit.Plan, error)
}

func Printers() map[string]Printed {
	return map[string]Printed{
		"v4a":     {atomicedit.Plan.V4A, atomicedit.ParseV4A},
		"blocks":  {atomicedit.Plan.Blocks, atomicedit.ParseBlocks},
		"unified": {atomicedit.Plan.Unified, atomicedit.ParseUnified},
	}
}

// CheckPrinted prints p and reads it back, by its own parser and by Parse.
func CheckPrinted(t interface{ Fatalf(string, ...any) }, f Printed, p atomicedit.Plan) {
	text, err := f.Print(p)
	if err != nil {
		t.Fatalf("not printed: %v\n%+v", err, p)
	}
	for _, read := range []func(string) (atomicedit.Plan, error){f.Read, atomicedit.Parse} {
		got, err := read(text)
		if err != nil {
			t.Fatalf("printed, but not read: %v\n%s", err, text)
		}
		if diff := cmp.Diff(p, WithoutNewHunks(t, p, got), cmpopts.EquateEmpty(), ButWords); diff != "" {
			t.Fatalf("printed and read (-before +after):\n%s\n%s", diff, text)
		}
	}
}

// WithoutNewHunks returns read, which was printed from p, without the hunks of edits that have none in p: a patch pairs
// the lines of every edit.
func WithoutNewHunks(t interface{ Fatalf(string, ...any) }, p, read atomicedit.Plan) atomicedit.Plan {
	for i, op := range read.Ops {
		for k, e := range op.Edits {
			if i >= len(p.Ops) || k >= len(p.Ops[i].Edits) || p.Ops[i].Edits[k].Hunk != "" || e.Hunk == "" {
				continue
			}
			kept := strings.Count(e.Hunk, " ")
			if strings.Count(e.Hunk, "-")+kept != strings.Count(e.Old, "\n") ||
				strings.Count(e.Hunk, "+")+kept != strings.Count(e.New, "\n") {
				t.Fatalf("the hunk %q does not fit %q and %q", e.Hunk, e.Old, e.New)
			}
			read.Ops[i].Edits[k].Hunk = ""
		}
	}
	return read
}

// Allocated returns how many allocations a call makes, and of how many bytes.
func Allocated(f func()) (allocs, size float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)
}

// Ranged returns an edit of the piece from one line and column to another.
func Ranged(line, column, endLine, endColumn int, new string) atomicedit.Edit {
	return atomicedit.Edit{New: new, Range: &atomicedit.Range{
		Start: atomicedit.Position{Line: line, Column: column},
		End:   atomicedit.Position{Line: endLine, Column: endColumn},
	}}
}

// Counted returns e with columns in a unit.
func Counted(unit string, e atomicedit.Edit) atomicedit.Edit {
	e.Range.Unit = unit
	return e
}

// ButWords leaves out what a plan has for the sake of messages; words_test.go tests it.
var ButWords = cmp.Options{
	cmpopts.IgnoreFields(atomicedit.Plan{}, "Format"), cmpopts.IgnoreFields(atomicedit.Edit{}, "Number"),
}

// Must returns a plan that was read without an error.
func Must[T any](p T, err error) T {
	if err != nil {
		panic(err)
	}
	return p
}

// Under returns a name below a directory as a request and a report have it.
func Under(dir, name string) string { return filepath.ToSlash(dir) + "/" + name }

// A SessionState is the JSON of a session.
type SessionState struct {
	Files map[string]SeenFile `json:"files,omitempty"` // by path
	Names map[string]string   `json:"names,omitempty"`
}

type SeenFile struct {
	Version atomicedit.Version `json:"version"`
	Text    []byte             `json:"text,omitempty"`
	Lines   [][2]int           `json:"lines,omitempty"`
	Numbers [][2]int           `json:"numbers,omitempty"`
	Foreign bool               `json:"foreign,omitempty"`
}

// SeenWhole is a file of which every line was seen.
func SeenWhole(v atomicedit.Version) SeenFile {
	all := [][2]int{{1, 1 << 30}}
	return SeenFile{Version: v, Lines: all, Numbers: all}
}

// Restore makes a session know what its JSON says.
func Restore(t interface{ Fatal(...any) }, s *atomicedit.Session, st SessionState) {
	data, err := json.Marshal(st)
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A Wrapper hides nothing of a store.
type Wrapper struct{ atomicedit.Store }

func (w Wrapper) Unwrap() atomicedit.Store { return w.Store }

// SeenAll returns a session of s that has seen files.
func SeenAll(t *testing.T, s atomicedit.Store, paths ...string) *atomicedit.Session {
	t.Helper()
	session := atomicedit.NewSession(s)
	for _, path := range paths {
		if _, err := session.View(t.Context(), path, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	return session
}

func Tagged(e atomicedit.Edit, tags ...atomicedit.Tag) atomicedit.Edit {
	e.Tags = tags
	return e
}

// A Section is a part of an archive: a title between "-- " and " --" on a line of its own, and the lines below it.
type Section struct{ Title, Text string }

// ReadArchives returns the sections of all archives whose names match a pattern, in the order of the names. The format
// is that of golang.org/x/tools/txtar: the lines above the first section are a comment. A section whose title begins
// with one of heads has a blank line above it, which does not belong to the section before.
func ReadArchives(t *testing.T, pattern string, heads ...string) (all []Section) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %d archives", pattern, err, len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := len(all)
		for line := range strings.Lines(string(data)) {
			title, begins := strings.CutPrefix(line, "-- ")
			title, ends := strings.CutSuffix(title, " --\n")
			isHead := func(head string) bool { return strings.HasPrefix(title, head) }
			switch {
			case begins && ends:
				if len(all) > first && slices.ContainsFunc(heads, isHead) {
					all[len(all)-1].Text = strings.TrimSuffix(all[len(all)-1].Text, "\n")
				}
				all = append(all, Section{Title: title})
			case len(all) > first:
				all[len(all)-1].Text += line
			}
		}
	}
	return all
}

// A Sign is whatever stands between angle brackets.
var Sign = regexp.MustCompile(`⟨([^⟨⟩]+)⟩`)

// Written returns the text that a section stands for. Angle brackets hold whatever a reader could not see, or would not
// want to:
//
//	⟨SP⟩ ⟨TAB⟩ ⟨CR⟩ ⟨NUL⟩ ⟨NBSP⟩ ⟨BOM⟩    a character by its name
//	⟨U+0301⟩ ⟨xFF⟩                        a code point, a byte
//	⟨x×300⟩ ⟨line¶×300⟩                   300 times "x", 300 times "line\n"
//	⟨end⟩                                 at the end of the last line: it lacks its newline
func Written(text string) string {
	text = Sign.ReplaceAllStringFunc(text, func(s string) string {
		s = strings.Trim(s, "⟨⟩")
		if unit, times, ok := strings.Cut(s, "×"); ok {
			n, _ := strconv.Atoi(times)
			return strings.Repeat(strings.ReplaceAll(unit, "¶", "\n"), n)
		}
		if code, ok := strings.CutPrefix(s, "U+"); ok {
			n, _ := strconv.ParseUint(code, 16, 32)
			return string(rune(n))
		}
		if code, ok := strings.CutPrefix(s, "x"); ok {
			n, _ := strconv.ParseUint(code, 16, 8)
			return string([]byte{byte(n)})
		}
		return map[string]string{"SP": " ", "TAB": "\t", "CR": "\r", "NUL": "\x00", "NBSP": "\u00a0", "BOM": "\ufeff",
			"end": "⟨end⟩"}[s]
	})
	return strings.TrimSuffix(text, "⟨end⟩\n")
}

// misfit returns a message about fields of e that do not go together, "" if all of them do.
func misfit(e atomicedit.Edit) string {
	in := plan.Edit{
		Old: e.Old, New: e.New, WholeLines: e.WholeLines, Count: e.Count, Near: e.Near, Anchors: e.Anchors,
		Section: e.Section,
		Hunk:    e.Hunk, AtEnd: e.AtEnd, First: e.First, Last: e.Last, Number: e.Number,
	}
	if r := e.Range; r != nil {
		in.Range = &plan.Range{Start: plan.Position(r.Start), End: plan.Position(r.End), Unit: r.Unit}
	}
	for _, t := range e.Tags {
		in.Tags = append(in.Tags, plan.Tag(t))
	}
	return in.Misfit(plan.WordsOf(""))
}
