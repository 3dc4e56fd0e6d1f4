//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"context"
	"fmt"
	"sync"
	"time"
)

func (d *realDisk) Guard(ctx context.Context, name string, wait bool) (Stat, func(), error) {
	for {
		l, err := d.guard(name)
		if err != nil {
			return Stat{}, nil, err
		}
		var is Stat
		var still bool
		if err = l.Take(ctx, wait); err == nil {
			is, still, err = d.isStill(name)
		}
		if err == nil && still {
			return is, l.Release, nil
		}
		l.Release()
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

func (l *lock) Key() string { return l.key }

// Take waits for its turn in this process, and then for other processes.
func (l *lock) Take(ctx context.Context, wait bool) (err error) {
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

// Release gives the lock, and the turn, to the next one.
func (l *lock) Release() {
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
