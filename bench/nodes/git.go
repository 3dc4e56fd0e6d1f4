package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A gitServer serves a bare repository with git daemon.
type gitServer struct {
	repository string
	first      string // the commit that start has made
	last       string // the commit that files reads; a push of a dead node can still go through after it
	log        string // of the daemon
	port       string
	daemon     *exec.Cmd
}

func (s *gitServer) start(dir string, files map[string]string) (string, error) {
	if s.repository == "" {
		s.repository, s.log = filepath.Join(dir, "served", "tree.git"), filepath.Join(dir, "daemon.log")
		if err := s.fill(files); err != nil {
			return "", err
		}
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		_, s.port, _ = net.SplitHostPort(free.Addr().String())
		free.Close()
	}
	s.daemon = exec.CommandContext(context.Background(), "git", "daemon", "--verbose", "--listen=127.0.0.1",
		"--port="+s.port, "--reuseaddr", "--export-all", "--enable=receive-pack",
		"--max-connections=0", "--base-path="+filepath.Dir(s.repository))
	inGroup(s.daemon)
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return "", err
	}
	defer log.Close()
	s.daemon.Stderr = log
	if err := s.daemon.Start(); err != nil {
		return "", err
	}
	url := "git://127.0.0.1:" + s.port + "/tree.git"
	for range 500 {
		if _, err := git(context.Background(), "", "ls-remote", url); err == nil {
			return url, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return "", fmt.Errorf("git daemon does not answer at %s", url)
}

// fill makes the repository with one commit, by git fast-import.
func (s *gitServer) fill(files map[string]string) error {
	if _, err := git(context.Background(), "", "init", "--quiet", "--bare", "--initial-branch=main",
		s.repository); err != nil {
		return err
	}
	var stream bytes.Buffer
	stream.WriteString("commit refs/heads/main\ncommitter nodes <nodes@example.org> 0 +0000\ndata 5\nfirst\n")
	for path, text := range files {
		fmt.Fprintf(&stream, "M 644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	load := exec.Command("git", "-C", s.repository, "fast-import", "--quiet")
	load.Stdin = &stream
	if out, err := load.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	first, err := git(context.Background(), s.repository, "rev-parse", "main")
	s.first = strings.TrimSpace(first)
	return err
}

// kill kills the daemon and whatever serves a push. git leaves its lock files then, which an administrator removes when
// nothing runs.
func (s *gitServer) kill() error {
	if s.daemon == nil {
		return nil
	}
	if err := killGroup(s.daemon); err != nil {
		return err
	}
	s.daemon.Wait()
	s.daemon = nil
	return filepath.WalkDir(s.repository, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".lock") {
			err = os.Remove(path)
		}
		return err
	})
}

func (s *gitServer) files() (map[string]string, error) {
	last, err := git(context.Background(), s.repository, "rev-parse", "main")
	if err != nil {
		return nil, err
	}
	s.last = strings.TrimSpace(last)
	list, err := git(context.Background(), s.repository, "ls-tree", "-r", "--name-only", s.last)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for path := range strings.Lines(list) {
		path = strings.TrimSpace(path)
		if texts[path], err = git(context.Background(), s.repository, "show", s.last+":"+path); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func (s *gitServer) history() ([][]string, error) {
	log, err := git(context.Background(), s.repository, "log", "--reverse", "--format=%x00", "--name-only",
		s.first+".."+s.last)
	if err != nil {
		return nil, err
	}
	var commits [][]string
	for commit := range strings.SplitSeq(log, "\x00") {
		if paths := strings.Fields(commit); len(paths) > 0 {
			commits = append(commits, paths)
		}
	}
	return commits, nil
}

// retries returns how many more pushes have reached the server than went through.
func (s *gitServer) retries(done int) (int, error) {
	log, err := os.ReadFile(s.log)
	return max(0, bytes.Count(log, []byte("Request receive-pack"))-done), err
}

// git runs git in a directory, and returns what it prints.
func git(ctx context.Context, dir string, arguments ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", arguments...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("git %s: %w: %s", arguments[0], err, bytes.TrimSpace(failed.Stderr))
	}
	return string(out), err
}

// A pulling tree is what people do today: a clone for each writer, and pull, commit and push until it goes through.
type pulling struct{ clones chan string }

func joinPull(ctx context.Context, address, dir string, writers int) (tree, error) {
	t := pulling{make(chan string, writers)}
	for w := range writers {
		clone := filepath.Join(dir, "clone"+strconv.Itoa(w))
		os.RemoveAll(clone) // a kill may have left anything
		if _, err := git(ctx, "", "clone", "--quiet", address, clone); err != nil {
			return nil, err
		}
		for _, setting := range [][2]string{{"user.name", "nodes"}, {"user.email", "nodes@example.org"},
			{"gc.auto", "0"}} {
			if _, err := git(ctx, clone, "config", setting[0], setting[1]); err != nil {
				return nil, err
			}
		}
		t.clones <- clone
	}
	return t, nil
}

func (t pulling) change(ctx context.Context, paths []string, edit func(path, text string) string) error {
	clone := <-t.clones
	defer func() { t.clones <- clone }()
	if _, err := git(ctx, clone, "pull", "--quiet", "--rebase"); err != nil {
		return err
	}
	for _, path := range paths {
		full := filepath.Join(clone, filepath.FromSlash(path))
		text, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(edit(path, string(text))), 0o644); err != nil {
			return err
		}
	}
	if _, err := git(ctx, clone, "commit", "--quiet", "--all", "--message=count up"); err != nil {
		return err
	}
	for {
		_, err := git(ctx, clone, "push", "--quiet")
		if err == nil {
			return nil
		}
		if _, pull := git(ctx, clone, "pull", "--quiet", "--rebase"); pull != nil {
			// A conflict, or the server is gone: back to the server's state.
			git(context.WithoutCancel(ctx), clone, "rebase", "--abort")
			git(context.WithoutCancel(ctx), clone, "reset", "--quiet", "--hard", "@{upstream}")
			if strings.Contains(pull.Error(), "CONFLICT") || strings.Contains(pull.Error(), "could not apply") {
				return errConflict
			}
			return pull
		}
	}
}
