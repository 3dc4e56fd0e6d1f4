package atomicedit

import "golang.org/x/sys/windows"

const (
	sysOtherDevice = windows.ERROR_NOT_SAME_DEVICE
	sysNoLinks     = windows.ERROR_INVALID_FUNCTION
	sysNameTooLong = windows.ERROR_INVALID_NAME
)
