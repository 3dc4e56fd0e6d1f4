//go:build unix && !solaris && !aix

package disk

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

func (d *realDisk) Inspect(name string) (Traits, error) {
	in, base, err := d.in(name)
	if err != nil {
		return Traits{}, err
	}
	is, err := in.statAt(base)
	if err != nil {
		return Traits{}, err
	}
	above, err := in.stat()
	if err != nil {
		return Traits{}, err
	}
	t := Traits{Stat: in.user.statOf(is), Device: Device{System: uint64(is.Dev)}}
	t.Writable = in.user.mayWrite(is)
	t.Replaceable = in.user.mayWrite(above)
	if t.Mode.IsDir() {
		top, err := d.dir(".")
		if err != nil {
			return Traits{}, err
		}
		root, err := top.stat()
		if err != nil {
			return Traits{}, err
		}
		t.Inherits = t.Mode&fs.ModeSetgid != 0 || groupOfDirectory && is.Gid != root.Gid
		if err := d.inspectDir(&t, name); err != nil {
			return Traits{}, err
		}
	} else if err := inspectFile(&t, in, base); err != nil {
		return Traits{}, err
	}
	if uid := in.user.uid; above.Mode&unix.S_ISVTX != 0 && uid != int(is.Uid) && uid != int(above.Uid) &&
		!privileged(is, capFowner) {
		t.Replaceable = false
	}
	return t, nil
}
