//go:build linux

package main

import (
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// A disk simulates a disk with a volatile cache: after a power cut, any subset of the pieces that were written since
// the last flush survives. The disk is a file of a FUSE file system with a loop device on it. The loop device turns the
// flushes of its file system into fsync calls on that file.
type disk struct {
	fs.Inode
	size int64

	mu      sync.Mutex
	now     map[int64]*block // what a read returns; missing blocks are zero
	safe    map[int64]*block
	pending []write
	flushes int
}

const blockSize = 4096

type block [blockSize]byte

// A write is a piece of one block.
type write struct {
	block int64
	from  int
	data  []byte
}

// load makes a disk from an image.
func load(image string) (*disk, error) {
	f, err := os.Open(image)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := &disk{now: map[int64]*block{}}
	for {
		b := new(block)
		n, err := io.ReadFull(f, b[:])
		if *b != (block{}) {
			d.now[d.size/blockSize] = b
		}
		d.size += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			d.safe = maps.Clone(d.now)
			return d, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// put carries out a write on blocks. It copies a block before it changes it, because other maps may share the block.
func put(blocks map[int64]*block, w write) {
	b := new(block)
	if old := blocks[w.block]; old != nil {
		*b = *old
	}
	copy(b[w.from:], w.data)
	blocks[w.block] = b
}

// cut writes an image of the disk after a power cut at this moment. The image has everything that was flushed, and each
// other piece with the probability keep.
func (d *disk) cut(image string, keep float64) (dropped int, err error) {
	d.mu.Lock()
	left := maps.Clone(d.safe)
	for _, w := range d.pending {
		if rand.Float64() < keep {
			put(left, w)
		} else {
			dropped++
		}
	}
	d.mu.Unlock()
	f, err := os.Create(image)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for n, b := range left {
		if _, err := f.WriteAt(b[:], n*blockSize); err != nil {
			return 0, err
		}
	}
	return dropped, f.Truncate(d.size)
}

var (
	_ fs.NodeOpener    = (*disk)(nil)
	_ fs.NodeGetattrer = (*disk)(nil)
	_ fs.NodeSetattrer = (*disk)(nil)
	_ fs.NodeReader    = (*disk)(nil)
	_ fs.NodeWriter    = (*disk)(nil)
	_ fs.NodeFsyncer   = (*disk)(nil)
)

func (d *disk) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_KEEP_CACHE, 0
}

func (d *disk) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = 0o600, uint64(d.size)
	return 0
}

func (d *disk) Setattr(ctx context.Context, f fs.FileHandle, _ *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return d.Getattr(ctx, f, out)
}

func (d *disk) Read(_ context.Context, _ fs.FileHandle, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	to = to[:max(0, min(int64(len(to)), d.size-at))]
	for rest := to; len(rest) > 0; {
		b := d.now[at/blockSize]
		if b == nil {
			b = new(block)
		}
		n := copy(rest, b[at%blockSize:])
		rest, at = rest[n:], at+int64(n)
	}
	return fuse.ReadResultData(to), 0
}

func (d *disk) Write(_ context.Context, _ fs.FileHandle, data []byte, at int64) (uint32, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for rest := data; len(rest) > 0; {
		from := int(at % blockSize)
		n := min(len(rest), blockSize-from)
		w := write{at / blockSize, from, append([]byte(nil), rest[:n]...)}
		put(d.now, w)
		d.pending = append(d.pending, w)
		rest, at = rest[n:], at+int64(n)
	}
	return uint32(len(data)), 0
}

func (d *disk) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.safe, d.pending = maps.Clone(d.now), nil
	d.flushes++
	return 0
}

// serve mounts a file system with the disk as its only file.
func (d *disk) serve(mountPoint string) (*fuse.Server, error) {
	root := &fs.Inode{}
	return fs.Mount(mountPoint, root, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMount: true, MaxWrite: 1 << 20, FsName: "powercut", Name: "powercut"},
		OnAdd: func(ctx context.Context) {
			root.AddChild("disk", root.NewPersistentInode(ctx, d, fs.StableAttr{Mode: syscall.S_IFREG}), false)
		},
	})
}
