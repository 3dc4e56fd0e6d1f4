// Package jsonlines reads gzip files with one JSON object per line.
package jsonlines

import (
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
	z, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for in := json.NewDecoder(z); ; {
		var object T
		if err := in.Decode(&object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		f(object)
	}
}
