package formats_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameOutcome checks that two plans do the same to a text.
func sameOutcome(t interface{ Fatalf(string, ...any) }, text string, p, q atomicedit.Plan) {
	got, err := p.Apply([]byte(text), nil)
	again, err2 := q.Apply([]byte(text), nil)
	if diff := cmp.Diff(got, again); diff != "" || fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Fatalf("%+v on %q: errors %v and %v, results (-before +after):\n%s", p, text, err, err2, diff)
	}
}

// A plan that went through JSON is the same, and does the same to a text that it was made for.
func TestAPlanSurvivesJSON(t *testing.T) {
	draw := map[string]func(*rapid.T) atomicedit.Plan{"v4a": drawV4A, "blocks": drawBlocks, "unified": drawUnified}
	for name, f := range accepttest.Printers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text, err := f.Print(draw[name](t))
				if err != nil {
					t.Fatal(err)
				}
				p, err := f.Read(text)
				if err != nil {
					t.Fatal(err)
				}
				accepttest.CheckMarshalled(t, p)
				if !accepttest.Sayable(reflect.ValueOf(p)) {
					return
				}
				data, err := json.Marshal(p)
				if err != nil {
					t.Fatal(err)
				}
				var back atomicedit.Plan
				if err := json.Unmarshal(data, &back); err != nil {
					t.Fatal(err)
				}
				for i := range p.Ops { // each alone, so that one that fails does not hide the others
					var source strings.Builder
					for _, e := range p.Ops[i].Edits {
						source.WriteString(e.Old + rapid.SampledFrom([]string{"", "between\n"}).Draw(t, "between"))
					}
					sameOutcome(t, source.String(), atomicedit.Plan{Ops: p.Ops[i : i+1]},
						atomicedit.Plan{Ops: back.Ops[i : i+1]})
				}
			})
		})
	}
	t.Run("wild", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			p := drawWildPlan(t)
			for i := range p.Ops { // which no parser makes
				for k, e := range p.Ops[i].Edits {
					if len(e.Anchors) == 0 {
						p.Ops[i].Edits[k].Anchors = nil
					}
				}
			}
			accepttest.CheckMarshalled(t, p)
		})
	})
}

// How a patch pairs its lines decides which of them it keeps.
func TestAPatchKeepsItsPairingInJSON(t *testing.T) {
	p := accepttest.Must(atomicedit.ParseUnified("--- f\n+++ f\n@@ -1,2 +1,2 @@ func f()\n-a\n-b\n\\ No newline at end of file\n+a\n+c\n"))
	accepttest.CheckMarshalled(t, p)
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"ops":[{"kind":"edit","path":"f","edits":[{"old":"a\nb\n","new":"a\nc\n","whole_lines":true,"near":1,"section":"func f()","hunk":"--\\++"}]}],"format":"unified"}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
	var back atomicedit.Plan
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	sameOutcome(t, "a\nb", p, back)
	if res, err := back.Apply([]byte("a\nb"), nil); err != nil || string(res.Text) != "a\nc\n" {
		t.Errorf("got %+v, error %v", res, err)
	}
}

// A list of changes that went through JSON is the same, and undoes the same.
func TestChangesSurviveJSON(t *testing.T) {
	texts := rapid.OneOf(rapid.StringMatching(`([ab]\r?\n){0,3}`),
		rapid.SampledFrom([]string{"", "\x00\xff", "\xff\xfea\x00"}))
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{}
		for _, path := range []string{"a", "b", "dir/c", "é"} {
			if rapid.Bool().Draw(t, "there") {
				files[path] = texts.Draw(t, path)
			}
		}
		store := atomicedit.NewMem(files)
		var p atomicedit.Plan
		for path := range map[string]bool{"a": true, "b": true, "dir/c": true, "é": true, "new": true} {
			_, there := files[path]
			switch kind := atomicedit.OpKind(rapid.IntRange(0, 3).Draw(t, "kind")); {
			case !there || kind == atomicedit.OpCreate:
				p.Ops = append(p.Ops, atomicedit.Op{Kind: atomicedit.OpCreate, Path: path,
					Content: texts.Draw(t, "new "+path), Mode: 0o755, Overwrite: true})
			case kind == atomicedit.OpDelete:
				p.Ops = append(p.Ops, atomicedit.Op{Kind: atomicedit.OpDelete, Path: path})
			case kind == atomicedit.OpMove:
				p.Ops = append(p.Ops, atomicedit.Op{Kind: atomicedit.OpMove, Path: path, To: "moved/" + path})
			}
		}
		tr, err := atomicedit.Prepare(t.Context(), store, p, nil)
		if errors.Is(err, atomicedit.ErrNoChange) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(tr.Changes())
		if err != nil {
			t.Fatal(err)
		}
		var back []atomicedit.Change
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(tr.Changes(), back) {
			t.Fatalf("(-before +after):\n%s\n%s", cmp.Diff(tr.Changes(), back), data)
		}
		if err := store.Commit(t.Context(), atomicedit.Invert(back)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(files, store.Files()); diff != "" {
			t.Fatalf("after the undo (-want +got):\n%s", diff)
		}
	})
}

// A string that JSON cannot say is an error, not another string.
func TestWhatJSONCannotSayDoesNotMarshal(t *testing.T) {
	const bad = "a\xff"
	for _, v := range []any{
		atomicedit.Op{Path: bad}, atomicedit.Op{Kind: atomicedit.OpMove, To: bad},
		atomicedit.Op{Kind: atomicedit.OpCreate, Content: bad}, atomicedit.Op{Version: bad},
		atomicedit.Edit{Old: bad}, atomicedit.Edit{New: bad}, atomicedit.Edit{Anchors: []string{"x", bad}},
		atomicedit.Edit{Section: bad}, atomicedit.Edit{Hunk: bad}, &atomicedit.Edit{Old: bad},
		atomicedit.Plan{Ops: []atomicedit.Op{{Edits: []atomicedit.Edit{{Old: bad}}}}}, []atomicedit.Edit{{Old: bad}},
		atomicedit.Change{Path: bad}, atomicedit.Change{From: bad},
		atomicedit.Change{Before: &atomicedit.File{Path: bad}},
		[]atomicedit.Change{{After: &atomicedit.File{Notes: []string{bad}}}},
		atomicedit.OpKind(9), atomicedit.Fit(9), atomicedit.Fit(-1),
	} {
		if data, err := json.Marshal(v); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: got %s, error %v", v, data, err)
		}
	}
	if _, err := json.Marshal(atomicedit.Change{After: &atomicedit.File{Data: []byte(bad)}}); err != nil {
		t.Errorf("the bytes of a file: %v", err)
	}
}

func TestUnknownNamesAreErrors(t *testing.T) {
	for _, data := range []string{`{"ops":[{"kind":"rename"}]}`, `{"ops":[{"kind":""}]}`, `{"ops":[{"kind":"Edit"}]}`,
		`{"ops":[{"kind":1}]}`} {
		var p atomicedit.Plan
		if err := json.Unmarshal([]byte(data), &p); err == nil {
			t.Errorf("%s: %+v", data, p)
		}
	}
	for _, data := range []string{`{"fit":"perfect"}`, `{"fit":1}`, `{"fit":"fit 1"}`} {
		var m atomicedit.Match
		if err := json.Unmarshal([]byte(data), &m); err == nil {
			t.Errorf("%s: %+v", data, m)
		}
	}
	for kind, name := range map[atomicedit.OpKind]string{atomicedit.OpEdit: "edit", atomicedit.OpCreate: "create",
		atomicedit.OpDelete: "delete", atomicedit.OpMove: "move", 9: "operation 9"} {
		if kind.String() != name {
			t.Errorf("%d is called %q", int(kind), kind)
		}
	}
}

// In results, reports and refusals an empty list is [].
func TestEmptyListsInJSON(t *testing.T) {
	for want, v := range map[string]any{
		`{"text":"","matches":[],"notes":[]}`:              atomicedit.Result{},
		`{"text":"\u003ca\u003e","matches":[],"notes":[]}`: &atomicedit.Result{Text: []byte("<a>")},
		`{"text_base64":"Yf8=","matches":[],"notes":[]}`:   &atomicedit.Result{Text: []byte("a\xff")},
		`{"files":[],"diff":""}`:                           &atomicedit.Report{},
		`{"problems":[]}`:                                  &atomicedit.Refusal{},
		`{"code":"","op":0,"edit":0,"places":[],"msg":""}`: atomicedit.Problem{},
		`{"op":0,"edit":0,"fit":"drift","old":{"start":0,"end":0,"line":0,"lines":0},"new":{"start":0,"end":0,"line":0,"lines":0}}`: atomicedit.Match{Fit: atomicedit.Drift},
		`{"status":"","path":"","added":0,"removed":0,"lines":0,"bytes":0,"bytes_before":0,"matches":[],"notes":[]}`:                atomicedit.FileReport{},
		`{}`: atomicedit.Plan{},
	} {
		data, err := json.Marshal(v)
		if err != nil || string(data) != want {
			t.Errorf("%+v: error %v\ngot  %s\nwant %s", v, err, data, want)
		}
	}
}

func TestAResultSurvivesJSON(t *testing.T) {
	for _, text := range []string{"one\n", "one\xff\n", "\xff\xfeo\x00n\x00e\x00\n\x00", "one\x00"[:3]} {
		res, err := atomicedit.Apply([]byte(text), []atomicedit.Edit{{Old: "o", New: "two\n o"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		var back atomicedit.Result
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if string(back.Text) != string(res.Text) || !cmp.Equal(back.Matches, res.Matches) {
			t.Errorf("(-before +after):\n%s", cmp.Diff(*res, back))
		}
	}
	var r atomicedit.Result
	if err := json.Unmarshal([]byte(`{"text":"a","text_base64":"Yg=="}`), &r); err == nil {
		t.Errorf("two texts: %+v", r)
	}
}

// Fields that mean nothing together are refused, by Apply and by Prepare.
func TestFieldsThatMeanNothingTogether(t *testing.T) {
	for _, e := range []atomicedit.Edit{
		{Old: "c", Last: 2}, {Old: "c\n", Last: 2, WholeLines: true}, {New: "x\n", Last: 2, WholeLines: true},
		{New: "x\n", Last: 2, AtEnd: true},
		{First: 1, Last: 1, New: "x\n", Count: 1}, {First: 1, Count: atomicedit.All}, {First: 1, New: "x\n", Near: 3},
		{First: 1, New: "x\n", Anchors: []string{"a"}},
		{First: 1, New: "x\n", AtEnd: true}, {First: 1, Old: "a", New: "x\n"},
		{New: "x\n", WholeLines: true, Count: atomicedit.All}, {New: "x\n", AtEnd: true, Count: 1},
		{New: "x\n", Anchors: []string{"a"}, Count: 2},
		{Range: accepttest.Ranged(1, 0, 1, 1, "").Range, Old: "a"},
		{Range: accepttest.Ranged(1, 0, 1, 1, "").Range, First: 1},
		{Range: accepttest.Ranged(1, 0, 1, 1, "").Range, WholeLines: true},
		{Range: accepttest.Ranged(1, 0, 1, 1, "").Range, New: "x", Count: atomicedit.All},
		{Range: accepttest.Ranged(1, 0, 1, 1, "").Range, Hunk: "-"},
		{Old: "a", New: "b", Section: "x"}, {Old: "a", New: "b", Hunk: "-+"},
	} {
		const text = "a\nb\nc\n"
		if res, err := atomicedit.Apply([]byte(text), []atomicedit.Edit{e}, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %+v, error %v", e, res, err)
		}
		p := accepttest.OneEdit("f", e)
		if res, err := p.Apply([]byte(text), nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v in a plan: %+v, error %v", e, res, err)
		}
		if tr, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"f": text}), p,
			nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v in a plan: %+v, error %v", e, tr, err)
		}
	}
	ab := []atomicedit.Edit{{Old: "a", New: "b"}}
	for _, op := range []atomicedit.Op{
		{Edits: ab, Content: "x"}, {Edits: ab, To: "g"}, {Edits: ab, Mode: 0o755}, {Edits: ab, Overwrite: true},
		{Edits: ab, Exclusive: true},
		{Kind: atomicedit.OpDelete, Content: "x"}, {Kind: atomicedit.OpDelete, To: "g"},
		{Kind: atomicedit.OpDelete, Mode: 0o755}, {Kind: atomicedit.OpDelete, Overwrite: true},
		{Kind: atomicedit.OpMove, To: "g", Content: "x"}, {Kind: atomicedit.OpMove, To: "g", Mode: 0o755},
		{Kind: atomicedit.OpCreate, To: "g", Overwrite: true},
		{Kind: atomicedit.OpCreate, Mode: fs.ModeSetuid | 0o755, Overwrite: true},
		{Kind: atomicedit.OpCreate, Overwrite: true, Exclusive: true},
	} {
		op.Path = "f"
		p := atomicedit.Plan{Ops: []atomicedit.Op{op}}
		if tr, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"f": "a\n"}), p,
			nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %+v, error %v", op, tr, err)
		}
		if res, err := p.Apply([]byte("a\n"), nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v applied: %+v, error %v", op, res, err)
		}
	}
}
