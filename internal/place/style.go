package place

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Lessons have what the placed edits of a request show about the text, for the benefit of all edits.
type lessons struct {
	text    text.Text
	all     []pending
	lexicon lexicon
	taught  *style
	room    [4]shift // memory for the shifts of one placement
}

// lessonsOf takes the lessons about notation from the placed edits. Those about indentation are taken on first use.
func lessonsOf(t text.Text, all []pending) lessons {
	ls := lessons{text: t, all: all}
	for i := range all {
		w := &all[i]
		if !w.placed || text.IsASCII(w.e.Old) && w.candidates[0].ignores&signs == 0 {
			continue
		}
		f := w.placement(0)
		for i, l := range f.lines(t) {
			if !l.Real() {
				continue
			}
			if fit := fitOf(f.p.old[i], f.p.keys[i], t.Bytes(l)); fit != misfit && (fit&signs != 0 || !text.IsASCII(f.p.old[i])) {
				if ls.lexicon == nil {
					ls.lexicon = lexicon{}
				}
				ls.lexicon.learn(f.p.old[i], string(t.Bytes(l)))
			}
		}
	}
	return ls
}

// A style has what the edits of a request show together about indentation. Each part is computed on first use.
type style struct {
	scales  func() []scale
	other   func() bool     // some edit is written in another style than the text: tabs for spaces, the reverse, or other steps
	request func() []string // every indentation in the request
	unit    func() string   // the text's commonest step, "" if none is common enough
}

// style returns the style of the request, the same one each time.
func (ls *lessons) style() *style {
	if ls.taught != nil {
		return ls.taught
	}
	observed := sync.OnceValue(func() (all []*observation) {
		for i := range ls.all {
			if w := &ls.all[i]; w.placed {
				o := observe(ls.text, w.placement(0), w.placement(0).lines(ls.text), nil)
				all = append(all, &o)
			}
		}
		return all
	})
	ls.taught = &style{
		scales: sync.OnceValue(func() (scales []scale) {
			for _, o := range observed() {
				scales = append(scales, o.scales(ls)...)
			}
			return scales
		}),
		other: sync.OnceValue(func() bool {
			return slices.ContainsFunc(observed(), func(o *observation) bool {
				return slices.ContainsFunc(o.shifts, shift.isOtherStyle) || !o.same && o.isRescaled(ls.style().arithmetic(o))
			})
		}),
		request: sync.OnceValue(ls.requestIndents),
		unit:    sync.OnceValue(func() string { return outline.CommonestStep(ls.text) }),
	}
	return ls.taught
}

// requestIndents returns the indentation of every line of the request that is not blank.
func (ls *lessons) requestIndents() (indents []string) {
	for i := range ls.all {
		w := &ls.all[i]
		p := &w.plain
		if w.placed {
			p = w.reading
		}
		for _, l := range slices.Concat(p.old, p.new) {
			if indent, body, _ := text.Parts(l); body != "" {
				indents = append(indents, indent)
			}
		}
	}
	return indents
}

// A scale is one step of indentation, as the request and as the text have it.
type scale struct{ from, to string }

// count returns the indentation of the text that stands for one of the request. It counts the steps from the shift of a matched
// line.
func (c scale) count(indent string, s shift) (string, bool) {
	to := s.to
	if more, ok := strings.CutPrefix(indent, s.from); ok {
		for ; more != ""; to += c.to {
			if more, ok = strings.CutPrefix(more, c.from); !ok {
				return "", false
			}
		}
		return to, true
	}
	less, ok := strings.CutPrefix(s.from, indent)
	for ok && less != "" {
		if less, ok = strings.CutPrefix(less, c.from); ok {
			to, ok = strings.CutSuffix(to, c.to)
		}
	}
	return to, ok
}

// scales returns the steps that two levels of one placement show.
func (o *observation) scales(ls *lessons) (all []scale) {
	for k, a := range o.shifts {
		for _, b := range o.shifts[:k] {
			if len(a.from) < len(b.from) {
				a, b = b, a
			}
			from, ok := strings.CutPrefix(a.from, b.from)
			to, also := strings.CutPrefix(a.to, b.to)
			if !ok || !also || from == "" || to == "" {
				continue
			}
			if unit := ls.style().unit(); unit != "" && len(to)%len(unit) == 0 {
				if n := len(to) / len(unit); len(from)%n == 0 && to == strings.Repeat(unit, n) && from == strings.Repeat(from[:len(from)/n], n) {
					from, to = from[:len(from)/n], unit
				}
			}
			if c := (scale{from, to}); len(all) == 0 || all[len(all)-1] != c {
				all = append(all, c)
			}
			break
		}
	}
	return all
}

// arithmetic returns the scale of the whole request: from the greatest step that all its indentations are multiples of, to the
// commonest step of the text.
func (st *style) arithmetic(o *observation) []scale {
	unit, request := st.unit(), st.request()
	if unit == "" || len(request) == 0 {
		return nil
	}
	step, spaces, tabs := 0, false, false
	for _, s := range request {
		spaces = spaces || strings.Contains(s, " ")
		tabs = tabs || strings.Contains(s, "\t")
		for a := max(len(s)-len(request[0]), len(request[0])-len(s)); a != 0; { // the greatest common divisor
			step, a = a, step%a
		}
	}
	if tabs {
		return []scale{{"\t", unit}}
	}
	if !spaces || step == 0 {
		return nil
	}
	for _, s := range o.shifts {
		n := strings.Count(s.to, unit)
		whole := s.to == strings.Repeat(unit, n)
		switch {
		case step > 4 && !(whole && len(s.from) == n*step):
			return nil // several steps of the text may look like one of the request
		case whole && n > 0 && len(s.from) > n*step:
			return nil // the request has half a step, or the line is deeper in the request
		}
	}
	return []scale{{strings.Repeat(" ", step), unit}}
}

// isRescaled reports whether every matched line may be at the same level in the request and in the text, in steps of different
// width: those of the first scale.
func (o *observation) isRescaled(scales []scale) bool {
	return len(scales) > 0 && !slices.ContainsFunc(o.shifts, func(s shift) bool {
		n := len(s.from) / len(scales[0].from)
		return s.from != strings.Repeat(scales[0].from, n) || s.to != strings.Repeat(scales[0].to, n)
	})
}

// styleNote returns a note that a new line is indented in another style than the text, "" if it is not.
func (o *observation) styleNote(ls *lessons, indent string) string {
	if indent == "" || slices.ContainsFunc(o.shifts, func(s shift) bool { return s.to != "" && s.to[0] == indent[0] }) {
		return ""
	}
	unit := ls.style().unit()
	if unit == "" {
		return ""
	}
	own, others := styleOf(indent), styleOf(unit)
	if own == others {
		scales := ls.style().arithmetic(o)
		if len(scales) == 0 || len(scales[0].from) == 1 || scales[0].from == unit { // one space is alignment
			return ""
		}
		own, others = fmt.Sprint(len(scales[0].from), " ", own), fmt.Sprint(len(unit), " ", others)
	}
	return fmt.Sprintf("the new lines are indented with %s, the file with %s; they were inserted as requested", own, others)
}

func styleOf(indent string) string {
	if indent[0] == '\t' {
		return "tabs"
	}
	return "spaces"
}
