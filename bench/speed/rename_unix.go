//go:build unix

package speed

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// renameAndSync replaces a file, and also syncs its name. It is nil if renameio does not support the system.
var renameAndSync = func(name string, data []byte) error {
	err := renameio.WriteFile(name, data, 0o644, renameio.WithTempDir(filepath.Dir(name)),
		renameio.WithExistingPermissions())
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
