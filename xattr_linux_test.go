package atomicedit_test

import "golang.org/x/sys/unix"

func setxattr(name, attr, value string) error { return unix.Setxattr(name, attr, []byte(value), 0) }

func getxattr(name, attr string) string {
	value := make([]byte, 100)
	n, err := unix.Getxattr(name, attr, value)
	if err != nil {
		return err.Error()
	}
	return string(value[:n])
}
