package atomicedit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Diff returns the change from old to new as a unified diff with three lines of context, in the form that `git apply`
// and `patch` accept, or "" if the two are equal. It quotes only names that could not be read back without quotes. The
// diff is short but not always the shortest. The cost is about n log n for n lines that differ, or one pass over the
// texts if few lines differ. For a binary file (one with a NUL byte), the diff says only that it differs. UTF-16 with a
// byte order mark is shown as decoded text: that diff is for reading and cannot be applied.
func Diff(oldName string, old []byte, newName string, new []byte) string {
	var b strings.Builder
	of := func(data []byte) encodedFile { return encodedFile{&File{Data: data}, text.MarkOf(data)} }
	writeChange(&b, oldName, newName, of(old), of(new), nil)
	return b.String()
}

// writeChange writes names and hunks of a change, nothing for equal texts. It returns how many lines come and go.
func writeChange(w *strings.Builder, from, to string, old, new encodedFile, known []text.Match) (added, removed int) {
	a, b := old.enc.Readable(old.Data), new.enc.Readable(new.Data)
	steps := convertAll(known, func(m text.Match) linediff.Delta {
		return linediff.Delta{OldFrom: m.Old.Start, OldTo: m.Old.End, NewFrom: m.New.Start, NewTo: m.New.End}
	})
	deltas, isText := linediff.Deltas(a, b, steps)
	switch {
	case isText && len(deltas) > 0:
		w.WriteString("--- " + marker.HeaderName(from) + "\n+++ " + marker.HeaderName(to) + "\n")
		return linediff.WriteHunks(w, a, b, deltas)
	case !bytes.Equal(old.Data, new.Data): // not text, or the same text in another encoding
		fmt.Fprintf(w, "Binary files %s and %s differ\n", marker.QuoteName(from, ""), marker.QuoteName(to, ""))
	}
	return 0, 0
}

// encodingOf returns the encoding of a file, as the file shows it or Charset names it.
func (o *Options) encodingOf(path string, data []byte) text.Encoding {
	e := text.EncodingOf(data)
	if o == nil || o.Charset == nil || !e.IsUnknown() || e.IsMarked() || bytes.IndexByte(data, 0) >= 0 {
		return e
	}
	return e.Named(o.Charset(path, data))
}

// An encodedFile is a file, nil if there is none, and its encoding.
type encodedFile struct {
	*File
	enc text.Encoding
}

// text returns the text of f in UTF-8. It reports false if there is no file, or the file is not a text.
func (f encodedFile) text() ([]byte, bool) {
	if f.File == nil {
		return nil, false
	}
	return f.enc.Decode(f.Data)
}

func (f encodedFile) tags() *text.Tags {
	data, _ := f.text()
	return text.TagsOf(text.New(data))
}

// splice returns f with splices of its text src, the matches that lead there, and a character that its encoding lacks.
func (f encodedFile) splice(src []byte, splices []text.Splice) (data []byte, matches []text.Match, lacks string) {
	data, matches = text.ApplySplices(nil, src, splices)
	data, matches, lacks, _ = f.enc.Recode(f.Data, src, data, matches)
	return data, text.Settle(matches, f.Data, data, f.enc, f.enc), lacks
}

// linesIn returns the lines of a file whose encoding tells itself.
func linesIn(data []byte) merge.Lines { return merge.LinesOf(text.New(decoded(data))) }

// changedLines returns the lines that differ between two texts, all of them if one is not text, and those of which it
// is not certain that they are the same. Wrote has the lines that the conversation has written, nil if that is unknown.
func changedLines(before, after []byte, wrote seen.Lines) (groups []merge.Group, doubtful seen.Lines) {
	old, new := linesIn(before), linesIn(after)
	groups, isText := merge.Changed(old, new)
	if !isText {
		return []merge.Group{{OldTo: old.Count(), NewTo: new.Count()}}, nil
	}
	return groups, merge.Doubtful(groups, old, new, wrote)
}

// linesAfter returns where lines of a text are in another text.
func linesAfter(lines seen.Lines, before, after []byte) seen.Lines {
	groups, _ := changedLines(before, after, nil)
	return lines.After(groups)
}
