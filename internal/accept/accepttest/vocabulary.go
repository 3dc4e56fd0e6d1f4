package accepttest

import (
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/request"
)

// A Wording is a meaning, and the words of requests that have it.
type Wording struct {
	Meaning string
	Words   []string
}

// meaningsOfFields says what the fields of calls are, for docs/formats.md.
var meaningsOfFields = map[field.Set]string{
	field.PathField: "the path", field.OldField: "the old text", field.NewField: "the new text",
	field.ExpectedField: "the text that the lines must have",
	field.AllField:      "replace all places", field.CountField: "the number of places",
	field.FirstField: "the first line", field.LastField: "the last line",
	field.AfterField: "the line to insert below", field.BeforeField: "the line to insert above",
	field.LineField:  "a line, which each tool counts in its own way",
	field.RangeField: "the first and the last line, in a list", field.SpanField: "a range of a language server",
	field.NthField:  "the place among several",
	field.TextField: "the lines to insert", field.PosField: "a line with its tag",
	field.EndField: "the last line with its tag", field.LinesField: "the new lines, in a list",
	field.ContentField: "the whole content", field.OverwriteField: "replace a file that exists",
	field.AppendField: "append the content", field.EmptyField: "the file is empty",
	field.EndLineField: "end the content in a newline", field.LeadLineField: "begin the content with a newline",
	field.EditsField: "the edits",
	field.FilesField: "the files", field.OperationsField: "the operations", field.OperationField: "the operation",
	field.PatchField:  "a patch or blocks",
	field.BlocksField: "blocks or the whole content", field.PercentageField: "the share of the file that changes",
	field.FromField: "the old path", field.ToField: "the new path",
	field.PathsField: "the paths of files to delete", field.CommandField: "a command line",
	field.CwdField: "the directory that paths start from", field.DryRunField: "only preview",
	field.VersionField: "the version of the file", field.ModeField: "what to do",
	field.ToolField: "the name of the tool", field.CodeField: "the whole content, of a tool that writes",
	field.NewNameField: "the new name, in the same directory", field.DeleteField: "delete the file",
	field.ByNameField: "files by their paths",
}

// FieldWords returns the names of each field of a call.
func FieldWords() (all []Wording) {
	for _, row := range field.FieldTable {
		words := row.Names()
		if len(words) > 40 { // some of them come from several lists
			slices.Sort(words)
			words = slices.Compact(words)
		}
		all = append(all, Wording{meaningsOfFields[row.Field], words})
	}
	return all
}

// IgnoredWords returns the names of fields that mean nothing for an edit: always, and while they have a certain value.
func IgnoredWords() []Wording {
	all := []Wording{{"always", field.HarmlessFields()},
		{"where the call does not write or delete a file", field.PartFields[0].Names.Words()}}
	byValue := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(field.Meanings.Get())) {
		if m := field.Meanings.Get()[name]; len(m.Values) > 0 && !m.Harmless {
			value := strings.Join(m.Values, " or ")
			byValue[value] = append(byValue[value], name)
		}
	}
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		all = append(all, Wording{"while " + value, byValue[value]})
	}
	return all
}

var verbsInWords = []struct {
	verb call.Verb
	says string
}{
	{call.VerbEdit, "edit"}, {call.VerbInsert, "insert"}, {call.VerbAppend, "append"},
	{call.VerbWrite, "write a file, new or not"}, {call.VerbCreate, "create a file"},
	{call.VerbDelete, "delete"}, {call.VerbMove, "move"}, {call.VerbPatch, "apply a patch"},
	{call.VerbChunks, "apply chunks to a file"}, {call.VerbRun, "run a command"},
	{call.VerbChange, "any of these: the fields decide"}, {call.VerbView, "no edit: refused"},
}

// VerbWords returns the values of modes, or the words in the names of tools, by what they ask for.
func VerbWords(ofTools bool) (all []Wording) {
	table := call.ModeVerbs.Get()
	if ofTools {
		table = call.NameVerbs.Get()
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
	before, beside, results := Wording{Meaning: "before a call or a part of it"}, Wording{Meaning: "beside calls"},
		Wording{Meaning: "before a result: refused"}
	for _, token := range slices.Sorted(maps.Keys(request.TemplateTokens.Get())) {
		in := &before
		switch request.TemplateTokens.Get()[token] {
		case request.ProseRole, request.SkipRole:
			in = &beside
		case request.ResultRole:
			in = &results
		}
		in.Words = append(in.Words, token)
	}
	return []Wording{before, beside, results}
}

// HashlineWords returns the verbs of hashlines: those that are carried out, and the others.
func HashlineWords() []Wording {
	done, refused := Wording{Meaning: "carried out"}, Wording{Meaning: "refused"}
	for _, word := range slices.Sorted(maps.Keys(marker.HashlineVerbs.Get())) {
		if marker.HashlineVerbs.Get()[word].Kind == marker.OtherLines {
			refused.Words = append(refused.Words, word)
		} else {
			done.Words = append(done.Words, word)
		}
	}
	return []Wording{done, refused}
}

// PatchMarkers returns the markers of patches, without spaces.
func PatchMarkers() []string { return slices.Sorted(maps.Keys(marker.PatchMarkers)) }

// TypedCalls returns the types of calls that have their arguments under a name of their own.
func TypedCalls() []string { return slices.Sorted(maps.Keys(call.TypedCalls)) }

// RefusedFields returns the names of fields that cannot be carried out, by what the refusal says.
func RefusedFields() (all []Wording) {
	for _, row := range field.RefusedFields {
		all = append(all, Wording{row.Say, row.Names.Words()})
	}
	return all
}

// ToolWords returns the fields of each form of call that a tool of [Tools] takes, and of the entries in it.
func ToolWords() (all []Wording) {
	for _, k := range call.ToolKinds {
		all = append(all, formWords(k.Name, call.FormsOf(k.Fields))...)
	}
	return all
}

func formWords(of string, forms []call.Form) (all []Wording) {
	for _, f := range forms {
		meaning, list := of, f.Key
		if f.Value != "" {
			meaning += " with " + f.Key + " " + f.Value
			list = field.EditsField.Names()[0]
		}
		all = append(all, Wording{meaning, f.Fields})
		all = append(all, formWords(meaning+" / "+list, f.Elems)...)
	}
	return all
}

// FieldNames returns the names of the fields of calls, by what they mean.
func FieldNames() map[string][]string {
	names := map[string][]string{}
	for meaning, f := range map[string]field.Set{
		"path": field.PathField, "old": field.OldField, "new": field.NewField, "all": field.AllField,
		"count": field.CountField, "first": field.FirstField, "last": field.LastField,
		"after": field.AfterField, "before": field.BeforeField, "text": field.TextField, "content": field.ContentField,
		"overwrite": field.OverwriteField,
		"append":    field.AppendField, "edits": field.EditsField, "files": field.FilesField,
		"operations": field.OperationsField, "patch": field.PatchField,
		"source": field.FromField, "destination": field.ToField, "cwd": field.CwdField, "dry run": field.DryRunField,
		"mode":     field.ModeField,
		"expected": field.ExpectedField,
	} {
		names[meaning] = f.Names()
	}
	return names
}

// HarmlessFields returns the names of fields that mean nothing for an edit.
func HarmlessFields() []string { return field.HarmlessFields() }

// CallShapes and EditShapes have a name for each row of the tables of shapes: its keys.
func CallShapes() []string { return keysOf(call.CallShapes()) }
func EditShapes() []string { return keysOf(call.EditShapes) }

func keysOf(shapes []call.Shape) []string {
	all := make([]string, len(shapes))
	for i, s := range shapes {
		all[i] = shapeName(s)
	}
	return all
}

func shapeName(s call.Shape) string {
	var all []string
	for rest := s.Keys; rest != 0; rest &= rest - 1 {
		all = append(all, (rest & -rest).Names()[0])
	}
	return strings.Join(all, " and ")
}

// WithoutCallShape and WithoutEditShape run a function while the rows of a name are missing from the table.
func WithoutCallShape(name string, run func()) { without(call.CallShapes(), name, run) }
func WithoutEditShape(name string, run func()) { without(call.EditShapes, name, run) }

// without cuts rows out of a table. The last row that is left fills the places at the end, where it changes nothing.
func without(table []call.Shape, name string, run func()) {
	whole := slices.Clone(table)
	defer func() { copy(table, whole) }()
	kept := slices.DeleteFunc(slices.Clone(table), func(s call.Shape) bool { return shapeName(s) == name })
	for i := range table {
		table[i] = kept[min(i, len(kept)-1)]
	}
	run()
}
