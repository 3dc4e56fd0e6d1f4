package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A history has the kept runs of all directories: one file for each, in one directory. The name of a file begins with
// its number, and with the hash of the directory that the run changed.
type history struct {
	dir string // where the runs are
	of  string // the directory whose runs are added and undone

	runs  int   // at most so many are kept
	bytes int64 // and no more than this
}

// A keptRun is what is needed to undo a run.
type keptRun struct {
	Dir     string              `json:"dir"`
	Time    time.Time           `json:"time"`
	Changes []atomicedit.Change `json:"changes"`
}

// The limits of a history.
const (
	maxRuns  = 50
	maxBytes = 64 << 20
)

// stateDir returns where the user's system has the state of programs.
func stateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir()
	case "darwin":
		return os.UserConfigDir()
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}

// openHistory returns the history of the directory that the run changes. It makes no directory.
func (r runner) openHistory() (history, error) {
	dir := r.state
	if dir == "" {
		state, err := r.stateDir()
		if err != nil {
			return history{}, fmt.Errorf("there is no directory for kept runs: name one with -state: %w", err)
		}
		dir = filepath.Join(state, "atomicedit", "undo")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return history{}, err
	}
	of, err := filepath.Abs(r.dir)
	if err == nil {
		of, err = filepath.EvalSymlinks(of)
	}
	if err != nil {
		return history{}, err
	}
	if inside, err := isInside(dir, of); err != nil {
		return history{}, err
	} else if inside {
		return history{}, fmt.Errorf("kept runs would be in %s, which is inside the directory that is changed: name "+
			"another one with -state", dir)
	}
	return history{dir, of, maxRuns, maxBytes}, nil
}

// isInside reports whether name is or would be a directory, or below it.
func isInside(name, dir string) (bool, error) {
	is, err := os.Stat(dir)
	if err != nil {
		return false, err
	}
	for {
		real, err := filepath.EvalSymlinks(name)
		if errors.Is(err, fs.ErrNotExist) && filepath.Dir(name) != name {
			name = filepath.Dir(name)
			continue
		}
		if err != nil {
			return false, err
		}
		for {
			if at, err := os.Stat(real); err == nil && os.SameFile(at, is) {
				return true, nil
			}
			if filepath.Dir(real) == real {
				return false, nil
			}
			real = filepath.Dir(real)
		}
	}
}

// key is the part of a run's name that stands for the directory.
func (h history) key() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(h.of)))[:32]
}

// list returns the names of all runs, the oldest first.
func (h history) list() (names []string, err error) {
	entries, err := os.ReadDir(h.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if number(e.Name()) > 0 && strings.HasSuffix(e.Name(), ".json") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// number returns the number that the name of a run begins with, 0 if there is none.
func number(name string) int {
	digits, _, _ := strings.Cut(name, "-")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// add keeps a run, and returns its name.
func (h history) add(changes []atomicedit.Change, now time.Time) (string, error) {
	data, err := json.Marshal(keptRun{h.of, now, changes})
	if err != nil {
		return "", err
	}
	if int64(len(data)) > h.bytes {
		return "", fmt.Errorf("it takes %d bytes, and at most %d are kept: leave -keep out, or change fewer files at "+
			"once", len(data), h.bytes)
	}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return "", err
	}
	names, err := h.list()
	if err != nil {
		return "", err
	}
	next := 1
	if len(names) > 0 {
		next = number(names[len(names)-1]) + 1
	}
	name := fmt.Sprintf("%012d-%s-%s.json", next, h.key(), rand.Text()[:8]) // another process may take the same number
	return name, atomicedit.WriteFile(filepath.Join(h.dir, name), data, 0o600)
}

// remove forgets a run.
func (h history) remove(name string) error { return os.Remove(filepath.Join(h.dir, name)) }

// prune forgets the oldest runs until the rest is within the limits.
func (h history) prune() error {
	names, err := h.list()
	if err != nil {
		return err
	}
	var size int64
	for i, name := range slices.Backward(names) {
		info, err := os.Stat(filepath.Join(h.dir, name))
		if errors.Is(err, fs.ErrNotExist) { // another process has undone or forgotten it
			continue
		}
		if err != nil {
			return err
		}
		if size += info.Size(); len(names)-i <= h.runs && size <= h.bytes {
			continue
		}
		if err := h.remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// last returns the last run in the directory, and its name: "" if there is none.
func (h history) last() (name string, run keptRun, err error) {
	names, err := h.list()
	if err != nil {
		return "", run, err
	}
	for _, name := range slices.Backward(names) {
		if !strings.Contains(name, "-"+h.key()+"-") {
			continue
		}
		path := filepath.Join(h.dir, name)
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &run)
		}
		if err == nil && run.Dir != h.of {
			err = fmt.Errorf("it is of the directory %s", run.Dir)
		}
		if err != nil {
			return "", run, fmt.Errorf("the kept run %s cannot be read: remove it to go on with the one before: %w",
				path, err)
		}
		return name, run, nil
	}
	return "", run, nil
}
