package tagcall

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/text"
)

// call reads what begins with t: calls, of which the last may be cut off, and the offset behind them.
func (s *source) call(t *tag, o opener, f form) (calls []Call, next int, err error) {
	c := Call{Tool: o.tool(t), Offset: t.start}
	elems, next, err := s.parts(&c, t, o, f)
	if err != nil && !err.(*jsonobj.Error).CutOff {
		return nil, 0, err
	}
	calls, ok := c.calls(elems, nil, o.isList)
	if !ok {
		return nil, 0, failf(t.start, "<%s> has too many parameters around groups: expected at most %d", t.name,
			maxShared)
	}
	for _, c := range calls {
		if problem := c.check(t); problem != nil {
			return nil, 0, problem
		}
	}
	return calls, next, err
}

// parts reads the parameters of c, which begins with t, and returns the offset behind it. The rest it sets in c.
func (s *source) parts(c *Call, t *tag, o opener, f form) (elems []element, next int, err error) {
	elems, next = attributes(t, nicknames), t.end
	if o.named {
		elems = slices.DeleteFunc(elems, func(e element) bool { return slices.Contains(ofCall, key(e.Name)) })
	}
	switch f {
	case jsonForm:
		c.JSON, next, err = s.document(t)
		if len(elems) > 0 && err == nil {
			err = failf(t.start, "the attribute %q is beside JSON: expected all parameters in the JSON", elems[0].Name)
		}
	case bodyForm:
		var body Field
		body, next, err = s.textOf(t, nil, o.body, kindOf(key(o.body)))
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

// take sets the tool of c to what a parameter says, or its JSON if that is all. It returns the other parameters.
func (c *Call) take(elems []element) []element {
	elems = slices.DeleteFunc(elems, func(e element) bool {
		role := roles.Get()[key(e.Name)]
		isTool := role == toolName && c.Tool == ""
		if isTool {
			c.Tool = e.Text
		}
		return isTool || role == meaningless
	})
	if len(elems) == 1 && elems[0].inner == nil && strings.HasPrefix(elems[0].Text, "{") {
		if _, ok := groups.Get()[key(elems[0].Name)]; ok {
			c.JSON = elems[0].Field
			return nil
		}
	}
	return elems
}

// check refuses a field that is there twice, and a piece of a file in a CDATA section that may be part of the file, as
// far as the other fields tell. The call begins with t.
func (c Call) check(t *tag) error {
	named, markup, numbered := false, false, false
	for _, f := range c.Fields {
		if kindOf(key(f.Name)) == Word && f.Text != "" {
			isNumber := strings.Trim(f.Text, "0123456789") == ""
			named, markup, numbered = named || !isNumber, markup || namesMarkup(f.Text), numbered || isNumber
		}
	}
	isPiece := func(kind Kind) bool { return kind == Piece || kind == Lines && numbered }
	for _, fields := range append(c.Edits[:len(c.Edits):len(c.Edits)], c.Fields) {
		seen := map[string]bool{}
		for _, f := range fields {
			switch {
			case f.cdata && (markup || !named) && isPiece(kindOf(key(f.Name))):
				return failf(f.Offset, "the text of %q is all within <![CDATA[ and ]]>, which may stand in the file "+
					"as well: leave them out, or if they do, send more of the text around them", f.Name)
			case seen[f.Name]:
				return failf(f.Offset, "<%s> has the parameter %q twice: expected it once; if it belongs to a text, %s",
					t.name, f.Name, inText)
			}
			seen[f.Name] = true
		}
	}
	return nil
}

// An element is a parameter of a call, or a group of them.
type element struct {
	Field
	inner []element // of a group, else nil
}

// elements reads what is within parent, from an offset on or up to an error. It returns the offset behind the parent.
func (s *source) elements(parent *tag, at, depth int) (elems []element, next int, err error) {
	argument := ""
	for {
		at = skipSpace(s.src, at)
		t, err := s.within(parent, at, depth)
		switch {
		case err != nil:
			return elems, 0, err
		case t.closing:
			return elems, t.end, nil
		}
		e := element{Field: Field{Name: t.name, Offset: t.end}}
		group, isGroup := groups.Get()[t.key]
		switch {
		case isGroup && !t.empty && s.parameterAt(skipSpace(s.src, t.end)):
			e.inner, next, err = s.elements(&t, t.end, depth+1)
			for i, inner := range e.inner {
				if group.content != "" && key(inner.Name) == "content" {
					e.inner[i].Name = group.content
				}
			}
			e.inner = slices.Concat(attributes(&t, nil), e.inner)
			elems = append(elems, e)
		case t.empty:
			next = t.end
			elems = append(append(elems, e), attributes(&t, hints)...)
		default:
			e.Field, next, err = s.textOf(&t, parent, t.name, t.kind())
			switch roles.Get()[t.key] {
			case parameterName:
				argument = strings.TrimSpace(e.Text)
			case parameterValue:
				if e.Name = argument; (argument == "" || strings.ContainsAny(argument, "<>")) && err == nil {
					err = failf(t.start, "<%s> has no name: expected the name in a tag before it", t.name)
				}
				elems = append(elems, e)
			case namedParameter:
				e.Name = t.parameter()
				elems = append(elems, e)
			default:
				elems = append(append(elems, e), attributes(&t, hints)...)
			}
		}
		if err != nil {
			return elems, 0, err
		}
		at = next
	}
}

// within returns the tag at an offset within parent: of a parameter, of a group, or the closing tag of the parent.
func (s *source) within(parent *tag, at, depth int) (tag, error) {
	const deepest = 8
	if at == len(s.src) {
		return tag{}, cutOff(parent.start, "</"+parent.name+">")
	}
	line := strings.TrimSpace(text.FirstLine(s.src[at:min(len(s.src), at+60)]))
	if s.src[at] != '<' {
		return tag{}, failf(at, "\"%s\" is between the parameters of <%s>: expected a parameter in tags, or </%s>",
			line, parent.name, parent.name)
	}
	t, w := readTag(s.src, at)
	switch {
	case w == cutTag:
		return t, cutOff(parent.start, "</"+parent.name+">")
	case w == noTag:
		return t, failf(at, "\"%s\" is not a tag: expected a parameter in tags, or </%s>", line, parent.name)
	case t.closing && t.name != parent.name:
		return t, failf(at, "</%s> closes nothing: expected </%s>", t.name, parent.name)
	case depth > deepest:
		return t, failf(at, "the groups of parameters are nested too deeply: expected at most %d levels", deepest)
	case roles.Get()[t.key] == namedParameter && !t.closing && t.parameter() == "":
		return t, failf(at, "<%s> has no name: expected <%s name=\"…\">", t.name, t.name)
	}
	return t, nil
}

// attributes returns the attributes of a tag as parameters, some of them under other names.
func attributes(t *tag, names map[string]string) []element {
	var elems []element
	for _, a := range t.attrs {
		a.Name = cmp.Or(names[t.key+"."+a.Name], names[a.Name], a.Name)
		elems = append(elems, element{Field: a})
	}
	return elems
}

// maxShared is how many parameters may stand around groups, each of which gets all of them.
const maxShared = 32

// calls returns the calls that c stands for, which has the given elements: one for each innermost group that is no
// edit. Shared are the parameters of the groups around them. It reports false if they are too many.
func (c Call) calls(elems []element, shared []Field, isList bool) (all []Call, ok bool) {
	if isList {
		c.Fields, c.Edits = shared, edits(elems)
		return []Call{c}, true
	}
	c.Fields = slices.Clone(shared)
	var others []element
	for _, e := range elems {
		if e.inner == nil {
			c.Fields = append(c.Fields, e.Field)
			continue
		}
		switch g := groups.Get()[key(e.Name)]; {
		case g.isEdit:
			c.Edits = append(c.Edits, fields(e.inner))
		case g.isList:
			c.Edits = append(c.Edits, edits(e.inner)...)
		default:
			others = append(others, e)
		}
	}
	if len(others) == 0 || c.Edits != nil {
		all = append(all, c)
	}
	ok = len(others) == 0 || len(c.Fields) <= maxShared
	for i := 0; ok && i < len(others); i++ {
		var inner []Call
		inner, ok = Call{Tool: c.Tool, Offset: c.Offset}.calls(others[i].inner, c.Fields, false)
		all = append(all, inner...)
	}
	return all, ok
}

// edits returns the parameters of each edit in a list: of a group, or up to one that comes again.
func edits(elems []element) (all [][]Field) {
	var own []Field
	for _, e := range elems {
		if e.inner == nil {
			own = append(own, e.Field)
		} else {
			all = append(all, fields(e.inner))
		}
	}
	for len(own) > 0 {
		n := 1
		for n < len(own) && own[n].Name != own[0].Name {
			n++
		}
		all = append(all, own[:n:n])
		own = own[n:]
	}
	return all
}

func fields(elems []element) (all []Field) {
	for _, e := range elems {
		if e.inner == nil {
			all = append(all, e.Field)
		} else {
			all = append(all, fields(e.inner)...)
		}
	}
	return all
}
