package atomicedit_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

const goldenMessages = "testdata/messages.golden"

// The golden file has every message that a model can see: the descriptions of the tools, answers, notes, warnings and
// refusals. Read it through when it changes: would a model know what to send next?
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		fmt.Fprintf(&b, "######## the tool %s: %s\n%s\n\n", tool.Name, tool.Title, tool.Description)
	}
	for _, s := range scenes(t) {
		fmt.Fprintf(&b, "######## %s\n", s.name)
		s.play(t, &b)
	}
	if *accepttest.Update {
		if err := os.WriteFile(goldenMessages, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(goldenMessages)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("messages have changed (go test -run TestMessages -update . writes them anew) (-want +got):\n%s", diff)
	}
	for _, e := range []error{
		atomicedit.ErrSyntax, atomicedit.ErrNotFound, atomicedit.ErrAmbiguous, atomicedit.ErrCount,
		atomicedit.ErrNoChange, atomicedit.ErrOverlap,
		atomicedit.ErrApplied, atomicedit.ErrPlaceholder, atomicedit.ErrStale, atomicedit.ErrUnread,
		atomicedit.ErrBinary, atomicedit.ErrTooLarge,
		atomicedit.ErrOutside, atomicedit.ErrDenied, atomicedit.ErrEncoding,
	} {
		if !strings.Contains(b.String(), "## "+e.Error()) {
			t.Errorf("no scene is called %q", e)
		}
	}
}

// unsaid are files with words that no model sees, and words in the others that are none of a message or that no scene
// can bring about.
var unsaid = map[string]string{
	"internal/call/tooldefs.go":  "the descriptions, which the golden file begins with; the schemas are read where they stand",
	"marshal.go":                 "said to a program that writes or reads JSON; marshal_test.go",
	"internal/plan/print.go":     "said to a program that prints a plan; print_test.go",
	"internal/patch/print.go":    "said to a program that prints a plan; print_test.go; a grammar, which an API samples calls by",
	"internal/blocks/print.go":   "said to a program that prints a plan; print_test.go",
	"internal/udiff/print.go":    "said to a program that prints a plan; print_test.go",
	"internal/call/printjson.go": "said to a program that prints a plan; printjson_test.go",
	"diff.go":                    "the words of git",
	"internal/marker/git.go":     "the words of git",
	"internal/lsp/print.go":      "said to a program that prints changes; lsp_test.go",

	"internal/commit/state.go":   "said to a person who opens a directory",
	"internal/commit/journal.go": "the journal, and what a person is told of it",
	"internal/commit/verdict.go": "the record of a commit over several roots, and what a person is told of it",
	"internal/commit/joint.go":   "of roots that overlap in a way that only a mount, or a disk that ignores case, brings about; joint_test.go",

	"internal/omission/words.go": "the words of placeholders",

	"internal/place/considered.go": "said to a person: Problem.Candidates; candidates_test.go",

	"internal/disk/disk_linux.go": "of the machinery, or of a race; xattr_linux_test.go there",

	"somebody is changing its owner":                      "a race; internal/commit/attributes_test.go",
	"a defect in package commit":                          "a panic; internal/commit/parallel_test.go",
	"nothing is asked for":                                "the error, of which a message says more",
	"path escapes from parent":                            "of an error of package os",
	"a commit to this file was interrupted":               "after a crash; recovered_test.go",
	"another commit is at work":                           "the package itself waits for it",
	"another commit has died meanwhile":                   "the package itself begins again",
	"the file system does not tell when":                  "a file system without times of birth, and a user without a home; internal/commit/foreign_test.go",
	"state directory of the user":                         "a failure to write there",
	"there is nothing left to change":                     "said to a program that calls Rebase; rebase_test.go",
	"the name is one that Windows does not allow":         "on Windows; dir_windows_test.go",
	"the directory is being replaced":                     "a race on Windows",
	"a directory has been replaced by a link since then":  "what somebody does between Prepare and Commit; dir_test.go",
	"an interrupted commit was":                           "said to a person who opens a directory: Dir.Recovered",
	"the old file is missing":                             "said to a person who opens a directory: Dir.Recovered; or of a race, which fault_test.go runs",
	"put it there, or remove":                             "said to a person who opens a directory: Dir.Recovered; or of a race, which fault_test.go runs",
	"to leave the files as they are":                      "said to a person who opens a directory: Dir.Recovered; or of a race, which fault_test.go runs",
	"what was there before the commit":                    "said to a person who opens a directory: Dir.Recovered; or of a race, which fault_test.go runs",
	"was changed by somebody else in the meantime":        "said to a person who opens a directory: Dir.Recovered; or of a race, which fault_test.go runs",
	"(looking at the file":                                "a failure while another is looked at; internal/commit/fault_test.go has all of them",
	"cannot be the name of a protected file":              "DirOptions; protected_test.go",
	"too many files to change together":                   "a million; no scene is that long",
	"a path must name a file":                             "said to a program that calls WriteFile, or a Store with no path; writefile_test.go",
	"links cannot be made here":                           "of disks in memory",
	"the other name is on another":                        "of disks in memory",
	"the name is too long":                                "of disks in memory",
	"(a symbolic link on this path leads out)":            "a scene has no links; samemessage_test.go",
	"it cannot be closed to others":                       "a file system without modes; internal/commit/recover_test.go",
	"still holds files of a dead commit":                  "what a dead commit left, and nobody can remove; internal/commit/recover_test.go",
	"there are no operations here":                        "hashlines are known by an operation",
	"is not valid UTF-8, so JSON cannot hold it":          "said to a program that writes JSON; marshal_test.go",
	"the request goes on":                                 "of a Stream, whose request has not arrived: nobody reads it",
	"only place":                                          "of Match.By alone: there is no note if nothing had to decide",
	"closest fit":                                         "of Match.By alone: a note says what a fit ignores, if it ignores anything",
	"the request is larger than 64 MiB: send it in parts": "too large for a scene; json_test.go",
	"rename old": "a header of diffs", "rename new": "a header of diffs",
	"deleted file mode": "a header of diffs", "copy to": "a header of diffs", "similarity index": "a header of diffs",
	"working copy":                              "the words of Subversion",
	"unexpected end":                            "of an error of encoding/json",
	"invalid character ' '":                     "of an error of encoding/json",
	"after top-level value":                     "of an error of encoding/json",
	"an operation of unknown kind":              "a mistake of a program",
	"atomicedit:":                               "said to a program that uses a zero value, or a number that means nothing; zero_test.go, invalid_test.go",
	"the directory is changed by way of":        "of roots that overlap in such a way, too; internal/commit/joint_test.go",
	"use one of the two":                        "the same",
	"two parts of the request change this file": "Prepare makes one change of them; storetest commits two",
}

var (
	verb     = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z]`)
	twoWords = regexp.MustCompile(`[A-Za-z]{2,}[ ,;:]+[A-Za-z(]+`)
)

// ownWords puts the words of package place back in the place of those of a request.
var ownWords = strings.NewReplacer(
	"old_string", "the old text", "the SEARCH text", "the old text", "the chunk's old text", "the old text",
	"new_string", "the new text", "newText", "the new text", "the REPLACE text", "the new text", "the chunk's new text",
	"the new text",
	"the hunk's old text", "the old text", "the hunk's new text", "the new text",
	"block", "edit", "chunk", "edit", "hunk", "edit",
)

// Every string of the package, and of those below it, that has two words stands in the golden file, but for those that
// are unsaid.
func TestEveryMessageHasAScene(t *testing.T) {
	golden, err := os.ReadFile(goldenMessages)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, pattern := range []string{"*.go", "internal/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	haystack := string(golden) + ownWords.Replace(string(golden))
	excused := maps.Clone(unsaid)
	for _, name := range names {
		name = filepath.ToSlash(name)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if name = filepath.ToSlash(name); unsaid[name] != "" {
			delete(excused, name)
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field: // with its tag
				return false
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				list, isName := n.Fun.(*ast.Ident)
				takesWords := isName && list.Name == "listOf" ||
					ok && (f.Sel.Name == "Fields" || f.Sel.Name == "TableOf")
				return !takesWords && (!ok || f.Sel.Name != "MustCompile")
			case *ast.BasicLit:
				if n.Kind != token.STRING {
					return true
				}
				for _, words := range fixedWords(n.Value) {
					if strings.Contains(haystack, words) {
						continue
					}
					excuse := ""
					for u := range unsaid {
						if strings.HasPrefix(words, u) {
							excuse = u
						}
					}
					if excuse == "" {
						t.Errorf("%s: no scene says %q: add one to testdata/scenes, then go test -run TestMessages -update .", files.Position(n.Pos()), words)
					}
					delete(excused, excuse)
				}
			}
			return true
		})
	}
	for u := range excused {
		t.Errorf("nothing has to be excused for %q any more", u)
	}
}

// fixedWords returns the parts of a literal that are printed as they are.
func fixedWords(literal string) (all []string) {
	text, _ := strconv.Unquote(literal)
	text = strings.NewReplacer("{old}", "the old text", "{new}", "the new text", "{edit}", "edit").Replace(text)
	for _, part := range verb.Split(text, -1) {
		for line := range strings.Lines(part) {
			if line = strings.Trim(line, " :;\n"); twoWords.MatchString(line) {
				all = append(all, line)
			}
		}
	}
	return all
}
