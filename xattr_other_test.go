//go:build unix && !linux && !solaris && !aix

package atomicedit_test

import "errors"

func setxattr(_, _, _ string) error { return errors.ErrUnsupported }
func getxattr(_, _ string) string   { return "" }
func limited(string) error          { return errors.ErrUnsupported }
