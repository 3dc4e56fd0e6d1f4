package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// options are the command line.
type options struct {
	dir, color, state         string
	preview, reverse, asJSON  bool
	keep, undo, version, help bool
	strip                     int // -1 where nothing is asked for
	files                     []string
}

// flags returns the flags, which set o.
func (o *options) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("apply", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.dir, "C", ".", "")
	flags.StringVar(&o.color, "color", "auto", "")
	flags.StringVar(&o.state, "state", "", "")
	flags.IntVar(&o.strip, "p", -1, "")
	for _, b := range []struct {
		name string
		is   *bool
	}{
		{"n", &o.preview}, {"check", &o.preview}, {"R", &o.reverse}, {"json", &o.asJSON}, {"keep", &o.keep},
		{"undo", &o.undo},
		{"version", &o.version}, {"h", &o.help}, {"help", &o.help},
	} {
		flags.BoolVar(b.is, b.name, false, "")
	}
	return flags
}

// parseOptions reads the command line. Flags and files come in any order; everything after "--" is a file.
func parseOptions(args []string) (o options, err error) {
	flags := o.flags()
	for len(args) > 0 {
		if args[0] == "--" {
			o.files = append(o.files, args[1:]...)
			break
		}
		n, err := takeFlag(flags, args)
		if err != nil {
			return o, err
		}
		if n == 0 {
			o.files, n = append(o.files, args[0]), 1
		}
		args = args[n:]
	}
	return o, o.check(flags)
}

// takeFlag sets the flag that args begin with, and returns how many of them it takes: 0 if they begin with a file.
func takeFlag(flags *flag.FlagSet, args []string) (n int, err error) {
	arg := args[0]
	if !strings.HasPrefix(arg, "-") || arg == "-" {
		return 0, nil
	}
	if digits := strings.TrimPrefix(arg, "-p"); digits != arg && digits != "" &&
		strings.Trim(digits, "0123456789") == "" {
		arg = "-p=" + digits // as everybody writes it for patch
	}
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	f := flags.Lookup(name)
	if f == nil {
		return 0, fmt.Errorf("unknown flag %q", args[0])
	}
	n = 1
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !hasValue && (!ok || !b.IsBoolFlag()) {
		n = 2
	}
	if n > len(args) {
		return 0, fmt.Errorf("%s needs a value", arg)
	}
	return n, flags.Parse(append([]string{arg}, args[1:n]...))
}

// check refuses flags that mean nothing together.
func (o options) check(flags *flag.FlagSet) error {
	strips := false
	flags.Visit(func(f *flag.Flag) { strips = strips || f.Name == "p" })
	switch {
	case o.color != "auto" && o.color != "always" && o.color != "never":
		return fmt.Errorf("-color is auto, always or never, not %q", o.color)
	case strips && o.strip < 0:
		return errors.New("-p needs a number from 0")
	case o.undo && (len(o.files) > 0 || o.reverse || o.keep || strips):
		return errors.New("-undo takes no file, and neither -R, -p nor -keep")
	}
	return nil
}
