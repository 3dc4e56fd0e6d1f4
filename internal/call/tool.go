package call

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/patch"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A Tool has the fields of a Tool of package atomicedit, which documents them.
type Tool struct {
	Name, Title, Description string
	Schema, Strict           json.RawMessage
	Grammar, Reads           string
}

// Tools returns the tools with the given names, each once and in that order; without names, all of them.
func Tools(names ...string) ([]Tool, error) {
	if len(names) == 0 {
		for _, k := range ToolKinds {
			names = append(names, k.Name)
		}
	}
	var tools []Tool
	for i, name := range names {
		at := slices.IndexFunc(ToolKinds, func(k ToolKind) bool { return k.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("atomicedit: there is no tool %q: %w", name, fs.ErrInvalid)
		}
		if !slices.Contains(names[:i], name) {
			tools = append(tools, ToolKinds[at].tool())
		}
	}
	return tools, nil
}

func (k ToolKind) tool() Tool {
	return Tool{
		Name: k.Name, Title: k.title, Description: k.description + onRefusal, Grammar: k.grammar, Reads: k.reads,
		Schema: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema",` +
			schemaOf(k.Fields, false) + "}"),
		Strict: json.RawMessage("{" + schemaOf(k.Fields, true) + "}"),
	}
}

// Parse reads the arguments of a call of t. It refuses a call that shows a file, because that is not a plan.
func (t Tool) Parse(args []byte) (plan.Plan, error) {
	k, err := KindOf(t.Name, ToolKinds)
	if err != nil {
		return plan.Plan{}, err
	}
	p, _, _, err := k.Parse(args, false)
	return p, err
}

// Parse reads a call as a plan or, if views is set, as a view. The note, "" or a line, is for whoever gets the answer.
func (k ToolKind) Parse(args []byte, views bool) (p plan.Plan, v *View, note string, err error) {
	inner := ""
	if bytes.HasPrefix(bytes.TrimSpace(args), []byte{'"'}) && json.Unmarshal(args, &inner) == nil && inner != "" &&
		!strings.ContainsRune(inner, utf8.RuneError) { // which package json puts in the place of what is no text
		args = []byte(inner) // they were encoded once too often
	}
	body := bytes.TrimSpace(args)
	isJSON := len(body) == 0 || body[0] == '{' ||
		strings.IndexByte(`["`, body[0]) >= 0 && textFormat(string(args)) != marker.V4A
	if k.grammar != "" && !isJSON {
		p, err = readDiff(string(args))
		if p.LacksPath() {
			p, err = plan.Plan{}, patch.OfNoFile(1)
		}
		return p, nil, "", err
	}
	data, err := jsonread.ParseJSON(args)
	if err != nil {
		return p, nil, "", WithPartial(err, args, func(_ *jsonread.Request, v jsonobj.Value) (plan.Plan, error) {
			return Tool{Name: k.Name}.Parse(v.Raw)
		})
	}
	r := jsonread.NewRequest(args)
	o, err := r.Call(data, jsonread.TheRequest)
	if err != nil {
		return p, nil, "", err
	}
	forms := slices.DeleteFunc(FormsOf(k.Fields), func(f Form) bool { return !views && f.name == k.views })
	if f, ok := formAmong(o, forms); ok {
		if f.name == k.views {
			v = readView(o)
		} else {
			o.Strict = f.Fields
			p = ReadCall(o, task{said: noVerb, bare: k.bare, forms: f.Elems})
		}
		o.AllowAmong(f.Fields, f.shown)
		isText := func(name string) bool { return field.MeaningOf(name).Fields&field.TextField != 0 }
		own := slices.DeleteFunc(slices.Clone(f.Fields), func(name string) bool { return !isText(name) })
		switch {
		case len(f.ignored) == 0:
		case len(own) > 0 && !slices.ContainsFunc(own, o.IsSet): // it would be deleted
			o.Failf("%q has no %s: send the text as %q", f.name, strings.Join(f.ignored, " and no "), own[0])
		default:
			note = fmt.Sprintf("note: %q has no %s, so its text was ignored\n", f.name,
				strings.Join(f.ignored, " and no "))
		}
	}
	if err := r.Problems(); err != nil {
		var bad *plan.Refusal
		if errors.As(err, &bad) {
			if r.Stopped == nil && !r.Full() {
				bad.Rest = p
			}
			bad.Rest = bad.Rest.ForFile(o.Said(o.Find(field.PathField)))
			bad.Rest.Ops = slices.DeleteFunc(bad.Rest.Ops, func(op plan.Op) bool { return op.Path == "" })
		}
		return plan.Plan{}, nil, "", err
	}
	return p, v, note, nil
}

// KindOf returns the kind of a tool that must be among those offered.
func KindOf(tool string, offered []ToolKind) (ToolKind, error) {
	var names []string
	for _, k := range offered {
		if k.Name == tool {
			return k, nil
		}
		names = append(names, k.Name)
	}
	msg := "there is no tool " + plan.Excerpt(tool)
	if len(names) > 0 {
		msg += ": expected " + strings.Join(names, ", ")
	}
	return ToolKind{}, plan.Syntax(0, msg)
}

// KindsOf returns the kinds of tools that a host carries out if it offers the given ones.
func KindsOf(offered []Tool) []ToolKind {
	if offered == nil {
		return ToolKinds
	}
	return slices.DeleteFunc(slices.Clone(ToolKinds), func(k ToolKind) bool {
		return !slices.ContainsFunc(offered, func(t Tool) bool { return t.Name == k.Name })
	})
}

// HowToRead returns a line that tells a model how to read a file: with the tool that it has called, if that reads
// files, or else with the first one offered that does. It returns "" if no tool is known to be offered.
func HowToRead(offered []Tool, called string) string {
	if offered == nil && called != "" { // otherwise the host has tools of its own
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

// Allows reports whether a plan does nothing but what k is for. One that edits text only edits files that are there.
func (k ToolKind) Allows(p plan.Plan) bool {
	isMore := func(op plan.Op) bool { return op.Kind != plan.OpEdit || op.To != "" || op.Overwrite }
	return k.files || !slices.ContainsFunc(p.Ops, isMore)
}

// HowToWrite returns a line that tells a model how to replace all of a file, with the tool that it has called, or else
// with the first one offered that can. It returns "" if none can, or no tool is known to be offered.
func HowToWrite(offered []Tool, called string) string {
	if k, _ := KindOf(called, ToolKinds); k.replaces != "" {
		return k.replaces
	}
	for _, k := range KindsOf(offered) {
		if k.writes != "" && (offered != nil || called != "") {
			return "\nnote: to replace all of the file, call " + k.writes
		}
	}
	return ""
}

// HowToChoose returns a line that tells a model how a tool replaces all of several occurrences, or one, or "".
func HowToChoose(called string) string {
	k, _ := KindOf(called, ToolKinds)
	return k.chooses
}

// A View is a call that shows a file: the lines first to last, 0 standing for the first and the last that the file has.
type View struct {
	Path        string
	First, Last int
}

func readView(o *jsonread.Object) *View {
	v := &View{Path: pathIn(o, field.PathField, "")}
	numbers, err := o.Ints("view_range")
	if o.Check(err); numbers == nil {
		numbers = []int{o.Number(field.FirstField, 1), o.Number(field.LastField, 1)}
	}
	if len(numbers) != 2 {
		o.Failf("the range has %d %s: expected two, the first and the last line to show",
			len(numbers), plan.Plural(len(numbers), "number"))
		return v
	}
	v.First, v.Last = numbers[0], numbers[1]
	if v.Last == -1 {
		v.Last = 0
	}
	if v.First < 0 || v.Last < 0 || v.Last > 0 && v.Last < v.First {
		o.Failf("lines %d to %d are not a range: expected the first and the last line to show, counted from 1",
			numbers[0], numbers[1])
	}
	return v
}
