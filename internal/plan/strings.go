package plan

import (
	"cmp"
	"reflect"
	"strings"
)

// EachString calls yield with every string in v, and with the name that its field has in JSON, or else its own in small letters.
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
