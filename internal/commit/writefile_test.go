package commit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// WriteFile waits for who is at work in the directory as long as its context allows, and leaves no claim on the lock.
func TestWriteFileGivesUp(t *testing.T) {
	dir := disktest.SeedTree(t, map[string]string{"a": "one"})
	name := filepath.Join(dir, "a")
	d, release, err := disk.Open(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	unlock := lockDir(t, d, ".")
	for range 3 {
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
		err := WriteFile(ctx, 0, name, []byte("two"), 0o644, DurableNone)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "another commit") {
			t.Errorf("error %v", err)
		}
	}
	if data, err := os.ReadFile(name); string(data) != "one" {
		t.Errorf("%q, error %v", data, err)
	}
	unlock()
	for range 3 {
		if err := WriteFile(t.Context(), 0, name, []byte("two"), 0o644, DurableNone); err != nil {
			t.Error(err)
		}
	}
}
