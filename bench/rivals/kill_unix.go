//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// apart gives a command a group of its own, so that kill ends its children too.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
