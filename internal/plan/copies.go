package plan

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A layer has lines without their layer of escapes and marks, so that each loses it once.
type layer map[string]string

// unescape takes one layer of escapes and marks off a line.
var unescape = field.Table[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer(`\\`, `\`, `\_`, `_`, `\*`, `*`, `\"`, `"`, `\'`, `'`, "\\`", "`", `\$`, `$`, `\!`, `!`,
		`\/`, `/`, "$$", "$", "%%", "%", "''", "'", "__", "", "{{", "{", "}}", "}", "&lt;", "<", "&gt;", ">", "&amp;",
		"&", "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&#x27;", "'", "‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-",
		"—", "--", "…", "...", "\u00a0", " ")
}}

// alteredCopy returns a new line that is one of the old lines but for one layer of escapes or marks more or less (E4),
// or but for dots or a note in the place of a part, if something else changes: the line was to stay. It returns "" if
// there is none. In prose, some escapes and marks change often.
func alteredCopy(old, new string, inProse bool) (line string, isCut bool) {
	const many = 10_000 // pairs of lines
	if old == "" || new == "" || !hasLines(old) && !hasLines(new) {
		return "", false
	}
	was, is := text.Split(old), text.Split(new)
	gone, added, n := lacking(was, is), lacking(is, was), 0
	if len(gone)*len(added) > many {
		return "", false
	}
	off := layer{}
	for _, l := range added {
		i := slices.IndexFunc(gone, func(o string) bool { return off.isAltered(o, l, inProse) })
		if i >= 0 && !hasOnlyApostrophes(l) {
			line, isCut, n = l, omission.IsPart(l, gone[i]), n+1
		}
	}
	if len(gone)+len(added) == 2*n {
		return "", false
	}
	return line, isCut
}

// hasOnlyApostrophes reports whether a line has curly quotes, and all of them stand within words, as in "it’s".
func hasOnlyApostrophes(l string) bool {
	words := strings.Split(l, "’")
	for i, w := range words {
		begins, ends := w != "" && text.InWord(w[0]), w != "" && text.InWord(w[len(w)-1])
		if i > 0 && !begins || i+1 < len(words) && !ends {
			return false
		}
	}
	return len(words) > 1 && !strings.ContainsAny(l, "‘“”")
}

// lacking returns the lines that others lack.
func lacking(lines, others []string) []string {
	has := text.SetOf(others)
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return has[l] })
}

// isAltered reports whether a line is another one with one layer of escapes or marks more or less, or without a part.
// In prose, only fewer of the signs of code count.
func (off layer) isAltered(o, l string, inProse bool) bool {
	n := text.CommonPrefix(o, l)
	isSign := func(s string) bool {
		return s != "" && (s[0] >= utf8.RuneSelf || strings.IndexByte(`\{}$%'"_*&<[./(`, s[0]) >= 0)
	}
	if !isSign(text.Unindented(o[n:])) && !isSign(text.Unindented(l[n:])) {
		return false // as most lines
	}
	more := func(sign string) int { return strings.Count(l, sign) - strings.Count(o, sign) }
	isMore := func(sign string) bool { return more(sign) > 0 } // whoever writes these means them
	isLess := func(sign string) bool { return more(sign) < 0 }
	return omission.IsPart(l, o) || text.Substantial(o) && off.line(o) == off.line(l) &&
		strings.Count(o, "__")%2 == 0 && // as in "__init__", but not in "self.__x"
		more("{") == more("}") && !isLess("\xe2\x80") && !isLess("\u00a0") && // plain characters may be meant
		!slices.ContainsFunc([]string{"__", "{", "$", "%", "''"}, isMore) &&
		(!inProse || slices.ContainsFunc([]string{`\\`, "__", "{{", "&"}, isLess))
}

// line returns a line without its layers of escapes and marks. A link of Markdown whose text is its address is one of a
// mere address.
func (off layer) line(l string) string {
	if bare, ok := off[l]; ok {
		return bare
	}
	var b strings.Builder
	rest := unescape.Get().Replace(l)
	for i := strings.Index(rest, `\u`); i >= 0; i = strings.Index(rest, `\u`) {
		r, _, behind, err := strconv.UnquoteChar(rest[i:], 0)
		if err != nil {
			r, behind = '\\', rest[i+1:]
		}
		b.WriteString(rest[:i])
		b.WriteRune(r)
		rest = behind
	}
	bare := b.String() + rest
	if before, named, ok := strings.Cut(bare, "[http"); ok {
		name, behind, _ := strings.Cut(named, "](http")
		if behind, ok = strings.CutPrefix(behind, name+")"); ok {
			bare = before + "http" + name + behind
		}
	}
	off[l] = bare
	return bare
}

// inOtherNotation returns a line of new that copies a line of old with spaces for its tabs, or with tabs for its
// spaces: "" if there is none, if nothing else changes, or if old is not in t to the letter, or all of it (E4).
func inOtherNotation(old, new string, t text.Text) string {
	if strings.Contains(old, "\t") == strings.Contains(new, "\t") ||
		slices.Equal(strings.Fields(old), strings.Fields(new)) {
		return ""
	}
	was := map[string]string{} // old lines by what follows their indentation
	for _, l := range text.Split(old) {
		was[text.Unindented(l)] = l
	}
	for _, l := range text.Split(new) {
		body := text.Unindented(l)
		from, to := outline.Indent(was[body]), outline.Indent(l)
		if from != "" && to != "" && strings.Contains(from+to, "\t") && text.HasLetterOrDigit(body) {
			if len(old) < len(t.Data) && strings.Contains("\n"+string(t.Data), "\n"+old) {
				return body
			}
			break
		}
	}
	return ""
}

// escapedCopy returns a line of new that has a line of old in front of an escaped line break, or behind one. Where a
// string begins in front of the first, it may have the lines. A part of a line of t is none.
func escapedCopy(old, new string, t text.Text) string {
	if !strings.Contains(new, `\n`) || strings.Contains(old, `\n`) {
		return ""
	}
	lines := map[string]bool{}
	for _, l := range text.Split(old) {
		if l = strings.TrimSpace(l); text.HasLetterOrDigit(l) {
			lines[l] = true
		}
	}
	if at := bytes.Index(t.Data, []byte(old)); len(lines) == 1 && at >= 0 &&
		!lines[string(bytes.TrimSpace(t.Bytes(t.LineAt(t.LineStart(at)))))] {
		return ""
	}
	isOld := func(piece string) bool { return lines[strings.TrimSpace(piece)] }
	for _, l := range text.Split(new) {
		pieces := strings.Split(l, `\n`)
		opens := func(quote string) bool { return strings.Count(pieces[0], quote)%2 == 1 }
		inString := !isOld(pieces[0]) && (opens(`"`) || opens("'"))
		if len(pieces) > 1 && !inString && slices.ContainsFunc(pieces, isOld) {
			return l
		}
	}
	return ""
}

func hasLines(s string) bool { return strings.Contains(strings.TrimSuffix(s, "\n"), "\n") }
