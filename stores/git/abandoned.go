package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The names of a private directory, before the random number, and of the file in it that its owner has locked.
const (
	privatePrefix = "atomicedit-git-"
	lockName      = "lock"
)

// remove removes the private directory, and then closes its lock, which may be nil. The lock goes last: if the process
// dies on the way, the next one finds it and goes on.
func (p private) remove(lock *os.File) error {
	if lock != nil {
		defer lock.Close()
	}
	entries, _ := os.ReadDir(string(p)) // the last step meets every error again
	for _, e := range entries {
		if e.Name() != lockName {
			os.RemoveAll(filepath.Join(string(p), e.Name()))
		}
	}
	return os.RemoveAll(string(p))
}

// removeAbandoned removes the private directories that dead processes have left in a directory for temporary files. A
// directory is left alone unless it certainly is one: it has the name and the owner of one, and a lock that nobody
// holds. So an error on the way means only that a directory stays.
func removeAbandoned(temp string) {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), privatePrefix)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || e.Type() != fs.ModeDir {
			continue
		}
		p := private(filepath.Join(temp, e.Name()))
		if lock := p.abandoned(); lock != nil {
			p.remove(lock)
		}
	}
}
