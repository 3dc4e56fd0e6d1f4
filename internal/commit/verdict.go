package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A verdict says where the record of a commit over several trees is, each of which has a journal that names the
// verdict. The record is in the state directory of the first tree, and is written when all changes are on disk: that
// decides. A journal whose verdict has no record is rolled back, and one with a record is only removed. So every tree
// can recover by itself, in any order, and writes to no other.
//
//	verdict 5c0e… b17637… "/home/me/project"
//
// The journal in the first tree names itself, "", and then the other trees in the same way. So does the record, which
// is a journal without entries. As long as one of the other trees may have a journal that names the verdict, the first
// tree has one too, or a record, whose verdict is "undone" if the commit was rolled back. If it has neither, somebody
// has removed them, and the others are not rolled back: the commit may have been decided.
type verdict struct {
	undone bool   // only in a record: the commit was rolled back
	id     string // a random number; "" if the commit has only one tree
	mark   string // of the tree with the record
	root   string // its absolute name; "" if it is the tree of the journal itself
	others []verdict
}

func (v verdict) String() string {
	var b strings.Builder
	if v.undone {
		b.WriteString("undone ")
	}
	fmt.Fprintf(&b, "verdict %s", v.id)
	for _, tree := range append([]verdict{v}, v.others...) {
		fmt.Fprintf(&b, " %s %q", tree.mark, tree.root)
	}
	return b.String()
}

func decodeVerdict(line string) (v verdict, ok bool) {
	line, undone := strings.CutPrefix(line, "undone ")
	f := fieldsOf(line)
	if len(f) < 4 || len(f)%2 != 0 || f[0] != "verdict" || !isRecord(recordPrefix+f[1]) {
		return v, false
	}
	v = verdict{undone: undone, id: f[1], mark: f[2], root: f[3]}
	for tree := range slices.Chunk(f[4:], 2) {
		v.others = append(v.others, verdict{id: f[1], mark: tree[0], root: tree[1]})
	}
	return v, true
}

func (v verdict) record() string { return StateDir + "/" + recordPrefix + v.id }

// markOf returns what tells the top directory of a tree from another one of the same name.
func markOf(d disk.Disk) (string, error) {
	now, err := d.Inspect(".")
	if now.Born != 0 {
		return "b" + strconv.FormatInt(now.Born, 10), err
	}
	return "i" + strconv.FormatUint(now.ID.Number, 10), err
}

// Elsewhere opens other trees, as [disk.Open] does, to look at nothing but their state directories.
type elsewhere func(root string) (d disk.Disk, release func(), err error)

// isMade reports whether v was decided, even after a power cut. The caller has the guard of a tree whose journal names
// v, so the process that would write the record is dead.
func (v verdict) isMade(d disk.Disk, open elsewhere) (bool, error) {
	if v.root != "" {
		other, release, err := v.opened(open)
		if err != nil {
			return false, err
		}
		defer release()
		d = other
	}
	made, found, err := v.lookUp(d)
	if err != nil || found || v.root == "" {
		return made, err
	}
	if undecided, err := isNamedIn(d, v.id); err != nil || undecided {
		return false, err
	}
	// it may just have been rolled back
	if made, found, err = v.lookUp(d); err == nil && !found {
		err = errors.New("somebody has removed its record")
	}
	return made, err
}

// lookUp reads the record of v in its tree.
func (v verdict) lookUp(d disk.Disk) (made, found bool, err error) {
	data, err := d.ReadFile(v.record(), maxJournal)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, false, syncState(d)
	case err == nil:
		err = errors.Join(mayBeOurs(d), d.SyncFile(v.record()), d.SyncDir(StateDir))
	}
	_, h, torn := decodeJournal(data) // if it is torn, the process died while it wrote the record
	return err == nil && torn == nil && !h.verdict.undone, true, err
}

// isNamedIn reports whether a tree has a journal that names the verdict called id.
func isNamedIn(d disk.Disk, id string) (bool, error) {
	data, err := d.ReadFile(JournalName, maxJournal)
	if err != nil {
		return false, disk.UnlessGone(err)
	}
	_, h, err := decodeJournal(data)
	return h.verdict.id == id, err
}

// leaveUndone writes that the commit was rolled back, if a tree may still ask. The journal that has h goes next.
func (h head) leaveUndone(d disk.Disk, open elsewhere) error {
	if !h.verdict.mayBeAsked(open) {
		return nil
	}
	h.verdict.undone = true
	err := disk.UnlessGone(d.Remove(h.verdict.record()))
	if err == nil {
		err = h.record(d, true)
	}
	return disk.At("write", h.verdict.record(), err)
}

// record makes the record of a commit whose journal has h and, with sync, puts it on disk.
func (h head) record(d disk.Disk, sync bool) error {
	name := h.verdict.record()
	err := d.Create(name, journal(nil).encode(h), disk.Meta{Perm: 0o600})
	if err != nil || !sync {
		return err
	}
	return inTurn(func() error { return d.SyncFile(name) }, func() error { return d.SyncDir(StateDir) })
}

// opened opens the tree at v.root.
func (v verdict) opened(open elsewhere) (d disk.Disk, release func(), err error) {
	if d, release, err = open(v.root); err != nil {
		return nil, nil, err
	}
	mark, err := markOf(d)
	if err == nil && mark != v.mark {
		err = errors.New("it is another directory now")
	}
	if err != nil {
		release()
	}
	return d, release, err
}

// syncState syncs the state directory, or the one above if it has gone.
func syncState(d disk.Disk) error {
	err := d.SyncDir(StateDir)
	if errors.Is(err, fs.ErrNotExist) {
		err = d.SyncDir(".")
	}
	return err
}

// An undecidedError means that the record of a verdict cannot be looked up. It is errs.ErrUnfinished.
type undecidedError struct {
	root string
	err  error
	of   journal // that names the verdict
}

func (e *undecidedError) Error() string {
	if e.root == "" {
		return fmt.Sprintf("%v: %v", errs.ErrUnfinished, e.err)
	}
	return fmt.Sprintf(
		"%v: the directory has the journal of an interrupted commit that also changed %s, and only that directory "+
			"says whether it was finished: %v; bring it back, or look at the files, and recover the journal as "+
			"foreign (which rolls back here) or discard it",
		errs.ErrUnfinished, names.Show(e.root), e.err)
}

func (e *undecidedError) Unwrap() []error { return []error{errs.ErrUnfinished, e.err} }

// dropRecords removes the records that no journal needs, and reports whether any has gone. The caller has the guard.
func dropRecords(d disk.Disk, names []string, open elsewhere) (gone bool) {
	for _, name := range names {
		full := StateDir + "/" + name
		data, err := d.ReadFile(full, maxJournal)
		if err != nil {
			continue
		}
		if _, h, torn := decodeJournal(data); torn != nil || !h.verdict.mayBeAsked(open) {
			gone = d.Remove(full) == nil || gone
		}
	}
	return gone
}

// mayBeAsked reports whether a tree may still ask for the record of v.
func (v verdict) mayBeAsked(open elsewhere) bool {
	return slices.ContainsFunc(v.others, func(other verdict) bool { return other.mayBeNeeded(open) })
}

// mayBeNeeded reports whether the tree at v.root, which may come back, has a journal that names v, or can get it back.
func (v verdict) mayBeNeeded(open elsewhere) bool {
	d, release, err := v.opened(open)
	if err != nil {
		return true
	}
	defer release()
	named, err := isNamedIn(d, v.id)
	// without a sync, the journal may be back after a power cut
	return named || err != nil || syncState(d) != nil
}
