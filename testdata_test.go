package atomicedit_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A section is a part of an archive: a title between "-- " and " --" on a line of its own, and the lines below it.
type section struct{ title, text string }

// readArchives returns the sections of all archives whose names match a pattern, in the order of the names. The format is that of
// golang.org/x/tools/txtar: the lines above the first section are a comment. A section whose title begins with one of heads has a
// blank line above it, which does not belong to the section before.
func readArchives(t *testing.T, pattern string, heads ...string) (all []section) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %d archives", pattern, err, len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := len(all)
		for line := range strings.Lines(string(data)) {
			title, begins := strings.CutPrefix(line, "-- ")
			title, ends := strings.CutSuffix(title, " --\n")
			isHead := func(head string) bool { return strings.HasPrefix(title, head) }
			switch {
			case begins && ends:
				if len(all) > first && slices.ContainsFunc(heads, isHead) {
					all[len(all)-1].text = strings.TrimSuffix(all[len(all)-1].text, "\n")
				}
				all = append(all, section{title: title})
			case len(all) > first:
				all[len(all)-1].text += line
			}
		}
	}
	return all
}

// A sign is whatever stands between angle brackets.
var sign = regexp.MustCompile(`⟨([^⟨⟩]+)⟩`)

// written returns the text that a section stands for. Angle brackets hold whatever a reader could not see, or would not want to:
//
//	⟨SP⟩ ⟨TAB⟩ ⟨CR⟩ ⟨NUL⟩ ⟨NBSP⟩ ⟨BOM⟩    a character by its name
//	⟨U+0301⟩ ⟨xFF⟩                        a code point, a byte
//	⟨x×300⟩ ⟨line¶×300⟩                   300 times "x", 300 times "line\n"
//	⟨end⟩                                 at the end of the last line: it lacks its newline
func written(text string) string {
	text = sign.ReplaceAllStringFunc(text, func(s string) string {
		s = strings.Trim(s, "⟨⟩")
		if unit, times, ok := strings.Cut(s, "×"); ok {
			n, _ := strconv.Atoi(times)
			return strings.Repeat(strings.ReplaceAll(unit, "¶", "\n"), n)
		}
		if code, ok := strings.CutPrefix(s, "U+"); ok {
			n, _ := strconv.ParseUint(code, 16, 32)
			return string(rune(n))
		}
		if code, ok := strings.CutPrefix(s, "x"); ok {
			n, _ := strconv.ParseUint(code, 16, 8)
			return string([]byte{byte(n)})
		}
		return map[string]string{"SP": " ", "TAB": "\t", "CR": "\r", "NUL": "\x00", "NBSP": "\u00a0", "BOM": "\ufeff", "end": "⟨end⟩"}[s]
	})
	return strings.TrimSuffix(text, "⟨end⟩\n")
}
