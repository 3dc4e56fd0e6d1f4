package text

import (
	"bytes"
	"cmp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Occurrences returns the first places of a string in t, at most that many. They may overlap. A line ending in the
// string stands for any one line ending, and neither a CRLF nor a letter with combining marks is ever split.
func (t Text) Occurrences(s string, most int) (places []Span) {
	next, own := t.search(s)
	for at, ok := next(0); ok && len(places) < most; at, ok = next(at.Start + 1) {
		if s := own(at); !cutsLetter(t, s) {
			places = append(places, s)
		}
	}
	return places
}

// Apart returns the occurrences of a string in t that do not overlap, from the left, and whether there are others.
func (t Text) Apart(s string) (places []Span, overlap bool) {
	next, own := t.search(s)
	end := 0 // of the last place
	for at, ok := next(0); ok; {
		from := at.Start + 1
		switch s := own(at); {
		case cutsLetter(t, s):
		case at.Start < end:
			overlap = true
		default:
			places, end = append(places, s), at.End
		}
		if overlap {
			from = max(from, end)
		}
		at, ok = next(from)
	}
	return places, overlap
}

// cutsLetter reports whether a place ends between a letter and a mark that combines with it.
func cutsLetter(t Text, s Span) bool {
	r, _ := utf8.DecodeRune(t.Data[s.End:])
	return unicode.Is(unicode.M, r)
}

// MayCutCharacter reports whether an offset in a text that is not UTF-8 may be within a character. In encodings such as
// Shift_JIS and GBK, a byte that looks like ASCII may be the end of a character that begins with another.
func (t Text) MayCutCharacter(at int) bool {
	return at > 0 && at < len(t.Data) && t.Data[at-1] >= utf8.RuneSelf && '0' <= t.Data[at] &&
		t.Data[at] < utf8.RuneSelf
}

// search returns a function that finds the next place of old from an offset on, and one from that to a place of t. In
// a text with endings of several kinds, the offsets are those of a copy in which all lines end with "\n".
func (t Text) search(old string) (next func(from int) (Span, bool), own func(Span) Span) {
	own = func(s Span) Span { return s }
	old = strings.ReplaceAll(old, "\r\n", "\n")
	if t.EOL == '\r' {
		old = strings.ReplaceAll(old, "\n", "\r")
	} else if strings.Contains(old, "\n") {
		first, other := Endings(t.Data)
		if other > 0 {
			unix := rewritten(t.Data, false)
			t.Data, own = unix.text, func(s Span) Span {
				start, _ := unix.own(s.Start, false)
				end, _ := unix.own(s.End, false)
				return Span{start, end}
			}
		} else {
			old = strings.ReplaceAll(old, "\n", cmp.Or(first, "\n"))
		}
	}
	return placesOf(t, old), own
}

// placesOf returns a function that finds the next place of s in t, as it is, from an offset on. If s has been found
// twice within half its length, it repeats itself, and where the text goes on so, it has the next place: all of s is
// not compared again.
func placesOf(t Text, s string) func(from int) (Span, bool) {
	rare := Rarest(s)
	last, step := -1, 0 // the last place, and how far it is behind the one before if that is near
	return func(from int) (Span, bool) {
		for ; from < len(t.Data); from = last + 1 {
			end := last + len(s) + step
			goesOn := step > 0 && from == last+1 && end <= len(t.Data) &&
				string(t.Data[end-step:end]) == s[len(s)-step:]
			at := last + step
			if !goesOn {
				at = t.Find(s, rare, from)
			}
			if step = at - last; last < 0 || from != last+1 || at < 0 || 2*step > len(s) {
				step = 0
			}
			if last = at; at < 0 || !t.SplitsCRLF(at+len(s)) {
				return Span{at, at + len(s)}, at >= 0
			}
		}
		return Span{}, false
	}
}

// A Plain is a text in plain characters, or with plain line endings, and where its pieces come from. It is immutable.
type Plain struct {
	text    []byte
	pieces  []piece
	isASCII bool // so is what it comes from
}

// PlainOf returns t in plain characters, and may keep its data. A text that is not UTF-8 has none. It takes one pass.
func PlainOf(t Text) *Plain {
	if !utf8.Valid(t.Data) {
		return &Plain{}
	}
	return rewritten(t.Data, true)
}

// Occurrences returns the first places of a string in the text that p comes from, at most that many, which differ from
// it in what [Fold] ignores within a line, or in line endings. There are none if both have nothing but ASCII. None
// begins or ends between two equal signs.
func (p *Plain) Occurrences(s string, most int) (places []Span) {
	if p.isASCII && IsASCII(s) {
		return nil
	}
	key := string(rewritten([]byte(s), true).text)
	if key == "" {
		return nil
	}
	next := placesOf(Text{Data: p.text}, key)
	for at, found := next(0); found && len(places) < most; at, found = next(at.Start + 1) {
		start, ok := p.own(at.Start, true)
		end, ended := p.own(at.End, false)
		if ok && ended && !p.splitsRun(at.Start) && !p.splitsRun(at.End) {
			places = append(places, Span{start, end})
		}
	}
	return places
}

// A piece goes on to where the next one begins.
type piece struct {
	at, own int
	whole   bool // it stands for all of what it comes from; otherwise, it is the same
}

// rewritten returns a text with "\n" for "\r\n" and, if asked for, in plain characters.
func rewritten(s []byte, inPlain bool) *Plain {
	p := &Plain{pieces: []piece{{}}, isASCII: IsASCII(s)}
	if p.isASCII && bytes.IndexByte(s, '\r') < 0 {
		p.text = s
		return p
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 1
		if isEnding := s[i] == '\r' && bytes.HasPrefix(s[i+1:], []byte("\n")); !isEnding {
			if !inPlain || s[i] < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
				b.WriteByte(s[i])
				i++
				continue
			}
			n = norm.NFC.NextBoundary(s[i:], true)
		}
		p.pieces = append(p.pieces, piece{b.Len(), i, true})
		if s[i] != '\r' {
			writePlain(&b, string(s[i:i+n]))
		}
		i += n
		p.pieces = append(p.pieces, piece{b.Len(), i, false})
	}
	p.text = []byte(b.String())
	return p
}

// splitsRun reports whether an offset of p is between two equal signs: one stands for several, as a dash does.
func (p *Plain) splitsRun(at int) bool {
	return 0 < at && at < len(p.text) && p.text[at] == p.text[at-1] && isPunctuation(rune(p.text[at]))
}

// own returns where the text that p comes from has an offset of p, before or behind what has no width there. It reports
// false if that is within a character.
func (p *Plain) own(at int, behind bool) (own int, ok bool) {
	k := sort.Search(len(p.pieces), func(k int) bool { return p.pieces[k].at > at })
	if first := sort.Search(k, func(k int) bool { return p.pieces[k].at >= at }); !behind && first < k {
		return p.pieces[first].own, true
	}
	in := p.pieces[k-1]
	return in.own + at - in.at, !in.whole || in.at == at
}
