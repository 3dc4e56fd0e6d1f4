package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// spread asks the file system to put the directories in dir far from each other, each with its files, so that files deleted by one
// way do not slow down another. Only ext2, ext3 and ext4 can do that.
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
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		return err
	}
	if err := os.Truncate(image, 2<<30); err != nil {
		return err
	}
	if err := os.Mkdir(mounted, 0o700); err != nil {
		return err
	}
	options := "loop"
	if kind == "btrfs" {
		options += ",ssd"
	}
	for _, c := range [][]string{{"mkfs." + kind, "-q", image}, {"mount", "-o", options, image, mounted}} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", c[0], err, out)
		}
	}
	defer exec.Command("umount", mounted).Run()
	return measure(mounted)
}
