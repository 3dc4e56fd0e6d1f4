package call

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A Verb is what a call asks for, as far as its mode or the name of its tool says it. Several may be in question.
type Verb int

const (
	VerbEdit Verb = 1 << iota
	VerbInsert
	VerbAppend
	VerbWrite // creates a file, or takes the place of one
	VerbCreate
	VerbDelete
	VerbMove
	VerbPatch
	VerbChunks // a patch of one file
	verbDiff   // the old and the new text of a file, or of a part of it
	VerbRun    // a command line
	VerbView   // changes nothing, or what is no edit
	VerbChange // of a name only: any of the others but VerbView
	noVerb     // nothing is said

	anyVerb = noVerb - 1 - VerbView
)

// ModeVerbs has the values of fields such as "command" and "mode", normalised.
var ModeVerbs = field.Table[map[string]Verb]{Make: func() map[string]Verb {
	return field.TableOf(map[Verb]string{
		VerbEdit: `edit replace strreplace replacetext update modify searchreplace findreplace literal
			editfile change replacelines replacerange editlines`,
		VerbChunks:           `updatefile`,
		VerbInsert:           `insert prepend insertlines inserttext insertline`,
		VerbAppend:           `append a appendeof appendlines`,
		VerbWrite:            `w write overwrite rewrite save writefile file`,
		VerbCreate:           `x create createfile add addfile new newfile`,
		VerbDelete:           `delete deletefile remove removefile unlink rm`,
		VerbMove:             `move rename movefile renamefile mv`,
		VerbPatch:            `patch applypatch applypatchapprovalrequest patchapplybegin`,
		VerbPatch | verbDiff: `diff`,
		VerbRun:              `exec run`,
		VerbView:             `view read undoedit show list`,
	})
}}

// modesExpected lists what fields may say, for messages.
var modesExpected = map[string]string{
	"command": "create, str_replace or insert",
	"action":  "write or patch",
	"type":    "edit, create, delete or move",
	"mode":    "edit, write, create or append",
}

// NameVerbs has words in the names of tools.
var NameVerbs = field.Table[map[string]Verb]{Make: func() map[string]Verb {
	return field.TableOf(map[Verb]string{
		VerbEdit:   `edit patch str string`,
		VerbInsert: `insert prepend`,
		VerbAppend: `append`,
		VerbWrite:  `write save overwrite rewrite put store set upsert writer suggest`,
		VerbCreate: `create add make new touch generate`,
		VerbDelete: `delete remove rm unlink`,
		VerbMove:   `move rename mv relocate`,
		VerbChange: `replace update modify change apply fix editor`,
		VerbRun:    `exec shell run bash terminal`,
		VerbView: `read view open cat list ls grep glob search find fetch browse get todo think ask query undo show stat
		task inspect copy cp duplicate backup link symlink swap compare diff count check validate lint explain
		comment annotate log print summarize translate commit test format review analyze upload download send
		convert revert restore`,
	})
}}

var (
	// noEditWords are words in the names of tools that change nothing, whatever else their names say.
	noEditWords = []string{"explain", "undo", "revert", "propose"}

	// noTextWords are words in the names of tools that may not write a text, unless their fields edit one.
	noTextWords = []string{"image", "images", "picture", "screenshot", "pdf", "excel", "xlsx", "docx", "pptx",
		"presentation", "spreadsheet", "video", "audio", "zip", "chart", "diagram"}

	// noEditBegins are such words where a name begins with one.
	noEditBegins = []string{"check", "validate", "verify", "review", "compare", "lint"}

	// elsewhere are words in the names of tools that write to no file, unless there is a word for files too.
	elsewhere = []string{"log", "logs", "terminal", "console", "stdin", "stdout", "stderr", "clipboard", "memory",
		"memories"}

	// fileWords are words in the names of tools for whole files.
	fileWords = []string{"file", "files", "path", "paths", "fs"}

	// folderWords are words that may follow them, as in "delete_file_or_folder".
	folderWords = []string{"or", "folder", "dir", "directory"}

	// textWords are words in the names of tools for all of a text, and wholeWords for something else that is a file.
	textWords  = []string{"text", "code", "content", "contents"}
	wholeWords = []string{"document", "documents", "doc", "docs", "note", "notes", "page", "pages", "script",
		"artifact", "source", "resource", "item", "items", "workspace", "filesystem", "disk"}

	// smallWords say nothing about what a tool changes.
	smallWords = []string{"and", "to", "all", "safe", "multi", "smart", "dyad", "lov", "tool", "v", "based"}

	// previewWords are words in the names of tools that show what an edit would do.
	previewWords = []string{"preview", "simulate", "simulated", "dry"}
)

// toolName returns the name of a tool without those of servers in front: "mcp__fs__write", "functions.write".
func toolName(name string) string {
	name = name[strings.LastIndexAny(name, ".:/")+1:]
	if at := strings.LastIndex(name, "__"); at >= 0 {
		name = name[at+len("__"):]
	}
	return name
}

// verbOf returns what the words in the name of a tool say that its calls do.
func verbOf(words []string) Verb {
	said := Verb(0)
	for i, word := range words {
		if slices.Contains(noEditWords, word) || i == 0 && slices.Contains(noEditBegins, word) {
			return VerbView
		}
		said |= NameVerbs.Get()[word]
	}
	if said.has(VerbWrite|VerbAppend) && hasAny(words, elsewhere) && !hasAny(words, fileWords) {
		return VerbView
	}
	for _, vague := range []Verb{VerbView, VerbChange} {
		if said != vague {
			said &^= vague
		}
	}
	// What stands in front of "write" names a server.
	first := max(0, slices.IndexFunc(words, func(word string) bool { return NameVerbs.Get()[word].has(VerbWrite) }))
	several := said&(said-1) != 0
	isJoined := slices.Contains(words, "or") || slices.Contains(words, "and") // as in "edit_or_create"
	switch {
	case said == VerbChange && slices.Contains(words, "in"),
		said.has(VerbChange|VerbWrite) && nameAPart(words[first:]),
		several && (said.has(VerbInsert|VerbAppend) || said.has(VerbEdit) && !isJoined):
		return VerbEdit
	case said == 0:
		return noVerb
	case several:
		return VerbChange
	}
	return said
}

func hasAny(words, list []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}

// wordsIn returns the words of a name in lower case: of "createFile", "create_file" or "createfile".
func wordsIn(name string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(r))
		before = r
	}
	words := strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range words {
		if before, ok := strings.CutSuffix(word, "file"); ok && NameVerbs.Get()[before] != 0 {
			return slices.Concat(words[:i], []string{before, "file"}, words[i+1:])
		}
	}
	return words
}

// modeOf returns what the mode of a call says, and the name of that field; noVerb and "" if it has none.
func modeOf(o *jsonread.Object) (v Verb, name string) {
	v = noVerb
	for i, means := range o.Means {
		isCommand := means&field.CommandField != 0
		if in := o.Values[i]; means&field.ModeField == 0 || in.IsNull() || in.Kind() != '"' && isCommand {
			continue
		}
		n := o.Names[i]
		value, err := o.Text(n)
		is, known := ModeVerbs.Get()[field.NormalName(value)]
		switch {
		case o.Strict != nil:
		case err != nil:
			o.FailOnce("%s", err)
		case !known && isCommand && !o.IsNamed(field.PathField):
			continue // a command line
		case field.NormalName(value) == "regex":
			o.FailOnce(`%q is "regex": a regular expression is not carried out: send the exact old text instead`, n)
		case is == VerbView:
			o.FailOnce("%s is not an edit: expected %s", plan.Excerpt(value), expectedModes(n))
		case !known:
			o.FailOnce("%q is %s: expected %s", n, plan.Excerpt(value), expectedModes(n))
		case v != noVerb && v != is:
			o.FailOnce("%q and %q say different things: expected one of them", name, n)
		}
		v, name = is, n
	}
	return v, name
}

func expectedModes(name string) string {
	return cmp.Or(modesExpected[field.NormalName(name)], modesExpected["mode"])
}

func (v Verb) has(other Verb) bool { return v&other != 0 }

// nameAPart reports whether the words of a tool say that it changes a part of a file, as anything is that is no file:
// "write_footer", "update_file_section", but not "write_section_file".
func nameAPart(words []string) bool {
	acts, object := false, "file"
	for _, word := range words {
		switch {
		case NameVerbs.Get()[word]&^VerbView != 0:
			acts = true
		case !slices.Contains(smallWords, word):
			object = word
		}
	}
	return acts && !slices.Contains(slices.Concat(fileWords, folderWords, textWords, wholeWords), object)
}

// onlyWrites reports whether the words of a tool say that it writes, and nothing else.
func onlyWrites(words []string) bool {
	said := Verb(0)
	for _, word := range words {
		said |= NameVerbs.Get()[word]
	}
	return said == VerbWrite
}

// namesFiles reports whether the words of a tool say that it does something with files as a whole.
func namesFiles(words []string, does Verb) bool {
	orFolder := slices.Contains(words, "file") && slices.Contains(words, "or")
	return !slices.ContainsFunc(words, func(word string) bool {
		return NameVerbs.Get()[word] != does && !slices.Contains(fileWords, word) &&
			!(orFolder && slices.Contains(folderWords, word))
	})
}
