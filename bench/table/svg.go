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
	left, plotWidth, barHeight, rowHeight = 350, 520, 22, 46

	head = 84 // above the first row
)

// draw draws the rows as bars on a logarithmic scale of time: ours, with the target as a line across and the others as
// points.
func draw(rows []row) string {
	const least, most = 10 * time.Microsecond, 10 * time.Second
	x := func(d time.Duration) float64 {
		span := math.Log(float64(most) / float64(least))
		return left + plotWidth*math.Log(float64(min(max(d, least), most))/float64(least))/span
	}
	height := head + rowHeight*len(rows) + 40
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13" fill="#222">`, left+plotWidth+50, height)
	p(`<rect width="100%%" height="100%%" fill="#fff"/>`)
	p(`<text x="16" y="28" font-size="18" font-weight="bold">Time for one call, shorter is better (every line is ten times the one before)</text>`)
	p(`<rect x="16" y="44" width="26" height="12" fill="#2a78c8"/><text x="48" y="55">atomicedit</text>`)
	p(`<line x1="142" y1="41" x2="142" y2="59" stroke="#c01c28" stroke-width="3"/><text x="152" y="55">target</text>`)
	p(`<circle cx="216" cy="50" r="5" fill="#e08a00"/><text x="228" y="55">another package, the same work on the same input</text>`)
	bottom := head + rowHeight*len(rows)
	for d := least; d <= most; d *= 10 {
		p(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle" fill="#555">%s</text>`,
			x(d), head-8, x(d), bottom, x(d), bottom+20, d)
	}
	for i, r := range rows {
		y := head + rowHeight*i
		name, size, _ := strings.Cut(r.name, ", ")
		p(`<text x="%d" y="%d" text-anchor="end">%s</text>`, left-10, y+11, html.EscapeString(name))
		p(`<text x="%d" y="%d" text-anchor="end" font-size="11" fill="#555">%s</text>`, left-10, y+26, html.EscapeString(size))
		p(`<rect x="%d" y="%d" width="%.1f" height="%d" fill="#2a78c8"/>`, left, y, max(x(r.ours)-left, 2), barHeight)
		if r.target > 0 {
			p(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#c01c28" stroke-width="3"/>`, x(r.target), y-4, x(r.target), y+barHeight+4)
		}
		points := slices.Clone(r.others)
		slices.SortFunc(points, func(a, b other) int { return cmp.Compare(a.time, b.time) })
		var names []string
		for _, o := range points {
			p(`<circle cx="%.1f" cy="%d" r="5" fill="#e08a00" stroke="#fff"/>`, x(o.time), y+barHeight/2)
			names = append(names, o.name)
		}
		if n := len(points); n > 0 { // in the order of the points
			p(`<text x="%.1f" y="%d" font-size="11" fill="#8a5500">%s</text>`, x(points[n-1].time)+9, y+barHeight/2+4, html.EscapeString(strings.Join(names, ", ")))
		}
	}
	p(`</svg>`)
	return b.String()
}
