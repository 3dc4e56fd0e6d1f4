package main

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	left, plotWidth, right = 330, 520, 170
	barHeight              = 15
	top                    = 112 // of the first group
	gap                    = 14  // between two groups
)

// The colours, for a light and a dark background.
const style = `
.bg{fill:#fff} .ink{fill:#1f2328} .dim{fill:#59636e} .grid{stroke:#d8dee4} .bar0{fill:#1f6fc0} .bar1{fill:#5ba3e6}
.target{stroke:#c01c28;stroke-width:3} .peer{fill:#d97700;stroke:#fff} .name{fill:#8a4b00}
@media (prefers-color-scheme: dark){
.bg{fill:#0d1117} .ink{fill:#e6edf3} .dim{fill:#9da7b3} .grid{stroke:#30363d} .bar0{fill:#4a9eff} .bar1{fill:#2f6cae}
.target{stroke:#ff6b6b} .peer{fill:#f0a030;stroke:#0d1117} .name{fill:#f0b866}}`

// draw draws the rows as bars on a logarithmic time scale. A bar is the time of this package, a line across it the
// target, and the points are other packages. Rows of the same work form a group of bars.
func draw(rows []row) string {
	const least, most = 10 * time.Microsecond, time.Second
	x := func(d time.Duration) float64 {
		span := math.Log(float64(most) / float64(least))
		return left + plotWidth*math.Log(float64(min(max(d, least), most))/float64(least))/span
	}
	var plot strings.Builder // what is drawn above the grid
	p := func(format string, args ...any) { fmt.Fprintf(&plot, format+"\n", args...) }
	y := top
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].name == rows[0].name {
			n++
		}
		name, size, _ := strings.Cut(rows[0].name, ", ")
		middle := y + n*barHeight/2
		p(`<text x="%d" y="%d" text-anchor="end" class="ink">%s</text>`, left-12, middle-1, html.EscapeString(name))
		p(`<text x="%d" y="%d" text-anchor="end" font-size="11" class="dim">%s</text>`, left-12, middle+13,
			html.EscapeString(size))
		for i, r := range rows[:n] {
			drawRow(p, r, i, y+i*barHeight, x)
		}
		y += max(n*barHeight, 28) + gap
		rows = rows[n:]
	}

	var b strings.Builder
	p = func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`,
		left+plotWidth+right, y+42)
	p(`<title>Time for one call of atomicedit, beside its targets and other packages</title><style>%s</style>`, style)
	p(`<rect width="100%%" height="100%%" rx="6" class="bg"/>`)
	p(`<text x="16" y="30" font-size="18" font-weight="bold" class="ink">` +
		`Time for one call: shorter is better, each grid line is ten times the one before</text>`)
	p(`<rect x="16" y="48" width="24" height="12" class="bar0"/>` +
		`<text x="47" y="59" class="ink">atomicedit, on generated text</text>`)
	p(`<rect x="250" y="48" width="24" height="12" class="bar1"/>` +
		`<text x="281" y="59" class="ink">atomicedit, on sources of the Go tree</text>`)
	p(`<line x1="538" y1="45" x2="538" y2="63" class="target"/><text x="548" y="59" class="ink">target</text>`)
	p(`<circle cx="620" cy="54" r="5" class="peer"/>` +
		`<text x="632" y="59" class="ink">another package, the same work on the same input</text>`)
	for d := least; d <= most; d *= 10 {
		p(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" class="grid"/>`, x(d), top-10, x(d), y)
		for _, at := range []int{top - 18, y + 20} {
			p(`<text x="%.1f" y="%d" text-anchor="middle" class="dim">%s</text>`, x(d), at, unit(d))
		}
	}
	return b.String() + plot.String() + "</svg>\n"
}

// unit names a power of ten of a second.
func unit(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%d s", d/time.Second)
	case d >= time.Millisecond:
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return fmt.Sprintf("%d µs", d/time.Microsecond)
}

// drawRow draws bar i of its group at y.
func drawRow(p func(format string, args ...any), r row, i, y int, x func(time.Duration) float64) {
	p(`<rect x="%d" y="%d" width="%.1f" height="%d" class="bar%d"/>`, left, y, max(x(r.ours)-left, 2), barHeight-2, i)
	free := x(r.ours) + 10 // where there is room for the names
	if r.target > 0 {
		p(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" class="target"/>`, x(r.target), y-2, x(r.target), y+barHeight)
	}
	points := slices.SortedFunc(slices.Values(r.others), func(a, b other) int { return cmp.Compare(a.time, b.time) })
	var names []string // in the order of the points
	for _, o := range points {
		p(`<circle cx="%.1f" cy="%d" r="4.5" class="peer"/>`, x(o.time), y+barHeight/2-1)
		names, free = append(names, o.name), max(free, x(o.time)+9)
	}
	text := strings.Join(names, ", ")
	if at := x(r.target); r.target > 0 && at > free-6 && at < free+6*float64(len(text)) {
		free = at + 8 // so that the line of the target does not cross the names
	}
	if text != "" {
		p(`<text x="%.1f" y="%d" font-size="10.5" class="name">%s</text>`, free, y+barHeight/2+3,
			html.EscapeString(text))
	}
}
