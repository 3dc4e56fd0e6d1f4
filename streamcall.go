package atomicedit

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// A callStream reads the arguments of a call, a JSON object, as they arrive. Of the first list of edits, files or operations, it tells
// the elements that are complete; of a patch or blocks in a string, what a Stream of that text tells.
type callStream struct {
	parse func(args []byte) (Plan, error)

	at      int    // how much was read
	open    []byte // the brackets that are open there
	ended   bool   // the object is complete; others may follow, of which nothing is told
	inText  bool   // it is within a string
	escaped bool   // and behind a backslash
	hasKey  bool   // the field of the outermost object has its name
	key     string // the name
	begin   int    // of the string, or the element, that was read last

	list    listStream
	inList  bool
	inner   *textStream
	inInner bool
}

// read reads src, which begins with what was read before. It returns what is complete.
func (c *callStream) read(src string) (Plan, error) {
	for ; c.at < len(src) && !c.ended; c.at++ {
		if c.inText && !c.escaped {
			for c.at < len(src) && src[c.at] != '"' && src[c.at] != '\\' {
				c.at++
			}
			if c.at == len(src) {
				break
			}
		}
		c.readByte(src)
	}
	if c.inner != nil {
		return c.inner.tell(src, c.parse), nil // its parser may be another one, so its errors are not those of the call
	}
	return c.list.tell(src, c.parse)
}

// readByte reads the byte at c.at.
func (c *callStream) readByte(src string) {
	switch b := src[c.at]; {
	case c.escaped:
		c.escaped = false
		if b == 'n' && c.inInner {
			c.inner.end = c.at + 1
		}
	case c.inText:
		c.escaped = b == '\\'
		if b == '"' {
			c.endText(src)
		}
	case b == '"':
		c.inText = true
		c.beginText()
	case b == '{' || b == '[':
		c.open = append(c.open, b)
		switch {
		case string(c.open) == "{[" && c.list.begin == 0 && c.means(editsField|filesField|operationsField):
			c.inList, c.list.begin = true, c.at
		case string(c.open) == "{[{":
			c.begin = c.at
		}
	case (b == '}' || b == ']') && len(c.open) > 0:
		if string(c.open) == "{[{" && c.inList {
			c.list.add(c.begin, c.at+1)
		}
		c.open = c.open[:len(c.open)-1]
		c.ended = len(c.open) == 0
		c.inList = c.inList && len(c.open) > 1
	case b == ',' && len(c.open) == 1:
		c.hasKey = false
	}
}

// beginText reads the quotation mark that begins a string.
func (c *callStream) beginText() {
	if len(c.open) != 1 {
		return
	}
	c.begin = c.at
	if c.hasKey && c.inner == nil && c.list.begin == 0 && c.means(patchField|blocksField) {
		c.inner, c.inInner = &textStream{begin: c.at + 1, told: c.at + 1, end: c.at + 1}, true
	}
}

// endText reads the quotation mark that ends a string.
func (c *callStream) endText(src string) {
	c.inText, c.inInner = false, false
	if len(c.open) == 1 && !c.hasKey {
		c.hasKey = json.Unmarshal([]byte(src[c.begin:c.at+1]), &c.key) == nil
	}
}

// means reports whether the field that is being read may have one of these meanings.
func (c *callStream) means(fields field) bool { return meaningOf(c.key).fields&fields != 0 }

// trailers are fields that may come below what was read, and change the plan of it.
var trailers = []string{`"cwd":"moved"`, `"directory":"moved"`, `"move_to":"moved"`}

// isFinal reports whether the paths and kinds of a plan stay the same whatever comes below the request that it is read from, which lacks
// its closing bracket. It is not known if that request cannot be read.
func isFinal(request string, parse func([]byte) (Plan, error)) (final, known bool) {
	p, err := parse([]byte(request + "}"))
	if err != nil || len(p.Ops) == 0 {
		return false, false
	}
	same := func(a, b Op) bool { return a.Kind == b.Kind && a.Path == b.Path && a.To == b.To }
	return !slices.ContainsFunc(trailers, func(field string) bool {
		changed, err := parse([]byte(request + "," + field + "}"))
		return err == nil && !slices.EqualFunc(p.Ops, changed.Ops[:min(len(p.Ops), len(changed.Ops))], same)
	}), true
}

// shortened returns JSON with another text in the place of each long string.
func shortened(src string) string {
	const long = 100
	var b strings.Builder
	from := 0
	for at := 0; at < len(src); {
		n := strings.IndexByte(src[at:], '"')
		if n < 0 {
			break
		}
		begin := at + n
		for at = begin + 1; at < len(src) && src[at] != '"'; at++ {
			if src[at] == '\\' {
				at++
			}
		}
		if at++; at-begin > long && at <= len(src) {
			b.WriteString(src[from:begin] + `"text ` + strconv.Itoa(begin) + `"`)
			from = at
		}
	}
	return b.String() + src[from:]
}
