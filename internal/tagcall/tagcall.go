// Package tagcall reads calls of tools that a model writes as tags in its text, as docs/reading.md tells. This is not
// XML: the text of a parameter is what stands between its tags, to the letter. It ends at the closing tag that the next
// parameter, or the closing tag of the call, follows.
//
// Text around the calls means nothing. [Request.Prose] has it, for whoever wants to look at it.
package tagcall

import "strings"

// A Request is text with calls in it.
type Request struct {
	Calls []Call
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

// A Field is a parameter of a call.
type Field struct {
	Name   string // as the request spells it
	Text   string
	Offset int // of the text in the request

	cdata bool // the text was in a CDATA section
}

// A Kind is what the text of a parameter is.
type Kind int

const (
	Unknown Kind = iota // no parameter that any tool has
	Word                // a name or a number: white space around it does not count
	Text                // to the letter
	Piece               // to the letter: a piece of a file, as it is or as it shall be
	Lines               // whole lines: if its tags stand on lines of their own, the last line ends in a newline
)

// An Error says why a request cannot be read.
type Error struct {
	Offset int
	Msg    string // for whoever wrote the request
	CutOff bool   // the request ended too early
	Open   *Call  // the call that was cut off, if any, with the parameters up to there
}

func (e *Error) Error() string { return e.Msg }

// A source is the text of a request, and what its parameters are. Nothing changes it.
type source struct {
	src  string
	kind func(key string) Kind // what the text of a parameter is, by its name in normal spelling
}

// tagAfter returns the offset of the next '<' from at on, the end of the request if there is none.
func (s *source) tagAfter(at int) int {
	if n := strings.IndexByte(s.src[at:], '<'); n >= 0 {
		return at + n
	}
	return len(s.src)
}

// startsLine reports whether only white space stands before an offset on its line.
func (s *source) startsLine(at int) bool {
	for at > 0 && (s.src[at-1] == ' ' || s.src[at-1] == '\t') {
		at--
	}
	return at == 0 || s.src[at-1] == '\n'
}

// isParameter reports whether a tag is that of a parameter, or of a group of them.
func (s *source) isParameter(t *tag) bool {
	_, group := groups()[t.key]
	return group || roles[t.key].inCall() || s.kind(t.key) != Unknown
}

// inText says what to do about a tag in a text that may end the text, or the call.
const inText = "send that text by other means, such as an edit that leaves out this tag"

func (s *source) fail(offset int, msg string) error { return &Error{Offset: offset, Msg: msg} }

func (s *source) cutOff(offset int, expected string) error {
	return &Error{Offset: offset, CutOff: true, Msg: "the request was cut off: expected " + expected +
		"; send it again in full"}
}
