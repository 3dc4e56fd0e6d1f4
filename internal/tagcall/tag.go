package tagcall

import (
	"cmp"
	"strings"
	"sync"

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
	for n < len(rest) && (isNameByte(rest[n]) || rest[n] >= 0x80) {
		n++
	}
	return rest[:n], closing, len(src) - len(rest) + n
}

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
func key(name string) string {
	start, plain := len(name), true
	for start > 0 && isNameByte(name[start-1]) && name[start-1] != ':' && name[start-1] != '|' {
		start--
		plain = plain && ('a' <= name[start] && name[start] <= 'z' || '0' <= name[start] && name[start] <= '9')
	}
	switch prefix := name[:start]; {
	case prefix != "" && !strings.HasSuffix(prefix, ":") && !strings.HasSuffix(prefix, "|") &&
		!strings.HasSuffix(prefix, "｜"):
		return ""
	case len(name)-start > longestName || start == len(name) || !isLetter(name[start]):
		return ""
	}
	if name = name[start:]; plain {
		return name
	}
	var buf [longestName]byte
	normal := buf[:0]
	for i := range len(name) {
		if isLetter(name[i]) {
			normal = append(normal, name[i]|0x20)
		} else if '0' <= name[i] && name[i] <= '9' {
			normal = append(normal, name[i])
		}
	}
	return string(normal)
}

// A wholeness is how much of a tag is there.
type wholeness int

const (
	noTag  wholeness = iota
	cutTag           // the request ends before the tag does
	wholeTag
)

// readTag reads the tag at an offset, which begins with '<'. It has no other '<', so that reading all tags is linear.
func readTag(src string, at int) (tag, wholeness) {
	t := tag{start: at}
	t.name, t.closing, t.end = nameAt(src, at)
	t.key = key(t.name)
	switch {
	case t.end == len(src) && (t.key != "" || t.name == ""):
		return t, cutTag
	case t.key == "":
		return t, noTag
	}
	if src[t.end] == '=' {
		var w wholeness
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
		a, next, w := readAttr(src, name)
		if w != wholeTag {
			return t, w
		}
		t.attrs, t.end = append(t.attrs, a), next
	}
}

func readAttr(src string, at int) (a Field, next int, w wholeness) {
	a.Name, next = wordAt(src, at)
	switch {
	case next == len(src):
		return a, next, cutTag
	case a.Name == "":
		return a, next, noTag
	case src[next] != '=':
		return a, next, wholeTag
	}
	a.Text, a.Offset, next, w = readValue(src, next+1)
	return a, next, w
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

// skipSpace returns the offset of the first character from at on that is no white space.
func skipSpace(src string, at int) int {
	for at < len(src) && (src[at] == ' ' || src[at] == '\t' || src[at] == '\n' || src[at] == '\r') {
		at++
	}
	return at
}

// space has the bytes of white space.
const space = " \t\r\n"

// An opener is what a tag around parameters or calls means.
type opener struct {
	wraps  bool   // it may stand around calls
	named  bool   // an attribute, its value or a parameter names the tool; else the tag does, unless it is anonymous
	anon   bool   // it names no tool
	isList bool   // it holds edits of a call, and no other parameters
	body   string // the parameter that its text is, if it has no parameters in tags
	edits  bool   // it may hold edits in the place of its text
	does   string // the tool that it stands for, where the tag is no name of one
}

// tool returns the name of the tool that t calls, "" if it does not have it.
func (o opener) tool(t *tag) string {
	switch {
	case o.anon:
		return ""
	case o.does != "":
		return o.does
	case o.named:
		return cmp.Or(t.value, t.attr("name"))
	}
	return t.name[strings.LastIndexByte(t.name, ':')+1:]
}

// openers has the tags that stand around parameters or calls, by their keys.
var openers = sync.OnceValue(func() map[string]opener {
	return field.TableOf(map[opener]string{
		{wraps: true, named: true}: `functioncalls functioncall toolcalls toolcall tooluses tooluse toolcode`,
		{named: true}:              `invoke function tool usemcptool`,

		{wraps: true, anon: true}:                  `boltartifact artifact lovcode actions changes files`,
		{anon: true}:                               `change`,
		{anon: true, isList: true}:                 `edits`,
		{anon: true, body: "content", edits: true}: `file`,

		{body: "content"}: `append boltaction createfile dyadwrite insertcontent lovwrite newfile save savefile write
		writefile writetofile`,
		{body: "diff"}: `applydiff dyadsearchreplace edit editfile lovsearchreplace patch replaceinfile searchandreplace
		searchreplace`,
		{body: "patch"}:       `applypatch`,
		{body: "insert_text"}: `insert`,
		{does: "delete_file"}: `dyaddelete lovdelete`,
		{}: `deletefile dyadrename lovlinereplace lovrename movefile multiedit renamefile replace strreplace
		updatefile`,
	})
})

// asides are the tags around text in which calls are only thought about.
var asides = strings.Fields("think thinking thought thoughts reasoning scratchpad analysis")

// results are the tags around the results of calls.
var results = strings.Fields("functionresult functionresults toolresponse toolresult toolresults tooloutput")

// A role is what a tag in a call means, whatever the tool.
type role int

const (
	namedParameter role = iota + 1 // an attribute, or the value, of the tag names the parameter
	parameterName                  // the text is the name of the next parameterValue
	parameterValue
	toolName    // the text is the name of the tool, if no tag has it
	meaningless // beside the name of the tool
)

// roles has the meanings of tags in the calls of all tools. Another tag is a parameter of its name.
var roles = sync.OnceValue(func() map[string]role {
	return field.TableOf(map[role]string{
		namedParameter: `parameter param argument arg`,
		parameterName:  `argkey`,
		parameterValue: `argvalue`,
		toolName:       `toolname functionname name`,
		meaningless:    `servername`,
	})
})

// ofCall has the attributes of a call that are no parameters, where the tag does not name the tool.
var ofCall = []string{"name", "id", "callid", "toolcallid", "type"}

// nicknames has the attributes of a call that are parameters under another name.
var nicknames = map[string]string{"args": "path"}

// hints has the attributes of a parameter that are parameters themselves under another name.
var hints = map[string]string{"line": "start_line"}

// A group is what a tag around parameters of a call means.
type group struct {
	content string // the parameter that a "content" in it is, if not that
	isEdit  bool   // it is one of several edits of a call
	isList  bool   // it holds edits of a call; without groups, a parameter that comes again begins the next edit
}

// groups has the tags that may stand around parameters of a call.
var groups = sync.OnceValue(func() map[string]group {
	return field.TableOf(map[group]string{
		{isEdit: true}: `block change edit hunk replacement`, {isList: true}: `blocks changes edits hunks replacements`,
		{content: "diff"}: `diff diffs`, {content: "patch"}: `patch`,
		{}: `args arguments file files input operation operations parameters params`,
	})
})

// A Kind is what the text of a parameter is.
type Kind int

const (
	Unknown Kind = iota // no parameter that any tool has
	Word                // a name or a number: white space around it does not count
	Text                // to the letter
	Piece               // to the letter: a piece of a file, as it is or as it shall be
	Lines               // whole lines: if its tags stand on lines of their own, the last line ends in a newline
)

// kindOf returns what the text of a parameter is, by its name in normal spelling.
func kindOf(key string) Kind {
	m := field.Meanings()[key]
	if m == nil {
		return Unknown
	}
	word := m.Kinds['n'] | m.Kinds['f'] | m.Fields&(field.PathField|field.FromField|field.ToField)
	switch {
	case m.Fields&field.ContentField != 0, m.Fields&(field.TextField|field.NewField) == field.TextField:
		return Lines
	case word != 0:
		return Word
	case m.Fields&(field.OldField|field.NewField) != 0:
		return Piece
	}
	return Text
}

// isParameter reports whether a tag is that of a parameter, or of a group of them.
func (t *tag) isParameter() bool {
	_, group := groups()[t.key]
	return group || roles()[t.key] != 0 || kindOf(t.key) != Unknown
}
