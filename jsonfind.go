package atomicedit

import (
	"bytes"
	"slices"
)

// meaning returns what the name of a field may stand for.
func (r *jsonReader) meaning(name string) *meaning {
	m, ok := r.known[name]
	if !ok {
		if m = meanings[normalName(name)]; m == nil {
			m = &meaning{}
		}
		r.known[name] = m
	}
	return m
}

// isA reports whether the field with the given name means f.
func (o *callReader) isA(name string, f field) bool {
	m := o.request.meaning(name)
	if len(m.fields) == 0 || !slices.Contains(m.fields, f) {
		return false
	}
	if len(m.fields) == 1 && m.refused == "" || o.holds(name, fieldTable[f].kind) {
		return true
	}
	return m.refused == "" && !slices.ContainsFunc(m.fields, func(f field) bool { return o.holds(name, fieldTable[f].kind) })
}

// holds reports whether a field holds JSON of the given kind.
func (o *callReader) holds(name string, kind byte) bool {
	v, _ := o.Value(name)
	switch first := v.Raw[0]; kind {
	case 't':
		return first == '"'
	case 'n':
		return first == '-' || '0' <= first && first <= '9' || first == '"' && o.request.texts
	case 'f':
		return first == 't' || first == 'f' || first == '"' && o.request.texts
	case 'l':
		return first == '[' || first == '"' && startsArray(v.Raw[1:])
	case 'o':
		return first == '{'
	}
	return true
}

// find returns the name of the field that means f, "" if there is none. One that is null counts only if there is no other.
func (o *callReader) find(f field) string {
	found := ""
	for _, name := range o.Names {
		switch {
		case !o.isA(name, f), found != "" && !o.IsSet(name):
		case found == "" || !o.IsSet(found):
			found = name
		default:
			a, _ := o.Value(found)
			b, _ := o.Value(name)
			if !o.reported && !a.Equal(b) {
				o.reported = true
				o.fail("\"" + found + o.suffix + "\" and \"" + name + o.suffix + "\" are two fields for the same thing, and contradict each other: expected one of them")
			}
		}
	}
	return found
}

// isNamed reports whether there is a field that means f and is not null.
func (o *callReader) isNamed(f field) bool {
	return slices.ContainsFunc(o.Names, func(name string) bool { return o.IsSet(name) && o.isA(name, f) })
}

// nameFor returns the name that a field has, or would have in this request.
func (o *callReader) nameFor(f field) string {
	if name := o.find(f); name != "" {
		return name
	}
	for _, name := range o.strict {
		if slices.Contains(o.request.meaning(name).fields, f) {
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
