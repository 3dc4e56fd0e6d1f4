package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// A call of another shape under the name of a tool that edits text cannot delete, move, create or overwrite a file.
func TestATextToolIsNotMadeToDoWhatAnotherIsFor(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		if tool.Name == "apply_patch" || tool.Name == "multi_edit_file" {
			continue // they are for files too
		}
		for _, args := range []string{
			`{"type": "delete", "path": "a"}`,
			`{"command": "delete", "path": "a"}`,
			`{"operations": [{"type": "delete", "path": "a"}]}`,
			`{"type": "move", "from": "a", "to": "b"}`,
			`{"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}`,
			`{"input": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch"}`,
			`{"path": "a", "content": "x"}`,
		} {
			if p, err := atomicedit.ParseCall(tool.Name, []byte(args)); err == nil {
				t.Errorf("%s %s: %+v", tool.Name, args, p.Ops)
			}
		}
	}
	p, err := atomicedit.ParseCall("multi_edit", []byte(`{"file_path": "a", "old_string": "x", "new_string": "y"}`))
	if err != nil || len(p.Ops) != 1 || p.Ops[0].Kind != atomicedit.OpEdit {
		t.Errorf("an edit of another shape: %+v, %v", p, err)
	}
}
