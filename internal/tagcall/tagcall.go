// Package tagcall reads calls of tools that a model writes as tags in its text, as docs/reading.md tells. This is not
// XML: the text of a parameter is what stands between its tags, to the letter. It ends at the closing tag that the next
// parameter, or the closing tag of the call, follows.
//
// Text around the calls means nothing. [Request.Prose] has it, for whoever wants to look at it.
package tagcall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// A Request is text with calls in it.
type Request struct {
	Calls []Call
	Sure  int      // how many of them every longer request has that can be read
	Open  *Call    // the call that was cut off, if any, with the parameters up to there
	Prose [][2]int // the offsets of the text around the calls
}

// A Call is a call of a tool.
type Call struct {
	Tool   string    // the name of the tool, "" if the tags give none
	Offset int       // of the call in the request
	Fields []Field   // the parameters, in their order
	Edits  [][]Field // those of each edit, if it has a list of them
	JSON   Field     // instead of all these: a JSON document that holds them, or the whole call if Tool is ""
}

// A source is the text of a request. Nothing changes it.
type source struct{ src string }

// tagAfter returns the offset of the next '<' from at on, the end of the request if there is none.
func (s *source) tagAfter(at int) int {
	if n := strings.IndexByte(s.src[at:], '<'); n >= 0 {
		return at + n
	}
	return len(s.src)
}

// startsLine reports whether only white space stands before an offset on its line.
func (s *source) startsLine(at int) bool {
	before := strings.TrimRight(s.src[:at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// inText says what to do about a tag in a text that may end the text, or the call.
const inText = "send that text by other means, such as an edit that leaves out this tag"

func failf(offset int, format string, args ...any) error {
	return &jsonobj.Error{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func cutOff(offset int, expected string) error {
	return &jsonobj.Error{Offset: offset, CutOff: true, Msg: "the request was cut off: expected " + expected +
		"; send it again in full"}
}

// Read reads a request, in linear time. With an error, a [*jsonobj.Error], it has the calls that were complete.
func Read(src string) (Request, error) {
	r := &reader{source: source{src}, none: map[string]bool{}}
	err := r.read()
	return r.Request, err
}

// Begins reports whether a call, or a tag around calls, begins in src between the given offsets.
func Begins(src string, from, to int) bool {
	s, line := &source{src}, &source{src[:to]}
	for at := line.tagAfter(from); at < to; at = line.tagAfter(at + 1) {
		if t, _, f := s.openerAt(at, 0); f != proseForm && (f == cutOffForm || !t.closing) {
			return true
		}
	}
	return false
}

// Aside returns the name of the tag that a text begins with, if it is one around thoughts about calls, or ends them.
func Aside(s string) (name string, closing, ok bool) {
	if !strings.HasPrefix(s, "<") {
		return "", false, false
	}
	name, closing, end := nameAt(s, 0)
	return name, closing, strings.HasPrefix(s[end:], ">") && slices.Contains(asides, key(name))
}

type reader struct {
	source
	Request
	wrappers []tag           // that are open
	prose    int             // offset of the text around calls that is not in Prose yet
	none     map[string]bool // closing tags of asides that do not follow
	doubt    bool            // what has been read may mean something else in a longer request
}

func (r *reader) read() error {
	for at := r.tagAfter(0); at < len(r.src); {
		next, err := r.step(at)
		if err != nil {
			return err
		}
		if at = r.tagAfter(next); !r.doubt {
			r.Sure = len(r.Calls)
		}
	}
	r.around(len(r.src), len(r.src))
	if n := len(r.wrappers); n > 0 {
		return cutOff(r.wrappers[n-1].start, "</"+r.wrappers[n-1].name+">")
	}
	return nil
}

// step reads the tag at an offset and what it begins, and returns the offset behind that.
func (r *reader) step(at int) (next int, err error) {
	t, o, f := r.openerAt(at, r.prose)
	n := len(r.wrappers)
	switch {
	case t.closing && n > 0 && r.wrappers[n-1].name == t.name:
		r.wrappers = r.wrappers[:n-1]
		return r.around(at, t.end), nil
	case t.closing && f == wrapperForm:
		return r.around(at, t.end), nil
	case t.closing && f == brokenForm:
		return 0, failf(at, "</%s> closes nothing: expected each closing tag once; if it belongs to a text of "+
			"the call before it, %s", t.name, inText)
	case slices.Contains(asides, t.key) && !t.closing && r.startsLine(at):
		return r.aside(&t), nil
	case slices.Contains(results, t.key) && !t.closing && r.startsLine(at):
		return 0, failf(at,
			"the result of a call is here, so the calls before it have been made: expected only the calls to make now")
	}
	switch f {
	case proseForm:
	case wrapperForm:
		r.wrappers = append(r.wrappers, t)
		return r.around(at, t.end), nil
	case cutOffForm:
		return 0, cutOff(at, "the rest of the call")
	case brokenForm:
		err = failf(at, "<%s> begins no call: expected its parameters in tags, such as <path>a.go</path>, "+
			"and then </%s>", t.name, t.name)
	case doubtForm:
		err = failf(at, "<%s> may hold edits of the file, or the file itself: put the file into <content>, "+
			"or the edits into <edit_file> with a <path>", t.name)
	default:
		calls, end, err := r.call(&t, o, f)
		if r.Calls = append(r.Calls, calls...); err == nil {
			return r.around(at, end), nil
		}
		if last := len(r.Calls) - 1; len(calls) > 0 {
			r.Open, r.Calls = &r.Calls[last], r.Calls[:last]
		}
		return 0, err
	}
	return at + 1, err
}

// around records that what stands between the offsets is no prose, and returns the second.
func (r *reader) around(start, end int) int {
	if start > r.prose {
		r.Prose = append(r.Prose, [2]int{r.prose, start})
	}
	r.prose = end
	return end
}

// aside returns the offset behind the text that t begins, the end of t if it does not end.
func (r *reader) aside(t *tag) (next int) {
	closing := "</" + t.name + ">"
	if !r.none[closing] {
		if n := strings.Index(r.src[t.end:], closing); n >= 0 {
			return r.around(t.start, t.end+n+len(closing))
		}
		r.none[closing] = true
	}
	r.doubt = true
	return t.end
}
