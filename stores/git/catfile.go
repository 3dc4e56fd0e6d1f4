package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A catFile reads objects through one git cat-file --batch, which lives as long as the store. If the process ends, the
// next read starts another one.
type catFile struct {
	git    *program
	format format
	turn   chan struct{} // holds a token while somebody reads
	proc   *batch        // nil before the first read, and after one that broke off
	closed bool
}

// A batch is a running git cat-file --batch.
type batch struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	words bytes.Buffer // what it writes to standard error; read it after end
}

var (
	errMissing = errors.New("git: an object is missing from the repository: run git fsck")
	errLarge   = errors.New("git: the object is too large")
	errClosed  = errors.New("git: the store is closed")
)

func newCatFile(git *program, f format) *catFile {
	return &catFile{git: git, format: f, turn: make(chan struct{}, 1)}
}

// read returns the object of a name, which has no line feed in it. The error is errMissing, errLarge if the object has
// more bytes than most, the context's, or about the machinery. A process that broke off is replaced once.
func (c *catFile) read(ctx context.Context, name string, most int64) (object, error) {
	if err := lock(ctx, c.turn); err != nil {
		return object{}, err
	}
	defer func() { <-c.turn }()
	if c.closed {
		return object{}, errClosed
	}
	hadOne := c.proc != nil
	o, err := c.ask(ctx, name, most)
	if err != nil && hadOne && c.proc == nil && err != errLarge && ctx.Err() == nil {
		o, err = c.ask(ctx, name, most)
	}
	return o, err
}

// ask reads an object from the process, and ends the process if anything goes wrong with it. The caller has the turn.
func (c *catFile) ask(ctx context.Context, name string, most int64) (object, error) {
	if err := ctx.Err(); err != nil {
		return object{}, err
	}
	if err := c.git.step("git cat-file", false); err != nil {
		return object{}, err
	}
	if c.proc == nil {
		proc, err := c.git.startBatch()
		if err != nil {
			return object{}, err
		}
		c.proc = proc
	}
	proc := c.proc
	unwatch := context.AfterFunc(ctx, func() { proc.cmd.Process.Kill() })
	o, err := proc.read(name, most, c.format)
	if whole := unwatch(); !whole || err != nil && err != errMissing {
		c.proc = nil
		ended := proc.end()
		if ctx.Err() != nil {
			return object{}, ctx.Err()
		}
		if err != errLarge {
			err = failed("cat-file", proc.words.Bytes(), errors.Join(err, ended))
		}
	}
	return o, err
}

// startBatch starts a process. It does not end with the context of the read that it is started for.
func (p *program) startBatch() (*batch, error) {
	b := &batch{cmd: p.command(context.Background(), "cat-file", "--batch")}
	b.cmd.Stderr = &b.words
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, failed("cat-file", nil, err)
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, failed("cat-file", nil, err)
	}
	b.in, b.out = in, bufio.NewReaderSize(out, 1<<16)
	if err := b.cmd.Start(); err != nil {
		return nil, failed("cat-file", nil, err)
	}
	return b, nil
}

// end kills the process and waits for it.
func (b *batch) end() error {
	b.in.Close()
	b.cmd.Process.Kill()
	return b.cmd.Wait()
}

// read asks for one object. The content is read in one piece, and only after its size is known.
func (b *batch) read(name string, most int64, f format) (object, error) {
	if _, err := io.WriteString(b.in, name+"\n"); err != nil {
		return object{}, err
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return object{}, err
	}
	words := strings.Fields(line)
	if len(words) == 2 && words[1] == "missing" {
		return object{}, errMissing
	}
	if len(words) != 3 {
		return object{}, fmt.Errorf("the answer is %q", line)
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return object{}, err
	}
	name, kind := words[0], words[1]
	o := object{kind: kind}
	if o.id, err = f.parse(name); err != nil {
		return object{}, err
	}
	if size > most {
		return o, errLarge
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return object{}, err
	}
	o.data = data[:size:size]
	return o, nil
}

// close ends the process, if there is one.
func (c *catFile) close() {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	if c.proc != nil {
		c.proc.end()
	}
	c.proc, c.closed = nil, true
}
