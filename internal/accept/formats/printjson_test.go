package formats_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// Every field of every plan is in its JSON, whether the plan makes sense or not.
func TestAPlanIsPrintedAsJSONAndReadBack(t *testing.T) {
	plans := rapid.Make[atomicedit.Plan]()
	rapid.Check(t, func(t *rapid.T) {
		p := plans.Draw(t, "plan")
		for i := range p.Ops {
			p.Ops[i].Kind = atomicedit.OpKind(uint(p.Ops[i].Kind) % 4)
		}
		if len(p.Ops) == 0 {
			p.Ops = []atomicedit.Op{{}}
		}
		text, err := p.JSON()
		if err != nil {
			t.Fatal(err)
		}
		indented := func(text string) string {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			again, _ := json.MarshalIndent(v, "", "  ") // also in another order
			return string(again)
		}
		for _, text := range []string{text, indented(text)} {
			got, err := atomicedit.Parse(text)
			if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Fatalf("%v, printed and read (-before +after):\n%s\n%s", err, diff, text)
			}
		}
	})
}

func TestWhatJSONCannotSayIsRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		plan atomicedit.Plan
		want string
	}{
		"nothing": {atomicedit.Plan{DryRun: true}, "a plan without operations"},
		"an unknown kind": {atomicedit.Plan{Ops: []atomicedit.Op{{Kind: 4, Path: "f"}}},
			"an operation of unknown kind"},
		"a path": {accepttest.OneEdit("\xff", accepttest.Lines("a", "b")), "bytes that are not UTF-8, in path"},
		"new text": {accepttest.OneEdit("f", accepttest.Lines("a", "\xff")),
			"edit 1: JSON cannot express bytes that are not UTF-8, in new"},
		"an anchor": {accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b", Anchors: []string{"x", "\xff"}}),
			"in anchors"},
		"a format": {atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f"}}, Format: "\xff"}, "in format"},
	} {
		text, err := tt.plan.JSON()
		if text != "" || !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %q, %v; want %q", name, text, err, tt.want)
		}
	}
}

// What is not a plan, to the letter, is a call of a tool, or is refused: a plan is not guessed.
func TestWhatIsNotAPlanIsNotReadAsOne(t *testing.T) {
	for _, request := range []string{
		`{"ops":[]}`, `{"ops":{}}`, `{"ops":[{"kind":"rewrite","path":"f"}]}`,
		`{"ops":[{"kind":"edit","path":"f","edits":[{"old":"a","New":"b","regex":true}]}]}`,
		`{"ops":[{"kind":"edit","path":"f","edits":[{"old":"a","old":"b"}]}]}`,
		`{"ops":[{"kind":"create","path":"f","content":"\ud83d"}]}`,
		`{"ops":[{"kind":"create","path":"f","mode":"x"}]}`, `{"ops":[{"kind":"delete","path":"f"}],"ops":[]}`,
		`{"ops":[{"kind":"delete","path":"f"}],"dry_run":1}`,
	} {
		p, err := atomicedit.ParseJSON([]byte(request))
		if err == nil {
			t.Errorf("%s is read as %+v", request, p)
		}
	}
}
