package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/tagcall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A tagStream tells the calls in tags that are complete.
type tagStream struct {
	tags    *tagcall.Stream
	reader  *jsonRequest // without the request, whose lines only errors need
	calls   *callJoiner
	numbers editNumbers
	told    []int // how many edits of each op are told

	renumbered bool // the first call has other numbers where it is not the only one
	stopped    bool // nothing more is told before the end
}

func newTagStream() *tagStream {
	return &tagStream{tags: tagcall.NewStream(tagKind), reader: newJSONReader(nil), calls: newCallJoiner(), numbers: editNumbers{}}
}

// readLines reads the lines of src that follow those already read.
func (t *tagStream) readLines(src string) error {
	if t.stopped || strings.HasPrefix(src, text.ByteOrderMark) { // which Parse takes off
		return nil
	}
	for _, c := range t.tags.Read(src) {
		p, err := readTagCall(t.reader, c, Parse)
		if err != nil {
			_, err = readTagCall(newJSONReader([]byte(src)), c, Parse) // for the lines in its messages
			return err
		}
		if err := t.calls.add(p); err != nil {
			return err
		}
		if t.tell(); t.stopped {
			break
		}
	}
	return nil
}

// tell tells the call that was added last. Behind an op with edits, nothing more is told: a call with line numbers may yet join that op.
func (t *tagStream) tell() {
	ops := t.calls.plan.Ops
	last := max(len(t.told)-1, 0)
	for i := last; i < len(ops); i++ {
		if i > last && ops[i-1].mayBeJoined() {
			t.calls.plan.Ops, t.stopped = ops[:i], true
			return
		}
		if i == len(t.told) {
			t.told = append(t.told, 0)
		}
		for ; t.told[i] < len(ops[i].Edits); t.told[i]++ {
			e := &ops[i].Edits[t.told[i]]
			number := t.numbers.next(ops[i].Path, t.told[i])
			t.renumbered = t.renumbered || t.calls.calls == 1 && e.Number != number
			e.Number = number
		}
	}
}

// complete returns the calls that are complete. The words of their format may not be those of the next one.
func (t *tagStream) complete() Plan {
	p := t.calls.plan
	if t.calls.calls == 1 && t.renumbered {
		return Plan{}
	}
	if p.Format != "json" {
		p.Format = ""
	}
	return p
}
