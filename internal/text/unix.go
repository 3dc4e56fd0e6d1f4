package text

import "bytes"

// Unix returns t with "\n" in the place of each line ending. It may be t's own data.
func (t Text) Unix() []byte {
	switch {
	case t.EOL == '\r':
		return bytes.ReplaceAll(t.Data, []byte("\r"), []byte("\n"))
	case bytes.IndexByte(t.Data, '\r') < 0:
		return t.Data
	}
	return bytes.ReplaceAll(t.Data, []byte("\r\n"), []byte("\n"))
}

// FromUnix returns a function from ascending offsets of lines in t.Unix() to those of the same lines in t.
func (t Text) FromUnix() func(int) int {
	at, was := 0, 0 // in t.Unix(), and in t
	return func(to int) int {
		for at < to && was < len(t.Data) {
			l := t.LineAt(was)
			at += l.End - l.Start
			if l.End < l.Next {
				at++
			}
			was = l.Next
		}
		return was
	}
}

// LikeLines returns new lines, which end in "\n", with the commonest ending of t.
func (t Text) LikeLines(new []byte) []byte {
	if ending := t.commonestEnding(); ending != "\n" {
		return bytes.ReplaceAll(new, []byte("\n"), []byte(ending))
	}
	return new
}
