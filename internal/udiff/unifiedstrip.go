package udiff

import (
	"fmt"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// ParseStrip reads a unified diff as Parse does, but it removes exactly n leading parts from every name of a file, and
// nothing else: not "a/" and "b/" either, unless they are among these parts. This is what "patch -p" and "git apply -p" do. As in git,
// the names after "rename from" and "rename to" lose one part less, because they have no prefix. Several slashes in a row count as one.
// The names that are left are exact: of two different ones, the file has the new one, unless it is deleted, and Op.OtherPath stays empty.
//
// A name with n parts or fewer is a Refusal with ErrSyntax. A negative n is [fs.ErrInvalid].
func ParseStrip(request string, n int) (plan.Plan, error) {
	if n < 0 {
		return plan.Plan{}, fmt.Errorf("atomicedit: the number of parts to remove from names is %d: %w", n, fs.ErrInvalid)
	}
	return Read(request, marker.NameStrip{On: true, Parts: n}, false)
}
