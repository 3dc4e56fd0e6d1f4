// Package jsonlines reads files with one JSON object per line, which may be compressed with gzip.
package jsonlines

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Each calls f with each object of a file, as a T. It stops at the first error, and returns it.
func Each[T any](name string, f func(T)) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var text io.Reader = bufio.NewReader(file)
	if magic, _ := text.(*bufio.Reader).Peek(2); string(magic) == "\x1f\x8b" {
		if text, err = gzip.NewReader(text); err != nil {
			return err
		}
	}
	for in := json.NewDecoder(text); ; {
		var object T
		if err := in.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		f(object)
	}
}
