//go:build unix && !solaris && !aix

package disk_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// another opens and locks the directory the way another process does, without the queue of this process.
func another(t *testing.T, dir string) (unlock func()) {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}

func locker(t *testing.T, dir string) func(ctx context.Context, wait bool) (func(), error) {
	t.Helper()
	d, release, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return func(ctx context.Context, wait bool) (func(), error) {
		l, err := d.LockOf(".")
		if err != nil {
			return nil, err
		}
		if err = l.Take(ctx, wait); err != nil {
			l.Release()
		}
		return l.Release, err
	}
}

// A commit that gives up waiting for another process does not keep the lock from later commits, or from other
// processes.
func TestAWaitThatIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	lock := locker(t, dir)
	unlock := another(t, dir)
	for range 20 {
		ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
		_, err := lock(ctx, true)
		stop()
		if !errors.Is(err, disk.ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v", err)
		}
	}
	if _, err := lock(t.Context(), false); err != disk.ErrLocked {
		t.Errorf("without waiting: error %v", err)
	}
	unlock()
	ours, err := lock(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	ours()

	unlock = another(t, dir)
	ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	lock(ctx, true)
	unlock()
	another(t, dir)() // would wait forever if the call still held the lock
}

// Commits that wait in this process get the lock one at a time. Those that give up are skipped.
func TestTheQueueOfAProcess(t *testing.T) {
	dir := t.TempDir()
	stop := another(t, filepath.Clean(dir))
	var inside, most, got, gaveUp atomic.Int32
	var wg sync.WaitGroup
	for i := range 60 {
		lock := locker(t, dir)
		wg.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if i%3 == 0 {
				time.AfterFunc(time.Duration(i)*300*time.Microsecond, cancel)
			}
			unlock, err := lock(ctx, true)
			if err != nil {
				gaveUp.Add(1)
				return
			}
			got.Add(1)
			most.Store(max(most.Load(), inside.Add(1)))
			time.Sleep(100 * time.Microsecond)
			inside.Add(-1)
			unlock()
		})
	}
	time.Sleep(10 * time.Millisecond)
	stop()
	wg.Wait()
	if most.Load() != 1 || got.Load() < 40 || got.Load()+gaveUp.Load() != 60 {
		t.Errorf("%d at once, %d got it, %d gave up", most.Load(), got.Load(), gaveUp.Load())
	}
	another(t, dir)()
}
