package commit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"path"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A journal says how to roll a commit back. It is text, so that a person could do it by hand:
//
//	atomicedit journal 1 3 1763729105123456789
//	mkdir - - - "docs"
//	create - sha256:5891… .atomicedit/0 "docs/new.md"
//	edit sha256:2cf2… sha256:e258… .atomicedit/1 "main.go"
//	crc32 1b2c3d4e
//
// The first line has the version of the format, the number of entries, and the identity of .atomicedit, which no copy
// of it shares: the time in nanoseconds at which it was made, on Windows its number in the file system or, if neither
// is known, a random number that this user keeps outside the tree.
//
// Each entry is one line, in the order in which the entries are applied: the kind, the version before, the version
// after, the stage name, and the path. The new file is staged under the stage name with ".new" appended. The backup of
// the old file is in .atomicedit, under the number at the end of the stage name with ".old" appended.
//
// The last line is the checksum of the lines before it. If it is missing or wrong, no change has begun. The journal of
// a commit over several trees has version 2, and a second line that says where its decision is recorded: see verdict.
type journal []step

// A head is the part of a journal before its entries.
type head struct {
	born    string  // the identity of the state directory: see bornField
	verdict verdict // where the record of a commit over several trees is
}

// A step is the change of one name: an entry of the journal. The rest is known only to the process of the commit.
type step struct {
	kind     entryKind
	path     string
	old, new disk.Version
	dir      string // where it stages its files: in the state directory or beside the target; "" if it has none
	number   int    // in the names of these files: see staged, restore and backup

	change Change
	as     disk.Meta // the attributes of the new file
	like   string    // the file from which the new one copies its attributes, as they are in as.Like; "" if none
	linkOf string    // the old path, if a move keeps the content: the staged file is then a link to it
	held   disk.Held // of a lone commit: the file called like, open since its attributes were copied

	newDirs []string // the directories to make for it, the innermost first
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
	journalHead = "atomicedit journal "
	maxJournal  = 256 << 20 // bytes: a million changes
	maxFirst    = 128       // bytes of the first line
)

// stage returns the stage name, "" if there is none. With a suffix, it is the name of a staged file.
func (s step) stage() string {
	switch s.dir {
	case "":
		return ""
	case StateDir:
		return StateDir + "/" + strconv.Itoa(s.number)
	}
	return path.Join(s.dir, besidePrefix+strconv.Itoa(s.number))
}

// stagedAs returns s with a stage name, if that could be the one of an entry.
func (s step) stagedAs(stage string) (_ step, ok bool) {
	dir, base := disk.Split(stage)
	number, err := strconv.Atoi(strings.TrimPrefix(base, besidePrefix))
	s.dir, s.number = dir, number
	return s, err == nil && number >= 0 && s.stage() == stage && (dir == StateDir || dir == "." || isTarget(dir))
}

// isBeside reports whether s is staged beside its target, outside the state directory.
func (s step) isBeside() bool { return s.dir != "" && s.dir != StateDir }

// hasNew reports whether s stages a new file, which for an edit in place is only there to recognize a torn write.
func (s step) hasNew() bool {
	return s.kind == entryCreate || s.kind == entryEdit || s.kind == entryWrite
}

// replaces reports whether s changes or removes an existing file.
func (s step) replaces() bool {
	return s.kind == entryEdit || s.kind == entryWrite || s.kind == entryDelete
}

func (s step) staged() string { return s.stage() + ".new" }

// restore is the name under which a rollback stages the old file.
func (s step) restore() string { return s.stage() + ".res" }

// restoreBeside replaces restore if that is on another file system than the target.
func (s step) restoreBeside() string {
	return path.Join(path.Dir(s.path), besidePrefix+strconv.Itoa(s.number)+".res")
}

// backup is the second name of the old file, always in the state directory.
func (s step) backup() string { return StateDir + "/" + strconv.Itoa(s.number) + ".old" }

func (j journal) encode(h head) []byte {
	b := make([]byte, 0, 250*(1+len(j))) // enough for two versions and names
	if h.verdict.id == "" {
		b = fmt.Appendf(b, "%s1 %d %s\n", journalHead, len(j), h.born)
	} else {
		b = fmt.Appendf(b, "%s2 %d %s\n%s\n", journalHead, len(j), h.born, h.verdict)
	}
	for _, e := range j {
		stage := cmp.Or(e.stage(), "-")
		if strings.ContainsAny(stage, " \"\\\n") {
			stage = strconv.Quote(stage)
		}
		b = fmt.Appendf(b, "%s %s %s %s %q\n", e.kind, cmp.Or(e.old, "-"), cmp.Or(e.new, "-"), stage, e.path)
	}
	return seal(b)
}

// fieldsOf splits a line at its spaces. A field may be quoted. It returns nil if a quotation does not end.
func fieldsOf(line string) (fields []string) {
	for rest := strings.TrimSuffix(line, "\n"); rest != ""; {
		field, next, _ := strings.Cut(rest, " ")
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil
			}
			field, _ = strconv.Unquote(quoted)
			next = strings.TrimPrefix(rest[len(quoted):], " ")
		}
		fields, rest = append(fields, field), next
	}
	return fields
}

// seal adds the line by which a text shows that it is whole.
func seal(text []byte) []byte { return fmt.Appendf(text, "crc32 %08x\n", crc32.ChecksumIEEE(text)) }

// unseal returns the lines that were sealed, and whether they are whole.
func unseal(data []byte) (text string, whole bool) {
	end := bytes.LastIndex(data, []byte("\ncrc32 ")) + 1
	return string(data[:end]), end > 0 && bytes.Equal(seal(data[:end:end]), data)
}

var (
	errTorn    = errors.New("the journal was not written to its end")
	errJournal = errors.New("the journal is not in the format of this version of the package")
)

// decodeJournal parses a journal, which is untrusted: it accepts only names that this package could have written.
func decodeJournal(data []byte) (j journal, h head, err error) {
	is, err := firstLineOf(string(data))
	if err != nil {
		return nil, h, err
	}
	text, whole := unseal(data)
	if !whole {
		return nil, h, errTorn
	}
	h.born = is.born
	_, lines, _ := strings.Cut(text, "\n")
	if is.version == "2" {
		var second string
		second, lines, _ = strings.Cut(lines, "\n")
		var ok bool
		if h.verdict, ok = decodeVerdict(second); !ok {
			return nil, head{}, errJournal
		}
	}
	for line := range strings.Lines(lines) {
		e, err := decodeEntry(line)
		if err != nil {
			return nil, head{}, err
		}
		j = append(j, e)
	}
	if strconv.Itoa(len(j)) != is.count {
		return nil, head{}, errJournal
	}
	return j, h, nil
}

type firstLine struct{ version, count, born string }

// firstLineOf reads the beginning of a journal. It fails with errTorn if the line is not whole, or with errJournal.
func firstLineOf(text string) (firstLine, error) {
	line, _, whole := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(line, journalHead)
	fields := strings.Split(rest, " ")
	switch {
	case !whole:
		return firstLine{}, errTorn
	case !ok || len(fields) != 3 || fields[0] != "1" && fields[0] != "2":
		return firstLine{}, errJournal
	}
	return firstLine{fields[0], fields[1], fields[2]}, nil
}

func decodeEntry(line string) (s step, err error) {
	f := fieldsOf(line)
	if len(f) != 5 {
		return s, errJournal
	}
	for i, field := range f[:4] {
		if field == "-" {
			f[i] = ""
		}
	}
	s = step{kind: entryKind(f[0]), old: disk.Version(f[1]), new: disk.Version(f[2]), path: f[4]}
	ok := s.kind == entryMkdir && f[3] == ""
	if s.hasNew() || s.kind == entryDelete {
		s, ok = s.stagedAs(f[3])
	}
	if !ok || !isTarget(s.path) {
		return s, errJournal
	}
	return s, nil
}
