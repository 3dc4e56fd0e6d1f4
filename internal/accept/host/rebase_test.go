package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func file(text string) *atomicedit.File { return &atomicedit.File{Data: []byte(text)} }

func TestRebase(t *testing.T) {
	const base = "one\ntwo\nthree\nfour\nfive\n"
	change := func(before, after *atomicedit.File) []atomicedit.Change {
		return []atomicedit.Change{{Path: "f", Before: before, After: after}}
	}
	edit := change(file(base), file("1\ntwo\nthree\nfour\nfive\n"))
	move := []atomicedit.Change{{Path: "g", From: "f", After: file(base)}, {Path: "f", Before: file(base)}}
	for _, tt := range []struct {
		name    string
		now     map[string]string
		changes []atomicedit.Change
		want    map[string]string
		err     error
	}{
		{"nothing has changed", map[string]string{"f": base}, edit,
			map[string]string{"f": "1\ntwo\nthree\nfour\nfive\n"}, nil},
		{"other lines have changed", map[string]string{"f": "one\ntwo\nthree\nfour\n5\nsix\n"}, edit,
			map[string]string{"f": "1\ntwo\nthree\nfour\n5\nsix\n"}, nil},
		{"the endings have changed", map[string]string{"f": "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n"}, edit,
			map[string]string{"f": "1\r\ntwo\r\nthree\r\nfour\r\nfive\r\n"}, nil},
		{"the encoding has changed", map[string]string{"f": "\ufeff" + base}, edit,
			map[string]string{"f": "\ufeff1\ntwo\nthree\nfour\nfive\n"}, nil},
		{"the same line has changed", map[string]string{"f": "ONE\ntwo\nthree\nfour\nfive\n"}, edit, nil,
			atomicedit.ErrStale},
		{"the next line has changed", map[string]string{"f": "one\nTWO\nthree\nfour\nfive\n"}, edit, nil,
			atomicedit.ErrStale},
		{"it is done already, beside another change", map[string]string{"f": "1\ntwo\nthree\nfour\n5\n"}, edit, nil,
			atomicedit.ErrApplied},
		{"the file has gone", nil, edit, nil, atomicedit.ErrStale},
		{"the file is no longer text", map[string]string{"f": "one\x00"}, edit, nil, atomicedit.ErrStale},
		{"a creation", nil, change(nil, file("x")), map[string]string{"f": "x"}, nil},
		{"a creation of what is there", map[string]string{"f": "y"}, change(nil, file("x")), nil, fs.ErrExist},
		{"a creation that is done", map[string]string{"f": "x"}, change(nil, file("x")), nil, atomicedit.ErrApplied},
		{"a deletion", map[string]string{"f": base}, change(file(base), nil), map[string]string{}, nil},
		{"a deletion of what has changed", map[string]string{"f": base + "six\n"}, change(file(base), nil), nil,
			atomicedit.ErrStale},
		{"a move", map[string]string{"f": base}, move, map[string]string{"g": base}, nil},
		{"a move that is done", map[string]string{"g": base}, move, nil, atomicedit.ErrApplied},
		{"a move of what has gone", map[string]string{"h": base}, move, nil, atomicedit.ErrStale},
		{"a move that somebody has half made", map[string]string{"f": base, "g": base}, move, map[string]string{"g": base}, nil},
		{"a deletion that is done", nil, change(file(base), nil), nil, atomicedit.ErrApplied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(tt.now)
			changes, err := atomicedit.Rebase(t.Context(), store, tt.changes)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			var refusal *atomicedit.Refusal
			if tt.err != nil {
				if !errors.As(err, &refusal) {
					t.Errorf("not a refusal: %v", err)
				}
				return
			}
			if err := store.Commit(t.Context(), changes); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, store.Files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An undo takes back what its edit has done and nothing of what others have done since, or is refused.
func TestAnUndoLeavesTheEditsOfOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		fresh := func() string { n++; return fmt.Sprintf("new %d.", n) }
		lines := strings.Fields("a. b. c. d. e. f. g. h.")
		store := atomicedit.NewMem(map[string]string{"f": strings.Join(lines, "\n") + "\n"})
		replace := func(what string) []atomicedit.Change {
			i := rapid.IntRange(0, len(lines)-1).Draw(t, what)
			older, newer := lines[i], fresh()
			lines[i] = newer
			plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", older, newer)}}
			change, err := atomicedit.Prepare(t.Context(), store, plan, nil)
			if err == nil {
				err = change.Commit(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			return change.Changes()
		}
		first := replace("an edit")
		mine := lines[slices.IndexFunc(lines, func(l string) bool { return l == "new 1." })]
		for range rapid.IntRange(0, 3).Draw(t, "others") {
			replace("another")
		}
		inverse, err := atomicedit.Rebase(t.Context(), store, atomicedit.Invert(first))
		if err != nil {
			if !errors.Is(err, atomicedit.ErrStale) {
				t.Fatal(err)
			}
			return
		}
		if err := store.Commit(t.Context(), inverse); err != nil {
			t.Fatal(err)
		}
		at := slices.Index(lines, mine)
		if at < 0 {
			t.Fatal("the line has been changed since, and the undo was made")
		}
		was := bytes.Split(first[0].Before.Data, []byte("\n"))[at]
		lines[at] = string(was)
		if got, want := store.Files()["f"], strings.Join(lines, "\n")+"\n"; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// The mode of a file that somebody has changed since an edit is no part of what is taken back.
func TestAnUndoKeepsTheModeThatTheFileHasNow(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	store := accepttest.OpenDir(t, dir)
	host := &atomicedit.Host{Store: store}
	answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f",
		Edits: []atomicedit.Edit{{Old: "a", New: "b"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	inverse, err := atomicedit.Rebase(t.Context(), store, atomicedit.Invert(answer.Changes))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), inverse); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if data, _ := os.ReadFile(name); err != nil || string(data) != "a\n" ||
		runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the file has %q, with %v, %v", data, info.Mode(), err)
	}
}

// A proposal that a user changes is formatted and checked as any, and is committed only if With made it.
func TestAProposalIsAmended(t *testing.T) {
	refuses := errors.New("no tabs")
	options := &atomicedit.Options{Format: accepttest.Tidy,
		Checks: []atomicedit.Check{func(_ string, text []byte) ([]atomicedit.Note, error) {
			if bytes.Contains(text, []byte("\t")) {
				return nil, refuses
			}
			return nil, nil
		}}}
	store := atomicedit.NewMem(map[string]string{"f": "one\ntwo\n", "gone": "x\n"})
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "two", "2"), accepttest.Remove("gone")}}
	tr, err := atomicedit.Prepare(t.Context(), store, plan, options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.With(t.Context(), "f", []byte("\tone\n")); !errors.Is(err, refuses) {
		t.Errorf("a text that a check refuses: %v", err)
	}
	for _, path := range []string{"gone", "elsewhere"} {
		if _, err := tr.With(t.Context(), path, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", path, err)
		}
	}
	amended, err := tr.With(t.Context(), "f", []byte("one\nTWO \n"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(tr.Report().Diff, "+2\n") || !strings.Contains(amended.Report().Diff, "+TWO\n") {
		t.Errorf("the proposal is\n%s\nand the other\n%s", tr.Report().Diff, amended.Report().Diff)
	}
	host := &atomicedit.Host{Store: store, Options: options}
	for name, approved := range map[string]*atomicedit.Transaction{"of another call": amended, "none": nil} {
		host.Approve = func(_ context.Context, _ *atomicedit.Transaction) (*atomicedit.Transaction, error) {
			return approved, nil
		}
		if answer, err := host.Do(t.Context(), plan); err == nil || store.Files()["f"] != "one\ntwo\n" {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	if err := amended.Commit(t.Context()); err != nil || store.Files()["f"] != "one\nTWO\n" {
		t.Errorf("%v, %q", err, store.Files())
	}
}

// What a user has approved is carried over to a file that has changed meanwhile, and only asked about again if other
// lines would change.
func TestAnApprovedChangeIsCarriedOver(t *testing.T) {
	for _, tt := range []struct {
		name, others, want string
		asked              int
	}{
		{"lines far away", "1\ntwo\nthree\nfour\nfive\n", "1\ntwo\nthree\nfour\n5\n", 1},
		{"the same line", "one\ntwo\nthree\nfour\nFIVE\n", "one\ntwo\nthree\nfour\nFIVE\n", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": "one\ntwo\nthree\nfour\nfive\n"})
			session := atomicedit.NewSession(store)
			session.View(t.Context(), "f", 0, 0)
			asked := 0
			host := &atomicedit.Host{Store: session}
			host.Approve = func(ctx context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
				if asked++; asked == 1 {
					if _, err := atomicedit.Run(ctx, store,
						atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create("f", tt.others))}},
						nil); err != nil {
						t.Fatal(err)
					}
				}
				return tr, nil
			}
			answer, err := host.Do(t.Context(),
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "five", "5")}})
			if store.Files()["f"] != tt.want || asked != tt.asked || (err == nil) == (tt.want == tt.others) {
				t.Errorf("%v, asked %d times, %q: %s", err, asked, store.Files()["f"], answer.Text)
			}
		})
	}
}

// Where others have changed nothing but the layout of the lines that an edit changes, its words go in. New lines would
// have the layout of before, so they are refused.
func TestEditsOfLinesWithAnotherLayout(t *testing.T) {
	const base, ours = "def f():\n  a()\n  b()\n", "def f():\n    a()\n    b()\n"
	for _, tt := range []struct{ name, older, newer, want string }{
		{"a word", "a()", "c()", "def f():\n    c()\n    b()\n"},
		{"whole lines", "  a()\n", "  c()\n", "def f():\n    c()\n    b()\n"},
		{"a new line", "a()\n", "a()\n  c()\n", ours},
		{"a line less", "  a()\n  b()\n", "  a()\n", ours},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": ours})
			session := atomicedit.NewSession(store)
			session.MarkReadText("f", []byte(base), 0, 0)
			plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", tt.older, tt.newer)}}
			_, err := atomicedit.Run(t.Context(), session, plan, nil)
			if store.Files()["f"] != tt.want || errors.Is(err, atomicedit.ErrStale) != (tt.want == ours) {
				t.Errorf("%v, %q", err, store.Files()["f"])
			}
		})
	}
}

// A file that has changed is refused under the path that it has, even if the request moves it.
func TestARefusalOfAFileThatMovesNamesItsPath(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"a": "one\ntwo\nthree\n"})
	h := &atomicedit.Host{Store: atomicedit.NewSession(m)}
	if _, err := h.View(t.Context(), "a", 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(t.Context(), []atomicedit.Change{{Path: "a", Before: file("one\ntwo\nthree\n"),
		After: file("1\n2\n3\n")}}); err != nil {
		t.Fatal(err)
	}
	_, err := h.Call(t.Context(), "apply_patch",
		[]byte("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n one\n-two\n+TWO\n*** End Patch"))
	var refusal *atomicedit.Refusal
	if !errors.Is(err, atomicedit.ErrStale) || !errors.As(err, &refusal) || refusal.Problems[0].Path != "a" {
		t.Errorf("%v", err)
	}
}
