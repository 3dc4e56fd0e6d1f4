//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The kernel stops every file-system call of a child and asks this process what to do (seccomp user notification).
// Unlike ptrace, that covers all threads from the start. A child opens its files at descriptors from firstFD on, so
// calls of the Go runtime on its own descriptors are not stopped.
const firstFD = 32

var fstatat = map[string]uintptr{"amd64": 262, "arm64": 79}[runtime.GOARCH]

// onFD lists the calls that are stopped if their first argument is a descriptor from firstFD on.
var onFD = map[uintptr]string{
	unix.SYS_READ: "read", unix.SYS_PREAD64: "pread", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite",
	unix.SYS_CLOSE: "close", unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync", unix.SYS_FSTAT: "fstat",
	unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FCHMOD: "fchmod", unix.SYS_FCHOWN: "fchown", unix.SYS_FLOCK: "flock",
	unix.SYS_GETDENTS64: "getdents", unix.SYS_FGETXATTR: "fgetxattr", unix.SYS_FSETXATTR: "fsetxattr",
	unix.SYS_FLISTXATTR: "flistxattr", unix.SYS_FREMOVEXATTR: "fremovexattr",
	unix.SYS_SYNC_FILE_RANGE: "sync_file_range", unix.SYS_IOCTL: "ioctl",
}

// byName lists the calls that are always stopped.
var byName = map[uintptr]string{
	unix.SYS_OPENAT: "openat", fstatat: "fstatat", unix.SYS_STATX: "statx", unix.SYS_FACCESSAT: "faccessat",
	unix.SYS_FACCESSAT2: "faccessat2", unix.SYS_READLINKAT: "readlinkat", unix.SYS_MKDIRAT: "mkdirat",
	unix.SYS_LINKAT: "linkat", unix.SYS_UNLINKAT: "unlinkat", unix.SYS_RENAMEAT: "renameat",
	unix.SYS_RENAMEAT2: "renameat2", unix.SYS_FCHMODAT: "fchmodat", unix.SYS_FCHOWNAT: "fchownat",
	unix.SYS_SYMLINKAT: "symlinkat", unix.SYS_GETXATTR: "getxattr", unix.SYS_LGETXATTR: "lgetxattr",
}

func callName(nr int32) string {
	if name := onFD[uintptr(nr)]; name != "" {
		return name
	}
	return byName[uintptr(nr)]
}

// filterCalls makes the kernel stop the calls of this process from now on. It returns the descriptor through which they
// are answered.
func filterCalls() (int, error) {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		least  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		answer = unix.BPF_RET | unix.BPF_K
	)
	stop := unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_USER_NOTIF}
	pass := unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW}
	filter := []unix.SockFilter{{Code: load}} // the number of the call
	for nr := range byName {
		filter = append(filter, unix.SockFilter{Code: equal, Jf: 1, K: uint32(nr)}, stop)
	}
	for nr := range onFD {
		filter = append(filter, unix.SockFilter{Code: equal, Jf: 4, K: uint32(nr)},
			unix.SockFilter{Code: load, K: 16}, unix.SockFilter{Code: least, K: firstFD, Jf: 1}, stop, pass)
	}
	filter = append(filter, pass)
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_TSYNC |
		unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		flags, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}

// A notice describes a stopped call, and a response says how it continues (struct seccomp_notif and
// seccomp_notif_resp).
type notice struct {
	id   uint64
	pid  uint32
	_    uint32
	nr   int32
	arch uint32
	ip   uint64
	args [6]uint64
}

type response struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

// A fault happens at the n-th stopped call of a job or, if onAttrs is set, at the n-th that reads extended attributes.
type fault struct {
	n       int
	onAttrs bool
	kind    string // "kill", "error" or "change"
	errno   unix.Errno
	change  *change
}

func (f fault) String() string {
	switch f.kind {
	case "error":
		return unix.ErrnoName(f.errno)
	case "change":
		return "concurrent " + f.change.name
	}
	return f.kind
}

// An injection describes what happened to a fault.
type injection struct {
	call      string // the call that the fault hit; "" if it hit none
	at        int    // the number of that call
	calls     int    // the number of calls in the whole job
	attrCalls int    // the number of those that read extended attributes
	failed    error  // why the fault could not be injected
}

func (i injection) String() string {
	return fmt.Sprintf("at call %d of %d (%s)", i.at, i.calls, i.call)
}

// A child is a process that makes commits, and whose system calls are stopped.
type child struct {
	cmd      *exec.Cmd
	conn     *net.UnixConn
	listener int
	devNull  *os.File
	said     bytes.Buffer

	mu    sync.Mutex
	dir   string
	fault fault
	met   injection
}

func startChild(ctx context.Context) (*child, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "conn"), os.NewFile(uintptr(pair[1]), "conn")
	defer ours.Close()
	defer theirs.Close()
	c := &child{cmd: role(ctx, "child")}
	c.cmd.ExtraFiles, c.cmd.Stderr = []*os.File{theirs}, &c.said
	if c.devNull, err = os.Open(os.DevNull); err != nil {
		return nil, err
	}
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, err
	}
	c.conn = conn.(*net.UnixConn)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	theirs.Close()
	word, rights := make([]byte, 200), make([]byte, 64)
	c.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	n, oob, _, _, err := c.conn.ReadMsgUnix(word, rights)
	if err != nil || oob == 0 {
		c.end()
		return nil, fmt.Errorf("system calls cannot be stopped here: %s %v", word[:n], err)
	}
	messages, err := unix.ParseSocketControlMessage(rights[:oob])
	if err != nil {
		return nil, err
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	c.listener = fds[0]
	go c.supervise()
	return c, nil
}

// end kills the process and waits for it.
func (c *child) end() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.conn.Close()
	c.devNull.Close()
}

func control(fd int, request uintptr, argument unsafe.Pointer) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(argument))
	if errno != 0 {
		return errno
	}
	return nil
}

// supervise answers the stopped calls until the process has ended.
func (c *child) supervise() {
	defer unix.Close(c.listener)
	for {
		polled := []unix.PollFd{{Fd: int32(c.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(polled, -1); err != nil && err != unix.EINTR || polled[0].Revents&unix.POLLHUP != 0 {
			return
		}
		var n notice
		if polled[0].Revents&unix.POLLIN == 0 ||
			control(c.listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)) != nil {
			continue
		}
		r := response{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		if !c.answer(&n, &r) {
			c.cmd.Process.Kill()
			continue
		}
		control(c.listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r))
	}
}

// answer decides how a call continues. It returns false if the process has to be killed.
func (c *child) answer(n *notice, r *response) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, name := &c.met, callName(n.nr)
	m.calls++
	asks := name == "flistxattr" || name == "fgetxattr"
	if asks {
		m.attrCalls++
	}
	hit := m.calls == c.fault.n
	if c.fault.onAttrs {
		hit = asks && m.attrCalls == c.fault.n
	}
	if hit {
		m.call, m.at = name, m.calls
		return c.inject(n, r)
	}
	return true
}

func (c *child) inject(n *notice, r *response) bool {
	m := &c.met
	switch c.fault.kind {
	case "kill":
		return false
	case "change":
		m.failed = c.fault.change.do(c.dir)
	case "error":
		r.flags, r.errno = 0, -int32(c.fault.errno)
		if m.call == "close" { // a close that fails still closes the file, and releases its lock
			add := struct {
				id                  uint64
				flags, from, to, as uint32
			}{n.id, unix.SECCOMP_ADDFD_FLAG_SETFD, uint32(c.devNull.Fd()), uint32(n.args[0]), unix.O_CLOEXEC}
			const addFD = 0x40182103 // SECCOMP_IOCTL_NOTIF_ADDFD
			m.failed = control(c.listener, addFD, unsafe.Pointer(&add))
		}
	}
	return true
}

// never is the number of a call that no job reaches.
const never = math.MaxInt

// An outcome is how a job ended.
type outcome struct {
	injection
	dead   bool // the process died
	hung   bool
	answer answer
}

// run makes the child commit in a place of a kind. If the child dies, it must not be used again.
func (c *child) run(kind, dir string, f fault) (o outcome) {
	c.mu.Lock()
	c.dir, c.fault, c.met = dir, f, injection{}
	c.mu.Unlock()
	c.conn.SetDeadline(time.Now().Add(30 * time.Second))
	buf := make([]byte, 64<<10)
	_, err := c.conn.Write([]byte(kind + " " + dir))
	n := 0
	if err == nil {
		n, err = c.conn.Read(buf)
	}
	if err != nil || n == 0 {
		o.dead, o.hung = true, os.IsTimeout(err)
		c.end()
	} else {
		o.answer = parseAnswer(buf[:n])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o.injection = c.met
	return o
}
