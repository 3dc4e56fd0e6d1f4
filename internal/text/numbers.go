package text

import "bytes"

// Numbers numbers the lines of a text. It counts line endings only as far as necessary, and keeps the counts, so that
// numbers for many offsets cost one pass. It is not safe for concurrent use.
type Numbers struct {
	text Text
	ends []int // the number of line endings before each stride, as far as was asked for
}

// stride is the number of bytes between two offsets whose line numbers are kept.
const stride = 1 << 15

// NumbersOf returns the Numbers of t. It costs nothing until the first call.
func NumbersOf(t Text) Numbers { return Numbers{text: t} }

// At returns the number of the line that an offset lies in.
func (n *Numbers) At(at int) int {
	data, eol := n.text.Data, []byte{n.text.EOL}
	if len(n.ends) == 0 {
		n.ends = append(n.ends, 0)
	}
	for k := len(n.ends); k*stride <= at; k++ {
		n.ends = append(n.ends, n.ends[k-1]+bytes.Count(data[(k-1)*stride:k*stride], eol))
	}
	k := at / stride
	return 1 + n.ends[k] + bytes.Count(data[k*stride:at], eol)
}

// AtAll returns the number of the line that each of the ascending offsets lies in.
func (n *Numbers) AtAll(offsets []int) []int {
	numbers := make([]int, len(offsets))
	for i, at := range offsets {
		if i > 0 && at-offsets[i-1] < stride {
			numbers[i] = numbers[i-1] + bytes.Count(n.text.Data[offsets[i-1]:at], []byte{n.text.EOL})
		} else {
			numbers[i] = n.At(at)
		}
	}
	return numbers
}
