//go:build !linux

package main

import "errors"

func spread(string) {}

func onLoop(string, func(dir string) error) error { return errors.New("-on needs Linux") }
