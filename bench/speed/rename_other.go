//go:build !unix

package speed

// renameAndSync is nil: renameio does not run here.
var renameAndSync func(name string, data []byte) error
