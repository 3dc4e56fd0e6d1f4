// Package jsonobj reads a JSON object field by field, with the place of everything it reads, so that each error can name its
// line. It is stricter than encoding/json: a field may be there only once, an object must be whole, valid UTF-8 with nothing
// behind it, and a string must not have half of a surrogate pair. [Close] makes an object of one that was cut off.
package jsonobj

import "unicode/utf8"

// Parse reads a document that is an object. Every error is an [*Error], and calls the document by the given name.
func Parse(document []byte, name string) (*Object, error) {
	whole := withoutHalfRune(document)
	v, err := ParseValue(whole, 0)
	cut := err != nil && err.(*Error).CutOff
	switch {
	case !utf8.Valid(whole) || len(whole) < len(document) && !cut:
		return nil, &Error{Msg: name + " is not valid UTF-8: send it as UTF-8"}
	case err != nil:
		return nil, err
	}
	return v.Object(name)
}

// withoutHalfRune returns data without the beginning of a character at its end.
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
