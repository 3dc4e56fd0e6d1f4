package accepttest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// NewDirOn and NewRootsOn return a Dir on disks of a test. Only the tests of the root package can make one: they set
// these.
var (
	NewDirOn   func(d disk.Disk, o atomicedit.DirOptions) *atomicedit.Dir
	NewRootsOn func(o atomicedit.DirOptions, open func(name string) (disk.Disk, func(), error),
		names ...string) *atomicedit.Dir
)

// Main runs the tests of a package in the top directory of the repository, so that they name its files as a user does.
func Main(m *testing.M) {
	RunRole()
	if err := os.Chdir("../../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(disktest.Run(m))
}

// RunRole plays one of the Roles, and ends the process, if [Again] has started it for that.
func RunRole() {
	role := Roles[os.Getenv("ATOMICEDIT_ROLE")]
	if role == nil {
		return
	}
	if err := role(strings.Split(os.Getenv("ATOMICEDIT_ARGS"), "\n")); err != nil {
		fmt.Println(err)
		os.Exit(Failed)
	}
	os.Exit(0)
}
