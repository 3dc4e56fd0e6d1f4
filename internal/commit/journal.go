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
// The first line has the version of the format, the number of entries, and the identity of .atomicedit: the time in
// nanoseconds at which it was made, on Windows its number in the file system or, if neither is known, a random number
// that this user keeps outside the tree. A copy of the directory has another identity, so a journal that came with a
// copy is not ours.
//
// Each entry is one line, in the order in which the entries are applied: the kind, the version before, the version
// after, the stage name, and the path. The new file is staged under the stage name with ".new" appended. The backup of
// the old file is in .atomicedit, under the number at the end of the stage name with ".old" appended.
//
// The last line is the checksum of the lines before it. If it is missing or wrong, the journal was not written to its
// end, and no change has begun.
//
// The journal of a commit over several trees has version 2, and a second line that says where the record of its
// decision is (see verdict).
type journal []entry

// A head is the part of a journal before its entries.
type head struct {
	born    string  // the identity of the state directory: see bornField
	verdict verdict // of a commit over several trees
}

// An entry is the change of one name.
type entry struct {
	kind     entryKind
	path     string
	old, new disk.Version
	stage    string // the stage name: with a suffix, it is the name of a staged file; see staged, restore and backup
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

// besideIn returns e with a stage name in dir instead of the state directory.
func (e entry) besideIn(dir string, number int) entry {
	e.stage = path.Join(dir, besidePrefix+strconv.Itoa(number))
	return e
}

// isBeside reports whether e is staged beside its target, outside the state directory.
func (e entry) isBeside() bool { return e.stage != "" && path.Dir(e.stage) != StateDir }

// isAtTop reports whether e is staged in the top directory.
func (e entry) isAtTop() bool { return e.isBeside() && path.Dir(e.stage) == "." }

// hasNew reports whether e stages a new file. For an edit in place, that file is never renamed: recovery compares it
// with the target, to tell whether a write was interrupted.
func (e entry) hasNew() bool {
	return e.kind == entryCreate || e.kind == entryEdit || e.kind == entryWrite
}

// replaces reports whether e changes or removes an existing file.
func (e entry) replaces() bool {
	return e.kind == entryEdit || e.kind == entryWrite || e.kind == entryDelete
}

// staged is the name under which the new file is staged.
func (e entry) staged() string { return e.stage + ".new" }

// restore is the name under which a rollback stages the old file.
func (e entry) restore() string { return e.stage + ".res" }

// restoreBeside replaces restore if that is on another file system than the target.
func (e entry) restoreBeside() string {
	return path.Join(path.Dir(e.path), besidePrefix+e.number()+".res")
}

// backup is the second name of the old file, always in the state directory.
func (e entry) backup() string { return StateDir + "/" + e.number() + ".old" }

func (e entry) number() string { return strings.TrimPrefix(path.Base(e.stage), besidePrefix) }

func (j journal) encode(h head) []byte {
	b := make([]byte, 0, 250*(1+len(j))) // enough for two versions and names
	if h.verdict.id == "" {
		b = fmt.Appendf(b, "%s1 %d %s\n", journalHead, len(j), h.born)
	} else {
		b = fmt.Appendf(b, "%s2 %d %s\n%s\n", journalHead, len(j), h.born, h.verdict)
	}
	for _, e := range j {
		b = fmt.Appendf(b, "%s %s %s %s %q\n", e.kind, cmp.Or(e.old, "-"), cmp.Or(e.new, "-"), quoteStage(e.stage), e.path)
	}
	return seal(b)
}

// seal adds the line by which a text shows that it is whole.
func seal(text []byte) []byte { return fmt.Appendf(text, "crc32 %08x\n", crc32.ChecksumIEEE(text)) }

// unseal returns the lines that were sealed, and whether they are whole.
func unseal(data []byte) (text string, whole bool) {
	end := bytes.LastIndex(data, []byte("\ncrc32 ")) + 1
	return string(data[:end]), end > 0 && bytes.Equal(seal(data[:end:end]), data)
}

func quoteStage(stage string) string {
	if strings.HasPrefix(stage, "-") || strings.ContainsAny(stage, " \"\\\n") {
		return strconv.Quote(stage)
	}
	return cmp.Or(stage, "-")
}

var (
	errTorn    = errors.New("the journal was not written to its end")
	errJournal = errors.New("the journal is not in the format of this version of the package")
)

// decodeJournal parses a journal. errTorn means that no change has begun. A journal is untrusted input: decodeJournal
// accepts only names inside the directory, and stage names that this package could have chosen.
func decodeJournal(data []byte) (j journal, h head, err error) {
	first, _, ok := strings.Cut(string(data), "\n")
	if !ok {
		return nil, h, errTorn
	}
	is, err := firstFields(first)
	if err != nil {
		return nil, h, err
	}
	text, whole := unseal(data)
	if !whole {
		return nil, h, errTorn
	}
	h.born = is.born
	lines := text[len(first)+1:]
	if is.version == "2" {
		var second string
		second, lines, _ = strings.Cut(lines, "\n")
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

// A firstLine has the fields of the first line of a journal.
type firstLine struct{ version, count, born string }

func firstFields(line string) (firstLine, error) {
	rest, ok := strings.CutPrefix(line, journalHead)
	fields := strings.Split(rest, " ")
	if !ok || len(fields) != 3 || fields[0] != "1" && fields[0] != "2" {
		return firstLine{}, errJournal
	}
	return firstLine{fields[0], fields[1], fields[2]}, nil
}

// bornOf returns the identity in the first line of a journal, "" if that line is not whole.
func bornOf(text string) string {
	line, _, whole := strings.Cut(text, "\n")
	first, err := firstFields(line)
	if !whole || err != nil {
		return ""
	}
	return first.born
}

func decodeEntry(line string) (e entry, err error) {
	var fields []string
	for range 3 {
		field, rest, _ := strings.Cut(line, " ")
		fields, line = append(fields, strings.TrimPrefix(field, "-")), rest
	}
	e = entry{kind: entryKind(fields[0]), old: disk.Version(fields[1]), new: disk.Version(fields[2])}
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return e, errJournal
		}
		e.stage, _ = strconv.Unquote(quoted)
		line = line[len(quoted):]
	} else {
		e.stage, line, _ = strings.Cut(line, " ")
		e.stage = strings.TrimPrefix(e.stage, "-")
	}
	if e.path, err = strconv.Unquote(strings.TrimSpace(line)); err != nil {
		return e, errJournal
	}
	staged := (e.hasNew() || e.kind == entryDelete) && isStage(e.stage)
	if !isTarget(e.path) || !staged && (e.kind != entryMkdir || e.stage != "") {
		return e, errJournal
	}
	return e, nil
}
