package disk

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/errs"
	"golang.org/x/sys/unix"
)

// fakeXattrs are attributes in memory. Before each call, meddle may change them, or make the call fail.
func fakeXattrs(has map[string]string, meddle func(call, name string, n int) error) xattrs {
	n := 0
	before := func(call, name string) error {
		n++
		return meddle(call, name, n)
	}
	fill := func(dest []byte, value string) (int, error) {
		if len(dest) == 0 {
			return len(value), nil
		}
		if len(dest) < len(value) {
			return 0, unix.ERANGE
		}
		return copy(dest, value), nil
	}
	return xattrs{
		list: func(_ int, dest []byte) (int, error) {
			if err := before("list", ""); err != nil {
				return 0, err
			}
			var all strings.Builder
			for _, name := range slices.Sorted(maps.Keys(has)) {
				all.WriteString(name + "\x00")
			}
			return fill(dest, all.String())
		},
		get: func(_ int, name string, dest []byte) (int, error) {
			if err := before("get", name); err != nil {
				return 0, err
			}
			value, ok := has[name]
			if !ok {
				return 0, unix.ENODATA
			}
			return fill(dest, value)
		},
		set: func(_ int, name string, value []byte, _ int) error {
			if err := before("set", name); err != nil {
				return err
			}
			has[name] = string(value)
			return nil
		},
		remove: func(_ int, name string) error {
			if err := before("remove", name); err != nil {
				return err
			}
			delete(has, name)
			return nil
		},
	}
}

func TestAttributesAreReadWholeOrNotAtAll(t *testing.T) {
	fails := func(call, name string, with error) func(string, string, int) error {
		return func(c, n string, _ int) error {
			if c == call && n == name {
				return with
			}
			return nil
		}
	}
	has := map[string]string{"user.a": "one", accessList: "list", "security.ima": "a hash"}
	all := map[string]string{"user.a": "one", accessList: "list"}
	for _, c := range []struct {
		name   string
		meddle func(call, name string, n int) error
		want   map[string]string
		err    error
	}{
		{"nothing happens", fails("", "", nil), all, nil},
		{"the list cannot be read", fails("list", "", unix.EIO), nil, unix.EIO},
		{"the list grows for ever", fails("list", "", unix.ERANGE), nil, unix.ERANGE},
		{"none on this file system", fails("list", "", unix.ENOTSUP), nil, nil},
		{"an attribute cannot be read", fails("get", accessList, unix.EIO), nil, unix.EIO},
		{"it is refused", fails("get", "user.a", unix.EACCES), nil, unix.EACCES},
		{"it is listed, and never there", fails("get", "user.a", unix.ENODATA), nil, unix.ENODATA},
		{"of a kind that this file system has not", fails("get", accessList, unix.ENOTSUP),
			map[string]string{"user.a": "one"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := fakeXattrs(maps.Clone(has), c.meddle).read(0)
			if !maps.Equal(got, c.want) || !errors.Is(err, c.err) {
				t.Errorf("read %q, error %v", got, err)
			}
		})
	}
}

// At each call, a value grows, shrinks, appears or disappears.
func TestAttributesThatChangeMeanwhile(t *testing.T) {
	for name, values := range map[string][2]string{
		"grows":          {"one", strings.Repeat("long ", 20)},
		"shrinks":        {strings.Repeat("long ", 20), "one"},
		"is empty first": {"", "one"},
		"becomes empty":  {"one", ""},
	} {
		for at := 1; at < 12; at++ {
			has := map[string]string{"user.a": values[0], "user.b": "b"}
			got, err := fakeXattrs(has, func(_, _ string, n int) error {
				if n == at {
					has["user.a"] = values[1]
				}
				return nil
			}).read(0)
			if err != nil || got["user.b"] != "b" || got["user.a"] != values[0] && got["user.a"] != values[1] {
				t.Errorf("%s at call %d: %q, error %v", name, at, got, err)
			}
		}
	}
	for at := 1; at < 12; at++ {
		has := map[string]string{"user.a": "a", "user.b": "b"}
		got, err := fakeXattrs(has, func(_, _ string, n int) error {
			if n == at {
				delete(has, "user.a")
			}
			return nil
		}).read(0)
		if err != nil || got["user.b"] != "b" {
			t.Errorf("goes at call %d: %q, error %v", at, got, err)
		}
	}
	grows := strings.Repeat("long ", 60)
	has := map[string]string{"user.a": grows}
	_, err := fakeXattrs(has, func(string, string, int) error {
		has["user.a"] += has["user.a"] +
			"more"
		return nil
	}).read(0)
	if !errors.Is(err, unix.ERANGE) || !errors.Is(err, errs.ErrStale) {
		t.Errorf("a value that always doubles: error %v", err)
	}
}

func TestAttributesAreGivenWholeOrNotAtAll(t *testing.T) {
	want := map[string]string{"user.a": "one", "security.b": "two"}
	for call, names := range map[string][]string{"list": {""}, "get": {accessList}, "remove": {accessList},
		"set": {"user.a", "security.b"}} {
		for _, name := range names {
			for _, errno := range []error{unix.EIO, unix.ENOSPC, unix.EPERM, unix.ENOTSUP} {
				if errno == unix.ENOTSUP && (call == "list" || call == "get") {
					continue
				}
				has := map[string]string{accessList: "of the directory"}
				err := fakeXattrs(has, func(c, n string, _ int) error {
					if c == call && n == name {
						return errno
					}
					return nil
				}).give(0, want, false)
				if !errors.Is(err, errno) {
					t.Errorf("%s %s fails with %v: error %v", call, name, errno, err)
				}
			}
		}
	}
	has := map[string]string{accessList: "of the directory", "security.b": "two"}
	x := fakeXattrs(has, func(call, name string, _ int) error {
		if call == "set" && name == "security.b" {
			return unix.EPERM
		}
		return nil
	})
	if err := x.give(0, want, false); err != nil || !maps.Equal(has, want) {
		t.Errorf("a label that the file has already: %q, error %v", has, err)
	}
	delete(has, "security.b")
	if err := x.give(0, want, true); err != nil || has["user.a"] != "one" {
		t.Errorf("loose: %q, error %v", has, err)
	}
}

func TestAmendTouchesOnlyWhatChanged(t *testing.T) {
	has := map[string]string{"user.a": "1", "user.b": "theirs", "user.c": "1"}
	x := fakeXattrs(has, func(string, string, int) error { return nil })
	err := x.amend(0, map[string]string{"user.a": "1", "user.b": "1", "user.c": "1"},
		map[string]string{"user.a": "2", "user.b": "2", "user.d": "2"})
	if want := map[string]string{"user.a": "2", "user.b": "theirs", "user.d": "2"}; err != nil ||
		!maps.Equal(has, want) {
		t.Errorf("%q, error %v", has, err)
	}
}
