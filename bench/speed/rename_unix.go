//go:build unix

package speed

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// renameOver replaces a file. It is nil if renameio does not support the system.
var renameOver = func(name string, data []byte) error {
	return renameio.WriteFile(name, data, 0o644, renameio.WithTempDir(filepath.Dir(name)),
		renameio.WithExistingPermissions())
}
