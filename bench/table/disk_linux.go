package main

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit/bench/crash"
)

// spread asks the file system to put the directories in dir far from each other, each with its files, so that files
// deleted by one way do not slow down another. Only ext2, ext3 and ext4 can do that.
func spread(dir string) {
	const topOfTree = 0x20000 // the attribute T of chattr
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|topOfTree)
	}
}

// onLoop calls measure with a directory on a new file system of a kind, on a loop device.
func onLoop(kind string, measure func(dir string) error) error {
	dir, err := os.MkdirTemp("", "commit")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	image, mounted := filepath.Join(dir, "image"), filepath.Join(dir, "mounted")
	if err := errors.Join(os.Mkdir(mounted, 0o700), crash.Format(kind, image, 2<<30)); err != nil {
		return err
	}
	if err := crash.Mount(kind, image, mounted); err != nil {
		return err
	}
	defer crash.Umount(mounted)
	return measure(mounted)
}
