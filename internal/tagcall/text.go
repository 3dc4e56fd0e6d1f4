package tagcall

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// textOf returns the parameter with the given name whose text begins behind t, within parent, and the offset behind the
// closing tag of t. That is the first one that another parameter or the closing tag of the parent follows, not counting
// those of parameters that are nested in the text in the same way. The text of a call has no parent: then it is the
// first one, not counting those of tags in the text that begin a line.
func (s *source) textOf(t, parent *tag, name string, kind Kind) (f Field, next int, err error) {
	nested, unclosed := 0, false
	for at := s.tagAfter(t.end); at < len(s.src); at = s.tagAfter(at + 1) {
		end, closing := s.namesAt(at, t.name)
		switch {
		case end == 0 && parent != nil:
			n, closing := s.namesAt(at, parent.name)
			unclosed = unclosed || n > 0 && closing
		case end == 0:
		case !closing && s.mayBegin(at, parent):
			nested++
		case closing && (kind == Word || parent == nil || s.goesOn(end, parent)):
			if nested == 0 {
				f, err := s.between(t, at, name, kind)
				return f, end, err
			}
			nested--
		}
	}
	f, _ = s.between(t, len(s.src), name, kind)
	if unclosed {
		return f, 0, failf(t.start, "it is unclear where <%s> ends: expected </%s> right before a known parameter "+
			"or </%s>", t.name, t.name, parent.name)
	}
	return f, 0, cutOff(t.start, "</"+t.name+">")
}

// namesAt returns the offset behind the name of an opening tag, or behind a closing tag; 0 if it has another name.
func (s *source) namesAt(at int, name string) (end int, closing bool) {
	found, closing, end := nameAt(s.src, at)
	switch {
	case found != name || end == len(s.src):
		return 0, closing
	case closing:
		if end = skipSpace(s.src, end); !strings.HasPrefix(s.src[end:], ">") {
			return 0, closing
		}
		end++
	}
	return end, closing
}

// goesOn reports whether another parameter within parent begins at an offset, or parent ends.
func (s *source) goesOn(at int, parent *tag) bool {
	if at = skipSpace(s.src, at); strings.HasPrefix(s.src[at:], "</") {
		name, _, _ := nameAt(s.src, at)
		return name == parent.name
	}
	return s.parameterAt(at)
}

// parameterAt reports whether the opening tag of a parameter, or of a group of them, is at an offset.
func (s *source) parameterAt(at int) bool {
	if at == len(s.src) || s.src[at] != '<' {
		return false
	}
	t, w := readTag(s.src, at)
	return w == wholeTag && !t.closing && t.isParameter()
}

// mayBegin reports whether a tag that opens parent, or closes another parameter in it, stands before an offset.
func (s *source) mayBegin(at int, parent *tag) bool {
	if parent == nil {
		return s.startsLine(at)
	}
	end := len(strings.TrimRight(s.src[:at], space))
	start := strings.LastIndexByte(s.src[:end], '<')
	if start < 0 || s.src[end-1] != '>' {
		return false
	}
	t, w := readTag(s.src, start)
	return w == wholeTag && t.end == end && (t.closing && t.isParameter() || !t.closing && t.name == parent.name)
}

// between returns the text between t and end as the parameter with the given name.
func (s *source) between(t *tag, end int, name string, kind Kind) (Field, error) {
	f, ok := Field{Name: name, Text: s.src[t.end:end], Offset: t.end}.withoutCDATA()
	if !ok {
		return f, failf(t.start, "the text of <%s> begins with <![CDATA[, but there is no ]]> before </%s>: "+
			"end the text with ]]>, or leave out both", t.name, t.name)
	}
	return f.trimmed(kind), nil
}

// withoutCDATA returns f less the CDATA section around its text, if there is one. It reports false if that has no end.
func (f Field) withoutCDATA() (Field, bool) {
	const split = "]]]]><![CDATA[>" // "]]>", in two sections
	start := skipSpace(f.Text, 0)
	inner, ok := strings.CutPrefix(f.Text[start:], "<![CDATA[")
	if !ok {
		return f, true
	}
	inner, ok = strings.CutSuffix(strings.TrimRight(inner, space), "]]>")
	if !ok {
		return f, strings.Contains(inner, "]]>")
	}
	if strings.Count(inner, "]]>") != strings.Count(inner, split) {
		return f, true // several sections, which are text
	}
	f.Text = strings.ReplaceAll(inner, split, "]]>")
	f.Offset, f.cdata = f.Offset+start+len("<![CDATA["), true
	return f, true
}

// kind returns what the text of t is. Only tags of their own hold whole lines: other models write a last newline.
func (t *tag) kind() Kind {
	switch roles.Get()[t.key] {
	case namedParameter:
		if kind := kindOf(key(t.parameter())); kind != Lines {
			return kind
		}
		return Text
	case parameterName, toolName:
		return Word
	}
	return kindOf(t.key)
}

// trimmed returns f less the white space that belongs to its tags.
func (f Field) trimmed(kind Kind) Field {
	if kind == Word {
		f.Offset += skipSpace(f.Text, 0)
		f.Text = strings.TrimSpace(f.Text)
		return f
	}
	ending := "\n"
	if strings.HasPrefix(f.Text, "\r\n") {
		ending = "\r\n"
	}
	rest, ok := strings.CutPrefix(f.Text, ending)
	if !ok {
		return f
	}
	f.Offset += len(ending)
	f.Text = strings.ReplaceAll(rest, ending, "\n") // those of the request, not of the text
	if end := strings.TrimRight(f.Text, " \t"); strings.HasSuffix(end, "\n") {
		if f.Text = end; kind != Lines {
			f.Text = strings.TrimSuffix(end, "\n")
		}
	}
	return f
}

// document returns the JSON within t, in whose strings closing tags are text, and the offset behind the closing tag.
func (s *source) document(t *tag) (f Field, next int, err error) {
	closing := "</" + t.name + ">"
	for at := t.end; at < len(s.src); at++ {
		switch s.src[at] {
		case '"':
			n, _ := jsonobj.StringLen(s.src[at:])
			at += n - 1
		case '<':
			if strings.HasPrefix(s.src[at:], closing) {
				return Field{Text: s.src[t.end:at], Offset: t.end}, at + len(closing), nil
			}
		}
	}
	if strings.Contains(s.src[t.end:], closing) {
		return Field{}, 0, failf(t.start, "a string in the JSON of <%s> has no end before %s: expected a quotation "+
			`mark; inside a string, write it as \"`, t.name, closing)
	}
	return Field{Text: s.src[t.end:], Offset: t.end}, 0, cutOff(t.start, closing)
}
