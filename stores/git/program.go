package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A program runs git: always the same executable, in the same environment.
type program struct {
	path string
	args []string // before those of a command
	env  []string // all of the environment
	dir  string   // where git runs; it matters for nothing

	inUse *os.File // tells other processes that dir is in use; nil where it cannot

	secret string // the password in the URL of a remote repository, which no message may have

	closed atomic.Bool // nothing runs anymore

	// linger is how long the output of a process is read after its end, if one that it has started still holds on to
	// it.
	linger time.Duration

	// fault makes a step fail, for tests: before it is taken, or after it is done, so that its answer is lost.
	fault func(step string, done bool) error
}

// A failure is the error of a git command, in git's own words. It wraps nothing: an fs.ErrNotExist from the operating
// system would seem to be about a file of the store.
type failure struct {
	command string
	words   string // what git wrote to standard error
	cause   error  // why the command did not run or what its exit status was

	ran    bool // it was started, so it may have done its work
	killed bool // a signal ended it
}

func (f *failure) Error() string {
	if f.words == "" {
		return fmt.Sprintf("git %s: %v", f.command, f.cause)
	}
	return "git " + f.command + ": " + f.words
}

// failed returns the error of a command that wrote words to standard error.
func failed(command string, words []byte, cause error) *failure {
	f := &failure{command: command, words: strings.TrimSpace(strings.ToValidUTF8(string(words), "?")), cause: cause}
	if exit := (*exec.ExitError)(nil); errors.As(cause, &exit) {
		f.killed = exit.ExitCode() < 0
	}
	return f
}

// saysNo reports whether err is how a git command that only asks says no: by its exit status, and without a word.
func saysNo(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.ran && !f.killed && f.words == ""
}

// command returns a git command, without a shell. When ctx ends, the process is asked to end, so that it can remove its
// locks.
func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, append(p.args[:len(p.args):len(p.args)], args...)...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = p.env, p.dir, p.linger
	if p.inUse != nil {
		cmd.ExtraFiles = []*os.File{p.inUse} // git may outlive this process
	}
	cmd.Cancel = func() error {
		if cmd.Process.Signal(syscall.SIGTERM) != nil { // a system without signals
			return cmd.Process.Kill()
		}
		return nil
	}
	return cmd
}

// run runs a git command and returns its output, which it does even if the command fails. The error is the context's,
// or a *failure.
func (p *program) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return p.runIn(ctx, nil, stdin, args...)
}

// runIn is run with more variables in the environment.
func (p *program) runIn(ctx context.Context, env []string, stdin io.Reader, args ...string) ([]byte, error) {
	if p.closed.Load() {
		return nil, errClosed
	}
	if err := p.step("git "+args[0], false); err != nil {
		return nil, failed(args[0], nil, err)
	}
	cmd := p.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], env...)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return stdout.Bytes(), ctx.Err()
		}
		f := failed(args[0], stderr.Bytes(), err)
		f.ran = cmd.Process != nil
		if p.secret != "" {
			f.words = strings.ReplaceAll(f.words, p.secret, "***")
		}
		return stdout.Bytes(), f
	}
	if err := p.step("git "+args[0], true); err != nil {
		return nil, &failure{command: args[0], cause: err, ran: true}
	}
	return stdout.Bytes(), nil
}

// step lets a test make a step fail.
func (p *program) step(name string, done bool) error {
	if p.fault == nil {
		return nil
	}
	return p.fault(name, done)
}

// oldest is the first version of git that has all that is used here.
var oldest = [2]int{2, 30}

// findProgram returns the path of the git program.
func findProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("git: a store on a git repository needs the git program, %d.%d or later: %w", oldest[0],
			oldest[1], err)
	}
	return path, nil
}

// checkVersion refuses a git program that is too old.
func (p *program) checkVersion(ctx context.Context) error {
	out, err := p.run(ctx, nil, "version")
	if err != nil {
		return err
	}
	said := strings.TrimSpace(string(out))
	parts := strings.SplitN(strings.TrimPrefix(said, "git version "), ".", 3)
	if len(parts) < 2 {
		return fmt.Errorf("git: %s is no git program: it says it is %q", p.path, said)
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return fmt.Errorf("git: %s is no git program: it says it is %q", p.path, said)
	}
	if major < oldest[0] || major == oldest[0] && minor < oldest[1] {
		return fmt.Errorf("git: %s is %s, and a store needs %d.%d or later", p.path, said, oldest[0], oldest[1])
	}
	return nil
}
