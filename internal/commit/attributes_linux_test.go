package commit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

// accessList returns an access list in the format of the attribute system.posix_acl_access. The owner and some users
// may read and write, and the group has no rights.
func accessList(users int) []byte {
	list := binary.LittleEndian.AppendUint32(nil, 2)
	add := func(tag, perm uint16, id uint32) {
		list = binary.LittleEndian.AppendUint16(list, tag)
		list = binary.LittleEndian.AppendUint16(list, perm)
		list = binary.LittleEndian.AppendUint32(list, id)
	}
	const none = 1<<32 - 1
	add(0x01, 6, none)
	for i := range users {
		add(0x02, 6, uint32(1000+i))
	}
	add(0x04, 0, none)
	add(0x10, 6, none)
	add(0x20, 0, none)
	return list
}

const listName = "system.posix_acl_access"

// attributesDir returns a directory on a file system that keeps access lists.
func attributesDir(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"/dev/shm", ""} {
		dir, err := os.MkdirTemp(dir, "atomicedit")
		if err != nil {
			continue
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		name := filepath.Join(dir, "f")
		if err := os.WriteFile(name, []byte("0"), 0o600); err != nil {
			t.Fatal(err)
		}
		if unix.Setxattr(name, listName, accessList(1), 0) == nil {
			return dir
		}
	}
	t.Skip("no access lists here")
	return ""
}

// getxattr returns an attribute of a file, "" if the file does not have it.
func getxattr(t *testing.T, name, attribute string) string {
	t.Helper()
	value := make([]byte, 64<<10)
	n, err := unix.Getxattr(name, attribute, value)
	if err != nil && !errors.Is(err, unix.ENODATA) {
		t.Errorf("%s: %v", attribute, err)
	}
	return string(value[:max(n, 0)])
}

// Another program keeps changing the access list of the file. The file never loses its list, and its group never gets
// rights.
func TestAccessListsSurviveCommitsWhileOthersChangeThem(t *testing.T) {
	dir := attributesDir(t)
	name := filepath.Join(dir, "f")
	var stop atomic.Bool
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for i := 0; !stop.Load(); i++ {
			unix.Setxattr(name, listName, accessList(1+i%20), 0)
		}
	}()
	commits, refused := 0, 0
	for end := time.Now().Add(sweeptest.Or(time.Second/4, time.Second)); time.Now().Before(end); commits++ {
		err := WriteFile(t.Context(), 0, name, []byte(strconv.Itoa(commits)), 0, DurableNone)
		if errors.Is(err, errs.ErrStale) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
		list := getxattr(t, name, listName)
		if users := (len(list) - len(accessList(0))) / 8; users < 1 || list != string(accessList(users)) {
			t.Fatalf("commit %d: the list is %q", commits, list)
		}
	}
	stop.Store(true)
	<-ended
	t.Logf("%d commits, %d refused", commits, refused)
}

// Another program changes one attribute during each commit. Afterwards, the file has the attribute as changed.
func TestWhatOthersChangeDuringACommitIsInTheOutcome(t *testing.T) {
	t.Parallel()
	dir := attributesDir(t)
	name := filepath.Join(dir, "f")
	root := os.Geteuid() == 0
	commits, lost := 0, 0
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); commits++ {
		start, ended := make(chan bool), make(chan error)
		n := commits
		go func() {
			<-start
			for began, wait := time.Now(), time.Duration(n%797)*time.Microsecond; time.Since(began) < wait; {
			}
			switch {
			case n%4 == 0:
				ended <- os.Chmod(name, 0o600|fs.FileMode(n/4%8)<<3)
			case n%4 == 1 && root:
				ended <- os.Chown(name, n, n)
			case n%4 == 2:
				ended <- unix.Setxattr(name, "user.n", []byte(fmt.Sprint(n)), 0)
			default:
				ended <- unix.Setxattr(name, listName, accessList(1+n%20), 0)
			}
		}()
		close(start)
		err := WriteFile(t.Context(), 0, name, []byte(strconv.Itoa(n)), 0, DurableNone)
		if err != nil && !errors.Is(err, errs.ErrStale) {
			t.Fatal(err)
		}
		err = <-ended
		if errors.Is(err, unix.ENOTSUP) {
			continue // this file system does not keep such attributes
		}
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		var is unix.Stat_t
		unix.Stat(name, &is)
		ok := true
		switch {
		case n%4 == 0:
			ok = info.Mode().Perm() == 0o600|fs.FileMode(n/4%8)<<3
		case n%4 == 1 && root:
			ok = int(is.Uid) == n && int(is.Gid) == n
		case n%4 == 2:
			ok = getxattr(t, name, "user.n") == fmt.Sprint(n)
		default:
			ok = getxattr(t, name, listName) == string(accessList(1+n%20))
		}
		if !ok {
			lost++
			t.Logf("commit %d: change of kind %d is lost", n, n%4)
		}
	}
	// A system call can find the old file by its name, and change it after the commit has looked for the last time.
	if lost > commits/1000 {
		t.Errorf("%d of %d changes are lost", lost, commits)
	}
	t.Logf("%d commits, %d changes lost", commits, lost)
}
