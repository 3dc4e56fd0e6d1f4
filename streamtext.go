package atomicedit

import "github.com/atomicedit/atomicedit/internal/jsonobj"

// A textStream tells what is complete of a patch, or of blocks, in a string of a call.
type textStream struct {
	begin  int // of the text in the request
	told   int // how much of the request the stream of the text has got
	end    int // behind the last line ending in it
	stream Stream

	stopped bool // the string is not valid

	tries int  // to read the call with what was told
	sure  bool // its plan is the plan of the text
	file  string
	named []Op // the operations of the text, for the file
}

// shortTexts has a short text of each format, as JSON writes it in a string.
var shortTexts = map[string]string{
	"blocks": `<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n`,
	"v4a":    `*** Begin Patch\n*** Update File: x\n@@\n-x\n+y\n*** End Patch\n`,
}

// tell returns the plan of what is complete.
func (t *textStream) tell(src string, parse func([]byte) (Plan, error)) Plan {
	if t.told == t.end || t.stopped {
		return t.plan()
	}
	v, err := jsonobj.ParseValue([]byte(`"`+src[t.told:t.end]+`"`), 0)
	if t.stopped = err != nil; t.stopped {
		return t.plan()
	}
	t.told = t.end
	lines, _ := v.Text()
	t.stream.Write([]byte(lines))
	if p, _ := t.stream.Plan(); len(p.Ops) > 0 && !t.sure && t.tries < 8 {
		t.tries++
		t.compare(p, src, parse)
	}
	return t.plan()
}

func (t *textStream) plan() Plan {
	if !t.sure {
		return Plan{}
	}
	p, _ := t.stream.Plan()
	if t.file == "" {
		return p
	}
	known := max(len(t.named)-1, 0) // only the last operation can get longer
	more := Plan{Ops: p.Ops[known:]}.ForFile(t.file)
	t.named = append(t.named[:known], more.Ops...)
	p.Ops = t.named
	return p
}

// compare finds out whether the call has the plan of the text, and for which file. Where fields below the text can still change it,
// nothing is told before the end.
func (t *textStream) compare(told Plan, src string, parse func([]byte) (Plan, error)) {
	final, known := isFinal(src[:t.begin]+shortTexts[told.Format]+`"`, parse)
	if t.stopped = known && !final; t.stopped {
		return
	}
	request := src[:t.end]
	p, err := parse([]byte(request + `"}`))
	if err != nil {
		request += "*** End Patch"
		p, err = parse([]byte(request + `"}`))
	}
	if err == nil && len(p.Ops) >= len(told.Ops) && !known {
		final, _ = isFinal(request+`"`, parse)
	}
	if err != nil || len(p.Ops) < len(told.Ops) || !final {
		return
	}
	if told.Ops[0].Path == "" {
		t.file = p.Ops[0].Path
	}
	t.sure = true
}
