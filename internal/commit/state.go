package commit

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// errForeign is fs.ErrPermission about a state directory that is not ours.
var errForeign = fmt.Errorf("%w", fs.ErrPermission)

// errForeignState refuses to touch a state directory that this package has not made, or not for this user.
func errForeignState(why string) error {
	return disk.At("recover", StateDir, fmt.Errorf(
		"%w: the directory is not the one that an interrupted commit of this user leaves (%s); look at it, and remove it if nobody needs it",
		errForeign, why))
}

// mayBeOurs returns nil if the state directory is a directory of this user, closed to others. Anybody can have put one there.
func mayBeOurs(d disk.Disk) error {
	s, err := d.Lstat(StateDir)
	switch {
	case err != nil:
		return disk.At("recover", StateDir, err)
	case !s.Mode.IsDir():
		return errForeignState("no directory")
	case !s.Ours:
		return errForeignState("another owner")
	case !disk.Private(s.Mode):
		return errForeignState("open to others")
	}
	return nil
}

// ourState returns the names in the state directory. It is ours only if it also has no names but those that a commit makes.
func ourState(d disk.Disk) ([]string, error) {
	if err := mayBeOurs(d); err != nil {
		return nil, err
	}
	names, err := d.ReadDir(StateDir)
	if err != nil {
		return nil, disk.At("recover", StateDir, err)
	}
	for _, name := range names {
		if !isStateName(name) {
			return nil, errForeignState("unknown name " + ShowPath(name))
		}
		if s, err := d.Lstat(StateDir + "/" + name); err != nil || !s.Mode.IsRegular() {
			return nil, errForeignState("no regular file: " + ShowPath(name))
		}
	}
	return names, nil
}

// stateBorn returns the field of a journal that tells the state directory from a copy.
func stateBorn(d disk.Disk) (string, error) {
	now, err := d.Inspect(StateDir)
	return bornField(now), disk.At("inspect", StateDir, err)
}

func bornField(now disk.Traits) string {
	if now.Born == 0 {
		return "-"
	}
	return strconv.FormatInt(now.Born, 10)
}

// backupsOf returns how many names of a file are backups of a commit at work. A person does not know them.
func backupsOf(d disk.Disk, file disk.Stat) int {
	if file.Links <= 1 || file.ID == (disk.FileID{}) {
		return 0
	}
	n := 0
	names, _ := d.ReadDir(StateDir)
	for _, name := range names {
		if backup, err := d.Lstat(StateDir + "/" + name); err == nil && backup.ID == file.ID {
			n++
		}
	}
	return n
}

// A remainder is what a dead commit has left.
type remainder struct {
	found   bool     // anything
	journal journal  // empty if no step had begun
	verdict verdict  // of the journal
	stages  journal  // without a journal: what may be outside the state directory
	records []string // names in the state directory
}

// leftover reads what a dead commit has left, except for its stages.
func leftover(d disk.Disk) (left remainder, err error) {
	if _, err := d.Lstat(StateDir); errors.Is(err, fs.ErrNotExist) {
		return left, nil
	}
	names, err := ourState(d)
	if err != nil {
		return left, err
	}
	now, err := d.Inspect(StateDir)
	if err != nil {
		return left, disk.At("inspect", StateDir, err)
	}
	if !slices.Contains(names, path.Base(JournalName)) {
		for _, name := range names {
			if isRecord(name) {
				left.records = append(left.records, name)
			}
		}
		unswept := slices.ContainsFunc(names, func(n string) bool { return !stays(n) && n != path.Base(ignoreName) })
		left.found = unswept || !slices.ContainsFunc(names, stays)
		return left, checkMadeHere(d, names, now)
	}
	data, err := d.ReadFile(JournalName, maxJournal)
	if errors.Is(err, errs.ErrTooLarge) {
		return left, errForeignState("a journal longer than any")
	}
	if err != nil {
		return left, disk.At("recover", JournalName, err)
	}
	j, h, err := decodeJournal(data)
	switch {
	case errors.Is(err, errTorn):
		left.found = true
		return left, checkMadeHere(d, names, now)
	case err != nil:
		return left, errForeignState(err.Error())
	case h.born == bornField(now) && (h.born != "-" || !now.Secret):
		return remainder{found: true, journal: j, verdict: h.verdict}, nil
	case now.Secret:
		return left, errUnknownJournal
	}
	return left, errForeignState(`a copy: it was not made here; what was there before is in its ".old" and "kept" files`)
}

// errUnknownJournal refuses a journal without its number in the vault. It may be that of a commit that died in a container, or
// have come with a copy.
var errUnknownJournal = disk.At("recover", StateDir, fmt.Errorf(
	"%w: the directory has the journal of an interrupted commit, but nothing shows that this user made it (the number for it is not in the state directory of the user); "+
		"look at it, and recover it as foreign, or discard it", fs.ErrPermission))

// checkMadeHere returns nil if what is in a state directory without a whole journal was put there by a commit here: the numbers in
// the names are those of this directory, and whatever has a header has it too. Files without content say nothing, and hold
// nothing; backups that were kept are nobody's to remove.
func checkMadeHere(d disk.Disk, names []string, now disk.Traits) error {
	first := firstNumber(now)
	for _, name := range names {
		full := StateDir + "/" + name
		number, _, _ := strings.Cut(name, ".")
		var good bool
		var err error
		switch {
		case isKept(name):
			good = true
		case full == ignoreName:
			good, err = isBlankOr(d, full, func(text string) bool { return strings.HasPrefix(ignoreText, text) })
		case isRecord(name):
			begin := recordBegin(bornField(now))
			good, err = isBlankOr(d, full, func(text string) bool {
				return now.Born != 0 && (strings.HasPrefix(text, begin) || strings.HasPrefix(begin, text))
			})
		case full == JournalName || full == stagesName:
			good, err = isBlankOr(d, full, func(text string) bool { return bornOf(text) == bornField(now) && now.Born != 0 })
		default:
			n, _ := strconv.Atoi(number)
			good = now.Born != 0 && first <= n && n < first+numbers
		}
		if err != nil {
			return err
		}
		if !good {
			return errForeignState("it was not made here: " + ShowPath(name))
		}
	}
	return nil
}

// isBlankOr reports whether a file has nothing but zeros, as after a power cut, or a text that is good.
func isBlankOr(d disk.Disk, name string, good func(text string) bool) (bool, error) {
	data, err := d.ReadFile(name, maxJournal)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case errors.Is(err, errs.ErrTooLarge):
		return false, nil
	case err != nil:
		return false, disk.At("recover", name, err)
	}
	return strings.Trim(string(data), "\x00") == "" || good(string(data)), nil
}

// numbers is how many names a state directory has for stages. Where they begin is a number of the directory that no copy has: so
// a name alone tells what was not made here.
const numbers = 1 << 21

// firstNumber returns the number of the first stage in a state directory.
func firstNumber(now disk.Traits) int {
	h := fnv.New32a()
	h.Write([]byte(bornField(now)))
	return int(h.Sum32() % (math.MaxInt32 - numbers))
}
