package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
	Unit  string   `json:"unit,omitempty"`
}

// A Position has a line, from 1, and a column, from 0.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// unitsOf returns how many columns of a unit a character has, 0 if there is no such unit.
func unitsOf(r rune, unit string) int {
	switch unit {
	case "", "utf-16":
		return utf16.RuneLen(r)
	case "utf-8":
		return utf8.RuneLen(r)
	case "utf-32":
		return 1
	}
	return 0
}

// invalid returns the problem of a range that no text has, nil if there may be one.
func (r Range) invalid() *Problem {
	switch {
	case r.Start.Line < 1 || r.Start.Column < 0 || r.End.Line < 1 || r.End.Column < 0:
		return Invalid("the lines of a range are counted from 1 and its columns from 0: correct them")
	case r.End.compare(r.Start) < 0:
		return Invalid("the range ends before it begins: give the earlier position first")
	case unitsOf('a', r.Unit) == 0:
		return Invalid(fmt.Sprintf("the columns of a range cannot be counted in %q: count them in utf-16, utf-8 or "+
			"utf-32", r.Unit))
	}
	return nil
}

// A Place is where a text has the range of an edit, or the problem with it.
type Place struct {
	text.Span
	Problem *Problem
}

// A point is one end of a range on the way to its offset.
type point struct {
	Position
	unit string
	of   *Place
	at   *int // the offset to set
}

// Places returns where t, whose lines begin at starts, has the ranges of edits; see [text.Text.Starts]. The cost is
// linear in t and, but for sorting, in the edits: the columns of a line are counted once.
func Places(edits []Edit, t text.Text, starts []int) []Place {
	places := make([]Place, len(edits))
	points := make([]point, 0, 2*len(edits))
	for i := range edits {
		p, r := &places[i], edits[i].Range
		if p.Problem = r.invalid(); p.Problem == nil {
			points = append(points, point{r.Start, r.Unit, p, &p.Start}, point{r.End, r.Unit, p, &p.End})
		}
	}
	slices.SortStableFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.unit, b.unit), a.compare(b.Position))
	})
	alone := loneReturn(t)
	var c column
	for _, p := range points {
		if p.unit != c.unit || p.Line != c.line {
			c = column{line: p.Line, unit: p.unit, at: len(t.Data), end: len(t.Data)}
			if p.Line < len(starts) { // else it is the end of the text
				l := t.LineAt(starts[p.Line-1])
				c.at, c.end = l.Start, l.End
			}
		}
		problem := c.advance(t, len(starts)-1, p.Column)
		if *p.at = c.at; c.at > alone {
			problem = &Problem{Err: errs.ErrAmbiguous, Msg: fmt.Sprintf("line %d has a carriage return before its "+
				"end, which some programs count as the end of a line, so it is unclear where the range is: locate "+
				"the edit by its old text", 1+bytes.Count(t.Data[:alone], []byte{t.EOL}))}
		}
		p.of.Problem = cmp.Or(p.of.Problem, problem)
	}
	return places
}

// A column is a place in a line, and the column that it has.
type column struct {
	line    int
	unit    string
	at, end int // the place, and that of the end of the line
	column  int
}

// advance moves c to a column of its line, or to the end of a shorter one. The text has the given number of lines.
func (c *column) advance(t text.Text, lines, to int) *Problem {
	if c.line > lines+1 {
		return Invalid(fmt.Sprintf("the file has %s, so there is no line %d, counted from 1, for the range: read it "+
			"again, or use line %d for the end of the file", CountLines(lines), c.line, lines+1))
	}
	for c.column < to && c.at < c.end {
		r, size := utf8.DecodeRune(t.Data[c.at:c.end])
		if r == utf8.RuneError && size == 1 {
			return &Problem{Err: errs.ErrEncoding,
				Msg: fmt.Sprintf("line %d has bytes that are not UTF-8, so its columns from %d on cannot be counted: "+
					"begin and end the range with whole lines, at column 0", c.line, c.column+1)}
		}
		n := unitsOf(r, c.unit)
		if c.column+n > to {
			return Invalid(fmt.Sprintf("column %d of line %d, counted from 1, is within the character %q: begin and "+
				"end the range between two characters", to, c.line, r))
		}
		c.column, c.at = c.column+n, c.at+size
	}
	return nil
}

// loneReturn returns the offset of the first return that only some programs take for a line ending, or of the end.
func loneReturn(t text.Text) int {
	for at := 0; t.EOL == '\n'; at++ {
		i := bytes.IndexByte(t.Data[at:], '\r')
		if i < 0 {
			break
		}
		if at += i; at+1 == len(t.Data) || t.Data[at+1] != '\n' {
			return at
		}
	}
	return len(t.Data)
}

// NewLike returns the new text of e, which has a range, with the line endings that t has there, if t has any.
func (e *Edit) NewLike(t text.Text, place text.Span) string {
	if bytes.IndexByte(t.Data, t.EOL) < 0 {
		return e.New
	}
	return t.WithEndings(place, e.New)
}
