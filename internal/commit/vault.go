package commit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A vault keeps a random number for one directory, outside of it. Where the file system does not tell when a directory was made,
// a journal that has this number was written here: nobody who sends a copy of a directory knows it.
type vault struct {
	file string // "" if there is no place for one
}

// vaultOf returns the vault of a directory in stateDir, or if that is "", in the user's configuration. A place inside the
// directory is none: the numbers there could come with a copy.
func vaultOf(stateDir string, at location) vault {
	if stateDir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return vault{}
		}
		stateDir = filepath.Join(config, "atomicedit")
	}
	stateDir, err := filepath.Abs(stateDir)
	if err != nil {
		return vault{}
	}
	real := stateDir
	if r, err := filepath.EvalSymlinks(existing(stateDir)); err == nil {
		real = r
	}
	for _, name := range at.names {
		for _, dir := range []string{stateDir, real} {
			if rel, err := filepath.Rel(name, dir); err == nil && filepath.IsLocal(rel) {
				return vault{}
			}
		}
	}
	sum := sha256.Sum256([]byte(at.name()))
	return vault{filepath.Join(stateDir, hex.EncodeToString(sum[:16]))}
}

// existing returns the innermost directory of a name that is there.
func existing(name string) string {
	for {
		if _, err := os.Stat(name); err == nil || filepath.Dir(name) == name {
			return name
		}
		name = filepath.Dir(name)
	}
}

// number returns the number, or 0 if there is none.
func (v vault) number() int64 {
	if v.file == "" {
		return 0
	}
	data, err := os.ReadFile(v.file)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n
}

// make returns the number, and makes one if there is none. It is on disk then. The caller has the guard of the directory.
func (v vault) make() (int64, error) {
	if n := v.number(); n != 0 || v.file == "" {
		return n, nil
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
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), v.file)
	}
	if err != nil {
		return 0, err
	}
	if dir, err := os.Open(filepath.Dir(v.file)); err == nil { // not every system can do this
		dir.Sync()
		dir.Close()
	}
	return n, nil
}

// identified adds the number of a vault to a disk that does not tell when the state directory was made.
type identified struct {
	disk.Disk
	number func() int64
	trust  bool // whatever number the journal has, the caller vouches for it
}

func (d identified) Inspect(name string) (disk.Traits, error) {
	t, err := d.Disk.Inspect(name)
	if err == nil && name == StateDir && t.Born == 0 {
		t.Born, t.Secret = d.number(), !d.trust
	}
	return t, err
}
