package atomicedit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// looseKeywords are the keywords of our schemas that some APIs do not accept in a strict schema.
var looseKeywords = []string{"$schema", "minLength", "minimum", "maximum", "minItems", "maxItems"}

// strictSchema returns [Tool].Strict for a [Tool].Schema. The properties keep their order, because a model writes them in that order.
// Optional means that the schema is that of a property that its object does not require.
func strictSchema(schema jsonobj.Value, optional bool) string {
	o, _ := schema.Object("a schema") // ours are objects
	var members []string
	add := func(key, value string) { members = append(members, quoteJSON(key)+":"+value) }
	for _, key := range o.Names {
		value, _ := o.Value(key)
		switch {
		case key == "required", slices.Contains(looseKeywords, key):
		case key == "type" && optional:
			add(key, "["+string(value.Raw)+`,"null"]`)
		case key == "items":
			add(key, strictSchema(value, false))
		case key == "properties":
			properties, _ := value.Object(key)
			add(key, strictProperties(properties, requiredBy(o)))
			names, _ := json.Marshal(properties.Names)
			add("required", string(names))
		default:
			add(key, string(value.Raw))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func strictProperties(properties *jsonobj.Object, required []string) string {
	members := make([]string, len(properties.Names))
	for i, name := range properties.Names {
		property, _ := properties.Value(name)
		members[i] = quoteJSON(name) + ":" + strictSchema(property, !slices.Contains(required, name))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// requiredBy returns the names of the properties that the schema of an object requires.
func requiredBy(schema *jsonobj.Object) (names []string) {
	if v, ok := schema.Value("required"); ok {
		json.Unmarshal(v.Raw, &names)
	}
	return names
}

func quoteJSON(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}
