package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/atomicedit/atomicedit"
)

// The messages in the pipe are JSON, one per line: requests with a number one way, and answers with the same number,
// in any order, the other way. A request with only Cancel cancels the one with that number.
type request struct {
	ID      int                 `json:"id"`
	Cancel  bool                `json:"cancel,omitempty"`
	Read    string              `json:"read,omitempty"`
	IsRead  bool                `json:"is_read,omitempty"`
	Changes []atomicedit.Change `json:"changes,omitempty"`
}

type answer struct {
	ID     int              `json:"id"`
	File   *atomicedit.File `json:"file,omitempty"`
	Errors []remoteError    `json:"errors,omitempty"`
}

// A remoteError is an error in a message: the number of its kind, and its text.
type remoteError struct {
	Kind int    `json:"kind"` // index in kinds, -1 for any other
	Op   string `json:"op,omitempty"`
	Path string `json:"path,omitempty"`
	Msg  string `json:"msg"`
}

// kinds are the errors of the contract, which the other side must recognise. Their order is part of the protocol.
var kinds = []error{
	atomicedit.ErrStale, atomicedit.ErrBinary, atomicedit.ErrTooLarge, atomicedit.ErrOutside, atomicedit.ErrNotDurable,
	atomicedit.ErrUnfinished,
	fs.ErrExist, fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, errors.ErrUnsupported, context.Canceled,
	context.DeadlineExceeded,
	atomicedit.ErrDenied,
}

// pack turns an error into its parts for a message.
func pack(err error) (all []remoteError) {
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range many.Unwrap() {
			all = append(all, pack(err)...)
		}
		return all
	}
	e := remoteError{Kind: -1, Msg: err.Error()}
	var at *fs.PathError
	if errors.As(err, &at) {
		e.Op, e.Path, e.Msg = at.Op, at.Path, at.Err.Error()
	}
	for i, kind := range kinds {
		if errors.Is(err, kind) {
			e.Kind = i
			break
		}
	}
	return []remoteError{e}
}

// unpack restores the error from a message.
func unpack(all []remoteError) error {
	errs := make([]error, len(all))
	for i, e := range all {
		err := errors.New(e.Msg)
		if e.Kind >= 0 && e.Kind < len(kinds) {
			err = &kindError{e.Msg, kinds[e.Kind]}
		}
		if e.Op != "" {
			err = &fs.PathError{Op: e.Op, Path: e.Path, Err: err}
		}
		errs[i] = err
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

type kindError struct {
	msg  string
	kind error
}

func (e *kindError) Error() string { return e.msg }
func (e *kindError) Unwrap() error { return e.kind }

// A Remote is a Store in another process.
type Remote struct {
	writing sync.Mutex // of its own: a write may wait until the other side has got rid of an answer
	pipe    io.WriteCloser

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
	done    chan struct{} // closed when the other side is gone
}

// NewRemote returns the Store that is served at the other end of two pipes. Close closes the one to it.
func NewRemote(from io.Reader, to io.WriteCloser) *Remote {
	r := &Remote{pipe: to, waiting: map[int]chan answer{}, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		for in := json.NewDecoder(from); ; {
			var a answer
			if in.Decode(&a) != nil {
				return
			}
			r.mu.Lock()
			if ch := r.waiting[a.ID]; ch != nil {
				ch <- a // has room for the one answer
				delete(r.waiting, a.ID)
			}
			r.mu.Unlock()
		}
	}()
	return r
}

// Close ends the connection; the other side finishes its current work.
func (r *Remote) Close() error { return r.pipe.Close() }

var errGone = errors.New("the sandbox is gone")

func (r *Remote) send(q request) error {
	line, err := json.Marshal(q)
	if err != nil {
		return err
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	_, err = r.pipe.Write(append(line, '\n'))
	return err
}

// do sends a request and waits for its answer even if the context ends: only the other side knows what was done by
// then.
func (r *Remote) do(ctx context.Context, q request) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	ch := make(chan answer, 1)
	r.mu.Lock()
	r.last++
	q.ID = r.last
	r.waiting[q.ID] = ch
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.waiting, q.ID)
		r.mu.Unlock()
	}()
	if err := r.send(q); err != nil {
		return answer{}, fmt.Errorf("%w: %v", errGone, err)
	}
	stop := context.AfterFunc(ctx, func() {
		r.send(request{ID: q.ID, Cancel: true}) // if it fails, the other side is gone, which do finds out
	})
	defer stop()
	select {
	case a := <-ch:
		return a, nil
	case <-r.done:
		return answer{}, errGone
	}
}

// Read implements [atomicedit.Store].
func (r *Remote) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	a, err := r.do(ctx, request{Read: path, IsRead: true})
	if err == nil && len(a.Errors) > 0 {
		err = unpack(a.Errors)
	}
	return a.File, err
}

// Commit implements [atomicedit.Store]. If the other side goes away meanwhile, it is ErrUnfinished: what the sandbox
// has left half done, it rolls back when it is started again.
func (r *Remote) Commit(ctx context.Context, changes []atomicedit.Change) error {
	a, err := r.do(ctx, request{Changes: changes})
	switch {
	case errors.Is(err, errGone):
		return fmt.Errorf("%w: %w", atomicedit.ErrUnfinished, err)
	case err == nil && len(a.Errors) > 0:
		return unpack(a.Errors)
	}
	return err
}

// serve answers requests for a store until there are no more.
func serve(store atomicedit.Store, from io.Reader, to io.Writer) error {
	var mu, writing sync.Mutex // reading goes on while an answer waits to be read
	cancels := map[int]context.CancelFunc{}
	out := json.NewEncoder(to)
	var work sync.WaitGroup
	defer work.Wait()
	for in := json.NewDecoder(from); ; {
		var q request
		if err := in.Decode(&q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		mu.Lock()
		if q.Cancel {
			if cancel := cancels[q.ID]; cancel != nil {
				cancel()
			}
			mu.Unlock()
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancels[q.ID] = cancel
		mu.Unlock()
		work.Go(func() {
			a := answer{ID: q.ID}
			var err error
			if q.IsRead {
				a.File, err = store.Read(ctx, q.Read)
			} else {
				err = store.Commit(ctx, q.Changes)
			}
			a.Errors = pack(err)
			mu.Lock()
			delete(cancels, q.ID)
			cancel()
			mu.Unlock()
			writing.Lock()
			defer writing.Unlock()
			out.Encode(a) // if it fails, nobody is there to be told
		})
	}
}

var _ atomicedit.Store = (*Remote)(nil)
