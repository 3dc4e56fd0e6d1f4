package atomicedit_test

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/atomicedit/atomicedit"
)

func args(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type object = map[string]any

// broken is a store whose commits fail.
type broken struct {
	atomicedit.Store
	err error
}

func (b broken) Commit(context.Context, []atomicedit.Change) error { return b.err }

// hiding returns a store that has nothing but the methods of s.
func hiding(s atomicedit.Store) atomicedit.Store { return struct{ atomicedit.Store }{s} }

// sessionOf returns a session that has seen some lines of a file.
func sessionOf(files map[string]string, path string, first, last int) *atomicedit.Session {
	s := atomicedit.NewSession(atomicedit.NewMem(files))
	s.MarkRead(path, atomicedit.VersionOf([]byte(files[path])), first, last)
	return s
}
