// Package lint warns about a text that a change has probably damaged: brackets that no longer pair, a marker of a
// conflict or of the request left in, Go or JSON that no longer parses. It takes the text before and after.
//
// It reports only damage that is new, except for conflict markers, which nobody means to keep. The cost is linear.
package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Warning is a probable mistake in a text.
type Warning struct {
	Line   int // from 1
	Msg    string
	Broken bool // the text before was whole, and hardly anybody means this one
}

// Warnings returns the probable mistakes in the text of a file that are new. Before is nil if the file is.
func Warnings(name string, before, after []byte) (all []Warning) {
	c := changeOf(name, before, after)
	for _, check := range []func(c change) []Warning{conflictMarkers, leftMarkers, code, jsonSyntax, finalNewline,
		lineEndings, tabs, recipes, indentation, fences, doubled, entities, invisible, unseen, placeholders} {
		all = append(all, check(c)...)
	}
	return all
}

// A change is a text before and after it, and how many bytes are the same at the start and at the end of both.
type change struct {
	name          string
	before, after []byte
	head, tail    int
	start, end    int // of the lines of the text after that it touches

	// Was and is have these lines of both texts, with the next solid one on either side, and begin at from: nothing for
	// a new text, and where there are too many.
	was, is string
	from    int
}

func changeOf(name string, before, after []byte) change {
	head, tail := text.CommonEnds(before, after)
	start, end := bytes.LastIndexByte(after[:head], '\n')+1, len(after)
	if i := bytes.IndexByte(after[end-tail:], '\n'); i >= 0 {
		end += i + 1 - tail
	}
	c := change{name: name, before: before, after: after, head: head, tail: tail, start: start, end: end}
	t := text.New(after)
	if l := t.SolidAbove(text.Line{Start: start}); l.Real() {
		start = l.Start
	}
	if l := t.SolidBelow(text.Line{Next: end}); l.Real() {
		end = l.Next
	}
	if before != nil && end-start <= maxChange {
		c.was, c.is, c.from = string(before[start:len(before)-len(after)+end]), string(after[start:end]), start
	}
	return c
}

// maxChange is the longest part of a text that is looked at line by line, in bytes: more is not worth the time.
const maxChange = 64 << 10

// doubled warns about a line that is the same as the one above, if such a pair is new.
func doubled(c change) []Warning {
	if len(c.before) == 0 {
		return nil
	}
	had := map[string]int{}
	for _, l := range pairs(c.was) {
		had[l]++
	}
	const short = 10 // bytes: such a line may be meant twice
	_, known := syntaxOf(c.name)
	was, is := "\n"+c.was, "\n"+c.is
	for at, l := range pairs(c.is) {
		if had[l]--; had[l] < 0 {
			line := "\n" + l + "\n"
			isCopy := strings.Contains(was, line) && strings.Count(is, line[1:]) == 2 // of a line that was there
			return []Warning{{c.line(c.from + at), "this line is the same as the one above: check that it is not " +
				"there twice", known && isCopy && len(text.Unindented(l)) >= short}}
		}
	}
	return nil
}

// pairs yields the lines with a word, but no closing tag, that are the same as the solid one above, and their offsets.
func pairs(src string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		at, up := 0, ""
		for line := range strings.Lines(src) {
			if l := strings.TrimRight(line, text.Space+"\n"); l != "" {
				if l == up && text.HasWord(l) && !strings.HasPrefix(text.Unindented(l), "</") && !yield(at, l) {
					return
				}
				up = l
			}
			at += len(line)
		}
	}
}

func warn(line int, format string, args ...any) []Warning {
	return []Warning{{Line: line, Msg: fmt.Sprintf(format, args...)}}
}

// broken is warn about a text that was whole, if there was one.
func (c change) broken(line int, format string, args ...any) []Warning {
	return []Warning{{line, fmt.Sprintf(format, args...), c.before != nil}}
}

// line returns the number of the line of the text after that an offset lies in.
func (c change) line(at int) int { return 1 + bytes.Count(c.after[:at], []byte("\n")) }

// conflictMarkers warns about an unresolved conflict, at the line where it begins.
func conflictMarkers(c change) []Warning {
	const begin = "<<<<<<< "
	if !bytes.Contains(c.after, []byte(begin)) {
		return nil
	}
	start, half := 0, false
	for i, line := range text.Split(string(c.after)) {
		line = strings.TrimRight(line, "\r")
		switch {
		case strings.HasPrefix(line, begin) && line != begin+"SEARCH":
			start, half = i+1, false
		case start > 0 && line == "=======":
			half = true
		case half && (line == ">>>>>>>" || strings.HasPrefix(line, ">>>>>>> ")):
			return warn(start, "a conflict marker was left in")
		}
	}
	return nil
}

// brackets warns about brackets, about quotation marks, and about "\${" in template strings.
func brackets(lang syntax, c change) (all []Warning) {
	is := scan(lang, c.after)
	if is.unbalanced == "" && len(is.escapes) == 0 && len(is.lone) == 0 && len(is.curly) == 0 {
		return nil
	}
	was := scan(lang, c.before)
	if is.unbalanced != "" && was.unbalanced == "" {
		all = c.unbalanced(is)
	}
	if len(is.lone) > len(was.lone) && c.before != nil {
		all = append(all, c.broken(c.firstNew(is.lone), "a quotation mark of this line has no partner")...)
	}
	if len(is.curly) > len(was.curly) && c.before != nil && !lang.text {
		all = append(all, c.broken(c.firstNew(is.curly),
			"a typographic quotation mark is no code: write a straight one")...)
	}
	if len(is.escapes) > len(was.escapes) {
		all = append(all, warn(c.firstNew(is.escapes),
			`\${ in a template string is literal text: write ${ to insert a value`)...)
	}
	return all
}

// firstNew returns the first of some lines that is not above the first one that differs.
func (c change) firstNew(lines []int) int {
	changed := c.line(c.head)
	return lines[max(slices.IndexFunc(lines, func(line int) bool { return line >= changed }), 0)]
}

// unbalanced warns about brackets at the line of the wrong one, or else at the first line that the change touches. It
// names a line that is gone, if that has a bracket whose partner is elsewhere.
func (c change) unbalanced(s scanner) []Warning {
	msg := fmt.Sprintf("the brackets are %s balanced: %s", c.notOrNoLonger(), s.unbalanced)
	first, line := c.line(c.start), s.wrong
	if line < first || c.line(max(c.start, c.end-1)) < line {
		line, msg = first, fmt.Sprintf("%s, at line %d", msg, line)
	}
	if l := c.unpaired(); l != "" {
		msg = fmt.Sprintf("%s; and %q is gone", msg, text.Clip(strings.TrimSpace(l), 80))
	}
	return c.broken(line, "%s", msg)
}

// unpaired returns the first line with a bracket whose partner is elsewhere that is gone from the touched lines, and no
// new line there has as many brackets in its place; "" if there is none.
func (c change) unpaired() string {
	was := text.Split(string(c.before[c.start : len(c.before)-len(c.after)+c.end]))
	is := text.Split(string(c.after[c.start:c.end]))
	old, new, has := text.SetOf(was), text.SetOf(is), map[int]int{}
	for _, l := range is {
		if !old[l] {
			has[unclosedIn(l)]++
		}
	}
	for _, l := range was {
		if n := unclosedIn(l); n != 0 && !new[l] {
			if has[n]--; has[n] < 0 {
				return l
			}
		}
	}
	return ""
}

func (c change) notOrNoLonger() string {
	if c.before == nil {
		return "not"
	}
	return "no longer"
}

func finalNewline(c change) []Warning {
	is, was := text.New(c.after), text.New(c.before)
	if len(c.before) > 0 && len(c.after) > 0 && was.Terminated() && !is.Terminated() {
		return warn(is.CountLines(), "the newline at the end of the file is gone")
	}
	return nil
}

func lineEndings(c change) []Warning {
	names := map[string]string{"\n": "LF", "\r\n": "CRLF"}
	had, mixed := text.Endings(c.before)
	has, line := text.Endings(c.after)
	switch {
	case mixed > 0:
		return nil
	case line > 0:
		return warn(line, "the file now mixes CRLF and LF line endings")
	case had != "" && has != "" && had != has:
		return warn(1, "the file had %s line endings, and has %s now", names[had], names[has])
	}
	return nil
}

// markers are the marks of requests that models leave in the new text by mistake, each with the mark that pairs with it
// in a text that explains requests. Lines of "=" are not among them, because they underline headings.
var markers = field.Table[map[string]string]{Make: func() map[string]string {
	all := map[string]string{
		"<<<<<<< SEARCH": ">>>>>>> REPLACE", ">>>>>>> REPLACE": "<<<<<<< SEARCH",
		"------- SEARCH": "+++++++ REPLACE", "+++++++ REPLACE": "------- SEARCH",
		"*** Begin Patch": "", "*** End Patch": "", "*** End of File": "", "<|im_end|>": "<|im_start|>",
	}
	for _, tag := range strings.Fields(`old_text new_text old_string new_string old_str new_str search replace file_text
		apply_diff replace_in_file write_to_file insert_content str_replace parameter invoke function_calls function
		tool_call`) {
		all["</"+tag+">"] = "<" + tag
	}
	return all
}}

// leftMarkers warns about a line that is a marker, or ends in a tag, which the text before the change does not have,
// unless every one pairs with another. Only the lines that the change touches can have one.
func leftMarkers(c change) (all []Warning) {
	told := map[string]bool{}
	n := c.line(c.start) - 1
	for line := range bytes.Lines(c.after[c.start:c.end]) {
		n++
		mark := bytes.TrimSpace(line)
		if len(mark) == 0 || bytes.IndexByte([]byte("<>-+*"), mark[0]) < 0 && mark[len(mark)-1] != '>' {
			continue
		}
		if bytes.HasSuffix(mark, []byte(">")) {
			mark = mark[max(bytes.LastIndex(mark, []byte("</")), 0):]
		}
		pair, known := markers.Get()[string(mark)]
		if !known || told[string(mark)] {
			continue
		}
		told[string(mark)] = true
		if !bytes.Contains(c.before, mark) &&
			(pair == "" || bytes.Count(c.after, mark) > bytes.Count(c.after, []byte(pair))) {
			all = append(all, c.broken(n, "%s looks like a part of the request that was left in: remove it, unless it "+
				"belongs to the text", mark)...)
		}
	}
	return all
}

// tabs warns about the first line that is indented with a tab in a file that had only spaces there, or the reverse.
func tabs(c change) []Warning {
	tab, spaces := []byte("\n\t"), []byte("\n  ")
	msg := "this line is indented with a tab, and the file had only spaces"
	from := max(c.start-1, 0)
	piece := c.after[from:c.end]
	if !bytes.Contains(piece, tab) || bytes.Contains(c.before, tab) {
		tab, spaces, msg = spaces, tab, "this line is indented with spaces, and the file had only tabs"
	}
	at := bytes.Index(piece, tab)
	if at < 0 || bytes.Contains(c.before, tab) || !bytes.Contains(c.before, spaces) || isMakefile(c.name) {
		return nil
	}
	return warn(1+c.line(from+at), "%s", msg)
}

// recipes warns about the first new line of a recipe in a makefile that begins with spaces.
func recipes(c change) []Warning {
	if !isMakefile(c.name) {
		return nil
	}
	is := spacedRecipes(c.after)
	if len(is) <= len(spacedRecipes(c.before)) {
		return nil
	}
	return c.broken(c.firstNew(is), "the recipe begins with spaces: make needs a tab")
}

func isMakefile(name string) bool {
	base := strings.ToLower(path.Base(name))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".am"), ".in") // of Automake
	return path.Ext(base) == ".mk" || base == "makefile" || base == "gnumakefile"
}

// spacedRecipes returns the lines that begin with spaces right below a line of a recipe or a target. Below a target,
// other lines may stand that are no recipe: with "=" or "#", or with a word of make.
func spacedRecipes(src []byte) (all []int) {
	directives := []string{"ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "define", "endef", "export", "unexport",
		"include", "sinclude", "vpath", "override", "undefine", "call", "eval", "foreach", "if", "info", "warning",
		"error"}
	n := 0
	inRecipe, isTarget, goesOn := false, false, false
	for line := range bytes.Lines(src) {
		n++
		body := bytes.TrimSpace(line)
		word, _, _ := bytes.Cut(body, []byte(" "))
		isOther := bytes.ContainsAny(body, "=#") || bytes.HasPrefix(body, []byte("-")) ||
			slices.Contains(directives, string(bytes.TrimPrefix(word, []byte("$("))))
		if (inRecipe || isTarget && !isOther) && !goesOn && line[0] == ' ' && len(body) > 0 {
			all = append(all, n)
		}
		name, _, hasColon := bytes.Cut(body, []byte(":"))
		isTarget = hasColon && !text.IsSpace(line[0]) && !bytes.ContainsAny(body, "=#") && len(name) > 0
		inRecipe = line[0] == '\t' || inRecipe && goesOn
		goesOn = bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte(`\`))
	}
	return all
}

// entities warns about the first character reference in a file without any. Files with tags, and strings, use them.
func entities(c change) []Warning {
	if c.before == nil {
		return nil
	}
	at, entity := reference(c.after[c.start:c.end])
	if entity == "" {
		return nil
	}
	lang, known := syntaxOf(c.name)
	above := c.after[:c.start+at]
	line := string(above[bytes.LastIndexByte(above, '\n')+1:])
	was, _ := reference(c.before)
	switch {
	case was >= 0, !known && !bytes.ContainsAny(c.before, "<>&\"'"), (lang.text || !known) && text.HasTags(c.after),
		lang.script && outline.InQuotes(line): // it may write HTML
		return nil
	}
	operators := []string{"-&gt;", "=&gt;", "&amp;&amp;", " &lt; ", " &lt;= ", " &gt; ", " &gt;= "}
	isThere := func(s string) bool { return bytes.Contains(c.after[c.start:c.end], []byte(s)) }
	isCode := known && !outline.InQuotes(line) && !outline.IsComment(line)
	return []Warning{{c.line(c.start + at), entity + " is a character reference of HTML, where the character itself " +
		"is usual", isCode && slices.ContainsFunc(operators, isThere)}}
}

// invisible warns about the first character without width in a file that had none; marks and joiners are not meant.
func invisible(c change) []Warning {
	if text.IsASCII(c.after[c.start:c.end]) || text.Invisible(c.before) >= 0 {
		return nil
	}
	at := text.Invisible(c.after)
	if at < 0 {
		return nil
	}
	r, _ := utf8.DecodeRune(c.after[at:])
	return warn(c.line(at), "this line has U+%04X, which nobody sees, and the file had no such character", r)
}

// unseen warns about the first line that looks as it did, but has lost characters that nobody sees.
func unseen(c change) []Warning {
	if text.IsASCII(c.was) {
		return nil
	}
	had := text.SetOf(text.Split(c.was))
	lost := map[string]bool{} // what lines with such characters look like
	for line := range had {
		lost[text.Look(line)] = lost[text.Look(line)] || text.Look(line) != line
	}
	for at, line := range text.Split(c.is) {
		if lost[line] && !had[line] {
			return warn(c.line(c.from)+at, "this line has lost characters that nobody sees, such as no-break spaces: "+
				"check that they are not needed")
		}
	}
	return nil
}

// placeholders warns about the first line of a new file that says that text is left out, where there was nothing.
func placeholders(c change) []Warning {
	if len(c.before) > 0 {
		return nil
	}
	for i, line := range text.Split(string(c.after)) {
		if line = strings.TrimSpace(line); omission.In(line) == omission.Words {
			return warn(i+1, "%q is a placeholder for omitted code, and nothing was here: write the code out, or "+
				"check the path", line)
		}
	}
	return nil
}

// fences warns about Markdown in which a code fence does not end.
func fences(c change) []Warning {
	last, _ := c.newFault(openFence, ".md", ".mdx", ".markdown")
	if last == 0 {
		return nil
	}
	line, _ := openFence(c.after[:c.end]) // right below the change
	return c.broken(cmp.Or(line, last), "the code fences no longer pair: the one that begins here has no end")
}

// openFence returns the line where the code fence begins that is open at the end of a text, 0 if none is.
func openFence(src []byte) (line int, what string) {
	open, n := text.Fence(""), 0
	for l := range strings.Lines(string(src)) {
		n++
		if below := open.Below(strings.TrimRight(l, "\r\n")); below != open {
			open, line = below, n
		}
	}
	if open == "" {
		line = 0
	}
	return line, ""
}

// reference returns where a text has its first character reference, -1 if it has none.
func reference(src []byte) (at int, entity string) {
	at = -1
	for _, e := range []string{"&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#39;"} {
		if i := bytes.Index(src, []byte(e)); i >= 0 {
			at, entity, src = i, e, src[:i]
		}
	}
	return at, entity
}

// IsExcerpt reports whether a text that replaces another one has hardly any lines but a few of those, as if it were an
// edit of them.
func IsExcerpt(before, after []byte) bool {
	const many, share, own = 20, 3, 4 // lines; at most a third stays, and at most a quarter is new
	was, is := text.Split(string(before)), text.Split(string(after))
	had, kept, n := text.SetOf(was), 0, text.CountSolid(is)
	for _, l := range is {
		if !text.IsBlank(l) && had[l] {
			kept++
		}
	}
	return text.CountSolid(was) >= many && 0 < n && n*share <= text.CountSolid(was) && kept*own >= n*(own-1)
}
