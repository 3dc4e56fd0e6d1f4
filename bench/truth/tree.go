package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A tree is a directory with the files that cases are made of.
type tree struct {
	dir   string
	files []file
}

// A file has the lines of a text, without their endings.
type file struct {
	kind  string // the end of its name
	lines []string
	unit  string // of its indentation, "" if no line is deeper than another
}

// read returns the texts below dir that are worth editing. Not every directory has as many files as its tests have
// data.
func read(dir string) tree {
	t := tree{dir: dir}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || len(t.files) >= 5000 {
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() > 60_000 {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil || !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
			return nil
		}
		text := strings.TrimPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\ufeff")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > 12 && len(text) < 400*len(lines) && !strings.Contains(text, "\r") &&
			!edge(lines[len(lines)-1]) {
			t.files = append(t.files, file{kind: filepath.Ext(path), lines: lines, unit: unitOf(lines)})
		}
		return nil
	})
	return t
}

// edge reports whether a line is blank. A file that ends in blank lines has no clear last line.
func edge(line string) bool { return strings.TrimSpace(line) == "" }

// unitOf returns the commonest step from a line to a deeper one, "" if there is none.
func unitOf(lines []string) string {
	steps := map[string]int{}
	last := ""
	for _, l := range lines {
		indent := indentOf(l)
		if edge(l) || strings.HasPrefix(l[len(indent):], "*") { // comments go on one space deeper than they begin
			continue
		}
		if step, ok := strings.CutPrefix(indent, last); ok && step != "" {
			steps[step]++
		}
		last = indent
	}
	unit := ""
	for step, n := range steps {
		if n > steps[unit] || n == steps[unit] && step < unit {
			unit = step
		}
	}
	return unit
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }
