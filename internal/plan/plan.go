// Package plan has the plan that a request asks for, with its edits, and what can be said of it without a search:
// whether the fields of an edit go together, where a text has its columns, whether its tags fit the lines, and whether
// a format can express it.
//
// A Plan, Op, Edit, Range, Tag and Refusal have the fields of those of package atomicedit, which documents them. A
// Problem refuses an edit. The other packages that refuse edits share the words for it.
package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

type Plan struct {
	Ops    []Op   `json:"ops,omitempty"`
	DryRun bool   `json:"dry_run,omitempty"`
	Format string `json:"format,omitempty"`
}

type OpKind int

const (
	OpEdit OpKind = iota
	OpCreate
	OpDelete
	OpMove
)

var opKindNames = []string{OpEdit: "edit", OpCreate: "create", OpDelete: "delete", OpMove: "move"}

func (k OpKind) String() string { return NameOf(k, opKindNames, "operation") }

func (k OpKind) MarshalText() ([]byte, error) { return MarshalName(k, opKindNames) }

func (k *OpKind) UnmarshalText(name []byte) error {
	return UnmarshalName(k, opKindNames, "operation", name)
}

// NameOf returns the name of a value, or its number behind the kind of value that it is.
func NameOf[K ~int](k K, names []string, kind string) string {
	if k >= 0 && int(k) < len(names) && names[k] != "" {
		return names[k]
	}
	return fmt.Sprintf("%s %d", kind, int(k))
}

// MarshalName returns the name of a value, whose type has names for its values from 0 on.
func MarshalName[K ~int](k K, names []string) ([]byte, error) {
	if k < 0 || int(k) >= len(names) {
		return nil, fmt.Errorf("unknown %v: %w", k, fs.ErrInvalid)
	}
	return []byte(names[k]), nil
}

// UnmarshalName sets k to the value that has a name.
func UnmarshalName[K ~int](k *K, names []string, kind string, name []byte) error {
	i := slices.Index(names, string(name))
	if i < 0 {
		return fmt.Errorf("unknown %s %q: %w", kind, name, fs.ErrInvalid)
	}
	*k = K(i)
	return nil
}

type Op struct {
	Kind      OpKind      `json:"kind"`
	Path      string      `json:"path,omitempty"`
	To        string      `json:"to,omitempty"`
	Edits     []Edit      `json:"edits,omitempty"`
	Content   string      `json:"content,omitempty"`
	Mode      fs.FileMode `json:"mode,omitempty"`
	Overwrite bool        `json:"overwrite,omitempty"`
	Exclusive bool        `json:"exclusive,omitempty"`
	Version   Version     `json:"version,omitempty"`
}

// IsEmpty reports whether op is an edit of a file, but has no edits.
func (op Op) IsEmpty() bool { return op.Kind == OpEdit && len(op.Edits) == 0 }

// A Version identifies the content of a file: its hash, or the tag that a listing of hashlines has for it.
type Version string

// HashlineVersion begins a version that is the tag of a file.
const HashlineVersion = "hashline:"

func VersionOf(data []byte) Version { return Version(fmt.Sprintf("sha256:%x", sha256.Sum256(data))) }

// ReadVersion returns the version that a request names, perhaps by its hash alone.
func ReadVersion(s string) Version {
	if len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdefABCDEF") == "" {
		return Version("sha256:" + strings.ToLower(s))
	}
	return Version(s)
}

// CountsLines reports whether an edit has line numbers, which count the text that its op starts from.
func (e Edit) CountsLines() bool {
	return e.First != 0 || e.Near != 0 || e.Range != nil || len(e.Tags) > 0
}

// NumberEdits sets the Number of each edit, which counts those that the request has for its file.
func (p Plan) NumberEdits() {
	numbers := map[string]int{}
	for _, op := range p.Ops {
		isFirst := p.Format == "blocks" || len(op.Edits) > 0 && op.Edits[0].Number == 2 // its content, of a list
		if op.Kind == OpCreate && isFirst {
			numbers[op.Path]++
		}
		for i := range op.Edits {
			numbers[op.Path]++
			if op.Edits[i].Number = numbers[op.Path]; op.Edits[i].Number == i+1 {
				op.Edits[i].Number = 0
			}
		}
	}
}

// ForFile returns p with path as the file of every operation that names none. It modifies no argument.
func (p Plan) ForFile(path string) Plan {
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		p.Ops[i].Path = cmp.Or(p.Ops[i].Path, path)
	}
	return p
}

func (p Plan) LacksPath() bool {
	return slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Path == "" })
}

// In returns p with dir in front of every path that is relative. It modifies no argument.
func (p Plan) In(dir string) Plan {
	p.Ops = slices.Clone(p.Ops)
	for i, op := range p.Ops {
		p.Ops[i].Path, p.Ops[i].To = names.In(dir, op.Path), names.In(dir, op.To)
	}
	return p
}

// EachString calls yield with every string in v and the name of its field: that in JSON, or its own in small letters.
func EachString(v reflect.Value, name string, yield func(name, value string)) {
	switch v.Kind() {
	case reflect.String:
		yield(name, v.String())
	case reflect.Pointer:
		EachString(v.Elem(), name, yield) // nothing if it is nil
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			EachString(v.Index(i), name, yield)
		}
	case reflect.Map:
		for entry := v.MapRange(); entry.Next(); { // Seq2 would link the calls of functions by reflection
			EachString(entry.Key(), name, yield)
			EachString(entry.Value(), name, yield)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			EachString(v.Field(i), cmp.Or(tag, strings.ToLower(f.Name)), yield)
		}
	}
}

// Marshal returns v in JSON. It fails if JSON cannot represent one of its strings.
func Marshal(v any) (data []byte, err error) {
	EachString(reflect.ValueOf(v), "", func(name, value string) {
		if err == nil && !utf8.ValidString(value) {
			const format = "%s is not valid UTF-8, so JSON cannot hold it: %q: %w"
			err = fmt.Errorf(format, name, text.Clip(value, 100), fs.ErrInvalid)
		}
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// Join returns the plan of several calls in one message: all of their ops, in order. Line numbers of every call count
// the files as they were before the message, so an edit that counts lines joins the op of an earlier call that edits
// the file first. Within a call, ops stay what they are. Its time is linear in the edits.
func Join(calls []Plan) (Plan, error) {
	if len(calls) == 1 {
		return calls[0], nil
	}
	j := callJoiner{files: map[string]joinedFile{}}
	for i, call := range calls {
		if i == 0 {
			j.plan.Format, j.plan.DryRun = call.Format, call.DryRun
		}
		if call.Format != j.plan.Format {
			j.plan.Format = "json"
		}
		if call.DryRun != j.plan.DryRun {
			return Plan{}, inCall(i, "one call of the message asks for a preview and another does not: send them apart")
		}
		for _, op := range call.Ops {
			if err := j.addOp(op, i); err != nil {
				return Plan{}, err
			}
		}
	}
	j.plan.NumberEdits()
	return j.plan, nil
}

type callJoiner struct {
	plan  Plan                  // its edits are not numbered yet
	files map[string]joinedFile // by their present names
}

// A joinedFile has the first call that edits or moves a file, the op of the joined plan that does it, whose edits count
// lines before the message, or -1 if one writes the whole file, and the last call that changes the file.
type joinedFile struct{ call, op, last int }

func (j *callJoiner) addOp(op Op, call int) error {
	path, to := names.OfRequest(op.Path), names.OfRequest(cmp.Or(op.To, op.Path))
	f, known := j.files[path]
	if !known {
		f = joinedFile{call: call, op: len(j.plan.Ops)}
	}
	isJoined := f.call < call && slices.ContainsFunc(op.Edits, Edit.CountsLines)
	if isJoined {
		switch {
		case f.last == call:
			return inCall(call, "it edits "+Excerpt(op.Path)+" twice by line numbers, of which the second count the "+
				"result of the first, and an earlier call edits the file too: send the call apart")
		case f.op < 0:
			return inCall(call, "the edit of "+Excerpt(op.Path)+" has line numbers, "+
				"which count the lines before the message, but an earlier call replaces the whole file: "+
				"send the edit afterwards, or with the old text instead")
		}
		into := &j.plan.Ops[f.op]
		if op.Version != "" && into.Version != "" && op.Version != into.Version {
			return inCall(call, "two calls were written against different versions of "+Excerpt(op.Path)+": "+
				"read it again")
		}
		into.Edits = append(into.Edits, op.Edits...)
		into.Version = max(into.Version, op.Version)
		op.Edits = nil
	}
	f.last = call
	delete(j.files, path)
	switch {
	case op.Kind == OpCreate, op.Kind == OpMove && op.Overwrite:
		j.files[to] = joinedFile{call: call, op: -1, last: call}
	case op.Kind != OpDelete:
		j.files[to] = f
	}
	if isJoined && op.Kind == OpEdit {
		return nil
	}
	op.Edits = slices.Clip(op.Edits) // so that the edits that join it have memory of their own
	j.plan.Ops = append(j.plan.Ops, op)
	return nil
}

// MayBeJoined reports whether edits of a later call may join op.
func (op Op) MayBeJoined() bool { return op.Kind == OpEdit || op.Kind == OpMove }

func inCall(i int, msg string) error { return Syntax(0, "call "+strconv.Itoa(i+1)+": "+msg) }
