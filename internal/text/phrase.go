package text

import (
	"bytes"
)

// A phrase is a word with the tokens before and after it in its line.
type phrase [3]string

// phraseAt returns the phrase around the k-th token.
func phraseAt(tokens []string, k int) phrase {
	p := phrase{"", tokens[k], ""}
	if k > 0 {
		p[0] = tokens[k-1]
	}
	if k+1 < len(tokens) {
		p[2] = tokens[k+1]
	}
	return p
}

// Phrases reports whether a text has a phrase. It searches the text once for each phrase, but only for the first few:
// it reports that the text has every other one, so that none of them counts as a misspelling. It is not safe for
// concurrent use.
type Phrases struct {
	text  Text
	known map[phrase]bool
}

// PhrasesOf returns the Phrases of t. It costs nothing until the first call.
func PhrasesOf(t Text) Phrases { return Phrases{text: t} }

// Has reports whether a line of the text has the k-th token between the same neighbours.
func (x *Phrases) Has(tokens []string, k int) bool {
	p := phraseAt(tokens, k)
	has, known := x.known[p]
	if known {
		return has
	}
	const few = 64
	if len(x.known) == few {
		return true
	}
	if x.known == nil {
		x.known = map[phrase]bool{}
	}
	x.known[p] = hasPhrase(x.text, p)
	return x.known[p]
}

// hasPhrase reports whether a line of t has the phrase p.
func hasPhrase(t Text, p phrase) bool {
	const around = 200 // bytes of context on each side
	for at, hits := 0, 0; hits < 1000; {
		i := bytes.Index(t.Data[at:], []byte(p[1]))
		if i < 0 {
			return false
		}
		i += at
		at = i + len(p[1])
		if i > 0 && InWord(t.Data[i-1]) || at < len(t.Data) && InWord(t.Data[at]) {
			continue
		}
		hits++
		from, to := max(0, i-around), min(len(t.Data), at+around)
		if nl := bytes.LastIndexByte(t.Data[from:i], t.EOL); nl >= 0 {
			from += nl + 1
		}
		if nl := bytes.IndexByte(t.Data[at:to], t.EOL); nl >= 0 {
			to = at + nl
		}
		words := Tokens(Fold(string(t.Data[from:to])))
		for k := range words {
			if phraseAt(words, k) == p {
				return true
			}
		}
	}
	return true // a word this common is no misspelling
}
