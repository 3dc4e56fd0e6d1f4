package call

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// Print prints a plan as [Plan.JSON] does.
func Print(p plan.Plan) (string, error) {
	w := plan.Printer{Format: "JSON", Op: -1, Edit: -1}
	if len(p.Ops) == 0 {
		w.Cannot("a plan without operations")
	}
	checkStrings(&w, plan.Plan{Format: p.Format})
	for i, op := range p.Ops {
		w.Op, w.Path, w.Edit = i, op.Path, -1
		if op.Kind < plan.OpEdit || op.Kind > plan.OpMove {
			w.Cannot("an operation of unknown kind")
		}
		edits := op.Edits
		op.Edits = nil
		checkStrings(&w, op)
		for k, e := range edits {
			w.Edit = k
			checkStrings(&w, e)
		}
	}
	if len(w.Problems) > 0 {
		return w.Result()
	}
	printed, err := json.Marshal(p)
	return string(printed), err
}

func checkStrings(w *plan.Printer, v any) {
	plan.EachString(reflect.ValueOf(v), "", func(name, value string) {
		if !utf8.ValidString(value) {
			w.Cannot("bytes that are not UTF-8, in " + name)
		}
	})
}

// isExact reports whether encoding/json reads all that v says: no field twice, and no half of a surrogate pair.
func isExact(v jsonobj.Value) bool {
	var inner []jsonobj.Value
	var err error
	switch v.Kind() {
	case '{':
		var o *jsonobj.Object
		if o, err = v.Object("an object"); err == nil {
			inner = o.Values
		}
	case '[':
		inner, err = v.Array("a list")
	case '"':
		_, err = v.TextOf("a text")
	}
	return err == nil && !slices.ContainsFunc(inner, func(v jsonobj.Value) bool { return !isExact(v) })
}

// readPlan reads what [Plan.JSON] prints. It reports false for an object that has another field or a field of another
// type, or an operation without its kind: that is a call of some tool, and its own reader has the words to refuse it.
func readPlan(v jsonobj.Value, o *jsonobj.Object) (p plan.Plan, ok bool) {
	ops, err := o.Value("ops").Array("ops")
	ofNoKind := func(v jsonobj.Value) bool {
		op, err := v.Object("an operation")
		return err != nil || !op.IsSet("kind")
	}
	in := json.NewDecoder(bytes.NewReader(v.Raw))
	in.DisallowUnknownFields()
	if err != nil || len(ops) == 0 || slices.ContainsFunc(ops, ofNoKind) || !isExact(v) || in.Decode(&p) != nil {
		return plan.Plan{}, false
	}
	for i, op := range p.Ops { // plans have no empty lists
		p.Ops[i].Edits = slices.Concat(op.Edits)
		for j, e := range op.Edits {
			p.Ops[i].Edits[j].Anchors, p.Ops[i].Edits[j].Tags = slices.Concat(e.Anchors), slices.Concat(e.Tags)
		}
	}
	return p, true
}
