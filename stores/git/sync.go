package git

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
)

// syncAll waits until files and directories are on disk, several at a time. It ignores names that are not there: an
// object may be in a pack.
func syncAll(names []string) error {
	const atOnce = 8
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	tokens := make(chan struct{}, atOnce)
	for _, name := range names {
		tokens <- struct{}{}
		wg.Go(func() {
			defer func() { <-tokens }()
			if err := syncOne(name); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func syncOne(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if runtime.GOOS == "windows" { // syncs only what is open for writing, and no directory
		return nil
	}
	return f.Sync()
}
