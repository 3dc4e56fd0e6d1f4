//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
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
		var is Stat
		var still bool
		if err = l.take(ctx, wait); err == nil {
			is, still, err = d.isStill(name)
		}
		if err == nil && still {
			return is, l.release, nil
		}
		l.release()
		d.Forget(name) // the commit that had the guard has removed the directory
		if err != nil {
			return Stat{}, nil, err
		}
	}
}

// isStill reports whether name still stands for the directory whose handle the disk keeps, and describes it if so.
func (d *realDisk) isStill(name string) (is Stat, still bool, err error) {
	h, err := d.dir(name)
	if err != nil {
		return is, false, err
	}
	in, base, err := d.in(name)
	if err != nil || !in.has(base, h) {
		return is, false, err
	}
	is, err = h.lstat(".")
	return is, true, err
}

// lockAll takes the locks in the same order in all processes, so that there are no deadlocks.
func (d *realDisk) lockAll(ctx context.Context, dirs []string, wait bool) (func(), error) {
	var locks []*lock
	unlock := func() {
		for _, l := range slices.Backward(locks) {
			l.release()
		}
	}
	for _, dir := range dirs {
		l, err := d.lockOf(dir)
		if err != nil {
			unlock()
			return nil, err
		}
		locks = append(locks, l)
	}
	slices.SortFunc(locks, func(l, m *lock) int { return strings.Compare(l.key, m.key) })
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

// take waits for its turn in this process, and then for other processes. The caller has to release the lock, even with
// an error.
func (l *lock) take(ctx context.Context, wait bool) (err error) {
	if l.queue, err = lineUp(ctx, l.key, wait); err != nil {
		return err
	}
	if wait && l.queue.inRow >= 8 { // now other processes get a chance to take the lock
		l.queue.inRow = 0
		time.Sleep(time.Millisecond)
	}
	if err = l.try(); err == ErrLocked && wait {
		return l.wait(ctx)
	}
	return err
}

// release gives the lock, and the turn, to the next one. It does nothing if the lock was not taken.
func (l *lock) release() {
	l.open()
	if l.queue != nil {
		l.queue.leave(l.key)
		l.queue = nil
	}
}

// A queue has the commits of this process that want one directory. Only one at a time waits for other processes.
type queue struct {
	turn  chan struct{} // full while a commit has the turn; the others wait to fill it, in the order in which they came
	users int           // those that have the turn, or wait for it
	inRow int           // how often in a row the lock was handed over within this process; belongs to who has the turn
}

// queues has the queues that are in use, with one mutex for all of them.
var queues = struct {
	sync.Mutex
	of map[string]*queue
}{of: map[string]*queue{}}

// lineUp waits until it is the caller's turn, or ctx ends. Without wait, it fails with [ErrLocked] at once.
func lineUp(ctx context.Context, key string, wait bool) (*queue, error) {
	queues.Lock()
	q := queues.of[key]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		queues.of[key] = q
	}
	q.users++
	queues.Unlock()
	select {
	case q.turn <- struct{}{}: // even if ctx has ended
		return q, nil
	default:
	}
	err := ErrLocked
	if wait {
		select {
		case q.turn <- struct{}{}:
			return q, nil
		case <-ctx.Done():
			err = waited(ctx)
		}
	}
	q.drop(key)
	return nil, err
}

func (q *queue) leave(key string) {
	q.inRow++
	<-q.turn
	q.drop(key)
}

// drop removes one user of the queue, and the queue if that was the last one.
func (q *queue) drop(key string) {
	queues.Lock()
	defer queues.Unlock()
	if q.users--; q.users == 0 {
		delete(queues.of, key)
	}
}

func waited(ctx context.Context) error { return fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx)) }
