// Package filehint finds the file that the text above a block names: a title, a line of prose, or the opening of the
// code fence around the block. A block may be a hunk of a diff. docs/PLACING.md has the rules as B1 to B3.
package filehint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Conflict is about a block that may belong to either of two files.
type Conflict struct {
	Hint         // the file that a line above the block names
	Other string // the file that the block would go to without the hint
}

// Lines returns the remaining lines of in that are not blank. If afterBlock is set, they begin right below another
// block, so a bare fence on the first line closes the fence around that block.
func Lines(in text.Scanner, afterBlock bool) []Line {
	var lines []Line
	fence := -1 // the index of the open fence
	for first := afterBlock; in.Scan(); first = false {
		switch s := strings.TrimSpace(in.Line); {
		case s == "":
			continue
		case !text.IsFence(s):
			lines = append(lines, Line{Text: s, No: in.No})
		case strings.Trim(s, s[:1]) != "": // a fence with an info string opens
			fence = len(lines)
			lines = append(lines, Line{Text: strings.TrimSpace(strings.TrimLeft(s, s[:1])), No: in.No, Fence: true})
		case fence >= 0:
			code := len(lines) > fence+2 || slices.Contains(shells, strings.ToLower(lines[fence].Text))
			for i := fence + 1; i < len(lines); i++ {
				lines[i].code = code
			}
			fence = -1
		case !first:
			fence = len(lines)
			lines = append(lines, Line{No: in.No, Fence: true})
		}
	}
	if fence >= 0 {
		lines[fence].encloses = true
	}
	return lines
}

// shells are the languages of shell commands, which may look like paths.
var shells = []string{"sh", "bash", "zsh", "fish", "shell", "console", "terminal", "powershell", "cmd"}

// File returns the hint that names the file of the block below the lines. Known is the file of the previous block, ""
// if it has none. A Hint without a path means that the block is for the known file.
//
// If the lines next to the block name no file, all lines count, from the block upwards. The nearest title decides,
// whatever is mentioned below it. Without one, a label decides if no other file is mentioned. Otherwise the known file
// decides, with the same proviso.
func File(lines []Line, known string) (Hint, *Conflict) {
	if hint, conflict := adjacent(lines); hint.Path != "" || conflict != nil {
		return hint, conflict
	}
	var label Hint
	var mentions []Hint // the nearest first
	for _, l := range slices.Backward(lines) {
		if l.code {
			continue
		}
		switch h := l.Hint(); {
		case h.Certainty == Title && (label.Path == "" || SameFile(h.Path, label.Path)):
			return h, nil
		case h.Certainty == Title:
			return Hint{}, &Conflict{label, h.Path}
		case h.Certainty == Label:
			if !l.Fence {
				label = cmp.Or(label, h)
			}
			mentions = append(mentions, h)
		case label.Path == "":
			for _, name := range mentioned(l.Text) {
				mentions = append(mentions, Hint{Path: name, Line: l.No})
			}
		}
	}
	other := func(than string) int {
		return slices.IndexFunc(mentions, func(h Hint) bool { return !SameFile(h.Path, than) })
	}
	if label.Path != "" && other(label.Path) < 0 {
		return label, nil
	}
	if i := other(known); i >= 0 && known != "" {
		return Hint{}, &Conflict{mentions[i], known}
	}
	return Hint{}, nil
}

// adjacent reads the lines next to the block: those right above it and its fence, and the fence.
func adjacent(lines []Line) (Hint, *Conflict) {
	var best Hint
	fence := slices.IndexFunc(lines, func(l Line) bool { return l.encloses })
	for _, i := range []int{len(lines) - 1, fence, fence - 1} {
		if i < 0 || lines[i].code || lines[i].Fence && i != fence {
			continue
		}
		h := lines[i].Hint()
		if h.Certainty == Label && i > 0 && lines[i-1].No == h.Line-1 && !lines[i-1].Fence {
			if above := lines[i-1].Hint(); above.Certainty == Label && !SameFile(above.Path, h.Path) {
				continue // a list of files
			}
		}
		switch {
		case h.Certainty == Mention || best.Path != "" && h.Certainty == Word:
		case best.Certainty <= Word || isTail(best.Path, h.Path):
			best = h
		case !isTail(h.Path, best.Path):
			return Hint{}, &Conflict{h, best.Path}
		}
	}
	return best, nil
}

// A Line is a line above a block that is not blank.
type Line struct {
	Text  string // without whitespace around it; of a fence, the info string
	No    int    // its number in the request, from 1
	Fence bool   // it opens a code fence

	encloses bool // the fence encloses the block
	code     bool // the line is in a fence without a block: one of several lines, or a command
}

// A Hint is a path that a line names.
type Hint struct {
	Path      string
	Certainty Certainty
	Line      int // the line's number
}

// A Certainty says how surely a line names the file of the block below it, from least to most.
type Certainty int

const (
	Mention Certainty = iota // the path is one word among others
	Word                     // a single word that may be a path; it counts only right above a block
	Label                    // a path alone, or with words that only introduce it
	Title                    // a path as a Markdown heading, in bold, or after "File:"
)

// Hint returns the path that l names, if any, and how surely it does.
func (l Line) Hint() Hint {
	read := onLine
	if l.Fence {
		read = inFence
	}
	name, how := read(l.Text)
	return Hint{name, how, l.No}
}

// A decoration is the markup around a path.
type decoration struct {
	sign  bool // a heading, list, number or comment marker before it
	title bool // a heading, or bold, or "File:" before it
	label bool // "File:" before it
	code  bool // backticks or quotes around it
	colon bool // a colon after it
}

// onLine returns the path that a line of text names, and how surely it does.
func onLine(s string) (string, Certainty) {
	s, around := stripDecoration(s)
	if s == "" {
		return "", Mention
	}
	how := Label
	if around.title {
		how = Title
	}
	if !around.code && !(IsFileName(s) && !strings.ContainsAny(s, " \t")) {
		name := introduced(s, around)
		if name == "" && (around.title || around.sign || strings.IndexByte("`*[", s[0]) >= 0) {
			name = described(s)
		}
		if name != "" {
			return name, how
		}
	}
	switch {
	case !IsPath(s) || strings.ContainsAny(s, " \t") && !(around.code || around.label && IsFileName(s)):
		return "", Mention
	case around.label || IsFileName(s) || strings.ContainsAny(s, `/\`) || hasFileLikeSuffix(s):
		return s, how
	case around.title || around.colon || around.sign,
		!around.code && !(text.HasLetterOrDigit(s) && (strings.Contains(s, ".") || isBareFile(s))):
		return "", Mention
	}
	return s, Word
}

// stripDecoration removes the decoration of a line, which may be nested: "**File: `b.go`:**".
func stripDecoration(s string) (string, decoration) {
	var d decoration
	s, d.sign, d.title = withoutSigns(s)
	for range 6 {
		label, rest, ok := strings.Cut(s, ":")
		if ok && len(rest) > 1 && slices.Contains(fileLabels, strings.ToLower(strings.TrimSpace(label))) {
			s, d.title, d.label = strings.TrimSpace(rest), true, true
		}
		if before, ok := strings.CutSuffix(s, ":"); ok && (d.label || strings.ContainsAny(before, "./`*\"'")) {
			s, d.colon = strings.TrimSpace(before), true
		}
		if inner, ok := enclosed(s, "**", "**"); ok {
			s, d.title = inner, true
		}
		if inner, ok := enclosed(s, "_", "_"); ok && IsFileName(strings.Trim(inner, "_")) {
			s = strings.Trim(inner, "_")
		}
		for _, quote := range []string{"`", "\"", "'"} {
			if inner, ok := enclosed(s, quote, quote); ok && !strings.Contains(inner, quote) {
				s, d.code = inner, true
			}
		}
		if d.label && d.code && IsPath(s) {
			break // what is in quotes after "File:" is the path exactly
		}
		if shown, target, ok := strings.Cut(s, "]("); ok && s[0] == '[' && strings.HasSuffix(target, ")") {
			if s = strings.TrimSuffix(target, ")"); !IsFileName(s) {
				s = shown[1:]
			}
		}
	}
	return s, d
}

// withoutSigns removes the markers of a comment around a line, or those of headings and lists before it: "> - 1. b.go".
func withoutSigns(s string) (rest string, sign, heading bool) {
	s = strings.TrimSpace(s)
	for _, c := range [][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"{#", "#}"}, {"(*", "*)"}, {"//", ""}} {
		if inner, ok := enclosed(s, c[0], c[1]); ok {
			return inner, true, false
		}
	}
	for range 3 {
		first, rest, _ := strings.Cut(s, " ")
		switch {
		case s != "" && s[0] == '#':
			s, sign, heading = strings.TrimSpace(strings.Trim(s, "#")), true, true
		case rest != "" && (len(first) < 3 && strings.Trim(first, "->*+•;%") == "" || isOrdinal(first)):
			s, sign = strings.TrimSpace(rest), true
		}
	}
	return s, sign, heading
}

// enclosed returns the part of s between the given markers at its ends.
func enclosed(s, begin, end string) (string, bool) {
	if len(s) <= len(begin)+len(end) || !strings.HasPrefix(s, begin) || !strings.HasSuffix(s, end) {
		return s, false
	}
	return strings.TrimSpace(s[len(begin) : len(s)-len(end)]), true
}

// The words before a path and a colon, and the names of attributes of a code fence whose value is a path.
var (
	fileLabels     = []string{"file", "filename", "filepath", "path"}
	pathAttributes = []string{"file", "filename", "filepath", "file_path", "path", "title", "name"}
)

// introduced returns the path of a line that consists of one path and words that introduce it, as in "Now update
// b.go:". A sentence counts only if it has a colon, or is a title, a list entry or a tag.
func introduced(s string, around decoration) string {
	name, isSentence := "", false
	s = strings.TrimSuffix(s, " as follows")
	for _, w := range words(s) {
		switch {
		case !w.call && IsFileName(w.text) && (name == "" || isTail(name, w.text)):
			name = w.text
		case !w.call && IsFileName(w.text) && isTail(w.text, name):
		case w.spaced || w.call:
			return ""
		default:
			word := strings.ToLower(strings.TrimPrefix(w.text, "/")) // "<path>b.go</path>"
			isSentence = isSentence || is(word, verbal)
			if !is(word, verbal) && !is(word, introducing) && !isOrdinal(w.text) && text.HasLetterOrDigit(w.text) {
				return ""
			}
		}
	}
	marked := around.sign || around.title || around.colon || strings.Contains(s, ":") || strings.HasPrefix(s, "<")
	if isSentence && !marked {
		return ""
	}
	return name
}

// isOrdinal reports whether s is a number in a list or series: "2.", "(2)", "2/3", "#2".
func isOrdinal(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789.()/#:-") == ""
}

// described returns the path before a remark about it that mentions no other file: "b.go - the handler".
func described(s string) string {
	end := len(s)
	for _, sign := range []string{" - ", " – ", " — ", ": ", " ("} {
		if i := strings.Index(s, sign); i > 0 {
			end = min(end, i)
		}
	}
	if end == len(s) {
		return ""
	}
	name, how := onLine(s[:end])
	isOther := func(other string) bool { return !SameFile(other, name) }
	if how < Label || slices.ContainsFunc(mentioned(s[end:]), isOther) {
		return ""
	}
	return name
}

// inFence returns the path in the info string of a fence, as onLine does: "go:b.go", "b.go", "go title=b.go".
func inFence(info string) (string, Certainty) {
	for rest := strings.Trim(info, "{}"); rest != ""; {
		rest = strings.TrimLeft(rest, " \t,")
		n := strings.IndexAny(rest, " \t,=")
		if n < 0 {
			n = len(rest)
		}
		key, value := rest[:n], ""
		if rest = rest[n:]; rest != "" && rest[0] == '=' {
			value, rest = cutValue(rest[1:])
		}
		bare := withoutLineNumber(key)
		i := strings.LastIndexByte(bare, ':')
		switch isPath := slices.Contains(pathAttributes, strings.ToLower(key)); {
		case value != "" && isPath && isPlainlyPath(value):
			return value, Label
		case value == "" && i > 1 && isPlainlyPath(bare[i+1:]):
			return bare[i+1:], Label
		case value == "" && i <= 1 && IsFileName(bare) && strings.Contains(key, "."):
			return bare, Label
		}
	}
	return "", Mention
}

// cutValue splits s after the value of an attribute, which may be in quotes.
func cutValue(s string) (value, rest string) {
	if s != "" && strings.IndexByte(`"'`, s[0]) >= 0 {
		if value, rest, ok := strings.Cut(s[1:], s[:1]); ok {
			return value, rest
		}
	}
	if n := strings.IndexAny(s, " \t}"); n >= 0 {
		return s[:n], s[n:]
	}
	return s, ""
}

// isPlainlyPath reports whether s can be a path, and also looks like one.
func isPlainlyPath(s string) bool {
	return IsPath(s) && (IsFileName(s) || hasFileLikeSuffix(s) || strings.ContainsAny(s, `/\`))
}
