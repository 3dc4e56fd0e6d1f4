package atomicedit

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/plan"
)

// Each public type of a plan has the fields of its mirror in internal/plan, and all of them survive the door in both directions.
func TestMirroredTypes(t *testing.T) {
	for _, pair := range [][2]any{
		{Plan{}, plan.Plan{}}, {Op{}, plan.Op{}}, {Edit{}, plan.Edit{}}, {Range{}, plan.Range{}}, {Position{}, plan.Position{}}, {Tag{}, plan.Tag{}},
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
