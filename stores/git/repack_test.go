package git

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// The objects of a commit are in no history before the reference moves. Somebody who repacks the repository at that
// moment does not throw them away.
func TestARepackDuringACommit(t *testing.T) {
	for _, step := range []string{"git update-ref", "git push"} {
		for _, n := range []int{1, 2 * unpackLimit} {
			dir := bare(t)
			s, at := open(t, dir, nil), dir
			commit(t, s, create("a", "1"))
			if step == "git push" {
				s = mirror(t, dir)
				at = s.repo
			}
			s.git.fault = func(now string, done bool) error {
				if now == step && !done {
					run(t, at, "repack", "-q", "-a", "-d")
				}
				return nil
			}
			var changes []atomicedit.Change
			for i := range n {
				changes = append(changes, create(fmt.Sprintf("d/%d", i), fmt.Sprint(i)))
			}
			commit(t, s, changes...)
			s.git.fault = nil
			has(t, s, "d/0", "0")
			run(t, dir, "fsck", "--strict")
			if kept, _ := filepath.Glob(at + "/objects/pack/*.keep"); kept != nil {
				t.Errorf("%s is left", kept)
			}
		}
	}
}
