package atomicedit

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// ParseUnifiedStrip reads a unified diff as [ParseUnified] does, but it removes exactly n leading parts from every name of a file, and
// nothing else: not "a/" and "b/" either, unless they are among these parts. This is what "patch -p" and "git apply -p" do. As in git,
// the names after "rename from" and "rename to" lose one part less, because they have no prefix. Several slashes in a row count as one.
//
// A name with n parts or fewer is a [*Refusal] with [ErrSyntax]. A negative n is [fs.ErrInvalid].
func ParseUnifiedStrip(request string, n int) (Plan, error) {
	if n < 0 {
		return Plan{}, fmt.Errorf("atomicedit: the number of parts to remove from names is %d: %w", n, fs.ErrInvalid)
	}
	p := newUnifiedParser()
	p.strip = nameStrip{on: true, parts: n}
	return p.parse(request)
}

// A nameStrip says what to remove from the names of a diff. The zero value removes "a/" and "b/", or the like.
type nameStrip struct {
	on    bool // remove parts, and nothing else
	parts int
}

// names returns the two names of one file without what is to be removed. A name that has too few parts becomes "".
func (n nameStrip) names(older, newer string) (string, string) {
	if !n.on {
		return withoutPrefixes(older, newer)
	}
	return n.name(older), n.name(newer)
}

// name returns a name without its first parts, "" if there are too few.
func (n nameStrip) name(name string) string {
	if name == "/dev/null" {
		return name
	}
	for range n.parts {
		slash := strings.IndexByte(name, '/')
		if slash < 0 {
			return ""
		}
		name = strings.TrimLeft(name[slash:], "/")
	}
	return name
}

// renamed returns the name in one of git's rename headers, which has no prefix.
func (n nameStrip) renamed(name string) string {
	n.parts = max(n.parts-1, 0)
	if !n.on {
		return name
	}
	return n.name(name)
}

// tooFew refuses a name on a line of a diff that has no more parts than are to be removed.
func (n nameStrip) tooFew(line int) *Refusal {
	return syntax(line, "the name of the file has too few parts to remove "+strconv.Itoa(n.parts)+": expected a longer name, or fewer parts to remove")
}
