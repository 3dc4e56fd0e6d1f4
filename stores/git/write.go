package git

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// unpackLimit is the number of objects from which on they stay in one pack. A pack waits for the disk three times,
// however large it is, and fewer objects become files of their own, each of which waits: so small commits do not leave
// a pack each. Git gc tidies up both.
const unpackLimit = 16

// write hands objects to git. They are part of no history until the reference is moved, and git gc removes them after
// two weeks if it never is. A "git repack -a -d" would remove a pack of them at once, if it were not for the file keep.
func (r *repository) write(ctx context.Context, objects []object) (keep string, err error) {
	if len(objects) == 0 {
		return "", nil
	}
	pack, out := io.Pipe()
	go func() { out.CloseWithError(r.format.writePack(out, objects)) }()
	defer pack.Close()
	if len(objects) < unpackLimit {
		_, err := r.git.run(ctx, pack, "unpack-objects", "-q")
		return "", err
	}
	said, err := r.git.run(ctx, pack, "index-pack", "--stdin", "--keep=atomicedit")
	if name, ok := strings.CutPrefix(strings.TrimSpace(string(said)), "keep\t"); ok {
		keep = filepath.Join(r.repo, "objects", "pack", "pack-"+name+".keep")
	}
	return keep, err
}

// secure waits until objects are on disk, so that the reference never names what a power cut can take away. Git itself
// syncs packs. It would sync loose objects one by one; here they wait together, also those that somebody else has
// written just now.
func (r *repository) secure(objects []object) error {
	if r.o.Durability == atomicedit.DurableNone {
		return nil
	}
	if err := r.git.step("sync of the objects", false); err != nil {
		return err
	}
	dir := filepath.Join(r.repo, "objects")
	if len(objects) >= unpackLimit {
		return syncAll([]string{filepath.Join(dir, "pack")})
	}
	var files []string
	dirs := map[string]bool{dir: true}
	for _, o := range objects {
		name := o.id.String()
		files = append(files, filepath.Join(dir, name[:2], name[2:]))
		dirs[filepath.Join(dir, name[:2])] = true
	}
	if err := syncAll(files); err != nil {
		return err
	}
	files = files[:0]
	for dir := range dirs {
		files = append(files, dir)
	}
	return syncAll(files)
}

// secureRef waits until the name of the reference is on disk.
func (r *repository) secureRef() error {
	if r.o.Durability != atomicedit.DurableFull {
		return nil
	}
	if err := r.git.step("sync of the reference", false); err != nil {
		return err
	}
	file := filepath.Join(r.repo, filepath.FromSlash(r.ref))
	names := []string{file}
	for dir := range parts(r.ref) {
		if dir != r.ref {
			names = append(names, filepath.Join(r.repo, filepath.FromSlash(dir)))
		}
	}
	if !strings.HasPrefix(r.ref, "refs/") {
		return nil
	}
	return syncAll(names)
}
