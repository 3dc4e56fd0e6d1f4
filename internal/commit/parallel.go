package commit

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// together calls do with 0 to n-1, several at a time. It returns the first error in that order. A disk takes little longer to
// sync many files than to sync one, and processors share the rest.
func together(n int, do func(i int) error) error {
	for _, err := range each(n, do) {
		if err != nil {
			return err
		}
	}
	return nil
}

// each does the same, and returns all the errors.
func each(n int, do func(i int) error) []error {
	const workers = 16
	errs := make([]error, n)
	if n == 1 {
		errs[0] = caught(do, 0)
		return errs
	}
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = caught(do, i)
			}
		})
	}
	wg.Wait()
	return errs
}

// caught calls do. It makes an error of a panic, which nobody could recover in a goroutine of a commit: the commit is then
// rolled back, and the program goes on.
func caught(do func(i int) error, i int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a defect in package commit: %v\n%s", r, debug.Stack())
		}
	}()
	return do(i)
}
