package marker

import (
	"strconv"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A FileHeader names a file above its hunks: "--- old" and "+++ new", only one of them, or the two swapped or apart.
type FileHeader struct {
	Old, New   string       // the names after "---" and "+++"
	Dated      bool         // both have a timestamp behind them, as programs write it
	Fresh      bool         // the old name stands for no file
	Gone       bool         // the new name stands for no file
	Olds, News int          // the number of lines of each kind, 0 or 1
	Blanks     int          // empty lines between and below them
	Paired     bool         // both, in the right order, one right below the other
	AboveHunk  bool         // "@@" follows
	Last       text.Scanner // at the last of the lines that name a file
}

// ReadFileHeader reads the lines that may name a file, from the current one on. It returns nil if there is none.
func ReadFileHeader(start *text.Scanner) *FileHeader {
	if !strings.HasPrefix(start.Line, "---") && !strings.HasPrefix(start.Line, "+++") {
		return nil
	}
	h, in, dated := new(FileHeader), *start, false
lines:
	for more := true; more; more = in.Scan() {
		s := in.Line
		switch {
		case h.Olds == 0 && strings.HasPrefix(s, "---") && MayNameFile(s[3:]):
			h.Old, h.Dated, h.Fresh = readDiffName(s[3:])
			h.Olds, h.Last = 1, in
		case h.News == 0 && strings.HasPrefix(s, "+++") && MayNameFile(s[3:]):
			h.Paired = h.Olds == 1 && h.Last.No == in.No-1
			h.New, dated, h.Gone = readDiffName(s[3:])
			h.Dated = h.Dated && dated
			h.News, h.Last = 1, in
		case s == "" && h.Olds+h.News > 0 && h.Blanks < 64:
			h.Blanks++
		default:
			h.AboveHunk = strings.HasPrefix(s, "@@")
			break lines
		}
	}
	if h.Olds+h.News == 0 {
		return nil
	}
	return h
}

// MayNameFile reports whether s, after "---" or "+++", may be the name of a file. The space between may be missing.
func MayNameFile(s string) bool {
	if s == "" || s[0] != ' ' && s[0] != '\t' {
		return strings.HasPrefix(s, "a/") || strings.HasPrefix(s, "b/") || s == "/dev/null"
	}
	return strings.TrimSpace(s) != ""
}

// IsSure reports whether all names of h surely name files: isName says so, or they begin with "a/" or "b/".
func (h *FileHeader) IsSure(isName func(string) bool) bool {
	sure := func(name string, none bool) bool {
		prefixed := (strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/")) && filehint.IsPath(name)
		return (none || prefixed || isName(name)) && (!strings.ContainsAny(name, " \t") || strings.Contains(name, "/"))
	}
	return (h.Olds == 0 || sure(h.Old, h.Fresh)) && (h.News == 0 || sure(h.New, h.Gone))
}

// HasPrefixes reports whether h has two names that are the same after "a/" and "b/".
func (h *FileHeader) HasPrefixes() bool {
	return strings.HasPrefix(h.Old, "a/") && strings.HasPrefix(h.New, "b/") && h.Old[2:] == h.New[2:]
}

// readDiffName reads a name after "---" or "+++", perhaps quoted, and a timestamp or remark. None: it is no file.
func readDiffName(s string) (name string, dated, none bool) {
	s = strings.TrimLeft(s, " \t")
	name, stamp := cutStamp(s)
	name = strings.TrimRight(name, " ")
	if end := strings.LastIndexByte(s, '"'); end > 0 && s[0] == '"' {
		name, stamp = Unquote(s[:end+1]), s[end+1:]
	}
	switch name {
	case "/dev/null", "dev/null", "a/dev/null", "b/dev/null":
		return "/dev/null", false, true
	}
	stamp = strings.TrimSpace(stamp)
	return name, isStamp(stamp), isNoFile(stamp)
}

// cutStamp cuts the text after "---" or "+++" into a name and what follows it.
func cutStamp(s string) (name, stamp string) {
	if before, after, ok := strings.Cut(s, "\t"); ok {
		return before, after
	}
	for i := range len(s) {
		if s[i] == ' ' && isStamp(s[i+1:]) {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// isStamp reports whether s is surely not part of the name before it: a date with a time, or a remark of Subversion.
func isStamp(s string) bool {
	const longest = len("(revision 1234567890)")
	if strings.HasPrefix(s, "(") {
		inner, closed := strings.CutSuffix(s[1:], ")")
		number, revision := strings.CutPrefix(inner, "revision ")
		return closed && (inner == "working copy" || inner == "nonexistent" ||
			revision && len(s) <= longest && strings.Trim(number, "0123456789") == "")
	}
	for _, layout := range []string{"2006-01-02 15:04", "2006-01-02T15:04", time.ANSIC} {
		if _, err := time.Parse(layout, s[:min(len(s), len(layout))]); err == nil {
			return true
		}
	}
	return false
}

// isNoFile reports whether the text after a name, the epoch or a remark of Subversion, says that there is no file.
func isNoFile(stamp string) bool {
	if at, err := time.Parse("2006-01-02 15:04:05 -0700", stamp); err == nil {
		return at.Unix() == 0
	}
	return strings.HasPrefix(stamp, "1970-01-01 00:00:00") || strings.HasPrefix(stamp, "1969-12-31") ||
		stamp == "(nonexistent)" || stamp == "(revision 0)"
}

// Unquote returns what s quotes, up to its last quotation mark, and s if it quotes nothing.
func Unquote(s string) string {
	if name, err := strconv.Unquote(s[:strings.LastIndexByte(s, '"')+1]); err == nil {
		return name
	}
	return s
}

// WithoutPrefixes removes "a/" and "b/", or the like, from the two names of one file, unless they are /dev/null.
func WithoutPrefixes(older, newer string) (string, string) {
	prefix := func(s string) byte {
		if len(s) > 2 && (s[1] == '/' || s[1] == '\\') && strings.IndexByte("abciow12", s[0]) >= 0 {
			return s[0]
		}
		return 0
	}
	switch a, b := prefix(older), prefix(newer); {
	case a != 0 && b != 0 && a != b:
		return older[2:], newer[2:]
	case b == 'b' && (older == "/dev/null" || older == newer[2:]):
		return older, newer[2:]
	case a == 'a' && (newer == "/dev/null" || newer == older[2:]):
		return older[2:], newer
	}
	return older, newer
}

// ReadGitNames splits the text after "diff --git ": two names that are quoted, or equal except for their prefixes. It
// returns "" where it cannot tell them apart; other headers name the file then.
func ReadGitNames(s string) (older, newer string) {
	if i := strings.Index(s[min(len(s), 1):], "\" "); strings.HasPrefix(s, "\"") && i >= 0 {
		return WithoutPrefixes(Unquote(s[:i+2]), Unquote(s[i+3:]))
	}
	if half := len(s) / 2; len(s)%2 == 1 && s[half] == ' ' {
		if older, newer = WithoutPrefixes(s[:half], s[half+1:]); older == newer {
			return older, newer
		}
	}
	return "", ""
}

// ReadToolName returns the name in a line such as "Index: f.go" or "diff -u a/f.go b/f.go", "" for any other line.
func ReadToolName(s string) string {
	if name, ok := strings.CutPrefix(s, "Index: "); ok {
		return strings.TrimSpace(name)
	}
	if rest, ok := strings.CutPrefix(s, "diff "); ok &&
		(strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "a/")) {
		name := rest[strings.LastIndexByte(rest, ' ')+1:]
		if _, name = WithoutPrefixes("/dev/null", name); filehint.IsFileName(name) {
			return name
		}
	}
	return ""
}

// StartsDiff reports whether two lines look like the beginning of a diff, or of a hunk.
func StartsDiff(s, next string) bool {
	return s == "@@" || strings.HasPrefix(s, "@@ ") || strings.HasPrefix(s, "--- ") && strings.HasPrefix(next, "+++ ")
}

// IsNormalCommand reports whether s is a line like "2,3c2", as diff prints it without options.
func IsNormalCommand(s string) bool {
	i := strings.IndexAny(s, "acd")
	return i > 0 && len(s) < 64 && strings.Trim(s[:i], "0123456789,") == "" && i+1 < len(s) &&
		strings.Trim(s[i+1:], "0123456789,") == ""
}
