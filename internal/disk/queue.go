//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A queue has the commits of this process that wait for one directory, in the order in which they came. Only the first
// of them also waits for other processes.
type queue struct {
	held    bool // a commit has the lock, or is the first to wait for it
	waiting []chan struct{}
	inRow   int    // how often in a row the lock was handed over within this process
	claim   *claim // a request that the system has not answered yet; nil if there is none
}

// queues has the queues that are in use, with one mutex for all of them.
var queues = struct {
	sync.Mutex
	of map[lockKey]*queue
}{of: map[lockKey]*queue{}}

// maxInRow is how often a lock is handed over within this process before other processes get a chance to take it.
const maxInRow = 8

// lineUp waits until it is the caller's turn, or ctx ends. Without wait, it fails with [ErrLocked] if it is not the
// caller's turn.
func lineUp(ctx context.Context, key lockKey, wait bool) (*queue, error) {
	queues.Lock()
	q := queues.of[key]
	if q == nil {
		q = &queue{}
		queues.of[key] = q
	}
	if !q.held {
		q.held = true
		queues.Unlock()
		return q, nil
	}
	if !wait {
		queues.Unlock()
		return nil, ErrLocked
	}
	turn := make(chan struct{})
	q.waiting = append(q.waiting, turn)
	queues.Unlock()

	select {
	case <-turn:
		return q, nil
	case <-ctx.Done():
	}
	queues.Lock()
	i := slices.Index(q.waiting, turn)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	queues.Unlock()
	if i < 0 { // the turn came at the same moment
		q.leave(key)
	}
	return nil, waited(ctx)
}

// leave gives the turn to the next commit in the queue.
func (q *queue) leave(key lockKey) {
	queues.Lock()
	defer queues.Unlock()
	if len(q.waiting) > 0 {
		close(q.waiting[0])
		q.waiting = q.waiting[1:]
		q.inRow++
		return
	}
	q.held, q.inRow = false, 0
	q.dropUnused(key)
}

// dropUnused removes the queue if nobody uses it. The caller holds the mutex of queues.
func (q *queue) dropUnused(key lockKey) {
	if !q.held && q.claim == nil {
		delete(queues.of, key)
	}
}

// giveWay pauses from time to time, so that a process with many commits does not monopolize the lock.
func (q *queue) giveWay() {
	queues.Lock()
	pause := q.inRow >= maxInRow
	if pause {
		q.inRow = 0
	}
	queues.Unlock()
	if pause {
		time.Sleep(time.Millisecond)
	}
}

// waited returns the error for a wait that ended with its context.
func waited(ctx context.Context) error { return fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx)) }
