package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"

	"github.com/atomicedit/atomicedit/internal/errs"
)

const (
	openToRead  = os.O_RDONLY
	openToSync  = os.O_RDWR
	openToWrite = os.O_WRONLY
)

// A handle is an open directory. Its methods take names without slashes. Only open follows links, inside the root.
type handle struct {
	root *os.Root
	top  *os.Root // of the disk, which somebody else closes
	name string   // relative to top
}

func rootHandle(root *os.Root) (*handle, error) { return &handle{root, root, "."}, nil }

func (h *handle) close() {
	if h.root != h.top {
		h.root.Close()
	}
}

// sub opens a directory inside this one. It refuses a link, which somebody may have made after the name was resolved.
func (h *handle) sub(name string) (*handle, error) {
	root, err := h.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	g := &handle{root, h.top, filepath.Join(h.name, name)}
	if !h.has(name, g) {
		g.close()
		return nil, fmt.Errorf("the directory is being replaced: %w", fs.ErrInvalid)
	}
	return g, nil
}

func (h *handle) has(name string, g *handle) bool {
	is, err := g.root.Stat(".")
	if err != nil {
		return false
	}
	named, err := h.root.Lstat(name)
	return err == nil && os.SameFile(is, named)
}

func (h *handle) lstat(name string) (Stat, error) {
	info, err := h.root.Lstat(name)
	if err != nil {
		return Stat{}, err
	}
	return Stat{Mode: info.Mode(), Size: info.Size(), Ours: true, Keepable: true}, nil
}

// details asks for what an [fs.FileInfo] does not have.
func (h *handle) details(name string) (is windows.ByHandleFileInformation, err error) {
	file, err := h.open(name, openToRead, 0)
	if err != nil {
		return is, err
	}
	defer file.Close()
	return is, windows.GetFileInformationByHandle(windows.Handle(file.Fd()), &is)
}

func (h *handle) open(name string, flag int, perm fs.FileMode) (file *os.File, err error) {
	err = retryWhile(func() error {
		file, err = h.root.OpenFile(name, flag, perm)
		return err
	}, windows.ERROR_SHARING_VIOLATION, windows.ERROR_DELETE_PENDING)
	return file, err
}

func (h *handle) mkdir(name string, perm fs.FileMode) error { return h.root.Mkdir(name, perm) }

func (h *handle) remove(name string) error { return h.root.Remove(name) }

// names returns the names in the directory, in any order.
func (h *handle) names() ([]string, error) {
	f, err := h.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// link makes a link by path, because the system has no call that takes two directory handles.
func link(from *handle, old string, to *handle, new string) error {
	return byPath(from, old, to, new, (*os.Root).Link)
}

// rename also replaces a read-only file, which Windows refuses. A commit needs that only to roll back its own file.
func rename(from *handle, old string, to *handle, new string) error {
	new = to.listed(new)
	err := byPath(from, old, to, new, (*os.Root).Rename)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		if is, look := to.lstat(new); look == nil && is.readOnly() && to.root.Chmod(new, 0o600) == nil {
			err = byPath(from, old, to, new, (*os.Root).Rename)
		}
	}
	return err
}

// listed returns the spelling under which the directory lists a file. A rename to another one would change it.
func (h *handle) listed(name string) string {
	is, err := h.root.Lstat(name)
	if err != nil {
		return name
	}
	full, err := windows.UTF16PtrFromString(filepath.Join(h.root.Name(), name))
	if err != nil {
		return name
	}
	var found windows.Win32finddata
	search, err := windows.FindFirstFile(full, &found)
	if err != nil {
		return name
	}
	windows.FindClose(search)
	listed := windows.UTF16ToString(found.FileName[:])
	if named, err := h.root.Lstat(listed); err != nil || !os.SameFile(is, named) {
		return name
	}
	return listed
}

func renameNew(*handle, string, *handle, string) error { return errors.ErrUnsupported }

// byPath calls do with two names. If they are in different directories, it looks them up from the root of the disk.
func byPath(from *handle, old string, to *handle, new string, do func(r *os.Root, old, new string) error) error {
	if from == to {
		return do(from.root, old, new)
	}
	return do(from.top, filepath.Join(from.name, old), filepath.Join(to.name, new))
}

// SyncDir does nothing. The system orders changes of names itself, and has no call to sync them.
func (d *realDisk) SyncDir(string) error { return nil }

func startWriting(*os.File) {}

// giveAttributes changes nothing: all but the mode, which is "read-only" or not, come from the directory.
func giveAttributes(_ *os.File, like Attributes, _ bool) (mode fs.FileMode, same bool, err error) {
	return like.Mode, true, nil
}

// A held has the attributes that a file had when Hold was called. If it were open, nothing could replace the file.
type held struct {
	disk *realDisk
	name string
	has  Attributes
}

func (h held) Attributes() (Attributes, error) { return h.has, nil }
func (h held) Equal(data []byte) (bool, error) { return h.disk.Equal(h.name, data) }
func (h held) Close() error                    { return nil }

// IsCurrent does not notice another file of the same mode: Equal looks the file up by its name.
func (h held) IsCurrent() (bool, error) {
	is, err := h.disk.Lstat(h.name)
	return err == nil && is.Mode.Perm() == h.has.Mode, UnlessGone(err)
}

func (d *realDisk) Hold(name string) (Held, error) {
	is, err := d.Lstat(name)
	if err == nil && !is.Mode.IsRegular() {
		err = &errs.KindError{Mode: is.Mode}
	}
	if err != nil {
		return nil, err
	}
	return held{d, name, Attributes{Mode: is.Mode.Perm()}}, nil
}

// Amend does nothing, because a held file never changes.
func (d *realDisk) Amend(string, Attributes, Attributes) error { return nil }

// retry calls f for up to two seconds, until other programs, such as virus scanners and indexers, have closed a file.
// Until then, a rename to the name of that file may fail with "access denied".
func retry(f func() error) error {
	return retryWhile(f, windows.ERROR_SHARING_VIOLATION, windows.ERROR_DELETE_PENDING, windows.ERROR_ACCESS_DENIED)
}

func retryWhile(f func() error, busy ...error) error {
	for pause, end := time.Millisecond, time.Now().Add(2*time.Second); ; pause *= 2 {
		err := f()
		if !isAny(err, busy...) || time.Now().After(end) {
			return err
		}
		time.Sleep(min(pause, 100*time.Millisecond))
	}
}

func (d *realDisk) inspect(name string) (Traits, error) {
	in, base, err := d.in(name)
	if err != nil {
		return Traits{}, err
	}
	is, err := in.lstat(base)
	if err != nil {
		return Traits{}, err
	}
	t := Traits{Stat: is, Writable: is.Mode&0o200 != 0, Replaceable: true}
	if !is.Mode.IsRegular() && !is.Mode.IsDir() {
		return t, nil
	}
	if more, err := in.details(base); err == nil { // otherwise the file cannot be read, and the commit fails anyway
		t.Links = int(more.NumberOfLinks)
		t.Born = int64(more.FileIndexHigh)<<32 | int64(more.FileIndexLow) // unlike a time, it cannot be set
	}
	return t, nil
}

func NoLinks(err error) bool {
	return isAny(err, ErrNoLinks, windows.ERROR_NOT_SUPPORTED, windows.ERROR_INVALID_FUNCTION,
		windows.ERROR_TOO_MANY_LINKS)
}

func OtherDevice(err error) bool { return isAny(err, ErrOtherDevice, windows.ERROR_NOT_SAME_DEVICE) }

// NameTooLong includes invalid names, because IsLocal has refused the others that Windows calls so.
func NameTooLong(err error) bool {
	return isAny(err, ErrNameTooLong, windows.ERROR_FILENAME_EXCED_RANGE, windows.ERROR_INVALID_NAME)
}

// A lock is a file in the user's cache directory that stands for a directory, because Windows cannot lock directories.
// Its name is the identity of the directory, because the directory itself can have several names: junctions, drive
// letters, short names. The file is empty, and stays. Commits of different users do not exclude each other.
type lock struct {
	key   string
	file  *os.File
	queue *queue // while this commit has the turn
}

func (d *realDisk) LockOf(dir string) (Lock, error) { return d.lockFile(dir, "") }

// guard returns a lock that belongs to the parent directory, because the directory called name comes and goes.
func (d *realDisk) guard(name string) (*lock, error) {
	d.Forget(name) // an open handle would prevent others from removing the directory
	dir, base := Split(name)
	return d.lockFile(dir, "-"+strings.TrimPrefix(base, "."))
}

func (d *realDisk) lockFile(dir, kind string) (*lock, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	cache = filepath.Join(cache, "atomicedit")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	in, err := d.dir(dir)
	if err != nil {
		return nil, err
	}
	is, err := in.details(".")
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%08x-%08x%08x%s.lock", is.VolumeSerialNumber, is.FileIndexHigh, is.FileIndexLow, kind)
	f, err := os.OpenFile(filepath.Join(cache, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &lock{key: name, file: f}, nil
}

func (l *lock) try() error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(l.file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// wait tries again at short, constant intervals, because Windows has no queue. With growing intervals, the longest wait
// would have the smallest chance.
func (l *lock) wait(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return waited(ctx)
		case <-time.After(time.Millisecond):
		}
		if err := l.try(); err != ErrLocked {
			return err
		}
	}
}

func (l *lock) open() { l.file.Close() }
