package host_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// Of two equal lines beside one another, nothing in the text tells which one an edit has removed, so the number of the
// other may mean either. Lines that the conversation has added are where it wrote them.
func TestNumbersBesideAnEqualLine(t *testing.T) {
	type edit struct {
		from, to int
		content  string
		refused  bool
	}
	for _, tt := range []struct {
		name, file, want string
		edits            []edit
	}{
		{"an insertion by the number of the other", "a\nx\nx\nb\n", "a\nx\nb\n",
			[]edit{{from: 2, to: 2}, {from: 3, content: "new\n", refused: true}}},
		{"the other", "a\nx\nx\nb\n", "a\nx\nb\n",
			[]edit{{from: 3, to: 3}, {from: 2, to: 2, content: "y\n", refused: true}}},
		{"the line above them", "a\nx\nx\nb\n", "A\nx\nb\n",
			[]edit{{from: 2, to: 2}, {from: 1, to: 1, content: "A\n"}}},
		{"the line above an addition", "f {\n}\n\ng\n", "f {\n};\n\nh {\n}\n\ng\n",
			[]edit{{from: 3, content: "\nh {\n}\n"}, {from: 2, to: 2, content: "};\n"}}},
		{"an equal line added above", "a\nx\nb\n", "a\nx\nx\nb\n",
			[]edit{{from: 2, content: "x\n"}, {from: 2, to: 2, content: "y\n", refused: true}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": tt.file})
			session := atomicedit.NewSession(store)
			host := &atomicedit.Host{Store: session}
			accepttest.Must(session.View(t.Context(), "f", 0, 0))
			for _, e := range tt.edits {
				edit := accepttest.Object{"from": e.from, "to": e.to, "content": e.content}
				call := accepttest.Args(accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}})
				answer, err := host.Call(t.Context(), "text_editor", []byte(call))
				if (err != nil) != e.refused {
					t.Errorf("%s: %v\n%s", call, err, answer.Text)
				}
			}
			if got := store.Files()["f"]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
