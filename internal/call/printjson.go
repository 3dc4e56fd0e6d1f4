package call

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
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

// A vocabulary has the fields that an object may have, by their names in JSON, with those of the objects in them.
type vocabulary map[string]vocabulary

var planVocabulary = sync.OnceValue(func() vocabulary { return vocabularyOf(reflect.TypeFor[plan.Plan]()) })

func vocabularyOf(t reflect.Type) vocabulary {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	words := vocabulary{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		words[name] = vocabularyOf(f.Type)
	}
	return words
}

// covers reports whether all fields of the objects in v are known and occur once, and its strings have no half of a
// surrogate pair, which json.Unmarshal replaces.
func (words vocabulary) covers(v jsonobj.Value) bool {
	switch kind := v.Kind(); {
	case kind == '[':
		list, _ := v.Array("a list")
		return !slices.ContainsFunc(list, func(v jsonobj.Value) bool { return !words.covers(v) })
	case words == nil:
		_, err := v.TextOf("a text")
		return err == nil || kind != '"'
	}
	o, err := v.Object("an object")
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(o.Names, func(name string) bool {
		inner, ok := words[name]
		return !ok || !inner.covers(o.Value(name))
	})
}

// readPlan reads what [Plan.JSON] prints. It reports false for an object that has another field or a field of another
// type, or an operation without its kind: that is a call of some tool, and its own reader has the words to refuse it.
func readPlan(v jsonobj.Value, o *jsonobj.Object) (p plan.Plan, ok bool) {
	if !o.Has("ops") || !planVocabulary().covers(v) {
		return plan.Plan{}, false
	}
	ops, err := o.Value("ops").Array("ops")
	ofNoKind := func(v jsonobj.Value) bool {
		op, err := v.Object("an operation")
		return err != nil || !op.IsSet("kind")
	}
	if err != nil || len(ops) == 0 || slices.ContainsFunc(ops, ofNoKind) || json.Unmarshal(v.Raw, &p) != nil {
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
