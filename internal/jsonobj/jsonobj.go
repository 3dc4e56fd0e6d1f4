// Package jsonobj reads a JSON object field by field. It records the offset of everything it reads, so that each error
// can name a line. It is stricter than encoding/json: a field must not occur twice, a document must be complete, valid
// UTF-8 with nothing after the object, and a string must not have half of a surrogate pair. [Close] completes a
// document that was cut off.
package jsonobj

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

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

// Close turns a document that was cut off into a valid one. It returns nil if that is impossible. If the document ends
// in a field of the outermost object, and in no array, last names the field, whose string then ends where the document
// does. Otherwise Close drops everything after the last complete element of an array, and last is "".
func Close(document []byte) (closed []byte, last string) {
	const deepest = 16
	document = withoutHalfRune(document)
	var open []byte    // the closing brackets that are missing at i
	var missing []byte // the closing brackets that are missing after the last complete element
	inString, end, lastString := false, 0, 0
	for i := 0; i < len(document); i++ {
		switch c := document[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString, lastString = !inString, i
		case inString:
		case c == '{' || c == '[':
			if len(open) > deepest {
				return nil, ""
			}
			open = append(open, c+2) // '{'+2 is '}', '['+2 is ']'
		case c == '}' || c == ']':
			if len(open) == 0 {
				return nil, ""
			}
			open = open[:len(open)-1]
			if n := len(open); n > 0 && open[n-1] == ']' {
				missing, end = slices.Clone(open), i+1
			}
		}
	}
	if string(open) == "}" && (inString || end == 0) {
		return closeField(document, lastString, inString)
	}
	slices.Reverse(missing)
	closed = slices.Concat(document[:end], missing)
	if !json.Valid(closed) { // there is no complete element, or the brackets do not match
		return nil, ""
	}
	return closed, ""
}

// closeField closes the outermost object after its last field. At is the offset of the last quotation mark. If inString
// is set, that mark begins a string, which is still open.
func closeField(document []byte, at int, inString bool) (closed []byte, last string) {
	closing, longest := "}", 1
	if inString {
		closing, longest = "\"}", len(`\ud83d\ude0`) // the longest incomplete escape
	}
	for drop := range min(longest, len(document)-at) {
		closed := append(slices.Clone(document[:len(document)-drop]), closing...)
		v, err := ParseValue(closed, 0)
		if err != nil {
			continue
		}
		o, err := v.Object("")
		if err != nil || len(o.Names) == 0 {
			return nil, ""
		}
		return closed, o.Names[len(o.Names)-1]
	}
	return nil, ""
}
