package host_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestHostAsksBetweenPreviewAndCommit(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "one\n"})
	host := &atomicedit.Host{Store: store}
	var stages []string
	host.Events = func(_ context.Context, e atomicedit.Event) {
		stage := e.Kind + " " + e.Tool
		if e.Kind == "preview" {
			stage += fmt.Sprint(strings.Contains(e.Report.Diff, "-one\n+1\n"))
		} else {
			stage += " " + e.Answer.Status
		}
		stages = append(stages, stage)
	}
	deny := errors.New("not on a Friday")
	host.Approve = func(_ context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		r := t.Report()
		stages = append(stages, "approve "+store.Files()["f"]+r.Files[0].Path)
		r.Files[0].Path = "changed by the hook"
		return t, deny
	}
	answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
	var refusal *atomicedit.Refusal
	if !errors.Is(err, atomicedit.ErrDenied) || !errors.As(err, &refusal) || answer.Status != "denied" ||
		answer.Changes != nil {
		t.Errorf("denied: %v, %+v", err, answer)
	}
	if !strings.Contains(answer.Text, "nothing was changed: not on a Friday") || store.Files()["f"] != "one\n" {
		t.Errorf("denied: %s, %q", answer.Text, store.Files())
	}
	deny = nil
	answer, err = host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
	if err != nil || answer.Status != "done" || store.Files()["f"] != "1\n" || answer.Report.Files[0].Path != "f" {
		t.Errorf("approved: %v, %+v, %q", err, answer, store.Files())
	}
	if err := store.Commit(t.Context(), atomicedit.Invert(answer.Changes)); err != nil ||
		store.Files()["f"] != "one\n" {
		t.Errorf("undone: %v, %q", err, store.Files())
	}
	if _, err := host.Call(t.Context(), "multi_edit", []byte(`{}`)); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Error(err)
	}
	want := []string{
		"preview multi_edittrue", "approve one\nf", "finished multi_edit denied",
		"preview multi_edittrue", "approve one\nf", "finished multi_edit done",
		"finished multi_edit refused",
	}
	if diff := cmp.Diff(want, stages); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
}

// A Host without a Session takes the texts that it has shown to be approved for read.
func TestHostRefusesWhatChangedWhileTheUserWasAsked(t *testing.T) {
	for _, test := range []struct {
		name, file, now, want string // want is "" for a refusal
		op                    atomicedit.Op
	}{
		{"the line", "one\ntwo\n", "other\ntwo\n", "", accepttest.Edits("f", "one", "1")},
		{"another line", "one\n\ntwo\n", "one\n\nother\n", "1\n\nother\n", accepttest.Edits("f", "one", "1")},
		{"the line, which is elsewhere now", "one\ntwo\nthree\n", "other\ntwo\none\n", "", accepttest.Edits("f", "one", "1")},
		{"a file that is replaced", "one\n", "other\n", "", accepttest.Over(accepttest.Create("f", "1\n"))},
		{"a file that is deleted", "one\n", "other\n", "", accepttest.Remove("f")},
		{"a file that another replaces", "one\n", "other\n", "", accepttest.Over(accepttest.Move("g", "f"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": test.file, "g": "new\n"})
			host := &atomicedit.Host{Store: store}
			host.Approve = func(ctx context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
				_, err := atomicedit.Run(ctx, store,
					atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create("f", test.now))}}, nil)
				return tr, err
			}
			answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{test.op}})
			want, status := test.want, "done"
			if test.want == "" {
				want, status = test.now, "refused"
			}
			if errors.Is(err, atomicedit.ErrStale) != (test.want == "") || answer.Status != status || store.Files()["f"] != want {
				t.Errorf("%v, %+v, %q", err, answer, store.Files())
			}
		})
	}
}

func TestHostStopsAtAPreviewIfThePlanSaysSo(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "one\n"})
	plan, err := atomicedit.ParseJSON([]byte(`{"path": "f", "edits": [{"oldText": "one", "newText": "1"}], "dryRun": true}`))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&atomicedit.Host{Store: store}).Do(t.Context(), plan)
	if err != nil || answer.Status != "previewed" || !strings.Contains(answer.Text, "+1\n") ||
		store.Files()["f"] != "one\n" {
		t.Errorf("%v, %+v", err, answer)
	}
}

func TestHostTellsTheMachineryFromTheRequest(t *testing.T) {
	for _, test := range []struct {
		err    error
		status string
		says   string
	}{
		{errors.New("disk full"), "failed", "nothing was changed; the request is not at fault: disk full"},
		{fmt.Errorf("%w: f", atomicedit.ErrUnfinished), "failed", "tell the user"},
		{fmt.Errorf("%w: f", atomicedit.ErrNotDurable), "done", "note: done, but perhaps not on disk yet"},
		{&fs.PathError{Op: "commit", Path: "f", Err: fs.ErrPermission}, "refused", "permission denied"},
	} {
		host := &atomicedit.Host{Store: accepttest.Broken{Store: atomicedit.NewMem(map[string]string{"f": "one\n"}),
			Err: test.err}}
		answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
		if answer.Status != test.status || !strings.Contains(answer.Text, test.says) || err == nil {
			t.Errorf("%v: %v, %s: %s", test.err, err, answer.Status, answer.Text)
		}
	}
}

func TestHostCallsInParallelLoseNothing(t *testing.T) {
	const n = 50
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "counter %d = 0;\n", i)
	}
	store := atomicedit.NewMem(map[string]string{"f": text.String()})
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		return tr,
			nil
	}
	if _, err := host.View(t.Context(), "f", 0, 0); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			call := fmt.Sprintf(`{"file_path": "f", "edits": [{"old_string": "counter %d = 0;", "new_string": "counter %d = 1;"}]}`, i, i)
			if _, err := host.Call(t.Context(), "multi_edit", []byte(call)); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() { // what a reader saw before an edit makes nobody forget the edit
			if _, err := host.View(t.Context(), "f", 1, 10); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, want := store.Files()["f"], strings.ReplaceAll(text.String(), "= 0", "= 1"); got != want {
		t.Errorf("something is lost:\n%s", got)
	}
}

func TestHostCallThatIsGivenUpWaitsNoLonger(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": "one\n"})}
	asked, answered := make(chan bool), make(chan bool)
	host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		close(asked)
		<-answered
		return tr, nil
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne)); err != nil {
			t.Error(err)
		}
	})
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if answer, err := host.Call(ctx, "multi_edit", []byte(accepttest.EditOne)); !errors.Is(err, context.Canceled) ||
		answer.Status != "failed" {
		t.Errorf("%v, %+v", err, answer)
	}
	close(answered)
	wg.Wait()
}

func TestHostGivenUpWhileTheUserIsAsked(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "one\n"})
	host := &atomicedit.Host{Store: store}
	for _, answers := range []error{nil, errors.New("no")} {
		ctx, cancel := context.WithCancel(t.Context())
		host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
			cancel()
			return tr, answers
		}
		answer, err := host.Call(ctx, "multi_edit", []byte(accepttest.EditOne))
		if !errors.Is(err, context.Canceled) || answer.Status != "failed" ||
			!strings.Contains(answer.Text, "was stopped") || store.Files()["f"] != "one\n" {
			t.Errorf("%v: %v, %+v, %q", answers, err, answer, store.Files())
		}
	}
}

// A panic is the host program's own; whoever recovers from it can go on with the Host.
func TestHostApproveThatPanicsKeepsNobodyWaiting(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "one\n"})
	host := &atomicedit.Host{Store: store}
	host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		panic("nobody is there")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne))
	}()
	host.Approve = nil
	if answer, err := host.Call(t.Context(), "multi_edit", []byte(accepttest.EditOne)); err != nil ||
		store.Files()["f"] != "1\n" {
		t.Errorf("%v, %+v", err, answer)
	}
}

func TestHostViews(t *testing.T) {
	long := strings.Repeat("é", 100) + "\n"
	for _, test := range []struct {
		name        string
		text        string
		first, last int
		want        string
	}{
		{"all", "1\n2\n", 0, 0, "f: lines 1 to 2 of 2\n     1\t1\n     2\t2\n"},
		{"a range", "1\n2\n3\n", 2, 3, "f: lines 2 to 3 of 3\n     2\t2\n     3\t3\n"},
		{"a range that ends beyond the file", "1\n2\n", 2, 9, "f: line 2 of 2\n     2\t2\n"},
		{"no final newline", "1", 0, 0, "f: line 1 of 1\n     1\t1\nnote: the last line has no newline at its end\n"},
		{"an empty file", "", 0, 0, "f: the file is empty\n"},
		{"CRLF", "1\r\n2\r\n", 0, 0, "f: lines 1 to 2 of 2\n     1\t1\n     2\t2\n"},
		{"UTF-16", "\xff\xfe1\x00\n\x002\x00\n\x00", 0, 0, "f: lines 1 to 2 of 2\n     1\t1\n     2\t2\n"},
		{"a byte order mark", "\ufeff1\n", 0, 0, "f: line 1 of 1\n     1\t1\n"},
		{"Latin-1", "1\n\xe9\n", 0, 0,
			"f: lines 1 to 2 of 2\n     1\t1\n     2\t\ufffd\nnote: from line 2 on, bytes that are not valid UTF-8 are shown as \ufffd\n"},
		{"a long line", "1\n" + long, 0, 0, "f: lines 1 to 2 of 2\n     1\t1\n     2\t" + strings.Repeat("é", 25) +
			" …\nnote: cut off after 51 bytes: line 2; read a single line to see more of it\n"},
		{"a long line alone", "1\n" + long, 2, 2, "f: line 2 of 2\n     2\t" + strings.TrimSuffix(long, "\n") + "\n"},
		{"a long file", strings.Repeat("123456789\n", 40), 0, 0,
			"f: lines 1 to 17 of 40\n" + numbered("123456789", 1, 17) +
				"note: lines 18 to 40 did not fit in this answer: read on from line 18\n"},
		{"a line too long for one answer", strings.Repeat("x", 500), 1, 1,
			"f: line 1 of 1\n     1\t" + strings.Repeat("x", 288) +
				" …\nnote: line 1 has 500 bytes, too many for one answer; it can be edited by text\nnote: the last line has no newline at its end\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": test.text})}
			host.MaxLine, host.MaxText = 51, 300
			answer, err := host.View(t.Context(), "f", test.first, test.last)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, answer.Text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if answer.Version != atomicedit.VersionOf([]byte(test.text)) {
				t.Errorf("answer: %+v", answer)
			}
		})
	}
}

// A MaxText without room for a line shows nothing, however often a model reads on. That is for the program to mend.
func TestHostViewInLittleRoom(t *testing.T) {
	for _, test := range []struct {
		name    string
		maxText int
		text    string
		want    string // "" for an error
	}{
		{"for no line", 2, "alpha\nbeta\n", ""},
		{"for no line, the first being empty", 2, "\nbeta\n", ""},
		{"for an empty file", 2, "", "f: the file is empty\n"},
		{"for a part of a line", 14, "alpha\nbeta\n",
			"f: line 1 of 2\n     1\tal …\nnote: line 2 did not fit in this answer: read on from line 2\nnote: cut off after 2 bytes: line 1; read a single line to see more of it\n"},
		{"for a line", 20, "alpha\nbeta\n",
			"f: line 1 of 2\n     1\talpha\nnote: line 2 did not fit in this answer: read on from line 2\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": test.text})}
			host.MaxText = test.maxText
			answer, err := host.View(t.Context(), "f", 0, 0)
			if test.want == "" {
				var refusal *atomicedit.Refusal
				if !errors.Is(err, fs.ErrInvalid) || errors.As(err, &refusal) || answer.Status != "failed" ||
					!strings.Contains(answer.Text, "MaxText") {
					t.Errorf("error %v, and the answer is %+v", err, answer)
				}
				return
			}
			if diff := cmp.Diff(test.want, answer.Text); err != nil || diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func numbered(line string, first, last int) string {
	var b strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, "%6d\t%s\n", n, line)
	}
	return b.String()
}

func TestHostViewRefuses(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewSession(atomicedit.NewMem(map[string]string{"bin": "a\x00b",
		"f": "1\n2\n"}))}
	for _, test := range []struct {
		path        string
		first, last int
		want        error
	}{
		{"bin", 0, 0, atomicedit.ErrBinary},
		{"missing", 0, 0, fs.ErrNotExist},
		{"../f", 0, 0, atomicedit.ErrOutside},
		{"f", 3, 0, fs.ErrInvalid},
		{"f", 2, 1, fs.ErrInvalid},
		{"f", -1, 0, fs.ErrInvalid},
	} {
		var refusal *atomicedit.Refusal
		answer, err := host.View(t.Context(), test.path, test.first, test.last)
		if !errors.Is(err, test.want) || !errors.As(err, &refusal) || answer.Status != "refused" ||
			len(answer.Problems) != 1 || answer.Problems[0].Code == "" {
			t.Errorf("%s %d-%d: %v, %+v", test.path, test.first, test.last, err, answer)
		}
	}
}

// What an answer cut short or left out has not been seen.
func TestHostRemembersOnlyWhatItShowed(t *testing.T) {
	text := strings.Repeat("123456789\n", 40)
	store := atomicedit.NewMem(map[string]string{"f": text, "long": "1\n" + strings.Repeat("x", 100) + "\n3\n"})
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	host.MaxLine, host.MaxText = 51, 300
	write := func(path string) string {
		answer, _ := host.Call(t.Context(), "text_editor",
			[]byte(accepttest.Args(accepttest.Object{"action": "write", "path": path, "content": "new"})))
		return answer.Text
	}
	view := func(path string, first, last int) {
		t.Helper()
		if _, err := host.View(t.Context(), path, first, last); err != nil {
			t.Fatal(err)
		}
	}
	view("f", 0, 0)
	if got := write("f"); !strings.Contains(got, "lines 18-40") {
		t.Errorf("after the first part: %s", got)
	}
	view("f", 18, 0)
	view("f", 35, 0)
	if got := write("f"); !strings.HasPrefix(got, "modified f") {
		t.Errorf("after all parts: %s", got)
	}
	view("long", 0, 0)
	if got := write("long"); !strings.Contains(got, "not yet read: line 2)") {
		t.Errorf("after a line was cut: %s", got)
	}
	view("long", 2, 2)
	if got := write("long"); !strings.HasPrefix(got, "modified long") {
		t.Errorf("after it was read alone: %s", got)
	}
}

// Two calls may come in one message: the refusal of the first one has not been read when the second one was sent.
func TestARefusalToReplaceAFileIsNoReadingOfIt(t *testing.T) {
	mem := atomicedit.NewMem(map[string]string{"f": "one\n"})
	host := &atomicedit.Host{Store: atomicedit.NewSession(mem)}
	for _, content := range []string{"a\n", "b\n"} {
		args := accepttest.Args(accepttest.Object{"action": "write", "path": "f", "content": content})
		if answer, _ := host.Call(t.Context(), "text_editor", []byte(args)); answer.Status != "refused" {
			t.Error(answer.Text)
		}
	}
	for range 2 {
		answer, _ := host.Do(t.Context(),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", accepttest.Everywhere("one", "1"))}})
		if answer.Status != "refused" {
			t.Error(answer.Text)
		}
	}
}

// In a file that was never read, the numbers of an answer count unless an edit has moved the line: the next edit may
// have been sent together with the first one.
func TestNumbersOfAnAnswerCount(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, new string
		line     int
		want     string // the status
	}{
		{"beside a line that was replaced", "3\n", "three\n", 4, "done"},
		{"the line that was replaced", "3\n", "three\n", 3, "done"},
		{"above lines that were added", "3\n", "3\nx\n", 3, "done"},
		{"below lines that were added", "3\n", "3\nx\n", 5, "refused"},
		{"a line that was added", "3\n", "3\nx\n", 4, "refused"},
		{"not shown", "3\n", "three\n", 1, "refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host := &atomicedit.Host{Store: atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n5\n6\n"}))}
			if answer, err := host.Do(t.Context(),
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", tt.old, tt.new)}}); err != nil {
				t.Fatal(answer.Text)
			}
			answer, _ := host.Do(t.Context(),
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f",
					accepttest.LineEdit(tt.line, tt.line, "new\n"))}})
			if answer.Status != tt.want {
				t.Error(answer.Text)
			}
		})
	}
}

func TestHostShowsWhatToLookAtAgain(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(numbered("x", 1, 30), "\n"), "\n")
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": strings.Join(lines, "\n") + "\n"})}
	answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{
		{First: 3, Last: 3, New: "three\n", WholeLines: true}, {First: 20, Last: 21, WholeLines: true},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	want := "modified f: +1 -3 lines, now 28 lines, 249 bytes (-21)\n  changed now: line 3, at line 20\n" +
		"replaced:\n     3\t     3\tx\n     …\n    20\t    20\tx\n    21\t    21\tx\nnow:\n" +
		"     2\t     2\tx\n     3\tthree\n     4\t     4\tx\n     …\n    19\t    19\tx\n    20\t    22\tx\n"
	if answer.Text != want {
		t.Error(cmp.Diff(want, answer.Text))
	}
}

func TestHostShowsWhatAMoveHasReplaced(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": "1\n2\n"})}
	answer, err := host.Do(t.Context(),
		atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "f", To: "g",
			Edits: []atomicedit.Edit{{First: 2, Last: 2, New: "two\n", WholeLines: true}}}}})
	if want := "replaced:\n     2\t2\nnow:\n     1\t1\n     2\ttwo\n"; err != nil ||
		!strings.HasSuffix(answer.Text, want) {
		t.Errorf("%v: %s", err, answer.Text)
	}
}

// An answer to an edit stays within its bound, whatever the number of files, notes and places; 4,000 bytes by default.
func TestHostShowsNoMoreThanABudget(t *testing.T) {
	files, plan := map[string]string{}, atomicedit.Plan{}
	for i := range 40 {
		path := fmt.Sprintf("f%d", i)
		files[path] = strings.Repeat(strings.Repeat("line\n", 9)+"start"+strings.Repeat(" long", 200)+"\n", 20)
		plan.Ops = append(plan.Ops, accepttest.Edits(path, "start", "x"))
		plan.Ops[i].Edits[0].Count = atomicedit.All
	}
	found := func(string, []byte) ([]atomicedit.Note, error) { return make([]atomicedit.Note, 7), nil }
	for _, show := range []string{"", "diff"} {
		for _, max := range []int{0, 100, 1000, 5000, 50_000} {
			for _, dry := range []bool{false, true} {
				for _, n := range []int{1, 3, len(files)} {
					host := &atomicedit.Host{Store: atomicedit.NewMem(files), MaxAnswer: max, Show: show}
					host.Options = &atomicedit.Options{Checks: []atomicedit.Check{found}}
					answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: plan.Ops[:n], DryRun: dry})
					if err != nil {
						t.Fatal(err)
					}
					if limit := max + 4000*(1-min(max, 1)); len(answer.Text) > limit {
						t.Errorf("%q, at most %d bytes, %d files, preview %t: %d bytes", show, limit, n, dry,
							len(answer.Text))
					}
					says := func(s string) bool { return strings.Contains(answer.Text, s) }
					if n == len(files) && max < 50_000 && !says("is cut off here") && !says("did not fit") &&
						!says("too many for") {
						t.Errorf("%q, at most %d bytes: the answer does not say that it is cut:\n%s", show, max,
							answer.Text)
					}
				}
			}
		}
	}
}

// An answer shows each line that changes with the lines beside it. Of a long change it shows the ends, of many places
// the first three, and of a long line the part that changes.
func TestAnAnswerShowsPartsOfWhatChanges(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, tt := range []struct {
		name, file string
		edits      []atomicedit.Edit
		want       string
	}{
		{"old text that stays is not shown", numbered("x", 1, 20),
			[]atomicedit.Edit{{Old: numbered("x", 5, 12), New: numbered("x", 5, 8) + "new\n" + numbered("x", 9, 12)}},
			"  changed now: line 9\n     8\t     8\tx\n     9\tnew\n    10\t     9\tx\n"},
		{"neighboring lines are one range", "a\nb\nc\n", []atomicedit.Edit{{Old: "a", New: "1"}, {Old: "b", New: "2"}},
			"  changed now: lines 1 to 2\n     1\t1\n     2\t2\n     3\tc\n"},
		{"a long change", "a\nb\nc\nd\n", []atomicedit.Edit{{Old: "b\n", New: strings.Repeat("b\n", 30)}},
			"  changed now: lines 3 to 31\n     2\tb\n     3\tb\n     4\tb\n     5\tb\n     …\n    29\tb\n    30\tb\n    31\tb\n    32\tc\n"},
		{"many places", strings.Repeat("x\n1\n2\n3\n4\n5\n6\n", 5),
			[]atomicedit.Edit{{Old: "x", New: "y", Count: atomicedit.All}},
			"  changed now: line 1, line 8, line 15, line 22, line 29\n     1\ty\n     2\t1\n     …\n     7\t6\n     8\ty\n     9\t1\n     …\n" +
				"    14\t6\n    15\ty\n    16\t1\n     … and 2 more places\n"},
		{"a long line", long + "end " + long + "\n", []atomicedit.Edit{{Old: "end", New: "END"}},
			"  changed now: line 1\n     1\t… " + long[450:] + "END " + long[:146] + " …\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": tt.file})}
			answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: tt.edits}}})
			if err != nil {
				t.Fatal(err)
			}
			if _, got, _ := strings.Cut(answer.Text, "\n"); got != tt.want {
				t.Error(cmp.Diff(tt.want, got))
			}
		})
	}
}

// Whatever a model sends: there is an answer in valid UTF-8, and what is not done changes nothing.
func FuzzHostCall(f *testing.F) {
	for i, tool := range accepttest.Must(atomicedit.Tools()) {
		_, example, _ := strings.Cut(tool.Description, "\n{")
		example, _, _ = strings.Cut("{"+example, "\n")
		f.Add(i, []byte(example))
	}
	f.Add(2, []byte(`{"action": "read", "path": "f", "line_from": 2, "line_to": 9}`))
	f.Add(5, []byte(`{"command": "view", "path": "latin", "view_range": [1, -1]}`))
	f.Add(0, []byte(accepttest.EditOne))
	files := map[string]string{"f": "one\ntwo\n", "latin": "\xe9 one\n", "app.py": "debug = True\n",
		"main.c": "int n = 0;\n", "bin": "\x00"}
	f.Fuzz(func(t *testing.T, tool int, args []byte) {
		tools := accepttest.Must(atomicedit.Tools())
		store := atomicedit.NewMem(files)
		host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
		host.MaxLine, host.MaxText = 20, 200
		for path := range files {
			host.View(t.Context(), path, 0, 0)
		}
		answer, err := host.Call(t.Context(), tools[uint(tool)%uint(len(tools))].Name, args)
		if answer.Text == "" || !utf8.ValidString(answer.Text) {
			t.Errorf("the answer is %q", answer.Text)
		}
		if done := answer.Status == "done"; done != (err == nil && answer.Path == "") ||
			done != (answer.Changes != nil) {
			t.Errorf("error %v, and the answer is %+v", err, answer)
		}
		if diff := cmp.Diff(files, store.Files()); (diff == "") == (answer.Status == "done") {
			t.Errorf("%s, and the files differ by:\n%s", answer.Status, diff)
		}
	})
}

// A diff that is cut ends on a line of its own. Too many notes of checks are counted, not listed.
func TestHostBoundsDiffAndNotes(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"a": strings.Repeat("x\n", 1000)})}
	host.Show = "diff"
	host.Options = &atomicedit.Options{Checks: []atomicedit.Check{func(_ string, text []byte) ([]atomicedit.Note,
		error) {
		return slices.Repeat([]atomicedit.Note{{Msg: "found " + string(text[:1])}}, 5000), nil
	}}}
	answer, err := host.Call(t.Context(), "multi_edit",
		[]byte(`{"file_path":"a","edits":[{"old_string":"x","new_string":"y","replace_all":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(answer.Text, " …\nnote: the diff has ") {
		t.Errorf("a diff that is cut does not end on a line of its own:\n%s", answer.Text)
	}
	if n := strings.Count(answer.Text, "note: found y\n"); n != 20 ||
		!strings.Contains(answer.Text, "  and 4980 more\n") || len(answer.Report.Files[0].Notes) != 5000 {
		t.Errorf("got %d notes:\n%s", n, answer.Text)
	}
}

// Each changed line is in the answer once: in a diff or as it is now, whichever the host wants.
func TestHostShowsEachChangedLineOnce(t *testing.T) {
	const diff, now = "\n+1\n", "\n     1\t1\n"
	single := `{"command": "str_replace", "path": "f", "old_str": "one", "new_str": "1"}`
	for _, tt := range []struct{ show, tool, args, want string }{
		{"", "multi_edit", accepttest.EditOne, now},
		{"", "str_replace_editor", single, now},
		{"diff", "multi_edit", accepttest.EditOne, diff},
		{"diff", "str_replace_editor", single, diff},
		{"lines", "multi_edit", accepttest.EditOne, now},
		{"lines", "str_replace_editor", single, now},
	} {
		host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": "one\n"})}
		host.Show = tt.show
		answer, err := host.Call(t.Context(), tt.tool, []byte(tt.args))
		if err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(answer.Text, diff); shown != (tt.want == diff) ||
			strings.Contains(answer.Text, now) == shown {
			t.Errorf("%q, %s: %s", tt.show, tt.tool, answer.Text)
		}
		if !strings.Contains(answer.Report.Diff, diff) {
			t.Errorf("%q, %s: the report has the diff %q", tt.show, tt.tool, answer.Report.Diff)
		}
	}
}
