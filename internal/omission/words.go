package omission

import (
	"slices"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/field"
)

// A role is what a word does in a phrase such as "keep all existing helper methods as they are".
type role int

const (
	lead   role = 1 << iota // comes first
	old                     // comes next, and says that there was something before
	common                  // comes first, and may begin any sentence
	opener                  // is an old word, and makes a comment with dots a placeholder, unless a common one is first
	hint                    // makes a comment with one more word for several things a hint
	alone                   // is a hint with no more words
	link                    // comes after an old word
	tail                    // comes last
	end                     // ends a tail that says something
	ofPart                  // goes with the kinds of text that are marked in the same way, as "of" and "file" do
	ofMost                  // the same, as "existing" and "imports" do
	ofCode                  // the same, as "previous" and "methods" do
	ofElse                  // the same, as "keep" and "else" do
	kinds  = ofPart | ofMost | ofCode | ofElse
)

// A word is an entry of the vocabulary. Still tells how much it says, at the end, that the text stays or is left out: 2
// is enough beside other words, 3 is enough alone.
type word struct {
	role
	still int
}

// vocabulary has the words of such phrases.
var vocabulary = field.Table[map[string]word]{Make: func() map[string]word {
	all := map[string]word{}
	for row, words := range map[word]string{
		{lead, 0}:                         "the",
		{lead | common, 0}:                "add, all, and, any, insert, plus, your",
		{lead | ofElse, 0}:                "keep, leave",
		{old | opener | alone, 0}:         "rest",
		{old | opener | hint | ofMost, 0}: "existing, remaining",
		{old | opener | ofCode, 0}:        "previous",
		{old | opener | ofCode | tail, 3}: "unchanged",
		{old | opener | tail, 3}:          "snip, snipped",
		{old | opener, 1}:                 "same",
		{old | opener, 0}:                 "other",
		{old | opener | common, 0}:        "more",
		{old | hint, 0}:                   "original",
		{old, 0}:                          "everything",
		{link | hint | ofPart, 0}:         "of",
		{link, 0}:                         "that, the, this, your",
		{ofPart | ofMost | ofCode, 0}:     "code, methods, functions",
		{ofPart | ofMost, 0}:              "implementation, implementations, imports, logic",
		{ofPart, 0}: "body, class, classes, content, contents, document, file, files, function, line, lines, " +
			"method, section",
		{ofElse, 0}:        "else",
		{tail, 0}:          "above, are, before, below, follow, follows, go, goes, here, is",
		{tail | ofCode, 0}: "continues",
		{tail, 1}:          "as above, for brevity, remain, remains, stay, stays, the same",
		{tail, 2}: "as before, as is, elided, email protected, left out, no change, no changes, nothing changed, " +
			"nothing changes, omitted, truncated",
	} {
		for w := range strings.SplitSeq(words, ", ") {
			all[w] = word{all[w].role | row.role, max(all[w].still, row.still)}
			if row.still > 0 {
				last := w[strings.IndexByte(w, ' ')+1:]
				all[last] = word{all[last].role | end, all[last].still}
			}
		}
	}
	return all
}}

// A saying is how much words say of text left out.
type saying struct {
	opens  bool // they begin as such phrases do
	surely bool // they say nothing else
	likely bool // they say nothing else beside dots or in brackets
	maybe  bool // they may say so
	stays  bool // they end in a word for text that stays
}

// mayBeSaying reports, at little cost, whether a text has a word of such phrases after its leads or before its tails.
func mayBeSaying(s string) bool {
	s = strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	for head, r := s, tail; r&tail != 0; {
		i := strings.LastIndexByte(head, ' ')
		if r = vocabulary.Get()[strings.ToLower(head[i+1:])].role; r&end != 0 {
			return true
		}
		head = head[:max(i, 0)]
	}
	for r := lead; r&lead != 0; {
		var first string
		first, s, _ = strings.Cut(s, " ")
		if r = vocabulary.Get()[strings.ToLower(first)].role; r&(old|kinds) != 0 {
			return true
		}
	}
	return false
}

// sayingOf reads words as leads, old words, links, a few others with the kind of text as the last, and a tail.
func sayingOf(words []string) (s saying) {
	next := func(r role) (taken word) {
		for len(words) > 0 && wordOf(words[0]).role&r != 0 {
			w := wordOf(words[0])
			taken, words = word{taken.role | w.role, taken.still + w.still}, words[1:]
		}
		return taken
	}
	leads, olds := next(lead), next(old)
	before, links := leads.role|olds.role, word{}
	if olds.role != 0 {
		links = next(link)
	}
	words, after := cutTail(words)
	n, kind, plural := len(words), role(0), false
	if n > 0 {
		kind, plural = vocabulary.Get()[words[n-1]].role&kinds, isPlural(words[n-1])
	}
	isPart, opens := links.role&ofPart != 0, olds.role&opener != 0
	compares := olds.still == 1 && n > 0 && kind == 0 && !plural // "same order as before"
	invites := leads.role&olds.role&common != 0                  // "add more methods here"
	s.opens, s.stays = opens && before&common == 0, after.still >= 2 && !compares
	switch {
	case n > 4 || slices.ContainsFunc(words, isNoWord):
		return s
	case n == 0:
		s.surely = olds.still+after.still >= 3
		s.maybe = olds.role&alone != 0 || olds.role != 0 && after.role != 0
	case n == 1:
		s.surely = (before|links.role|after.role)&kind != 0 || opens && kind != 0 && after.role != 0 && !invites ||
			s.stays && kind&(ofCode|ofElse) != 0
		s.maybe = isPart || before&hint != 0 && (kind != 0 || plural) ||
			kind != 0 && (opens && plural && !invites || olds.role != 0 && after.still > 0)
	}
	s.maybe = s.maybe || s.stays
	s.likely = s.surely || (olds.role != 0 || n == 0) && s.stays || n == 1 && isPart ||
		kind&^ofElse != 0 && (s.stays || olds.role != 0 && n <= 3)
	return s
}

// wordOf returns the entry of a word. A number, as in "12 lines", is an old word.
func wordOf(s string) word {
	if s != "" && strings.Trim(s, "0123456789") == "" {
		return word{role: old}
	}
	return vocabulary.Get()[s]
}

// isPlural reports whether a word looks like a plural.
func isPlural(w string) bool {
	n := len(w) - 1
	return n >= 0 && w[n] == 's' && (n == 0 || strings.IndexByte("sui", w[n-1]) < 0)
}

// cutTail returns the words before the tail, and what the tail says.
func cutTail(words []string) (before []string, tails word) {
	for n := len(words); n > 0; n = len(words) {
		size := min(n, 2)
		w := vocabulary.Get()[strings.Join(words[n-size:], " ")]
		if w.role == 0 {
			w, size = vocabulary.Get()[words[n-1]], 1
		}
		if w.role&tail == 0 {
			break
		}
		words, tails = words[:n-size], word{tails.role | w.role, tails.still + w.still}
	}
	return words, tails
}

// isNoWord reports whether s has anything but letters, digits, "_", "-" and ",".
func isNoWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && r != ',' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
