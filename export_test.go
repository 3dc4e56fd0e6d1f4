package atomicedit

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
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
	ShellPlan = shellPlan
	ArgvPlan  = argvPlan
)

// Misfit returns a message about fields of e that do not go together, "" if all of them do.
func Misfit(e Edit) string { return e.internal().Misfit(plan.WordsOf("")) }

// FieldNames has the names of the fields of calls, by what they mean.
var FieldNames = map[string][]string{}

func init() {
	for meaning, f := range map[string]field{
		"path": pathField, "old": oldField, "new": newField, "all": allField, "count": countField, "first": firstField, "last": lastField,
		"after": afterField, "before": beforeField, "text": textField, "content": contentField, "overwrite": overwriteField,
		"append": appendField, "edits": editsField, "files": filesField, "operations": operationsField, "patch": patchField,
		"source": fromField, "destination": toField, "cwd": cwdField, "dry run": dryRunField, "mode": modeField,
		"expected": expectedField,
	} {
		FieldNames[meaning] = f.names()
	}
}

// HarmlessFields returns the names of fields that mean nothing for an edit.
func HarmlessFields() []string { return harmlessFields() }

// CallShapes and EditShapes have a name for each row of the tables of shapes: its keys.
func CallShapes() []string { return keysOf(callShapes) }
func EditShapes() []string { return keysOf(editShapes) }

func keysOf(shapes []shape) []string {
	all := make([]string, len(shapes))
	for i, s := range shapes {
		all[i] = shapeName(s)
	}
	return all
}

func shapeName(s shape) string {
	var all []string
	for rest := s.keys; rest != 0; rest &= rest - 1 {
		all = append(all, (rest & -rest).name())
	}
	return strings.Join(all, " and ")
}

// WithoutCallShape and WithoutEditShape run a function while the rows of a name are missing from the table.
func WithoutCallShape(name string, run func()) { without(&callShapes, name, run) }
func WithoutEditShape(name string, run func()) { without(&editShapes, name, run) }

func without(table *[]shape, name string, run func()) {
	whole := *table
	defer func() { *table = whole }()
	*table = slices.DeleteFunc(slices.Clone(whole), func(s shape) bool { return shapeName(s) == name })
	run()
}
