// Package plan has the plan that a request asks for, with its edits, and what can be said of it without a search:
// whether the fields of an edit go together, where a text has its columns, whether its tags fit the lines, and whether
// a format can express it.
//
// A Problem refuses an edit. The other packages that refuse edits share the words for it.
package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Plan has the fields of a Plan of package atomicedit, which documents them.
type Plan struct {
	Ops    []Op   `json:"ops,omitempty"`
	DryRun bool   `json:"dry_run,omitempty"`
	Format string `json:"format,omitempty"`
}

type OpKind int

// The kinds of operations have the numbers of those of package atomicedit.
const (
	OpEdit OpKind = iota
	OpCreate
	OpDelete
	OpMove
)

var opKindNames = []string{OpEdit: "edit", OpCreate: "create", OpDelete: "delete", OpMove: "move"}

func (k OpKind) String() string {
	if k >= OpEdit && k <= OpMove {
		return opKindNames[k]
	}
	return fmt.Sprintf("operation %d", int(k))
}

func (k OpKind) MarshalText() ([]byte, error) {
	if k < OpEdit || k > OpMove {
		return nil, fmt.Errorf("unknown %v: %w", k, fs.ErrInvalid)
	}
	return []byte(opKindNames[k]), nil
}

func (k *OpKind) UnmarshalText(name []byte) error {
	i := slices.Index(opKindNames, string(name))
	if i < 0 {
		return fmt.Errorf("unknown operation %q: %w", name, fs.ErrInvalid)
	}
	*k = OpKind(i)
	return nil
}

// An Op has the fields of an Op of package atomicedit, which documents them.
type Op struct {
	Kind      OpKind      `json:"kind"`
	Path      string      `json:"path,omitempty"`
	OtherPath string      `json:"other_path,omitempty"`
	To        string      `json:"to,omitempty"`
	Edits     []Edit      `json:"edits,omitempty"`
	Content   string      `json:"content,omitempty"`
	Mode      fs.FileMode `json:"mode,omitempty"`
	Overwrite bool        `json:"overwrite,omitempty"`
	Exclusive bool        `json:"exclusive,omitempty"`
	Version   Version     `json:"version,omitempty"`
}

// A Version identifies the content of a file: its hash, or the tag that a listing of hashlines has for it.
type Version string

// HashlineVersion begins a version that is the tag of a file.
const HashlineVersion = "hashline:"

func VersionOf(data []byte) Version {
	sum := sha256.Sum256(data)
	return Version("sha256:" + hex.EncodeToString(sum[:]))
}

// CountsLines reports whether an edit has line numbers, which count the text that its op starts from.
func (e Edit) CountsLines() bool {
	return e.First != 0 || e.Near != 0 || e.Range != nil || len(e.Tags) > 0
}

// Numbers counts the edits that a request has for each file.
type Numbers map[string]int

// Next returns the Number of the next edit for a file, which is the edit with the given index in its op.
func (n Numbers) Next(path string, index int) int {
	if n[path]++; n[path] == index+1 {
		return 0
	}
	return n[path]
}

// NumberEdits numbers the edits of each file through.
func (p Plan) NumberEdits() {
	numbers := Numbers{}
	for _, op := range p.Ops {
		for i := range op.Edits {
			op.Edits[i].Number = numbers.Next(op.Path, i)
		}
	}
}

// ForFile returns p with path as the file of every operation that names none. It modifies no argument.
func (p Plan) ForFile(path string) Plan {
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		if p.Ops[i].Path == "" {
			p.Ops[i].Path = path
		}
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
		p.Ops[i].Path, p.Ops[i].OtherPath, p.Ops[i].To = names.In(dir, op.Path), names.In(dir, op.OtherPath),
			names.In(dir, op.To)
	}
	return p
}

// EachString calls yield with every string in v and the name of its field: that in JSON, or its own in small letters.
func EachString(v reflect.Value, name string, yield func(name, value string)) {
	switch v.Kind() {
	case reflect.String:
		yield(name, v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			EachString(v.Elem(), name, yield)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			EachString(v.Index(i), name, yield)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			EachString(key, name, yield)
			EachString(value, name, yield)
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
