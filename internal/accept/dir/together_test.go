package dir_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// Conversations that edit lines of their own in one file are done at the first call, lose nothing, and do not overtake
// one another again and again.
func TestConversationsOnOneFileTakeTurns(t *testing.T) {
	const conversations, edits = 8, 25
	dir, err := atomicedit.OpenDir(t.TempDir(), nil)
	if err != nil {
		t.Skip(err)
	}
	defer dir.Close()
	line := func(c, n int) string { return fmt.Sprintf("# conversation %d\ncount = %d\n\n", c, n) }
	text := func(n int) string {
		var b strings.Builder
		for c := range conversations {
			b.WriteString(line(c, n))
		}
		return b.String()
	}
	create := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: text(0)}}}
	if _, err := atomicedit.Run(t.Context(), dir, create, nil); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var done atomic.Int64
	for c := range conversations {
		all.Go(func() {
			h := &atomicedit.Host{Store: atomicedit.NewSession(dir)}
			h.View(t.Context(), "f", 0, 0)
			for n := range edits {
				before := done.Load()
				e := atomicedit.Edit{Old: line(c, n), New: line(c, n+1)}
				a, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f",
					Edits: []atomicedit.Edit{e}}}})
				if err != nil {
					t.Errorf("conversation %d, edit %d: %s", c, n, a.Text)
					return
				}
				if others := done.Add(1) - before; others > 5*conversations {
					t.Errorf("conversation %d, edit %d: %d edits of others were done in the meantime", c, n, others)
				}
			}
		})
	}
	all.Wait()
	f, err := dir.Read(t.Context(), "f")
	if err != nil || string(f.Data) != text(edits) {
		t.Errorf("error %v: %s", err, f.Data)
	}
}
