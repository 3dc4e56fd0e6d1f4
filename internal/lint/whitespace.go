package lint

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/text"
)

// tabs warns about the first line that is indented with a tab in a file that had only spaces there.
func tabs(c change) []Warning {
	tab, space := []byte("\n\t"), []byte("\n  ")
	from, to := c.touched(len(tab))
	at := bytes.Index(c.after[from:to], tab)
	if at < 0 || bytes.Contains(c.before, tab) || !bytes.Contains(c.before, space) {
		return nil
	}
	return warn(2+bytes.Count(c.after[:from+at], tab[:1]),
		"this line is indented with a tab, and the file had only spaces")
}

// recipes warns about the first line of a recipe in a makefile that begins with spaces.
func recipes(c change) []Warning {
	switch base := path.Base(c.name); {
	case path.Ext(base) == ".mk", slices.Contains([]string{"makefile", "gnumakefile"}, strings.ToLower(base)):
		if line := spacedRecipe(c.after); line > 0 && spacedRecipe(c.before) == 0 {
			return warn(line, "the recipe begins with spaces: make needs a tab")
		}
	}
	return nil
}

// spacedRecipe returns the first line that begins with spaces right below a line of a recipe, 0 if there is none.
func spacedRecipe(src []byte) int {
	n := 0
	inRecipe, goesOn := false, false
	for line := range bytes.Lines(src) {
		n++
		if inRecipe && !goesOn && line[0] == ' ' && len(bytes.TrimSpace(line)) > 0 {
			return n
		}
		inRecipe = line[0] == '\t' || inRecipe && goesOn
		goesOn = bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte(`\`))
	}
	return 0
}

// entities warns about the first character reference of HTML in a file of code that had none.
func entities(c change) []Warning {
	lang, known := syntaxOf(c.name)
	if !known || lang.script || c.before == nil {
		return nil
	}
	from, to := c.touched(len("&quot;"))
	at, entity := reference(c.after[from:to])
	if was, _ := reference(c.before); entity == "" || was >= 0 {
		return nil
	}
	return warn(1+bytes.Count(c.after[:from+at], []byte("\n")),
		"%s is a character reference of HTML: write the character, unless it is meant", entity)
}

// invisible warns about the first character without width in a file that had none. A byte order mark may begin it, and
// a joiner or a variation selector belongs to the character before it.
func invisible(c change) []Warning {
	if from, to := c.touched(utf8.UTFMax); text.IsASCII(c.after[from:to]) || text.Invisible(c.before) >= 0 {
		return nil
	}
	at := text.Invisible(c.after)
	if at < 0 {
		return nil
	}
	r, _ := utf8.DecodeRune(c.after[at:])
	return warn(1+bytes.Count(c.after[:at], []byte("\n")), "this line has U+%04X, which nobody sees, and the file had no "+
		"such character", r)
}

// reference returns where a text has its first character reference, -1 if it has none.
func reference(src []byte) (at int, entity string) {
	for at := 0; ; at++ {
		next := bytes.IndexByte(src[at:], '&')
		if next < 0 {
			return -1, ""
		}
		at += next
		for _, entity := range []string{"&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#39;"} {
			if bytes.HasPrefix(src[at:], []byte(entity)) {
				return at, entity
			}
		}
	}
}
