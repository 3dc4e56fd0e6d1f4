// Package shell reads the commands of a shell script without running them: their words, with the quotes undone, and
// their here-documents. It knows no functions or control structures. What a shell would expand stays and is reported.
package shell

import (
	"cmp"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/text"
)

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

// A Reader reads a script line by line. The zero value reads Src from its start.
type Reader struct {
	Src string
	At  int // the offset of the next line
}

// Line reads the commands of the next line, and their here-documents. Quotes may continue a line. A line without
// commands has none. Every error is a [*jsonobj.Error].
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
		case strings.IndexByte(space, rest[0]) >= 0:
			r.At++
		case strings.HasPrefix(rest, "\\\n"):
			r.At += len("\\\n")
		case rest[0] == '#': // at the start of a word, and so a comment
			end("")
			r.At += len(text.FirstLine(rest))
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

// space has the bytes between two words.
const space = " \t\r"

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
	r.At = len(r.Src) - len(strings.TrimLeft(r.Src[r.At:], space))
	w, err := r.word()
	if err == nil && w.Text == "" {
		err = &jsonobj.Error{Offset: at,
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
		line := text.FirstLine(r.Src[r.At:])
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

type Word struct {
	Text    string // without its quotes
	Start   int    // the offset of the word in the script
	Quoted  bool   // at least in part
	Expands string // the script from the first thing in it that a shell would replace, such as "$x" or "*"; "" if none
}

// word reads the word at r.At, which may be empty.
func (r *Reader) word() (Word, error) {
	w := Word{Start: r.At}
	var text strings.Builder
	quote, opened := byte(0), 0 // the mark that is open, and its offset
	ends := func(c byte) bool { return quote == 0 && strings.IndexByte(space+"\n;&|<>()", c) >= 0 }
	for ; r.At < len(r.Src) && !ends(r.Src[r.At]); r.At++ {
		rest := r.Src[r.At:]
		c := rest[0]
		switch {
		case quote == 0 && (c == '\'' || c == '"'):
			quote, opened, w.Quoted = c, r.At, true
		case quote != 0 && quote == c:
			quote = 0
		case quote == '\'':
			text.WriteByte(c)
		case c == '\\' && len(rest) > 1 && (quote == 0 || strings.IndexByte("\"\\$`\n", rest[1]) >= 0):
			if r.At++; rest[1] != '\n' {
				text.WriteByte(rest[1])
				w.Quoted = true
			}
		default:
			if expands(rest) || quote == 0 && (strings.IndexByte("*?[{", c) >= 0 || c == '~' && r.At == w.Start ||
				strings.HasPrefix(rest, "$'")) {
				w.Expands = cmp.Or(w.Expands, rest)
			}
			text.WriteByte(c)
		}
	}
	if quote != 0 {
		return w, &jsonobj.Error{Offset: opened, CutOff: true,
			Msg: "the quotation mark " + string(quote) + " is not closed: send the command again in full"}
	}
	w.Text = text.String()
	return w, nil
}

// expands reports whether a shell would replace what s begins with, even in double quotes.
func expands(s string) bool {
	isName := func(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
	return s[0] == '`' || s[0] == '$' && len(s) > 1 && (isName(s[1]) || strings.IndexByte("({?$!#@*-", s[1]) >= 0)
}
