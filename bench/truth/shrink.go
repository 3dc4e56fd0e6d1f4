package main

import "slices"

// shrink returns a case with the same failure and fewer lines that no edit touches.
func shrink(c *testCase) *testCase {
	why := c.try().why
	fails := func(d *testCase) bool { v := d.try(); return v.kind == "wrong" && v.why == why }
	for i := 0; i < len(c.hunks) && len(c.hunks) > 1; {
		if d := c.without(i); fails(d) {
			c = d
		} else {
			i++
		}
	}
	for gap := range len(c.hunks) + 1 {
		for size := len(*c.gap(gap)); size > 0; size /= 2 {
			for at := 0; at+size <= len(*c.gap(gap)); {
				d := *c
				d.hunks = slices.Clone(c.hunks)
				*d.gap(gap) = slices.Delete(slices.Clone(*c.gap(gap)), at, at+size)
				if fails(&d) {
					c = &d
				} else {
					at += size
				}
			}
		}
	}
	return c
}

// gap returns the lines above a hunk, or those below the last one.
func (c *testCase) gap(i int) *[]string {
	if i < len(c.hunks) {
		return &c.hunks[i].above
	}
	return &c.below
}

// without returns a case that does not have the i-th hunk.
func (c *testCase) without(i int) *testCase {
	d := *c
	h := c.hunks[i]
	d.hunks = slices.Delete(slices.Clone(c.hunks), i, i+1)
	d.requests = slices.Delete(slices.Clone(c.requests), i, i+1)
	d.bare = slices.Delete(slices.Clone(c.bare), i, i+1)
	*d.gap(i) = slices.Concat(h.above, h.before, h.old, h.after, *d.gap(i))
	return &d
}
