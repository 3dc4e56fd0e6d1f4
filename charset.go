package atomicedit

import (
	"bytes"

	"github.com/atomicedit/atomicedit/internal/text"
)

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
