//go:build unix && !solaris && !aix

package disk

import (
	"os"
	"testing"
	"time"
)

// Some file systems (FUSE with direct_io) may return fewer bytes than are there, as a pipe does.
func TestAShortReadIsNotTheEnd(t *testing.T) {
	for text, want := range map[string]bool{"one two three": true, "one two": false, "one three two": false} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			defer w.Close()
			for i := range text {
				w.WriteString(text[i : i+1])
				time.Sleep(time.Millisecond)
			}
		}()
		if got, err := holds(r, []byte("one two three")); err != nil || got != want {
			t.Errorf("%q: %v, error %v", text, got, err)
		}
		r.Close()
	}
}
