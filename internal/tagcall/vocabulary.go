package tagcall

import (
	"cmp"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
)

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
		return cmp.Or(t.value, t.attr("name"), t.attr("tool"))
	}
	return t.name[strings.LastIndexByte(t.name, ':')+1:]
}

// openers has the tags that stand around parameters or calls, by their keys.
var openers = field.Table[map[string]opener]{Make: func() map[string]opener {
	return field.TableOf(map[opener]string{
		{wraps: true, named: true}: `functioncalls functioncall toolcalls toolcall tooluses tooluse toolcode calls`,
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
}}

// asides are the tags around text in which calls are only thought about.
var asides = []string{"think", "thinking", "thought", "thoughts", "reasoning", "scratchpad", "analysis"}

// results are the tags around the results of calls.
var results = []string{"functionresult", "functionresults", "toolresponse", "toolresult", "toolresults", "tooloutput"}

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
var roles = field.Table[map[string]role]{Make: func() map[string]role {
	return field.TableOf(map[role]string{
		namedParameter: `parameter param argument arg`,
		parameterName:  `argkey`,
		parameterValue: `argvalue`,
		toolName:       `toolname functionname name`,
		meaningless:    `servername`,
	})
}}

// ofCall has the attributes of a call that are no parameters, where the tag does not name the tool.
var ofCall = []string{"name", "tool", "id", "callid", "toolcallid", "type", "index"}

// nicknames has the attributes of a call that are parameters under another name, if need be behind the name of the one
// tag that they are of: the line of Devin's insert moves down.
var nicknames = map[string]string{"args": "path", "insert.insert_line": "before_line"}

// hints has the attributes of a parameter that are parameters themselves under another name.
var hints = map[string]string{"line": "start_line"}

// A group is what a tag around parameters of a call means.
type group struct {
	content string // the parameter that a "content" in it is, if not that
	isEdit  bool   // it is one of several edits of a call
	isList  bool   // it holds edits of a call; without groups, a parameter that comes again begins the next edit
}

// groups has the tags that may stand around parameters of a call.
var groups = field.Table[map[string]group]{Make: func() map[string]group {
	return field.TableOf(map[group]string{
		{isEdit: true}:    `block change edit hunk item replacement`,
		{isList: true}:    `blocks changes edits hunks replacements`,
		{content: "diff"}: `diff diffs`, {content: "patch"}: `patch`,
		{}: `args arguments file files input operation operations parameters params`,
	})
}}

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
	m := field.Meanings.Get()[key]
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
	_, group := groups.Get()[t.key]
	return group || roles.Get()[t.key] != 0 || kindOf(t.key) != Unknown
}
