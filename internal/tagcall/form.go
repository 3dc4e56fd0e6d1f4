package tagcall

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A form is the way in which the parameters of a call are written.
type form int

const (
	proseForm   form = iota // this is no call, as far as the request goes
	fieldsForm              // as tags
	emptyForm               // as attributes
	bodyForm                // as attributes and text
	jsonForm                // as JSON
	pairsForm               // as the name of the tool, and pairs of tags
	wrapperForm             // this stands around calls
	brokenForm              // this is meant as a call, but is none
	cutOffForm              // the request ends here, within a call
	doubtForm               // this is a call, but what follows may be edits of a file or its text
)

// openerAt returns the tag at an offset outside all calls, what it means, and the form of the call that it begins.
// Before is the offset behind the call or wrapper before it, 0 if there is none. A tag that is not whole has no name.
func (s *source) openerAt(at, before int) (t tag, o opener, f form) {
	name, closing, end := nameAt(s.src, at)
	k := key(name)
	o, known := openers.Get()[k]
	role, isAside := roles.Get()[k], slices.Contains(asides, k)
	follows := at-before < maxGap && skipSpace(s.src, before) == at             // another call
	starts := s.startsLine(at) || follows || strings.ContainsAny(name, "|"+bar) // or a token
	sure := known && starts
	goesOn := func(opener string) bool { return k != "" && strings.HasPrefix(opener, k) }
	switch {
	case end == len(s.src) && starts && !closing && slices.ContainsFunc(slices.Collect(maps.Keys(openers.Get())),
		goesOn):
		return t, o, cutOffForm
	case !known && role == 0 && !isAside && !slices.Contains(results, k) && !strings.Contains(name, "_"):
		// A tag with an underscore may be that of a tool that is not known.
		return t, o, proseForm
	}
	t, w := readTag(s.src, at)
	switch {
	case w == cutTag && sure && !closing:
		return tag{}, o, cutOffForm
	case w != wholeTag:
		return tag{}, o, proseForm
	case t.closing && o.wraps && follows:
		return t, o, wrapperForm // some models leave out the opening tag
	case t.closing && starts && (known || role != 0 && role < toolName):
		return t, o, brokenForm
	case t.closing || role != 0 || isAside || at > 0 && s.src[at-1] == '`':
		return t, o, proseForm
	}
	if f = s.formOf(&t, o, known, sure); f == cutOffForm && !sure {
		f = proseForm
	}
	return t, o, f
}

// maxGap is how much white space may stand between an opening tag and what decides the form of the call.
const maxGap = 1000

// formOf returns the form of the call that t begins. Known: it is one of openers; sure: also in the place of a call.
func (s *source) formOf(t *tag, o opener, known, sure bool) form {
	next := skipSpace(s.src[:min(len(s.src), t.end+maxGap)], t.end)
	switch {
	case t.empty && sure:
		return emptyForm
	case t.empty:
		return proseForm
	case next == len(s.src):
		return cutOffForm
	case s.src[next] == '<':
		if f := s.formBefore(next, t, o, sure); f != proseForm {
			return f
		}
	case (s.src[next] == '{' || s.src[next] == '[') && known && !o.anon && (o.named || len(t.attrs) == 0):
		return jsonForm
	case o.named && o.tool(t) == "":
		if f := s.pairsAt(next); f != proseForm {
			return f
		}
	}
	switch {
	case !sure || o.wraps, o.anon && !o.isList && len(t.attrs) == 0:
		return proseForm
	case o.body != "" && len(t.attrs) > 0:
		return bodyForm
	case o.body == "patch" && strings.HasPrefix(s.src[next:], beginPatch): // which names its files
		return bodyForm
	case o.body == "patch" && strings.HasPrefix(beginPatch, s.src[next:]):
		return cutOffForm
	}
	// The end of the line may be far away.
	below := strings.TrimLeftFunc(s.src[t.end:], func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
	if below == "" || below[0] == '\n' {
		return brokenForm
	}
	return proseForm
}

const beginPatch = "*** Begin Patch"

// formBefore returns the form of the call that t begins if a tag follows it, at the given offset.
func (s *source) formBefore(at int, t *tag, o opener, sure bool) form {
	inner, w := readTag(s.src, at)
	_, opens := openers.Get()[inner.key]
	g, group := groups.Get()[inner.key]
	kind := kindOf(inner.key)
	isText := roles.Get()[inner.key] == 0 && (kind == Text || kind == Piece)
	switch {
	case w == cutTag:
		return cutOffForm
	case w != wholeTag:
		return proseForm
	case inner.closing:
		if inner.name == t.name && sure && !o.wraps {
			return fieldsForm
		}
		return proseForm
	case opens && sure && (o.wraps && o.tool(t) == "" || o.anon && !group):
		return wrapperForm
	case o.edits && len(t.attrs) > 0 && (g.isEdit || g.isList || isText):
		if slices.ContainsFunc(t.attrs, func(a Field) bool { return namesMarkup(a.Text) }) {
			return doubtForm
		}
		return fieldsForm
	case o.wraps && o.anon, len(t.attrs) > 0 && kindOf(key(o.body)) == Lines && kind != Lines:
		return proseForm // or the beginning of a file
	case inner.isParameter():
		return fieldsForm
	}
	return proseForm
}

// markupEndings has the endings of the names of files whose text may begin with any tag.
var markupEndings = []string{".xml", ".html", ".htm", ".xhtml", ".svg", ".vue", ".svelte", ".astro", ".jsx", ".tsx",
	".xsd", ".xsl", ".xslt", ".xaml", ".plist", ".csproj", ".props", ".targets", ".resx", ".md", ".mdx", ".txt"}

// namesMarkup reports whether the text of a file with the given name may well hold tags.
func namesMarkup(name string) bool {
	return slices.Contains(markupEndings, path.Ext(strings.ToLower(name)))
}

// pairsAt returns pairsForm if a word and then the opening tag of a pair stand at an offset.
func (s *source) pairsAt(at int) form {
	word, at := wordAt(s.src, at)
	if at = skipSpace(s.src[:min(len(s.src), at+maxGap)], at); at == len(s.src) {
		return cutOffForm
	}
	if word == "" || s.src[at] != '<' {
		return proseForm
	}
	switch t, w := readTag(s.src, at); {
	case w == cutTag:
		return cutOffForm
	case w == wholeTag && roles.Get()[t.key] == parameterName && !t.closing:
		return pairsForm
	}
	return proseForm
}
