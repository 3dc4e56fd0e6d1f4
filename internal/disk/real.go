//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"github.com/atomicedit/atomicedit/internal/errs"
)

// reading opens a regular file for do, which gets its size, too.
func reading[T any](d *realDisk, name string, do func(f *os.File, size int64) (T, error)) (result T, err error) {
	f, size, err := d.openRegular(name)
	if err != nil {
		return result, err
	}
	defer f.Close()
	return do(f, size)
}

func (d *realDisk) Equal(name string, data []byte) (bool, error) {
	return reading(d, name, func(f *os.File, _ int64) (bool, error) { return holds(f, data) })
}

// buffers hold pieces of files while they are compared.
var buffers = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// holds reports whether an unread file holds data, and nothing more. After a link, gocryptfs tells a wrong size.
func holds(f *os.File, data []byte) (bool, error) {
	piece := buffers.Get().(*[64 << 10]byte)
	defer buffers.Put(piece)
	buf := piece[:min(len(data)+1, len(piece))] // with room for one byte too many
	for {
		n, err := f.Read(buf)
		if n > len(data) || !bytes.Equal(buf[:n], data[:n]) {
			return false, nil
		}
		data = data[n:]
		switch {
		case err == io.EOF, err == nil && n < len(buf) && len(data) == 0: // the file had no more bytes
			return len(data) == 0, nil
		case err != nil:
			return false, err
		}
	}
}

func (d *realDisk) Version(name string) (Version, error) {
	return reading(d, name, func(f *os.File, _ int64) (Version, error) {
		h := sha256.New()
		_, err := io.Copy(h, f)
		return versionOf(h.Sum(nil)), err
	})
}

func (d *realDisk) ReadFile(name string, max int64) ([]byte, error) {
	return reading(d, name, func(f *os.File, size int64) ([]byte, error) { return readAll(f, size, max) })
}

// readAll returns the content of a file that says it has size bytes, if it has at most max.
func readAll(f *os.File, size, max int64) ([]byte, error) {
	if size > max {
		return nil, errs.ErrTooLarge
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err != nil && err != io.EOF:
			return nil, err
		case int64(len(data)) > max:
			return nil, errs.ErrTooLarge
		case err == io.EOF, int64(len(data)) == size && size > 0: // there was room for more than it said it has
			return data, nil
		}
		data = slices.Grow(data, 1)
	}
}

func (d *realDisk) ReadStart(name string, max int) ([]byte, error) {
	return reading(d, name, func(f *os.File, _ int64) ([]byte, error) {
		return io.ReadAll(io.LimitReader(f, int64(max)))
	})
}

func (d *realDisk) Lstat(name string) (Stat, error) {
	in, base, err := d.in(name)
	if err != nil {
		return Stat{}, err
	}
	return in.lstat(base)
}

func (d *realDisk) Inspect(name string) (Traits, error) {
	t, err := d.inspect(name)
	if name == "." && d.coming != nil && errors.Is(err, fs.ErrNotExist) {
		return d.coming()
	}
	return t, err
}

func (d *realDisk) Readlink(name string) (string, error) {
	top, err := d.root()
	if err != nil {
		return "", err
	}
	link, err := top.Readlink(name)
	if isEscape(err) {
		err = errs.ErrOutside
	}
	return link, err
}

func (d *realDisk) ReadDir(name string) ([]string, error) {
	in, err := d.dir(name)
	if err != nil {
		return nil, err
	}
	names, err := in.names()
	slices.Sort(names)
	return names, err
}

// Create writes the data and then sets the owner, the attributes and the mode. The mode comes last, because changing
// the owner clears some of its bits. Create works on the open file, never by name. If it copies the attributes of a
// file, nobody else can open the new file until the mode is set.
func (d *realDisk) Create(name string, data []byte, as Meta) (err error) {
	perm := as.Perm
	if as.Like != nil || as.Mode != 0 {
		perm = 0o600
	}
	f, err := d.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil && as.SyncNext && d.keepOpen(name, f) {
			return
		}
		err = errors.Join(err, f.Close())
		if err != nil {
			d.Remove(name)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if as.Early {
		startWriting(f)
	}
	mode, err := newMode(f, as)
	if err != nil || mode == 0 && as.Like == nil {
		return err
	}
	if runtime.GOOS == "windows" && mode&0o200 == 0 { // a read-only file cannot be opened to sync it
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return f.Chmod(mode)
}

// newMode gives a new file all its attributes except the mode, which it returns.
func newMode(f *os.File, as Meta) (fs.FileMode, error) {
	if as.Like == nil {
		return as.Mode & fs.ModePerm, nil // setuid, setgid and sticky can only be kept, not requested
	}
	was, sameOwner, err := giveAttributes(f, *as.Like, as.LooseOwner)
	if err != nil {
		return 0, err
	}
	mode := as.Mode
	switch {
	case mode == 0:
		mode = was
	case !sameOwner:
		mode &= was | 0o700 // others must not get more rights than before
	}
	return mode&fs.ModePerm | mode&was, nil
}

func (d *realDisk) Overwrite(name string, data []byte) error {
	f, err := d.open(name, openToWrite, 0)
	if err != nil {
		return err
	}
	if _, err = regularSize(f); err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (d *realDisk) SyncFile(name string) error {
	f := d.takeOpen(name)
	if f == nil {
		var err error
		f, err = d.open(name, openToSync, 0)
		if runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
			if is, look := d.Lstat(name); look == nil && is.readOnly() {
				return nil // Create has synced it, or it is an old file that is only moved
			}
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *realDisk) Link(old, new string) error { return d.between(old, new, link) }

func (d *realDisk) Rename(old, new string) error {
	return retry(func() error { return d.between(old, new, rename) })
}

func (d *realDisk) RenameNew(old, new string) error {
	err := d.between(old, new, renameNew)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := d.Lstat(new); err == nil {
		return fs.ErrExist
	}
	return d.Rename(old, new)
}

func (d *realDisk) Remove(name string) error {
	in, base, err := d.in(name)
	if err != nil {
		return err
	}
	if f := d.takeOpen(name); f != nil {
		f.Close()
	}
	if runtime.GOOS == "windows" { // an open directory cannot be removed
		d.Forget(name)
	}
	err = retry(func() error { return in.remove(base) })
	if err == nil { // if the directory stays, it may be locked, and needs its handle
		d.Forget(name)
	}
	return err
}

func (d *realDisk) Mkdir(name string, perm fs.FileMode) error {
	in, base, err := d.in(name)
	if err != nil {
		return err
	}
	return in.mkdir(base, perm)
}

// A realDisk keeps a directory handle of each directory that it works in. So it stays in the same directory between the
// check of a file and its replacement, whatever somebody puts there meanwhile, and every lookup costs one step, however
// deep the file is. A handle takes names without slashes and follows no links, so it reaches nothing outside.
type realDisk struct {
	root   func() (*os.Root, error) // returns the directory, if it is there
	coming func() (Traits, error)   // says what it will be like; nil if it has been there from the beginning

	mu   sync.Mutex
	dirs map[string]*handle
	new  map[string]*os.File // new files that are going to be synced

	// A look keeps only the handles of the root and of the innermost directory, however many or deep the files are.
	innermost bool
}

func (d *realDisk) release() {
	d.closeNew()
	for _, h := range d.dirs {
		h.close()
	}
}

// in returns the handle of the directory that name is in, and the last part of name.
func (d *realDisk) in(name string) (*handle, string, error) {
	dir, base := Split(name)
	h, err := d.dir(dir)
	return h, base, err
}

func (d *realDisk) dir(name string) (*handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dirLocked(name)
}

func (d *realDisk) dirLocked(name string) (h *handle, err error) {
	if h, ok := d.dirs[name]; ok {
		return h, nil
	}
	above, base := Split(name)
	if name == "." {
		var top *os.Root
		if top, err = d.root(); err == nil {
			h, err = rootHandle(top)
		}
	} else if h, err = d.dirLocked(above); err == nil {
		h, err = h.sub(base)
	}
	if err != nil {
		return nil, err
	}
	for other, g := range d.dirs {
		if d.innermost && other != "." {
			g.close()
			delete(d.dirs, other)
		}
	}
	d.dirs[name] = h
	return h, nil
}

func (d *realDisk) Forget(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h, ok := d.dirs[name]; ok {
		h.close()
		delete(d.dirs, name)
	}
}

func (d *realDisk) ForgetReplaced() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	any := false
	for _, name := range slices.Sorted(maps.Keys(d.dirs)) { // parents come before their children
		h, above := d.dirs[name], d.dirs[path.Dir(name)]
		if name == "." || above != nil && above.has(path.Base(name), h) {
			continue
		}
		any = true
		h.close()
		delete(d.dirs, name)
	}
	return any
}

// keepOpen keeps a new file open until it is synced. It returns false if too many are open.
func (d *realDisk) keepOpen(name string, f *os.File) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.new) == 64 { // the others are opened again to sync them
		return false
	}
	d.new[name] = f
	return true
}

// takeOpen removes and returns the new file that is kept open under name, nil if there is none.
func (d *realDisk) takeOpen(name string) *os.File {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.new[name]
	delete(d.new, name)
	return f
}

// open opens a file. If the process has too many open files, it closes the new ones and tries again.
func (d *realDisk) open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	in, base, err := d.in(name)
	if err != nil {
		return nil, err
	}
	f, err := in.open(base, flag, perm)
	if errors.Is(err, syscall.EMFILE) {
		d.closeNew()
		f, err = in.open(base, flag, perm)
	}
	return f, err
}

func (d *realDisk) closeNew() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, f := range d.new {
		f.Close()
		delete(d.new, name)
	}
}

// between calls do with two names, each split into its directory and its last part.
func (d *realDisk) between(old, new string, do func(from *handle, old string, to *handle, new string) error) error {
	from, oldBase, err := d.in(old)
	if err != nil {
		return err
	}
	to, newBase, err := d.in(new)
	if err != nil {
		return err
	}
	return do(from, oldBase, to, newBase)
}

// openRegular opens a regular file for reading, and returns its size.
func (d *realDisk) openRegular(name string) (*os.File, int64, error) {
	f, err := d.open(name, openToRead, 0)
	if err != nil {
		if is, look := d.Lstat(name); look == nil && !is.Mode.IsRegular() {
			err = &errs.KindError{Mode: is.Mode}
		}
		return nil, 0, err
	}
	size, err := regularSize(f)
	if err != nil {
		f.Close()
	}
	return f, size, err
}

// regularSize returns the size of an open file, and refuses what is not regular.
func regularSize(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &errs.KindError{Mode: info.Mode()}
	}
	return info.Size(), nil
}
