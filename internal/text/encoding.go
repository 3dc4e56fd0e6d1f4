package text

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// An Encoding is how a file holds its text. The zero value is UTF-8 without a byte order mark.
//
// A file is decoded only if its characters have other bytes than in UTF-8: if it is UTF-16 with a byte order mark, or
// has a charset. In every other file, the text is the bytes, whatever they stand for.
type Encoding struct {
	mark    string            // the byte order mark, "" if there is none
	charset encoding.Encoding // of the bytes after the mark, nil if they are the text
	notUTF8 bool              // the bytes after the mark are not UTF-8; without a charset, nobody knows what they are
}

// EncodingOf returns the encoding of a file, as its byte order mark or its bytes show it.
func EncodingOf(src []byte) Encoding {
	e := MarkOf(src)
	e.notUTF8 = e.charset == nil && !utf8.Valid(src[len(e.mark):])
	return e
}

// Named returns the encoding of a file whose encoding was unknown, but has a name now, unless charset is nil.
func (e Encoding) Named(charset encoding.Encoding) Encoding {
	e.charset = charset
	return e
}

// MarkOf returns the encoding that the byte order mark of a file shows. That is enough to read the file: whether its
// bytes are UTF-8, which costs a look at all of them, matters only for new text.
func MarkOf(src []byte) Encoding {
	switch {
	case bytes.HasPrefix(src, []byte(ByteOrderMark)):
		return Encoding{mark: ByteOrderMark}
	case bytes.HasPrefix(src, []byte("\xff\xfe")):
		return Encoding{mark: "\xff\xfe", charset: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}
	case bytes.HasPrefix(src, []byte("\xfe\xff")):
		return Encoding{mark: "\xfe\xff", charset: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}
	}
	return Encoding{}
}

// For returns the encoding of another version of a file in e, which may have another mark.
func (e Encoding) For(src []byte) Encoding {
	if m := MarkOf(src); m.mark != e.mark {
		return m
	}
	return e
}

func (e Encoding) IsMarked() bool { return e.mark != "" }

// IsUTF16 reports whether e is UTF-16 with a byte order mark.
func (e Encoding) IsUTF16() bool { return e.mark != "" && e.charset != nil }

// IsPlain reports whether the bytes of a file in e are its text.
func (e Encoding) IsPlain() bool { return e.mark == "" && e.charset == nil }

// IsDecoded reports whether the text of a file in e is not the bytes after its mark, but has to be decoded from them.
func (e Encoding) IsDecoded() bool { return e.charset != nil }

// IsUnknown reports whether a file in e is not in UTF-8, and nothing shows or names its encoding.
func (e Encoding) IsUnknown() bool { return e.charset == nil && e.notUTF8 }

// IsLeftFor reports whether a file that was in e, and is now src in f, has changed to UTF-8. ASCII shows nothing.
func (e Encoding) IsLeftFor(f Encoding, src []byte) bool {
	return e.IsUTF16() && !f.IsUTF16() || e.notUTF8 && f.charset == nil && !f.notUTF8 && !IsASCII(src)
}

// Decode returns the text of a file in e, without its mark. Bytes that stand for no character are U+FFFD in a text that
// is decoded, and stay as they are in any other. It reports false if src is not text.
func (e Encoding) Decode(src []byte) ([]byte, bool) {
	body := src[len(e.mark):]
	if e.IsUTF16() && len(body)%2 != 0 {
		return nil, false
	}
	if e.charset != nil {
		var err error
		if body, err = e.charset.NewDecoder().Bytes(body); err != nil {
			return nil, false
		}
	}
	return body, bytes.IndexByte(body, 0) < 0
}

// Encode returns new text as the file src, which is in e, has it: never characters in two encodings. If src cannot have
// one of them, Encode returns the first such character, or byte that is none. It may return text itself.
func (e Encoding) Encode(src, text []byte) (encoded []byte, lacks string) {
	isLacking := func(char []byte) bool { return utf8.Valid(char) == e.notUTF8 && char[0] >= utf8.RuneSelf }
	if e.charset != nil {
		isLacking = func(s []byte) bool {
			var err error
			encoded, err = e.charset.NewEncoder().Bytes(s)
			return err != nil || !e.IsUTF16() && bytes.ContainsRune(s, utf8.RuneError)
		}
		if !isLacking(text) {
			return encoded, ""
		}
	} else if !e.notUTF8 && (utf8.Valid(text) || IsASCII(src[len(e.mark):])) {
		return text, ""
	}
	for i := 0; i < len(text); {
		_, n := utf8.DecodeRune(text[i:])
		if isLacking(text[i : i+n]) {
			return nil, string(text[i : i+n])
		}
		i += n
	}
	if e.charset != nil {
		return nil, string(text)
	}
	return text, ""
}

// KeepsMark reports whether the bytes of a file after an edit show no other encoding than e, but a new mark of UTF-8.
func (e Encoding) KeepsMark(src []byte) bool {
	now := MarkOf(src)
	return now.mark == e.mark || e.charset == nil && now.charset == nil
}

// Reads reports whether a file in e reads as text. Its line endings must be the same in its bytes, unless it is UTF-16:
// whoever counts the lines of a file need not know its charset.
func (e Encoding) Reads(src, text []byte) bool {
	if e.charset == nil {
		return true
	}
	sameEndings := func(eol string) bool { return bytes.Count(src, []byte(eol)) == bytes.Count(text, []byte(eol)) }
	decoded, ok := e.Decode(src)
	return ok && bytes.Equal(decoded, text) && (e.IsUTF16() || sameEndings("\n") && sameEndings("\r"))
}

// Offsets returns a function from ascending offsets in the text of a file in e to offsets in src.
func (e Encoding) Offsets(src []byte) func(int) int {
	if e.charset == nil {
		return func(i int) int { return len(e.mark) + i }
	}
	decoder, room := e.charset.NewDecoder(), make([]byte, 4096)
	at, from := 0, len(e.mark)
	return func(i int) int {
		for at < i { // a decoder stops where its room ends
			n, m, _ := decoder.Transform(room[:min(i-at, len(room))], src[from:], true)
			if n == 0 && m == 0 {
				break
			}
			at, from = at+n, from+m
		}
		return from
	}
}

// Number numbers the lines of one piece of each match, which are of a file in e. The pieces come in ascending order.
func (e Encoding) Number(data []byte, matches []Match, pieceOf func(*Match) *Piece) {
	t := Text{EOL: eolOf(e.Readable(data))}
	at, line := 0, 1       // an offset, and the line that it lies in
	pass := func(to int) { // moves to an offset, with the text up to there in t
		if t.Data = data[at:to]; e.charset != nil {
			t.Data, _ = e.charset.NewDecoder().Bytes(t.Data)
		}
		at, line = to, line+bytes.Count(t.Data, []byte{t.EOL})
	}
	for i := range matches {
		p := pieceOf(&matches[i])
		pass(p.Start)
		p.Line = line
		pass(p.End)
		p.Lines = t.CountLines()
	}
}

// Readable returns a file in e as it is shown: decoded if it has to be, or else as it is.
func (e Encoding) Readable(data []byte) []byte {
	if e.charset != nil {
		if decoded, ok := e.Decode(data); ok {
			return decoded
		}
	}
	return data
}

// Recode returns the file src, which is in e and has the text old, with the text new, and the matches that lead there.
// Those that it gets lead from old to new. Bytes that both have in common at the edges of a match stay as src has them.
// If e lacks a character, Recode returns that character and the edit that wrote it.
func (e Encoding) Recode(src, old, new []byte, matches []Match) (data []byte, recoded []Match, lacks string, edit int) {
	var splices []Splice
	var offset func(int) int
	if !e.IsPlain() {
		offset = e.Offsets(src)
	}
	for _, m := range matches {
		was, is := old[m.Old.Start:m.Old.End], new[m.New.Start:m.New.End]
		head, tail := CommonEnds(was, is)
		encoded, lacks := e.Encode(src, is[head:len(is)-tail])
		if lacks != "" {
			return nil, nil, lacks, m.Edit
		}
		if offset != nil {
			start, from := offset(m.Old.Start), offset(m.Old.Start+head)
			to, end := offset(m.Old.End-tail), offset(m.Old.End)
			within := string(slices.Concat(src[start:from], encoded, src[to:end]))
			splices = append(splices, Splice{start, end, within, m.Origin})
		}
	}
	if offset == nil {
		return new, matches, "", 0
	}
	data, recoded = ApplySplices(nil, src, splices)
	return data, recoded, "", 0
}
