package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestMain runs the program itself in a child of a test.
func TestMain(m *testing.M) {
	if os.Getenv("APPLY_AS_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// A terminal is a pseudo-terminal. What programs write to it is collected.
type terminal struct {
	keyboard *os.File // the end of the person
	tty      *os.File // the end of the program
	mu       sync.Mutex
	more     *sync.Cond
	screen   strings.Builder
	closed   bool
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { tty.Close() })
	term := &terminal{keyboard: keyboard, tty: tty}
	term.more = sync.NewCond(&term.mu)
	go term.collect()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	return term
}

// collect reads what programs write, until nobody has the terminal any more.
func (term *terminal) collect() {
	buffer := make([]byte, 4096)
	for {
		n, err := term.keyboard.Read(buffer)
		term.mu.Lock()
		term.screen.Write(buffer[:n])
		term.closed = err != nil
		term.more.Broadcast()
		term.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// wait waits until text is on the screen, or nobody can write to it any more. It returns what is there.
func (term *terminal) wait(text string) string {
	term.mu.Lock()
	defer term.mu.Unlock()
	for !term.closed && (text == "" || !strings.Contains(term.screen.String(), text)) {
		term.more.Wait()
	}
	return term.screen.String()
}

// end waits for the last of what programs have written.
func (term *terminal) end() string {
	term.tty.Close()
	return term.wait("")
}

// program returns the program in a session of its own, with the terminal as its standard files. A nil stdin is the
// terminal.
func (term *terminal) program(t *testing.T, stdin io.Reader, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "APPLY_AS_PROGRAM=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, term.tty, term.tty
	if stdin == nil {
		cmd.Stdin = term.tty
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	return cmd
}

// start starts a program, and leaves the terminal to it: what waits for the screen ends when the program does.
func (term *terminal) start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	term.tty.Close()
}

func (term *terminal) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(term.keyboard, keys); err != nil {
		t.Fatal(err)
	}
}

// lock makes commits to a directory wait until unlock is called.
func lock(t *testing.T, dir string) (unlock func()) {
	t.Helper()
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := unix.Flock(int(d.Fd()), unix.LOCK_EX); err != nil {
		t.Skip(err)
	}
	return func() {
		if err := unix.Flock(int(d.Fd()), unix.LOCK_UN); err != nil {
			t.Fatal(err)
		}
	}
}

const ctrlC, ctrlD = "\x03", "\x04"

func TestCtrlCEndsTheProgramWhileItReadsATerminal(t *testing.T) {
	for name, end := range map[string]func(*terminal, *exec.Cmd){
		"interrupt":  func(term *terminal, _ *exec.Cmd) { term.press(t, ctrlC) },
		"terminated": func(_ *terminal, cmd *exec.Cmd) { cmd.Process.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := directory(t, map[string]string{"a.txt": "one\n"})
			before := tree(t, dir)
			term := newTerminal(t)
			cmd := term.program(t, nil, "-C", dir)
			term.start(t, cmd)
			term.wait("Ctrl-C cancels")
			term.press(t, firstRun) // half of the request, as far as the program knows
			end(term, cmd)
			cmd.Wait()
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if d := cmp.Diff(before, tree(t, dir)); !status.Signaled() || status.Signal().String() != name || d != "" {
				t.Errorf("%v: %s\n%s", cmd.ProcessState, d, term.end())
			}
		})
	}
}

func TestARequestIsTyped(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	term := newTerminal(t)
	cmd := term.program(t, nil, "-C", dir)
	term.start(t, cmd)
	term.wait("Ctrl-C cancels")
	term.press(t, firstRun+ctrlD)
	err := cmd.Wait()
	if d := cmp.Diff(map[string]string{"a.txt": "1\n"}, tree(t, dir)); err != nil || d != "" {
		t.Errorf("%v: %s\n%s", err, d, term.end())
	}
}

// The commit waits, because somebody else has locked the directory. The time until the program says so is its own.
func TestCtrlCRollsACommitBack(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	before := tree(t, dir)
	lock(t, dir)
	term := newTerminal(t)
	cmd := term.program(t, strings.NewReader(firstRun), "-C", dir, "-color", "never")
	term.start(t, cmd)
	term.wait("apply: writing, files: 1")
	term.press(t, ctrlC)
	cmd.Wait()
	screen := term.end()
	if d := cmp.Diff(before, tree(t, dir)); cmd.ProcessState.ExitCode() != failed || d != "" {
		t.Errorf("%v: %s", cmd.ProcessState, d)
	}
	if !strings.Contains(screen, "\r                        \rapply: interrupted: nothing was changed\r\n") {
		t.Errorf("%q", screen)
	}
}

func TestASignalThatIsIgnoredStaysIgnored(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	unlock := lock(t, dir)
	term := newTerminal(t)
	cmd := term.program(t, strings.NewReader(firstRun), "-C", dir)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd.Args = append([]string{shell, "-c", `trap "" INT; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = shell
	term.start(t, cmd)
	term.wait("apply: writing")
	term.press(t, ctrlC)
	unlock()
	err = cmd.Wait()
	if d := cmp.Diff(map[string]string{"a.txt": "1\n"}, tree(t, dir)); err != nil || d != "" {
		t.Errorf("%v: %s\n%s", err, d, term.end())
	}
}

func TestColoursOnATerminal(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	for _, tt := range []struct {
		args []string
		env  string
		want string
	}{
		{nil, "", "\x1b[32m+1\x1b[m\r\n"},
		{[]string{"-color", "never"}, "", "\r\n+1\r\n"},
		{nil, "1", "\r\n+1\r\n"},
		{[]string{"-color", "always"}, "1", "\x1b[32m+1\x1b[m\r\n"},
	} {
		term := newTerminal(t)
		t.Setenv("NO_COLOR", tt.env)
		c := newCommand(strings.NewReader(firstRun), term.tty, term.tty)
		status := c.run(append(tt.args, "-C", dir, "-n"))
		if screen := term.end(); status != done || !strings.Contains(screen, tt.want) {
			t.Errorf("%q, NO_COLOR=%s: status %d: %q", tt.args, tt.env, status, screen)
		}
	}
}

// Ticks come as fast as the program takes them, so whatever it does is shown.
func TestProgress(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	term := newTerminal(t)
	request, stdin := io.Pipe()
	ticks := make(chan time.Time)
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		for {
			select {
			case ticks <- time.Time{}:
			case <-stop:
				return
			}
		}
	}()
	c := newCommand(request, io.Discard, term.tty)
	c.ticks = ticks
	go func() { stopped <- c.run([]string{"-C", dir}) }()
	term.wait("apply: reading standard input")
	io.WriteString(stdin, firstRun)
	stdin.Close()
	status := <-stopped
	close(stop)
	screen := term.end()
	if d := cmp.Diff(map[string]string{"a.txt": "1\n"}, tree(t, dir)); status != done || d != "" {
		t.Errorf("status %d: %s\n%s", status, d, screen)
	}
	if !strings.HasPrefix(screen, "\rapply: reading standard input\r                             \r") ||
		!strings.Contains(screen, "\rmodified a.txt: ") {
		t.Errorf("%q", screen)
	}
}

// Without a tick, a terminal shows what a file would have.
func TestAShortRunShowsNoProgress(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	term := newTerminal(t)
	c := newCommand(strings.NewReader(firstRun), io.Discard, term.tty)
	c.ticks = make(chan time.Time)
	status := c.run([]string{"-C", dir, "-n"})
	_, _, plain := call(firstRun, "-C", dir, "-n")
	if screen := term.end(); status != done || screen != strings.ReplaceAll(plain, "\n", "\r\n") {
		t.Errorf("status %d: %q", status, screen)
	}
}

func TestTheNullDeviceIsNoTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	term := newTerminal(t)
	if isTerminal(null) || !isTerminal(term.tty) {
		t.Error("it is told by the device")
	}
	c := newCommand(null, io.Discard, term.tty)
	c.run([]string{"-C", filepath.Dir(os.DevNull)})
	if screen := term.end(); strings.Contains(screen, "Ctrl-C") {
		t.Errorf("%q", screen)
	}
}
