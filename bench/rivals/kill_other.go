//go:build !unix

package main

import "os/exec"

func apart(cmd *exec.Cmd) {}

func kill(cmd *exec.Cmd) { cmd.Process.Kill() }
