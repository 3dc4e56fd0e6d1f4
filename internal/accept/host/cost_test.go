package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// A call holds a large text as it was and as it is, and nothing else of its size: the Session, the Answer and the
// Transaction share both.
func TestACallCopiesNoText(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("one of many lines that stay as they are\n", 200_000) + "the line\n"
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	host := &atomicedit.Host{Store: atomicedit.NewSession(accepttest.OpenDir(t, dir))}
	if _, err := host.View(t.Context(), "f", 0, 0); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "the line\n", "another line\n")}}
	_, size := accepttest.Allocated(func() {
		if _, err := host.Do(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
	})
	if most := 2.2 * float64(len(text)); size > most {
		t.Errorf("a call allocates %.0f bytes, %.1f times the text", size, size/float64(len(text)))
	}
}

// What a plan looks up of a directory, it looks up once for all files there.
func TestAFileMoreTakesFewAllocations(t *testing.T) {
	dir := t.TempDir()
	store := accepttest.OpenDir(t, dir)
	prepare := func(files int) float64 {
		var plan atomicedit.Plan
		for i := range files {
			name := fmt.Sprintf("f%d", i)
			if err := os.WriteFile(filepath.Join(dir, name), []byte("one\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			plan.Ops = append(plan.Ops, accepttest.Edits(name, "one", "two"))
		}
		return testing.AllocsPerRun(5, func() {
			if _, err := atomicedit.Prepare(t.Context(), store, plan, nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	const more = 100
	if n := (prepare(10+more) - prepare(10)) / more; n > 55 { // 48 on Linux
		t.Errorf("%.1f allocations for each file", n)
	}
}

// In a file that others have changed, the text that was seen is compared with it once, however many edits there are.
func TestAnEditMoreComparesNothing(t *testing.T) {
	dir, lines := t.TempDir(), strings.Repeat("a line of text\r\n", 10_000)
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(lines)
	s := atomicedit.NewSession(accepttest.OpenDir(t, dir))
	accepttest.Must(s.View(t.Context(), "a", 0, 0))
	write(lines + "another line\r\n")
	prepare := func(edits int) float64 {
		op := atomicedit.Op{Path: "a"}
		for i := range edits {
			op.Edits = append(op.Edits, atomicedit.Edit{First: i + 10, Last: i + 10, New: fmt.Sprintf("line %d\n", i)})
		}
		_, size := accepttest.Allocated(func() {
			if _, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil); err != nil {
				t.Fatal(err)
			}
		})
		return size
	}
	const more = 100
	if size := (prepare(10+more) - prepare(10)) / more; size > 20_000 {
		t.Errorf("%.0f bytes for each edit", size)
	}
}

// listing is a store that counts how often its directories are listed.
type listing struct {
	*atomicedit.Mem
	lists *int
}

func (s listing) List(ctx context.Context, dir string) ([]string, error) {
	*s.lists++
	return s.Mem.List(ctx, dir)
}

// The files that wrong paths may mean are looked for a few times, however many paths are wrong.
func TestManyWrongPathsSearchAStoreFewTimes(t *testing.T) {
	lists := 0
	store := listing{atomicedit.NewMem(map[string]string{"a/b/c": "x\n", "a/b/d/e": "x\n"}), &lists}
	var plan atomicedit.Plan
	for i := range 1000 {
		plan.Ops = append(plan.Ops, accepttest.Edits(fmt.Sprintf("elsewhere/%d/c", i), "x", "y"))
	}
	if _, err := atomicedit.Prepare(t.Context(), store, plan, nil); err == nil || lists == 0 || lists > 50 {
		t.Errorf("%v, %d lists", err, lists)
	}
}

// However many edits are left out, the others are placed a few times, and a refusal tells of all.
func TestManyEditsAreLeftOutAtOnce(t *testing.T) {
	plan := func(edits int) atomicedit.Plan {
		op := atomicedit.Op{Path: "f"}
		for i := range edits {
			op.Edits = append(op.Edits, atomicedit.Edit{First: i + 2, Last: i + 2, New: "x\n"},
				accepttest.Lines(fmt.Sprintf("nowhere %d\n", i), "x\n"))
		}
		return atomicedit.Plan{Ops: []atomicedit.Op{op}}
	}
	prepare := func(p atomicedit.Plan, partial bool) (size float64, refusal *atomicedit.Refusal) {
		session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "one\n"}))
		session.MarkRead("f", atomicedit.VersionOf([]byte("two\n")), 0, 0)
		_, size = accepttest.Allocated(func() {
			_, err := atomicedit.Prepare(t.Context(), session, p, &atomicedit.Options{Partial: partial})
			if !errors.As(err, &refusal) {
				t.Fatal(err)
			}
		})
		return size, refusal
	}
	if _, r := prepare(plan(3), false); len(r.Problems) != 3 { // the others are told of once these are gone
		t.Errorf("%d problems: %v", len(r.Problems), r)
	}
	if _, r := prepare(plan(3), true); len(r.Problems) != 6 {
		t.Errorf("%d problems: %v", len(r.Problems), r)
	}
	small, _ := prepare(plan(100), true)
	if large, _ := prepare(plan(800), true); large > 16*small {
		t.Errorf("%.0f bytes for 200 edits, %.0f for 1600", small, large)
	}
}
