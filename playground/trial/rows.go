package trial

import (
	"strconv"
	"strings"
)

// rowsOf returns the lines of an edit in the order of a patch: as its hunk has them, or else as the difference between
// old and new.
func rowsOf(old, new []string, hunk string) []Row {
	if hunk == "" || !fits(hunk, len(old), len(new)) {
		hunk = hunkOf(old, new)
	}
	rows := []Row{}
	i, j := 0, 0
	for _, c := range hunk {
		switch c {
		case ' ', '?':
			rows = append(rows, Row{Kind: " ", Segs: plain(old[i])})
			i, j = i+1, j+1
		case '-':
			rows = append(rows, Row{Kind: "-", Segs: plain(old[i])})
			i++
		case '+':
			rows = append(rows, Row{Kind: "+", Segs: plain(new[j])})
			j++
		}
	}
	return rows
}

// fits reports whether a hunk has as many lines as there are.
func fits(hunk string, old, new int) bool {
	kept := strings.Count(hunk, " ") + strings.Count(hunk, "?")
	return kept+strings.Count(hunk, "-") == old && kept+strings.Count(hunk, "+") == new
}

// hunkOf returns the first column of a diff between two lists of lines.
func hunkOf(old, new []string) string {
	pre := 0
	for pre < len(old) && pre < len(new) && old[pre] == new[pre] {
		pre++
	}
	post := 0
	for post < len(old)-pre && post < len(new)-pre && old[len(old)-1-post] == new[len(new)-1-post] {
		post++
	}
	a, b := old[pre:len(old)-post], new[pre:len(new)-post]
	middle := strings.Repeat("-", len(a)) + strings.Repeat("+", len(b))
	if len(a)*len(b) > 0 && len(a)*len(b) < 200_000 {
		middle = commonHunk(a, b)
	}
	return strings.Repeat(" ", pre) + middle + strings.Repeat(" ", post)
}

// commonHunk keeps the lines of a longest common subsequence.
func commonHunk(a, b []string) string {
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] && a[i] != "" {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	var hunk strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j] && a[i] != "":
			hunk.WriteByte(' ')
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || long[i+1][j] >= long[i][j+1]):
			hunk.WriteByte('-')
			i++
		default:
			hunk.WriteByte('+')
			j++
		}
	}
	return hunk.String()
}

// A DiffRow is a line of a diff: of a hunk, or above one.
type DiffRow struct {
	Kind string `json:"kind"` // "file" and "hunk" for headers; " ", "-" and "+"; "\\" for a missing newline
	Old  int    `json:"old,omitempty"`
	New  int    `json:"new,omitempty"`
	Segs []Seg  `json:"segs"`
}

// The number of lines of a diff that the page shows.
const maxDiffRows = 3000

// diffRows reads a diff as the library prints it, and marks what differs between lines that take each other's place.
func diffRows(diff string) []DiffRow {
	rows := []DiffRow{}
	old, new := 0, 0
	left, right := 0, 0 // lines that the hunk still has
	for line := range strings.Lines(diff) {
		if len(rows) == maxDiffRows {
			break
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case left+right > 0 && line != "" && strings.ContainsRune(" -+", rune(line[0])):
			row := DiffRow{Kind: line[:1], Segs: plain(strings.TrimSuffix(line[1:], "\r"))}
			if line[0] != '+' {
				row.Old = old
				old, left = old+1, left-1
			}
			if line[0] != '-' {
				row.New = new
				new, right = new+1, right-1
			}
			rows = append(rows, row)
		case strings.HasPrefix(line, "@@ "):
			old, left, new, right = hunkNumbers(line)
			rows = append(rows, DiffRow{Kind: "hunk", Segs: plain(line)})
		case strings.HasPrefix(line, "diff --git "):
			rows = append(rows, DiffRow{Kind: "file", Segs: plain(fileNames(line))})
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "): // the line above names the files already
		case strings.HasPrefix(line, `\`):
			rows = append(rows, DiffRow{Kind: `\`, Segs: plain(line)})
		default:
			rows = append(rows, DiffRow{Kind: "header", Segs: plain(line)})
		}
	}
	markChanges(rows)
	return rows
}

// fileNames returns the names in a line such as "diff --git a/x.go b/x.go": the one name, if they are the same but for
// their prefixes.
func fileNames(line string) string {
	names := strings.TrimPrefix(line, "diff --git ")
	if half := len(names) / 2; half > 2 && names[half] == ' ' && names[2:half] == names[half+3:] {
		return names[2:half]
	}
	return names
}

// hunkNumbers returns the numbers of a line such as "@@ -3,7 +3,8 @@".
func hunkNumbers(line string) (old, olds, new, news int) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0, 0, 0
	}
	old, olds = span(fields[1][1:])
	new, news = span(fields[2][1:])
	return old, olds, new, news
}

func span(s string) (first, count int) {
	a, b, ok := strings.Cut(s, ",")
	first, _ = strconv.Atoi(a)
	count = 1
	if ok {
		count, _ = strconv.Atoi(b)
	}
	return first, count
}

// markChanges compares each run of removed lines with the added lines below it, line by line, if there are as many.
func markChanges(rows []DiffRow) {
	for i := 0; i < len(rows); {
		removed := i
		for i < len(rows) && rows[i].Kind == "-" {
			i++
		}
		added := i
		for i < len(rows) && rows[i].Kind == "+" {
			i++
		}
		if n := added - removed; n == i-added {
			for k := range n {
				a, b := &rows[removed+k], &rows[added+k]
				a.Segs, b.Segs = compare(text(a.Segs), text(b.Segs))
			}
		}
		if i == removed {
			i++
		}
	}
}
