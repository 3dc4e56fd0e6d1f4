package atomicedit

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Diff returns the change from old to new as a unified diff with three lines of context, in the form that `git apply` and
// `patch` accept, or "" if the two are equal. It writes the names as they are, and quotes only a name that could not be read
// back without quotes. It neither keeps nor modifies old and new.
//
// The diff is short but not always the shortest: lines that occur once on both sides count as the same line, as in a
// patience diff, because a shortest diff may pair unrelated braces and blank lines. This rule also bounds the cost, which is
// about n log n for n lines that differ, and a single pass if few do.
//
// For a binary file (one with a NUL byte), the diff says only that it differs. UTF-16 with a byte order mark is shown as
// decoded text: that diff is for reading and cannot be applied.
func Diff(oldName string, old []byte, newName string, new []byte) string {
	var b strings.Builder
	of := func(data []byte) encodedFile { return encodedFile{&File{Data: data}, text.EncodingOf(data)} }
	writeChange(&b, oldName, of(old), newName, of(new), nil)
	return b.String()
}

// gitDiff renders the change of one file with git's headers, and with a/ and b/ before the names. A from of "", or no file
// before, means that the file was created; a to of "", or no file after, that it was deleted; two different names, that it was moved.
// Otherwise the contents differ: no plan changes the mode alone. An absolute name loses its first slash, as in git. If the matches lead from before to after, only their lines are
// searched for differences.
func gitDiff(from, to string, before, after encodedFile, matches []Match) string {
	if before.File == nil {
		before.File, from = &File{}, ""
	}
	if after.File == nil {
		after.File, to = &File{}, ""
	}
	var b strings.Builder
	from, to = strings.TrimPrefix(from, "/"), strings.TrimPrefix(to, "/")
	a, z := writeGitHeaders(&b, from, to, before.Mode, after.Mode, len(before.Data) == 0)
	writeChange(&b, a, before, z, after, matches)
	return b.String()
}

// writeGitHeaders writes git's headers of a change as in gitDiff, and returns the names for the lines "---" and "+++". Empty means
// that the file was empty before.
func writeGitHeaders(w *strings.Builder, from, to string, before, after fs.FileMode, empty bool) (older, newer string) {
	older, newer = "a/"+cmp.Or(from, to), "b/"+cmp.Or(to, from)
	fmt.Fprintf(w, "diff --git %s %s\n", gitName(older), gitName(newer))
	switch {
	case from == "":
		fmt.Fprintf(w, "new file mode %s\n", gitMode(after))
		older = "/dev/null"
	case to == "":
		fmt.Fprintf(w, "deleted file mode %s\n", gitMode(before))
		if newer = "/dev/null"; empty {
			w.WriteString("index e69de29..0000000\n") // otherwise patch asks whether an empty file is meant
		}
	default:
		if m, n := gitMode(before), gitMode(after); before != 0 && after != 0 && m != n {
			fmt.Fprintf(w, "old mode %s\nnew mode %s\n", m, n)
		}
		if from != to {
			fmt.Fprintf(w, "rename from %s\nrename to %s\n", quoteName(from), quoteName(to))
		}
	}
	return older, newer
}

// writeChange writes the names and the hunks of a change from old to new; nothing if they are equal.
func writeChange(w *strings.Builder, oldName string, old encodedFile, newName string, new encodedFile, matches []Match) {
	a, b := old.enc.Readable(old.Data), new.enc.Readable(new.Data)
	known := make([]linediff.Delta, len(matches))
	for i, m := range matches {
		known[i] = linediff.Delta{OldFrom: m.Old.Start, OldTo: m.Old.End, NewFrom: m.New.Start, NewTo: m.New.End}
	}
	switch deltas, isText := linediff.Deltas(a, b, known); {
	case isText && len(deltas) > 0:
		fmt.Fprintf(w, "--- %s\n+++ %s\n", headerName(oldName), headerName(newName))
		linediff.WriteHunks(w, a, b, deltas)
	case !bytes.Equal(old.Data, new.Data): // not text, or the same text in another encoding
		fmt.Fprintf(w, "Binary files %s and %s differ\n", quoteName(oldName), quoteName(newName))
	}
}
