package atomicedit

import (
	"errors"
	"fmt"
	"hash/crc32"
	"path"
	"strconv"
	"strings"
	"unicode"
)

// The journal of a commit says how to take it back. It is a text, so that a person could do that by hand:
//
//	atomicedit journal 1 3 1763729105123456789
//	mkdir - - - "docs"
//	create - sha256:5891… .atomicedit/0 "docs/new.md"
//	edit sha256:2cf2… sha256:e258… .atomicedit/1 "main.go"
//	crc32 1b2c3d4e
//
// The first line has the version of the format, the number of changes, and the time at which .atomicedit was made, in
// nanoseconds, on Windows its number in the file system, or "-" where that does not tell: a journal that came here with a
// copy of its directory is not ours. Then comes a line for each change, in the order in which they are done: its kind, the
// version before and after, where it is staged, and the path. What was there before lies in .atomicedit, under the
// number that the name of the stage ends in, and ".old". The last line is the checksum of all the lines before it, so a
// journal that was not written to its end is known: then no change has begun.
type journal []entry

// An entry is one change of one name.
type entry struct {
	kind     entryKind
	path     string
	old, new Version
	stage    string // what comes before ".new" (to be put in place) and ".res" (to be put back)

	change  Change // what it comes from; not in the journal
	as      meta
	linkOf  string   // the file moved, if nothing but its name changes
	newDirs []string // above it, the innermost first
}

type entryKind string

const (
	entryMkdir  entryKind = "mkdir"
	entryCreate entryKind = "create"
	entryEdit   entryKind = "edit"
	entryWrite  entryKind = "write" // an edit in place
	entryDelete entryKind = "delete"
)

const (
	stateDir    = ".atomicedit"
	besideStage = ".atomicedit-" // where the state directory will not do
	journalName = stateDir + "/journal"
	ignoreName  = stateDir + "/.gitignore"
	journalHead = "atomicedit journal "
	maxJournal  = 256 << 20 // bytes: of a million changes
)

// isState reports whether a part of a path belongs to commits and not to requests. Some file systems leave out dots and spaces
// at the end of a name, or signs that nobody sees, and may know the state directory by a short name.
func isState(part string) bool {
	part = strings.TrimRight(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, part), ". ")
	return strings.EqualFold(part, stateDir) || isShortState(part) ||
		len(part) >= len(besideStage) && strings.EqualFold(part[:len(besideStage)], besideStage)
}

// isShortState reports whether the state directory may be called part as well: by the beginning of its name or, where the names
// of others begin so too, by two letters and a hash.
func isShortState(part string) bool {
	base, number, _ := strings.Cut(strings.ToLower(part), "~")
	hash, hashed := strings.CutPrefix(base, "at")
	return isNumber(number) && (base == "atomic" || hashed && len(hash) == 4 && strings.Trim(hash, "0123456789abcdef") == "")
}

func (s *entry) stageBeside(dir string, number int) {
	s.stage = path.Join(dir, besideStage+strconv.Itoa(number))
}

// hasNew reports whether there is new content to be staged. That of an edit in place tells recovery what such an edit leaves
// when it is cut short.
func (s entry) hasNew() bool {
	return s.kind == entryCreate || s.kind == entryEdit || s.kind == entryWrite
}

func (s entry) staged() string  { return s.stage + ".new" }
func (s entry) restore() string { return s.stage + ".res" }

// restoreBeside is where to put it back from, if that cannot be done from restore.
func (s entry) restoreBeside() string {
	return path.Join(path.Dir(s.path), besideStage+strings.TrimPrefix(path.Base(s.stage), besideStage)+".res")
}

// backup is where the file before is kept: always in the state directory.
func (s entry) backup() string {
	return stateDir + "/" + strings.TrimPrefix(path.Base(s.stage), besideStage) + ".old"
}

func (j journal) encode(born string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s1 %d %s\n", journalHead, len(j), born)
	field := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	for _, s := range j {
		fmt.Fprintf(&b, "%s %s %s %s %q\n", s.kind, field(string(s.old)), field(string(s.new)), quoteStage(s.stage), s.path)
	}
	fmt.Fprintf(&b, "crc32 %08x\n", crc32.ChecksumIEEE([]byte(b.String())))
	return []byte(b.String())
}

func quoteStage(stage string) string {
	if stage == "" {
		return "-"
	}
	if stage[0] == '-' || strings.ContainsAny(stage, " \"\\\n") {
		return strconv.Quote(stage)
	}
	return stage
}

var (
	errTorn    = errors.New("the journal was not written to its end")
	errJournal = errors.New("the journal is none of this version of the package")
)

// decodeJournal reads a journal back. errTorn means that no change has begun. A journal is input like any other: what it
// names lies inside, and where this package would have put it.
func decodeJournal(data []byte) (j journal, born string, err error) {
	text := string(data)
	head, rest, ok := strings.Cut(text, "\n")
	if !ok {
		return nil, "", errTorn
	}
	fields := strings.Split(strings.TrimPrefix(head, journalHead), " ")
	if !strings.HasPrefix(head, journalHead) || len(fields) != 3 || fields[0] != "1" {
		return nil, "", errJournal
	}
	end := strings.LastIndex(text, "\ncrc32 ") + 1
	if end == 0 || text[end:] != fmt.Sprintf("crc32 %08x\n", crc32.ChecksumIEEE(data[:end])) {
		return nil, "", errTorn
	}
	for line := range strings.Lines(text[len(text)-len(rest) : end]) {
		s, err := decodeEntry(line)
		if err != nil {
			return nil, "", err
		}
		j = append(j, s)
	}
	if strconv.Itoa(len(j)) != fields[1] {
		return nil, "", errJournal
	}
	return j, fields[2], nil
}

func decodeEntry(line string) (s entry, err error) {
	var fields []string
	for range 3 {
		field, rest, _ := strings.Cut(line, " ")
		fields, line = append(fields, strings.TrimPrefix(field, "-")), rest
	}
	s = entry{kind: entryKind(fields[0]), old: Version(fields[1]), new: Version(fields[2])}
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return s, errJournal
		}
		s.stage, _ = strconv.Unquote(quoted)
		line = line[len(quoted):]
	} else {
		s.stage, line, _ = strings.Cut(line, " ")
		s.stage = strings.TrimPrefix(s.stage, "-")
	}
	if s.path, err = strconv.Unquote(strings.TrimSpace(line)); err != nil {
		return s, errJournal
	}
	good := isTarget(s.path)
	switch s.kind {
	case entryMkdir:
		good = good && s.stage == ""
	case entryCreate, entryEdit, entryWrite, entryDelete:
		good = good && isStage(s.stage)
	default:
		good = false
	}
	if !good {
		return s, errJournal
	}
	return s, nil
}

// isTarget reports whether a commit could change name.
func isTarget(name string) bool {
	clean, err := cleanPath(name)
	if err != nil || clean != name || !isLocal(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if isState(part) {
			return false
		}
	}
	return true
}

// isStage reports whether a commit could stage a file there.
func isStage(stage string) bool {
	dir, base := path.Split(stage)
	if dir == stateDir+"/" {
		return isNumber(base)
	}
	return isNumber(strings.TrimPrefix(base, besideStage)) && base[0] == '.' && (dir == "" || isTarget(path.Clean(dir)))
}

func isNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && strconv.Itoa(n) == s
}
