package speed

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"github.com/atomicedit/atomicedit"
)

// carried carries an edit over to a file that has changed since it was read. The floor is the same edit of a file that
// has not.
func carried(t Text, lines int) Job {
	s := newSource(t(lines, 0))
	first := s.unique(lines/2, 9, changeable)
	old := s.lines(first, 9)
	at := s.starts[10]
	changed := append(append(bytes.Clone(s.text[:at]), "somebody's line\n"...), s.text[at:]...)
	prepare := func(now []byte) func(Input) {
		session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": string(now)}))
		session.MarkReadText("f", s.text, 0, 0)
		plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f",
			Edits: []atomicedit.Edit{{Old: old, New: change(old), WholeLines: true}}}}}
		return func(Input) {
			if _, err := atomicedit.Prepare(context.Background(), session, plan, nil); err != nil {
				panic(fmt.Sprint("not what was expected: ", err))
			}
		}
	}
	return Job{Input: Input{Old: s.text}, Ours: prepare(changed), Floor: prepare(s.text)}
}

// SessionMemory returns how many bytes a Session holds that has read some files of a size.
func SessionMemory(files, size int) int64 {
	text := bytes.Repeat([]byte("a line of thirty-two characters\n"), size/32)
	var before, after runtime.MemStats
	session := atomicedit.NewSession(&atomicedit.Mem{})
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range files {
		own := append([]byte(fmt.Sprintln("file", i)), text...)
		session.MarkReadText(fmt.Sprint("file", i), own, 0, 0)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(session)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}
