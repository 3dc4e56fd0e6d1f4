package trial

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A Printed is a request in another format, or the reason why that format cannot express it.
type Printed struct {
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
	Err  string `json:"err,omitempty"`
}

// Print prints the plan of a request in every format that has a printer.
func Print(in Input) []Printed {
	p, err := in.plan()
	if err != nil {
		return []Printed{}
	}
	printers := []struct {
		name  string
		print func() (string, error)
	}{
		{"SEARCH/REPLACE", p.Blocks},
		{"V4A patch", p.V4A},
		{"unified diff", p.Unified},
		{"JSON plan", p.JSON},
		{"LSP workspace edit", func() (string, error) {
			t, err := in.prepare(p, in.Loosest)
			if err != nil {
				return "", err
			}
			b, err := atomicedit.LSP(t.Changes())
			return string(b), err
		}},
	}
	var all []Printed
	for _, f := range printers {
		text, err := f.print()
		printed := Printed{Name: f.name, Text: text}
		if err != nil {
			printed.Text, printed.Err = "", reason(err)
		}
		all = append(all, printed)
	}
	return all
}

// reason returns the messages of a refusal, each once.
func reason(err error) string {
	var refusal *atomicedit.Refusal
	if !errors.As(err, &refusal) {
		return err.Error()
	}
	var all []string
	for _, p := range refusal.Problems {
		if !slices.Contains(all, p.Msg) {
			all = append(all, p.Msg)
		}
	}
	return strings.Join(all, "; ")
}

// GoTest returns an entry for a table of tests that pins what becomes of a request, and a test with that entry alone.
func GoTest(in Input) (entry, test string) {
	var b strings.Builder
	field := func(name, value string) { fmt.Fprintf(&b, "\t%-9s%s,\n", name+":", value) }
	p, err := in.plan()
	var t *atomicedit.Transaction
	if err == nil {
		t, err = in.prepare(p, in.Loosest)
	}
	b.WriteString("{\n")
	field("name", strconv.Quote(testName(p, err)))
	field("files", texts(in.Files))
	if in.hasChanged() {
		field("read", texts(asRead(in.Files)))
	}
	field("request", literal(in.Request))
	if in.Loosest != 0 && in.Loosest != atomicedit.Drift {
		field("loosest", "atomicedit."+strings.ToUpper(in.Loosest.String()[:1])+in.Loosest.String()[1:])
	}
	if err == nil {
		field("want", texts(after(t)))
	} else {
		field("message", literal(err.Error()))
	}
	b.WriteString("},")
	entry = b.String()
	return entry, strings.Replace(harness, "\t\tENTRY\n", indent(entry, "\t\t"), 1)
}

// testName names the test of a plan, or of its refusal.
func testName(p atomicedit.Plan, err error) string {
	path := ""
	if len(p.Ops) > 0 {
		path = " of " + p.Ops[0].Path
	}
	verb := "edit"
	if err != nil {
		verb = "refused edit"
	}
	return strings.TrimSpace(p.Format + " " + verb + path)
}

// after returns the files that a transaction leaves, of those that it changes. A deleted file has no text.
func after(t *atomicedit.Transaction) []File {
	var all []File
	for _, c := range t.Changes() {
		if c.After != nil {
			all = append(all, File{Path: c.Path, Text: string(c.After.Data)})
		}
	}
	return all
}

// asRead returns files as they were when the conversation read them.
func asRead(files []File) (all []File) {
	for _, f := range files {
		all = append(all, File{Path: f.Path, Text: cmp.Or(f.Read, f.Text)})
	}
	return all
}

// texts prints files as a map.
func texts(files []File) string {
	var b strings.Builder
	b.WriteString("map[string]string{")
	for i, f := range slices.SortedFunc(slices.Values(files),
		func(a, b File) int { return cmp.Compare(a.Path, b.Path) }) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(f.Path) + ": " + literal(f.Text))
	}
	return b.String() + "}"
}

// literal prints a string with as many raw lines as possible.
func literal(s string) string {
	if s == "" {
		return `""`
	}
	if !strings.Contains(s, "\n") {
		return strconv.Quote(s)
	}
	for line := range strings.Lines(s) {
		if !strconv.CanBackquote(strings.TrimSuffix(line, "\n")) {
			return quotedLines(s)
		}
	}
	return "`" + s + "`"
}

// quotedLines prints a string that has characters that a raw string cannot have.
func quotedLines(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, strconv.Quote(line))
	}
	return strings.Join(lines, " +\n\t\t")
}

// indent puts a prefix before each line that is not inside a raw string.
func indent(code, prefix string) string {
	var b strings.Builder
	raw, quoted := false, false
	for line := range strings.Lines(code + "\n") {
		if !raw && strings.TrimSpace(line) != "" {
			b.WriteString(prefix)
		}
		b.WriteString(line)
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '`' && !quoted:
				raw = !raw
			case line[i] == '"' && !raw:
				quoted = !quoted
			case line[i] == '\\' && quoted:
				i++
			}
		}
	}
	return b.String()
}

const harness = `func TestRequests(t *testing.T) {
	for _, test := range []struct {
		name    string
		files   map[string]string
		read    map[string]string // the files as a conversation has read them, nil for nobody
		request string
		loosest atomicedit.Fit
		want    map[string]string // the files afterwards, of those that change
		message string            // of the refusal
	}{
		ENTRY
	} {
		t.Run(test.name, func(t *testing.T) {
			mem := atomicedit.NewMem(test.files)
			var store atomicedit.Store = mem
			if test.read != nil {
				session := atomicedit.NewSession(mem)
				for path, text := range test.read {
					session.MarkReadText(path, []byte(text), 0, 0)
				}
				store = session
			}
			plan, err := atomicedit.Parse(test.request)
			if err == nil {
				if len(test.files) == 1 {
					for path := range test.files {
						plan = plan.ForFile(path)
					}
				}
				_, err = atomicedit.Run(context.Background(), store, plan, &atomicedit.Options{Loosest: test.loosest})
			}
			if err != nil {
				if err.Error() != test.message {
					t.Fatalf("the request is refused: %v", err)
				}
				return
			}
			if test.message != "" {
				t.Fatal("the request is carried out")
			}
			after := mem.Files()
			for path, want := range test.want {
				if after[path] != want {
					t.Errorf("%s is %q, want %q", path, after[path], want)
				}
			}
		})
	}
}
`
