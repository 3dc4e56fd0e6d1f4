package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A hunk is a hunk of a diff as git prints it: its header, and its lines with their signs.
type hunk struct {
	header string
	lines  []string // with their endings
}

// gitHunks lets git compare the two versions of p.
func gitHunks(oldDir, newDir string, p *pair, flag string) ([]hunk, error) {
	a, b := filepath.Join(oldDir, p.path), filepath.Join(newDir, p.path)
	if p.old == nil {
		a = "/dev/null"
	}
	if p.new == nil {
		b = "/dev/null"
	}
	cmd := exec.Command("git", "diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", flag,
		a, b)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	return hunksOf(string(out)), nil
}

// hunksOf returns the hunks of a diff of one file.
func hunksOf(diff string) (hunks []hunk) {
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "@@ ") {
			hunks = append(hunks, hunk{header: line})
		} else if len(hunks) > 0 {
			h := &hunks[len(hunks)-1]
			h.lines = append(h.lines, line)
		}
	}
	return hunks
}

// side returns the lines of h that have one of two signs.
func (h hunk) side(signs string) string {
	var b strings.Builder
	for i, line := range h.lines {
		if !strings.Contains(signs, line[:1]) {
			continue
		}
		if i+1 < len(h.lines) && h.lines[i+1][0] == '\\' {
			line = strings.TrimSuffix(line, "\n")
		}
		b.WriteString(line[1:])
	}
	return b.String()
}

func (h hunk) before() string { return h.side(" -") }
func (h hunk) after() string  { return h.side(" +") }

// formats has the formats for the change of one file. Ok is false if a format cannot express the change.
var formats = []struct {
	name   string
	render func(*pair) (request string, ok bool)
}{
	{"blocks", blocks},
	{"v4a", v4a},
	{"unified", unified},
	{"json", multiEdit},
}

// ended reports whether text consists of whole lines.
func ended(text []byte) bool { return len(text) == 0 || text[len(text)-1] == '\n' }

// newlineSame reports whether a change leaves the final newline as it is. Formats of whole lines cannot express any
// other change.
func newlineSame(p *pair) bool {
	if p.old == nil {
		return len(p.new) > 0 && ended(p.new)
	}
	return len(p.old) > 0 && len(p.new) > 0 && ended(p.old) == ended(p.new)
}

func blocks(p *pair) (string, bool) {
	if p.new == nil || !newlineSame(p) {
		return "", false
	}
	n := 7 // make it longer than every run of marker characters in the content
	for _, text := range [][]byte{p.old, p.new} {
		for line := range bytes.Lines(text) {
			line = bytes.TrimSpace(line)
			for _, c := range []string{"<", "=", ">", "-", "+"} {
				n = max(n, 1+len(line)-len(bytes.TrimLeft(line, c)))
			}
		}
	}
	var b strings.Builder
	b.WriteString(p.path + "\n")
	for _, h := range p.hunks {
		before, after := h.before(), h.after()
		if before == "" && p.old != nil {
			return "", false
		}
		fmt.Fprintf(&b, "%s SEARCH\n%s%s\n%s%s REPLACE\n\n", strings.Repeat("<", n), endLine(before),
			strings.Repeat("=", n), endLine(after), strings.Repeat(">", n))
	}
	return b.String(), true
}

// endLine ends the last line of text.
func endLine(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func v4a(p *pair) (string, bool) {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	switch {
	case p.new == nil:
		b.WriteString("*** Delete File: " + p.path + "\n")
	case !newlineSame(p):
		return "", false
	case p.old == nil:
		b.WriteString("*** Add File: " + p.path + "\n")
	default:
		b.WriteString("*** Update File: " + p.path + "\n")
	}
	for _, h := range p.hunks {
		if p.new == nil {
			break
		}
		if p.old != nil {
			if h.before() == "" {
				return "", false
			}
			b.WriteString("@@\n")
		}
		for _, line := range h.lines {
			if line[0] != '\\' {
				b.WriteString(endLine(line))
			}
		}
	}
	b.WriteString("*** End Patch\n")
	return b.String(), true
}

func unified(p *pair) (string, bool) {
	var b strings.Builder
	a, z := "a/"+p.path, "b/"+p.path
	fmt.Fprintf(&b, "diff --git %s %s\n", a, z)
	if p.old == nil {
		b.WriteString("new file mode 100644\n")
		a = "/dev/null"
	}
	if p.new == nil {
		b.WriteString("deleted file mode 100644\n")
		z = "/dev/null"
	}
	if len(p.hunks) > 0 {
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", a, z)
	}
	for _, h := range p.hunks {
		b.WriteString(h.header + strings.Join(h.lines, ""))
	}
	return b.String(), !strings.ContainsAny(p.path, "\"\\ ")
}

func multiEdit(p *pair) (string, bool) {
	type edit struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	}
	var edits []edit
	for _, h := range p.hunks {
		if h.before() == "" && p.old != nil || !utf8.ValidString(h.before()+h.after()) { // JSON cannot hold other bytes
			return "", false
		}
		edits = append(edits, edit{h.before(), h.after()})
	}
	request, err := json.Marshal(struct {
		Path  string `json:"file_path"`
		Edits []edit `json:"edits"`
	}{p.path, edits})
	return string(request), err == nil && p.new != nil && len(edits) > 0
}
