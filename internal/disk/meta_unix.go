//go:build unix && !solaris && !aix

package disk

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// ownAttributes returns the attributes that every file has.
func ownAttributes(is *unix.Stat_t) Attributes {
	return Attributes{Mode: modeOf(uint32(is.Mode)) & Settable, Owner: int(is.Uid), Group: int(is.Gid)}
}

// giveAttributes gives owner, group and extended attributes to a new file. It returns the mode that the file is to have, and
// whether owner and group are those of like now.
func giveAttributes(to *os.File, like Attributes, loose bool) (mode fs.FileMode, same bool, err error) {
	if mode, same, err = giveOwner(to, like, loose); err != nil {
		return 0, false, err
	}
	return mode, same, giveExtended(to, like.Extended, loose)
}

// giveOwner gives owner and group to a new file. If it cannot have them, giveOwner fails with fs.ErrPermission, or if loose,
// narrows the mode: the group of the file may then do no more than everybody may.
func giveOwner(to *os.File, like Attributes, loose bool) (mode fs.FileMode, same bool, err error) {
	var now unix.Stat_t
	if err := fstat(to, &now); err != nil {
		return 0, false, err
	}
	mode = like.Mode
	if int(now.Uid) == like.Owner && int(now.Gid) == like.Group && numbered(&now) {
		return mode, true, nil
	}
	err = to.Chown(like.Owner, like.Group)
	if err == nil {
		return mode, true, nil
	}
	if err = unnumbered(err); !loose || !errors.Is(err, fs.ErrPermission) {
		return 0, false, err
	}
	mode &= fs.ModePerm
	switch err := unnumbered(to.Chown(-1, like.Group)); {
	case errors.Is(err, fs.ErrPermission):
		mode &^= 0o070 &^ (mode & 0o007 << 3)
	case err != nil:
		return 0, false, err
	}
	return mode, false, nil
}

// unnumbered makes fs.ErrPermission of the error that an owner has no number in this user namespace.
func unnumbered(err error) error {
	if errors.Is(err, unix.EINVAL) {
		return fs.ErrPermission
	}
	return err
}

// A held is the handle of a file.
type held struct {
	*os.File
	size int64
}

func (h held) Attributes() (Attributes, error) { return attributesOf(h.File) }

func (h held) Equal(data []byte) (bool, error) {
	if h.size != int64(len(data)) {
		return false, nil
	}
	return holds(h.File, data)
}

func (d *realDisk) Hold(name string) (Held, error) {
	f, size, err := d.openRegular(name)
	if err != nil {
		return nil, err
	}
	return held{f, size}, nil
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

// amend changes the mode last, because a change of owner clears parts of it, and one of the access list sets others.
func amend(f *os.File, was, now Attributes) error {
	is, err := attributesOf(f)
	if err != nil {
		return err
	}
	owner := is.Owner == was.Owner && is.Group == was.Group && (now.Owner != was.Owner || now.Group != was.Group)
	if owner {
		if err := unnumbered(f.Chown(now.Owner, now.Group)); err != nil {
			return err
		}
	}
	if err := amendExtended(f, was.Extended, now.Extended); err != nil {
		return err
	}
	if is.Mode == was.Mode && (now.Mode != was.Mode || owner) {
		return f.Chmod(now.Mode)
	}
	return nil
}
