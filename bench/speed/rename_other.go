//go:build !unix

package speed

// renameAndSync is nil, because renameio does not support the system.
var renameAndSync func(name string, data []byte) error
