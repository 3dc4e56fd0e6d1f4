package accepttest

import "golang.org/x/sys/unix"

func Setxattr(name, attr, value string) error { return unix.Setxattr(name, attr, []byte(value), 0) }

func Getxattr(name, attr string) string {
	value := make([]byte, 100)
	n, err := unix.Getxattr(name, attr, value)
	if err != nil {
		return err.Error()
	}
	return string(value[:n])
}
