//go:build !unix

package speed

// renameOver is nil, because renameio does not support the system.
var renameOver func(name string, data []byte) error
