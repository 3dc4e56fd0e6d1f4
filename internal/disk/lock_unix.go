//go:build unix && !solaris && !aix

package disk

import (
	"cmp"
	"context"
	"os"

	"golang.org/x/sys/unix"
)

// A lock locks an open directory against other handles of it. The system releases the lock when the process ends, for
// whatever reason.
type lock struct {
	key   lockKey
	dir   *handle
	held  *os.File // the locked file; nil if the lock was not taken
	queue *queue
}

type lockKey struct{ device, ino uint64 }

func (k lockKey) compare(m lockKey) int {
	return cmp.Or(cmp.Compare(k.device, m.device), cmp.Compare(k.ino, m.ino))
}

// lockOf returns the lock of a directory, which is not taken yet.
func (d *realDisk) lockOf(dir string) (*lock, error) {
	h, err := d.dir(dir)
	if err != nil {
		return nil, err
	}
	is, err := h.stat()
	if err != nil {
		return nil, err
	}
	return &lock{key: lockKey{uint64(is.Dev), uint64(is.Ino)}, dir: h}, nil
}

func (d *realDisk) guard(name string) (*lock, error) { return d.lockOf(name) }

func (l *lock) try() error {
	err := flock(l.dir.file, unix.LOCK_EX|unix.LOCK_NB)
	switch err {
	case nil:
		l.held = l.dir.file
	case unix.EWOULDBLOCK:
		return ErrLocked
	}
	return err
}

func (l *lock) open() {
	if l.held == nil {
		return
	}
	if l.held == l.dir.file {
		flock(l.held, unix.LOCK_UN) // fails if the directory is gone: its handle is closed, which unlocks too
	} else {
		l.held.Close()
	}
	l.held = nil
}

func flock(f *os.File, how int) error {
	return ignoringEINTR(func() error { return unix.Flock(int(f.Fd()), how) })
}

// wait lets this process wait in the queue of the system. The call cannot be cancelled, and blocks a thread. So if ctx
// ends, the turn stays with the call, and the next commit gets it when that returns: however many commits give up, only
// one thread waits for a directory.
func (l *lock) wait(ctx context.Context, q *queue) error {
	q.inRow = 0
	f, err := l.dir.open(".", openToRead|unix.O_DIRECTORY, 0) // no other handle shares its lock
	if err != nil {
		return l.begin(q, err)
	}
	got := make(chan error)
	go func() {
		err := flock(f, unix.LOCK_EX)
		select {
		case got <- err:
		case <-ctx.Done():
			f.Close()
			q.leave(l.key)
		}
	}()
	select {
	case err := <-got:
		if err != nil {
			f.Close()
		} else {
			l.held = f
		}
		return l.begin(q, err)
	case <-ctx.Done():
		return waited(ctx)
	}
}
