package shell

import "strings"

type Word struct {
	Text    string // without its quotes
	Start   int    // the offset of the word in the script
	Quoted  bool   // at least in part
	Expands string // the first thing in it that a shell would replace, such as "$x" or "*"; "" if there is none
}

// word reads the word at r.At, which may be empty.
func (r *Reader) word() (Word, error) {
	w := Word{Start: r.At}
	var text strings.Builder
	for r.At < len(r.Src) {
		c := r.Src[r.At]
		switch {
		case c == '\'' || c == '"':
			quoted, err := r.quoted(&w)
			if err != nil {
				return w, err
			}
			text.WriteString(quoted)
			continue
		case c == '\\' && r.At+1 < len(r.Src):
			if r.At++; r.Src[r.At] != '\n' {
				text.WriteByte(r.Src[r.At])
				w.Quoted = true
			}
		case isSpace(c) || strings.IndexByte("\n;&|<>()", c) >= 0:
			w.Text = text.String()
			return w, nil
		default:
			rest := r.Src[r.At:]
			if strings.IndexByte("*?[{", c) >= 0 || c == '~' && r.At == w.Start || strings.HasPrefix(rest, "$'") {
				w.expand(rest[:1])
			}
			w.expand(expansion(rest))
			text.WriteByte(c)
		}
		r.At++
	}
	w.Text = text.String()
	return w, nil
}

func (r *Reader) quoted(w *Word) (string, error) {
	start := r.At
	quote := r.Src[start]
	w.Quoted = true
	if quote == '\'' {
		if end := strings.IndexByte(r.Src[start+1:], quote); end >= 0 {
			r.At = start + 1 + end + 1
			return r.Src[start+1 : start+1+end], nil
		}
	}
	var text strings.Builder
	for r.At++; quote == '"' && r.At < len(r.Src); r.At++ {
		c := r.Src[r.At]
		switch {
		case c == '"':
			r.At++
			return text.String(), nil
		case c == '\\' && r.At+1 < len(r.Src) && strings.IndexByte("\"\\$`\n", r.Src[r.At+1]) >= 0:
			if r.At++; r.Src[r.At] != '\n' {
				text.WriteByte(r.Src[r.At])
			}
			continue
		}
		w.expand(expansion(r.Src[r.At:]))
		text.WriteByte(c)
	}
	return "", &Error{Offset: start, CutOff: true,
		Msg: "the quotation mark " + string(quote) + " is not closed: send the command again in full"}
}

// expand notes what a shell would replace, if anything.
func (w *Word) expand(what string) {
	if w.Expands == "" {
		w.Expands = what
	}
}

// expansion returns the beginning of what a shell would replace at the start of s, in double quotes too; "" if there is
// nothing.
func expansion(s string) string {
	if s[0] == '`' {
		return "`"
	}
	if s[0] != '$' || len(s) == 1 {
		return ""
	}
	isName := func(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
	n := 1
	for n < len(s) && n < 40 && isName(s[n]) {
		n++
	}
	if n == 1 && strings.IndexByte("({?$!#@*-", s[1]) >= 0 {
		n++
	}
	if n == 1 {
		return ""
	}
	return s[:n]
}
