package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/windows"
)

// A lock is a file in the user's cache directory that stands for a directory, because Windows cannot lock directories.
// Its name is the identity of the directory, because the directory itself can have several names: junctions, drive
// letters, short names. The file is empty, and stays. Commits of different users do not exclude each other.
type lock struct {
	key   lockKey
	file  *os.File
	queue *queue
}

type lockKey string

func (k lockKey) compare(m lockKey) int { return strings.Compare(string(k), string(m)) }

func (d *realDisk) lockOf(dir string) (*lock, error) { return d.lockFile(dir, "") }

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
	return &lock{key: lockKey(name), file: f}, nil
}

func (l *lock) try() error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(l.file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// wait tries again at short, constant intervals, because Windows has no queue. With growing intervals, the longest wait would have the smallest
// chance.
func (l *lock) wait(ctx context.Context, q *queue) error {
	for {
		select {
		case <-ctx.Done():
			return l.begin(q, waited(ctx))
		case <-time.After(time.Millisecond):
		}
		if err := l.try(); err != ErrLocked {
			return l.begin(q, err)
		}
	}
}

// open unlocks and closes the file.
func (l *lock) open() { l.file.Close() }
