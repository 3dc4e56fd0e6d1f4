// Package jsonobj reads a JSON object field by field. It records the offset of everything it reads, so that each error
// can name a line. It is stricter than encoding/json: a field must not occur twice, a document must be complete, valid
// UTF-8 with nothing after the object, and a string must not have half of a surrogate pair. [Close] completes a
// document that was cut off.
package jsonobj

import "unicode/utf8"

// Parse reads a document. Every error is an [*Error]. Its message calls the document name.
func Parse(document []byte, name string) (Value, error) {
	whole := withoutHalfRune(document)
	v, err := ParseValue(whole, 0)
	cut := err != nil && err.(*Error).CutOff
	switch {
	case !utf8.Valid(whole) || len(whole) < len(document) && !cut:
		return Value{}, &Error{Msg: name + " is not valid UTF-8: send it as UTF-8"}
	case err != nil:
		return Value{}, err
	}
	return v, nil
}

// withoutHalfRune returns data without an incomplete character at its end.
func withoutHalfRune(data []byte) []byte {
	for i := len(data) - 1; i >= max(0, len(data)-utf8.UTFMax); i-- {
		if utf8.RuneStart(data[i]) {
			if !utf8.FullRune(data[i:]) {
				return data[:i]
			}
			break
		}
	}
	return data
}
