package commit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A vault keeps a random number for one directory, in a file outside that directory. The number identifies the state
// directory where the file system does not tell when a directory was made. Somebody who sends a copy of a directory
// does not know the number, so a journal that has it was written here.
type vault struct {
	file string // "" if there is no place for a vault
}

// vaultOf returns the vault of a directory, which is in stateDir or, if that is "", in the user's configuration. The
// vault must not be inside the directory, because a number could then come with a copy, nor inside one of the others
// that can be changed with it.
func vaultOf(stateDir string, at location, others ...location) vault {
	if at.name() == "" {
		return vault{} // two directories without a name would share a number
	}
	if stateDir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return vault{}
		}
		stateDir = filepath.Join(config, "atomicedit")
	}
	stateDir, err := filepath.Abs(stateDir)
	real, linkErr := filepath.EvalSymlinks(existing(stateDir))
	if err != nil || linkErr != nil {
		return vault{}
	}
	for _, l := range append([]location{at}, others...) {
		if l.isAbove(stateDir) || l.isAbove(real) {
			return vault{}
		}
	}
	sum := sha256.Sum256([]byte(at.name()))
	return vault{filepath.Join(stateDir, hex.EncodeToString(sum[:16]))}
}

// isAbove reports whether a directory is inside the one of l, or the same.
func (l location) isAbove(dir string) bool {
	return slices.ContainsFunc(l.names, func(name string) bool {
		rel, err := filepath.Rel(name, dir)
		return err == nil && filepath.IsLocal(rel)
	})
}

// existing returns name, or the innermost directory above it that exists.
func existing(name string) string {
	for {
		if _, err := os.Stat(name); err == nil || filepath.Dir(name) == name {
			return name
		}
		name = filepath.Dir(name)
	}
}

// number returns the number, 0 if there is none.
func (v vault) number() (int64, error) {
	if v.file == "" {
		return 0, nil
	}
	data, err := os.ReadFile(v.file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n, err
}

// make returns the number. If there is none, it makes one and puts it on disk. The caller has the guard of the
// directory.
func (v vault) make() (int64, error) {
	if n, err := v.number(); n != 0 || err != nil || v.file == "" {
		return n, err
	}
	if err := os.MkdirAll(filepath.Dir(v.file), 0o700); err != nil {
		return 0, err
	}
	var random [8]byte
	rand.Read(random[:])
	n := int64(binary.BigEndian.Uint64(random[:])>>1) | 1
	f, err := os.CreateTemp(filepath.Dir(v.file), ".new-*") // with mode 0600
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	_, err = fmt.Fprintln(f, n)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), v.file)
	}
	if err != nil {
		return 0, err
	}
	if dir, err := os.Open(filepath.Dir(v.file)); err == nil { // some systems cannot sync a directory
		dir.Sync()
		dir.Close()
	}
	return n, nil
}

// An identified disk takes the identity of the state directory from a vault, if the disk does not know when it was
// made.
type identified struct {
	disk.Disk
	number func() (int64, error)
	trust  bool // the caller vouches for the number
}

func (d identified) Inspect(name string) (disk.Traits, error) {
	t, err := d.Disk.Inspect(name)
	if err == nil && name == StateDir && t.Born == 0 {
		t.Born, err = d.number()
		t.Secret = !d.trust
	}
	return t, err
}
