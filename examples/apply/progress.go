package main

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A progress shows on a terminal what the program is doing, on a line of its own that it erases again. At each tick it
// looks whether there is something new to show, so a short run shows nothing.
type progress struct {
	w     io.Writer
	mu    sync.Mutex
	doing string // "" for nothing that takes long
	shown string // on the terminal
}

// newProgress returns a progress on w, which is a terminal, or nil.
func newProgress(w io.Writer, ticks <-chan time.Time) *progress {
	p := &progress{w: w}
	if w != nil {
		go func() {
			for range ticks {
				p.show()
			}
		}()
	}
	return p
}

// show writes what the program is doing.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.doing != "" && p.doing != p.shown {
		io.WriteString(p.w, "\r"+p.doing+strings.Repeat(" ", max(0, len(p.shown)-len(p.doing))))
		p.shown = p.doing
	}
}

// set says what the program does from now on. With "" it erases the line: then others may write to the terminal.
func (p *progress) set(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = doing
	if doing == "" && p.shown != "" {
		io.WriteString(p.w, "\r"+strings.Repeat(" ", len(p.shown))+"\r")
		p.shown = ""
	}
}

// A watched Dir says how many files have been read.
type watched struct {
	*atomicedit.Dir
	read func()
}

func (w watched) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	w.read()
	return w.Dir.Read(ctx, path)
}
