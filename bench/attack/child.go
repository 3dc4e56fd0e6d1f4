//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"

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

// obey runs a child. It arranges for its system calls to be stopped, and makes the commit in each directory that it is
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
		data, _ := json.Marshal(answerOf(commit(string(buf[:n]))))
		if _, err := conn.Write(data); err != nil {
			return err
		}
	}
}

// plan is the plan of every commit. The variable planted has the files that it changes.
var plan = atomicedit.Plan{Ops: []atomicedit.Op{
	edit("a"), edit("sub/b"), edit("m/x"), edit("bound"),
	{Kind: atomicedit.OpMove, Path: "sub/moved", To: "new/deep/moved"},
	{Kind: atomicedit.OpMove, Path: "sub/across", To: "m/across", Edits: []atomicedit.Edit{oldToNew}},
	{Kind: atomicedit.OpCreate, Path: "new/dir/c", Content: "new\n"},
	{Kind: atomicedit.OpCreate, Path: "setgid/c", Content: "new\n"},
	{Kind: atomicedit.OpDelete, Path: "gone"},
}}

var oldToNew = atomicedit.Edit{Old: "old", New: "new"}

func edit(path string) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: []atomicedit.Edit{oldToNew}}
}

func commit(dir string) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{InPlace: true})
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = atomicedit.Run(context.Background(), d, plan, nil)
	return err
}
