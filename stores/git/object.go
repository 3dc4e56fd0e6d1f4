package git

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
)

// An id names an object by the hash of its content: 20 bytes, or 32 in a repository with SHA-256. The empty id stands
// for no object.
type id string

func (i id) String() string { return hex.EncodeToString([]byte(i)) }

// An object is a git object that a commit writes.
type object struct {
	kind string // "blob", "tree" or "commit"
	id   id
	data []byte
}

// A format is the hash that names the objects of a repository.
type format struct {
	name string
	hash func() hash.Hash
	size int // of an id, in bytes
}

var (
	formatSHA1   = format{"sha1", sha1.New, sha1.Size}
	formatSHA256 = format{"sha256", sha256.New, sha256.Size}
)

// object returns the object with a content.
func (f format) object(kind string, data []byte) object {
	return object{kind, f.idOf(kind, data), data}
}

// idOf returns the id of an object, which tells whether two contents are the same without reading one.
func (f format) idOf(kind string, data []byte) id {
	h := f.hash()
	h.Write([]byte(kind + " " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return id(h.Sum(nil))
}

// parse reads an id in hex.
func (f format) parse(s string) (id, error) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != f.size {
		return "", fmt.Errorf("git: %q is no id of an object", s)
	}
	return id(raw), nil
}

// hexOf returns an id in hex, which is all zeros for no object.
func (f format) hexOf(i id) string {
	if i == "" {
		return fmt.Sprintf("%0*d", 2*f.size, 0)
	}
	return i.String()
}
