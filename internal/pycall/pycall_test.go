package pycall_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/pycall"
)

func TestBegins(t *testing.T) {
	for src, want := range map[string]bool{
		"[edit(path='a')]": true, "[ a.edit (\n path = 'a')]": true, "[edit()]": true,
		"": false, "[": false, "[edit]": false, "[edit('a')]": false, "[edit(a == b)]": false, "edit(path='a')": true,
		"edit()": false, "edit(a)": false, "[1(a=2)]": false, "[f(": false,
	} {
		if got := pycall.Begins(src); got != want {
			t.Errorf("%q: got %v", src, got)
		}
	}
}

// read returns the calls of a text as compact JSON, with their tools.
func read(t *testing.T, src string) (calls string, rest string, err error) {
	t.Helper()
	tools, arguments, end, err := pycall.Read(src, 0)
	if len(arguments) != len(tools) {
		t.Fatalf("%q: %d tools, and arguments for %d", src, len(tools), len(arguments))
	}
	var b strings.Builder
	for i, v := range arguments {
		b.WriteString(tools[i] + asJSON(t, v))
	}
	return b.String(), src[end:], err
}

// asJSON writes a value as compact JSON.
func asJSON(t interface{ Fatal(...any) }, v jsonobj.Value) string {
	var all []string
	switch v.Kind() {
	case '{':
		o, err := v.Object("it")
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range o.Names {
			all = append(all, asJSON(t, jsonobj.OfText(name, 0))+":"+asJSON(t, o.Values[i]))
		}
		return "{" + strings.Join(all, ",") + "}"
	case '[':
		values, err := v.Array("it")
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			all = append(all, asJSON(t, v))
		}
		return "[" + strings.Join(all, ",") + "]"
	case '"':
		s, err := v.Text()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		in := json.NewEncoder(&b)
		in.SetEscapeHTML(false)
		in.Encode(s)
		return strings.TrimSpace(b.String())
	}
	return string(v.Raw)
}

func TestRead(t *testing.T) {
	for src, want := range map[string]string{
		`[a(), b.c(x=1, y=-2.5e3,)] rest`:                          `a{}b.c{"x":1,"y":-2.5e3}`,
		`[a(x=True, y=False, z=None, v=[1, ["b"],], w={'k': 2,})]`: `a{"x":true,"y":false,"z":null,"v":[1,["b"]],"w":{"k":2}}`,
		`[a(x="b" 'c' r"\d", y=("e"))]`:                            `a{"x":"bc\\d","y":"e"}`,
		`[a(x='\n\t\\\'\"\x41\101\0\33[\u00e9\U0001F600\d\
b')]`: `a{"x":"\n\t\\'\"AA\u0000\u001b[é😀\\db"}`,
		"[a(x='''b\r\n\"c\n''')]": `a{"x":"b\n\"c\n"}`,
		`[a(x=R'\'', y=u"")]`:     `a{"x":"\\'","y":""}`,
	} {
		if got, rest, err := read(t, src); got != want || err != nil || strings.Trim(rest, " rest") != "" {
			t.Errorf("%s: got %s, %v, and %q; want %s", src, got, err, rest, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for src, want := range map[string]string{
		`[a(x=b)]`:          "expected a value",
		`[a(x=1.)]`:         "expected a value",
		`[a(x='b'+'c')]`:    "expected \",\"",
		`[a(x=f'b')]`:       "the prefix \"f\"",
		`[a(x=Rb'b')]`:      "the prefix \"Rb\"",
		`[a(b)]`:            "has no name",
		`[a(x=1) b()]`:      "expected \",\"",
		`[a(), 'b']`:        "the name of a tool",
		`[a(x={1: 2})]`:     "no string",
		`[a(x={'k', 2})]`:   "expected \":\"",
		`[a(x=(1, 2))]`:     "expected \")\"",
		"[a(x='b\nc')]":     "end of its line",
		`[a(x='\ud83d')]`:   "no character",
		`[a(x='\x4')]`:      "no character",
		`[a(x='\N{DASH}')]`: "by its name",
		"[a(x=" + strings.Repeat("[", 50) + strings.Repeat("]", 50) + ")]": "too deep",
	} {
		_, _, err := read(t, src)
		var bad *jsonobj.Error
		if !errors.As(err, &bad) || bad.CutOff || !strings.Contains(bad.Msg, want) {
			t.Errorf("%s: got %v, want %q", src, err, want)
		}
	}
}

// A list that ends too early has the calls that are complete, wherever it ends.
func TestReadOfAListThatWasCutOff(t *testing.T) {
	const first, second = `[a(x='b', y=[1])`, `, b(z="""c
\n""" 'd', v={'k': True})]`
	for at := 1; at < len(first+second); at++ {
		want := ""
		if at >= len(first) {
			want = `a{"x":"b","y":[1]}`
		}
		if at == len(first+second)-1 {
			want += `b{"z":"c\n\nd","v":{"k":true}}`
		}
		got, _, err := read(t, (first + second)[:at])
		var bad *jsonobj.Error
		if !errors.As(err, &bad) || !bad.CutOff || got != want {
			t.Errorf("%q: got %s, %v; want %s", (first + second)[:at], got, err, want)
		}
	}
}

// A value is known to be where it is in the text, and a text comes back whatever is in it.
func TestReadKeepsTextsAndOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "texts")
		var src strings.Builder
		src.WriteString(strings.Repeat("\n", rapid.IntRange(0, 2).Draw(t, "above")))
		begin := src.Len()
		src.WriteString("[a(")
		for i, text := range texts {
			src.WriteString(rapid.SampledFrom([]string{"", "\n", " \r\n\t"}).Draw(t, "space") + "x" + strconv.Itoa(i) +
				"=" + quoted(text, rapid.Bool().Draw(t, "long")) + ",")
		}
		src.WriteString(")]")
		_, arguments, end, err := pycall.Read(src.String(), begin)
		if err != nil || end != src.Len() {
			t.Fatalf("%q: %v, to %d", src.String(), err, end)
		}
		got, err := arguments[0].Object("it")
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			name := "x" + strconv.Itoa(i)
			is, _ := got.Text(name)
			if diff := cmp.Diff(text, is); diff != "" {
				t.Fatal(diff)
			}
			v := got.Value(name)
			if begin := strings.Index(src.String(), name+"=") + len(name+"="); v.Offset != begin {
				t.Fatalf("the value of %s is at %d of %q, and is said to be at %d", name, begin, src.String(), v.Offset)
			}
		}
	})
}

// quoted writes a text as a string of Python.
func quoted(s string, long bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\' || r == '\'' || r == '\r' || r == '\n' && !long || r == '=':
			b.WriteString(`\x` + strconv.FormatInt(0x100+int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	if long {
		return "'''" + b.String() + "'''"
	}
	return "'" + b.String() + "'"
}

func FuzzRead(f *testing.F) {
	f.Add(`[a(x=True, y='''b\n''' r"c", z={'k': [1, (None)]}), b()]`)
	f.Fuzz(func(t *testing.T, src string) {
		tools, arguments, end, err := pycall.Read(src, 0)
		if len(arguments) != len(tools) || end < 0 || end > len(src) {
			t.Fatalf("%d tools and %d arguments to %d, %v", len(tools), len(arguments), end, err)
		}
		for _, v := range arguments {
			v.Object("it") // which may have a field twice
		}
	})
}
