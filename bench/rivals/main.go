// Rivals does the same five things with this package and with what people use instead, and prints the table of
// README.md, which says what came of each: a file with CRLF line endings, an old text that occurs twice, a request
// whose second file does not fit, a process that is killed while it writes, and a file that changes between preview and
// write.
//
//	rivals [-v] [-aider CLONE] [-hpatch CLONE]
//
// "strings.Replace and os.WriteFile" stands for the few lines that most agents have. git, patch and codex are the
// programs of these names; a column is left out if the program is not there. The applier of blocks in the clone of
// aider runs in Python. The clone of hpatch, a library, is built into a program.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A rival applies edits, each of one file below dir, whose old and new text are whole lines.
type rival struct {
	name  string
	apply func(dir string, edits []edit) error
}

type edit struct{ file, old, new string }

var rivals = []rival{
	{"atomicedit", byUs}, {replace, byReplace}, {"`git apply`", byDiff("git", "apply", "--unidiff-zero")},
	{"`patch`", byDiff("patch", "-p1", "-s", "-f")}, {"codex", byCodex}, {aider, byAider}, {hpatch, byHpatch},
}

const replace = "`strings.Replace` and `os.WriteFile`"

// aider is a rival, and the variable of the environment that has the directory of its clone.
const aider = "aider"

func byUs(dir string, edits []edit) error {
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	var plan atomicedit.Plan
	for _, e := range edits {
		plan.Ops = append(plan.Ops, atomicedit.Op{Path: e.file, Edits: []atomicedit.Edit{{Old: e.old, New: e.new}}})
	}
	_, err = atomicedit.Run(context.Background(), store, plan, nil)
	return err
}

func byReplace(dir string, edits []edit) error {
	for _, e := range edits {
		name := filepath.Join(dir, e.file)
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !strings.Contains(string(data), e.old) {
			return fmt.Errorf("%s: not found", e.file)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(data), e.old, e.new, 1)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// byDiff makes a unified diff of the edits, as a model would that has seen the lines but no line numbers.
func byDiff(name string, args ...string) func(dir string, edits []edit) error {
	return func(dir string, edits []edit) error {
		var diff strings.Builder
		for _, e := range edits {
			old, new := strings.TrimSuffix(e.old, "\n"), strings.TrimSuffix(e.new, "\n")
			n, m := strings.Count(old, "\n")+1, strings.Count(new, "\n")+1
			fmt.Fprintf(&diff, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1,%d +1,%d @@\n-%s\n+%s\n", e.file,
				e.file, e.file,
				e.file, n, m, strings.ReplaceAll(old, "\n", "\n-"), strings.ReplaceAll(new, "\n", "\n+"))
		}
		cmd := exec.Command(name, args...)
		cmd.Stdin = strings.NewReader(diff.String())
		return run(cmd, dir)
	}
}

func run(cmd *exec.Cmd, dir string) error {
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// byCodex calls the applier inside codex, which gives itself the patch in this way.
func byCodex(dir string, edits []edit) error {
	var patch strings.Builder
	patch.WriteString("*** Begin Patch\n")
	for _, e := range edits {
		fmt.Fprintf(&patch, "*** Update File: %s\n@@\n-%s\n+%s\n", e.file,
			strings.ReplaceAll(strings.TrimSuffix(e.old, "\n"), "\n", "\n-"),
			strings.ReplaceAll(strings.TrimSuffix(e.new, "\n"), "\n", "\n+"))
	}
	return run(exec.Command("codex", "--codex-run-as-apply-patch", patch.String()+"*** End Patch"), dir)
}

// applyAider applies a reply with the coder of aider for blocks. Its other modules, and those of others that it needs,
// take no part. Files are read and written as its io module does it.
const applyAider = `
import importlib.util, pathlib, sys, types
def module(name, **has):
    m = sys.modules[name] = types.ModuleType(name)
    m.__path__ = []
    m.__dict__.update(has)
class Coder: pass
class Files:
    def read_text(self, name):
        with open(name, "r", encoding="utf-8") as f: return f.read()
    def write_text(self, name, text):
        with open(name, "w", encoding="utf-8") as f: f.write(text)
module("aider", utils=None); module("aider.utils"); module("aider.dump", dump=None); module("aider.coders")
module("aider.coders.base_coder", Coder=Coder); module("aider.coders.editblock_prompts", EditBlockPrompts=object)
spec = importlib.util.spec_from_file_location("aider.coders.editblock_coder", sys.argv[1] + "/aider/coders/editblock_coder.py")
blocks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(blocks)
coder = blocks.EditBlockCoder()
coder.io, coder.fence, coder.shell_commands, coder.abs_fnames = Files(), ("` + "```" + `", "` + "```" + `"), [], []
coder.abs_root_path = coder.get_rel_fname = str
coder.get_inchat_relative_files = lambda: [str(p) for p in pathlib.Path(".").iterdir()]
coder.partial_response_content = sys.stdin.read()
coder.apply_edits(coder.apply_edits_dry_run(coder.get_edits()))
`

func byAider(dir string, edits []edit) error {
	var reply strings.Builder
	for _, e := range edits {
		fmt.Fprintf(&reply, "%s\n```\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n\n", e.file, e.old, e.new)
	}
	cmd := exec.Command("python3", "-c", applyAider, os.Getenv(aider))
	cmd.Stdin = strings.NewReader(reply.String())
	return run(cmd, dir)
}

// A trial says what comes of something done by a rival.
type trial struct {
	name string
	run  func(r rival) string
	slow bool
}

var trials = []trial{
	{name: "a file with CRLF, a request with LF", run: crlf},
	{name: "an old text that occurs twice", run: twice},
	{name: "the second of two files does not fit", run: half},
	{name: "killed while it writes 32 MiB", run: killed, slow: true},
	{name: "another program changes another line after the file was read", run: changed},
}

// in runs a rival on files, and returns its error and the files afterwards.
func in(r rival, files map[string]string, edits ...edit) (now map[string]string, err error) {
	dir, err := os.MkdirTemp("", "rivals")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
	err = r.apply(dir, edits)
	now = map[string]string{}
	for name := range files {
		data, _ := os.ReadFile(filepath.Join(dir, name))
		now[name] = string(data)
	}
	return now, err
}

func crlf(r rival) string {
	now, err := in(r, map[string]string{"f": "one\r\ntwo\r\nthree\r\n"}, edit{"f", "one\ntwo\n", "one\n2\n"})
	switch {
	case now["f"] == "one\r\n2\r\nthree\r\n":
		return "edited, CRLF kept"
	case now["f"] == "one\n2\nthree\n":
		return "edited, CRLF lost in all lines"
	case err != nil:
		return "refused"
	}
	return fmt.Sprintf("wrong: %q", now["f"])
}

func twice(r rival) string {
	now, err := in(r, map[string]string{"f": "[a]\nport = 80\n[b]\nport = 80\n"},
		edit{"f", "port = 80\n", "port = 81\n"})
	switch {
	case err != nil && strings.Contains(err.Error(), "lines 2, 4"):
		return "refused, with both places"
	case err != nil:
		return "refused"
	}
	if strings.Count(now["f"], "81") == 1 {
		return "edits the first"
	}
	return fmt.Sprintf("wrong: %q", now["f"])
}

func half(r rival) string {
	now, err := in(r, map[string]string{"a": "one\n", "b": "one\n"}, edit{"a", "one\n", "1\n"},
		edit{"b", "two\n", "2\n"})
	switch {
	case now["a"] == "one\n":
		return "nothing changed"
	case err != nil:
		return "the first file is changed"
	}
	return "success reported, one file changed"
}

// changed has the edit decided on the text as read, which somebody changes elsewhere before it is written.
func changed(r rival) string {
	const read, now = "one\ntwo\nthree\nfour\nfive\n", "one\nTWO\nthree\nfour\nfive\n"
	files := map[string]string{"f": now}
	e := edit{"f", "four\n", "4\n"}
	if r.name == replace { // it writes what it has made of the text as read
		r.apply = func(dir string, _ []edit) error {
			return os.WriteFile(filepath.Join(dir, "f"), []byte(strings.Replace(read, e.old, e.new, 1)), 0o644)
		}
	}
	after, err := in(r, files, e)
	switch {
	case after["f"] == "one\nTWO\nthree\n4\nfive\n":
		return "both changes kept"
	case err != nil:
		return "refused"
	}
	return "the other change is lost"
}

// killed kills the rival at moments spread over the time that it needs.
func killed(r rival) string {
	line := strings.Repeat("x", 63) + "\n"
	old := "first\n" + strings.Repeat(line, 32<<20/len(line))
	new := "1st\n" + old[len("first\n"):]
	const rounds = 50
	torn, missing := 0, 0
	var whole time.Duration
	for i := range rounds + 1 {
		dir, err := os.MkdirTemp("", "rivals")
		if err != nil {
			panic(err)
		}
		name := filepath.Join(dir, "f")
		if err := os.WriteFile(name, []byte(old), 0o644); err != nil {
			panic(err)
		}
		cmd := exec.Command(os.Args[0], "-child", r.name, dir)
		apart(cmd)
		began := time.Now()
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		if i > 0 { // the first one measures
			time.Sleep(whole * time.Duration(i) / rounds)
			kill(cmd)
		}
		cmd.Wait()
		if i == 0 {
			whole = time.Since(began)
		}
		if data, err := os.ReadFile(name); err != nil {
			missing++
		} else if string(data) != old && string(data) != new {
			torn++
		}
		os.RemoveAll(dir)
	}
	if *verbose {
		fmt.Fprintf(os.Stderr, "%s, killed %d times: torn %d times, missing %d times\n", r.name, rounds, torn, missing)
	}
	if torn+missing == 0 {
		return "old or new text"
	}
	return fmt.Sprintf("torn or missing in some of %d kills", rounds)
}

var verbose = flag.Bool("v", false, "say how many of the kills tore the file")

func main() {
	if len(os.Args) == 4 && os.Args[1] == "-child" {
		for _, r := range rivals {
			if r.name == os.Args[2] {
				r.apply(os.Args[3], []edit{{"f", "first\n", "1st\n"}})
			}
		}
		return
	}
	ofAider, ofHpatch := flag.String("aider", "", "a `clone` of aider"),
		flag.String("hpatch", "", "a `clone` of hpatch")
	flag.Parse()
	if err := prepare(*ofAider, *ofHpatch, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(1)
	}
}

// prepare makes the clones ready, and prints the table.
func prepare(ofAider, ofHpatch string, w io.Writer) error {
	if ofAider != "" {
		full, err := filepath.Abs(ofAider)
		if err != nil {
			return err
		}
		os.Setenv(aider, full)
	}
	if ofHpatch != "" {
		dir, err := os.MkdirTemp("", "rivals")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		program, err := buildHpatch(ofHpatch, dir)
		if err != nil {
			return err
		}
		os.Setenv(hpatch, program)
	}
	table(w, slices.DeleteFunc(slices.Clone(rivals), func(r rival) bool { return !available(r) }), trials)
	return nil
}

// table prints what comes of trials.
func table(w io.Writer, rivals []rival, trials []trial) {
	fmt.Fprint(w, "| |")
	for _, r := range rivals {
		fmt.Fprintf(w, " %s |", r.name)
	}
	fmt.Fprintf(w, "\n| --- |%s\n", strings.Repeat(" --- |", len(rivals)))
	for _, t := range trials {
		fmt.Fprintf(w, "| %s |", t.name)
		for _, r := range rivals {
			fmt.Fprintf(w, " %s |", t.run(r))
		}
		fmt.Fprintln(w)
	}
}

func available(r rival) bool {
	name, _, _ := strings.Cut(strings.Trim(r.name, "`"), " ")
	switch {
	case r.name == "atomicedit" || r.name == replace:
		return true
	case r.name == aider || r.name == hpatch:
		return os.Getenv(r.name) != ""
	}
	_, err := exec.LookPath(name)
	return err == nil
}
