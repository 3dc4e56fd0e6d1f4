package atomicedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A Tool is the definition of an editing tool, as a host offers it to a model. [Host.Call] carries out its calls. The zero value is
// no tool.
type Tool struct {
	Name        string
	Title       string // for people
	Description string // for the model: the purpose, the rules and an example, in at most 1,024 bytes

	// Schema is the JSON schema of the arguments, draft 2020-12. Objects allow no properties that it does not name. It has no
	// references, and no type that may be null.
	Schema json.RawMessage

	// Strict is the same schema for an API that samples arguments by it and accepts only a few keywords: every property is required,
	// one that Schema does not require may be null, and limits of lengths and numbers are left out. A null means the same as a property
	// that is missing. The parsers check the limits in any case.
	Strict json.RawMessage

	// Grammar describes, in Lark, the patch that apply_patch takes as the text of a call, for an API that offers tools without arguments in
	// JSON. Everything that it derives can be read, and it derives everything that [Plan.V4A] prints for plans whose files have names. It
	// is empty for a tool that takes only JSON.
	Grammar string

	// Reads tells a model how to read a file with the tool: the name of the tool, and what the call must have. It is empty for a tool
	// that reads none.
	Reads string
}

// Tools returns the tools whose calls [Tool.Parse] and [Host.Call] read: those with the given names, each once and in
// that order. A name that no tool has is an error, fs.ErrInvalid. Without names, it returns all of them: multi_edit,
// apply_patch, text_editor, multi_edit_file, file_write_or_edit and str_replace_editor. The caller may change the tools.
//
// Offer a model only a few tools. Several ways to make the same edit cost tokens in every request, and a model that has to choose among
// them mixes up their arguments. These sets are complete: each one reads, creates and edits files.
//
//   - str_replace_editor, alone or with multi_edit, which makes several edits in one call. Many models know both.
//   - apply_patch and str_replace_editor, for models that know V4A patches. apply_patch changes several files in one call, and deletes
//     and moves files.
//   - multi_edit_file and text_editor, for a request in JSON that changes several files.
//   - file_write_or_edit and str_replace_editor, for models that write blocks of whole lines better than JSON.
//
// With a reading tool of your own, multi_edit, apply_patch, multi_edit_file or file_write_or_edit is enough. In either case, tell the
// host which tools it offers: see [Host].
func Tools(names ...string) ([]Tool, error) {
	if len(names) == 0 {
		for _, k := range toolKinds {
			names = append(names, k.name)
		}
	}
	var tools []Tool
	for i, name := range names {
		at := slices.IndexFunc(toolKinds, func(k toolKind) bool { return k.name == name })
		if at < 0 {
			return nil, fmt.Errorf("atomicedit: there is no tool %q: %w", name, fs.ErrInvalid)
		}
		if !slices.Contains(names[:i], name) {
			tools = append(tools, toolKinds[at].tool())
		}
	}
	return tools, nil
}

// tool returns the definition of k.
func (k toolKind) tool() Tool {
	return Tool{
		Name: k.name, Title: k.title, Description: k.description, Grammar: k.grammar, Reads: k.reads,
		Schema: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema",` + schemaOf(k.fields, false) + "}"),
		Strict: json.RawMessage("{" + schemaOf(k.fields, true) + "}"),
	}
}

// Parse reads the arguments of a call of t, which is one of [Tools] by its name, or the text of the call if t has a Grammar. It reads
// only the shapes of this tool, so that one tool cannot be made to do what another is for. It refuses a call that shows a file
// (text_editor's read and str_replace_editor's view), because that is not a plan: use [Host.Call]. The errors are those of
// [ParseJSON].
func (t Tool) Parse(args []byte) (Plan, error) {
	k, err := kindOf(t.Name, toolKinds)
	if err != nil {
		return Plan{}, err
	}
	p, _, err := k.read(args, false)
	return p, err
}

// parse reads a call, which has either a plan or a view.
func (k toolKind) parse(args []byte) (Plan, *view, error) { return k.read(args, true) }

// read reads a call. Calls that show a file are refused unless views is set.
func (k toolKind) read(args []byte, views bool) (Plan, *view, error) {
	if k.grammar != "" && !bytes.HasPrefix(bytes.TrimSpace(args), []byte("{")) && textFormat(string(args)) == formatV4A {
		p, err := ParseV4A(string(args))
		if p.lacksPath() {
			p, err = Plan{}, patchOfNoFile(1)
		}
		return p, nil, err
	}
	data, err := parseJSON(args)
	if err != nil {
		return Plan{}, nil, withPartial(err, args, Tool{Name: k.name}.Parse)
	}
	r := newJSONReader(args)
	o, err := r.call(data, theRequest)
	if err != nil {
		return Plan{}, nil, err
	}
	t := task{said: noVerb, bare: k.bare}
	f, ok := k.formOf(o, views)
	if !ok {
		return Plan{}, nil, r.problems()
	}
	if f.name == k.views {
		v := readView(o)
		expectForm(o, f)
		return Plan{}, v, r.problems()
	}
	t.forms = f.elems
	o.strict = f.fields
	p, err := readCall(o, t)
	if err == nil {
		expectForm(o, f)
		err = r.problems()
	}
	if err != nil {
		return Plan{}, nil, err
	}
	return p, nil, nil
}

// kindOf returns the kind of a tool that must be among those offered.
func kindOf(tool string, offered []toolKind) (toolKind, error) {
	var names []string
	for _, k := range offered {
		if k.name == tool {
			return k, nil
		}
		names = append(names, k.name)
	}
	msg := "there is no tool " + quote(tool)
	if len(names) > 0 {
		msg += ": expected " + strings.Join(names, ", ")
	}
	return toolKind{}, refuse(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: msg})
}

// kindsOf returns the kinds of tools that a host carries out if it offers the given ones.
func kindsOf(offered []Tool) []toolKind {
	if len(offered) == 0 {
		return toolKinds
	}
	return slices.DeleteFunc(slices.Clone(toolKinds), func(k toolKind) bool {
		return !slices.ContainsFunc(offered, func(t Tool) bool { return t.Name == k.name })
	})
}

// howToRead returns a line that tells a model how to read a file: with the tool that it has called, if that reads files, or else with
// the first one offered that does. It returns "" if no tool is known to be offered.
func howToRead(offered []Tool, called string) string {
	if len(offered) == 0 && called != "" { // otherwise the host has tools of its own
		offered, _ = Tools() // only a name could be wrong
	}
	reads := ""
	for _, t := range offered {
		if t.Reads != "" && (reads == "" || t.Name == called) {
			reads = t.Reads
		}
	}
	if reads == "" {
		return ""
	}
	return "\nnote: to read a file, call " + reads
}

// formOf returns the form of a call. A sign that is null counts only if no other is there.
func (k toolKind) formOf(o *jsonObject, views bool) (form, bool) {
	forms := formsOf(k.fields)
	if !views {
		forms = slices.DeleteFunc(forms, func(f form) bool { return f.name == k.views })
	}
	f, ok := formAmong(o, forms)
	if !ok && !o.failed() {
		var keys []string
		for _, f := range forms {
			if !f.hidden {
				keys = append(keys, quote(f.key))
			}
		}
		keys = slices.Compact(keys)
		o.failf("this is not a call of %s, as it has %s: expected the field %s", k.name, o.fieldNames(), strings.Join(keys, " or "))
	}
	return f, ok
}
