package git

import (
	"bytes"
	"testing"
)

// Whatever a tree has, it is read or refused, and what is read is written back as it was.
func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"))
	f.Add([]byte("40000 \x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := formatSHA1.parseTree(string(text))
		if err == nil && !bytes.Equal(formatTree(entries), text) {
			t.Errorf("the tree %q becomes %q", text, formatTree(entries))
		}
		find(entries, "a")
		merge(entries, map[string]entry{"a": {modeFile, "a", "x"}})
	})
}

// No name that git refuses is let through, and no ordinary name is refused.
func FuzzIsDotGit(f *testing.F) {
	for _, name := range []string{".git", "git~1", ".g\u200cit", ".git. .", "a\\.git", ".gitignore", "git", "..",
		".git::$DATA"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if isDotGit(name) != isDotGit(folded(name)) {
			t.Errorf("the case of %q counts", name)
		}
	})
}
