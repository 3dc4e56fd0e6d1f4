package omission_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/text"
)

// E3: where new text may have a line that looks like a placeholder.
func TestPlaceholder(t *testing.T) {
	const code = "// ... existing code ..."
	for _, c := range []struct{ name, file, old, new, want string }{
		{"a placeholder", "a\nb\nc\n", "a\nb\n", "x\n  " + code + "\n", code},
		{"the old text has it", "a\nb\n", "a\n" + code + "\n", "x\n" + code + "\n", ""},
		{"the file has it", "a\n\t" + code + "\n", "a\n", "x\n" + code + "\n", ""},
		{"a body", "def f():\n    a\n", "def f():\n    a\n", "def f():\n    ...\n", ""},
		{"a prompt", "a\n", "a\n", ">>> for x in y:\n... \n", ""},
		{"the end of a document", "a: 1\n", "a: 1\n", "a: 1\n...\n---\nb: 2\n", ""},
		{"a sample", "# A\n\n```go\na\n```\n", "a\n", "x\n" + code + "\n", ""},
		{"a sample that gets shorter", "# A\n\n```go\na\nb\nc\n```\n", "a\nb\nc\n", "x\n" + code + "\n", code},
		{"behind code", "a\nb\n", "a\nb\n", "a; // ... rest unchanged\n", "// ... rest unchanged"},
		{"behind code, and the old text has it", "a\nb\n", "a; // ... rest unchanged\n", "b; // ... rest unchanged\n", ""},
		{"behind code, and the file has it", "a\nb(); // ... rest unchanged\n", "a\n", "c(); // ... rest unchanged\n", ""},
		{"behind code in a sample", "# A\n\n```go\na\n```\n", "a\n", "a; // ... rest unchanged\n", ""},
		{"in code in prose", "# A\n\nb\n", "b\n", "Write `a; // ... rest unchanged` here.\n", ""},
		{"dots of a column in place of lines", "a\nb\nc\n", "a\nb\nc\n", "a\n⋮\n", "⋮"},
		{"dots of a column added", "<b>\n</b>\n", "<b>\n</b>\n", "<b>\n  ⋮\n</b>\n", ""},
		{"as above, in place of lines", "a\nb\nc\n", "a\nb\nc\n", "a\n// same as above\n", "// same as above"},
		{"as above, beside a line added", "a\nb\nc\n", "a\nb\nc\n", "a\nb\nc\n// same as above\nd\n", ""},
		{"more, in place of lines", "a\nb\n", "a\nb\n", "a\n// more code here\n", "// more code here"},
		{"more lines may be added", "a\nb\n", "a\nb\n", "a\nb\n// add more methods here\n", ""},
		{"words in brackets", "a\nb\n", "a\nb\n", "a\n[code continues]\n", "[code continues]"},
		{"no placeholder", "a\n", "a\n", "// more\n", ""},
	} {
		if got := omission.Placeholder(c.old, c.new, text.New([]byte(c.file))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
