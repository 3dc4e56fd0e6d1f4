package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// largest is the size of the largest file that is taken from a commit.
const largest = 1 << 20

// unpack puts what the newest n commits of some repositories have changed into two directories: the files as they were,
// and as they are. End removes them.
func unpack(n int, repositories []string) (dirs []string, end func(), err error) {
	base, err := os.MkdirTemp("", "realdiff")
	if err != nil {
		return nil, nil, err
	}
	dirs = []string{filepath.Join(base, "old"), filepath.Join(base, "new")}
	for _, repository := range repositories {
		git := func(args ...string) []byte {
			out, problem := exec.Command("git", append([]string{"-C", repository}, args...)...).Output()
			if problem != nil && err == nil {
				err = fmt.Errorf("git %s in %s: %w", strings.Join(args, " "), repository, problem)
			}
			return out
		}
		ids := git("log", "--no-merges", "--min-parents=1", fmt.Sprintf("-n%d", n), "--format=%H")
		for id := range strings.FieldsSeq(string(ids)) {
			changed := git("diff", "--name-only", "--diff-filter=M", "--no-renames", "--ignore-submodules", "-z",
				id+"^", id)
			for name := range strings.SplitSeq(strings.TrimSuffix(string(changed), "\x00"), "\x00") {
				if name == "" {
					continue
				}
				old, new := git("cat-file", "blob", id+"^:"+name), git("cat-file", "blob", id+":"+name)
				if !comparable(old, new) {
					continue
				}
				for i, data := range [][]byte{old, new} {
					full := filepath.Join(dirs[i], filepath.Base(repository), id[:12], filepath.FromSlash(name))
					if err == nil {
						err = os.MkdirAll(filepath.Dir(full), 0o777)
					}
					if err == nil {
						err = os.WriteFile(full, data, 0o666)
					}
				}
			}
		}
	}
	return dirs, func() { os.RemoveAll(base) }, err
}

// comparable reports whether an edit can make new of old, as far as is known from their encodings and line endings.
func comparable(old, new []byte) bool {
	mark := []byte("\ufeff")
	endings := func(data []byte) [2]bool {
		n := bytes.Count(data, []byte("\r\n"))
		return [2]bool{n > 0, bytes.Count(data, []byte("\n")) > n}
	}
	return utf8.Valid(old) && utf8.Valid(new) && max(len(old), len(new)) <= largest &&
		bytes.HasPrefix(old, mark) == bytes.HasPrefix(new, mark) && endings(old) == endings(new)
}
