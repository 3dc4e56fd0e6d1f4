package tagcall

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// call reads what begins with t: the calls that it stands for, and the offset behind it. Of a call that was cut off,
// the error has what is there.
func (s *source) call(t *tag, o opener, f form) (calls []Call, next int, err error) {
	c := Call{Tool: o.tool(t), Offset: t.start}
	elems, next, err := s.parts(&c, t, o, f)
	var cut *Error
	if err != nil && (!errors.As(err, &cut) || !cut.CutOff) {
		return nil, 0, err
	}
	calls, problem := s.split(c, t, o, elems)
	if problem != nil {
		return nil, 0, problem
	}
	if cut != nil {
		last := len(calls) - 1
		cut.Open, calls = &calls[last], calls[:last]
	}
	return calls, next, err
}

// parts reads the parameters of c, which begins with t, and returns the offset behind it. It sets what is no parameter
// in c.
func (s *source) parts(c *Call, t *tag, o opener, f form) (elems []element, next int, err error) {
	elems, next = attributes(t, nicknames), t.end
	if o.named {
		elems = slices.DeleteFunc(elems, func(e element) bool { return slices.Contains(ofCall, key(e.Name)) })
	}
	switch f {
	case jsonForm:
		c.JSON, next, err = s.document(t)
		if len(elems) > 0 && err == nil {
			err = s.fail(t.start,
				"the attribute \""+elems[0].Name+"\" is beside JSON: expected all parameters in the JSON")
		}
	case bodyForm:
		var body Field
		body, next, err = s.textOf(t, nil, o.body, s.kind(key(o.body)))
		elems = append(elems, element{Field: body})
	case fieldsForm, pairsForm:
		if f == pairsForm {
			c.Tool, next = wordAt(s.src, skipSpace(s.src, next))
		}
		var inner []element
		inner, next, err = s.elements(t, next, 0)
		elems = append(elems, inner...)
		if o.named && c.Tool == "" {
			elems = c.take(elems)
		}
	}
	return elems, next, err
}

// take sets the tool of c to what a parameter says, and its JSON if that is all that is left. It returns the other
// parameters.
func (c *Call) take(elems []element) []element {
	elems = slices.DeleteFunc(elems, func(e element) bool {
		role := roles[key(e.Name)]
		isTool := role == toolName && c.Tool == ""
		if isTool {
			c.Tool = e.Text
		}
		return isTool || role == meaningless
	})
	if len(elems) == 1 && elems[0].inner == nil && strings.HasPrefix(elems[0].Text, "{") {
		if _, ok := groups()[key(elems[0].Name)]; ok {
			c.JSON = elems[0].Field
			return nil
		}
	}
	return elems
}

// doubtful returns the first of some fields that is a piece of a file in a CDATA section which may be part of the file,
// as far as the fields of its call tell, and nil if there is none.
func (s *source) doubtful(fields, ofCall []Field) *Field {
	if !slices.ContainsFunc(fields, func(f Field) bool { return f.cdata }) {
		return nil
	}
	named, markup, numbered := false, false, false
	for _, f := range ofCall {
		if s.kind(key(f.Name)) == Word && f.Text != "" {
			isNumber := strings.Trim(f.Text, "0123456789") == ""
			named, markup, numbered = named || !isNumber, markup || namesMarkup(f.Text), numbered || isNumber
		}
	}
	for i, f := range fields {
		kind := s.kind(key(f.Name))
		if f.cdata && (markup || !named) && (kind == Piece || kind == Lines && numbered) {
			return &fields[i]
		}
	}
	return nil
}

// split returns the calls that c, which begins with t, and has the given elements, stands for.
func (s *source) split(c Call, t *tag, o opener, elems []element) ([]Call, error) {
	if c.JSON.Text != "" {
		return []Call{c}, nil
	}
	calls, ok := c.calls(elems, nil, o.isList)
	if !ok {
		return nil, s.fail(t.start,
			"<"+t.name+"> has too many parameters around groups: expected at most "+strconv.Itoa(maxShared))
	}
	for _, c := range calls {
		for _, fields := range append(c.Edits[:len(c.Edits):len(c.Edits)], c.Fields) {
			if f := s.doubtful(fields, c.Fields); f != nil {
				return nil, s.fail(f.Offset,
					"the text of \""+f.Name+"\" is all within <![CDATA[ and ]]>, which may stand in the file as "+
						"well: leave them out, or if they do, send more of the text around them")
			}
			if again := repeated(fields); again != nil {
				return nil, s.fail(again.Offset,
					"<"+t.name+"> has the parameter \""+again.Name+"\" twice: expected it once; if it belongs to a "+
						"text, "+inText)
			}
		}
	}
	return calls, nil
}
