package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestEditsByTagsInJSON(t *testing.T) {
	tag := func(line int, hash, text string) atomicedit.Tag {
		return atomicedit.Tag{Line: line, Hash: hash, Text: text}
	}
	for name, c := range map[string]struct {
		edits string
		want  []atomicedit.Edit
	}{
		"a line": {`{"op":"replace","pos":"2#JB","lines":["b","c"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 2, "b\nc\n"), tag(2, "JB", ""))}},
		"lines": {`{"op":"replace","pos":"2#JB","end":"4#TT","lines":["b"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 4, "b\n"), tag(2, "JB", ""), tag(4, "TT", ""))}},
		"with their text": {`{"op":"replace","pos":"  2#JB:beta","end":"4#TT| delta","lines":["b"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 4, "b\n"), tag(2, "JB", "beta"),
				tag(4, "TT", " delta"))}},
		"as a view has it": {`{"op":"replace","pos":"     2#KZJB\tbeta","lines":["b"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 2, "b\n"), tag(2, "KZJB", "beta"))}},
		"lines in a string": {`{"op":"replace","pos":"2#JB","lines":"b\nc"}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 2, "b\nc\n"), tag(2, "JB", ""))}},
		"an empty line": {`{"op":"replace","pos":"2#JB","lines":[""]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 2, "\n"), tag(2, "JB", ""))}},
		"no lines": {`{"op":"replace","pos":"2#JB","lines":[ ]},{"op":"replace","pos":"4#TT","lines":null}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 2, ""), tag(2, "JB", "")),
				accepttest.Tagged(accepttest.LineEdit(4, 4, ""), tag(4, "TT", ""))}},
		"below a line": {`{"op":"append","pos":"2#JB","lines":["b"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(3, 0, "b\n"), tag(2, "JB", ""))}},
		"above a line": {`{"op":"prepend","pos":"2#JB","lines":["b"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 0, "b\n"), tag(2, "JB", ""))}},
		"the ends of a file": {`{"op":"append","lines":["z"]},{"op":"prepend","lines":["a"]}`,
			[]atomicedit.Edit{{New: "z\n", AtEnd: true, WholeLines: true}, accepttest.LineEdit(1, 0, "a\n")}},
		// which Prepare refuses
		"an unknown tag": {`{"op":"replace","pos":"2#a3","lines":["b"]}`,
			[]atomicedit.Edit{accepttest.Tagged(accepttest.LineEdit(2, 2, "b\n"), tag(2, "a3", ""))}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := atomicedit.ParseJSON([]byte(`{"path":"a","edits":[` + c.edits + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, p.Ops[0].Edits); diff != "" {
				t.Error(diff)
			}
		})
	}
}
