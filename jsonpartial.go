package atomicedit

import (
	"encoding/json"
	"errors"
	"slices"
)

// partialJSON returns what a request that was cut off asks for up to its last complete element of an array, or up to
// where a patch or blocks in a string were cut off.
func partialJSON(data []byte, allowed []shape) Plan {
	var open []byte // the closing brackets still missing
	var best []byte // those missing after the last complete element
	quoted, end, str := false, 0, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted, str = !quoted, i
		case quoted:
		case c == '{' || c == '[':
			if len(open) > 16 {
				return Plan{}
			}
			open = append(open, c+2) // '{'+2 is '}', '['+2 is ']'
		case c == '}' || c == ']':
			if len(open) == 0 {
				return Plan{}
			}
			open = open[:len(open)-1]
			if n := len(open); n > 0 && open[n-1] == ']' {
				best, end = slices.Clone(open), i+1
			}
		}
	}
	if string(open) == "}" && (quoted || end == 0) {
		return partialText(data, str, quoted, allowed)
	}
	slices.Reverse(best)
	closed := slices.Concat(data[:end], best)
	if !json.Valid(closed) { // there is none, or brackets of two kinds cross
		return Plan{}
	}
	p, err := parseJSON(closed, allowed)
	if err != nil {
		return Plan{}
	}
	return p
}

// partialText returns what is complete of the patch or the blocks in the last string of data, which begins at str.
func partialText(data []byte, str int, quoted bool, allowed []shape) Plan {
	closing, half := "}", 1
	if quoted {
		closing, half = "\"}", len(`\ud83d\ude0`) // perhaps half a character
	}
	for cut := range min(half, len(data)-str) {
		closed := append(slices.Clone(data[:len(data)-cut]), closing...)
		if !json.Valid(closed) {
			continue
		}
		o, err := (&document{data: closed}).object(value{raw: closed}, theRequest)
		if err != nil || len(o.keys) == 0 {
			return Plan{}
		}
		switch key := o.keys[len(o.keys)-1]; key {
		case "input", "patch", "patch_text", "text_or_search_replace_blocks":
			p, err := parseJSON(closed, allowed)
			var inner *Refusal
			switch {
			case errors.As(err, &inner):
				p = inner.Partial
			case len(p.Ops) > 0 && p.Ops[0].Overwrite, key != "text_or_search_replace_blocks" && !hasBegin(o.text(key)):
				return Plan{} // a whole file, or chunks: nothing marks their end
			}
			return p.ForFile(o.text("path") + o.text("file_path"))
		}
		return Plan{}
	}
	return Plan{}
}
