package atomicedit

import "slices"

// A listStream tells the elements of a list in a call.
type listStream struct {
	begin    int // of the list; 0 if there is none yet
	first    int // the first element
	firstEnd int
	from     int // the first element that was not told
	end      int // behind the last complete element
	parsed   int // how many bytes were

	plan    Plan
	numOps  int // of the first element
	numOld  int // how many edits its last op has
	numbers editNumbers
	unnamed bool // the paths of the plan are not known before the end
	stopped bool // nothing more is told before the end
}

const (
	// freeParsing is how much a listStream parses element by element, in bytes, so that those of a short list are told at once.
	freeParsing = 1 << 16

	// leastParsing is how many bytes of the elements behind it are parsed together, because each parse has a cost of its own.
	leastParsing = 1 << 12
)

// add notes that an element is complete.
func (l *listStream) add(begin, end int) {
	if l.first == 0 {
		l.first, l.firstEnd = begin, end
	}
	if l.from == 0 {
		l.from = begin
	}
	l.end = end
}

// tell returns the plan of the elements that are complete. The error is one that makes the request hopeless.
func (l *listStream) tell(src string, parse func([]byte) (Plan, error)) (Plan, error) {
	if l.numbers == nil && l.first > 0 {
		l.tellFirst(src, parse)
	}
	if l.stopped || l.from == 0 || l.parsed > freeParsing && l.end-l.from < max(2*l.firstEnd, leastParsing) {
		return l.plan, nil
	}
	// Each element is read together with the first, which may create the file, and with the fields before the list.
	request := src[:l.firstEnd] + "," + src[l.from:l.end] + "]}"
	l.from, l.parsed = 0, l.parsed+len(request)
	p, err := parse([]byte(request))
	if err != nil {
		l.stopped = true
		return l.plan, err
	}
	l.append(p)
	return l.plan, nil
}

// tellFirst tells the first element. If it cannot be read, it may lack a field that comes below the list.
func (l *listStream) tellFirst(src string, parse func([]byte) (Plan, error)) {
	l.numbers = editNumbers{}
	request := src[:l.firstEnd] + "]"
	p, err := parse([]byte(request + "}"))
	if err != nil || len(p.Ops) == 0 {
		l.stopped = true
		return
	}
	final, known := isFinal(shortened(request), parse) // which has the same shape
	if !known {
		final, _ = isFinal(request, parse)
	}
	l.unnamed = !final
	l.plan, l.numOps, l.numOld = Plan{Format: p.Format}, len(p.Ops), len(p.Ops[len(p.Ops)-1].Edits)
	for _, op := range p.Ops {
		l.appendOp(op)
	}
	if l.from = 0; l.end > l.firstEnd {
		l.from = l.firstEnd + 1
	}
}

// append adds what a plan has more than that of the first element. It stops where that may change what was told.
func (l *listStream) append(p Plan) {
	if len(p.Ops) < l.numOps {
		l.stopped = true
		return
	}
	if more := p.Ops[l.numOps-1].Edits[l.numOld:]; len(more) > 0 {
		if l.stopped = len(l.plan.Ops) > l.numOps; l.stopped {
			return
		}
		op := &l.plan.Ops[l.numOps-1]
		told := len(op.Edits) - l.numOld
		for _, e := range more {
			if e.Number > 0 {
				e.Number += told
			}
			op.Edits = append(op.Edits, e)
		}
	}
	for _, op := range p.Ops[l.numOps:] {
		told := l.numbers[op.Path] > 0
		if l.stopped = told && slices.ContainsFunc(op.Edits, Edit.countsLines); l.stopped {
			return
		}
		l.appendOp(op)
	}
}

// appendOp tells an op. A move whose new path is not known cannot be told.
func (l *listStream) appendOp(op Op) {
	if l.stopped = l.stopped || l.unnamed && op.Kind == OpMove; l.stopped {
		return
	}
	for i := range op.Edits {
		op.Edits[i].Number = l.numbers.next(op.Path, i)
	}
	if l.unnamed {
		op.Path, op.To = "", ""
	}
	l.plan.Ops = append(l.plan.Ops, op)
}
