package atomicedit

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// NewDirOn returns a Dir on a disk of a test.
func NewDirOn(d disk.Disk, o DirOptions) *Dir {
	return newDirOn(o, func(string) (disk.Disk, func(), error) { return d, nil, nil }, "")
}

// NewRootsOn returns a Dir on directories of a test, called by their absolute names. Open opens each of them.
func NewRootsOn(o DirOptions, open func(name string) (disk.Disk, func(), error), names ...string) *Dir {
	return newDirOn(o, open, names...)
}

func newDirOn(o DirOptions, open func(name string) (disk.Disk, func(), error), names ...string) *Dir {
	d := &Dir{opts: o.forCommit(), made: true}
	for _, name := range names {
		on, _, err := open(name)
		var tree *commit.Tree
		if err == nil {
			tree, err = commit.On(disktest.Same{Disk: on}, d.opts, name, open)
		}
		if err == nil {
			d.forest, _, err = d.forest.With(tree)
		}
		if err != nil {
			panic(err)
		}
	}
	return d
}

// SkipWithoutDirs skips a test of directories on a system that OpenDir does not support. Elsewhere it never skips.
func SkipWithoutDirs(t testing.TB) {
	t.Helper()
	if !slices.Contains([]string{"js", "wasip1", "plan9", "solaris", "illumos", "aix"}, runtime.GOOS) {
		return
	}
	if _, err := OpenDir(".", nil); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system has no Dir: ", err)
	}
}

// Codes returns the values of Problem.Code.
func Codes() []string {
	all := []string{code(errors.New("another error"))}
	for _, c := range codes {
		all = append(all, c.code)
	}
	return all
}

// ShellPlan and ArgvPlan read the commands that JSON requests hold.
var (
	ShellPlan = func(script string) (Plan, error) { return parsed(call.ShellPlan(script)) }
	ArgvPlan  = func(argv []string) (Plan, error) { return parsed(call.ArgvPlan(argv)) }
)

// Misfit returns a message about fields of e that do not go together, "" if all of them do.
func Misfit(e Edit) string { return e.internal().Misfit(plan.WordsOf("")) }

// FieldNames has the names of the fields of calls, by what they mean.
var FieldNames = map[string][]string{}

func init() {
	for meaning, f := range map[string]field.Set{
		"path": field.PathField, "old": field.OldField, "new": field.NewField, "all": field.AllField, "count": field.CountField, "first": field.FirstField, "last": field.LastField,
		"after": field.AfterField, "before": field.BeforeField, "text": field.TextField, "content": field.ContentField, "overwrite": field.OverwriteField,
		"append": field.AppendField, "edits": field.EditsField, "files": field.FilesField, "operations": field.OperationsField, "patch": field.PatchField,
		"source": field.FromField, "destination": field.ToField, "cwd": field.CwdField, "dry run": field.DryRunField, "mode": field.ModeField,
		"expected": field.ExpectedField,
	} {
		FieldNames[meaning] = f.Names()
	}
}

// HarmlessFields returns the names of fields that mean nothing for an edit.
func HarmlessFields() []string { return field.HarmlessFields() }

// CallShapes and EditShapes have a name for each row of the tables of shapes: its keys.
func CallShapes() []string { return keysOf(call.CallShapes) }
func EditShapes() []string { return keysOf(call.EditShapes) }

func keysOf(shapes []call.Shape) []string {
	all := make([]string, len(shapes))
	for i, s := range shapes {
		all[i] = shapeName(s)
	}
	return all
}

func shapeName(s call.Shape) string {
	var all []string
	for rest := s.Keys; rest != 0; rest &= rest - 1 {
		all = append(all, (rest & -rest).Name())
	}
	return strings.Join(all, " and ")
}

// WithoutCallShape and WithoutEditShape run a function while the rows of a name are missing from the table.
func WithoutCallShape(name string, run func()) { without(&call.CallShapes, name, run) }
func WithoutEditShape(name string, run func()) { without(&call.EditShapes, name, run) }

func without(table *[]call.Shape, name string, run func()) {
	whole := *table
	defer func() { *table = whole }()
	*table = slices.DeleteFunc(slices.Clone(whole), func(s call.Shape) bool { return shapeName(s) == name })
	run()
}
