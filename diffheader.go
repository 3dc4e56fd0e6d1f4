package atomicedit

import (
	"strconv"
	"strings"
	"time"
)

// A fileHeader is what names a file above its hunks: "--- old" and "+++ new", or, as models write it, only one of them,
// the two swapped, or with empty lines around them.
type fileHeader struct {
	old, new   string  // what follows the signs
	olds, news int     // how many there are of each, 0 or 1
	blanks     int     // empty lines between and behind them
	pair       bool    // both, as they should be
	hunk       bool    // "@@" follows
	last       scanner // at the last of them
}

// readFileHeader reads the lines from the current one on that may name a file. It returns nil if none does.
func readFileHeader(in *scanner) *fileHeader {
	if strings.HasPrefix(in.text, "---") || strings.HasPrefix(in.text, "+++") {
		return nameLines(*in)
	}
	return nil
}

// nameLines is readFileHeader from a line that looks like one.
func nameLines(in scanner) *fileHeader {
	h := new(fileHeader)
lines:
	for more := true; more; more = in.scan() {
		s := in.text
		switch {
		case h.olds == 0 && strings.HasPrefix(s, "---") && isHeaderName(s[3:]):
			h.old, h.olds, h.last = s[3:], 1, in
		case h.news == 0 && strings.HasPrefix(s, "+++") && isHeaderName(s[3:]):
			h.pair = h.olds == 1 && h.last.no == in.no-1
			h.new, h.news, h.last = s[3:], 1, in
		case s == "" && h.olds+h.news > 0:
			h.blanks++
		default:
			h.hunk = strings.HasPrefix(s, "@@")
			break lines
		}
	}
	if h.olds+h.news == 0 {
		return nil
	}
	return h
}

// isHeaderName reports whether s, behind "---" or "+++", may be the name of a file. The space between may be missing.
func isHeaderName(s string) bool {
	if s == "" || s[0] != ' ' && s[0] != '\t' {
		return strings.HasPrefix(s, "a/") || strings.HasPrefix(s, "b/") || s == "/dev/null"
	}
	return strings.TrimSpace(s) != ""
}

// surely reports whether all names are names of files: by is, or by what stands in front of them.
func (h *fileHeader) surely(is func(string) bool) bool {
	sure := func(s string) bool {
		name, none := diffName(s)
		prefixed := (strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/")) && isPath(name)
		return (none || prefixed || is(name)) && (!strings.ContainsAny(name, " \t") || strings.Contains(name, "/"))
	}
	return (h.olds == 0 || sure(h.old)) && (h.news == 0 || sure(h.new))
}

// prefixed reports whether there are two names, and they are one behind "a/" and "b/".
func (h *fileHeader) prefixed() bool {
	older, _ := diffName(h.old)
	newer, _ := diffName(h.new)
	return strings.HasPrefix(older, "a/") && strings.HasPrefix(newer, "b/") && older[2:] == newer[2:]
}

// names reads the lines of h, which name the file.
func (p *unifiedParser) names(h *fileHeader) error {
	if !p.file.git {
		if err := p.closeFile(); err != nil {
			return err
		}
		p.file = diffFile{line: p.in.no, named: true}
	}
	f := &p.file
	f.git = false
	known := f.new // by "diff --git": with one name alone, only that tells what is a prefix
	p.in = h.last
	p.behind = h.last
	f.crlf, f.last = p.in.crlf(), p.in.no
	older, fresh := diffName(h.old)
	newer, gone := diffName(h.new)
	switch {
	case h.olds == 0:
		_, newer = withoutPrefix("/dev/null", newer)
		older = newer
	case h.news == 0:
		older, _ = withoutPrefix(older, "/dev/null")
		newer = older
	default:
		older, newer = withoutPrefix(older, newer)
	}
	f.old, f.new = older, newer
	f.created, f.deleted = f.created || fresh, f.deleted || gone
	lone := h.olds == 0 || h.news == 0
	switch {
	case lone && (fresh || gone) && known == "":
		return syntax(p.in.no, "the file cannot be told: expected \"--- a/file\" and \"+++ b/file\"")
	case lone && (fresh || gone || newer == known || strings.HasSuffix(newer, "/"+known)):
		f.old, f.new = known, known
	case fresh && gone:
		return syntax(p.in.no, "a file that is neither before nor after: expected /dev/null in one of \"---\" and \"+++\"")
	case fresh && known != "" && strings.HasSuffix(f.new, "/"+known):
		f.new = known
	case gone && known != "" && strings.HasSuffix(f.old, "/"+known):
		f.old = known
	case fresh && known == "" && strings.HasPrefix(f.new, "a/") && f.old == "/dev/null":
		return wrongPrefix(p.in.no, f.new, "+++ b/")
	case gone && known == "" && strings.HasPrefix(f.old, "b/") && f.new == "/dev/null":
		return wrongPrefix(p.in.no, f.old, "--- a/")
	}
	return nil
}

// wrongPrefix is the refusal of a file beside /dev/null whose prefix is that of the other side, or a directory.
func wrongPrefix(line int, name, marker string) error {
	return syntax(line, quote(name)+" may be "+quote(name[2:])+" or a file in a directory "+quote(name[:1])+": expected "+
		quote(marker+name[2:])+" or "+quote(marker+name))
}

// diffName reads what follows "---" or "+++": a name, perhaps quoted, perhaps with a timestamp, or the words of Subversion,
// behind a tab or spaces. It reports whether the name, a timestamp at the epoch, or the words, stand for no file.
func diffName(s string) (name string, none bool) {
	s = strings.TrimLeft(s, " ")
	name, stamp := s, ""
	if end := strings.LastIndexByte(s, '"'); end > 0 && s[0] == '"' {
		name, stamp = unquote(s[:end+1]), s[end+1:]
	} else if before, after, ok := strings.Cut(s, "\t"); ok {
		name, stamp = before, after
	} else {
		for i := range len(s) {
			if s[i] == ' ' && isStamp(s[i+1:]) {
				name, stamp = s[:i], s[i+1:]
				break
			}
		}
	}
	name = strings.TrimRight(name, " ")
	switch name {
	case "/dev/null", "dev/null", "a/dev/null", "b/dev/null":
		return "/dev/null", true
	}
	return name, isNoFile(strings.TrimSpace(stamp))
}

// isStamp reports whether s, behind the name of a file, is surely no part of it: a date with a time, or Subversion's words.
func isStamp(s string) bool {
	const longest = len("(revision 1234567890)")
	if strings.HasPrefix(s, "(") {
		inner, closed := strings.CutSuffix(s[1:], ")")
		number, revision := strings.CutPrefix(inner, "revision ")
		return closed && (inner == "working copy" || inner == "nonexistent" ||
			revision && len(s) <= longest && strings.Trim(number, "0123456789") == "")
	}
	const day, time, weekday = "0000-00-00", " 00:00", "Mon Jan 00 00:00:00 0000"
	return isShaped(s, day+time) || isShaped(s, day+"T"+time[1:]) || isShaped(s, weekday)
}

// isShaped reports whether s begins like the shape, in which "0" stands for a digit, or for a space in front of one, and a
// letter, but "T", for any letter.
func isShaped(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		c, digit := s[i], s[i] >= '0' && s[i] <= '9'
		switch {
		case shape[i] == '0':
			if !digit && !(c == ' ' && i+1 < len(shape) && shape[i+1] == '0' && i > 0 && shape[i-1] == ' ') {
				return false
			}
		case shape[i] >= 'A' && shape[i] <= 'z' && shape[i] != 'T':
			if c|0x20 < 'a' || c|0x20 > 'z' {
				return false
			}
		case c != shape[i]:
			return false
		}
	}
	return true
}

// isNoFile reports whether what stands behind a name says that there is no file: the epoch, in any zone, or Subversion's words.
func isNoFile(stamp string) bool {
	if at, err := time.Parse("2006-01-02 15:04:05 -0700", stamp); err == nil {
		return at.Unix() == 0
	}
	return strings.HasPrefix(stamp, "1970-01-01 00:00:00") || strings.HasPrefix(stamp, "1969-12-31") ||
		stamp == "(nonexistent)" || stamp == "(revision 0)"
}

// unquote undoes git's quoting of a name.
func unquote(s string) string {
	if len(s) > 1 && s[0] == '"' {
		if end := strings.LastIndexByte(s, '"'); end > 0 {
			if name, err := strconv.Unquote(s[:end+1]); err == nil {
				return name
			}
		}
	}
	return s
}

// withoutPrefix removes "a/" and "b/", or the like, from the names of one file. One of them may be /dev/null.
func withoutPrefix(older, newer string) (string, string) {
	prefixed := func(s string) bool { return len(s) > 2 && s[1] == '/' && strings.IndexByte("abciow12", s[0]) >= 0 }
	switch {
	case older == "/dev/null" && strings.HasPrefix(newer, "b/"):
		return older, newer[2:]
	case newer == "/dev/null" && strings.HasPrefix(older, "a/"):
		return older[2:], newer
	case prefixed(older) && prefixed(newer) && older[0] != newer[0]:
		return older[2:], newer[2:]
	case newer == "b/"+older:
		return older, older
	}
	return older, newer
}

// gitNames splits what follows "diff --git ": two names that are equal but for their prefixes, or quoted ones. It
// returns "" where they cannot be told apart; then other headers name the file.
func gitNames(s string) (older, newer string) {
	if i := strings.Index(s[min(len(s), 1):], "\" "); strings.HasPrefix(s, "\"") && i >= 0 {
		return withoutPrefix(unquote(s[:i+2]), unquote(s[i+3:]))
	}
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' {
		older, newer = withoutPrefix(s[:half], s[half+1:])
		if older == newer {
			return older, newer
		}
	}
	return "", ""
}
