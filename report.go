package atomicedit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Report says what a transaction does, to the person who approves it and to the model that asked for it.
type Report struct {
	Files []FileReport `json:"files"`
	Diff  string       `json:"diff"` // unified, of all files, with git headers and a/ and b/ before the names
}

// A FileReport says what happens to one file.
type FileReport struct {
	Status      string  `json:"status"` // "added", "modified", "deleted", "moved"
	Path        string  `json:"path"`
	From        string  `json:"from,omitempty"` // where it was, if moved
	Added       int     `json:"added"`          // lines
	Removed     int     `json:"removed"`        // lines
	Lines       int     `json:"lines"`          // of the text after
	Bytes       int     `json:"bytes"`          // of the text after
	BytesBefore int     `json:"bytes_before"`
	Before      Version `json:"before,omitempty"`  // "" if added
	After       Version `json:"after,omitempty"`   // "" if deleted
	Matches     []Match `json:"matches,omitempty"` // from the text before to the text after; none for a file written whole
	Notes       []Note  `json:"notes,omitempty"`
}

func (r *Report) clone() *Report {
	c := &Report{Files: slices.Clone(r.Files), Diff: r.Diff}
	for i, f := range c.Files {
		c.Files[i].Matches, c.Files[i].Notes = slices.Clone(f.Matches), slices.Clone(f.Notes)
	}
	return c
}

// add appends what the change c of f is, and returns its diff, which is rendered from the matches, without searching.
func (r *Report) add(f *target, c Change) (diff string) {
	file := FileReport{Status: "modified", Path: c.Path, From: c.From}
	before, from, to := c.Before, c.Path, c.Path
	switch {
	case c.From != "":
		file.Status, from, before = "moved", c.From, f.now.base.before
	case c.Before == nil:
		file.Status, from = "added", ""
	case c.After == nil:
		file.Status, to = "deleted", ""
	}
	if before != nil {
		file.Before, file.BytesBefore = VersionOf(before.Data), len(before.Data)
		for _, msg := range before.Notes {
			file.Notes = append(file.Notes, Note{Op: -1, Edit: -1, Msg: msg})
		}
	}
	if c.After != nil {
		file.After, file.Bytes, file.Lines = VersionOf(c.After.Data), len(c.After.Data), countLines(c.After.Data)
		if f.now.base != nil && (f.now.base == f || c.From != "") {
			file.Matches = f.now.matches
		}
		file.Notes = append(file.Notes, f.now.notes...)
	}
	diff = gitDiff(from, to, before, c.After, file.Matches)
	file.Added, file.Removed = countChanged(diff)
	r.Files = append(r.Files, file)
	return diff
}

// countLines counts the lines of a text in any encoding; what follows the last line ending is a line too.
func countLines(data []byte) int {
	if decoded, ok := encodingOf(data).decode(data); ok {
		data = decoded
	}
	t := newText(data)
	n := bytes.Count(data, []byte{t.eol})
	if !t.terminated() {
		n++
	}
	return n
}

// countChanged counts the lines that the diff of one file adds and removes.
func countChanged(diff string) (added, removed int) {
	hunk := false
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			hunk = true
		case hunk && line[0] == '+':
			added++
		case hunk && line[0] == '-':
			removed++
		}
	}
	return added, removed
}

// maxRanges and maxNotes are how many ranges of lines, and notes, the words of a report have for one file.
const (
	maxRanges = 20
	maxNotes  = 50
)

// String words the report for a model: what changed, which lines to read again, what was overlooked to make the edits
// fit, and notes.
func (r *Report) String() string {
	var b strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&b, "%s %s", f.Status, showPath(f.Path))
		if f.From != "" {
			fmt.Fprintf(&b, " from %s", showPath(f.From))
		}
		if f.Added+f.Removed > 0 {
			fmt.Fprintf(&b, ": +%d -%d lines", f.Added, f.Removed)
		}
		if f.Status != "deleted" {
			fmt.Fprintf(&b, ", now %d %s", f.Lines, plural(f.Lines, "line"))
			if f.Before != "" && f.Bytes != f.BytesBefore {
				fmt.Fprintf(&b, ", %d %s (%+d)", f.Bytes, plural(f.Bytes, "byte"), f.Bytes-f.BytesBefore)
			}
		}
		b.WriteString("\n")
		if len(f.Matches) > 0 {
			b.WriteString("  changed now: " + f.ranges() + "\n")
		}
		for i, n := range f.Notes {
			if i == maxNotes {
				fmt.Fprintf(&b, "  and %d more\n", len(f.Notes)-maxNotes)
				break
			}
			b.WriteString("  note: ")
			if n.Line > 0 {
				fmt.Fprintf(&b, "line %d: ", n.Line)
			}
			b.WriteString(n.Msg + "\n")
		}
	}
	return b.String()
}

// ranges lists the changed lines of the text after, with the fit where it is loose.
func (f FileReport) ranges() string {
	var ranges []string
	for _, m := range f.Matches {
		at := "line " + strconv.Itoa(m.New.Line)
		switch {
		case m.New.Lines == 0:
			at = "at " + at
		case m.New.Lines > 1:
			at = fmt.Sprintf("lines %d-%d", m.New.Line, m.New.Line+m.New.Lines-1)
		}
		if m.Fit > Exact {
			at += " (fit: " + m.Fit.String() + ")"
		}
		if len(ranges) == 0 || ranges[len(ranges)-1] != at {
			ranges = append(ranges, at)
		}
	}
	if n := len(ranges); n > maxRanges {
		ranges = append(ranges[:maxRanges:maxRanges], fmt.Sprintf("and %d more", n-maxRanges))
	}
	return strings.Join(ranges, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// showPath returns a path for a message: quoted if it has anything that could be taken for something else.
func showPath(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return strconv.Quote(path)
	}
	return path
}
