//go:build unix && !solaris && !aix

package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

func (d *realDisk) inspect(name string) (Traits, error) {
	in, base, err := d.in(name)
	if err != nil {
		return Traits{}, err
	}
	is, err := in.statAt(base)
	if err != nil {
		return Traits{}, err
	}
	t := Traits{Stat: in.user.statOf(is), Device: Device{System: uint64(is.Dev)}}
	if t.Writable, err = in.mayWrite(base); err != nil {
		return Traits{}, err
	}
	if t.Mode.IsDir() {
		t.Inherits = t.Mode&fs.ModeSetgid != 0
		err = d.inspectDir(&t, is, name)
		return t, err
	}
	if t.Fixed, t.MountPoint, err = in.flags(base); err != nil {
		return Traits{}, err
	}
	uid := in.user.uid
	sticky := in.is.Mode&unix.S_ISVTX != 0 && uid != int(is.Uid) && uid != int(in.is.Uid) && !privileged(is, capFowner)
	may, err := in.replaceable()
	t.Replaceable = may && !sticky
	return t, err
}

// The numbers of the Linux capabilities for files of other users. On other systems, root has these rights.
const (
	capChown  = 0
	capFowner = 3
)

// A user is the effective user of this process. Each disk asks for it once.
type user struct {
	uid, gid int
	groups   func() []int
}

func (u *user) statOf(is *unix.Stat_t) Stat {
	s := Stat{Mode: modeOf(uint32(is.Mode)), Size: is.Size, Links: int(is.Nlink), Ours: int(is.Uid) == u.uid}
	s.ID = FileID{uint64(is.Dev), uint64(is.Ino)}
	s.Keepable = s.Ours && (int(is.Gid) == u.gid || slices.Contains(u.groups(), int(is.Gid))) && numbered(is) ||
		privileged(is, capChown) && (s.Ours || privileged(is, capFowner))
	return s
}

// modeOf converts a mode of the system. It does not tell devices, sockets and pipes apart.
func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	for _, bit := range []struct {
		sys uint32
		is  fs.FileMode
	}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}} {
		if mode&bit.sys != 0 {
			m |= bit.is
		}
	}
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	default:
		m |= fs.ModeIrregular
	}
	return m
}

// maxTries is how often something is read if others keep changing it.
const maxTries = 10

// attributesOf returns the attributes of a file as they were at one moment. It reads again if they change meanwhile.
func attributesOf(f *os.File) (a Attributes, is unix.Stat_t, err error) {
	for range maxTries {
		var before unix.Stat_t
		var more map[string]string
		if err = fstat(f, &before); err == nil {
			more, err = extended.read(int(f.Fd()))
		}
		if err == nil {
			err = fstat(f, &is)
		}
		if err != nil {
			return Attributes{}, is, err
		}
		if a = ownAttributes(&is); before.Ctim == is.Ctim && ownAttributes(&before).Equal(a) {
			a.Extended = more
			return a, is, nil
		}
	}
	return Attributes{}, unix.Stat_t{}, ErrChanging
}

func ownAttributes(is *unix.Stat_t) Attributes {
	return Attributes{Mode: modeOf(uint32(is.Mode)) & Settable, Owner: int(is.Uid), Group: int(is.Gid)}
}

// giveAttributes gives the owner, group and extended attributes of like to a new file. It returns the mode that the
// caller has to set. Same reports whether the file now has the owner and group of like. If this process may not give
// them, giveAttributes fails with fs.ErrPermission or, if loose is set, narrows the mode: the group of the file gets no
// more rights than everybody has.
func giveAttributes(to *os.File, like Attributes, loose bool) (mode fs.FileMode, same bool, err error) {
	var now unix.Stat_t
	if err := fstat(to, &now); err != nil {
		return 0, false, err
	}
	if int(now.Uid) != like.Owner || int(now.Gid) != like.Group || !numbered(&now) {
		err = unnumbered(to.Chown(like.Owner, like.Group))
	}
	mode, same = like.Mode, err == nil
	if loose && errors.Is(err, fs.ErrPermission) {
		mode &= fs.ModePerm
		if err = unnumbered(to.Chown(-1, like.Group)); errors.Is(err, fs.ErrPermission) {
			mode &^= 0o070 &^ (mode & 0o007 << 3)
			err = nil
		}
	}
	if err == nil {
		err = extended.give(int(to.Fd()), like.Extended, loose)
	}
	return mode, same, err
}

// unnumbered turns the error for an owner without an id in this user namespace into fs.ErrPermission.
func unnumbered(err error) error {
	if errors.Is(err, unix.EINVAL) {
		return fs.ErrPermission
	}
	return err
}

type held struct {
	*os.File
	read bool // Equal was called
	disk *realDisk
	name string
	is   unix.Stat_t // at the last call of Attributes
}

func (h *held) Attributes() (a Attributes, err error) {
	if a, h.is, err = attributesOf(h.File); errors.Is(err, unix.ESTALE) {
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err) // the file has lost its name, by which the file system finds it
	}
	return a, err
}

func (h *held) Equal(data []byte) (bool, error) {
	if h.read {
		if _, err := h.Seek(0, io.SeekStart); err != nil {
			return false, err
		}
	}
	h.read = true
	return holds(h.File, data)
}

func (h *held) IsCurrent() (bool, error) {
	in, base, err := h.disk.in(h.name)
	if err != nil {
		return false, err
	}
	now, err := in.statAt(base)
	return err == nil && h.is.Dev == now.Dev && h.is.Ino == now.Ino && h.is.Ctim == now.Ctim, UnlessGone(err)
}

func (d *realDisk) Hold(name string) (Held, error) {
	f, _, err := d.openRegular(name)
	if err != nil {
		return nil, err
	}
	return &held{File: f, disk: d, name: name}, nil
}

func (d *realDisk) Amend(name string, was, now Attributes) error {
	f, _, err := d.openRegular(name)
	if err != nil {
		return err
	}
	if err = amend(f, was, now); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// amend changes the mode last, because changing the owner clears some of its bits, and an access list sets others.
func amend(f *os.File, was, now Attributes) error {
	is, _, err := attributesOf(f)
	if err != nil {
		return err
	}
	owner := is.Owner == was.Owner && is.Group == was.Group && (now.Owner != was.Owner || now.Group != was.Group)
	if owner {
		if err := unnumbered(f.Chown(now.Owner, now.Group)); err != nil {
			return err
		}
	}
	if err := extended.amend(int(f.Fd()), was.Extended, now.Extended); err != nil {
		return err
	}
	if is.Mode == was.Mode && (now.Mode != was.Mode || owner) {
		return f.Chmod(now.Mode)
	}
	return nil
}
