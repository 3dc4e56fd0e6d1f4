package atomicedit

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"
)

// contextLines is the number of unchanged lines shown on both sides of a change.
const contextLines = 3

// writeHunks writes the deltas, of which there is at least one, with the lines around them.
func writeHunks(b *strings.Builder, old, new []byte, ds []delta) {
	size := 0
	for _, d := range ds {
		size += d.a1 - d.a0 + hunkLines(old[d.a0:d.a1]) + d.b1 - d.b0 + hunkLines(new[d.b0:d.b1])
	}
	b.Grow(size)
	pos, lineA, lineB := 0, 1, 1 // an offset in old, the line that starts there, and the line of new
	for len(ds) > 0 {
		// Deltas with no more between them than their two contexts share a hunk.
		n := 1
		for n < len(ds) && linesAfter(old, ds[n-1].a1, 2*contextLines) >= ds[n].a0 {
			n++
		}
		first, last := ds[0], ds[n-1]
		start, end := linesBefore(old, first.a0, contextLines), linesAfter(old, last.a1, contextLines)
		startB, endB := first.b0-(first.a0-start), last.b1+(end-last.a1)
		equal := hunkLines(old[pos:start])
		lineA, lineB = lineA+equal, lineB+equal
		inA, inB := hunkLines(old[start:end]), hunkLines(new[startB:endB])

		fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(lineA, inA), hunkRange(lineB, inB))
		pos = start
		for _, d := range ds[:n] {
			prefixed(b, ' ', old[pos:d.a0])
			prefixed(b, '-', old[d.a0:d.a1])
			prefixed(b, '+', new[d.b0:d.b1])
			pos = d.a1
		}
		prefixed(b, ' ', old[pos:end])
		pos, lineA, lineB = end, lineA+inA, lineB+inB
		ds = ds[n:]
	}
}

// hunkRange writes n lines from line on. An empty range names the line before it.
func hunkRange(line, n int) string {
	switch n {
	case 0:
		return strconv.Itoa(line-1) + ",0"
	case 1:
		return strconv.Itoa(line)
	}
	return strconv.Itoa(line) + "," + strconv.Itoa(n)
}

// prefixed writes the lines of text with a sign in front.
func prefixed(b *strings.Builder, sign byte, text []byte) {
	for line := range bytes.Lines(text) {
		b.WriteByte(sign)
		b.Write(line)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}

// linesAfter returns the offset n lines after the line start at pos.
func linesAfter(text []byte, pos, n int) int {
	for ; n > 0 && pos < len(text); n-- {
		i := bytes.IndexByte(text[pos:], '\n')
		if i < 0 {
			return len(text)
		}
		pos += i + 1
	}
	return pos
}

// linesBefore returns the offset n lines before the line start at pos.
func linesBefore(text []byte, pos, n int) int {
	for ; n > 0 && pos > 0; n-- {
		pos = 1 + bytes.LastIndexByte(text[:pos-1], '\n')
	}
	return pos
}

// hunkLines counts the lines of a piece of a text as diffs do: nothing but a line feed ends one.
func hunkLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// gitMode is how git writes a mode: it knows executable files, links and others.
func gitMode(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m&0o111 != 0:
		return "100755"
	}
	return "100644"
}

// quoteName quotes a name as git does (with core.quotePath off) if it could not be read back otherwise.
func quoteName(name string) string {
	odd := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if strings.IndexFunc(name, odd) < 0 && utf8.ValidString(name) {
		return name
	}
	return quoted(name)
}

func quoted(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(name); i++ {
		c := name[i]
		if esc := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); esc >= 0 {
			b.WriteString(`\` + `abtnvfr"\`[esc:esc+1])
		} else if c < ' ' || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// gitName is a name after "diff --git". Git takes a space there for what it is if the two names are equal; patch does not.
func gitName(name string) string {
	if strings.Contains(name, " ") {
		return quoted(name)
	}
	return quoteName(name)
}

// headerName is a name after "---" or "+++", where a tab ends a name with spaces in it.
func headerName(name string) string {
	if q := quoteName(name); q != name || !strings.Contains(name, " ") {
		return q
	}
	return name + "\t"
}
