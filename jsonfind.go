package atomicedit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// meaningOf returns what the name of a field may stand for.
func meaningOf(name string) *meaning {
	var normal [longestName]byte
	n := 0
	for i := range len(name) {
		switch b := name[i]; {
		case b == '_', b == '-', b == ' ':
			continue
		case n == longestName:
			return noMeaning
		case 'A' <= b && b <= 'Z':
			normal[n] = b + 'a' - 'A'
		default:
			normal[n] = b
		}
		n++
	}
	if m := meanings[string(normal[:n])]; m != nil {
		return m
	}
	return noMeaning
}

// noMeaning is the meaning of an unknown name.
var noMeaning = &meaning{}

// A namedField is a field of an object whose name has a meaning.
type namedField struct {
	name  string
	value jsonobj.Value
	means *meaning
}

// named returns the fields of o that may mean something, without those that cannot, however many there are.
func (o *callReader) named() []namedField {
	if !o.looked {
		o.looked = true
		for i, name := range o.Names {
			if m := meaningOf(name); len(m.fields) > 0 {
				o.fields = append(o.fields, namedField{name, o.At(i), m})
			}
		}
	}
	return o.fields
}

// is reports whether n means f.
func (o *callReader) is(n namedField, f field) bool {
	m := n.means
	if !slices.Contains(m.fields, f) {
		return false
	}
	kind := fieldTable[f].kind
	if len(m.fields) == 1 && m.refused == "" && kind != onlyTrue || o.holds(n.value, kind) {
		return true
	}
	return m.refused == "" && kind != onlyTrue && !slices.ContainsFunc(m.fields, func(f field) bool { return o.holds(n.value, fieldTable[f].kind) })
}

// holds reports whether a value is JSON of the given kind.
func (o *callReader) holds(v jsonobj.Value, kind byte) bool {
	word, quoted := "", false
	if v.Raw[0] == '"' && (kind == 'n' || kind == 'f' || kind == onlyTrue) {
		if word, quoted = v.Word(); quoted && o.request.texts && kind != onlyTrue {
			return true
		}
	}
	switch first := v.Raw[0]; kind {
	case 't':
		return first == '"'
	case 'n':
		return first == '-' || '0' <= first && first <= '9' || quoted && word != "" && strings.Trim(word, "0123456789") == ""
	case 'f':
		return first == 't' || first == 'f' || quoted && isFlag(word)
	case onlyTrue:
		return first == 't' || quoted && strings.EqualFold(word, "true")
	case 'l':
		return first == '[' || first == '"' && startsArray(v.Raw[1:])
	case 'o':
		return first == '{'
	}
	return true
}

// isFlag reports whether a word stands for true or false.
func isFlag(word string) bool {
	return strings.EqualFold(word, "true") || strings.EqualFold(word, "false")
}

// find returns the name of the field that means f, "" if there is none. One that is null counts only if there is no other.
func (o *callReader) find(f field) string {
	var found namedField
	for _, n := range o.named() {
		switch {
		case !o.is(n, f), found.name != "" && n.value.IsNull():
		case found.name == "" || found.value.IsNull():
			found = n
		case !o.reported && !found.value.Equal(n.value):
			o.reported = true
			o.fail("\"" + found.name + o.suffix + "\" and \"" + n.name + o.suffix + "\" are two fields for the same thing, and contradict each other: expected one of them")
		}
	}
	return found.name
}

// isNamed reports whether there is a field that means f and is not null.
func (o *callReader) isNamed(f field) bool {
	return slices.ContainsFunc(o.named(), func(n namedField) bool { return !n.value.IsNull() && o.is(n, f) })
}

// textFormat returns the Plan.Format of a request with an old text, which names its field and, unless it follows from that one, the field
// for the new text.
func (o *callReader) textFormat() string {
	old, new := o.nameFor(oldField), o.nameFor(newField)
	if new != strings.Replace(old, "old", "new", 1) {
		return "json:" + old + "," + new
	}
	return "json:" + old
}

// nameFor returns the name that a field has, or would have in this request.
func (o *callReader) nameFor(f field) string {
	if name := o.find(f); name != "" {
		return name
	}
	for _, name := range o.strict {
		if slices.Contains(meaningOf(name).fields, f) {
			return name
		}
	}
	other := map[field]field{oldField: newField, newField: oldField}[f]
	if name := o.find(other); other != 0 && name != "" {
		if pair := otherText(name, f == oldField); pair != "" {
			return pair
		}
	}
	for _, name := range o.Names {
		if also := siblings[name][f]; also != "" {
			return also
		}
	}
	return f.name()
}

// siblings has the names of fields beside some others.
var siblings = map[string]map[field]string{
	"command": {contentField: "file_text", oldField: "old_str", newField: "new_str", textField: "insert_text"},
	"type":    {patchField: "diff"},
	"mode":    {patchField: "patch"},
}

// startsArray reports whether the content of a JSON string begins with an array.
func startsArray(raw []byte) bool {
	for before := -1; before != len(raw); {
		before = len(raw)
		for _, space := range []string{" ", `\n`, `\r`, `\t`} {
			raw = bytes.TrimPrefix(raw, []byte(space))
		}
	}
	return len(raw) > 0 && raw[0] == '['
}
