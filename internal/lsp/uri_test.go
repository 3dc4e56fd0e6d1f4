package lsp_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/lsp"
	"pgregory.net/rapid"
)

// A URI names the file that it names for net/url, or none.
func TestURIsAreThoseOfNetURL(t *testing.T) {
	piece := rapid.SampledFrom([]string{"file", ":", "/", "//", "///", "#", "?", "%", "%41", "%2F", "%c3%A9", "%zz", "a", "b.go", " ",
		"localhost", "host", "@", "\x01", "\x7f", "é", "C:", "*", "[", "+", "1", "FILE", "http", "&", "_", "-"})
	rapid.Check(t, func(t *rapid.T) {
		uri := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		want, is := fileOf(uri)
		got, msg := lsp.PathOfURI(uri)
		if is != (msg == "") || got != want {
			t.Fatalf("%q: got %q, %q, want %q, %t", uri, got, msg, want, is)
		}
	})
}

// fileOf returns the path that a URI has for net/url, and whether it names a file of this machine and nothing else.
func fileOf(uri string) (path string, is bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "" && u.Scheme != "file" || u.User != nil || u.Host != "" && u.Host != "localhost" ||
		u.Opaque != "" || u.Path == "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", false
	}
	if drive := strings.TrimPrefix(u.Path, "/"); len(drive) > 1 && strings.Contains("ACabf", drive[:1]) && drive[1] == ':' &&
		(len(drive) == 2 || drive[2] == '/') {
		return drive, true
	}
	return u.Path, true
}
