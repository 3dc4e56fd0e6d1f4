package plan

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

const writtenEscapes = "{new} has \\n or \\t as two characters where a line would begin or be indented, in %s: " +
	"send line breaks and tabs"

// Damaged refuses new text that nobody can mean in the place of old in t: with a line that stands for text left out
// (E3), in a code fence, with the marks of a patch, with escapes where lines begin or for characters that the old text
// has as they are, or with tabs where the language forbids them (E4).
func Damaged(old, new string, t text.Text, w Words) *Problem {
	if p := leavesOut(old, new, t, w); p != nil {
		return p
	}
	isPatch := w.Edit == "chunk" || w.Edit == "hunk" // which has marks of its own
	isProse := isProse(w.file)
	if !isPatch && isMarked(old, new) && (repeatsMarked(old, new) || !isProse && !hasLine(old, t, beginsWithPlus)) {
		return w.invalid("every line of {new} begins with \"+\", the mark of a patch: send the lines without the marks")
	}
	if !isPatch && (isDiff(old, new) || !isProse && hasDiff(old, new)) {
		return w.invalid("{new} is a diff of {old}: send the lines that are to be there, without \"-\" lines and marks")
	}
	if l := inOtherNotation(old, new, t); l != "" {
		return w.invalid("{new} is not indented with the same characters as {old}, at %s: send every line as the "+
			"file is to have it", Quote(l))
	}
	if l := escapedCopy(old, new, t); l != "" {
		return w.invalid(writtenEscapes, Quote(l))
	}
	if l := cutOff(old, new); l != "" {
		return w.invalid("{new} seems to be cut off: it ends in %s, and the lines of {old} from there on are "+
			"missing: send all of it", Quote(l))
	}
	for _, c := range "\a\b\v\f\r" {
		inLine := func(s string) bool { return strings.Count(s, string(c)) > strings.Count(s, string(c)+"\n") }
		if inLine(new) && !inLine(old+string(t.Data)) {
			return w.invalid("{new} has a control character, %s, and the file has none: if a backslash and a letter "+
				"are meant, double the backslash in the JSON of the call", strings.Trim(strconv.QuoteRune(c), "'"))
		}
	}
	if endsInEscape(new) && !hasLine(old, t, func(l string) bool { return strings.HasSuffix(l, `\n`) }) {
		return w.invalid("{new} is one line, with line breaks written as \"\\n\": send real line breaks")
	}
	if isProse && isFenced(new) && !hasLine(old, text.New(nil), isFence) && isInFence(old, t) {
		return fenced(w)
	}
	if new == "" || isProse {
		return nil
	}
	isEscape := func(l string) bool { return strings.HasPrefix(text.Unindented(l), `\`) }
	if l := escapedLine(old, new); l != "" && !hasLine(old, t, isEscape) {
		return w.invalid(writtenEscapes, Quote(l))
	}
	if w.file != "" && hasLooseFence(new) && !hasLine(old, t, isFence) {
		return fenced(w)
	}
	if isPatch {
		if p := damagedChunk(old, new, t, w); p != nil {
			return p
		}
	}
	if e := escapedAlone(old, new, t.Data); e != "" {
		return w.invalid("{new} has %s for a character that the file has as it is: send it without the escapes, or, "+
			"if they are meant, add them in a separate {edit}", e)
	}
	isYAML := strings.HasSuffix(w.file, ".yaml") || strings.HasSuffix(w.file, ".yml")
	if l := strayTab(w.file, new); l != "" && !hasLine(old, t, hasTab) && (isYAML || hasLine(old, t, isIndented)) {
		return w.invalid("{new} has a line that is indented with a tab, %s, and no line of the file is: use spaces, "+
			"since a tab is an error in such a file or means another depth", Quote(l))
	}
	return nil
}

// leavesOut refuses new text with a placeholder for some of the old one, or with a line that was to stay, altered.
func leavesOut(old, new string, t text.Text, w Words) *Problem {
	was, is := omission.Differing(old, new)
	if omission.Any(is) {
		if l := omission.Placeholder(old, new, t); l != "" {
			instead := "leave unchanged lines out of the {edit}"
			if w.Edit == "" {
				instead = "send an edit of the lines that change"
			}
			return &Problem{Err: errs.ErrPlaceholder, Msg: w.Say("{new} has %q, which is a placeholder for omitted "+
				"code: write the code out, or "+instead, l)}
		}
	}
	line, isCut := "", false
	if w.Edit != "" && w.Edit != "chunk" && w.Edit != "hunk" { // which say what goes
		line, isCut = alteredCopy(was, is, isProse(w.file))
	}
	switch {
	case line == "":
		return nil
	case isCut:
		return &Problem{Err: errs.ErrPlaceholder, Msg: w.Say("{new} has a line of {old} without a part of it, %s: "+
			"write the line out, or, if that is meant, change it in a separate {edit}", Quote(line))}
	}
	return w.invalid("{new} has a line of {old} with more escapes or marks, or with fewer: %s: copy it as it is, or, "+
		"if that is meant, change it in a separate {edit}", Quote(line))
}

// invalid refuses new text. Its many callers are smaller if it is a call.
//
//go:noinline
func (w Words) invalid(msg string, args ...any) *Problem { return Invalid(w.Say(msg, args...)) }

// damagedChunk refuses a chunk with two marks in front of a line, or with lines between the steps of the file.
func damagedChunk(old, new string, t text.Text, w Words) *Problem {
	marked := strings.HasPrefix(new, "+") || strings.Contains(new, "\n+")
	if marked && hasLine(new, text.New(nil), isMarkedTwice) && !hasLine(old, t, beginsWithPlus) {
		return w.invalid("{new} has a line that begins with \"+\" behind its mark, and no line of the file does: " +
			"mark each new line with one \"+\"")
	}
	if l := betweenSteps(old, new); l != "" && !hasOdd(t) {
		return w.invalid("{new} has lines that are indented by an odd number of spaces, such as %s, and no line "+
			"around them is: write each line with its whole indentation right behind its mark", Quote(l))
	}
	return nil
}

// strayTab returns a line that is indented with a tab, outside quotes, if the file is in a language in which a tab is
// an error, at least beside spaces, or counts as many columns as nobody sees; "" if there is none.
func strayTab(name, new string) string {
	if !strings.Contains(new, "\t") || !slices.Contains([]string{".yaml", ".yml", ".py", ".pyi", ".nim", ".nims",
		".nimble", ".fs", ".fsi", ".fsx", ".hs", ".elm", ".lean", ".coffee", ".sass", ".haml", ".pug"},
		path.Ext(name)) {
		return ""
	}
	isYAML := strings.HasPrefix(path.Ext(name), ".y") // in which a block of text may have a tab behind its spaces
	return unquotedLine(new, func(l string, i int) bool {
		isEntry := strings.Contains(l, ":") || outline.IsListEntry(text.Unindented(l))
		return i == 0 && hasTab(l) && (!isYAML || l[0] == '\t' || isEntry)
	})
}

// cutOff returns the last line of new if it breaks off within a word of a line of old, and new has neither the rest of
// that nor the lines of words behind it, which are at least two, or none if more words follow in the line: ""
// otherwise.
func cutOff(old, new string) string {
	const few = 2
	if strings.HasSuffix(new, "\n") || !strings.HasSuffix(old, "\n") || !strings.Contains(new, "\n") {
		return ""
	}
	lines, was := text.Split(new), text.Split(old)
	last, known := lines[len(lines)-1], text.SetOf(lines)
	isCut := func(l string) bool { return len(l) > len(last) && strings.HasPrefix(l, last) && !known[l] }
	at := slices.IndexFunc(was, func(l string) bool { return isCut(l) && text.CutsWord([]byte(l), len(last)) })
	if at < 0 || !text.Substantial(last) {
		return ""
	}
	behind := slices.DeleteFunc(slices.Clone(was[at+1:]), func(l string) bool { return !text.HasLetterOrDigit(l) })
	rest := strings.TrimLeftFunc(was[at][len(last):], text.IsLetterOrDigit)
	if len(behind) < few && !(len(behind) == 0 && text.HasLetterOrDigit(rest)) ||
		slices.ContainsFunc(behind, func(l string) bool { return known[l] }) {
		return ""
	}
	return last
}

// endsInEscape reports whether a text is one line with several line breaks as escapes, one of them at its end.
func endsInEscape(s string) bool {
	s = strings.TrimSuffix(s, "\n")
	return strings.HasSuffix(s, `\n`) && strings.Count(s, `\n`) > 1 && !strings.Contains(s, "\n")
}

func hasLine(old string, t text.Text, is func(l string) bool) bool {
	return slices.ContainsFunc(text.Split(old), is) || slices.ContainsFunc(text.Split(string(t.Data)), is)
}

func beginsWithPlus(l string) bool { return strings.HasPrefix(l, "+") }

func isIndented(l string) bool { return strings.HasPrefix(l, " ") }

func hasTab(l string) bool { return strings.Contains(outline.Indent(l), "\t") }

func fenced(w Words) *Problem {
	return w.invalid("{new} is in a code fence, which the file would get too: send it without the fence")
}

// isProse reports whether a file may have code fences and lists of any kind. One without a name may not.
func isProse(name string) bool {
	base := path.Base(name)
	return slices.Contains([]string{".md", ".markdown", ".mdx", ".mdc", ".qmd", ".rmd", ".rst", ".adoc",
		".org", ".txt", ".tex", ".html", ".diff", ".patch"}, strings.ToLower(path.Ext(base))) ||
		path.Ext(base) == "" && base == strings.ToUpper(base)
}

// isInFence reports whether the first place of a text is in a code fence.
func isInFence(s string, t text.Text) bool {
	at := bytes.Index(t.Data, []byte(s))
	return fencesIn(string(t.Data[:max(at, 0)]))%2 == 1
}

func fencesIn(s string) (n int) {
	for l := range strings.Lines(s) {
		if text.IsFence(l) {
			n++
		}
	}
	return n
}

// mayBeFence reports whether all of a file may be one code fence: a file of prose in which a fence means something, but
// not one that is called after what it is for, such as CODEOWNERS. Nobody means a fence with Markdown in it.
func mayBeFence(name, content string) bool {
	info, _, _ := strings.Cut(strings.TrimLeft(content, "`~ \r\n"), "\n")
	info = strings.TrimSpace(info)
	isNamed := path.Ext(name) == "" && !strings.HasPrefix(path.Base(name), "README")
	hasFences := !slices.Contains([]string{".rst", ".adoc", ".org", ".tex", ".html"}, path.Ext(name))
	return isProse(name) && hasFences && !isNamed && info != "markdown" && info != "md"
}

func isFence(l string) bool {
	l = strings.TrimSpace(l)
	return text.IsFence(l) && !strings.ContainsAny(l[3:], " `~")
}

func isFenced(s string) bool {
	lines := text.Split(strings.TrimSpace(s))
	return len(lines) > 1 && isFence(lines[0]) && lines[len(lines)-1] == lines[0][:3]
}

// hasLooseFence reports whether a text is in a code fence, or begins or ends with one that pairs with no other.
func hasLooseFence(s string) bool {
	body := strings.TrimSpace(s)
	last := body[strings.LastIndexByte(body, '\n')+1:]
	return (isFence(text.FirstLine(body)) || isFence(last)) && (fencesIn(body)%2 == 1 || isFenced(body))
}

// WithoutFence returns the content of a code fence.
func WithoutFence(s string) (content string, ok bool) {
	if !isFenced(s) {
		return "", false
	}
	_, content, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return content[:strings.LastIndexByte(content, '\n')+1], true
}

// isMarked reports whether every line of new has "+" in front: several do, or one with old's indentation behind it.
func isMarked(old, new string) bool {
	marked, n := "", 0
	for l := range strings.Lines(new) {
		switch {
		case l[0] == '+':
			marked, n = l, n+1
		case !text.IsBlankText(l):
			return false
		}
	}
	indent := outline.Indent(old)
	return n > 1 || n == 1 && indent != "" && outline.Indent(marked[1:]) == indent
}

// isMarkedTwice reports whether an indented line has the mark of a patch in front.
func isMarkedTwice(l string) bool { return len(l) > 1 && l[0] == '+' && text.IsSpace(l[1]) }

// repeatsMarked reports whether old has lines without a mark that new has with one.
func repeatsMarked(old, new string) bool {
	lines, marked := text.Split(old), text.SetOf(text.Split(new))
	return !slices.ContainsFunc(lines, beginsWithPlus) && slices.ContainsFunc(lines, func(l string) bool {
		return text.HasLetterOrDigit(l) && marked["+"+l]
	})
}

// isDiff reports whether every line of new has the mark of a patch, and behind it a line of old unless it is added.
func isDiff(old, new string) bool {
	if !strings.Contains(new, "\n") || strings.IndexAny(strings.TrimLeft(new, "\r\n"), " +-") != 0 {
		return false // like most texts
	}
	known, changes, shows := text.SetOf(text.Split(old)), false, false
	for _, l := range text.Split(new) {
		if l == "" {
			continue
		}
		isOld := known[l[1:]] && strings.IndexByte(" -", l[0]) >= 0
		if known[l] || l[0] != '+' && !isOld {
			return false
		}
		changes, shows = changes || l[0] != ' ', shows || isOld
	}
	return changes && shows
}

// hasDiff reports whether new has an indented line of old with "-" in front, and one with "+" that is none of old.
func hasDiff(old, new string) bool {
	if !strings.Contains(new, "\n+") || !strings.Contains(new, "-") {
		return false
	}
	known, lines := text.SetOf(text.Split(old)), text.Split(new)
	isRemoved := func(l string) bool {
		was, ok := strings.CutPrefix(l, "-")
		return ok && known[was] && outline.Indent(was) != "" && text.HasLetterOrDigit(was)
	}
	isAdded := func(l string) bool { return beginsWithPlus(l) && !known[l] }
	return slices.ContainsFunc(lines, isRemoved) && slices.ContainsFunc(lines, isAdded)
}

// betweenSteps returns a new line if new lines are indented by odd numbers of spaces alone, and no old one is: or "".
func betweenSteps(old, new string) (line string) {
	lines, was := text.Split(new), text.Split(old)
	at := slices.IndexFunc(lines, isOdd)
	if at < 0 || slices.ContainsFunc(was, isOdd) ||
		strings.LastIndexByte(lines[max(at-1, 0)], '(')+1 == len(outline.Indent(lines[at])) {
		return "" // an argument may stand below another one
	}
	known := text.SetOf(was)
	isStep := func(l string) bool { return !text.IsBlank(l) && text.IsSpace(l[0]) && !isOdd(l) && !known[l] }
	if slices.ContainsFunc(lines, isStep) {
		return ""
	}
	return lines[at]
}

// isOdd reports whether a line is indented by an odd number of spaces, and not to continue a comment in "/*".
func isOdd(l string) bool {
	body := strings.TrimLeft(l, " ")
	return (len(l)-len(body))%2 == 1 && !text.IsBlank(l) && body[0] != '*'
}

// hasOdd reports whether more than one in a hundred lines of t that are indented by spaces are so by an odd number.
func hasOdd(t text.Text) bool {
	lines := slices.DeleteFunc(text.Split(string(t.Data)), func(l string) bool { return !isIndented(l) })
	indented := len(lines)
	odd := slices.DeleteFunc(lines, func(l string) bool { return !isOdd(l) })
	return len(odd)*100 > indented || indented < 2
}

// escapedLine returns a line of new that has an escape for a line break or a tab, outside quotes and comments, where a
// line would begin or be indented. Old text with such an escape shows that it is meant.
func escapedLine(old, new string) string {
	if !strings.Contains(new, `\`) || strings.Contains(old, `\n`) || strings.Contains(old, `\t`) {
		return ""
	}
	for l := range strings.Lines(new) {
		indent := outline.Indent(l)
		at := strings.Index(l, `\n`+indent)
		inComment := len(indent) > 1 && at >= 0 && outline.IsComment(l) && !outline.InQuotes(l[:at])
		if strings.HasPrefix(l[len(indent):], `\t`) || inComment {
			return strings.TrimSuffix(l, "\n")
		}
	}
	return unquotedLine(new, func(l string, i int) bool {
		rest, ok := strings.CutPrefix(l[i:], `\n`)
		return ok && (strings.HasPrefix(rest, "  ") || strings.HasPrefix(rest, "\t") ||
			strings.HasPrefix(rest, `\t`) || strings.HasPrefix(rest, `\n`) ||
			strings.TrimSpace(rest) == "" && !hasLines(new) && (hasLines(old) || strings.Count(new, `\n`) > 1))
	})
}

// Unseen refuses new text with a character that nobody sees, outside quotes and comments, or before a letter of
// English in prose and in comments, if the file has none (E4). There, a space that is none of the plain ones, a soft
// hyphen or a mark of direction may be meant, and a place where a line may break: behind a foreign letter and behind
// one of the signs "@", "." and "/". Such a space may also be meant between words of a line with foreign letters
// outside quotes. Nobody means the sign for a character that was lost.
func Unseen(new string, file *text.Typography, w Words) *Problem {
	if strings.Contains(new, "\ufffd") && !bytes.ContainsRune(file.Text.Data, utf8.RuneError) {
		return w.invalid("{new} has U+FFFD, which stands for a character that was lost, and the file has none: send " +
			"the character itself, or write an escape")
	}
	isUnseen := func(r rune) bool {
		return text.IsInvisible(r) && !file.HasInvisible() || text.IsSpecialSpace(r) && !file.Uses(text.Spaces)
	}
	if text.IsASCII(new) || !strings.ContainsFunc(new, isUnseen) {
		return nil
	}
	l := ""
	if !isProse(w.file) {
		lines := strings.SplitAfter(new, "\n")
		for i, line := range lines {
			if unquotedLine(line, isForeign) != "" {
				body := strings.TrimSpace(line)
				lines[i] = strings.Replace(line, body, text.PlainSpaces(body), 1)
			}
		}
		l = unquotedLine(strings.Join(lines, ""), func(l string, i int) bool {
			r, _ := utf8.DecodeRuneInString(l[i:])
			return isUnseen(r)
		})
	}
	isLetter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	for line := range strings.Lines(new) {
		i := strings.IndexFunc(line, func(r rune) bool { return r == '\u200b' || r == '\u2060' || r == '\ufeff' })
		if l != "" || i < 0 || file.HasInvisible() {
			continue
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		mayBreak := i > 0 && (line[i-1] >= utf8.RuneSelf || strings.IndexByte("@./", line[i-1]) >= 0)
		if end := i + size; !mayBreak && end < len(line) && isLetter(line[end]) &&
			(outline.IsComment(line) || !outline.InQuotes(line[:i])) {
			l = line[:end+1]
		}
	}
	if l == "" {
		return nil
	}
	return w.invalid("{new} has a character that nobody sees, in %s, and the file has none: leave it out, or write "+
		"a plain space or an escape", Quote(l))
}

// isForeign reports whether a line has at an offset a letter that no English word has.
func isForeign(l string, i int) bool {
	r, _ := utf8.DecodeRuneInString(l[i:])
	return r >= utf8.RuneSelf && text.IsLetterOrDigit(r)
}

// unquotedLine returns a line of a text for which is is true at an offset outside quotes and comments, "" if none is.
func unquotedLine(s string, is func(l string, i int) bool) string {
	opens := [...]string{`"`, "'''", "`"} // what may open a literal of several lines
	var above, last [len(opens)]int       // how many of them are above the line, and where the last one is
	for i, mark := range opens {
		last[i] = strings.LastIndex(s, mark)
	}
	at := 0
	for l := range strings.Lines(s) {
		var before [len(opens)]int // of the marks ", ' and ` in the line
		isQuoted := func(mark, at int) bool {
			return before[mark]%2 > 0 || above[mark]%2 > 0 && last[mark] >= at
		}
		for i := 0; i < len(l) && strings.IndexByte("#/*", l[i]) < 0; i++ { // behind which it may be a comment
			if mark := strings.IndexByte("\"'`", l[i]); mark >= 0 {
				before[mark]++
			}
			if is(l, i) && !isQuoted(0, at+i) && !isQuoted(1, at+i) && !isQuoted(2, at+i) {
				return strings.TrimSuffix(l, "\n")
			}
		}
		at += len(l)
		for i, mark := range opens {
			above[i] += strings.Count(l, mark)
		}
	}
	return ""
}

// escapes has the signs that stand for others in new text that was escaped.
var escapes = [...][2]string{
	{`\"`, `"`}, {"&quot;", `"`}, {"&#34;", `"`}, {"&#39;", "'"}, {"&#x27;", "'"}, {"&lt;", "<"},
	{"&gt;", ">"}, {"&amp;", "&"}, {`\!=`, "!="}, {`\$`, "$"}, {"\\`", "`"},
}

// escapedAlone returns an escape that new has for every character that old has as it is, or the file if it is a quote,
// or a reference outside of quotes and new has none of the signs <, > and &: "" if there is none, if the file or old
// has the escape too, or if it may be all that the edit changes.
func escapedAlone(old, new string, file []byte) string {
	if strings.IndexByte(new, '\\') < 0 && strings.IndexByte(new, '&') < 0 {
		return ""
	}
	bare := new
	for _, e := range escapes {
		bare = strings.ReplaceAll(bare, e[0], "")
	}
	hasTags := text.HasTags(file) // in whose text it is usual
	for _, e := range escapes {
		rest, isQuote, isSign := strings.ReplaceAll(new, e[0], ""), strings.Contains(`"'`, e[1]), e[0] == `\"`
		if len(rest) == len(new) || strings.Contains(rest, e[1]) {
			continue
		}
		if isSign || !isQuote && !strings.ContainsAny(bare, "<>&") {
			isQuote = unquotedLine(new, func(l string, i int) bool { return strings.HasPrefix(l[i:], e[0]) }) != ""
		}
		isPlain := strings.Contains(old, e[1]) || isQuote && bytes.Contains(file, []byte(e[1])) && (isSign || !hasTags)
		unescaped := strings.ReplaceAll(new, e[0], e[1])
		if isPlain && unescaped != old && (isSign || !bytes.Contains(file, []byte(e[0]))) &&
			!strings.Contains(old, e[0]) {
			return e[0]
		}
	}
	return ""
}
