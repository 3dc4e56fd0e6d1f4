//go:build unix

package speed

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// renameAndSync replaces a file so that its name is on disk too; nil where renameio does not run.
var renameAndSync = func(name string, data []byte) error {
	err := renameio.WriteFile(name, data, 0o644, renameio.WithTempDir(filepath.Dir(name)), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
