// Package crash has what the programs share that crash commits or need a file system of their own.
package crash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Litter lists the internal files of commits in a directory, which should be gone after the next open and commit.
func Litter(dir string) (names []string) {
	filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".atomicedit") {
			names = append(names, strings.TrimPrefix(full, dir))
		}
		return nil
	})
	return names
}

// Run runs a program. The error has what the program prints.
func Run(name string, args ...string) error {
	out, err := exec.CommandContext(context.Background(), name, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return err
}

// Format makes an image of a new file system: ext4, xfs or btrfs.
func Format(kind, image string, size int64) error {
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, size)); err != nil {
		return err
	}
	return Run("mkfs."+kind, "-q", image)
}

// Mount mounts an image at dir. Umount ends the loop device with the mount.
func Mount(kind, image, dir string) error {
	options := map[string]string{
		"xfs":   ",nouuid", // two copies of an image can be mounted at a time
		"btrfs": ",ssd",    // it takes a loop device for a rotating disk
	}[kind]
	return Run("mount", "-t", kind, "-o", "loop"+options, image, dir)
}

// Umount unmounts dir.
func Umount(dir string) { Run("umount", dir) }
