package sqlstore

import (
	"context"
	"math/rand/v2"
	"time"
)

// A wait is a pause before the next attempt. Pauses grow and are random, so that transactions that conflict move apart.
type wait struct {
	longest time.Duration
	n       int // of pauses before this one
}

// firstWait is the pause after the first attempt.
func firstWait() wait { return wait{longest: time.Millisecond} }

// longestWait bounds every pause.
const longestWait = 200 * time.Millisecond

func (w wait) next() wait {
	return wait{min(2*w.longest, longestWait), w.n + 1}
}

// sleep pauses, or fails with the error of a context that ends.
func (w wait) sleep(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(w.longest)):
		return ctx.Err()
	}
}

// extended returns a context that ends d later than ctx.
func extended(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		defer cancel()
		select {
		case <-time.After(d):
		case <-longer.Done():
		}
	})
	return longer, func() {
		stop()
		cancel()
	}
}
