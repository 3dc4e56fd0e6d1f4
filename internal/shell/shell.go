// Package shell reads the commands of a shell script without running them: their words, with the quotes undone, and
// their here-documents. It knows neither functions nor control structures. Whatever a shell would expand, such as a
// variable, stays as it is and is reported.
package shell

import "strings"

type Command struct {
	Words []Word
	Heres []Here // its here-documents
	Odd   bool   // it has other parts too, such as ">" or "("
	Start int    // its offset in the script
	Then  string // what follows: "&&", "||", ";", "|", "&", or "" where a line ends
}

type Here struct {
	Word       string // ends the document, on a line of its own
	Quoted     bool   // so that a shell would expand nothing in the document
	Start, End int    // offsets of the document in the script
	Ended      bool   // the Word is there
	Tabs       bool   // tabs in front of its lines do not count
}

// An Error is a part of a script that cannot be read.
type Error struct {
	Offset int
	Msg    string
	CutOff bool // the script ends too early
}

func (e *Error) Error() string { return e.Msg }

// A Reader reads a script line by line. The zero value reads Src from its start.
type Reader struct {
	Src string
	At  int // the offset of the next line
}

// Line reads the commands of the next line, and their here-documents. Quotes may continue a line. A line without
// commands has none. Every error is an [*Error].
func (r *Reader) Line() (all []Command, err error) {
	c := Command{Start: r.At}
	end := func(then string) {
		c.Then = then
		if strings.TrimSpace(r.Src[c.Start:r.At])+then != "" {
			all = append(all, c)
		}
		r.At += len(then)
		c = Command{Start: r.At}
	}
	for r.At < len(r.Src) && r.Src[r.At] != '\n' {
		rest := r.Src[r.At:]
		switch {
		case isSpace(rest[0]):
			r.At++
		case strings.HasPrefix(rest, "\\\n"):
			r.At += len("\\\n")
		case rest[0] == '#': // at the start of a word, and so a comment
			end("")
			r.At += len(restOfLine(rest))
			c.Start = r.At
		case operator(rest) != "":
			end(operator(rest))
		case strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<"):
			err = r.startHere(&c)
		case strings.IndexByte("<>()", rest[0]) >= 0:
			c.Odd = true
			r.At++
		default:
			var w Word
			w, err = r.word()
			c.Words = append(c.Words, w)
		}
		if err != nil {
			return nil, err
		}
	}
	end("")
	r.At = min(r.At+1, len(r.Src))
	for i := range all {
		for k := range all[i].Heres {
			r.readHere(&all[i].Heres[k])
		}
	}
	return all, nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func restOfLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// operator returns the operator between commands that s begins with, "" if there is none.
func operator(s string) string {
	for _, op := range []string{"&&", "||", ";", "|", "&"} {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// startHere reads the operator of a here-document, and its word. The document itself is below the line.
func (r *Reader) startHere(c *Command) error {
	at := r.At
	r.At += len("<<")
	h := Here{Tabs: strings.HasPrefix(r.Src[r.At:], "-")}
	if h.Tabs {
		r.At++
	}
	for r.At < len(r.Src) && isSpace(r.Src[r.At]) {
		r.At++
	}
	w, err := r.word()
	if err == nil && w.Text == "" {
		err = &Error{Offset: at,
			Msg: "\"<<\" needs a word behind it: expected <<'EOF', and EOF on a line of its own below the lines"}
	}
	h.Word, h.Quoted = w.Text, w.Quoted
	c.Heres = append(c.Heres, h)
	return err
}

// readHere reads a here-document. Whitespace behind the word that ends it does not count.
func (r *Reader) readHere(h *Here) {
	h.Start, h.End = r.At, len(r.Src)
	for r.At < len(r.Src) && !h.Ended {
		line := restOfLine(r.Src[r.At:])
		word := strings.TrimRight(line, " \t\r")
		if h.Tabs {
			word = strings.TrimLeft(word, "\t")
		}
		if h.Ended = word == h.Word; h.Ended {
			h.End = r.At
		}
		r.At = min(r.At+len(line)+1, len(r.Src))
	}
}
