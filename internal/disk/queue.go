//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A queue is where the commits of this process wait for one directory, in the order in which they came. Only the first of them
// waits for other processes too.
type queue struct {
	held    bool // by a commit that has the lock, or is the first to wait for it
	waiting []chan struct{}
	inRow   int    // handovers within this process without a wait for another one
	claim   *claim // a request that the system has not answered yet; nil if there is none
}

// queues has the queues in which somebody is, under one lock for all of them.
var queues = struct {
	sync.Mutex
	of map[lockKey]*queue
}{of: map[lockKey]*queue{}}

// maxInRow is how often a lock goes from one commit of this process to the next before other processes get a moment to take it.
const maxInRow = 8

// lineUp waits until it is the caller's turn, or ctx ends. Without wait it is [ErrLocked] if somebody else is there.
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

// leave lets the next one have its turn.
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

// dropUnused forgets a queue in which nobody is. The caller holds the lock of queues.
func (q *queue) dropUnused(key lockKey) {
	if !q.held && q.claim == nil {
		delete(queues.of, key)
	}
}

// giveWay pauses now and then, so that a process with many commits does not keep the lock for itself.
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

// waited says why a wait for a lock has ended.
func waited(ctx context.Context) error { return fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx)) }
