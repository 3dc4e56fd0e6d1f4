//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"context"
	"errors"
	"io/fs"
	"slices"
)

func (d *realDisk) Lock(ctx context.Context, dirs func() []string, wait bool) (func(), error) {
	for tries := 0; ; tries++ {
		unlock, err := d.lockAll(ctx, dirs(), wait)
		replaced := d.forgetReplaced()
		gone := errors.Is(err, fs.ErrNotExist) && tries < 10 // since dirs looked it up
		switch {
		case err != nil && !gone, err == nil && !replaced:
			return unlock, err
		case err == nil:
			unlock()
		}
	}
}

func (d *realDisk) Guard(ctx context.Context, name string, wait bool) (Stat, func(), error) {
	for {
		l, err := d.guard(name)
		if err != nil {
			return Stat{}, nil, err
		}
		if err := l.take(ctx, wait); err != nil {
			l.release()
			return Stat{}, nil, err
		}
		still, err := d.isStill(name)
		if err == nil && still {
			var is Stat
			if is, err = d.opened(name); err == nil {
				return is, l.release, nil
			}
		}
		l.release()
		d.Forget(name) // the commit that had the guard has removed the directory
		if err != nil {
			return Stat{}, nil, err
		}
	}
}

// opened describes the directory whose handle the disk keeps.
func (d *realDisk) opened(name string) (Stat, error) {
	h, err := d.dir(name)
	if err != nil {
		return Stat{}, err
	}
	return h.lstat(".")
}

// isStill reports whether name still stands for the directory whose handle the disk keeps.
func (d *realDisk) isStill(name string) (bool, error) {
	h, err := d.dir(name)
	if err != nil {
		return false, err
	}
	in, base, err := d.in(name)
	return err == nil && in.has(base, h), err
}

// lockAll takes the locks in the same order in all processes, so that there are no deadlocks.
func (d *realDisk) lockAll(ctx context.Context, dirs []string, wait bool) (func(), error) {
	locks, err := d.locks(dirs)
	unlock := func() {
		for _, l := range slices.Backward(locks) {
			l.release()
		}
	}
	if err != nil {
		unlock()
		return nil, err
	}
	slices.SortFunc(locks, func(l, m *lock) int { return l.key.compare(m.key) })
	for i, l := range locks {
		if i > 0 && l.key == locks[i-1].key {
			continue // the same directory by another name
		}
		if err := l.take(ctx, wait); err != nil {
			unlock()
			return nil, err
		}
	}
	return unlock, nil
}

// take waits for its turn in this process, and then for other processes.
func (l *lock) take(ctx context.Context, wait bool) error {
	q, err := lineUp(ctx, l.key, wait)
	if err != nil {
		return err
	}
	if wait {
		q.giveWay()
	}
	if err = l.try(); err == ErrLocked && wait {
		err = l.wait(ctx, q)
	}
	if err != nil {
		q.leave(l.key)
		return err
	}
	l.queue = q
	return nil
}

// release gives the lock to the next one. It does nothing if the lock was not taken.
func (l *lock) release() {
	l.open()
	if l.queue != nil {
		l.queue.leave(l.key)
		l.queue = nil
	}
}
