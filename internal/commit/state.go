package commit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// errForeign is the fs.ErrPermission about a state directory that is not ours.
var errForeign = fmt.Errorf("%w", fs.ErrPermission)

// errForeignState refuses to touch a state directory that this package did not make for this user.
func errForeignState(why string) error {
	return disk.At("recover", StateDir, fmt.Errorf(
		"%w: no interrupted commit of this user has left this directory (%s); look at it, and remove it if nobody "+
			"needs it",
		errForeign, why))
}

// mayBeOurs returns nil if the state directory belongs to this user and is closed to others. Anybody may have made one.
func mayBeOurs(d disk.Disk) error {
	is, err := d.Lstat(StateDir)
	if err != nil {
		return disk.At("recover", StateDir, err)
	}
	return checkOurs(is)
}

func checkOurs(is disk.Stat) error {
	switch {
	case !is.Mode.IsDir():
		return errForeignState("not a directory")
	case !is.Ours:
		return errForeignState("another owner")
	case !disk.Private(is.Mode):
		return errForeignState("open to others")
	}
	return nil
}

// ourState returns the names in the state directory, which is ours only if a commit could have made all of them.
func ourState(d disk.Disk) ([]string, error) {
	if err := mayBeOurs(d); err != nil {
		return nil, err
	}
	found, err := d.ReadDir(StateDir)
	if err != nil {
		return nil, disk.At("recover", StateDir, err)
	}
	// a file system in user space renames files that are removed while they are open
	found = slices.DeleteFunc(found, func(name string) bool { return strings.HasPrefix(name, ".fuse_hidden") })
	for _, name := range found {
		if !isStateName(name) {
			return nil, errForeignState("unknown name " + names.Show(name))
		}
		is, err := d.Lstat(StateDir + "/" + name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it has just been removed
		case err != nil:
			return nil, disk.At("recover", StateDir+"/"+name, err)
		case !is.Mode.IsRegular():
			return nil, errForeignState("not a regular file: " + names.Show(name))
		}
	}
	return found, nil
}

// bornField returns the identity of the state directory, which no copy shares; "-" if it is not known.
func bornField(now disk.Traits) string {
	if now.Born == 0 {
		return "-"
	}
	return strconv.FormatInt(now.Born, 10)
}

// backupsOf returns how many hard links to a file are backups of a commit at work. They do not count for a user.
func backupsOf(d disk.Disk, file disk.Stat) int {
	if file.Links <= 1 || file.ID == (disk.FileID{}) {
		return 0
	}
	n := 0
	found, _ := d.ReadDir(StateDir)
	for _, name := range found {
		if backup, err := d.Lstat(StateDir + "/" + name); err == nil && backup.ID == file.ID {
			n++
		}
	}
	return n
}

// A remainder describes what a dead commit has left.
type remainder struct {
	found   bool     // there is anything at all
	names   []string // in the state directory
	journal journal  // empty if no step had begun
	head             // of the journal
	stages  journal  // if there is no journal: the entries that may be staged outside the state directory
	records []string // the names of records in the state directory
}

// leftover reads what a dead commit has left, nothing with an error. The caller has the guard of the state directory.
func leftover(d disk.Disk) (left remainder, err error) {
	found, err := ourState(d)
	if err != nil || len(found) == 0 {
		return remainder{found: err == nil}, disk.UnlessGone(err)
	}
	now, err := d.Inspect(StateDir)
	if err != nil {
		return left, disk.At("inspect", StateDir, err)
	}
	left.found, left.names = true, found
	if !slices.Contains(found, path.Base(JournalName)) {
		unswept := slices.ContainsFunc(found, func(n string) bool { return !stays(n) && n != path.Base(ignoreName) })
		left.found = unswept || !slices.ContainsFunc(found, stays)
		left.records, err = checkMadeHere(d, found, now)
	} else if left.journal, left.head, err = readJournal(d, now); err == errTorn {
		_, err = checkMadeHere(d, found, now)
	}
	if err == nil && left.found && len(left.journal) == 0 {
		left.stages, err = listedStages(d, bornField(now))
	}
	if err != nil {
		return remainder{}, err
	}
	return left, nil
}

// listedStages returns the list that prepareBeside wrote, nil if nothing was staged yet, or not in this directory.
func listedStages(d disk.Disk, born string) (journal, error) {
	data, err := d.ReadFile(stagesName, maxJournal)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errs.ErrTooLarge):
		return nil, nil
	case err != nil:
		return nil, disk.At("recover", stagesName, err)
	}
	stages, h, bad := decodeJournal(data)
	if bad != nil || h.born != born || born == "-" {
		return nil, nil
	}
	return stages, nil
}

// readJournal reads the journal in this state directory. Anybody may have put one there, so its owner counts before its
// first line, and that before the rest. With errUnknownJournal, it returns a journal that is not too long.
func readJournal(d disk.Disk, now disk.Traits) (j journal, h head, err error) {
	const maxUnknown = 1 << 20 // bytes that are read although nothing shows that this user has written them
	is, err := d.Lstat(JournalName)
	switch {
	case err != nil:
		return nil, h, disk.At("recover", JournalName, err)
	case !is.Mode.IsRegular() || !is.Ours:
		return nil, h, errForeignState("the journal is not a file of this user")
	case is.Size > maxJournal:
		return nil, h, errForeignState("the journal is too long")
	}
	start, err := d.ReadStart(JournalName, maxFirst)
	if err != nil {
		return nil, h, disk.At("recover", JournalName, err)
	}
	first, err := firstLineOf(string(start))
	known := first.born == bornField(now) && (first.born != "-" || !now.Secret)
	switch {
	case err == errTorn:
		return nil, h, err
	case err != nil:
		return nil, h, errForeignState(err.Error())
	case !known && !now.Secret:
		return nil, h, errForeignState(
			`a copy: it was not made here; what was there before is in its ".old" and "kept" files`)
	case !known && is.Size > maxUnknown:
		return nil, h, errUnknownJournal
	}
	data, err := d.ReadFile(JournalName, maxJournal)
	if err != nil {
		return nil, h, disk.At("recover", JournalName, err)
	}
	j, h, err = decodeJournal(data)
	switch {
	case err == errJournal:
		err = errForeignState(err.Error())
	case err == nil && !known:
		err = errUnknownJournal
	}
	return j, h, err
}

// errUnknownJournal refuses a journal whose number is not in the vault. It may be from a container, or from a copy.
var errUnknownJournal = disk.At("recover", StateDir, fmt.Errorf(
	"%w: the directory has the journal of an interrupted commit, but nothing shows that this user made it (the number "+
		"for it is not in the state directory of the user); look at it, and recover it as foreign, or discard it",
	fs.ErrPermission))

// checkMadeHere returns nil if a commit made the files in this state directory, which has no whole journal, right here:
// the numbers in their names belong to this directory, and so does the identity in a header. Blank files prove nothing,
// but also hold nothing. Kept backups are never removed. CheckMadeHere also returns the records that were made here;
// others are neither used nor removed.
func checkMadeHere(d disk.Disk, found []string, now disk.Traits) (records []string, err error) {
	first := firstNumber(now)
	for _, name := range found {
		full := StateDir + "/" + name
		number, _, _ := strings.Cut(name, ".")
		var good bool
		switch {
		case isKept(name):
			good = true
		case full == ignoreName:
			good, err = isBlankOr(d, full, func(text string) bool { return strings.HasPrefix(ignoreText, text) })
		case full == JournalName, full == stagesName, isRecord(name):
			good, err = isBlankOr(d, full, func(text string) bool {
				first, _ := firstLineOf(text)
				return first.born == bornField(now) && now.Born != 0
			})
			if isRecord(name) && good {
				records = append(records, name)
			}
			// the number of a record may be lost, while another tree still needs it
			good = good || isRecord(name) && (now.Secret || now.Born == 0)
		default:
			n, _ := strconv.Atoi(number)
			good = now.Born != 0 && first <= n && n < first+numbers
		}
		if err == nil && !good {
			err = errForeignState("it was not made here: " + names.Show(name))
		}
		if err != nil {
			return nil, err
		}
	}
	return records, nil
}

// isBlankOr reports whether a file is empty or has only zeros, as after a power cut, or good accepts how it begins.
func isBlankOr(d disk.Disk, name string, good func(start string) bool) (bool, error) {
	const enough = 4 << 10
	data, err := d.ReadStart(name, enough)
	blank := strings.Trim(string(data), "\x00") == ""
	return blank || good(string(data)), disk.At("recover", name, disk.UnlessGone(err))
}

// numbers is how many stage names a state directory has. No copy shares them, so they show where a file was made.
const numbers = 1 << 21

// firstNumber returns the number of the first stage name in a state directory.
func firstNumber(now disk.Traits) int {
	h := fnv.New32a()
	h.Write([]byte(bornField(now)))
	return int(h.Sum32() % (math.MaxInt32 - numbers))
}

// A vault keeps a random number for one directory, outside of it. The number identifies the state directory where the
// file system does not tell when it was made. Whoever sends a copy of the directory does not know it.
type vault struct {
	file string // "" if there is no place for a vault
}

// vaultOf returns the vault of a directory, which is in stateDir or, if that is "", in the user's configuration, but
// never inside the directory, because a number could then come with a copy, nor in the others that are changed with it.
func vaultOf(stateDir string, at location, others ...location) vault {
	if at.name() == "" {
		return vault{} // two directories without a name would share a number
	}
	if stateDir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return vault{}
		}
		stateDir = filepath.Join(config, "atomicedit")
	}
	stateDir, err := filepath.Abs(stateDir)
	real, linkErr := filepath.EvalSymlinks(stateDir)
	for dir := stateDir; linkErr != nil && filepath.Dir(dir) != dir; { // it does not exist yet
		dir = filepath.Dir(dir)
		real, linkErr = filepath.EvalSymlinks(dir)
	}
	hasIt := func(l location) bool { return l.contains(stateDir) || l.contains(real) }
	if err != nil || linkErr != nil || hasIt(at) || slices.ContainsFunc(others, hasIt) {
		return vault{}
	}
	sum := sha256.Sum256([]byte(at.name()))
	return vault{filepath.Join(stateDir, fmt.Sprintf("%x", sum[:16]))}
}

// number returns the number, 0 if there is none.
func (v vault) number() (int64, error) {
	data, err := os.ReadFile(v.file)
	n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n, disk.UnlessGone(err)
}

// make returns the number, and makes one that is on disk if there is none. The caller has the guard of the directory.
func (v vault) make() (int64, error) {
	if n, err := v.number(); n != 0 || err != nil || v.file == "" {
		return n, err
	}
	if err := os.MkdirAll(filepath.Dir(v.file), 0o700); err != nil {
		return 0, err
	}
	var random [8]byte
	rand.Read(random[:])
	n := int64(binary.BigEndian.Uint64(random[:])>>1) | 1
	d, release, err := disk.Open(filepath.Dir(v.file))
	if err != nil {
		return 0, err
	}
	defer release()
	stage := ".new-" + rand.Text()
	defer d.Remove(stage)
	return n, inTurn(
		func() error { return d.Create(stage, fmt.Appendln(nil, n), disk.Meta{Perm: 0o600, SyncNext: true}) },
		func() error { return d.SyncFile(stage) },
		func() error { return d.Rename(stage, filepath.Base(v.file)) },
		func() error { return d.SyncDir(".") })
}

// An identified disk takes the identity of the state directory from a vault, if it does not know when that was made.
type identified struct {
	disk.Disk
	number func() (int64, error)
	trust  bool // the caller vouches for the number
}

func (d identified) Inspect(name string) (disk.Traits, error) {
	t, err := d.Disk.Inspect(name)
	if err == nil && name == StateDir && t.Born == 0 {
		t.Born, err = d.number()
		t.Secret = !d.trust
	}
	return t, err
}
