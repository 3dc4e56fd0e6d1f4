package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// formatted returns c as the formatter of o writes it, or with a note that says why not. An error is the context's.
func (c *content) formatted(ctx context.Context, path string, o *Options) (*content, error) {
	if o.Format == nil {
		return c, nil
	}
	f, err := c.format(ctx, path, o)
	if err != nil {
		reason := strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")
		f.notes = append(slices.Clip(f.notes), noteOf("not formatted: "+text.Clip(reason, 500)))
	}
	return &f, ctx.Err()
}

// isEdited reports whether the plan has given t a content that no file had before.
func (t *target) isEdited() bool {
	isOf := func(file *target) bool { return file.before != nil && bytes.Equal(t.now.data, file.before.Data) }
	return t.now != nil && !isOf(t) && (t.now.base == nil || !isOf(t.now.base))
}

// format returns c, a file at path, as o.Format writes it. An error says why c cannot be formatted.
func (c content) format(ctx context.Context, path string, o *Options) (content, error) {
	src, ok := c.enc.Decode(c.data)
	if !ok {
		return c, nil // not text
	}
	t := text.New(src)
	ending := t.CommonestEnding()
	if c.base != nil && t.CountLines() < 2 { // it may have lost its line endings
		was, _ := c.base.enc.Decode(c.base.before.Data)
		ending = text.New(was).CommonestEnding()
	}
	before := t.Unix()
	after, err := o.format(ctx, path, before)
	if err != nil || bytes.Equal(before, after) {
		return c, err
	}
	data, matches, lacks := encodedFile{&File{Data: c.data}, c.enc}.splice(src, reformat(t, before, after, ending))
	if lacks != "" {
		return c, errors.New("the encoding of the file does not have " + plan.Excerpt(lacks))
	}
	now, _ := c.enc.Decode(data)
	if !bytes.Equal(text.New(now).Unix(), after) || !c.enc.KeepsMark(data) || !c.enc.Reads(data, now) {
		return c, errors.New("the formatter has returned text that would read otherwise in this file")
	}
	plain := c
	c.notes, c.plain = followNotes(c.notes, matches), &plain
	if c.base != nil {
		matches = text.Settle(text.Compose(c.matches, matches), c.base.before.Data, data, c.base.enc, c.enc)
	}
	c.data, c.matches = data, matches
	return c, nil
}

// format returns a text as o.Format writes it, with "\n" endings and without a byte order mark.
func (o *Options) format(ctx context.Context, path string, before []byte) ([]byte, error) {
	if !utf8.Valid(before) {
		return nil, errors.New("the encoding of the file is not known")
	}
	after, err := o.Format(ctx, path, bytes.Clone(before))
	if err != nil {
		return nil, err
	}
	after = bytes.TrimPrefix(after, []byte(text.ByteOrderMark))
	if !bytes.Contains(before, []byte("\r\n")) {
		after = bytes.ReplaceAll(after, []byte("\r\n"), []byte("\n"))
	}
	switch {
	case !utf8.Valid(after) || bytes.IndexByte(after, 0) >= 0:
		return nil, errors.New("the formatter has returned bytes that are not text in UTF-8")
	case len(after) == 0 && len(bytes.TrimSpace(before)) > 0:
		return nil, errors.New("the formatter has returned nothing")
	}
	return after, nil
}

// reformat returns the splices that turn t into after, where before is t with "\n" endings. Lines that stay keep their
// endings, and the others have the given one.
func reformat(t text.Text, before, after []byte, ending string) (splices []text.Splice) {
	at, was := 0, 0 // the same place in before, and in t
	offset := func(to int) int {
		was, at = t.Skip(was, bytes.Count(before[at:to], []byte("\n"))), to
		if to == len(before) {
			was = len(t.Data)
		}
		return was
	}
	deltas, _ := linediff.Deltas(before, after, nil)
	for _, d := range deltas {
		new := after[d.NewFrom:d.NewTo]
		splices = append(splices, text.Splice{Start: offset(d.OldFrom), End: offset(d.OldTo),
			New: strings.ReplaceAll(string(new), "\n", ending), Origin: text.Origin{Op: -1, Edit: -1}})
	}
	return splices
}
