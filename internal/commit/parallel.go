package commit

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// together calls do with 0 to n-1, several at a time, and returns the first error in that order. A disk syncs many
// files in little more time than one, and several processors share the other work.
func together(n int, do func(i int) error) error {
	return cmp.Or(each(n, do)...)
}

// each is together, but returns the error of every call.
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

// caught calls do, and turns a panic into an error. The commit is then rolled back, and the program goes on. No caller
// could recover a panic in one of these goroutines.
func caught(do func(i int) error, i int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a defect in package commit: %v\n%s", r, debug.Stack())
		}
	}()
	return do(i)
}
