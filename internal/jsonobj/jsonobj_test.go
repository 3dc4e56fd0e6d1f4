package jsonobj_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// parse reads a document that is an object.
func parse(document []byte, name string) (*jsonobj.Object, error) {
	v, err := jsonobj.Parse(document, name)
	if err != nil {
		return nil, err
	}
	return v.Object(name)
}

func TestParseTellsWhereJSONIsWrong(t *testing.T) {
	for document, want := range map[string]jsonobj.Error{
		`{"a": x}`:                 {Offset: 7, Msg: "invalid JSON: "},
		`{"a": 1} {}`:              {Offset: 10, Msg: "text after the JSON"},
		"{\"a\": \"x\ny\"}":        {Offset: 9, Msg: "expected it escaped"},
		`{"a": "\d"}`:              {Offset: 9, Msg: `expected \\ for a backslash`},
		" [1]":                     {Offset: 1, Msg: "the call is an array: expected an object"},
		`"a"`:                      {Msg: `the call is the string "a": expected an object`},
		`{"a": 1, "b": 2, "a": 3}`: {Offset: 17, Msg: `the call has the field "a" twice`},
		`{"a": 1, "\u0061": 2}`:    {Offset: 9, Msg: `the call has the field "a" twice`},
		"{\"a\": \"\xff\"}":        {Msg: "the call is not valid UTF-8"},
		"{}\xc3":                   {Msg: "the call is not valid UTF-8"},
		`{"a": [1, 2`:              {Offset: 11, Msg: "cut off", CutOff: true},
		`{"a": tr`:                 {Offset: 8, Msg: "cut off", CutOff: true},
		"{\"a\": \"\xc3":           {Offset: 7, Msg: "cut off", CutOff: true},
		"":                         {Msg: "cut off", CutOff: true},

		`{"a": "[", "b": ` + strings.Repeat("[", 64) + strings.Repeat("]", 64) +
			"}": {Offset: 79, Msg: "deeper than 64 levels"},
	} {
		_, err := parse([]byte(document), "the call")
		var got *jsonobj.Error
		if !errors.As(err, &got) || got.Offset != want.Offset || got.CutOff != want.CutOff ||
			!strings.Contains(got.Msg, want.Msg) {
			t.Errorf("%q: got %+v, want %+v", document, err, want)
		}
	}
}

func TestFieldsOfAnObject(t *testing.T) {
	o, err := parse([]byte(`{"text": "aé", "flag": true, "number": 0.2e1, "numbers": [1, -2.0], "null": null, "objects": [{"a": [{}]}, {"b": "}"}]}`), "it")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"text", "flag", "number", "numbers", "null", "objects"}; !slices.Equal(o.Names, want) {
		t.Errorf("names: got %q, want %q", o.Names, want)
	}
	for _, name := range append(o.Names, "none") {
		if o.Has(name) != (name != "none") || o.IsSet(name) != (name != "none" && name != "null") ||
			o.IsString(name) != (name == "text") {
			t.Errorf("%s: Has %v, IsSet %v, IsString %v", name, o.Has(name), o.IsSet(name), o.IsString(name))
		}
		text, err := o.Text(name)
		if want := map[string]string{"text": "aé"}[name]; text != want ||
			(err == nil) != (want != "" || !o.IsSet(name)) {
			t.Errorf("%s: Text %q, %v", name, text, err)
		}
		flag, err := o.Value(name).BoolOf(name)
		if want := name == "flag"; flag != want || (err == nil) != (want || !o.IsSet(name)) {
			t.Errorf("%s: Bool %v, %v", name, flag, err)
		}
		number, err := o.Value(name).IntOf(name, 2)
		if want := map[string]int{"number": 2}[name]; number != want || (err == nil) != (want != 0 || !o.IsSet(name)) {
			t.Errorf("%s: Int %d, %v", name, number, err)
		}
		numbers, err := o.Ints(name)
		if want := map[string][]int{"numbers": {1, -2}}[name]; !slices.Equal(numbers, want) ||
			(err == nil) != (want != nil || !o.IsSet(name)) {
			t.Errorf("%s: Ints %v, %v", name, numbers, err)
		}
	}
	if _, err := o.Value("number").IntOf("number", 3); err == nil ||
		err.Error() != `the field "number" is 0.2e1: expected a whole number of at least 3` {
		t.Errorf("too small a number: %v", err)
	}
	v := o.Value("objects")
	elems, err := v.Array("objects")
	if err != nil || len(elems) != 2 {
		t.Fatal(elems, err)
	}
	second, err := elems[1].Object("objects[1]")
	if err != nil || second.Offset != strings.Index(`{"text": "aé", "flag": true, "number": 0.2e1, "numbers": [1, -2.0], "null": null, "objects": [{"a": [{}]}, {"b": "}"}]}`, `{"b"`) {
		t.Errorf("the second object: %+v, %v", second, err)
	}
}

func TestHalfASurrogatePairIsAnError(t *testing.T) {
	for text, want := range map[string]bool{
		`"\ud83d\ude00"`: true, `"\ud83d"`: false, `"x\ude00"`: false, `"\ufffd"`: true, `"\uFFFD"`: true,
		"\"\uFFFD\"": true,
	} {
		o, err := parse([]byte(`{"a": `+text+`}`), "it")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Text("a"); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestClose(t *testing.T) {
	for document, want := range map[string]struct{ closed, last string }{
		`{"a": "x`:                        {`{"a": "x"}`, "a"},
		`{"a": "x\`:                       {`{"a": "x"}`, "a"},
		`{"a": "x\ud83d\ud`:               {`{"a": "x\ud83d"}`, "a"},
		"{\"a\": \"x\xc3":                 {`{"a": "x"}`, "a"},
		`{"a": "x"`:                       {`{"a": "x"}`, "a"},
		`{"a": [{"b": 1}, {"b": 2}, {"b"`: {`{"a": [{"b": 1}, {"b": 2}]}`, ""},
		`{"a": [{"b": 1}], "c": "x`:       {`{"a": [{"b": 1}], "c": "x"}`, "c"},
		`{"a": {"b": [[1], [2`:            {`{"a": {"b": [[1]]}}`, ""},
		`{"a": [{"b": "}`:                 {},
		`{"a": [{"b": 1}`:                 {`{"a": [{"b": 1}]}`, ""},
		`{"a": [{]`:                       {},
		`{"a": 1, "a": "x`:                {},
		`{"a"`:                            {},
		``:                                {},
	} {
		closed, last := jsonobj.Close([]byte(document))
		if string(closed.Raw) != want.closed || last != want.last {
			t.Errorf("%q: got %q, %q; want %q, %q", document, closed.Raw, last, want.closed, want.last)
		}
	}
}

// FuzzClose closes an object at every place where it may be cut off.
func FuzzClose(f *testing.F) {
	f.Add([]byte(`{"a": [{"b": "\ud83d\ude00"}, {"c": [1, 2]}], "d": {"e": "x"}, "f": "y"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := parse(data, "it")
		if err != nil {
			return
		}
		for i := range data[:min(len(data), 1000)] {
			v, last := jsonobj.Close(data[:i])
			if v.Kind() == 0 {
				continue
			}
			closed := v.Raw
			part, err := parse(closed, "it")
			if !json.Valid(closed) || err != nil {
				t.Fatalf("%q closed as %q: %v", data[:i], closed, err)
			}
			if last != "" && (part.Names[len(part.Names)-1] != last ||
				!slices.Equal(part.Names, o.Names[:len(part.Names)])) {
				t.Fatalf("%q closed as %q behind %q", data[:i], closed, last)
			}
		}
	})
}

// FuzzValid parses what is valid JSON, and nothing else. The tree has all that the JSON says.
func FuzzValid(f *testing.F) {
	f.Add([]byte(`{"a": [{"b": "\ud83d\ude00\\"}, {"c": [1, -2.5e3]}], "\u0064": {"e": true}, "f": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := jsonobj.ParseValue(data, 0)
		if isDeep := err != nil && strings.Contains(err.Error(), "nested deeper"); !isDeep &&
			json.Valid(data) != (err == nil) {
			t.Fatalf("%q: %v", data, err)
		}
		if err == nil {
			var want any
			if err := json.Unmarshal(data, &want); err == nil && !agrees(v, want) {
				t.Fatalf("%q: got %+v", data, v)
			}
		}
	})
}

// agrees reports whether a value is what encoding/json reads, but for fields that are there twice.
func agrees(v jsonobj.Value, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		o, err := v.Object("it")
		if err != nil {
			return true
		}
		for i, name := range o.Names {
			inner, ok := want[strings.ToValidUTF8(name, "\uFFFD")]
			if ok && !agrees(o.Values[i], inner) || !ok && utf8.ValidString(name) {
				return false
			}
		}
		return len(o.Names) == len(want) || !utf8.Valid(v.Raw)
	case []any:
		elems, err := v.Array("it")
		return err == nil && slices.EqualFunc(elems, want, agrees)
	case string:
		s, err := v.Text()
		return err == nil && (s == want || !utf8.Valid(v.Raw))
	}
	return json.Valid(v.Raw)
}

func TestMuchThatNobodyReads(t *testing.T) {
	document := []byte(`{"a": [` + strings.Repeat("{},", 1<<14) + `1]}`)
	most := float64(len(document)/32 + 100) // for 1 << 14 objects
	if n := testing.AllocsPerRun(2, func() { jsonobj.ParseValue(document, 0) }); n > most {
		t.Errorf("%v allocations for a list that nobody reads, at most %v", n, most)
	}
}

func TestNumberInString(t *testing.T) {
	o, err := jsonobj.Parse([]byte(`{"n": "12", "list": ["1", 2], "no": "1e1"}`), "it")
	if err != nil {
		t.Fatal(err)
	}
	fields, _ := o.Object("it")
	n, err := fields.Value("n").IntOf("n", 0)
	list, err2 := fields.Ints("list")
	if n != 12 || err != nil || err2 != nil || !slices.Equal(list, []int{1, 2}) {
		t.Errorf("got %d, %v, %v, %v", n, err, list, err2)
	}
	if _, err := fields.Value("no").IntOf("no", 0); err == nil {
		t.Error("1e1 in a string is a number")
	}
}
