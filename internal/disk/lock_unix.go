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

// A claim is a request for a lock that cannot be cancelled, because the system call blocks a thread. So a commit that
// gives up leaves its claim to the next one in the queue. However many commits give up, only one thread waits for a
// directory.
type claim struct {
	file   *os.File // opened for this claim, so that no other handle shares the lock
	wanted bool
	got    chan error // with room for the answer
}

// wait lets this process wait in the queue of the system. Only the first in our queue calls it.
func (l *lock) wait(ctx context.Context, q *queue) error {
	queues.Lock()
	q.inRow = 0
	c := q.claim
	if c == nil {
		f, err := l.dir.open(".", openToRead|unix.O_DIRECTORY, 0)
		if err != nil {
			queues.Unlock()
			return err
		}
		c = &claim{file: f, got: make(chan error, 1)}
		q.claim = c
		go q.answer(c, l.key)
	}
	c.wanted = true
	queues.Unlock()

	select {
	case err := <-c.got:
		if err == nil {
			l.held = c.file
		}
		return err
	case <-ctx.Done():
	}
	queues.Lock()
	defer queues.Unlock()
	select {
	case err := <-c.got: // at the same moment
		if err == nil {
			c.file.Close()
		}
	default:
		c.wanted = false
	}
	return waited(ctx)
}

// answer waits for the lock, and hands it to the commit that wants it by then.
func (q *queue) answer(c *claim, key lockKey) {
	err := flock(c.file, unix.LOCK_EX)
	queues.Lock()
	defer queues.Unlock()
	q.claim = nil
	if err != nil || !c.wanted {
		c.file.Close()
	}
	if c.wanted {
		c.got <- err
	}
	q.dropUnused(key)
}
