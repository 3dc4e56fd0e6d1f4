package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

// The test binary is the sandbox too.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SANDBOX"); dir != "" {
		if err := serveQuickly(dir); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveQuickly is serveDir that does not wait for the disk.
func serveQuickly(dir string) error {
	store, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer store.Close()
	return serve(store, os.Stdin, os.Stdout)
}

func sandbox(dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SANDBOX="+dir, "GORACE=atexit_sleep_ms=0") // the race detector sleeps a second at exit
	return cmd
}

func TestAProcessIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) atomicedit.Store {
		store, wait, err := start(sandbox(t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			store.Close()
			if err := wait(); err != nil {
				t.Error(err)
			}
		})
		return store
	})
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(name, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), sandbox(dir),
		strings.NewReader("a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"), &out); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil || string(data) != "1\n" || !strings.Contains(out.String(), "+1\n") {
		t.Errorf("%q, %v, %s", data, err, out.String())
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode() != before.Mode() {
		t.Errorf("mode %v, %v", info, err)
	}
	err = run(t.Context(), sandbox(dir), strings.NewReader("a.txt\n<<<<<<< SEARCH\nten\n=======\n1\n>>>>>>> REPLACE\n"),
		&out)
	if !errors.Is(err, atomicedit.ErrNotFound) {
		t.Errorf("error %v", err)
	}
}

// stuck is a store whose commits wait for their context and report how it ended.
type stuck struct{ began chan bool }

func (stuck) Read(_ context.Context, path string) (*atomicedit.File, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func (s stuck) Commit(ctx context.Context, _ []atomicedit.Change) error {
	s.began <- true
	<-ctx.Done()
	return ctx.Err()
}

// pipes connects a Remote with a store in this process, and returns how to cut it off.
func pipes(t *testing.T, store atomicedit.Store) (*Remote, func()) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	go func() {
		serve(store, toServer, fromServer)
		fromServer.Close()
	}()
	r := NewRemote(toClient, fromClient)
	t.Cleanup(func() { r.Close() })
	return r, func() { fromServer.Close() }
}

func TestACancelledCommitIsGivenUpOverThere(t *testing.T) {
	s := stuck{make(chan bool)}
	r, _ := pipes(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-s.began; cancel() }()
	if err := r.Commit(ctx, []atomicedit.Change{{Path: "a", After: &atomicedit.File{}}}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestACommitInAProcessThatDiesIsUnfinished(t *testing.T) {
	s := stuck{make(chan bool)}
	r, cut := pipes(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-s.began; cut() }()
	if err := r.Commit(ctx, []atomicedit.Change{{Path: "a", After: &atomicedit.File{}}}); !errors.Is(err,
		atomicedit.ErrUnfinished) {
		t.Errorf("error %v", err)
	}
	if err := r.Commit(ctx, nil); !errors.Is(err, errGone) {
		t.Errorf("error %v", err)
	}
	cancel()
}

// A flaky sandbox is served in this process, over pipes that are cut after so many messages.
type flaky struct {
	*Remote
	store   atomicedit.Store
	left    atomic.Int64
	restart func()
}

// A pipeEnd counts the messages that go into a pipe, and closes other when there are too many.
type pipeEnd struct {
	io.WriteCloser
	left  *atomic.Int64
	other io.Closer
}

func (p pipeEnd) Write(message []byte) (int, error) {
	if p.left.Add(-1) < 0 {
		p.other.Close()
		return 0, io.ErrClosedPipe
	}
	return p.WriteCloser.Write(message)
}

func (f *flaky) start() {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan bool)
	go func() {
		serve(f.store, toServer, pipeEnd{fromServer, &f.left, fromServer})
		fromServer.Close()
		close(ended)
	}()
	f.Remote = NewRemote(toClient, pipeEnd{fromClient, &f.left, fromServer})
	f.restart = func() {
		fromClient.Close()
		<-ended
	}
}

func (f *flaky) Break(messages int) { f.left.Store(int64(messages)) }

func (f *flaky) Mend() {
	f.restart()
	f.left.Store(math.MaxInt64)
	f.start()
}

func TestAProcessThatGoesAwayLeavesAllOrNothing(t *testing.T) {
	storetest.Run(t, func(t *testing.T) atomicedit.Store {
		dir, err := atomicedit.OpenDir(t.TempDir(), &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
		if err != nil {
			t.Fatal(err)
		}
		f := &flaky{store: dir}
		f.left.Store(math.MaxInt64)
		f.start()
		t.Cleanup(func() { f.restart(); dir.Close() })
		return f
	})
}
