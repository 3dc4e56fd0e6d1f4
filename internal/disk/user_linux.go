package disk

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// privileged reports whether this process has a capability that applies to a file.
func privileged(is *unix.Stat_t, capability int) bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var ours [2]unix.CapUserData
	if unix.Capget(&head, &ours[0]) != nil {
		return os.Geteuid() == 0
	}
	return ours[0].Effective&(1<<capability) != 0 && numbered(is)
}

// numbered reports whether the owner and the group of a file have ids in this user namespace. Those without an id look
// like nobody.
func numbered(is *unix.Stat_t) bool {
	return (is.Uid != nobody || nobodyIsUser()) && (is.Gid != nobody || nobodyIsGroup())
}

const nobody = 65534

// A process stays in its user namespace, so the id maps are read once.
var (
	nobodyIsUser  = sync.OnceValue(func() bool { return lists("/proc/self/uid_map", nobody) })
	nobodyIsGroup = sync.OnceValue(func() bool { return lists("/proc/self/gid_map", nobody) })
)

// lists reports whether an id map of the user namespace has id, or cannot be read.
func lists(name string, id uint32) bool {
	data, err := os.ReadFile(name)
	for line := range strings.Lines(string(data)) {
		var inside, outside, count uint32
		if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && id >= inside && id-inside < count {
			return true
		}
	}
	return err != nil
}
