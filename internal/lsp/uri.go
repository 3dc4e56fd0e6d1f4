package lsp

import (
	"net/url"
	"strings"
)

// PathOfURI returns the path of the file that a URI names, or a message about a URI that names none.
func PathOfURI(uri string) (path, msg string) {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return "", "cannot be read: expected file:///dir/name, with other characters than letters and digits percent-encoded"
	case u.Scheme != "" && u.Scheme != "file":
		return "", "names no file: expected the scheme file"
	case u.User != nil || u.Host != "" && u.Host != "localhost":
		return "", "names a file of another machine: expected file:/// and the path"
	case u.Opaque != "" || u.Path == "":
		return "", "has no path: expected file:/// and the path"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", "has a query or a fragment: expected %3F for a question mark and %23 for a number sign in a name"
	}
	if rest := strings.TrimPrefix(u.Path, "/"); hasDrive(rest) {
		return rest, ""
	}
	return u.Path, ""
}

// uriOf returns the URI of an absolute path, and a reference without scheme for a relative one.
func uriOf(path string) string {
	escaped := strings.ReplaceAll((&url.URL{Path: path}).EscapedPath(), ":", "%3A") // a colon would end a scheme
	switch {
	case strings.HasPrefix(path, "/"):
		return "file://" + escaped
	case hasDrive(path):
		return "file:///" + escaped
	}
	return escaped
}

// hasDrive reports whether a path begins with a drive of Windows.
func hasDrive(path string) bool {
	drive, _, _ := strings.Cut(path, "/")
	return len(drive) == 2 && drive[1] == ':' && ('a' <= drive[0]|0x20 && drive[0]|0x20 <= 'z')
}
