//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit/bench/crash"
)

// kinds are the kinds of places in which commits are attacked.
var kinds = []string{"tmpfs", "ext4", "overlay", "mount", "bind", "fuse", "roots", "protected"}

// A place is the directory of one worker. Its files are made again for each job.
type place struct {
	kind, base, dir string
	lower           string // the lower directory of an overlay, which is mounted again for each job
}

// makePlace mounts a place of a kind in the empty directory base, which is on a tmpfs. All mounts are in the namespace
// of this process, and disappear with it. The caller has to end the place, even after an error.
func makePlace(ctx context.Context, kind, base string) (*place, error) {
	p := &place{kind: kind, base: base, dir: filepath.Join(base, "dir")}
	if err := os.MkdirAll(filepath.Join(p.dir, "m"), 0o755); err != nil {
		return p, err
	}
	var err error
	switch kind {
	case "ext4":
		image := filepath.Join(base, "image")
		if err = crash.Format(kind, image, 32<<20); err == nil {
			err = crash.Mount(kind, image, p.dir)
		}
	case "overlay":
		p.lower = filepath.Join(base, "lower")
		if err = plant(p.lower); err == nil {
			err = p.reset()
		}
	case "mount":
		err = unix.Mount("attack", filepath.Join(p.dir, "m"), "tmpfs", 0, "size=64m")
	case "bind":
		bound, source := filepath.Join(p.dir, "bound"), filepath.Join(base, "source")
		if err = errors.Join(os.WriteFile(source, nil, 0o644), os.WriteFile(bound, nil, 0o644)); err == nil {
			err = unix.Mount(source, bound, "", unix.MS_BIND, "")
		}
	case "fuse":
		err = p.serve(ctx)
	}
	return p, err
}

// serve starts a FUSE file system in another process. A process that uses its own file system can deadlock.
func (p *place) serve(ctx context.Context) error {
	cmd := role(ctx, "fuse", filepath.Join(p.base, "source"), p.dir)
	if err := cmd.Start(); err != nil {
		return err
	}
	for range 200 {
		time.Sleep(10 * time.Millisecond)
		var is unix.Statfs_t
		if unix.Statfs(p.dir, &is) == nil && is.Type == unix.FUSE_SUPER_MAGIC {
			return nil
		}
	}
	cmd.Process.Kill()
	return errors.New("FUSE cannot be mounted here")
}

// serveFuse serves the files of a directory, but allows no links.
func serveFuse(source, dir string) error {
	unix.Umask(0)
	if err := os.MkdirAll(source, 0o755); err != nil {
		return err
	}
	data := &fs.LoopbackRoot{Path: source}
	root := &noLinks{fs.LoopbackNode{RootData: data}}
	data.RootNode = root
	server, err := fs.Mount(dir, root, &fs.Options{MountOptions: fuse.MountOptions{DirectMount: true, AllowOther: true,
		FsName: "attack", Name: "attack"}})
	if err == nil {
		server.Wait()
	}
	return err
}

type noLinks struct{ fs.LoopbackNode }

func (n *noLinks) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	return &noLinks{fs.LoopbackNode{RootData: ops.(*fs.LoopbackNode).RootData}}
}

func (n *noLinks) Link(context.Context, fs.InodeEmbedder, string, *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return nil, unix.EPERM
}

// end removes the mounts of the place. The mounts of an interrupted attack disappear with its namespace.
func (p *place) end() {
	for _, mounted := range []string{"m", "bound", "."} {
		unix.Unmount(filepath.Join(p.dir, mounted), unix.MNT_DETACH)
	}
	os.RemoveAll(p.base)
}

// reset restores the files of the place.
func (p *place) reset() error {
	if p.lower == "" {
		return plant(p.dir)
	}
	unix.Unmount(p.dir, unix.MNT_DETACH)
	upper, work := filepath.Join(p.base, "upper"), filepath.Join(p.base, "work")
	if err := errors.Join(os.RemoveAll(upper), os.RemoveAll(work), os.Mkdir(upper, 0o755),
		os.Mkdir(work, 0o755)); err != nil {
		return err
	}
	return unix.Mount("attack", p.dir, "overlay", 0,
		fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", p.lower, upper, work))
}

const (
	listAttr  = "system.posix_acl_access"
	userAttr  = "user.attack"
	emptyAttr = "user.empty"
)

// A meta has the attributes of a file.
type meta struct {
	mode     uint32
	uid, gid int
	attrs    map[string]string
}

// accessList returns an access list that lets the owner and n users, starting with first, read and write, and nobody
// else.
func accessList(first, n uint32) string {
	const nobody = ^uint32(0)
	entries := [][3]uint32{{1, 6, nobody}}
	for i := range n {
		entries = append(entries, [3]uint32{2, 6, first + i})
	}
	entries = append(entries, [][3]uint32{{4, 0, nobody}, {16, 6, nobody}, {32, 0, nobody}}...)
	list := []byte{2, 0, 0, 0}
	for _, e := range entries {
		list = binary.LittleEndian.AppendUint16(list, uint16(e[0]))
		list = binary.LittleEndian.AppendUint16(list, uint16(e[1]))
		list = binary.LittleEndian.AppendUint32(list, e[2])
	}
	return string(list)
}

// planted has the files before a commit. Each has the content "old".
var planted = []struct {
	name string
	meta
}{
	{"a", meta{0o660, 1001, 1002, map[string]string{listAttr: accessList(1003, 1), userAttr: "of a"}}},
	{"sub/b", meta{0o751, 1001, 1001, map[string]string{userAttr: "of b", emptyAttr: "",
		userAttr + "2": strings.Repeat("long ", 30)}}},
	{"sub/moved", meta{0o4711, 1003, 1003, map[string]string{userAttr: "of moved"}}},
	{"sub/across", meta{0o660, 1003, 1002, map[string]string{listAttr: accessList(1001, 1), userAttr: "of across"}}},
	{"m/x", meta{0o604, 1002, 1002, map[string]string{userAttr: "of x"}}},
	{"bound", meta{0o600, 1001, 1001, map[string]string{userAttr: "of bound"}}},
	{"gone", meta{0o640, 1001, 1001, nil}},
	{"setgid/d", meta{0o644, 0, 1005, nil}},
	{"sub/other", meta{0o640, 1001, 1001, map[string]string{userAttr: "of other"}}},
	{"probe", meta{0o644, 0, 0, nil}},
}

// plant makes the files in dir again. Mount points stay.
func plant(dir string) error {
	names, _ := filepath.Glob(dir + "/*")
	hidden, _ := filepath.Glob(dir + "/.*")
	for _, name := range append(names, hidden...) {
		os.RemoveAll(name)
	}
	for _, f := range planted {
		name := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte("old\n"), 0o600); err != nil {
			return err
		}
		if err := f.give(name); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	setgid := filepath.Join(dir, "setgid")
	return errors.Join(os.Symlink("sub/other", filepath.Join(dir, ".env")), os.Chown(setgid, 0, 1005),
		unix.Chmod(setgid, 0o2775))
}

// give gives a file the attributes in m. The mode comes first, because the access list decides its group bits.
func (m meta) give(name string) error {
	err := errors.Join(os.Chown(name, m.uid, m.gid), unix.Chmod(name, m.mode))
	for attr, value := range m.attrs {
		err = errors.Join(err, unix.Setxattr(name, attr, []byte(value), 0))
	}
	return err
}
