//go:build unix && !linux

package atomicedit

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func (d rootDisk) inspectDir(*traits, string) {}
func inspectFile(*traits, *folder, string)    {}
func startWriting(*os.File)                   {}

// keepMeta gives to the owner of from, and returns the mode that to is to have, and whether the owner is the same. Extended
// attributes, access lists and flags are not kept.
func keepMeta(from, to *os.File, looseOwner bool) (fs.FileMode, bool, error) {
	return keepOwner(from, to, looseOwner)
}

func privileged(*unix.Stat_t, int) bool { return os.Geteuid() == 0 }
func numbered(*unix.Stat_t) bool        { return true }

const groupOfDirectory = true // hands its group to new files

func renameNew(rootDisk, *folder, string, *folder, string) error { return errors.ErrUnsupported }
