package names

import (
	"path"
	"strings"
)

// SlashesNote tells how a path of a request was read.
func SlashesNote(name string) string {
	return "the request has the path " + Show(name) + "; its backslashes were read as slashes"
}

// Elsewhere tells of a file that the store has under the end of a path without a file, "" if there is none. Of a
// relative path the end is all but its first part, which may be the name of the root; of an absolute one it is the
// longest end that names a file, because all before it may be the name of another work tree. The store may have several
// roots, of which the first has no name here. The function says whether it has a file.
func Elsewhere(name string, roots []string, is func(path string) bool) string {
	const maxParts = 20 // of an absolute path; each may cost a read
	rest, absolute := strings.CutPrefix(OfRequest(name), "/")
	if !absolute {
		if hint := isInRoot(rest, roots, is); hint != "" {
			return hint
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	for n := 0; rest != "" && n < maxParts; n++ {
		for i := range max(1, len(roots)) {
			end := rest
			if i > 0 {
				end = Below(roots[i], rest)
			}
			if is(end) {
				return useThat(end)
			}
		}
		if !absolute {
			break
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return ""
}

func useThat(path string) string {
	return "; there is a file " + Show(path) + ": use that path if you mean this file"
}

// isInRoot tells of the files that the roots behind the first have under a relative path, also under one that leads
// there from the first root, or that lacks the first slash of an absolute one, as in a diff.
func isInRoot(name string, roots []string, is func(path string) bool) string {
	if len(roots) == 0 {
		return ""
	}
	full := "/" + name
	if strings.HasPrefix(name, "../") {
		full, roots = path.Join(roots[0], name), roots[:1]
	}
	if is(full) {
		return useThat(full)
	}
	var have, named []string
	for _, root := range roots[1:] {
		if full := Below(root, name); is(full) {
			have, named = append(have, Show(root)), append(named, Show(full))
		}
	}
	switch len(have) {
	case 0:
		return ""
	case 1:
		return "; the root " + have[0] + " has one: name it as " + named[0]
	}
	return "; the roots " + strings.Join(have, " and ") + " have one each: name it as " + strings.Join(named, " or ")
}
