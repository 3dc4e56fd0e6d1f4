package formats_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

// rangeJSON returns a range of the protocol.
func rangeJSON(line, character, endLine, endCharacter int) string {
	return fmt.Sprintf(`{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}`, line, character,
		endLine, endCharacter)
}

// textEditJSON returns a TextEdit that replaces the first character of line 2.
func textEditJSON(more string) string {
	return `{"range":` + rangeJSON(1, 0, 1, 1) + `,"newText":"B"` + more + `}`
}

func TestParseLSP(t *testing.T) {
	b := accepttest.Ranged(2, 0, 2, 1, "B")
	list := "[" + textEditJSON("") + "]"
	for name, c := range map[string]struct {
		request string
		ops     []atomicedit.Op
	}{
		"a list of edits": {
			`[{"range":` + rangeJSON(0, 0, 0, 0) + `,"newText":"a\n"},` + textEditJSON(`,"insertTextFormat":1`) + `]`,
			[]atomicedit.Op{accepttest.Edit("", accepttest.Ranged(1, 0, 1, 0, "a\n"), b)},
		},
		"one edit": {textEditJSON(""), []atomicedit.Op{accepttest.Edit("", b)}},
		"changes": {
			`{"changes":{"file:///w/b":` + list + `,"file:///w/a%20b%3F":` + list + `,"file:///w/c":[]}}`,
			[]atomicedit.Op{accepttest.Edit("/w/b", b), accepttest.Edit("/w/a b?", b)},
		},
		"document changes, which count more than changes": {
			`{"changes":{},"documentChanges":[{"textDocument":{"uri":"file:///w/a","version":3},"edits":` + list +
				`}]}`,
			[]atomicedit.Op{accepttest.Edit("/w/a", b)},
		},
		"an annotation": {
			`{"documentChanges":[{"textDocument":{"uri":"a"},"edits":[` + textEditJSON(`,"annotationId":"r"`) +
				`]}],"changeAnnotations":{"r":{"label":"rename","needsConfirmation":false}}}`,
			[]atomicedit.Op{accepttest.Edit("a", b)},
		},
		"file operations": {
			`{"documentChanges":[{"kind":"create","uri":"file:///w/a"},{"kind":"create","uri":"b","options":{"overwrite":true,"ignoreIfExists":true}},
				{"kind":"rename","oldUri":"c","newUri":"d","options":{"overwrite":true}},{"kind":"delete","uri":"e","options":{"recursive":true,"ignoreIfNotExists":true}}]}`,
			[]atomicedit.Op{accepttest.Create("/w/a", ""), accepttest.Over(accepttest.Create("b", "")),
				accepttest.Over(accepttest.Move("c", "d")), accepttest.Remove("e")},
		},
		"edits before and after a rename": {
			`{"documentChanges":[{"textDocument":{"uri":"a"},"edits":` + list +
				`},{"kind":"rename","oldUri":"a","newUri":"b"},{"textDocument":{"uri":"b"},"edits":` + list + `}]}`,
			[]atomicedit.Op{accepttest.Edit("a", b), accepttest.Move("a", "b"), accepttest.Edit("b", b)},
		},
		"edits before and after a new file takes the place": {
			`{"documentChanges":[{"textDocument":{"uri":"a"},"edits":` + list +
				`},{"kind":"create","uri":"a","options":{"overwrite":true}},{"textDocument":{"uri":"a"},"edits":` +
				list + `}]}`,
			[]atomicedit.Op{accepttest.Edit("a", b), accepttest.Over(accepttest.Create("a", "")),
				accepttest.Edit("a", b)},
		},
		"URIs": {
			`{"documentChanges":[{"kind":"delete","uri":"file:///c%3A/a"},{"kind":"delete","uri":"file:///C:/a"},{"kind":"delete","uri":"FILE://localhost/a"},
				{"kind":"delete","uri":"file:/a"},{"kind":"delete","uri":"file:///%C3%A9%25"},{"kind":"delete","uri":"a%3Ab/c"}]}`,
			[]atomicedit.Op{accepttest.Remove("c:/a"), accepttest.Remove("C:/a"), accepttest.Remove("/a"),
				accepttest.Remove("/a"), accepttest.Remove("/é%"), accepttest.Remove("a:b/c")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := atomicedit.ParseLSP([]byte(c.request))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(atomicedit.Plan{Ops: c.ops, Format: "lsp"}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			accepttest.CheckParsed(t, c.request, got, err)
			for where, request := range map[string]string{"alone": c.request,
				"in a fence": "```json\n" + c.request + "\n```\n"} {
				if p, err := atomicedit.Parse(request); err != nil || !cmp.Equal(p, got) {
					t.Errorf("Parse, %s: %+v, error %v", where, p, err)
				}
			}
		})
	}
}

// A call of a tool may have fields of the same names.
func TestParseTakesNoCallForLSP(t *testing.T) {
	for _, request := range []string{
		`{"changes":{"a":"x\n"}}`, `{"changes":[{"path":"a"}]}`, `{"changes":{}}`, `{"changes":null}`, `[]`, `[1]`,
		`[{"range":[1,2],"text":"x"}]`,
		`{"documentChanges":null}`, `{"file_path":"a","new_text":"x"}`,
	} {
		_, err := atomicedit.Parse(request)
		_, inLSP := atomicedit.ParseLSP([]byte(request))
		if err == nil || err.Error() == inLSP.Error() {
			t.Errorf("%s: %v", request, err)
		}
	}
}

func TestParseLSPRefuses(t *testing.T) {
	list := "[" + textEditJSON("") + "]"
	annotated := func(annotation string) string {
		return `{"documentChanges":[{"textDocument":{"uri":"a"},"edits":[` + textEditJSON(`,"annotationId":"r"`) +
			`]}],"changeAnnotations":{` + annotation + `}}`
	}
	remove := func(uri string) string { return `{"documentChanges":[{"kind":"delete","uri":` + uri + `}]}` }
	for _, c := range []struct {
		request string
		err     error
		msg     string
	}{
		{`[]`, atomicedit.ErrNoChange, "changes nothing"},
		{`null`, atomicedit.ErrSyntax, "expected an object"},
		{`{"changes":{"file:///a":[]}}`, atomicedit.ErrNoChange, "changes nothing"},
		{`{"documentChanges":[]}`, atomicedit.ErrNoChange, "changes nothing"},
		{`{}`, atomicedit.ErrSyntax, "has no field documentChanges or changes"},
		{`{"edit":{}}`, atomicedit.ErrSyntax, "has no field documentChanges or changes"},
		{`{"changes":{},"edit":{}}`, atomicedit.ErrSyntax, `unknown field "edit"`},
		{`[{"range":` + rangeJSON(1, 0, 1, 1), io.ErrUnexpectedEOF, "cut off"},
		{"[\xff]", atomicedit.ErrSyntax, "UTF-8"},
		{`[1]`, atomicedit.ErrSyntax, "edits[0] is 1: expected an object"},
		{`[{"newText":"x"}]`, atomicedit.ErrSyntax, `edits[0]: the field "range" is missing`},
		{`[{"range":{"start":{"line":0}},"newText":"x"}]`, atomicedit.ErrSyntax, `"character" is missing`},
		{`[{"range":` + rangeJSON(0, -1, 0, 0) + `,"newText":"x"}]`, atomicedit.ErrSyntax, "at least 0"},
		{`[{"range":` + rangeJSON(0, 0, 0, 0) + `}]`, atomicedit.ErrSyntax, `"newText" is missing`},
		{`[` + textEditJSON(`,"newTextFormat":2`) + `]`, atomicedit.ErrSyntax, `unknown field "newTextFormat"`},
		{`[` + textEditJSON(`,"insertTextFormat":2`) + `]`, atomicedit.ErrSyntax, "snippet"},
		{`[{"range":` + rangeJSON(0, 0, 0, 0) + `,"snippet":{"kind":"snippet","value":"${1:name}"}}]`,
			atomicedit.ErrSyntax, "snippet"},
		{annotated(`"r":{"label":"x","needsConfirmation":true}`), atomicedit.ErrSyntax, "ask the user"},
		{annotated(``), atomicedit.ErrSyntax, `changeAnnotations has no "r"`},
		{`{"documentChanges":[{"textDocument":{"uri":"a"},"edits":` + list + `},{"textDocument":{"uri":"a"},"edits":` +
			list + `}]}`, atomicedit.ErrSyntax, "put them into one list"},
		{`{"changes":{"file:///a%20b":` + list + `,"file:///a b":` + list + `}}`, atomicedit.ErrSyntax, "two lists"},
		{`{"documentChanges":[{"kind":"copy","uri":"a"}]}`, atomicedit.ErrSyntax, "expected create, rename or delete"},
		{`{"documentChanges":[{"kind":"create","uri":"a","options":{"overwite":true}}]}`, atomicedit.ErrSyntax,
			`unknown field "overwite"`},
		{`{"documentChanges":[{"kind":"rename","oldUri":"a","newUri":"b","options":{"ignoreIfExists":true}}]}`,
			atomicedit.ErrSyntax, "leave ignoreIfExists out"},
		{remove(`"untitled:Untitled-1"`), atomicedit.ErrSyntax, "names no file"},
		{remove(`"vscode-notebook-cell:/a#b"`), atomicedit.ErrSyntax, "names no file"},
		{remove(`"file://server/share/a"`), atomicedit.ErrSyntax, "another machine"},
		{remove(`"file:///a?b"`), atomicedit.ErrSyntax, "%3F"},
		{remove(`"file:///a#b"`), atomicedit.ErrSyntax, "%23"},
		{remove(`"file:///%zz"`), atomicedit.ErrSyntax, "percent-encoded"},
		{remove(`"file:a"`), atomicedit.ErrSyntax, "no path"},
		{remove(`""`), atomicedit.ErrSyntax, "no path"},
		{remove(`null`), atomicedit.ErrSyntax, `"uri" is null`},
	} {
		p, err := atomicedit.ParseLSP([]byte(c.request))
		if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.msg) {
			t.Errorf("%s\ngot %+v, error %v\nwant %v, %s", c.request, p, err, c.err, c.msg)
		}
		accepttest.CheckParsed(t, c.request, p, err)
	}
}

// What the options of a file operation ask for is done, or refused when the plan is prepared.
func TestLSPFileOperations(t *testing.T) {
	files := map[string]string{"a": "x\n", "empty": "", "dir/b": "y\n"}
	for request, c := range map[string]struct {
		after map[string]string
		err   error
	}{
		`{"kind":"create","uri":"a"}`:                                                  {err: fs.ErrExist},
		`{"kind":"create","uri":"a","options":{"ignoreIfExists":true}}`:                {err: fs.ErrExist},
		`{"kind":"create","uri":"a","options":{"overwrite":true}}`:                     {after: map[string]string{"a": "", "empty": "", "dir/b": "y\n"}},
		`{"kind":"create","uri":"new","options":{"ignoreIfExists":true}}`:              {after: map[string]string{"a": "x\n", "empty": "", "dir/b": "y\n", "new": ""}},
		`{"kind":"rename","oldUri":"a","newUri":"dir/b"}`:                              {err: fs.ErrExist},
		`{"kind":"rename","oldUri":"a","newUri":"dir/b","options":{"overwrite":true}}`: {after: map[string]string{"empty": "", "dir/b": "x\n"}},
		`{"kind":"delete","uri":"dir","options":{"recursive":true}}`:                   {err: fs.ErrInvalid},
		`{"kind":"delete","uri":"none","options":{"ignoreIfNotExists":true}}`:          {err: fs.ErrNotExist},
	} {
		store := atomicedit.NewMem(files)
		p, err := atomicedit.ParseLSP([]byte(`{"documentChanges":[` + request + `]}`))
		if err == nil {
			_, err = atomicedit.Run(t.Context(), store, p, nil)
		}
		if c.after == nil {
			c.after = files
		}
		if diff := cmp.Diff(c.after, store.Files()); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: error %v, want %v; files (-want +got):\n%s", request, err, c.err, diff)
		}
	}
}

func TestLSP(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"sub dir/a": "one\ntwö 𝒳 two\nthree", "b": "b\n", "c": "c\nd\n"})
	p := atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edit("sub dir/a", atomicedit.Edit{Old: "𝒳 two\nthree", New: "𝒳 2\nthree\n"}), accepttest.Remove("b"),
		accepttest.Create("new", "<n>\r\n"),
		{Kind: atomicedit.OpMove, Path: "c", To: "e", Edits: []atomicedit.Edit{{Old: "d", New: "D"}}},
	}}
	tr, err := atomicedit.Prepare(t.Context(), store, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := atomicedit.LSP(tr.Changes())
	if err != nil {
		t.Fatal(err)
	}
	document := func(uri, edits string) string {
		return `{"textDocument":{"uri":"` + uri + `","version":null},"edits":[` + edits + `]}`
	}
	want := `{"documentChanges":[` + strings.Join([]string{
		document("sub%20dir/a", `{"range":`+rangeJSON(1, 7, 2, 5)+`,"newText":"2\nthree\n"}`),
		`{"kind":"delete","uri":"b"}`,
		`{"kind":"create","uri":"new"}`,
		document("new", `{"range":`+rangeJSON(0, 0, 0, 0)+`,"newText":"<n>\r\n"}`),
		`{"kind":"rename","oldUri":"c","newUri":"e"}`,
		document("e", `{"range":`+rangeJSON(1, 0, 1, 1)+`,"newText":"D"}`),
	}, ",") + `]}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

func TestLSPNamesFilesByURIs(t *testing.T) {
	for path, want := range map[string]string{
		"a":        "a",
		"/w/a b":   "file:///w/a%20b",
		"c:/a":     "file:///c%3A/a",
		"a:b":      "a%3Ab",
		"é%?#":     "%C3%A9%25%3F%23",
		"d/x\\y":   "d/x%5Cy",
		"file:/a":  "file%3A/a",
		"//host/a": "file:////host/a",
	} {
		data, err := atomicedit.LSP([]atomicedit.Change{{Path: path, Before: &atomicedit.File{}}})
		if want := `{"documentChanges":[{"kind":"delete","uri":"` + want + `"}]}`; err != nil || string(data) != want {
			t.Errorf("%q: got %s, error %v\nwant %s", path, data, err, want)
		}
		p, err := atomicedit.ParseLSP(data)
		if err != nil || p.Ops[0].Path != path {
			t.Errorf("%q: read as %+v, error %v", path, p, err)
		}
	}
}

func TestLSPRefusesWhatAnEditorCannotBeTold(t *testing.T) {
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte("a\n"))
	if err != nil {
		t.Fatal(err)
	}
	file := func(data string) *atomicedit.File { return &atomicedit.File{Data: []byte(data)} }
	for name, c := range map[string]atomicedit.Change{
		"a text that is not UTF-8":  {Path: "a", After: file("\xff\n")},
		"a text in UTF-16":          {Path: "a", Before: file("a\n"), After: file(string(wide))},
		"a binary file":             {Path: "a", Before: file("a\n"), After: file("\x00")},
		"a new file to be executed": {Path: "a", After: &atomicedit.File{Mode: 0o755}},
		"other permissions": {Path: "a", Before: &atomicedit.File{Mode: 0o644},
			After: &atomicedit.File{Mode: 0o600, Data: []byte("x")}},
		"no path": {After: file("x")},
	} {
		if data, err := atomicedit.LSP([]atomicedit.Change{c}); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %s, error %v", name, data, err)
		}
	}
}

// What LSP prints leads from the files before to the files after, whatever has changed.
func TestLSPRoundTrip(t *testing.T) {
	alphabet := rapid.SampledFrom([]string{"a", "é", "𝒳", " ", "\n", "\n", "\r\n", "\r\n", "\r"})
	content := rapid.Custom(func(t *rapid.T) string {
		mark := rapid.SampledFrom([]string{"", "", "", "\ufeff"}).Draw(t, "mark")
		return mark + strings.Join(rapid.SliceOfN(alphabet, 0, 20).Draw(t, "text"), "")
	})
	alike := func(t *rapid.T, s string) string { // as is likely for a change
		from := rapid.IntRange(0, len(s)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(s), from+4)).Draw(t, "to")
		return strings.ToValidUTF8(s[:from]+alphabet.Draw(t, "new")+s[to:], "")
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after := map[string]string{}, map[string]string{}
		var changes []atomicedit.Change
		for _, path := range []string{"a", "b:b", "c/c", "d e"} {
			c := atomicedit.Change{Path: path}
			if rapid.Bool().Draw(t, "before") {
				before[path] = content.Draw(t, "content")
				c.Before = &atomicedit.File{Data: []byte(before[path])}
			}
			switch rapid.IntRange(0, 2).Draw(t, "change") {
			case 0:
				after[path] = content.Draw(t, "content")
			case 1:
				after[path] = alike(t, before[path])
			case 2:
				if to := path + "2"; c.Before != nil && rapid.Bool().Draw(t, "moved") {
					after[to] = alike(t, before[path])
					changes = append(changes, atomicedit.Change{Path: to, From: path,
						After: &atomicedit.File{Data: []byte(after[to])}})
				}
			}
			if text, ok := after[path]; ok {
				c.After = &atomicedit.File{Data: []byte(text)}
			}
			changes = append(changes, c)
		}
		data, err := atomicedit.LSP(changes)
		if err != nil {
			t.Fatal(err)
		}
		store := atomicedit.NewMem(before)
		p, err := atomicedit.ParseLSP(data)
		if err == nil {
			_, err = atomicedit.Run(t.Context(), store, p, nil)
		}
		if err != nil && !(errors.Is(err, atomicedit.ErrNoChange) && maps.Equal(before, after)) {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(after, store.Files()); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, data)
		}
	})
}

func FuzzParseLSP(f *testing.F) {
	for _, s := range []string{
		"[" + textEditJSON("") + "]",
		`{"changes":{"file:///w/a":[` + textEditJSON(`,"annotationId":"r"`) + `]}}`,
		`{"documentChanges":[{"kind":"create","uri":"a"},{"textDocument":{"uri":"a","version":null},"edits":[` +
			textEditJSON("") + `]}],"changeAnnotations":{"r":{"label":"x"}}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, request string) {
		p, err := atomicedit.ParseLSP([]byte(request))
		if err == nil && !json.Valid([]byte(request)) {
			t.Fatalf("read, though it is no JSON: %+v", p)
		}
		for _, op := range p.Ops {
			if !accepttest.Sayable(reflect.ValueOf(op)) {
				return // a path may be percent-encoded bytes
			}
		}
		accepttest.CheckParsed(t, request, p, err)
	})
}

// Two spellings of a path are one document, whose edits must be in one list.
func TestLSPTwoSpellingsOfOneDocument(t *testing.T) {
	const edits = `[{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"newText":""}]`
	for _, request := range []string{
		`{"changes":{"b.txt":` + edits + `,"./b.txt":` + edits + `}}`,
		`{"documentChanges":[{"textDocument":{"uri":"b.txt"},"edits":` + edits +
			`},{"textDocument":{"uri":"./b.txt"},"edits":` + edits + `}]}`,
	} {
		if p, err := atomicedit.ParseLSP([]byte(request)); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("got %v, %v, want ErrSyntax", p, err)
		}
	}
}
