package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// run carries out ops through s, and returns the code of the first problem, "" if there is none.
func run(t *testing.T, s atomicedit.Store, ops ...atomicedit.Op) (code string, err error) {
	t.Helper()
	_, err = atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: ops}, nil)
	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) {
		return refusal.Problems[0].Code, err
	}
	if err != nil {
		t.Fatal(err)
	}
	return "", nil
}

func byNumber(path string, first, last int, text string) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: []atomicedit.Edit{{First: first, Last: last, New: text, WholeLines: true}}}
}

// What sessionTests start from, beside an empty file.
const eightLines = "1\n2\n3\n4\n5\n6\n7\n8\n"

// A sessionTest is what a conversation does and sees of the file f, an op that it asks for then, and the code of the
// refusal, "" for none.
type sessionTest struct {
	name  string
	steps []func(*testing.T, *atomicedit.Session, *atomicedit.Mem)
	op    atomicedit.Op
	want  string
}

// start carries out the steps.
func (test sessionTest) start(t *testing.T) (*atomicedit.Session, *atomicedit.Mem) {
	m := atomicedit.NewMem(map[string]string{"f": eightLines, "empty": ""})
	s := atomicedit.NewSession(m)
	for _, step := range test.steps {
		step(t, s, m)
	}
	return s, m
}

func sessionTests() []sessionTest {
	const text = eightLines
	type session = *atomicedit.Session
	view := func(first, last int) func(*testing.T, session, *atomicedit.Mem) {
		return func(t *testing.T, s session, _ *atomicedit.Mem) {
			if _, err := s.View(t.Context(), "./f", first, last); err != nil {
				t.Fatal(err)
			}
		}
	}
	do := func(ops ...atomicedit.Op) func(*testing.T, session, *atomicedit.Mem) {
		return func(t *testing.T, s session, _ *atomicedit.Mem) {
			if _, err := run(t, s, ops...); err != nil {
				t.Fatal(err)
			}
		}
	}
	elsewhere := func(ops ...atomicedit.Op) func(*testing.T, session, *atomicedit.Mem) {
		return func(t *testing.T, _ session, m *atomicedit.Mem) {
			if _, err := run(t, m, ops...); err != nil {
				t.Fatal(err)
			}
		}
	}
	saw := func(path, content string, first, last int) func(*testing.T, session, *atomicedit.Mem) {
		return func(_ *testing.T, s session, _ *atomicedit.Mem) {
			s.MarkRead(path, atomicedit.VersionOf([]byte(content)), first, last)
		}
	}
	whole := accepttest.Over(accepttest.Create("f", "new\n"))
	byText, byLine := accepttest.Edits("f", "3\n", "three\n"), byNumber("f", 3, 3, "three\n")
	return []sessionTest{
		{"an edit of a file never seen", nil, byText, ""},
		{"a delete of a file never seen", nil, accepttest.Remove("f"), "unread"},
		{"an overwrite of a file never seen", nil, whole, "unread"},
		{"a create over a file never seen", nil, accepttest.Create("f", "x"), "exist"},
		{"a new file", nil, accepttest.Create("g", "x"), ""},
		{"a file never seen that is empty", nil, accepttest.Create("empty", "x"), ""},
		{"a file that is not there", nil, accepttest.Edits("g", "x", "y"), "not_exist"},
		{"an edit of a file seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0)}, byText, ""},
		{"an edit by line numbers of a file seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0)}, byLine,
			""},
		{"a file told to be seen", []func(*testing.T, session, *atomicedit.Mem){saw("f", text, 0, 0)}, whole, ""},
		{"a file told to be seen, when it was another",
			[]func(*testing.T, session, *atomicedit.Mem){saw("f", "x", 0, 0)}, byText, ""},
		{"a file changed since", []func(*testing.T, session, *atomicedit.Mem){view(0, 0),
			elsewhere(accepttest.Edits("f", "5", "five"))}, byText, ""},
		{"a file changed since, and seen again",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "5", "five")),
				view(0, 0)}, whole, ""},
		{"text of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, byText, ""},
		{"lines of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, byLine, ""},
		{"an overwrite of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, whole,
			"unread"},
		{"a move over a file seen in part",
			[]func(*testing.T, session, *atomicedit.Mem){view(2, 4), do(accepttest.Create("g", "x"))},
			accepttest.Over(accepttest.Move("g", "f")), "unread"},
		{"a delete of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)},
			accepttest.Remove("f"), ""},
		{"a delete of a file changed since",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "5", "five"))},
			accepttest.Remove("f"), "stale"},
		{"a delete after an own edit that changed the number of lines",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5\n", ""))},
			accepttest.Remove("f"), ""},
		{"a move of a file never seen", nil, accepttest.Move("f", "g"), ""},
		{"a move of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)},
			accepttest.Move("f", "g"), ""},
		{"a move over a file never seen", []func(*testing.T, session, *atomicedit.Mem){do(accepttest.Create("g", "x"))},
			accepttest.Over(accepttest.Move("g", "f")), "unread"},
		{"lines of a file of which these lines were seen", []func(*testing.T, session, *atomicedit.Mem){view(3, 3)},
			byLine, ""},
		{"an insertion by line number into a file seen in part",
			[]func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, byNumber("f", 3, 0, "x\n"), ""},
		{"lines seen in part after an own edit that changed their number",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5\n", "")), view(2, 4)},
			byLine, ""},
		{"an overwrite after an own edit that changed the number of lines",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5\n", ""))}, whole, ""},
		{"parts seen before and after an own edit that kept the number of lines",
			[]func(*testing.T, session, *atomicedit.Mem){view(1, 4), do(accepttest.Edits("f", "5", "five")),
				view(5, 8)}, byLine, ""},
		{"parts seen before and after an own edit that changed it",
			[]func(*testing.T, session, *atomicedit.Mem){view(1, 4), do(accepttest.Edits("f", "5\n", "")), view(5, 7)},
			byLine, ""},
		{"a file made, deleted, and made again by somebody else",
			[]func(*testing.T, session, *atomicedit.Mem){do(accepttest.Create("g", "x")), do(accepttest.Remove("g")),
				elsewhere(accepttest.Create("g", "y"))}, accepttest.Edits("g", "y", "z"), ""},
		{"a file deleted elsewhere", []func(*testing.T, session, *atomicedit.Mem){view(0, 0),
			elsewhere(accepttest.Remove("f"))}, byText, "not_exist"},
		{"a file seen in parts that are all",
			[]func(*testing.T, session, *atomicedit.Mem){view(5, 8), view(1, 2), view(2, 4)}, whole, ""},
		{"parts of different versions",
			[]func(*testing.T, session, *atomicedit.Mem){view(5, 8), elsewhere(accepttest.Edits("f", "5", "five")),
				view(1, 4)}, whole, "unread"},
		{"an own edit counts as seen",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5", "five"))}, byText,
			""},
		{"lines after an own edit that kept their number",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5", "five"))}, byLine,
			""},
		{"text after an own edit that changed the number of lines",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5\n", ""))}, byText, ""},
		{"lines after an own edit that changed the number of lines",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5\n", ""))}, byLine, ""},
		{"lines that an own edit has moved",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "2\n", ""))}, byLine,
			"unread"},
		{"lines that were not seen", []func(*testing.T, session, *atomicedit.Mem){view(4, 8)}, byLine, "unread"},
		{"lines that somebody else has moved",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "2\n", ""))},
			byLine, "stale"},
		{"lines above those that somebody else has changed",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "5\n", ""))},
			byLine, ""},
		{"a line that somebody else has changed",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "3\n", "III\n"))},
			byLine, "stale"},
		{"text that somebody else has changed",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "3\n", "III\n"))},
			byText, "stale"},
		{"an overwrite of a file changed since",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "5", "five"))},
			whole, "stale"},
		{"a delete after somebody else's lines came with an edit",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "7", "seven")),
				do(byText)}, accepttest.Remove("f"), "unread"},
		{"a move of a file changed since",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "5", "five"))},
			accepttest.Move("f", "g"), ""},
		{"every occurrence in a file never seen", nil,
			atomicedit.Op{Path: "f", Edits: []atomicedit.Edit{{Old: "3", New: "x", Count: atomicedit.All}}}, "unread"},
		{"a loose fit in a file never seen", nil, accepttest.Edits("f", "  3\n  4\n", "  three\n  4\n"), "unread"},
		{"what fits nowhere, in a file never seen", nil, accepttest.Edits("f", "three\n", "x\n"), "unread"},
		{"what nearly fits, in a file never seen", nil, accepttest.Edits("f", "2\n3\n44\n", "x\n"), "not_found"},
		{"lines of a file never seen", nil, byLine, "unread"},
		{"an append by number to a file changed since",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(accepttest.Edits("f", "8\n", "8\n9\n"))},
			byNumber("f", 9, 0, "x\n"), ""},
		{"lines seen again after that",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Edits("f", "5\n", "")), view(0, 0)},
			byLine, ""},
		{"a file written whole counts as seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(whole)},
			accepttest.Over(accepttest.Create("f", "again\nlonger\n")), ""},
		{"a file created counts as seen",
			[]func(*testing.T, session, *atomicedit.Mem){do(accepttest.Create("g", "x\ny\n"))},
			byNumber("g", 2, 2, "z\n"), ""},
		{"a moved file is seen as before",
			[]func(*testing.T, session, *atomicedit.Mem){view(2, 4), do(accepttest.Move("f", "g"))},
			byNumber("g", 2, 2, "z\n"), ""},
		{"a moved file that was all seen",
			[]func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(accepttest.Move("f", "g"))},
			byNumber("g", 2, 2, "z\n"), ""},
	}
}

func TestSession(t *testing.T) {
	for _, test := range sessionTests() {
		t.Run(test.name, func(t *testing.T) {
			s, _ := test.start(t)
			if got, err := run(t, s, test.op); got != test.want {
				t.Errorf("got %q, want %q: %v", got, test.want, err)
			}
		})
	}
}

func TestSessionSaysWhatWasNotSeen(t *testing.T) {
	s := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": strings.Repeat("x\n", 20)}))
	s.View(t.Context(), "f", 3, 5)
	s.View(t.Context(), "f", 9, 10)
	_, err := run(t, s, accepttest.Over(accepttest.Create("f", "y")))
	if err == nil || !strings.Contains(err.Error(), "lines 1-2, 6-8, 11-20") {
		t.Errorf("error %v does not name the lines", err)
	}
	s.View(t.Context(), "f", 12, 0)
	if _, err := run(t, s, accepttest.Over(accepttest.Create("f", "y"))); err == nil ||
		!strings.HasSuffix(err.Error(), "lines 1-2, 6-8, 11), or edit it by its text") {
		t.Errorf("a view to the end of the file: error %v", err)
	}
	if _, err := s.View(t.Context(), "g", 0, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("View of nothing: %v", err)
	}
}

// A copier copies the fields of files.
type copier struct{ atomicedit.Store }

func (c copier) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	f, err := c.Store.Read(ctx, path)
	if f == nil {
		return nil, err
	}
	return &atomicedit.File{Path: f.Path, Data: f.Data, Mode: f.Mode, Notes: f.Notes}, err
}

// Behind a wrapper that hides nothing a Session allows what it allows anyway; behind one that hides it, no more than
// that.
func TestASessionBehindAWrapperAllowsNoMore(t *testing.T) {
	for _, test := range sessionTests() {
		for name, wrap := range map[string]func(atomicedit.Store) atomicedit.Store{
			"hidden":      accepttest.Hiding,
			"copied":      func(s atomicedit.Store) atomicedit.Store { return copier{s} },
			"with Unwrap": func(s atomicedit.Store) atomicedit.Store { return accepttest.Wrapper{Store: s} },
			"with Unwrap, twice": func(s atomicedit.Store) atomicedit.Store {
				return accepttest.Wrapper{Store: accepttest.Wrapper{Store: s}}
			},
			"copied, with Unwrap":      func(s atomicedit.Store) atomicedit.Store { return accepttest.Wrapper{Store: copier{s}} },
			"copied, and Unwrap below": func(s atomicedit.Store) atomicedit.Store { return copier{accepttest.Wrapper{Store: s}} },
		} {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				s, m := test.start(t)
				before := m.Files()
				got, err := run(t, wrap(s), test.op)
				_, open := wrap(s).(interface{ Unwrap() atomicedit.Store })
				open = open && name != "copied, with Unwrap"
				if open && got != test.want || test.want != "" && got == "" ||
					test.want == "" && got != "" && got != "unread" && got != "stale" {
					t.Errorf("got %q, and %q without a wrapper: %v", got, test.want, err)
				}
				if got != "" && !maps.Equal(before, m.Files()) {
					t.Error("a refused plan wrote")
				}
			})
		}
	}
}

// Whoever reads a Session without asking what was seen gets no file that was seen only in part.
func TestASessionReadsOnlyWhatWasSeenWhole(t *testing.T) {
	s := accepttest.SessionOf(map[string]string{"f": "1\n2\n3\n"}, "f", 1, 2)
	if f, err := s.Read(t.Context(), "f"); !errors.Is(err, atomicedit.ErrUnread) || f != nil ||
		!strings.Contains(err.Error(), "not yet read: line 3") {
		t.Errorf("seen in part: %+v, error %v", f, err)
	}
	if unseen, err := unseen(s, "f"); err != nil || unseen != "not yet read: line 3" {
		t.Errorf("seen in part: %q, error %v", unseen, err)
	}
	if _, err := run(t, s, accepttest.Edits("f", "2\n", "")); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Read(t.Context(), "f"); !errors.Is(err, atomicedit.ErrUnread) {
		t.Errorf("shifted: %+v, error %v", f, err)
	}
	if _, err := s.View(t.Context(), "f", 0, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Read(t.Context(), "f"); err != nil || string(f.Data) != "1\n3\n" {
		t.Errorf("seen: %+v, error %v", f, err)
	}
	if f, err := s.Read(t.Context(), "g"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %+v, error %v", f, err)
	}
}

// A filter refuses to read what is secret.
type filter struct{ *atomicedit.Session }

func (f filter) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	if path == "secret" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return f.Session.Read(ctx, path)
}

// An openFilter shows its Session, though a filter should not.
type openFilter struct{ filter }

func (f openFilter) Unwrap() atomicedit.Store { return f.Session }

// What a wrapper refuses stays refused, though it embeds a Session, or shows it by Unwrap.
func TestAFilterIsNotGoneRound(t *testing.T) {
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"secret": "1\n2\n", "f": "1\n2\n"}))
	for _, path := range []string{"secret", "f"} {
		if _, err := session.View(t.Context(), path, 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]atomicedit.Store{"embedded": filter{session},
		"with Unwrap": openFilter{filter{session}}} {
		if code, err := run(t, s, accepttest.Edits("secret", "1", "one")); code != "permission" {
			t.Errorf("%s: %v", name, err)
		}
		if code, err := run(t, s, accepttest.Over(accepttest.Create("secret", "one"))); code != "permission" {
			t.Errorf("%s: %v", name, err)
		}
		if answer, err := (&atomicedit.Host{Store: s}).View(t.Context(), "secret", 0, 0); !errors.Is(err,
			fs.ErrPermission) {
			t.Errorf("%s: %v, %+v", name, err, answer)
		}
	}
	if code, err := run(t, filter{session}, accepttest.Edits("f", "2", "two")); code != "" {
		t.Errorf("a file that is not filtered: %v", err)
	}
}

// A Host shows files of a Session behind a wrapper that has Unwrap, and the Session remembers them; it says whose fault
// it is if it cannot.
func TestHostFindsItsSession(t *testing.T) {
	for name, wrap := range map[string]func(atomicedit.Store) atomicedit.Store{
		"bare": func(s atomicedit.Store) atomicedit.Store { return s },
		"once": func(s atomicedit.Store) atomicedit.Store { return accepttest.Wrapper{Store: s} },
		"twice": func(s atomicedit.Store) atomicedit.Store {
			return accepttest.Wrapper{Store: accepttest.Wrapper{Store: s}}
		},
		"hidden": accepttest.Hiding,
		"copied": func(s atomicedit.Store) atomicedit.Store { return copier{s} },
	} {
		t.Run(name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": "one\ntwo\n"})
			session := atomicedit.NewSession(store)
			session.Strict = true
			host := &atomicedit.Host{Store: wrap(session)}
			if answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne)); !errors.Is(err,
				atomicedit.ErrUnread) {
				t.Errorf("before it is read: %v, %+v", err, answer)
			}
			for range 2 { // unread, then read
				answer, err := host.View(t.Context(), "f", 0, 0)
				if name == "hidden" || name == "copied" {
					var refusal *atomicedit.Refusal
					if err == nil || errors.As(err, &refusal) || answer.Status != "failed" ||
						!strings.Contains(err.Error(), "Unwrap") || strings.Contains(answer.Text, "read it first") {
						t.Errorf("%v, %+v", err, answer)
					}
					return
				}
				if err != nil || answer.Status != "shown" || !strings.Contains(answer.Text, "     2\ttwo\n") {
					t.Fatalf("%v, %+v", err, answer)
				}
			}
			if answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne)); err != nil ||
				answer.Status != "done" {
				t.Errorf("after it was read: %v, %+v", err, answer)
			}
			if _, err := atomicedit.Run(t.Context(), store,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "two", "2")}}, nil); err != nil {
				t.Fatal(err)
			}
			if answer, err := host.View(t.Context(), "f", 0, 0); err != nil ||
				!strings.Contains(answer.Text, "     2\t2\n") {
				t.Errorf("after a change elsewhere: %v, %+v", err, answer)
			}
		})
	}
}

// A recorder knows who was asked.
type recorder struct {
	accepttest.Wrapper
	calls *[]string
	name  string
}

func (r recorder) Commit(ctx context.Context, changes []atomicedit.Change) error {
	*r.calls = append(*r.calls, r.name)
	return r.Store.Commit(ctx, changes)
}

// A commit goes through every wrapper, from the outside.
func TestCommitGoesRoundNoWrapper(t *testing.T) {
	var calls []string
	mem := atomicedit.NewMem(map[string]string{"f": "one\n"})
	session := atomicedit.NewSession(recorder{accepttest.Wrapper{Store: mem}, &calls, "inside"})
	outside := recorder{accepttest.Wrapper{Store: session}, &calls, "outside"}
	host := &atomicedit.Host{Store: outside}
	if _, err := host.View(t.Context(), "f", 0, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne)); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, outside, accepttest.Edits("f", "1", "one")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"outside", "inside", "outside", "inside"}; !slices.Equal(calls, want) {
		t.Errorf("got %q, want %q", calls, want)
	}
}

// A call that breaks a file is refused once, because it may be a slip; sent again, it is meant. One that mends the file
// or leaves it as broken as it was is not in doubt.
func TestACallThatBreaksAFileIsSentTwice(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"a.yml": "on:\n  - one\n  - two\njobs: {}\n"})
	previews := 0
	h := &atomicedit.Host{Store: atomicedit.NewSession(m), Events: func(_ context.Context, e atomicedit.Event) {
		if e.Kind == "preview" {
			previews++
		}
	}}
	dry := atomicedit.Plan{DryRun: true, Ops: []atomicedit.Op{accepttest.Edits("a.yml", "  - two\n", "- two\n")}}
	if _, err := h.Do(t.Context(), dry); err != nil || previews != 1 {
		t.Errorf("a preview: error %v, %d previews", err, previews)
	}
	call := func(old, new string) error {
		args := fmt.Sprintf(`{"file_path": "a.yml", "edits": [{"old_string": %q, "new_string": %q}]}`, old, new)
		_, err := h.Call(t.Context(), "multi_edit", []byte(args))
		return err
	}
	if err := call("  - two\n", "- two\n"); !errors.Is(err, fs.ErrInvalid) ||
		!strings.Contains(err.Error(), "send the same call again") {
		t.Errorf("error %v", err)
	}
	if previews != 1 {
		t.Errorf("%d previews of what is not carried out", previews-1)
	}
	if err := call("  - two\n", "- three\n"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("another call: error %v", err)
	}
	state, err := json.Marshal(h.Store)
	if err != nil {
		t.Fatal(err)
	}
	stored := atomicedit.NewSession(m)
	if err := json.Unmarshal(state, stored); err != nil {
		t.Fatal(err)
	}
	h.Store = stored
	if err := call("  - two\n", "- two\n"); err != nil {
		t.Errorf("again, after a restart: error %v", err)
	}
	if err := call("one", "1"); err != nil {
		t.Errorf("in a file that is broken: error %v", err)
	}
	if err := call("\n- two\n", "\n  - two\n"); err != nil {
		t.Errorf("mended: error %v", err)
	}
	if _, err := (&atomicedit.Host{Store: m}).Call(t.Context(), "multi_edit",
		[]byte(`{"file_path": "a.yml", "edits": [{"old_string": "  - two\n", "new_string": "- two\n"}]}`)); err != nil {
		t.Errorf("without a session: error %v", err)
	}
}

// An edit that would be refused in a file that was read is told what is wrong with it, not to read the file first.
func TestAnEditThatFitsNowhereInAFileThatWasNeverRead(t *testing.T) {
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "one two three\n  four five\n\tfour five\n"}))
	for old, want := range map[string]error{
		"four five\n":      atomicedit.ErrAmbiguous,
		"one two trees\n":  atomicedit.ErrNotFound, // and is shown what is near
		" one two three\n": atomicedit.ErrUnread,   // it would fit otherwise
		"seven\n":          atomicedit.ErrUnread,   // nothing is near
	} {
		e := atomicedit.Edit{Old: old, New: "new\n", WholeLines: true}
		p := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", e)}}
		if _, err := atomicedit.Run(t.Context(), session, p, nil); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", old, err, want)
		}
	}
}

// What is wrong with a new text is so in any version of the file: reading it again would not help.
func TestANewTextThatNoVersionOfAFileTakes(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "caf\xe9\ntwo\nthree\n"})
	session := atomicedit.NewSession(store)
	plan := func(old, new string) atomicedit.Plan {
		return atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", old, new)}}
	}
	_, err := session.View(t.Context(), "f", 0, 0)
	if _, err2 := atomicedit.Run(t.Context(), store, plan("three", "3"), nil); errors.Join(err, err2) != nil {
		t.Fatal(err, err2)
	}
	for new, want := range map[string]error{"2 €": atomicedit.ErrEncoding, "// ... rest of code": atomicedit.ErrPlaceholder} {
		if _, err := atomicedit.Run(t.Context(), session, plan("two", new), nil); !errors.Is(err, want) ||
			errors.Is(err, atomicedit.ErrStale) {
			t.Errorf("%q: %v", new, err)
		}
	}
}

// An edit that says how many places its old text has knows them all, whatever the encoding of the file.
func TestACountInAFileThatWasNeverRead(t *testing.T) {
	utf16 := "\xff\xfe"
	for _, b := range []byte("x = old\ny = old\n") {
		utf16 += string([]byte{b, 0})
	}
	for _, data := range []string{"x = old\ny = old\n", utf16} {
		session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": data}))
		edit := atomicedit.Edit{Old: "old", New: "new", Count: 2}
		plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", edit)}}
		if _, err := atomicedit.Prepare(t.Context(), session, plan, nil); err != nil {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestAFileMayBecomeEmpty(t *testing.T) {
	for path, text := range map[string]string{"a.go": "package a\n", "a.json": "{}\n", "a.yml": "a:\n  - b\n",
		"a.py": "def f():\n    x\n", "a.xml": "<a></a>\n", "a.toml": "a = 1\n"} {
		m := atomicedit.NewMem(map[string]string{path: text})
		plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create(path, ""))}}
		if _, err := atomicedit.Run(t.Context(), m, plan, nil); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
