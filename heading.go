package atomicedit

import (
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Which file a block is for, or a hunk, is said by the lines between it and the one before it, by the rules B in PLACING.md.

// A gapLine is a line with text between two blocks.
type gapLine struct {
	text  string // of a fence, what stands behind its marks
	no    int
	fence bool
	code  bool // one of several lines, or a command, in a fence that holds no block
}

// A named is a path that a line names.
type named struct {
	path string
	how  naming
	line int
}

// naming is how surely a line names the file of the blocks below it, from not at all.
type naming int

const (
	asMention naming = iota // among other words
	asWord                  // a word that may be a path, alone; only right above a block
	asLabel                 // a path alone, or with words that only introduce it
	asTitle                 // a heading of Markdown, in bold, or behind "File:"
)

// A gap is the lines with text between two blocks or hunks.
type gap struct {
	lines []gapLine
	fence int    // the index of the line that opens a fence around what comes below, or -1
	file  string // of the block before, "" if none is named
	below string // what comes below, as a message calls it, without its line
	line  int
	want  string // what a message expects
}

// gap returns the gap above the next mark, up to the mark before it.
func (p *blockParser) gap() gap {
	in := scanner{src: p.src[:p.marks[p.i].start]}
	if p.i > 0 {
		in.next, in.no = p.marks[p.i-1].end, p.marks[p.i-1].line
	}
	g := gap{file: p.file, below: "block", line: p.marks[p.i].line, want: "the path of its file, alone, on the line right above the block"}
	g.lines, g.fence = gapLines(p.lines[:0], in, p.i > 0)
	p.lines = g.lines
	return g
}

// gapLines appends the lines with text from in to the end of its source, and returns the index of the one that opens a
// fence around what follows, or -1. behind says that a block ends where they begin, so that a bare fence there ends with it.
func gapLines(lines []gapLine, in scanner, behind bool) ([]gapLine, int) {
	fence := -1
	for first := behind; in.scan(); first = false {
		switch text := strings.TrimSpace(in.text); {
		case text == "":
			continue
		case !isFence(text):
			lines = append(lines, gapLine{text: text, no: in.no})
		case strings.Trim(text, text[:1]) != "": // a language or more behind it: it opens
			fence = len(lines)
			lines = append(lines, gapLine{text: strings.TrimSpace(strings.TrimLeft(text, text[:1])), no: in.no, fence: true})
		case fence >= 0:
			code := len(lines) > fence+2 || isShell(lines[fence].text)
			for i := fence + 1; i < len(lines); i++ {
				lines[i].code = code
			}
			fence = -1
		case !first: // else it closes the fence of the block before
			fence = len(lines)
			lines = append(lines, gapLine{no: in.no, fence: true})
		}
	}
	return lines, fence
}

// isShell reports whether what stands in a fence of that language is a command, even if it looks like a path.
func isShell(language string) bool {
	switch strings.ToLower(language) {
	case "sh", "bash", "zsh", "fish", "shell", "console", "terminal", "powershell", "cmd":
		return true
	}
	return false
}

// name finds out which file the block at the next mark is for, and refuses it if that is in doubt.
func (p *blockParser) name() error {
	n, err := p.gap().name()
	if n.path != "" {
		p.file = n.path
	}
	return err
}

// name returns what names the file of the block below, with no path if that is the file of the block before. A block that
// may be for another is refused.
func (g gap) name() (named, error) {
	var best named
	lines, fence := g.lines, g.fence
	for _, i := range []int{len(lines) - 1, fence, fence - 1} { // right above the block, its fence, right above that
		if i < 0 || lines[i].code || lines[i].fence && i != fence {
			continue
		}
		n := lines[i].names()
		if n.how == asLabel && i > 0 && lines[i-1].no == n.line-1 && !lines[i-1].fence {
			if above := lines[i-1].names(); above.how == asLabel && !sameFile(above.path, n.path) {
				continue // a list of files
			}
		}
		switch {
		case n.how == asMention || best.path != "" && n.how == asWord:
		case best.how <= asWord || isTail(best.path, n.path):
			best = n
		case !isTail(n.path, best.path):
			return named{}, g.doubt(n, best.path)
		}
	}
	if best.path == "" {
		return g.nameAbove()
	}
	return best, nil
}

// nameAbove finds the file in lines that do not stand right above the block. The nearest title counts, whatever is mentioned
// below it; else a label does, if no other file is mentioned; else only the file of the block before may be.
func (g gap) nameAbove() (named, error) {
	var label named
	var mentions []named // nearest first
	for _, l := range slices.Backward(g.lines) {
		if l.code {
			continue
		}
		n := l.names()
		if l.fence {
			n.how = asMention
		}
		switch {
		case n.how == asTitle && (label.path == "" || sameFile(n.path, label.path)):
			return n, nil
		case n.how == asTitle:
			return named{}, g.doubt(label, n.path)
		case n.how == asLabel:
			if label.path == "" {
				label = n
			}
			mentions = append(mentions, n)
		case l.fence && n.path != "":
			mentions = append(mentions, n)
		case label.path == "":
			mentions = l.mentions(mentions)
		}
	}
	differs := func(from string) int {
		return slices.IndexFunc(mentions, func(n named) bool { return !sameFile(n.path, from) })
	}
	if label.path != "" && differs(label.path) < 0 {
		return label, nil
	}
	if i := differs(g.file); i >= 0 && g.file != "" {
		return named{}, g.doubt(mentions[i], g.file)
	}
	return named{}, nil
}

// doubt is the refusal of the block below, which may be for the file of n or for another.
func (g gap) doubt(n named, other string) error {
	return syntax(n.line, quote(n.path)+" is named above the "+g.below+" on line "+strconv.Itoa(g.line)+", which would go to "+quote(other)+
		": expected "+g.want)
}

// sameFile reports whether one path is the other, or its end, in whole components.
func sameFile(a, b string) bool { return isTail(a, b) || isTail(b, a) }

func isTail(tail, whole string) bool {
	clean := func(s string) string { return strings.TrimPrefix(path.Clean(strings.ReplaceAll(s, "\\", "/")), "/") }
	tail, whole = clean(tail), clean(whole)
	return tail == whole || strings.HasSuffix(whole, "/"+tail)
}

// names reads a line that may name the file of the blocks below it.
func (l gapLine) names() named {
	n := named{line: l.no}
	if l.fence {
		if n.path = pathInFence(l.text); n.path != "" {
			n.how = asLabel
		}
		return n
	}
	n.path, n.how = pathOnLine(l.text)
	return n
}

// mentions appends the files that a line mentions among other words.
func (l gapLine) mentions(to []named) []named {
	for w := range lineWords(l.text) {
		if !w.spaced && !w.call && isFileName(w.text) {
			to = append(to, named{path: w.text, line: l.no})
		}
	}
	return to
}

// pathOnLine returns the path that a line names, and how surely it does.
func pathOnLine(s string) (string, naming) {
	s, signs := withoutSigns(s)
	var code, labelled, colon bool
	title := signs == '#'
	for range 6 { // around one another: "**File: `b.go`:**"
		if label, rest, ok := strings.Cut(s, ":"); ok && isFileLabel(label) && len(rest) > 1 {
			s, labelled = strings.TrimSpace(rest), true
		}
		if t, ok := strings.CutSuffix(s, ":"); ok && (labelled || strings.ContainsAny(t, "./`*\"'")) {
			s, colon = strings.TrimSpace(t), true
		}
		if inner, ok := enclosed(s, "**", "**"); ok {
			s, title = inner, true
		}
		if inner, ok := enclosed(s, "_", "_"); ok && isFileName(strings.Trim(inner, "_")) {
			s = strings.Trim(inner, "_")
		}
		for _, q := range []string{"`", "\"", "'"} {
			if inner, ok := enclosed(s, q, q); ok && !strings.Contains(inner, q) {
				s, code = inner, true
			}
		}
		if labelled && code && isPath(s) {
			break // to the letter
		}
		if text, target, ok := strings.Cut(s, "]("); ok && s[0] == '[' && strings.HasSuffix(target, ")") {
			if s = strings.TrimSuffix(target, ")"); !isFileName(s) {
				s = text[1:]
			}
		}
	}
	if s == "" {
		return "", asMention
	}
	how := asLabel
	if title || labelled {
		how = asTitle
	}
	if !code && !(isFileName(s) && !strings.ContainsAny(s, " \t")) {
		if name := introduced(s, title || signs != 0, colon || labelled); name != "" {
			return name, how
		}
		if title || labelled || signs != 0 || strings.IndexByte("`*[", s[0]) >= 0 {
			if name := described(s); name != "" {
				return name, how
			}
		}
	}
	switch {
	case !isPath(s) || strings.ContainsAny(s, " \t") && !(code || labelled && isFileName(s)):
		return "", asMention
	case labelled || isFileName(s) || strings.ContainsAny(s, `/\`) || hasSuffixLikeFiles(s):
		return s, how
	case title || colon || signs != 0 || !code && !strings.ContainsFunc(s, isWordRune):
		return "", asMention
	}
	return s, asWord
}

// withoutSigns removes what Markdown and comments put around a line. sign is '#' for a heading, 1 for anything else, 0 if
// there was nothing.
func withoutSigns(s string) (rest string, sign byte) {
	s = strings.TrimSpace(s)
	for _, c := range [][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"{#", "#}"}, {"(*", "*)"}, {"//", ""}} {
		if inner, ok := enclosed(s, c[0], c[1]); ok {
			return inner, 1
		}
	}
	for range 3 { // "> - 1. b.go"
		first, rest, _ := strings.Cut(s, " ")
		switch {
		case s != "" && s[0] == '#':
			s, sign = strings.TrimSpace(strings.Trim(s, "#")), '#'
		case rest != "" && (len(first) < 3 && strings.Trim(first, "->*+•;%") == "" || isOrdinal(first)):
			s, sign = strings.TrimSpace(rest), max(sign, 1)
		}
	}
	return s, sign
}

// enclosed returns what stands between two signs at the ends of s.
func enclosed(s, begin, end string) (string, bool) {
	if len(s) <= len(begin)+len(end) || !strings.HasPrefix(s, begin) || !strings.HasSuffix(s, end) {
		return s, false
	}
	return strings.TrimSpace(s[len(begin) : len(s)-len(end)]), true
}

func isFileLabel(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "file", "filename", "filepath", "path":
		return true
	}
	return false
}

// isOrdinal reports whether s counts something: "2.", "(2)", "2/3", "#2".
func isOrdinal(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789.()/#:-") == ""
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// introduced returns the path of a line that has one, and else only words that say that it is one ("Now update b.go:"). The
// words of a sentence have to end in a colon, or to be a title or a tag.
func introduced(s string, title, colon bool) string {
	name, sentence := "", false
	s = strings.TrimSuffix(s, " as follows")
	for w := range lineWords(s) {
		switch {
		case !w.call && isFileName(w.text) && (name == "" || isTail(name, w.text)):
			name = w.text
		case !w.call && isFileName(w.text) && isTail(w.text, name):
		case w.spaced || w.call:
			return ""
		default:
			introduces, verbal := isIntroduction(w.text)
			if !introduces {
				return ""
			}
			sentence = sentence || verbal
		}
	}
	if sentence && !title && !colon && !strings.Contains(s, ":") && !strings.HasPrefix(s, "<") {
		return ""
	}
	return name
}

// described returns the path that a line begins with, if a remark about it follows ("b.go - the handler") that mentions no other.
func described(s string) string {
	end := len(s)
	for _, sign := range []string{" - ", " – ", " — ", ": ", " ("} {
		if i := strings.Index(s, sign); i > 0 {
			end = min(end, i)
		}
	}
	remark := gapLine{text: s[end:]}
	if end == len(s) {
		return ""
	}
	name, how := pathOnLine(s[:end])
	if how < asLabel || slices.ContainsFunc(remark.mentions(nil), func(n named) bool { return !sameFile(n.path, name) }) {
		return ""
	}
	return name
}

// isIntroduction reports whether a word may stand beside a path in a line that only names it, and whether such a line
// is a sentence then.
func isIntroduction(s string) (ok, sentence bool) {
	switch strings.ToLower(strings.TrimPrefix(s, "/")) { // "<path>b.go</path>"
	case "file", "files", "filename", "filepath", "file_path", "path", "name", "new", "modified", "updated", "changed", "edited", "existing", "created",
		"step", "part", "test", "tests", "line", "lines":
		return true, false
	case "in", "into", "inside", "within", "to", "for", "of", "at", "and", "then", "now", "next", "also", "first", "second", "third", "last",
		"lastly", "finally", "again", "back", "still", "similarly", "likewise", "same", "here", "s", "are", "is", "a", "the", "this",
		"these", "following", "change", "changes", "edit", "edits", "editing", "update", "updates", "updating", "modify", "modifying",
		"modification", "modifications", "add", "adding", "create", "creating", "make", "apply", "replace", "insert", "open", "fix", "top",
		"bottom", "end", "beginning", "start", "let", "us", "i", "ll", "we", "need", "will", "code":
		return true, true
	}
	return isOrdinal(s) || !strings.ContainsFunc(s, isWordRune), false
}

// A word is a word of a line, or what stands in code marks in it.
type word struct {
	text         string
	spaced, call bool // it has spaces; a parenthesis follows
}

// lineWords splits a line into words, without the punctuation around them.
func lineWords(s string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for s != "" {
			plain, rest, marked := strings.Cut(s, "`")
			if !splitWords(plain, yield) {
				return
			}
			code, after, closed := strings.Cut(rest, "`")
			switch {
			case !marked:
				return
			case !closed:
				s = rest
				continue
			case strings.ContainsAny(code, " \t"):
				if !yield(word{text: strings.TrimSpace(code), spaced: true}) {
					return
				}
			case isFileName(code):
				if !yield(word{text: code}) {
					return
				}
			case !splitWords(code, yield):
				return
			}
			s = after
		}
	}
}

func splitWords(s string, yield func(word) bool) bool {
	apart := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;=\"'<>()[]{}|*“”‘’—–", r)
	}
	for s != "" {
		n := strings.IndexFunc(s, apart)
		if n < 0 {
			n = len(s)
		}
		if w := withoutLine(strings.TrimRight(s[:n], ".:!?…")); w != "" && !yield(word{text: w, call: strings.HasPrefix(s[n:], "(")}) {
			return false
		}
		_, size := utf8.DecodeRuneInString(s[n:])
		s = s[n+size:]
	}
	return true
}

// withoutLine removes the line number behind the name of a file: "b.go:12".
func withoutLine(s string) string {
	if i := strings.Index(s, "."); i >= 0 {
		if j := strings.IndexAny(s[i:], ":#"); j >= 0 && strings.Trim(s[i+j:], "0123456789:#L-") == "" {
			return s[:i+j]
		}
	}
	return s
}

// pathInFence returns the path in what stands behind the marks of a fence: "go:b.go", "b.go", "go title=b.go".
func pathInFence(info string) string {
	for rest := strings.Trim(info, "{}"); rest != ""; {
		rest = strings.TrimLeft(rest, " \t,")
		n := strings.IndexAny(rest, " \t,=")
		if n < 0 {
			n = len(rest)
		}
		key, value := rest[:n], ""
		if rest = rest[n:]; rest != "" && rest[0] == '=' {
			value, rest = attribute(rest[1:])
		}
		i := strings.LastIndexByte(withoutLine(key), ':')
		switch {
		case value != "":
			switch strings.ToLower(key) {
			case "file", "filename", "filepath", "file_path", "path", "title", "name":
				if isPath(value) && (isFileName(value) || hasSuffixLikeFiles(value) || strings.ContainsAny(value, `/\`)) {
					return value
				}
			}
		case i > 1:
			key = withoutLine(key)[i+1:]
			if isPath(key) && (isFileName(key) || hasSuffixLikeFiles(key) || strings.ContainsAny(key, `/\`)) {
				return key
			}
		case isFileName(withoutLine(key)) && strings.Contains(key, "."):
			return withoutLine(key)
		}
	}
	return ""
}

// attribute splits off the value of an attribute, perhaps in quotes.
func attribute(s string) (value, rest string) {
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
