// Package disktest has disks for tests: one in memory that can simulate a power cut, and wrappers of any disk that make
// it fail, die or behave oddly.
package disktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// A Memory is a file system in memory. A power cut may lose what is not synced.
type Memory struct {
	Fold    bool // names that differ only in case are equal
	Ageless bool // Inspect does not tell when a directory was made

	mu   sync.Mutex
	root *inode
	made int64 // the number of directories that were made
}

// An inode is a file or a directory.
type inode struct {
	mode         fs.FileMode
	born         int64             // of a directory
	data, synced []byte            // of a file: its content, and what is left after a power cut at worst
	names, safe  map[string]*inode // of a directory: its entries, and what is left after a power cut at worst
}

func newInode(mode fs.FileMode) *inode {
	n := &inode{mode: mode}
	if mode.IsDir() {
		n.names, n.safe = map[string]*inode{}, map[string]*inode{}
	}
	return n
}

// NewMemory returns a disk with files, all of them synced.
func NewMemory(files map[string]string) *Memory {
	d := &Memory{root: newInode(fs.ModeDir | 0o755)}
	for name, text := range files {
		for i, r := range name {
			if r == '/' {
				d.Mkdir(name[:i], 0o755)
			}
		}
		d.Create(name, []byte(text), disk.Meta{Mode: 0o644})
	}
	d.CutPower(nil, 1)
	return d
}

// CutPower cuts the power. Each name and content that is not synced survives with the probability keep. The others
// return to what was synced last.
func (d *Memory) CutPower(r *rand.Rand, keep float64) {
	kept := func() bool { return keep == 1 || keep > 0 && r.Float64() < keep }
	seen := map[*inode]bool{}
	var visit func(n *inode)
	visit = func(n *inode) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.mode.IsDir() {
			n.cutNames(kept)
			for _, name := range slices.Sorted(maps.Keys(n.names)) {
				visit(n.names[name])
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

// cutNames does that for the names in a directory.
func (n *inode) cutNames(kept func() bool) {
	all := maps.Clone(n.safe)
	maps.Copy(all, n.names)
	names := map[string]*inode{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		now, was := n.names[name], n.safe[name]
		if now != was && !kept() {
			now = was
		}
		if now != nil {
			names[name] = now
		}
	}
	n.names, n.safe = names, maps.Clone(names)
}

// Files returns all files except those of commits, whose path has a part that begins with ".atomicedit".
func (d *Memory) Files() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]string{}
	var visit func(dir string, n *inode)
	visit = func(dir string, n *inode) {
		for name, m := range n.names {
			full := path.Join(dir, name)
			switch {
			case strings.HasPrefix(name, ".atomicedit"):
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

// key returns the spelling of base in a directory, or base if the directory does not have it.
func (d *Memory) key(dir *inode, base string) string {
	if d.Fold {
		for name := range dir.names {
			if strings.EqualFold(name, base) {
				return name
			}
		}
	}
	return base
}

func (d *Memory) find(name string) (*inode, error) {
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

// dirOf finds the directory of name. It also returns the last part of name, as the directory spells it.
func (d *Memory) dirOf(name string) (*inode, string, error) {
	n, err := d.find(path.Dir(name))
	if err == nil && n.names == nil {
		err = fs.ErrInvalid
	}
	if err != nil {
		return n, "", err
	}
	return n, d.key(n, path.Base(name)), nil
}

// on calls do with what is called name.
func (d *Memory) on(name string, do func(n *inode) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return err
	}
	return do(n)
}

func (d *Memory) with(name string, do func(n *inode)) error {
	return d.on(name, func(n *inode) error { do(n); return nil })
}

func (d *Memory) Lstat(name string) (disk.Stat, error) {
	t, err := d.Inspect(name)
	return t.Stat, err
}

func (d *Memory) Inspect(name string) (t disk.Traits, err error) {
	err = d.with(name, func(n *inode) {
		t.Stat = disk.Stat{Mode: n.mode, Size: int64(len(n.data)), Ours: true, Keepable: true}
		if !d.Ageless {
			t.Born = n.born
		}
	})
	t.Writable, t.Replaceable = true, true
	return t, err
}

func (d *Memory) Readlink(string) (string, error) { return "", fs.ErrInvalid }

func (d *Memory) ReadDir(name string) (names []string, err error) {
	err = d.with(name, func(n *inode) { names = slices.Sorted(maps.Keys(n.names)) })
	return names, err
}

func (d *Memory) ReadFile(name string, max int64) ([]byte, error) {
	h, err := d.Hold(name)
	if err != nil {
		return nil, err
	}
	data := h.(held).data()
	if int64(len(data)) > max {
		return nil, errs.ErrTooLarge
	}
	return bytes.Clone(data), nil
}

func (d *Memory) ReadStart(name string, max int) ([]byte, error) {
	data, err := d.ReadFile(name, 1<<40)
	return data[:min(len(data), max)], err
}

func (d *Memory) Equal(name string, data []byte) (bool, error) {
	now, err := d.ReadFile(name, int64(len(data)))
	if errors.Is(err, errs.ErrTooLarge) {
		return false, nil
	}
	return bytes.Equal(now, data), err
}

func (d *Memory) Version(name string) (disk.Version, error) {
	data, err := d.ReadFile(name, 1<<40)
	return disk.VersionOf(data), err
}

func (d *Memory) put(name string, n *inode, replace bool) error {
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

func (d *Memory) Create(name string, data []byte, as disk.Meta) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := newInode(0o644)
	n.data = bytes.Clone(data)
	if as.Like != nil {
		n.mode = as.Like.Mode
	}
	if as.Mode != 0 {
		n.mode = as.Mode
	}
	return d.put(name, n, false)
}

func (d *Memory) Hold(name string) (h disk.Held, err error) {
	err = d.on(name, func(n *inode) error {
		if n.mode.IsDir() {
			return &errs.KindError{Mode: n.mode}
		}
		h = held{d, n, name}
		return nil
	})
	return h, err
}

type held struct {
	disk *Memory
	file *inode
	name string
}

func (h held) Attributes() (disk.Attributes, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	return disk.Attributes{Mode: h.file.mode}, nil
}

func (h held) data() []byte {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	return h.file.data
}

func (h held) IsCurrent() (same bool, err error) {
	h.disk.with(h.name, func(n *inode) { same = n == h.file })
	return same, nil
}

func (h held) Equal(data []byte) (bool, error) { return bytes.Equal(h.data(), data), nil }
func (h held) Close() error                    { return nil }

func (d *Memory) Amend(name string, was, now disk.Attributes) error {
	return d.with(name, func(n *inode) {
		if n.mode == was.Mode {
			n.mode = now.Mode
		}
	})
}

// Chmod changes the mode of a file, as another program may do during a commit.
func (d *Memory) Chmod(name string, mode fs.FileMode) error {
	return d.with(name, func(n *inode) { n.mode = mode })
}

func (d *Memory) Overwrite(name string, data []byte) error {
	return d.with(name, func(n *inode) { n.data, n.synced = bytes.Clone(data), bytes.Clone(data) })
}

func (d *Memory) SyncFile(name string) error {
	return d.with(name, func(n *inode) { n.synced = n.data })
}

func (d *Memory) SyncDir(name string) error {
	return d.with(name, func(n *inode) { n.safe = maps.Clone(n.names) })
}

func (d *Memory) Link(old, new string) error {
	return d.on(old, func(n *inode) error { return d.put(new, n, false) })
}

func (d *Memory) Rename(old, new string) error {
	return d.on(old, func(n *inode) error {
		if m, err := d.find(new); err == nil && m == n {
			return nil // as in POSIX: two names of one file both stay
		}
		if err := d.put(new, n, true); err != nil {
			return err
		}
		return d.unlink(old)
	})
}

func (d *Memory) unlink(name string) error {
	dir, base, err := d.dirOf(name)
	delete(dir.names, base)
	return err
}

func (d *Memory) RenameNew(old, new string) error {
	if _, err := d.Lstat(new); err == nil {
		return fs.ErrExist
	}
	return d.Rename(old, new)
}

func (d *Memory) Remove(name string) error {
	return d.on(name, func(n *inode) error {
		if len(n.names) > 0 {
			return errors.New("directory not empty")
		}
		return d.unlink(name)
	})
}

func (d *Memory) Mkdir(name string, perm fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := newInode(fs.ModeDir | perm)
	d.made++
	n.born = d.made
	return d.put(name, n, false)
}

func (d *Memory) Forget(string) {}

func (d *Memory) ForgetReplaced() bool { return false }

// LockOf returns a lock that keeps nobody out.
func (d *Memory) LockOf(dir string) (disk.Lock, error) {
	return memoryLock(fmt.Sprintf("%p %s", d, dir)), nil
}

type memoryLock string

func (l memoryLock) Key() string                    { return string(l) }
func (memoryLock) Take(context.Context, bool) error { return nil }
func (memoryLock) Release()                         {}

// Guard checks only that there is a directory to guard.
func (d *Memory) Guard(_ context.Context, name string, _ bool) (disk.Stat, func(), error) {
	is, err := d.Lstat(name)
	return is, func() {}, err
}

// Same is a Source that always opens the same disk.
type Same struct{ disk.Disk }

func (s Same) Pin() (disk.Disk, func())  { return s.Disk, func() {} }
func (s Same) Look() (disk.Disk, func()) { return s.Disk, func() {} }
func (s Same) Make() error               { return nil }
func (s Same) Close() error              { return nil }

// Queued is a disk on which commits take turns, as the commits of several processes do.
type Queued struct {
	disk.Disk
	turn chan bool
}

// NewQueued returns d with a lock that makes commits take turns.
func NewQueued(d disk.Disk) Queued { return Queued{d, make(chan bool, 1)} }

func (d Queued) LockOf(string) (disk.Lock, error) {
	l, err := d.Disk.LockOf(".")
	return &queuedLock{Lock: l, turn: d.turn}, err
}

// A queuedLock is the lock of every directory of a Queued disk.
type queuedLock struct {
	disk.Lock
	turn  chan bool
	taken bool
}

func (l *queuedLock) Take(ctx context.Context, wait bool) error {
	select {
	case l.turn <- true: // even if ctx has ended, as a real disk does
		l.taken = true
		return nil
	default:
	}
	if !wait {
		return disk.ErrLocked
	}
	select {
	case l.turn <- true:
		l.taken = true
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", disk.ErrLocked, context.Cause(ctx))
	}
}

func (l *queuedLock) Release() {
	if l.taken {
		l.taken = false
		<-l.turn
	}
}
