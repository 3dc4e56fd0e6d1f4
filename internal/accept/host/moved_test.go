package host_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// Numbers that a refusal shows are for the edit that it refuses: another one may have been sent together with it.
func TestNumbersInARefusalCountForItsEditAlone(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n5\n6\n7\n8\n"})
	session := atomicedit.NewSession(store)
	host := &atomicedit.Host{Store: session}
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	call := func(refused bool, from, to int, content string) {
		t.Helper()
		edit := accepttest.Object{"from": from, "to": to, "content": content}
		call := accepttest.Args(accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}})
		answer, err := host.Call(t.Context(), "text_editor", []byte(call))
		if (err != nil) != refused {
			t.Errorf("%s: %v\n%s", call, err, answer.Text)
		}
	}
	call(false, 1, 0, "0\n")
	call(true, 5, 5, "five\n") // it may be at 5 or at 6
	call(true, 6, 6, "six\n")
	call(true, 6, 6, "other\n")
	call(false, 6, 6, "five\n")
	call(false, 7, 7, "six\n")
	call(true, 8, 8, "five\n")
	if got, want := store.Files()["f"], "0\n1\n2\n3\n4\nfive\nsix\n7\n8\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALineThatOthersHaveCutOff(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n"})
	session := atomicedit.NewSession(store)
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	others := &atomicedit.Host{Store: store}
	accepttest.Must(others.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "1\n2\n3\n4\n", "0\n1\n")}}))
	const call = `{"action": "patch", "path": "f", "edits": [{"from": 4, "to": 4, "content": "x\n"}]}`
	answer, err := (&atomicedit.Host{Store: session}).Call(t.Context(), "text_editor", []byte(call))
	if err == nil || !strings.Contains(answer.Text, "is gone. At line 4 there is now:\nnothing\n") {
		t.Errorf("%v\n%s", err, answer.Text)
	}
}
