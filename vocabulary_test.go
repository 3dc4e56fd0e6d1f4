package atomicedit

import (
	"maps"
	"slices"
	"strings"
)

// A Wording is a meaning, and the words of requests that have it.
type Wording struct {
	Meaning string
	Words   []string
}

// meaningsOfFields says what the fields of calls are, for docs/formats.md.
var meaningsOfFields = map[field]string{
	pathField: "the path", oldField: "the old text", newField: "the new text", expectedField: "the text that the lines must have",
	allField: "replace all places", countField: "the number of places", firstField: "the first line", lastField: "the last line",
	afterField: "the line to insert below", beforeField: "the line to insert above", lineField: "a line, which each tool counts in its own way",
	rangeField: "the first and the last line, in a list", spanField: "a range of a language server", nthField: "the place among several",
	textField: "the lines to insert", posField: "a line with its tag", endField: "the last line with its tag", linesField: "the new lines, in a list",
	contentField: "the whole content", overwriteField: "replace a file that exists", appendField: "append the content", emptyField: "the file is empty",
	endLineField: "end the content in a newline", leadLineField: "begin the content with a newline", editsField: "the edits",
	filesField: "the files", operationsField: "the operations", operationField: "the operation", patchField: "a patch or blocks",
	blocksField: "blocks or the whole content", percentageField: "the share of the file that changes", fromField: "the old path", toField: "the new path",
	pathsField: "the paths of files to delete", commandField: "a command line", cwdField: "the directory that paths start from", dryRunField: "only preview",
	versionField: "the version of the file", modeField: "what to do", toolField: "the name of the tool", codeField: "the whole content, of a tool that writes",
	newNameField: "the new name, in the same directory", deleteField: "delete the file",
}

// FieldWords returns the names of each field of a call.
func FieldWords() (all []Wording) {
	for _, row := range fieldTable() {
		words := slices.Clone(row.names)
		if len(words) > 40 { // some of them come from several lists
			slices.Sort(words)
			words = slices.Compact(words)
		}
		all = append(all, Wording{meaningsOfFields[row.field], words})
	}
	return all
}

// IgnoredWords returns the names of fields that mean nothing for an edit: always, and while they have a certain value.
func IgnoredWords() []Wording {
	all := []Wording{{"always", harmlessFields()}}
	byValue := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(meanings())) {
		if m := meanings()[name]; len(m.values) > 0 && !m.harmful {
			value := strings.Join(m.values, " or ")
			byValue[value] = append(byValue[value], name)
		}
	}
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		all = append(all, Wording{"while " + value, byValue[value]})
	}
	return all
}

var verbsInWords = []struct {
	verb verb
	says string
}{
	{verbEdit, "edit"}, {verbInsert, "insert"}, {verbAppend, "append"}, {verbWrite, "write a file, new or not"}, {verbCreate, "create a file"},
	{verbDelete, "delete"}, {verbMove, "move"}, {verbPatch, "apply a patch"}, {verbChunks, "apply chunks to a file"}, {verbRun, "run a command"},
	{verbChange, "any of these: the fields decide"}, {verbView, "no edit: refused"},
}

// VerbWords returns the values of modes, or the words in the names of tools, by what they ask for.
func VerbWords(ofTools bool) (all []Wording) {
	table := modeVerbs
	if ofTools {
		table = nameVerbs
	}
	for _, v := range verbsInWords {
		var words []string
		for _, word := range slices.Sorted(maps.Keys(table)) {
			if table[word] == v.verb {
				words = append(words, word)
			}
		}
		if len(words) > 0 {
			all = append(all, Wording{v.says, words})
		}
	}
	return all
}

// TokenWords returns the tokens of templates that come before a call, a name or arguments, and the others.
func TokenWords() []Wording {
	before, beside, results := Wording{Meaning: "before a call or a part of it"}, Wording{Meaning: "beside calls"}, Wording{Meaning: "before a result: refused"}
	for _, token := range slices.Sorted(maps.Keys(templateTokens)) {
		in := &before
		switch templateTokens[token] {
		case proseRole, skipRole:
			in = &beside
		case resultRole:
			in = &results
		}
		in.Words = append(in.Words, token)
	}
	return []Wording{before, beside, results}
}

// HashlineWords returns the verbs of hashlines: those that are carried out, and the others.
func HashlineWords() []Wording {
	done, refused := Wording{Meaning: "carried out"}, Wording{Meaning: "refused"}
	for _, word := range slices.Sorted(maps.Keys(hashlineVerbs)) {
		if hashlineVerbs[word].kind == otherLines {
			refused.Words = append(refused.Words, word)
		} else {
			done.Words = append(done.Words, word)
		}
	}
	return []Wording{done, refused}
}

// PatchMarkers returns the markers of patches, without spaces.
func PatchMarkers() []string { return slices.Sorted(maps.Keys(patchMarkers)) }

// TypedCalls returns the types of calls that have their arguments under a name of their own.
func TypedCalls() []string { return slices.Sorted(maps.Keys(typedCalls)) }

// RefusedFields returns the names of fields that cannot be carried out, by what the refusal says.
func RefusedFields() (all []Wording) {
	for _, row := range refusedFields() {
		all = append(all, Wording{row.say, row.names})
	}
	return all
}

// ToolWords returns the fields of each form of call that a tool of [Tools] takes, and of the entries in it.
func ToolWords() (all []Wording) {
	for _, k := range toolKinds {
		all = append(all, formWords(k.name, formsOf(k.fields))...)
	}
	return all
}

func formWords(of string, forms []form) (all []Wording) {
	for _, f := range forms {
		meaning, list := of, f.key
		if f.value != "" {
			meaning += " with " + f.key + " " + f.value
			list = editsField.name()
		}
		all = append(all, Wording{meaning, f.fields})
		all = append(all, formWords(meaning+" / "+list, f.elems)...)
	}
	return all
}
