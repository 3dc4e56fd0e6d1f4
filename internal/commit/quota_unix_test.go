//go:build unix && !solaris && !aix

package commit

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// A full disk has no room for another block or name.
type full struct{ disk.Disk }

func (full) Create(name string, _ []byte, _ disk.Meta) error { return noRoom("create", name) }
func (full) Overwrite(name string, _ []byte) error           { return noRoom("write", name) }
func (full) Link(_, name string) error                       { return noRoom("link", name) }
func (full) Mkdir(name string, _ fs.FileMode) error          { return noRoom("mkdir", name) }

func noRoom(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: unix.EDQUOT} }

// A recovery that needs room says that the quota is full, and another one finishes when there is room again.
func TestARecoveryThatMeetsAFullQuotaSaysSo(t *testing.T) {
	t.Parallel()
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			said := 0
			for seed := range uint64(scenes) {
				s := randomScene(rand.New(rand.NewPCG(seed, 5)))
				for k, reached := int(seed)%stride(3), true; reached; k += stride(3) {
					mem := s.disk()
					dying := disktest.NewFault(mem, k, deaths[k%3])
					commitOn(kind.wrap(dying, s), Options{InPlace: true}, s.changes)
					reached = dying.Reached()
					err := recoverOn(kind.wrap(full{mem}, s), Options{InPlace: true})
					if err != nil && !errors.Is(err, unix.EDQUOT) {
						t.Errorf("scene %d, killed at %d: recovery: %v", seed, k, err)
					}
					if err != nil {
						said++
					}
					if err := recoverOn(kind.wrap(mem, s), Options{InPlace: true}); err != nil {
						t.Errorf("scene %d, killed at %d: recovery with room: %v", seed, k, err)
					}
					if now := mem.Files(); !maps.Equal(now, s.old) && !maps.Equal(now, s.new) || clean(mem) != nil {
						t.Errorf("scene %d, killed at %d: %v\n%s", seed, k, clean(mem), cmp.Diff(s.old, now))
					}
				}
			}
			if said == 0 {
				t.Error("no recovery needed room")
			}
		})
	}
}

// Without the backup, the old file is written anew. A full quota is what prevents it then, not the missing backup.
func TestAFullQuotaIsNotAMissingBackup(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "two"})
	s := step{kind: entryEdit, path: "a", dir: StateDir, change: edit("a", "one", "two"),
		old: disk.VersionOf([]byte("one")), new: disk.VersionOf([]byte("two"))}
	if _, err := undo(full{mem}, []step{s}, 1, false); !errors.Is(err, unix.EDQUOT) {
		t.Errorf("error %v, want %v", err, unix.EDQUOT)
	}
}
