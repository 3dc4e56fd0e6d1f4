package jsonobj

import (
	"encoding/json"
	"slices"
)

// Close returns a document that was cut off as a valid one, nil if that is impossible. If the document ends in a field of
// its outermost object, and behind no element of an array, the field is named by last: its string ends where the document
// does. Otherwise the document is closed behind the last complete element of an array, and last is "".
func Close(document []byte) (closed []byte, last string) {
	const deepest = 16
	document = withoutHalfRune(document)
	var open []byte    // the closing brackets that are missing
	var missing []byte // those missing behind the last complete element
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
	if !json.Valid(closed) { // there is no complete element, or brackets of two kinds cross
		return nil, ""
	}
	return closed, ""
}

// closeField closes the outermost object behind its last field. At is the offset of the last quotation mark, which begins a
// string that is open if inString.
func closeField(document []byte, at int, inString bool) (closed []byte, last string) {
	closing, longest := "}", 1
	if inString {
		closing, longest = "\"}", len(`\ud83d\ude0`) // the longest part of a character that may have to go
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
