package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// parseStripped reads a unified diff, and removes n leading parts from every name of a file, as "patch -p" does. What
// is left gets "a/" and "b/" in front, which ParseUnified removes.
func parseStripped(diff string, n int) (atomicedit.Plan, error) {
	counts := regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)
	lines := slices.Collect(strings.Lines(diff))
	older, newer := 0, 0 // lines of the hunk that have not come yet
	for i, line := range lines {
		switch m := counts.FindStringSubmatch(line); {
		case older > 0 || newer > 0:
			if line[0] != '+' && line[0] != '\\' {
				older--
			}
			if line[0] != '-' && line[0] != '\\' {
				newer--
			}
		case m != nil:
			older, newer = count(m[1]), count(m[2])
		default:
			stripped, ok := stripLine(line, n)
			if !ok {
				return atomicedit.Plan{}, tooFewParts(i+1, n)
			}
			lines[i] = stripped
			if above := lines[max(i-1, 0)]; strings.HasPrefix(above, "--- a/") &&
				strings.HasPrefix(stripped, "+++ b/") {
				a, b := above[len("--- a/"):], stripped[len("+++ b/"):]
				if b, _, _ = strings.Cut(strings.TrimRight(b, "\r\n"), "\t"); path.Base(nameIn(a)) == path.Base(b) {
					lines[i-1] = "--- a/" + b + a[len(nameIn(a)):] // of two directories, the new one has the file
				}
			}
		}
	}
	return atomicedit.ParseUnified(strings.Join(lines, ""))
}

// count reads a count in the header of a hunk, which may be missing.
func count(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 1
}

// nameIn returns the name at the beginning of the rest of a line, which may have a time behind it.
func nameIn(s string) string {
	return s[:strings.IndexAny(s+"\n", "\t\r\n")]
}

// stripLine removes n leading parts from the names in a line. It reports false if a name has too few.
func stripLine(line string, n int) (stripped string, ok bool) {
	for _, head := range []struct {
		is, prefix string
		parts      int
	}{{"--- ", "a/", n}, {"+++ ", "b/", n}, {"rename from ", "", max(n-1, 0)}, {"rename to ", "", max(n-1, 0)}} {
		if name, is := strings.CutPrefix(line, head.is); is {
			name, ok = stripName(name, head.prefix, head.parts)
			return head.is + name, ok
		}
	}
	names, isGit := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "diff --git ")
	half := len(names) / 2
	if !isGit || len(names)%2 == 0 || names[half] != ' ' {
		return line, true // other lines say which files are meant
	}
	older, _ := stripName(names[:half], "a/", n)
	newer, _ := stripName(names[half+1:], "b/", n)
	return "diff --git " + older + " " + newer + line[len("diff --git "+names):], true
}

// stripName removes n leading parts from the name at the beginning of s, and puts a prefix in front. The name may be
// quoted.
func stripName(s, prefix string, n int) (string, bool) {
	if strings.HasPrefix(s, "/dev/null") {
		return s, true
	}
	s, isQuoted := strings.CutPrefix(s, `"`)
	for range n {
		_, s, _ = strings.Cut(s, "/")
		s = strings.TrimLeft(s, "/")
	}
	if ok := strings.Trim(nameIn(s), `"`) != ""; !ok || !isQuoted {
		return prefix + s, ok
	}
	return `"` + prefix + s, true
}

func tooFewParts(line, n int) error {
	return &atomicedit.Refusal{Problems: []atomicedit.Problem{{Err: atomicedit.ErrSyntax, Code: "syntax", Op: -1,
		Edit: -1, Line: line,
		Msg: fmt.Sprintf("the name of the file has too few parts to remove %d: expected a longer name, or a smaller "+
			"number behind -p", n)}}}
}
