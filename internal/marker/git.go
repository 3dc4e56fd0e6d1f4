package marker

import (
	"cmp"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// gitMode returns a mode as git writes it. Git distinguishes only executable files, symbolic links and other files.
func gitMode(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m&0o111 != 0:
		return "100755"
	}
	return "100644"
}

// QuoteName quotes a name as git does with core.quotePath off, if it has one of the characters in others, or could not
// be read back without quotes.
func QuoteName(name, others string) string {
	odd := func(r rune) bool { return r < ' ' || r == 0x7f }
	if !strings.ContainsFunc(name, odd) && !strings.ContainsAny(name, `"\`+others) && utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(name) {
		if esc := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); esc >= 0 {
			b.WriteString(`\` + `abtnvfr"\`[esc:esc+1])
		} else if c < ' ' || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// HeaderName returns a name for "---" or "+++", where a tab ends a name with spaces, and one at its end would be lost.
func HeaderName(name string) string {
	switch q := QuoteName(name, ""); {
	case q != name || !strings.Contains(name, " "):
		return q
	case name[len(name)-1] == ' ':
		return QuoteName(name, " ")
	}
	return name + "\t"
}

// WriteGitHeaders writes git's headers of a change, and returns the names for the lines "---" and "+++". A from of ""
// means that the file was created, a to of "" that it was deleted. Empty means that it was empty before.
func WriteGitHeaders(w *strings.Builder, from, to string, before, after fs.FileMode, empty bool) (older, newer string) {
	older, newer = "a/"+cmp.Or(from, to), "b/"+cmp.Or(to, from)
	// Git could read a name with a space without quotes here, but patch cannot.
	w.WriteString("diff --git " + QuoteName(older, " ") + " " + QuoteName(newer, " ") + "\n")
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
			fmt.Fprintf(w, "rename from %s\nrename to %s\n", QuoteName(from, ""), QuoteName(to, ""))
		}
	}
	return older, newer
}
