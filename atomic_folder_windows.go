package atomicedit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// A folder is a pinned directory. Its methods take names of one part; open alone follows a link, if it leads nowhere else.
type folder struct {
	root     *os.Root
	name     string // below the root of the commit
	borrowed bool   // the root is not ours to close
}

// openFolder makes a folder of a root.
func openFolder(root *os.Root) (*folder, error) { return &folder{root, ".", true}, nil }

// openFolderAt opens the directory of that name, links followed.
func openFolderAt(name string) (*folder, error) {
	full, err := filepath.Abs(name) // by which its names are looked up
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, err
	}
	return &folder{root, ".", false}, nil
}

func (f *folder) close() {
	if !f.borrowed {
		f.root.Close()
	}
}

// below opens a directory in this one: no link, which somebody may have put there since its name was resolved.
func (f *folder) below(name string) (*folder, error) {
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	g := &folder{root, filepath.Join(f.name, name), false}
	if !f.holds(name, g) {
		g.close()
		return nil, fmt.Errorf("the directory is being replaced: %w", fs.ErrInvalid)
	}
	return g, nil
}

// holds reports whether g is what name stands for in f.
func (f *folder) holds(name string, g *folder) bool {
	is, err := g.root.Stat(".")
	if err != nil {
		return false
	}
	named, err := f.root.Lstat(name)
	return err == nil && os.SameFile(is, named)
}

func (f *folder) lstat(name string) (stat, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return stat{}, err
	}
	return stat{mode: info.Mode(), size: info.Size(), ours: true, keepable: true}, nil
}

// details asks for what an [fs.FileInfo] does not say.
func (f *folder) details(name string) (is windows.ByHandleFileInformation, err error) {
	file, err := f.open(name, openToRead, 0)
	if err != nil {
		return is, err
	}
	defer file.Close()
	return is, windows.GetFileInformationByHandle(windows.Handle(file.Fd()), &is)
}

func (f *folder) open(name string, flag int, perm fs.FileMode) (file *os.File, err error) {
	err = retryWhile(func() error {
		file, err = f.root.OpenFile(name, flag, perm)
		return err
	}, windows.ERROR_SHARING_VIOLATION, windows.ERROR_DELETE_PENDING)
	return file, err
}

func (f *folder) mkdir(name string, perm fs.FileMode) error { return f.root.Mkdir(name, perm) }

func (f *folder) remove(name string) error { return f.root.Remove(name) }

// There is no call that takes two directories.
func link(d rootDisk, from *folder, old string, to *folder, new string) error {
	return two(d, from, old, to, new, (*os.Root).Link)
}

// A rename takes the place of no file that is marked as read-only. A commit wants that only to take back what it has made.
func rename(d rootDisk, from *folder, old string, to *folder, new string) error {
	new = to.spelled(new)
	err := two(d, from, old, to, new, (*os.Root).Rename)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) && to.readOnly(new) && to.root.Chmod(new, 0o600) == nil {
		err = two(d, from, old, to, new, (*os.Root).Rename)
	}
	return err
}

// spelled returns the name that the directory lists for a file: a rename to another spelling of it, by case or a short one,
// would change it.
func (f *folder) spelled(name string) string {
	is, err := f.root.Lstat(name)
	if err != nil {
		return name
	}
	full, err := windows.UTF16PtrFromString(filepath.Join(f.root.Name(), name))
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
	if named, err := f.root.Lstat(listed); err != nil || !os.SameFile(is, named) {
		return name
	}
	return listed
}

func (f *folder) readOnly(name string) bool {
	is, err := f.lstat(name)
	return err == nil && is.mode.IsRegular() && is.mode&0o200 == 0
}

func renameNew(rootDisk, *folder, string, *folder, string) error { return errors.ErrUnsupported }

func two(d rootDisk, from *folder, old string, to *folder, new string, do func(r *os.Root, old, new string) error) error {
	if from == to {
		return do(from.root, old, new)
	}
	top, err := d.folder(".")
	if err != nil {
		return err
	}
	return do(top.root, filepath.Join(from.name, old), filepath.Join(to.name, new))
}
