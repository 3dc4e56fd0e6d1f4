//go:build !unix || solaris || aix

package git

import "os"

// lock returns nil: nothing here tells the directory of a dead process from that of a live one.
func (p private) lock() *os.File { return nil }

// abandoned returns nil, so the directories of dead processes stay.
func (p private) abandoned() *os.File { return nil }
