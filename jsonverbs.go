package atomicedit

import (
	"slices"
	"strings"
	"unicode"
)

// A verb is what a call asks for, as far as its mode or the name of its tool says it. Several may be in question.
type verb int

const (
	verbEdit verb = 1 << iota
	verbInsert
	verbAppend
	verbWrite // creates a file, or takes the place of one
	verbCreate
	verbDelete
	verbMove
	verbPatch
	verbChunks // a patch of one file
	verbDiff   // the old and the new text of a file, or of a part of it
	verbRun    // a command line
	verbView   // changes nothing, or what is no edit
	verbChange // of a name only: any of the others but verbView
	noVerb     // nothing is said

	anyVerb = noVerb - 1 - verbView
)

// modeVerbs has the values of fields such as "command" and "mode", normalised.
var modeVerbs = map[string]verb{
	"edit": verbEdit, "replace": verbEdit, "strreplace": verbEdit, "replacetext": verbEdit, "update": verbEdit, "updatefile": verbChunks, "modify": verbEdit,
	"searchreplace": verbEdit, "findreplace": verbEdit, "literal": verbEdit, "editfile": verbEdit, "change": verbEdit,
	"insert": verbInsert, "prepend": verbInsert, "insertlines": verbInsert, "inserttext": verbInsert, "insertline": verbInsert,
	"append": verbAppend, "a": verbAppend, "w": verbWrite, "x": verbCreate,
	"write": verbWrite, "overwrite": verbWrite, "rewrite": verbWrite, "save": verbWrite, "writefile": verbWrite, "file": verbWrite,
	"create": verbCreate, "createfile": verbCreate, "add": verbCreate, "addfile": verbCreate, "new": verbCreate, "newfile": verbCreate,
	"delete": verbDelete, "deletefile": verbDelete, "remove": verbDelete, "removefile": verbDelete, "unlink": verbDelete,
	"move": verbMove, "rename": verbMove, "movefile": verbMove, "renamefile": verbMove,
	"patch": verbPatch, "applypatch": verbPatch, "diff": verbPatch | verbDiff,
	"applypatchapprovalrequest": verbPatch, "patchapplybegin": verbPatch,
	"rm": verbDelete, "mv": verbMove, "exec": verbRun, "run": verbRun,
	"view": verbView, "read": verbView, "undoedit": verbView, "show": verbView, "list": verbView,
}

// modesExpected lists what fields may say, for messages.
var modesExpected = map[string]string{
	"command": "create, str_replace or insert",
	"action":  "write or patch",
	"type":    "edit, create, delete or move",
	"mode":    "edit, write, create or append",
}

// nameVerbs has words in the names of tools.
var nameVerbs = map[string]verb{
	"edit": verbEdit, "patch": verbEdit, "insert": verbInsert, "prepend": verbInsert, "append": verbAppend, "write": verbWrite, "save": verbWrite,
	"overwrite": verbWrite, "rewrite": verbWrite, "create": verbCreate, "add": verbCreate, "delete": verbDelete, "remove": verbDelete,
	"rm": verbDelete, "unlink": verbDelete, "move": verbMove, "rename": verbMove, "mv": verbMove, "relocate": verbMove,
	"replace": verbChange, "update": verbChange, "modify": verbChange, "change": verbChange, "apply": verbChange, "fix": verbChange,
	"editor": verbChange, "exec": verbRun, "shell": verbRun, "run": verbRun, "bash": verbRun, "terminal": verbRun,
	"read": verbView, "view": verbView, "open": verbView, "cat": verbView, "list": verbView, "ls": verbView, "grep": verbView, "glob": verbView,
	"search": verbView, "find": verbView, "fetch": verbView, "browse": verbView, "get": verbView, "todo": verbView, "think": verbView,
	"ask": verbView, "query": verbView, "undo": verbView, "show": verbView, "stat": verbView, "task": verbView, "inspect": verbView,
	"copy": verbView, "cp": verbView, "duplicate": verbView, "backup": verbView, "link": verbView, "symlink": verbView, "swap": verbView,
	"compare": verbView, "diff": verbView, "count": verbView, "check": verbView, "validate": verbView, "lint": verbView, "explain": verbView, "comment": verbView,
	"str": verbEdit, "string": verbEdit, "put": verbWrite, "store": verbWrite, "set": verbWrite, "upsert": verbWrite, "writer": verbWrite,
	"make": verbCreate, "new": verbCreate, "touch": verbCreate,
	"generate": verbCreate, "annotate": verbView, "log": verbView, "print": verbView, "summarize": verbView, "translate": verbView,
	"commit": verbView, "test": verbView, "format": verbView, "review": verbView, "analyze": verbView,
	"upload": verbView, "download": verbView, "send": verbView, "convert": verbView, "revert": verbView, "restore": verbView,
}

var (
	// noEditWords are words in the names of tools that change nothing, or not what their fields say, whatever else their names say.
	noEditWords = []string{"explain", "undo", "revert", "propose", "suggest", "image", "images", "picture",
		"screenshot", "pdf", "excel", "xlsx", "docx", "pptx", "presentation", "spreadsheet", "video", "audio", "zip",
		"chart", "diagram"}

	// noEditBegins are such words where a name begins with one.
	noEditBegins = []string{"check", "validate", "verify", "review", "compare", "lint"}

	// elsewhere are words in the names of tools that write, but to no file that anybody edits, unless their names have a word for files too.
	elsewhere = []string{"log", "logs", "terminal", "console", "stdin", "stdout", "stderr", "clipboard", "memory",
		"memories"}

	// fileWords are words in the names of tools for whole files.
	fileWords = []string{"file", "files", "path", "paths", "fs"}

	// folderWords are words that may follow them, as in "delete_file_or_folder".
	folderWords = []string{"or", "folder", "dir", "directory"}

	// partWords are words in the names of tools that say that they move or rename something in a file.
	partWords = []string{"text", "line", "lines", "block", "blocks", "function", "method", "class", "variable",
		"symbol", "section", "paragraph", "row", "column", "selection", "range", "code", "comment", "cursor",
		"import", "imports", "field", "property", "parameter", "type"}

	// previewWords are words in the names of tools that show what an edit would do.
	previewWords = []string{"preview", "simulate", "simulated", "dry"}
)

// toolName returns the name of a tool without the names of servers in front of it: "mcp__fs__write_file", "functions.write_file".
func toolName(name string) string {
	for _, sep := range []string{"__", ".", ":", "/"} {
		if at := strings.LastIndex(name, sep); at >= 0 {
			name = name[at+len(sep):]
		}
	}
	return name
}

// taskOf returns the task of a call of a tool, "" if that is not known.
func taskOf(tool string) task {
	words := wordsIn(toolName(tool))
	t := task{said: noVerb, tool: tool, preview: hasAny(words, previewWords)}
	if tool != "" {
		t.said = verbOf(slices.DeleteFunc(words, func(word string) bool {
			return slices.Contains(previewWords, word) || word == "run" && t.preview
		}))
		t.toolSays = t.said
	}
	return t
}

// verbOf returns what the words in the name of a tool say that its calls do.
func verbOf(words []string) verb {
	said := verb(0)
	for i, word := range words {
		if slices.Contains(noEditWords, word) || i == 0 && slices.Contains(noEditBegins, word) {
			return verbView
		}
		said |= nameVerbs[word]
	}
	if said.has(verbWrite|verbAppend) && hasAny(words, elsewhere) && !hasAny(words, fileWords) {
		return verbView
	}
	for _, vague := range []verb{verbView, verbChange} {
		if said != vague {
			said &^= vague
		}
	}
	switch {
	case said == verbChange && slices.Contains(words, "in"):
		return verbEdit
	case said == 0:
		return noVerb
	case said&(said-1) != 0:
		return verbChange
	}
	return said
}

// hasAny reports whether one of some words is in a list.
func hasAny(words, list []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}

// takeTool makes t the task of the tool that o names beside the fields of the call. It reports whether that is the tool that the call
// is known to be of.
func (t *task) takeTool(o *jsonObject) bool {
	if o.strict != nil || !o.isNamed(toolField) {
		return true
	}
	name := o.text(toolField)
	if t.tool != "" && toolName(name) != toolName(t.tool) {
		o.failf("%q is %s, but the call is one of %s: expected them to agree", o.find(toolField), quote(name), quote(t.tool))
		return false
	}
	of := taskOf(name)
	t.tool, t.said, t.toolSays, t.preview = of.tool, of.said, of.toolSays, of.preview
	return true
}

// wordsIn returns the words of a name in lower case: of "createFile", "create_file" or "createfile".
func wordsIn(name string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			spaced.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(before):
			spaced.WriteByte(' ')
			fallthrough
		default:
			spaced.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	words := strings.Fields(spaced.String())
	for i, word := range words {
		if before, ok := strings.CutSuffix(word, "file"); ok && nameVerbs[before] != 0 {
			return slices.Concat(words[:i], []string{before, "file"}, words[i+1:])
		}
	}
	return words
}

// modeOf returns what the mode of a call says, and the name of that field; noVerb and "" if it has none.
func modeOf(o *jsonObject) (v verb, name string) {
	v = noVerb
	for i, means := range o.means {
		isCommand := means&commandField != 0
		if in := o.Values[i]; means&modeField == 0 || in.IsNull() || in.Kind() != '"' && isCommand {
			continue
		}
		n := o.Names[i]
		value, err := o.Text(n)
		is, known := modeVerbs[normalName(value)]
		wrong := ""
		switch {
		case o.strict != nil:
		case err != nil:
			wrong = err.Error()
		case !known && isCommand && !o.isNamed(pathField):
			continue // a command line
		case normalName(value) == "regex":
			wrong = "\"" + n + "\" is \"regex\": a regular expression is not carried out: send the exact old text instead"
		case is == verbView:
			wrong = quote(value) + " is not an edit: expected " + expectedModes(n)
		case !known:
			wrong = "\"" + n + "\" is " + quote(value) + ": expected " + expectedModes(n)
		case v != noVerb && v != is:
			wrong = "\"" + name + "\" and \"" + n + "\" say different things: expected one of them"
		}
		if wrong != "" && !o.reported {
			o.reported = true
			o.failf("%s", wrong)
		}
		v, name = is, n
	}
	return v, name
}

func expectedModes(name string) string {
	if s, ok := modesExpected[normalName(name)]; ok {
		return s
	}
	return modesExpected["mode"]
}

// has reports whether v and other have a verb in common.
func (v verb) has(other verb) bool { return v&other != 0 }
