//go:build unix && !solaris && !aix

package commit

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

// A dead commit in the inner one of two trees needs a directory that the joint commit locks by way of the outer one.
func TestAJointCommitRecoversWhatItWouldLockTwice(t *testing.T) {
	outer := disktest.SeedTree(t, map[string]string{"sub/f": "1", "sub/d/g": "1", "sub/h": "1", "sub/i": "1"})
	inner := filepath.Join(outer, "sub")
	trees := openAll(t, outer, inner)
	for k := 0; ; k++ {
		dying := disktest.NewFault(pinned(t, inner), k, disktest.DieBefore)
		commitOn(dying, Options{}, []Change{edit("h", "1", "2"), edit("i", "1", "2")})
		if _, err := os.Stat(filepath.Join(inner, JournalName)); err == nil {
			break
		}
		if !dying.Reached() {
			t.Fatal("no commit died with a journal")
		}
		recoverOn(pinned(t, inner), Options{})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	said, err := heard(trees[0], func(tree *Tree) error {
		trees[1].opts.Say = tree.opts.Say
		return jointly(ctx, []part{{tree: trees[0], changes: []Change{edit("sub/f", "1", "2")}},
			{tree: trees[1], changes: []Change{edit("d/g", "1", "2")}}})
	})
	if err != nil || len(said) != 1 {
		t.Errorf("said %q, error %v", said, err)
	}
}

// A tree in which many commits wait for one another is no obstacle, only a queue.
func TestAJointCommitGetsItsTurn(t *testing.T) {
	trees := openAll(t, disktest.SeedTree(t, map[string]string{"x": "1"}),
		disktest.SeedTree(t, map[string]string{"x": "1"}))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stop := make(chan bool)
	done := make(chan bool)
	crowd := sweeptest.Or(8, 30)
	for range crowd {
		go func() {
			defer func() { done <- true }()
			for {
				d, release := trees[1].pin()
				l, err := d.LockOf(".")
				if err == nil {
					err = l.Take(context.Background(), true)
				}
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(50 * time.Millisecond)
				l.Release()
				release()
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
	}
	err := jointly(ctx, []part{{tree: trees[0], changes: []Change{edit("x", "1", "2")}},
		{tree: trees[1], changes: []Change{edit("x", "1", "2")}}})
	if err != nil {
		t.Error(err)
	}
	close(stop)
	for range crowd {
		<-done
	}
}
