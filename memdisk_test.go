package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// memDisk is a file system in memory that knows what a power cut would leave of it.
type memDisk struct {
	mu   sync.Mutex
	root *inode
	fold bool // names that differ in case alone are one
}

// key is the name by which a directory knows base.
func (d *memDisk) key(dir *inode, base string) string {
	if d.fold {
		for name := range dir.names {
			if strings.EqualFold(name, base) {
				return name
			}
		}
	}
	return base
}

// An inode is a file or a directory. What is not synced may or may not survive a power cut.
type inode struct {
	mode         fs.FileMode
	data, synced []byte            // of a file
	names, safe  map[string]*inode // of a directory
}

func newInode(mode fs.FileMode) *inode {
	n := &inode{mode: mode}
	if mode.IsDir() {
		n.names, n.safe = map[string]*inode{}, map[string]*inode{}
	}
	return n
}

// newMemDisk returns a disk with files, all of it synced.
func newMemDisk(files map[string]string) *memDisk {
	d := &memDisk{root: newInode(fs.ModeDir | 0o755)}
	for name, text := range files {
		for _, dir := range slices.Backward(parents(name)) {
			if dir != "." {
				d.Mkdir(dir, 0o755)
			}
		}
		d.Create(name, []byte(text), meta{mode: 0o644})
	}
	d.cut(nil, 1)
	return d
}

// cut is a power cut: of every unsynced name and text, the share keep survives, and of the others what was synced before.
func (d *memDisk) cut(r *rand.Rand, keep float64) {
	kept := func() bool { return keep == 1 || keep > 0 && r.Float64() < keep }
	seen := map[*inode]bool{}
	var visit func(n *inode)
	visit = func(n *inode) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.mode.IsDir() {
			names := map[string]*inode{}
			all := slices.Sorted(maps.Keys(n.names))
			for name := range n.safe {
				if n.names[name] == nil {
					all = append(all, name)
				}
			}
			slices.Sort(all)
			for _, name := range all {
				now, was := n.names[name], n.safe[name]
				if now != was && !kept() {
					now = was
				}
				if now != nil {
					names[name] = now
				}
			}
			n.names, n.safe = names, maps.Clone(names)
			for _, name := range slices.Sorted(maps.Keys(names)) {
				visit(names[name])
			}
			return
		}
		if !bytes.Equal(n.data, n.synced) && !kept() {
			n.data = n.synced
		}
		n.synced = n.data
	}
	visit(d.root)
}

// files returns all files but those of commits.
func (d *memDisk) files() map[string]string {
	files := map[string]string{}
	var visit func(dir string, n *inode)
	visit = func(dir string, n *inode) {
		for name, m := range n.names {
			full := path.Join(dir, name)
			switch {
			case full == stateDir || strings.HasPrefix(name, besideStage):
			case m.mode.IsDir():
				visit(full, m)
			default:
				files[full] = string(m.data)
			}
		}
	}
	visit("", d.root)
	return files
}

func (d *memDisk) find(name string) (*inode, error) {
	n := d.root
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if n.names == nil || n.names[d.key(n, part)] == nil {
			return nil, fs.ErrNotExist
		}
		n = n.names[d.key(n, part)]
	}
	return n, nil
}

func (d *memDisk) dirOf(name string) (*inode, string, error) {
	n, err := d.find(path.Dir(name))
	if err == nil && n.names == nil {
		err = fs.ErrInvalid
	}
	if err != nil {
		return n, "", err
	}
	return n, d.key(n, path.Base(name)), nil
}

func (d *memDisk) Lstat(name string) (stat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return stat{}, err
	}
	return stat{mode: n.mode, size: int64(len(n.data)), ours: true, keepable: true}, nil
}

func (d *memDisk) Inspect(name string) (traits, error) {
	is, err := d.Lstat(name)
	return traits{stat: is, writable: true, replaceable: true}, err
}

func (d *memDisk) Readlink(string) (string, error) { return "", fs.ErrInvalid }

func (d *memDisk) ReadDir(name string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(n.names)), nil
}

func (d *memDisk) ReadFile(name string, max int64) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err == nil && n.mode.IsDir() {
		err = errNotRegular(n.mode)
	}
	if err != nil {
		return nil, err
	}
	return bytes.Clone(n.data), nil
}

func (d *memDisk) Equal(name string, data []byte) (bool, error) {
	now, err := d.ReadFile(name, int64(len(data)))
	return bytes.Equal(now, data), err
}

func (d *memDisk) Version(name string) (Version, error) {
	data, err := d.ReadFile(name, 0)
	return VersionOf(data), err
}

func (d *memDisk) put(name string, n *inode, replace bool) error {
	dir, base, err := d.dirOf(name)
	if err != nil {
		return err
	}
	if dir.names[base] != nil && (!replace || dir.names[base].mode.IsDir()) {
		return fs.ErrExist
	}
	dir.names[base] = n
	return nil
}

func (d *memDisk) Create(name string, data []byte, as meta) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := newInode(0o644)
	n.data = bytes.Clone(data)
	if like, err := d.find(as.like); err == nil {
		n.mode = like.mode
	}
	if as.mode != 0 {
		n.mode = as.mode
	}
	return d.put(name, n, false)
}

func (d *memDisk) Overwrite(name string, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err == nil {
		n.data, n.synced = bytes.Clone(data), bytes.Clone(data)
	}
	return err
}

func (d *memDisk) SyncFile(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err == nil {
		n.synced = n.data
	}
	return err
}

func (d *memDisk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err == nil {
		n.safe = maps.Clone(n.names)
	}
	return err
}

func (d *memDisk) Link(old, new string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(old)
	if err != nil {
		return err
	}
	return d.put(new, n, false)
}

func (d *memDisk) Rename(old, new string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(old)
	if err != nil {
		return err
	}
	if m, err := d.find(new); err == nil && m == n {
		return nil // as POSIX has it: two names of one file stay
	}
	if err := d.put(new, n, true); err != nil {
		return err
	}
	dir, base, _ := d.dirOf(old)
	delete(dir.names, base)
	return nil
}

func (d *memDisk) RenameNew(old, new string) error {
	if _, err := d.Lstat(new); err == nil {
		return fs.ErrExist
	}
	return d.Rename(old, new)
}

func (d *memDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return err
	}
	if len(n.names) > 0 {
		return errors.New("directory not empty")
	}
	dir, base, _ := d.dirOf(name)
	delete(dir.names, base)
	return nil
}

func (d *memDisk) Mkdir(name string, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.put(name, newInode(fs.ModeDir|perm), false)
}

func (d *memDisk) Unpin(string) {}

func (d *memDisk) Lock(_ context.Context, dirs func() []string, _ bool) (func(), error) {
	dirs()
	return func() {}, nil
}

// faultDisk lets one operation of another disk fail, and perhaps all that follow.
type faultDisk struct {
	disk
	at      int // counted from 0
	flavour flavour

	cancel func()

	mu    sync.Mutex
	count int
}

type flavour int

const (
	failUndone flavour = iota // fails, and did nothing
	failDone                  // fails, but did it
	failHalf                  // fails, and wrote the half of it
	dieBefore                 // the process is killed, or everything fails from here on
	dieAfter
	dieHalf
	cancel // nothing fails, but the context of the commit ends
)

var flavours = []flavour{failUndone, failDone, failHalf, dieBefore, dieAfter, dieHalf}

func (f flavour) String() string {
	return [...]string{"fails", "fails though done", "half written", "killed before", "killed after", "killed amid", "cancels"}[f]
}

func (f flavour) dies() bool { return f >= dieBefore && f <= dieHalf }

var errFault = errors.New("injected fault")

// hit counts an operation, and says whether to do it and whether to say that it failed.
func (d *faultDisk) hit() (do, half bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.count
	d.count++
	switch {
	case n < d.at:
		return true, false, nil
	case n > d.at && d.flavour.dies():
		return false, false, errFault
	case n > d.at:
		return true, false, nil
	}
	switch d.flavour {
	case failDone, dieAfter:
		return true, false, errFault
	case failHalf, dieHalf:
		return false, true, errFault
	case cancel:
		d.cancel()
		return true, false, nil
	}
	return false, false, errFault
}

// reached reports whether the fault has happened.
func (d *faultDisk) reached() bool { return d.count > d.at }

func (d *faultDisk) effect(do func() error) error {
	should, _, fault := d.hit()
	if should {
		if err := do(); err != nil {
			return err
		}
	}
	return fault
}

func (d *faultDisk) Lstat(name string) (s stat, err error) {
	err = d.effect(func() error { s, err = d.disk.Lstat(name); return err })
	return s, err
}

func (d *faultDisk) Inspect(name string) (t traits, err error) {
	err = d.effect(func() error { t, err = d.disk.Inspect(name); return err })
	return t, err
}

func (d *faultDisk) ReadDir(name string) (names []string, err error) {
	err = d.effect(func() error { names, err = d.disk.ReadDir(name); return err })
	return names, err
}

func (d *faultDisk) ReadFile(name string, max int64) (data []byte, err error) {
	err = d.effect(func() error { data, err = d.disk.ReadFile(name, max); return err })
	return data, err
}

func (d *faultDisk) Equal(name string, data []byte) (same bool, err error) {
	err = d.effect(func() error { same, err = d.disk.Equal(name, data); return err })
	return same, err
}

func (d *faultDisk) Version(name string) (v Version, err error) {
	err = d.effect(func() error { v, err = d.disk.Version(name); return err })
	return v, err
}

func (d *faultDisk) Create(name string, data []byte, as meta) error {
	should, half, fault := d.hit()
	if half {
		data = data[:len(data)/2]
	}
	if should || half {
		if err := d.disk.Create(name, data, as); err != nil {
			return err
		}
	}
	return fault
}

func (d *faultDisk) Overwrite(name string, data []byte) error {
	should, half, fault := d.hit()
	if half {
		data = data[:len(data)/2]
	}
	if should || half {
		if err := d.disk.Overwrite(name, data); err != nil {
			return err
		}
	}
	return fault
}

func (d *faultDisk) SyncFile(name string) error {
	return d.effect(func() error { return d.disk.SyncFile(name) })
}

func (d *faultDisk) SyncDir(name string) error {
	return d.effect(func() error { return d.disk.SyncDir(name) })
}

func (d *faultDisk) Link(old, new string) error {
	return d.effect(func() error { return d.disk.Link(old, new) })
}

func (d *faultDisk) Rename(old, new string) error {
	return d.effect(func() error { return d.disk.Rename(old, new) })
}

func (d *faultDisk) RenameNew(old, new string) error {
	return d.effect(func() error { return d.disk.RenameNew(old, new) })
}

func (d *faultDisk) Remove(name string) error {
	return d.effect(func() error { return d.disk.Remove(name) })
}

func (d *faultDisk) Mkdir(name string, perm fs.FileMode) error {
	return d.effect(func() error { return d.disk.Mkdir(name, perm) })
}

// splitDisk has another file system mounted at "a". Without tell, nothing but the failure of links and renames shows it.
type splitDisk struct {
	disk
	tell bool
}

func mountedAt(name string) uint64 {
	if name == "a" || strings.HasPrefix(name, "a/") {
		return 1
	}
	return 0
}

func (d splitDisk) Inspect(name string) (traits, error) {
	t, err := d.disk.Inspect(name)
	if d.tell {
		t.device.mount = mountedAt(name)
	}
	return t, err
}

func (d splitDisk) Link(old, new string) error {
	if mountedAt(old) != mountedAt(new) {
		return sysOtherDevice
	}
	return d.disk.Link(old, new)
}

func (d splitDisk) Rename(old, new string) error {
	if mountedAt(old) != mountedAt(new) {
		return sysOtherDevice
	}
	return d.disk.Rename(old, new)
}

func (d splitDisk) RenameNew(old, new string) error {
	if mountedAt(old) != mountedAt(new) {
		return sysOtherDevice
	}
	return d.disk.RenameNew(old, new)
}

// linklessDisk is a file system without hard links.
type linklessDisk struct{ disk }

func (d linklessDisk) Link(old, new string) error { return sysNoLinks }

// boundDisk is a file system on which every file that a scene edits is a mount point.
type boundDisk struct {
	disk
	s scene
}

func (d boundDisk) bound(name string) bool {
	was, there := d.s.old[name]
	now, stays := d.s.new[name]
	return there && stays && was != now
}

func (d boundDisk) Inspect(name string) (traits, error) {
	t, err := d.disk.Inspect(name)
	t.mountedOn = d.bound(name)
	return t, err
}

func (d boundDisk) Rename(old, new string) error {
	if d.bound(old) || d.bound(new) {
		return syscall.EBUSY
	}
	return d.disk.Rename(old, new)
}

func (d boundDisk) Remove(name string) error {
	if d.bound(name) {
		return syscall.EBUSY
	}
	return d.disk.Remove(name)
}

func (d boundDisk) Link(old, new string) error {
	if d.bound(old) || d.bound(new) {
		return sysOtherDevice
	}
	return d.disk.Link(old, new)
}
