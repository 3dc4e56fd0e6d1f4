package filehint_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/text"
)

// below is the end of the code fence around a block for src/a.go. The closing marker of the block is on line 7.
const below = "```\n\n"

// fileOf returns the hint for a block below the given text, which begins on line 10 of a request, after a block for
// src/a.go.
func fileOf(between string) (filehint.Hint, *filehint.Conflict) {
	return filehint.File(filehint.Lines(text.Scanner{Src: below + between, No: 7}, true), "src/a.go")
}

func TestAHeadingBetweenBlocksNamesTheFile(t *testing.T) {
	for between, want := range map[string]string{
		// Alone, in Markdown or a comment.
		"b.go\n":                          "b.go",
		"`b.go`\n```go\n":                 "b.go",
		"### 2. `b.go`\n\n```go\n":        "b.go",
		"## b.go ##\n```\n":               "b.go",
		"2. b.go\n```go\n":                "b.go",
		"2) **`pkg/b.go`**\n```go\n":      "pkg/b.go",
		"- b.go\n```go\n":                 "b.go",
		"* `b.go`:\n```go\n":              "b.go",
		"> **b.go**\n\n":                  "b.go",
		"[b.go](b.go)\n```go\n":           "b.go",
		"### [`b.go`](./src/b.go)\n":      "./src/b.go",
		"[src/b.go](https://x.org/p)\n":   "src/b.go",
		"**File: b.go**\n```go\n":         "b.go",
		"**File:** `b.go`\n```go\n":       "b.go",
		"**Filename**: b.go\n":            "b.go",
		"File 2: src/b.go\n```go\n":       "src/b.go",
		"File 2/3: `src/b.go`\n":          "src/b.go",
		"### File 2 - `src/b.go`\n":       "src/b.go",
		"Path: src/b.go\n":                "src/b.go",
		"b.go (new file)\n```go\n":        "b.go",
		"File: b.go (new)\n":              "b.go",
		"**`b.go`** (modified):\n":        "b.go",
		"📄 src/b.go\n":                    "src/b.go",
		"b.go:12\n":                       "b.go",
		"`b.go`, lines 10-12:\n":          "b.go",
		"\"my docs/b notes.md\"\n":        "my docs/b notes.md",
		"File: my docs/b notes.md\n":      "my docs/b notes.md",
		"### `my docs/b.md`\n":            "my docs/b.md",
		"src\\win\\b.go\n":                "src\\win\\b.go",
		"`C:\\src\\b.go`\n":               "C:\\src\\b.go",
		"Makefile\n```make\n":             "Makefile",
		"### Dockerfile\n\n```\n":         "Dockerfile",
		"- .gitignore\n":                  ".gitignore",
		"app/(shop)/[id]/page.tsx\n":      "app/(shop)/[id]/page.tsx",
		"### `lib/__init__.py`\n":         "lib/__init__.py",
		"schema.unheardof\n":              "schema.unheardof",
		"### src/schema.unheardof\n":      "src/schema.unheardof",
		"util/helper\n":                   "util/helper",
		"Snakefile\n":                     "Snakefile",
		"`notes`\n":                       "notes",
		"File: notes\n":                   "notes",
		"---\n\n### b.go\n\n---\n\n```\n": "b.go",

		// With a remark.
		"### b.go — add the helper\n\n```go\n":                    "b.go",
		"### 2. `src/b.go` (adds the helper)\n":                   "src/b.go",
		"1. `b.go` - the helper of b.go\n":                        "b.go",
		"**b.go**: the helper\n```go\n":                           "b.go",
		"- b.go: the helper\n":                                    "b.go",
		"[b.go](src/b.go) – the helper\n":                         "src/b.go",
		"1. Update `b.go`\n```go\n":                               "b.go",
		"It calls `util.go`.\n\nsrc/b.go:\n\nThe loop first.\n\n": "src/b.go",

		// Words that only introduce it.
		"And in `b.go`:\n```go\n":                             "b.go",
		"Now update b.go:\n":                                  "b.go",
		"Then, in src/b.go, add:\n":                           "src/b.go",
		"Finally, let's update the `src/b.go` file:\n":        "src/b.go",
		"Here are the changes for `b.go`:\n```go\n":           "b.go",
		"Change 2: b.go\n":                                    "b.go",
		"### Step 2: Update `b.go`\n\n```go\n":                "b.go",
		"**Changes to b.go**\n":                               "b.go",
		"At the top of `b.go`:\n":                             "b.go",
		"Modify b.go as follows:\n":                           "b.go",
		"In [b.go](src/b.go):\n":                              "src/b.go",
		"Back in `src/a.go`:\n":                               "src/a.go",
		"Done with `src/a.go`.\n\nNow the Makefile:\n```\n":   "Makefile",
		"We'll also need to change `src/my notes.md`:\n```\n": "src/my notes.md",

		"<edit file=\"src/b.go\">\n":               "src/b.go",
		"```sh\n./build.sh\n```\n\n```go\n":        "src/a.go",
		"</diff>\n<path>src/b.go</path>\n<diff>\n": "src/b.go",
		"*src/b.go*\n":                             "src/b.go",
		"_src/b.go_\n":                             "src/b.go",
		"***src/b.go***\n":                         "src/b.go",
		"<file path=\"src/b.go\">\n":               "src/b.go",

		// In the fence.
		"```go:b.go\n":                          "b.go",
		"```go title=\"b.go\"\n":                "b.go",
		"```b.go\n":                             "b.go",
		"```go filename=src/b.go\n":             "src/b.go",
		"```{.go file='my src/b.go'}\n":         "my src/b.go",
		"```go src/b.go\n":                      "src/b.go",
		"```12:15:src/b.go\n":                   "src/b.go",
		"```go:src/b.go:12\n":                   "src/b.go",
		"~~~go path=src/b\n":                    "src/b",
		"```go title=\"The new handler\"\n":     "src/a.go",
		"```go title=\"Server.Start\"\n":        "src/a.go",
		"```diff\n":                             "src/a.go",
		"```dockerfile\n":                       "src/a.go",
		"```go\n// b.go\n":                      "b.go",
		"```python\n# src/b.py\n":               "src/b.py",
		"```html\n<!-- b.html -->\n":            "b.html",
		"```css\n/* b.css */\n":                 "b.css",
		"```sql\n-- db/b.sql\n":                 "db/b.sql",
		"```ts\n// filepath: src/b.ts\n":        "src/b.ts",
		"```ts\n// File: src/b.ts (new file)\n": "src/b.ts",
		"```go\n// b.go\n\n// The handler:\n":   "b.go",
		"```\nsrc/b.go\n```\n```go\n":           "src/b.go",

		// Twice.
		"src/b.go\n```go\n// b.go\n":                                "src/b.go",
		"### `b.go`\n```go title=src/b.go\n":                        "src/b.go",
		"In `b.go`:\n```go\n// src/b.go\n":                          "src/b.go",
		"Explanation\n```go\n// src/b.go\n":                         "src/b.go",
		"### b.go\n\nThe helper:\n```go\n":                          "b.go",
		"b.go\n\nThe helper, and its test:\n":                       "b.go",
		"## 2. `b.go`\n\nIt calls `f` of `util.go`, so:\n\n```go\n": "b.go",
		"**b.go**\n\nLike a.go, it reads settings.json first.\n\n":  "b.go",
		"Now update b.go:\n\nThe constructor of b.go first.\n\n":    "b.go",

		// Nothing names another file.
		"":                             "src/a.go",
		"```go\n":                      "src/a.go",
		"Then\n":                       "src/a.go",
		"and\n```go\n":                 "src/a.go",
		"Test\n":                       "src/a.go",
		"Profile\n":                    "src/a.go",
		"And further down:\n\n```go\n": "src/a.go",
		"### Explanation\n\n```go\n":   "src/a.go",
		"**Changes**\n":                "src/a.go",
		"---\n\n":                      "src/a.go",
		"`helper`:\n":                  "src/a.go",
		"### `Server.Start`\n":         "src/a.go",
		"In `Server.Start`:\n":         "src/a.go",
		"It calls fmt.Println, i.e. it logs.\n\nAnd/or, with Node.js v1.2, e.g.:\n\n": "src/a.go",
		"`res.json()` and `go run main.go` do, see https://x.org/b.go.\n":             "src/a.go",
		"This completes a.go's handler. And:\n":                                       "src/a.go",
		"Add to `a.go` as well, where the list is:\n":                                 "src/a.go",
		"This prints:\n\n```\nb.go:1: x\nb.go:2: y\n```\n\nSo:\n\n```go\n":            "src/a.go",
		"All `*.go` files, and `.ts` ones:\n":                                         "src/a.go",
	} {
		for _, text := range []string{between, strings.ReplaceAll(between, "\n", "\r\n")} {
			h, c := fileOf(text)
			if c != nil {
				t.Errorf("%q: %v", text, c)
				continue
			}
			if got := cmp.Or(h.Path, "src/a.go"); got != want {
				t.Errorf("%q: got %q; want %q", text, got, want)
			}
		}
	}
}

// Words between two blocks may name the file of the second, or only mention a file.
func TestABlockThatMayBeForAnotherFileIsRefused(t *testing.T) {
	for between, line := range map[string]int{
		"This calls helper() from `util.go`, so we also change:\n```go\n": 10,
		"The same goes for the imports of b.go.\n\n":                      10,
		"`b.go` needs the same:\n":                                        10,
		"Now update b.go\n":                                               10,
		"### b.go - like c.go\n":                                          10,
		"The error:\nb.go: no such type\n":                                11,
		"- b.go: the helper\n- c.go: the loop\n\nFirst:\n":                11,
		"- `b.go`: the helper\n- `c.go`: the loop\n\n```go\n":             11,
		"b.go\nc.go\n":                                                 11,
		"As in b.go:\n":                                                10,
		"The old one in `lib/b.unheard` goes:\n":                       10,
		"Unlike in the Makefile, where it is a target:\n":              10,
		"Now `src/a.go` and `src/b.go`:\n":                             10,
		"Next is b.go.\n\nReplace the constructor:\n\n```go\n":         10,
		"- a.go\n- b.go\n\nFirst, the settings:\n":                     11,
		"b.go\n\nThe types are in types.go.\n\n```go\n":                12,
		"```go title=b.go\nx := 1\ny := 2\n```\n\nBecomes:\n\n```go\n": 10,
		"### b.go\n\nIn `c.go`:\n\nThe list:\n":                        12,
		"b.go\n```go\n// c.go\n":                                       10,
		"```go:b.go\n// c.go\n":                                        10,
		"### a.go\n```go title=\"b.go\"\n":                             10,
		"Now the tests, b_test.go\n\nThe first one.\n\nIt reads:\n":    10,
	} {
		if h, c := fileOf(between); c == nil || c.Line != line {
			t.Errorf("%q: got %+v, %v; want a conflict at line %d", between, h, c, line)
		}
	}
}

// A path that a line names can be printed as the name of a file.
func FuzzPathOnLine(f *testing.F) {
	for _, s := range []string{"### 2. `b.go`", "[b.go](x)", "In b.go:12:", "File: `a b.go`", "<!-- a -->", "`a",
		"**x**", "go:b.go", "{title='a.go'}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range []filehint.Line{{Text: s}, {Text: s, Fence: true}} {
			h := l.Hint()
			if h.Path == "" || strings.ContainsAny(s, "\n\r") {
				continue
			}
			p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: h.Path}}}
			if _, err := p.Blocks(); err != nil {
				t.Errorf("%q is read as %q, which cannot be printed: %v", s, h.Path, err)
			}
		}
	})
}

func TestLongLinesAboveABlockAreReadOnce(t *testing.T) {
	const n = 300_000
	for _, line := range []string{
		strings.Repeat("*", n) + "a" + strings.Repeat("*", n), strings.Repeat("file:", n),
		"a/" + strings.Repeat(":", n), strings.Repeat("`", n),
		strings.Repeat("b.go ", n), strings.Repeat("- ", n), strings.Repeat("#", n) + "a/b", strings.Repeat("[a](", n),
		strings.Repeat("x=", n),
	} {
		for _, fence := range []string{"", "```"} {
			fileOf("words\n" + fence + line + "\nwords\n")
		}
	}
}
