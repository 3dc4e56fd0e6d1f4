package atomicedit

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/google/go-cmp/cmp"
)

// What a store can do besides, only a look at its methods tells: see find.
var (
	_ interface {
		Store
		Checker
		respeller
		lister
		Recoverer
		turn(context.Context, bool) (func(), error)
		roots() []string
	} = (*Dir)(nil)
	_ interface {
		Store
		looker
	} = (*Session)(nil)
	_ interface {
		Store
		lister
	} = (*Mem)(nil)
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
	d.opts.Say = d.say
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

// A commit that wants to be alone waits for those that run, lets none begin in the meantime, and ends with its context.
func TestTurns(t *testing.T) {
	var turns turns
	ended, end := context.WithCancel(t.Context())
	end()
	running, err := turns.turn(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turns.turn(ended, true); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit is alone beside another: %v", err)
	}
	alone := make(chan func())
	go func() {
		release, err := turns.turn(t.Context(), true)
		if err != nil {
			t.Error(err)
		}
		alone <- release
	}()
	running()
	release := <-alone
	if _, err := turns.turn(ended, false); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit begins beside one that is alone: %v", err)
	}
	release()
	for _, alone := range []bool{true, false, true} {
		release, err := turns.turn(t.Context(), alone)
		if err != nil {
			t.Fatal(err)
		}
		release()
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

// Each public type of a plan has the fields of its mirror in internal/plan, and all of them survive the door in both
// directions.
func TestMirroredTypes(t *testing.T) {
	for _, pair := range [][2]any{
		{Plan{}, plan.Plan{}}, {Op{}, plan.Op{}}, {Edit{}, plan.Edit{}}, {Range{}, plan.Range{}},
		{Position{}, plan.Position{}}, {Tag{}, plan.Tag{}},
	} {
		if d := cmp.Diff(fieldsOf(pair[0]), fieldsOf(pair[1])); d != "" {
			t.Errorf("%T and %T (-public +internal):\n%s", pair[0], pair[1], d)
		}
	}
	var filled Plan
	fill(reflect.ValueOf(&filled).Elem())
	if d := cmp.Diff(filled, fromPlan(filled.internal())); d != "" {
		t.Errorf("a plan with every field (-before +after):\n%s", d)
	}
	var in plan.Plan
	fill(reflect.ValueOf(&in).Elem())
	if d := cmp.Diff(in, fromPlan(in).internal()); d != "" {
		t.Errorf("an internal plan with every field (-before +after):\n%s", d)
	}
}

func fieldsOf(v any) map[string]string {
	fields := map[string]string{}
	for t, i := reflect.TypeOf(v), 0; i < t.NumField(); i++ {
		f := t.Field(i)
		fields[f.Name] = f.Type.Kind().String() + " " + string(f.Tag)
	}
	return fields
}

// fill sets every field below v to something other than its zero value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint32:
		v.SetUint(3)
	default:
		v.SetInt(3)
	}
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
