//go:build unix && !linux && !solaris && !aix

package dir_test

import "errors"

func limited(string) error { return errors.ErrUnsupported }
