package outline

import (
	"bytes"

	"github.com/atomicedit/atomicedit/internal/text"
)

// CommonestStep returns the most frequent step of indentation from a line of a text to a deeper one below it, "" if
// none is frequent enough, and how often the text has it. Lines that begin with a star do not count.
func CommonestStep(t text.Text) (step string, times int) {
	steps, total := map[string]*int{}, 0
	var before []byte
	for rest := t.Data; len(rest) > 0; {
		end := 0 // of the indentation
		for end < len(rest) && text.IsSpace(rest[end]) && rest[end] != t.EOL {
			end++
		}
		indent := rest[:end]
		blank := end == len(rest) || rest[end] == t.EOL
		star := !blank && rest[end] == '*' // a comment that goes on, one column deeper than it begins
		if next := bytes.IndexByte(rest[end:], t.EOL); next >= 0 {
			rest = rest[end+next+1:]
		} else {
			rest = nil
		}
		if blank || bytes.Equal(indent, before) || star {
			continue
		}
		if step, deeper := bytes.CutPrefix(indent, before); deeper {
			if steps[string(step)] == nil {
				steps[string(step)] = new(int)
			}
			*steps[string(step)]++
			total++
		}
		before = indent
	}
	unit, most := "", 0
	for s, n := range steps {
		if *n > most || *n == most && s < unit {
			unit, most = s, *n
		}
	}
	if 10*most < 4*total {
		return "", 0
	}
	return unit, most
}
