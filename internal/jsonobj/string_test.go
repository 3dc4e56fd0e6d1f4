package jsonobj_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// FuzzText reads strings as encoding/json does.
func FuzzText(f *testing.F) {
	for _, s := range []string{`"a"`, `""`, ` "\"\\\/\b\f\n\r\t" `, `"\u00e9\uD83D\uDE00é\u0000"`,
		`"\ud83dx\ude00\ud83d\ud83d\ude00\ud83d\n"`, `"\\"`, `"\\\""`, `["\\", "]\"", {"\"}": 1}]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, document string) {
		v, err := jsonobj.ParseValue([]byte(document), 0)
		if (err == nil) != json.Valid([]byte(document)) {
			t.Fatalf("%q: %v", document, err)
		}
		d := json.NewDecoder(strings.NewReader(document))
		d.UseNumber()
		var whole any
		if err == nil && d.Decode(&whole) == nil {
			checkValue(t, v, whole)
		}
	})
}

// checkValue compares v with what encoding/json reads.
func checkValue(t *testing.T, v jsonobj.Value, want any) {
	t.Helper()
	switch want := want.(type) {
	case string:
		if got, err := v.Text(); err != nil || string([]rune(got)) != want {
			t.Fatalf("%q: got %q, %v; want %q", v.Raw, got, err, want)
		}
	case []any:
		elems, err := v.Array("it")
		if err != nil || len(elems) != len(want) {
			t.Fatalf("%q: got %d elements, %v; want %d", v.Raw, len(elems), err, len(want))
		}
		for i, e := range elems {
			checkValue(t, e, want[i])
		}
	case map[string]any:
		o, err := v.Object("it")
		if err != nil || len(o.Names) != len(want) {
			return // a field twice
		}
		for _, name := range o.Names {
			field := o.Value(name)
			checkValue(t, field, want[string([]rune(name))])
		}
	}
}
