// Package difftest applies diffs, for tests of what writes them.
package difftest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Patched applies the hunks of a unified diff to old. It is strict: every line number and every count has to be right.
func Patched(old, diff string) (string, error) {
	src := slices.Collect(strings.Lines(old))
	_, rest, _ := strings.Cut("\n"+diff, "\n@@ ")
	if rest == "" {
		return old, nil
	}
	lines := slices.Collect(strings.Lines("@@ " + rest))
	var out []string
	at := 0
	for i := 0; i < len(lines); {
		f := strings.Fields(lines[i])
		if len(f) != 4 || f[0] != "@@" || f[3] != "@@" {
			return "", fmt.Errorf("no hunk header: %q", lines[i])
		}
		wantA, countA := parseRange(f[1])
		wantB, countB := parseRange(f[2])
		if wantA-1 < at || wantA-1 > len(src) {
			return "", fmt.Errorf("hunk at %d, with %d lines done of %d", wantA, at, len(src))
		}
		out = append(out, src[at:wantA-1]...)
		at = wantA - 1
		if len(out) != wantB-1 {
			return "", fmt.Errorf("new line %d, want %d", len(out)+1, wantB)
		}
		for i++; countA > 0 || countB > 0; i++ {
			sign, line := lines[i][0], lines[i][1:]
			if i+1 < len(lines) && lines[i+1][0] == '\\' {
				line = strings.TrimSuffix(line, "\n")
				i++
			}
			if sign != '+' {
				if at >= len(src) || src[at] != line {
					return "", fmt.Errorf("line %d is not %q", at+1, line)
				}
				at, countA = at+1, countA-1
			}
			if sign != '-' {
				out, countB = append(out, line), countB-1
			}
		}
	}
	return strings.Join(append(out, src[at:]...), ""), nil
}

// parseRange reads "-12,3" as the first line and the number of lines.
func parseRange(s string) (line, n int) {
	l, c, ok := strings.Cut(s[1:], ",")
	line, _ = strconv.Atoi(l)
	if n = 1; ok {
		n, _ = strconv.Atoi(c)
	}
	if n == 0 {
		line++
	}
	return line, n
}
