package tagcall

import "slices"

// maxShared is how many parameters may stand around groups, each of which gets all of them.
const maxShared = 32

// calls returns the calls that c stands for, which has the given elements: one for each innermost group that is no
// edit. Shared are the parameters of the groups around them. It reports false if they are too many.
func (c Call) calls(elems []element, shared []Field, isList bool) (all []Call, ok bool) {
	if isList {
		c.Fields, c.Edits = shared, edits(elems)
		return []Call{c}, true
	}
	var own []Field
	var others []element
	for _, e := range elems {
		switch g := groups[key(e.Name)]; {
		case e.inner == nil:
			own = append(own, e.Field)
		case g.isEdit:
			c.Edits = append(c.Edits, fields(e.inner))
		case g.isList:
			c.Edits = append(c.Edits, edits(e.inner)...)
		default:
			others = append(others, e)
		}
	}
	c.Fields = slices.Concat(shared, own)
	if len(others) == 0 || c.Edits != nil {
		all = append(all, c)
	}
	if len(others) > 0 && len(c.Fields) > maxShared {
		return nil, false
	}
	for _, e := range others {
		inner, ok := Call{Tool: c.Tool, Offset: c.Offset}.calls(e.inner, c.Fields, false)
		if !ok {
			return nil, false
		}
		all = append(all, inner...)
	}
	return all, true
}

// edits returns the parameters of each edit in a list: a group is one, and otherwise a parameter that comes again
// begins the next.
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

// fields returns all parameters among elements.
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

// repeated returns the first field whose name an earlier one has, and nil if there is none.
func repeated(fields []Field) *Field {
	seen := map[string]bool{}
	for i, f := range fields {
		if len(fields) < 8 && slices.ContainsFunc(fields[:i], func(g Field) bool { return g.Name == f.Name }) ||
			seen[f.Name] {
			return &fields[i]
		}
		if len(fields) >= 8 { // a map costs more for fewer
			seen[f.Name] = true
		}
	}
	return nil
}
