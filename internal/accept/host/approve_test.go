package host_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// asking is a store that asks before each commit.
type asking struct {
	atomicedit.Store
	answer func(ctx context.Context) error
}

func (s asking) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if err := s.answer(ctx); err != nil {
		return err
	}
	return s.Store.Commit(ctx, changes)
}

// wrapped is a store that adds words to the errors of another one.
type wrapped struct{ atomicedit.Store }

func (s wrapped) Unwrap() atomicedit.Store { return s.Store }

func (s wrapped) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if err := s.Store.Commit(ctx, changes); err != nil {
		return fmt.Errorf("the log: %w", err)
	}
	return nil
}

// Whoever approves a change sees the whole texts.
func TestApproveSeesTheWholeTexts(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "one\ntwo\n", "gone": "x\n"})
	host := &atomicedit.Host{Store: store}
	var got []string
	host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		text := func(f *atomicedit.File) string {
			if f == nil {
				return "none"
			}
			return string(f.Data)
		}
		for _, c := range tr.Changes() {
			got = append(got, fmt.Sprintf("%s: %q to %q", c.Path, text(c.Before), text(c.After)))
		}
		if !strings.Contains(tr.Report().Diff, "-one\n+1\n") {
			t.Errorf("the report has the diff %q", tr.Report().Diff)
		}
		return tr, nil
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one", "1"), accepttest.Remove("gone"),
		accepttest.Create("new", "n\n")}}
	if answer, err := host.Do(t.Context(), plan); err != nil {
		t.Fatal(answer.Text)
	}
	want := []string{`f: "one\ntwo\n" to "1\ntwo\n"`, `gone: "x\n" to "none"`, `new: "none" to "n\n"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A proposal has matches in any encoding, after a user, or somebody else, has changed the file.
func TestMatchesOfAProposalThatIsNoLongerTheSame(t *testing.T) {
	const file, theirs, amended = "1\n2\n3\n4\n", "1\n2\n3\nfour\n", "1\n2\nthree\n4\n"
	for name, encode := range map[string]func(string) string{
		"UTF-8": strings.Clone, "UTF-16": wide, "a mark": func(s string) string { return "\ufeff" + s },
	} {
		for _, ending := range []string{"", "end\n"} {
			for _, want := range []string{amended, strings.Replace(theirs, "2\n", "2\ntwo\n", 1)} {
				m := atomicedit.NewMem(map[string]string{"f": encode(file)})
				h := &atomicedit.Host{Store: m, Options: &atomicedit.Options{Format: ended(ending)}}
				h.Approve = func(ctx context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
					if want == amended {
						return tr.With(ctx, "f", []byte(encode(amended)))
					}
					return tr, m.Commit(ctx, []atomicedit.Change{changeTo(t, m, "f", encode(theirs))})
				}
				a, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "2\n", "2\ntwo\n")}})
				if err != nil {
					t.Fatal(name, a.Text)
				}
				if got := m.Files()["f"]; got != encode(want+ending) {
					t.Errorf("%s: got %q, want %q", name, got, want+ending)
				}
				isWrong := func(m atomicedit.Match) bool { return m.Old.Lines+m.New.Lines > 2 }
				if all := a.Report.Files[0].Matches; len(all) == 0 || slices.ContainsFunc(all, isWrong) {
					t.Errorf("%s: %+v", name, all)
				}
			}
		}
	}
}

// ended returns a formatter that puts a line at the end, nil for none.
func ended(line string) func(context.Context, string, []byte) ([]byte, error) {
	if line == "" {
		return nil
	}
	return func(_ context.Context, _ string, text []byte) ([]byte, error) {
		return []byte(strings.TrimSuffix(string(text), line) + line), nil
	}
}

// Any error of Approve denies, and so does an error of a store that wraps ErrDenied. Nothing is changed then.
func TestDenied(t *testing.T) {
	private := errors.New("the user said no")
	for _, tt := range []struct {
		name    string
		err     error
		approve bool // the error is that of Approve, too
		want    string
	}{
		{"any error", private, true, "not approved, and nothing was changed: the user said no"},
		{"an error that looks like one of the machinery", atomicedit.ErrUnfinished, true,
			"not approved, and nothing was changed: " + atomicedit.ErrUnfinished.Error()},
		{"time is up for the user, but not for the call", context.DeadlineExceeded, true,
			"not approved, and nothing was changed: context deadline exceeded"},
		{"no reason", atomicedit.ErrDenied, false, "not approved, and nothing was changed"},
		{"a reason", fmt.Errorf("the user said no: %w", atomicedit.ErrDenied), false,
			"not approved, and nothing was changed: the user said no"},
		{"a reason behind", fmt.Errorf("%w: the user said no", atomicedit.ErrDenied), false,
			"not approved, and nothing was changed: the user said no"},
		{"a reason that is an error", fmt.Errorf("%w: %w", atomicedit.ErrDenied, private), false,
			"not approved, and nothing was changed: the user said no"},
		{"one file", &fs.PathError{Op: "commit", Path: "f", Err: fmt.Errorf("it is locked: %w", atomicedit.ErrDenied)},
			false, "f: not approved, and nothing was changed: it is locked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check := func(how string, mem *atomicedit.Mem, host *atomicedit.Host) {
				answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
				var refusal *atomicedit.Refusal
				if !errors.As(err, &refusal) || !errors.Is(err, atomicedit.ErrDenied) || !errors.Is(err, tt.err) ||
					answer.Status != "denied" || answer.Changes != nil || answer.Report == nil {
					t.Errorf("%s: %v, %+v", how, err, answer)
				}
				if answer.Text != tt.want || len(answer.Problems) != 1 || answer.Problems[0].Code != "denied" ||
					mem.Files()["f"] != "one\n" {
					t.Errorf("%s: %q, %+v", how, answer.Text, answer.Problems)
				}
			}
			mem := atomicedit.NewMem(map[string]string{"f": "one\n"})
			if tt.approve {
				host := &atomicedit.Host{Store: mem}
				host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
					return tr, tt.err
				}
				check("by Approve", mem, host)
				return
			}
			asks := asking{mem, func(context.Context) error { return tt.err }}
			session := atomicedit.NewSession(asks)
			session.View(t.Context(), "f", 0, 0)
			check("by the store", mem, &atomicedit.Host{Store: asks})
			check("below a session", mem, &atomicedit.Host{Store: session})
			session = atomicedit.NewSession(wrapped{asks})
			session.View(t.Context(), "f", 0, 0)
			tr, err := atomicedit.Prepare(t.Context(), wrapped{session},
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one", "1")}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.Commit(t.Context()); !errors.Is(err, atomicedit.ErrDenied) || mem.Files()["f"] != "one\n" {
				t.Errorf("behind wrappers: %v", err)
			}
			if answer, err := (&atomicedit.Host{Store: wrapped{session}}).Call(t.Context(), "multi_edit",
				[]byte(accepttest.EditOne)); answer.Status != "denied" {
				t.Errorf("behind wrappers: %v, %+v", err, answer)
			}
			if _, _, ok := session.Seen("f"); !ok {
				t.Error("the session has forgotten the file")
			}
		})
	}
}

// A store that is still asking when the context ends has not been told no.
func TestAContextThatEndsDeniesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	mem := atomicedit.NewMem(map[string]string{"f": "one\n"})
	host := &atomicedit.Host{Store: asking{mem, func(ctx context.Context) error {
		cancel()
		return fmt.Errorf("%w: %w", atomicedit.ErrDenied, ctx.Err())
	}}}
	answer, err := host.Call(ctx, "multi_edit", []byte(accepttest.EditOne))
	if !errors.Is(err, context.Canceled) || errors.Is(err, atomicedit.ErrDenied) || answer.Status != "failed" ||
		mem.Files()["f"] != "one\n" {
		t.Errorf("%v, %+v", err, answer)
	}
}

// Only the Host commits the transaction that it asks about, and once.
func TestApproveCannotCommit(t *testing.T) {
	commits := 0
	mem := atomicedit.NewMem(map[string]string{"f": "one\n"})
	host := &atomicedit.Host{Store: asking{mem, func(context.Context) error { commits++; return nil }}}
	var kept *atomicedit.Transaction
	host.Approve = func(ctx context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		kept = tr
		if err := tr.Commit(ctx); err == nil || commits != 0 || mem.Files()["f"] != "one\n" {
			t.Errorf("in Approve: %v, %d commits, %q", err, commits, mem.Files())
		}
		tr.Changes()[0].Path = "elsewhere"
		tr.Report().Files[0].Path = "elsewhere"
		return tr, nil
	}
	answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
	if err != nil || answer.Status != "done" || commits != 1 || mem.Files()["f"] != "1\n" {
		t.Errorf("%v, %+v, %d commits", err, answer, commits)
	}
	if err := kept.Commit(t.Context()); err == nil || commits != 1 {
		t.Errorf("after the call: %v, %d commits", err, commits)
	}
}

// The model is told of what a user has changed, and of nothing else.
func TestWhoeverKeepsTheTextOfAProposalHasNotChangedIt(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": "one\n"})}
	host.Approve = func(ctx context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		return tr.With(ctx, "f", tr.Changes()[0].After.Data)
	}
	answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
	if err != nil || answer.Status != "done" || strings.Contains(answer.Text, "the user") {
		t.Errorf("%v, %+v", err, answer)
	}
}

// closed is a store that lets nobody read.
type closed struct{ atomicedit.Store }

func (closed) Read(context.Context, string) (*atomicedit.File, error) {
	return nil, fmt.Errorf("the file is private: %w", atomicedit.ErrDenied)
}

func TestAStoreMayDenyReadingToo(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewSession(closed{atomicedit.NewMem(map[string]string{"f": "one\n"})})}
	edited, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
	if !errors.Is(err, atomicedit.ErrDenied) {
		t.Error(err)
	}
	shown, _ := host.View(t.Context(), "f", 0, 0)
	for _, a := range []*atomicedit.Answer{edited, shown} {
		if a.Status != "denied" || a.Text != "f: not approved, and nothing was changed: the file is private" {
			t.Errorf("%s: %s", a.Status, a.Text)
		}
	}
}
