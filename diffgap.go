package atomicedit

import (
	"cmp"
	"path"
	"strings"
)

// What stands between the hunks of a unified diff is prose, but for what names a file or shows that a part would be lost.

// heading finds the file of a hunk that has no header of a file right above it: what stands between it and the last hunk
// may name another one, by the rules for blocks.
func (p *unifiedParser) heading() error {
	if p.file.line == 0 && p.quoted != nil && len(p.plan.Ops) == 0 {
		return p.quoted // it may be its header
	}
	known := p.file.path()
	g := gap{file: known, below: "hunk", line: p.in.no, want: "\"--- a/file\" and \"+++ b/file\" above the hunk"}
	inner := strings.Trim(p.in.text, "@ \t") // "@@ b.go @@"
	if known != "" && isFileName(inner) && !strings.ContainsAny(inner, " \t") && !sameFile(inner, known) {
		return g.doubt(named{path: inner, line: p.in.no}, known)
	}
	if p.file.line == 0 || !p.file.named || len(p.file.edits) > 0 {
		in := p.behind
		in.src = p.in.src[:p.in.at]
		g.lines, g.fence = gapLines(p.lines[:0], in, len(p.file.edits) > 0)
		p.lines = g.lines
		for i, l := range g.lines {
			if name := toolName(l.text); name != "" && !l.fence {
				g.lines[i].text = "File: " + name
			}
		}
		n, err := g.name()
		if err != nil {
			return err
		}
		same := path.Clean(n.path) == path.Clean(known) || n.path == "a/"+known || n.path == "b/"+known
		if n.path != "" && !same && (n.how > asWord || known != "") {
			if err := p.closeFile(); err != nil {
				return err
			}
			p.file = diffFile{line: p.in.no, named: true, old: n.path, new: n.path}
		}
	}
	if p.file.line == 0 {
		p.file.line = p.in.no
	}
	return nil
}

// toolName returns the name in a line that tools print above the header of a file, "" if the line is none.
func toolName(s string) string {
	if name, ok := strings.CutPrefix(s, "Index: "); ok {
		return strings.TrimSpace(name)
	}
	if rest, ok := strings.CutPrefix(s, "diff "); ok && (strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "a/")) {
		name := rest[strings.LastIndexByte(rest, ' ')+1:]
		if _, name = withoutPrefix("/dev/null", name); isFileName(name) {
			return name
		}
	}
	return ""
}

// lost refuses a line outside all hunks that is of a diff, which would be lost if it were passed over as prose.
func (p *unifiedParser) lost() error {
	s := p.in.text
	if s == "" {
		return nil
	}
	next := p.in.peek()
	switch bare := strings.TrimLeft(s, "> \t"); {
	case strings.HasPrefix(s, "***************") && strings.HasPrefix(next, "*** "):
		return syntax(p.in.no, "a context diff is not understood: expected a unified one, as \"diff -u\" prints it")
	case isNormalCommand(s) && (strings.HasPrefix(next, "< ") || strings.HasPrefix(next, "> ")):
		return syntax(p.in.no, "a diff without context is not understood: expected a unified one, as \"diff -u\" prints it")
	case strings.HasPrefix(s, "rename from ") && strings.HasPrefix(next, "rename to "):
		return syntax(p.in.no, "a rename without its first line: expected \"diff --git a/old b/new\" above it")
	case bare != s && startsDiff(bare, strings.TrimLeft(next, "> \t")):
		err := syntax(p.in.no, quote(bare)+" stands behind other signs: expected the lines of a diff in the first column")
		if p.file.line != 0 || len(p.plan.Ops) > 0 {
			return err
		}
		p.quoted = cmp.Or(p.quoted, err) // a mail that begins so may have a diff below
	}
	return nil
}

// startsDiff reports whether two lines look like the beginning of a diff, or of a hunk.
func startsDiff(s, next string) bool {
	return s == "@@" || strings.HasPrefix(s, "@@ ") || strings.HasPrefix(s, "--- ") && strings.HasPrefix(next, "+++ ")
}

// isNormalCommand reports whether s is a line like "2,3c2", as diff prints it without options.
func isNormalCommand(s string) bool {
	i := strings.IndexAny(s, "acd")
	return i > 0 && len(s) < 64 && strings.Trim(s[:i], "0123456789,") == "" && i+1 < len(s) && strings.Trim(s[i+1:], "0123456789,") == ""
}
