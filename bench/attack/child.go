//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit"
)

// errnos has the errors that the attack injects.
var errnos = []unix.Errno{unix.EIO, unix.ENOSPC, unix.EDQUOT, unix.EMFILE, unix.EACCES, unix.ERANGE, unix.EINTR}

// An answer is the result that a child reports for its commit.
type answer struct {
	Text                    string // "" if it succeeded
	NotDurable, Unsupported bool
	Is                      []unix.Errno
}

func answerOf(err error) answer {
	if err == nil {
		return answer{}
	}
	a := answer{Text: err.Error(), NotDurable: errors.Is(err, atomicedit.ErrNotDurable),
		Unsupported: errors.Is(err, errors.ErrUnsupported)}
	for _, errno := range errnos {
		if errors.Is(err, errno) {
			a.Is = append(a.Is, errno)
		}
	}
	return a
}

func parseAnswer(data []byte) (a answer) {
	if err := json.Unmarshal(data, &a); err != nil {
		a.Text = err.Error()
	}
	return a
}

// obey runs a child. It arranges for its system calls to be stopped, and makes the commit in each place that it is
// told.
func obey() error {
	f := os.NewFile(3, "conn")
	c, err := net.FileConn(f)
	if err != nil {
		return err
	}
	f.Close()
	conn := c.(*net.UnixConn)
	for fd := 0; fd < firstFD; {
		if fd, err = unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
			return err
		}
	}
	listener, err := filterCalls()
	if err != nil {
		conn.Write([]byte(err.Error()))
		return err
	}
	if _, _, err := conn.WriteMsgUnix([]byte("ready"), unix.UnixRights(listener), nil); err != nil {
		return err
	}
	buf := make([]byte, 4096)
	for {
		n, err := conn.Read(buf)
		if err != nil || n == 0 {
			return err
		}
		kind, dir, _ := strings.Cut(string(buf[:n]), " ")
		data, _ := json.Marshal(answerOf(errandOf(kind).commit(dir)))
		if _, err := conn.Write(data); err != nil {
			return err
		}
	}
}

// An errand is the commit that is attacked in places of a kind.
type errand struct {
	roots   []string        // that are opened; the paths of the plan are below the place
	plan    []atomicedit.Op // the variable planted has the files that it changes
	probe   string          // a file that is committed afterwards
	refused bool            // it must be, whatever happens
}

func errandOf(kind string) errand {
	inRoots := []atomicedit.Op{
		edit("sub/b"), edit("m/x"),
		{Kind: atomicedit.OpMove, Path: "sub/moved", To: "new/deep/moved"},
		{Kind: atomicedit.OpMove, Path: "sub/across", To: "m/across", Edits: []atomicedit.Edit{oldToNew}},
		{Kind: atomicedit.OpCreate, Path: "new/dir/c", Content: "new\n"},
		{Kind: atomicedit.OpCreate, Path: "setgid/c", Content: "new\n"},
	}
	switch kind {
	case "roots":
		return errand{roots: []string{"sub", "m", "new", "setgid"}, plan: inRoots, probe: "sub/other"}
	case "protected":
		return errand{roots: []string{"."}, plan: []atomicedit.Op{edit("a"), edit("sub/other")}, probe: "probe",
			refused: true}
	}
	return errand{roots: []string{"."}, plan: append([]atomicedit.Op{edit("a"), edit("bound"),
		{Kind: atomicedit.OpDelete, Path: "gone"}}, inRoots...), probe: "probe"}
}

var oldToNew = atomicedit.Edit{Old: "old", New: "new"}

func edit(path string) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: []atomicedit.Edit{oldToNew}}
}

// open opens the roots of an errand in a place.
func (e errand) open(dir string) (*atomicedit.Dir, error) {
	d, err := atomicedit.OpenDir(filepath.Join(dir, e.roots[0]),
		&atomicedit.DirOptions{InPlace: true, Protected: []string{".env"}})
	if err != nil {
		return nil, err
	}
	for _, root := range e.roots[1:] {
		err = errors.Join(err, d.Add(filepath.Join(dir, root)))
	}
	return d, err
}

func (e errand) commit(dir string) error {
	d, err := e.open(dir)
	if d != nil {
		defer d.Close()
	}
	if err != nil {
		return err
	}
	p := atomicedit.Plan{Ops: slices.Clone(e.plan)}
	for i := range p.Ops {
		op := &p.Ops[i]
		if op.Path = filepath.Join(dir, op.Path); op.To != "" {
			op.To = filepath.Join(dir, op.To)
		}
	}
	_, err = atomicedit.Run(context.Background(), d, p, nil)
	return err
}
