package tagcall

import (
	"cmp"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
)

// A tag is an opening or closing tag.
type tag struct {
	name       string // as it is spelled, with its prefix
	key        string // the name in normal spelling
	value      string // what it is set to, as in <function=edit>
	attrs      []Field
	closing    bool
	empty      bool // it closes itself
	start, end int  // offsets
}

// A Field is a parameter of a call, or an attribute of a tag.
type Field struct {
	Name   string // as the request spells it
	Text   string
	Offset int // of the text in the request

	cdata bool // the text was in a CDATA section
}

func (t *tag) attr(name string) string {
	for _, a := range t.attrs {
		if a.Name == name {
			return a.Text
		}
	}
	return ""
}

// parameter returns the name of the parameter that a tag gives as its value or in an attribute.
func (t *tag) parameter() string { return cmp.Or(t.value, t.attr("name"), t.attr("key")) }

// nameAt returns the name of the tag at an offset, which begins with '<', and the offset of what follows it.
func nameAt(src string, at int) (name string, closing bool, next int) {
	rest, closing := strings.CutPrefix(src[at+1:], "/")
	n := 0
	for n < len(rest) && (isNameByte(rest[n]) || rest[n] >= 0x80 ||
		rest[n] == ' ' && strings.HasSuffix(rest[:n], bar)) {
		n++
	}
	return rest[:n], closing, len(src) - len(rest) + n
}

// bar is around the names of name spaces in tags of DeepSeek. A space may follow it.
const bar = "｜"

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isNameByte(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '|'
}

// longestName and longestTag are the length of the longest name that a tag may have, and of the longest tag.
const (
	longestName = 64
	longestTag  = 4096
)

// key returns a name without the prefix of a name space, in small letters, without "_", "-" and "."; "" if it is none.
// Hunyuan's tags end in a colon and eight digits.
func key(name string) string {
	const hex = "0123456789abcdef"
	if at := len(name) - len(":12345678"); at > 0 && name[at] == ':' && strings.Trim(name[at+1:], hex) == "" {
		name = name[:at]
	}
	start := len(name)
	for start > 0 && isNameByte(name[start-1]) && name[start-1] != ':' && name[start-1] != '|' {
		start--
	}
	prefix := strings.TrimSuffix(name[:start], " ")
	isOther := prefix != "" && strings.TrimRight(prefix, ":|"+bar) == prefix // of no name space
	if isOther || len(name)-start > longestName || start == len(name) || !isLetter(name[start]) {
		return ""
	}
	return field.NormalName(strings.ReplaceAll(name[start:], ".", ""))
}

// A wholeness is how much of a tag is there.
type wholeness int

const (
	noTag  wholeness = iota
	cutTag           // the request ends before the tag does
	wholeTag
)

// readTag reads the tag at an offset, which begins with '<'. It has no other '<', so that reading all tags is linear.
func readTag(src string, at int) (t tag, w wholeness) {
	t.start = at
	t.name, t.closing, t.end = nameAt(src, at)
	t.key = key(t.name)
	switch {
	case t.end == len(src) && (t.key != "" || t.name == ""):
		return t, cutTag
	case t.key == "":
		return t, noTag
	}
	if src[t.end] == '=' {
		if t.value, _, t.end, w = readValue(src, t.end+1); w != wholeTag {
			return t, w
		}
	}
	for {
		name := skipSpace(src, t.end)
		switch {
		case name-at > longestTag:
			return t, noTag
		case name == len(src) || src[name:] == "/":
			return t, cutTag
		case src[name] == '>':
			t.end = name + 1
			return t, wholeTag
		case strings.HasPrefix(src[name:], "/>") && !t.closing:
			t.end, t.empty = name+2, true
			return t, wholeTag
		case name == t.end || t.closing:
			return t, noTag
		}
		var a Field
		switch a.Name, t.end = wordAt(src, name); {
		case t.end == len(src):
			return t, cutTag
		case a.Name == "":
			return t, noTag
		case src[t.end] == '=':
			if a.Text, a.Offset, t.end, w = readValue(src, t.end+1); w != wholeTag {
				return t, w
			}
		}
		t.attrs = append(t.attrs, a)
	}
}

// readValue reads the value of an attribute, in quotes or without. It returns its offset, and that of what follows it.
func readValue(src string, at int) (value string, offset, next int, w wholeness) {
	if at == len(src) {
		return "", at, at, cutTag
	}
	ends := " \t\r\n<>"
	quoted := src[at] == '"' || src[at] == '\''
	if quoted {
		ends = src[at:at+1] + "<"
		at++
	}
	n := strings.IndexAny(src[at:min(len(src), at+longestTag)], ends)
	switch {
	case n < 0 && len(src) > at+longestTag:
		return "", at, at, noTag
	case n < 0:
		return "", at, at, cutTag
	case src[at+n] == '<' || n == 0 && !quoted:
		return "", at, at, noTag
	case quoted:
		return src[at : at+n], at, at + n + 1, wholeTag
	case src[at+n] == '>' && src[at+n-1] == '/' && n > 1:
		n-- // the end of an empty tag
	}
	return src[at : at+n], at, at + n, wholeTag
}

// wordAt returns the word at an offset, "" if there is none, and the offset of what follows it.
func wordAt(src string, at int) (word string, next int) {
	next = at
	for next < len(src) && isNameByte(src[next]) {
		next++
	}
	return src[at:next], next
}

func skipSpace(src string, at int) int { return len(src) - len(strings.TrimLeft(src[at:], space)) }

const space = " \t\r\n"
