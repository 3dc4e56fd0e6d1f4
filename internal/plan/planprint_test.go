package plan_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit/internal/plan"
)

// A field that no table names would be lost without a word.
func TestPrintersKnowEveryField(t *testing.T) {
	for _, tt := range []struct {
		of    reflect.Type
		parts []plan.Part
		apart []string // what reading back compares in its own way, or does not promise
	}{
		{reflect.TypeFor[plan.Op](), plan.OpParts, []string{"Edits"}},
		{reflect.TypeFor[plan.Edit](), plan.EditParts, []string{"Number"}},
	} {
		var fields []string
		for _, p := range tt.parts {
			fields = append(fields, p.Field)
		}
		want := slices.Sorted(slices.Values(append(fields, tt.apart...)))
		fields = nil
		for _, f := range reflect.VisibleFields(tt.of) {
			fields = append(fields, f.Name)
		}
		if slices.Sort(fields); !slices.Equal(fields, want) {
			t.Errorf("%v has the fields %q, the table has %q", tt.of, fields, want)
		}
	}
}
