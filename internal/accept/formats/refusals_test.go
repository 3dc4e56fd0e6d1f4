package formats_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// elsewhere has the reasons for refusals that no request alone brings about, and what they mean.
var elsewhere = map[string]string{
	"too_large":   "The request, or the file, is larger than the host allows: `DirOptions.MaxSize`.",
	"denied":      "`Host.Approve`, or the store, said no.",
	"permission":  "The file system, or `DirOptions.ReadOnly`, does not allow it, or the file is protected: `DirOptions.Protected`.",
	"unsupported": "The file system, or the platform, cannot do it.",
	"other":       "A check of the host refuses the result: `Options.Checks`.",
}

// TestRefusals keeps docs/refusals.md up to date: it has every value of Problem.Code, with a request that is refused
// for that reason. The examples are in testdata/refusals.txtar, in the form of those of docs/formats.md; each group has
// the name of a code.
func TestRefusals(t *testing.T) {
	source, err := os.ReadFile("refusal.go")
	if err != nil {
		t.Fatal(err)
	}
	missing := slices.DeleteFunc(accepttest.DocumentedCodes(t), func(code string) bool { return elsewhere[code] != "" })
	var contents, body strings.Builder
	for _, e := range examplesIn(t, "testdata/refusals.txtar") {
		var refusal *atomicedit.Refusal
		if err := e.carryOut(t).err; !errors.As(err, &refusal) || refusal.Problems[0].Code != e.group {
			t.Errorf("the example of %s: %v", e.group, err)
		}
		sentinel := sentinelOfCode(e.group)
		if !strings.Contains(string(source), fmt.Sprintf("{%s, %q}", sentinel, e.group)) {
			t.Errorf("%s is not the error %s", e.group, sentinel)
		}
		missing = slices.DeleteFunc(missing, func(code string) bool { return code == e.group })
		fmt.Fprintf(&contents, "- [`%s`](#%s)\n", e.group, e.group)
		_, example, _ := strings.Cut(e.print(t), "### "+e.name+"\n\n")
		fmt.Fprintf(&body, "\n## %s\n\n`%s`. %s\n%s", e.group, sentinel, e.intro, example)
	}
	for _, code := range missing {
		t.Errorf("no example is refused with %q: add one to testdata/refusals.txtar", code)
	}
	body.WriteString("\n## Others\n\n| code | error | reason |\n| --- | --- | --- |\n")
	for _, code := range slices.Sorted(maps.Keys(elsewhere)) {
		fmt.Fprintf(&body, "| `%s` | %s | %s |\n", code,
			map[bool]string{true: "any other", false: "`" + sentinelOfCode(code) + "`"}[code == "other"],
			elsewhere[code])
	}
	accepttest.CheckGenerated(t, "docs/refusals.md", refusalsHead+contents.String()+"- [others](#others)\n"+
		body.String())
}

const refusalsHead = `# Why an edit was refused

An error that is a ` + "`*atomicedit.Refusal`" + ` is for whoever made the request: its message says what does not fit, and what to send instead.
Nothing was changed. In a program, tell the reasons apart with ` + "`errors.Is`" + ` or ` + "`Problem.Code`" + `. This page has every reason, each with a
request that is refused for it, and the message; ` + "`go test -run TestRefusals ./internal/accept/formats -update`" + ` writes the page. The examples work on this
file, ` + "`app.ini`" + `, unless they show others:

` + "```ini\n" + usualText + "```" + `

`

// sentinelOfCode returns the name of the error that a code stands for.
func sentinelOfCode(code string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(code, "_") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	switch code {
	case "exist", "not_exist", "permission", "invalid":
		return "fs.Err" + name.String()
	case "unsupported":
		return "errors.ErrUnsupported"
	}
	return "Err" + name.String()
}
