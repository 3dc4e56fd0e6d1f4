package atomicedit_test

import (
	"context"
	"flag"
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

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

var update = flag.Bool("update", false, "write testdata/messages.golden anew")

const goldenMessages = "testdata/messages.golden"

// The golden file has every message that a model can see: the descriptions of the tools, answers, notes, warnings and
// refusals. Read it through when it changes: would a model know what to send next?
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, tool := range atomicedit.Tools() {
		fmt.Fprintf(&b, "######## the tool %s: %s\n%s\n\n", tool.Name, tool.Title, tool.Description)
	}
	for _, s := range scenes() {
		fmt.Fprintf(&b, "######## %s\n", s.name)
		s.play(t, &b)
	}
	if *update {
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
		atomicedit.ErrSyntax, atomicedit.ErrNotFound, atomicedit.ErrAmbiguous, atomicedit.ErrCount, atomicedit.ErrNoChange, atomicedit.ErrOverlap,
		atomicedit.ErrApplied, atomicedit.ErrPlaceholder, atomicedit.ErrStale, atomicedit.ErrUnread, atomicedit.ErrBinary, atomicedit.ErrTooLarge,
		atomicedit.ErrOutside, atomicedit.ErrDenied,
	} {
		if !strings.Contains(b.String(), "## "+e.Error()) {
			t.Errorf("no scene is called %q", e)
		}
	}
}

// A scene is a conversation: calls of tools, or requests that a host reads itself, one after the other.
type scene struct {
	name  string
	files map[string]string
	setup func(h *atomicedit.Host, s *atomicedit.Session, m *atomicedit.Mem)
	store atomicedit.Store // nil: a Session on the files, which has seen all that is not called "unread"
	calls []string         // a tool or the parser of a request, a space, its arguments
	plans []planned        // carried out after the calls
}

// A planned is a plan that no request asks for in this way, or only by bytes that are hard to read.
type planned struct {
	what string
	atomicedit.Plan
}

// play writes the scene down.
func (s scene) play(t *testing.T, b *strings.Builder) {
	mem := atomicedit.NewMem(s.files)
	session := atomicedit.NewSession(mem)
	host := atomicedit.NewHost(session)
	if s.store != nil {
		host = atomicedit.NewHost(s.store)
	}
	host.MaxLine, host.MaxText = 60, 600
	for path := range s.files {
		if !strings.HasPrefix(path, "unread") {
			session.View(t.Context(), path, 0, 0)
		}
	}
	if s.setup != nil {
		s.setup(host, session, mem)
	}
	say := func(asked, status, text string) {
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		fmt.Fprintf(b, ">>> %s\n<<< %s\n%s\n", strings.TrimSuffix(strings.ToValidUTF8(asked, "\uFFFD"), "\n"), status, text)
	}
	for _, call := range s.calls {
		who, request, _ := strings.Cut(call, " ")
		var plan atomicedit.Plan
		var err error
		ctx := t.Context()
		if who == "cancelled" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			cancel()
			who, request, _ = strings.Cut(request, " ")
		}
		switch who {
		case "parse", "text":
			plan, err = atomicedit.Parse(request)
		case "blocks":
			plan, err = atomicedit.ParseBlocks(request)
		case "v4a":
			plan, err = atomicedit.ParseV4A(request)
		case "unified":
			plan, err = atomicedit.ParseUnified(request)
		case "json":
			plan, err = atomicedit.ParseJSON([]byte(request))
		case "view":
			var path string
			var first, last int
			fmt.Sscan(request, &path, &first, &last)
			answer, _ := host.View(t.Context(), path, first, last)
			say(call, answer.Status, answer.Text)
			continue
		default:
			answer, _ := host.Call(ctx, who, []byte(request))
			say(call, answer.Status, answer.Text)
			continue
		}
		if err == nil && who == "text" {
			_, err = plan.Apply([]byte(s.files["a"]), nil)
		}
		if err != nil {
			say(call, "refused", err.Error())
			continue
		}
		answer, _ := host.Do(t.Context(), plan)
		say(call, answer.Status, answer.Text)
	}
	for _, p := range s.plans {
		answer, _ := host.Do(t.Context(), p.Plan)
		say("a plan: "+p.what, answer.Status, answer.Text)
	}
}

// unsaid are files with words that no model sees, and words in the others that are none of a message or that no scene can
// bring about.
var unsaid = map[string]string{
	"tooldefs.go":       "the descriptions, which the golden file begins with; the schemas are read where they stand",
	"print.go":          "said to a program that prints a plan; print_test.go has all of it",
	"diff.go":           "the words of git",
	"atomic_recover.go": "said to a person who opens a directory: Dir.Recovered; or of a race, which atomic_fault_test.go runs",
	"atomic_journal.go": "the journal, and what a person is told of it",

	"another commit is at work":                          "the package itself waits for it",
	"a name that Windows does not have":                  "on Windows; dir_windows_test.go",
	"the directory is being replaced":                    "a race, which dir_race_test.go runs",
	"a directory has become a link since":                "what somebody does between Prepare and Commit; dir_test.go",
	"(looking what is there":                             "a failure while another is looked at; atomic_fault_test.go has all of them",
	"so many files cannot be changed together":           "a million; no scene is that long",
	"the name is one of those under which commits":       "said to a program that calls WriteFile; writefile_test.go",
	"a symbolic link":                                    "a race: links are followed",
	"it cannot be closed to others":                      "a file system without modes; recover_test.go",
	"still holds what a dead commit has left":            "what a dead commit left, and nobody can remove; recover_test.go",
	"plain signs":                                        "there is no note of them",
	"no valid JSON: a field without name":                "the JSON is checked before",
	"the text has changed since the request was written": "no format of request has a version; edit_test.go",
	"the request has more than 64 MiB: send it in parts": "too large for a scene; json_test.go",
	"ame as before":                                      "what placeholders have",
	"(rest of|existing":                                  "what placeholders have",
	"as before":                                          "what placeholders have", "as is": "what placeholders have",
	"([ \\t]+(is|are": "what placeholders have",
	"rename old":      "a header of diffs", "rename new": "a header of diffs", "deleted file mode": "a header of diffs", "copy to": "a header of diffs", "new mode": "a header of diffs", "similarity index": "a header of diffs",
	"working copy": "the words of Subversion", "Mon Jan": "the shape of a date",
	"unexpected end":                            "of an error of encoding/json",
	"invalid character ' '":                     "of an error of encoding/json",
	"after top-level value":                     "of an error of encoding/json",
	"an operation of unknown kind":              "a mistake of a program",
	"two parts of the request change this file": "Prepare makes one change of them; storetest commits two",
}

var (
	verb     = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z]`)
	twoWords = regexp.MustCompile(`[A-Za-z]{2,}[ ,;:]+[A-Za-z(]+`)
)

// Every string of the package that has two words stands in the golden file, but for those that are unsaid.
func TestEveryMessageHasAScene(t *testing.T) {
	golden, err := os.ReadFile(goldenMessages)
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	excused := maps.Clone(unsaid)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if unsaid[name] != "" {
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
				return !ok || f.Sel.Name != "MustCompile"
			case *ast.BasicLit:
				if n.Kind != token.STRING {
					return true
				}
				for _, words := range fixedWords(n.Value) {
					if strings.Contains(string(golden), words) {
						continue
					}
					excuse := ""
					for u := range unsaid {
						if strings.HasPrefix(words, u) {
							excuse = u
						}
					}
					if excuse == "" {
						t.Errorf("%s: no scene says %q: add one to scenes_test.go, then go test -run TestMessages -update .", files.Position(n.Pos()), words)
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
	for _, part := range verb.Split(text, -1) {
		for line := range strings.Lines(part) {
			if line = strings.Trim(line, " :;\n"); twoWords.MatchString(line) {
				all = append(all, line)
			}
		}
	}
	return all
}
