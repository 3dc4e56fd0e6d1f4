package git

import (
	"context"
	"math/rand/v2"
	"time"
)

// patience is how long a process may take to end after it was told to, and how long Commit then looks what has become
// of it.
const patience = 10 * time.Second

// lock waits for the turn of the caller, until ctx ends.
func lock(ctx context.Context, turn chan struct{}) error {
	select {
	case turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pause waits for a random time, so that writers who have met do not meet again.
func pause(ctx context.Context, try int) error {
	longest := time.Millisecond << min(try, 6)
	select {
	case <-time.After(rand.N(longest)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// afterwards returns a context that ends some time after ctx does, so that what has begun can come to an end.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(patience, cancel) })
	return later, func() { stop(); cancel() }
}
