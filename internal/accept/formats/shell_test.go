package formats_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

const portPatch = "*** Begin Patch\n*** Update File: a.go\n@@\n-a\n+b\n*** End Patch\n"

// scripts are scripts that apply portPatch in some directory.
func scripts() map[string]struct{ script, dir string } {
	here := func(before, word string) string {
		return before + word + "\n" + portPatch + strings.Trim(word, "'\"- ") + "\n"
	}
	inQuotes := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`)
	return map[string]struct{ script, dir string }{
		"a here-document":                {here("apply_patch <<", "'EOF'"), ""},
		"a here-document without quotes": {here("apply_patch <<", "PATCH"), ""},
		"double quotes":                  {here("applypatch << ", `"EOF"`), ""},
		"tabs before its end":            {"apply_patch <<-'EOF'\n" + portPatch + "\tEOF\n", ""},
		"CRLF": {strings.ReplaceAll(here("cd sub && apply_patch <<", "'EOF'"), "\n", "\r\n"),
			"sub"},
		"a directory":                   {here("cd sub/dir && apply_patch <<", "'EOF'"), "sub/dir"},
		"a directory in quotes":         {here("cd \"my dir\" && apply_patch <<", "'EOF'"), "my dir"},
		"a directory on its own line":   {here("\n# there:\ncd -- sub\n\napply_patch <<", "'EOF'"), "sub"},
		"a directory, and one below":    {here("cd sub; cd ../dir\\ 2; apply_patch <<", "'EOF'"), "dir 2"},
		"an absolute directory":         {here("cd x && cd /srv/src && apply_patch <<", "'EOF'"), "/srv/src"},
		"a directory that says nothing": {here("cd ./ && apply_patch <<", "'EOF'"), ""},
		"cat":                           {here("cd sub && cat <<", "'EOF'"), "sub"},
		"cat in a pipe":                 {"cd sub && cat <<'EOF' | apply_patch\n" + portPatch + "EOF\n", "sub"},
		"no command":                    {here("<<", "'EOF'"), ""},
		"a prompt":                      {here("$ apply_patch <<", "'EOF'"), ""},
		"an argument in single quotes":  {"cd sub && apply_patch '" + portPatch + "'\n", "sub"},
		"an argument in double quotes":  {"apply_patch \"" + inQuotes.Replace(portPatch) + "\"", ""},
		"a shell's argument": {"bash -lc \"" + inQuotes.Replace(here("cd sub && apply_patch <<", "'EOF'")) +
			"\"", "sub"},
		"a shell's argument in quotes": {"cd top && /bin/sh -l -c 'cd sub && apply_patch <<EOF\n" + portPatch + "EOF'",
			"top/sub"},
	}
}

func TestAScriptAppliesItsPatchInItsDirectory(t *testing.T) {
	for name, test := range scripts() {
		path := "a.go"
		if test.dir != "" {
			path = test.dir + "/a.go"
		}
		want := accepttest.OneEdit(path, chunkOf("-a\n+b\n"))
		for door, parse := range map[string]func(string) (atomicedit.Plan, error){
			"ShellPlan": accepttest.ShellPlan, "ParseV4A": atomicedit.ParseV4A, "Parse": atomicedit.Parse,
			"a bash": func(s string) (atomicedit.Plan,
				error) {
				return accepttest.ArgvPlan([]string{"bash", "-lc", s})
			},
		} {
			got, err := parse(test.script)
			if diff := cmp.Diff(want, got, accepttest.ButWords); err != nil || diff != "" {
				t.Errorf("%s, %s: %v, plan (-want +got):\n%s", name, door, err, diff)
			}
		}
	}
}

func TestAScriptIsReadAmongWords(t *testing.T) {
	const script = "cd sub && apply_patch <<'EOF'\n" + portPatch + "EOF\n"
	other := accepttest.OneEdit("sub/a.go", chunkOf("-a\n+b\n"))
	other.Ops = append(other.Ops, accepttest.OneEdit("dir/a.go", chunkOf("-a\n+b\n")).Ops...)
	checkRead(t, atomicedit.Parse, map[string]requested{
		"in a fence": {"I patch it.\n```bash\n" + script + "```\nDone.\n",
			accepttest.OneEdit("sub/a.go", chunkOf("-a\n+b\n"))},
		"a paragraph": {"I patch it.\n\n" + script + "\nDone.\n",
			accepttest.OneEdit("sub/a.go", chunkOf("-a\n+b\n"))},
		"below a colon": {"I patch it:\n" + script, accepttest.OneEdit("sub/a.go", chunkOf("-a\n+b\n"))},
		"two scripts": {"```\n" + script + "```\nand\n```\n" + strings.Replace(script, "sub", "dir", 1) +
			"```\n", other},
		"without Begin": {"cd sub\napply_patch <<'EOF'\n*** Update File: a.go\n@@\n-a\n+b\nEOF\n",
			accepttest.OneEdit("sub/a.go", chunkOf("-a\n+b\n"))},
		"without Begin, fenced":  {"```sh\ncd sub && apply_patch <<'EOF'\n*** Update File: a.go\n@@\n-a\n+b\nEOF\n```\n", accepttest.OneEdit("sub/a.go", chunkOf("-a\n+b\n"))},
		"a script in the patch":  {"*** Begin Patch\n*** Add File: b.sh\n+cd x && apply_patch <<'EOF'\n+EOF\n*** End Patch\n", atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("b.sh", "cd x && apply_patch <<'EOF'\nEOF\n")}}},
		"a move, and a creation": {"cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Move to: /b\n*** Add File: c\n*** End Patch\nEOF\n", atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "sub/a", To: "/b"}, {Kind: atomicedit.OpCreate, Path: "sub/c"}}}},
	})
}

func TestAScriptThatIsMoreThanAPatchIsRefused(t *testing.T) {
	const here = "apply_patch <<'EOF'\n" + portPatch + "EOF\n"
	refusedScripts := map[string]refused{
		"a command behind it":            {here + "go test ./...\n", 9, "\"go test ./...\" is more than a patch"},
		"a command behind an empty line": {here + "\nrm a.go\n", 10, "\"rm a.go\" is more than a patch"},
		"a command on its line": {strings.Replace(here, "'EOF'", "'EOF' && go vet", 1), 1,
			"\"go vet\" is more than a patch"},
		"a command in front": {"git stash && " + here, 1, "\"git stash && apply_patch <<'EOF'\" is more"},
		"an alternative":     {strings.Replace(here, "'EOF'", "'EOF' || exit 1", 1), 1, "|| exit 1\" is more"},
		"in the background":  {strings.Replace(here, "'EOF'", "'EOF' &", 1), 1, "is more than a patch"},
		"an output":          {strings.Replace(here, "'EOF'", "'EOF' > log", 1), 1, "is more than a patch"},
		"a subshell":         {"(cd sub && " + here, 1, "is more than a patch"},
		"two patches":        {here + here, 9, "is more than a patch"},
		"a pipe to elsewhere": {strings.Replace(here, "apply_patch <<'EOF'", "cat <<'EOF' | apply_patch --check",
			1), 1, "is more than a patch"},
		"a file from a document": {strings.Replace(here, "apply_patch <<'EOF'", "cat <<'EOF' > apply_patch", 1), 1,
			"is more than a patch"},
		"home":                      {"cd && " + here, 1, "depends on the shell"},
		"a variable":                {"cd $HOME/x && " + here, 1, "depends on the shell"},
		"the last directory":        {"cd - && " + here, 1, "depends on the shell"},
		"no patch in an argument":   {"apply_patch '*** x.patch'\n", 1, "is no patch"},
		"a patch for no file":       {"apply_patch <<'EOF'\n@@\n-a\n+b\nEOF\n", 2, "names no file"},
		"a patch with a mistake":    {"cd sub &&\napply_patch <<'EOF'\n*** Begin Patch\n*** Rename File: a\n*** End Patch\nEOF\n", 4, "not a file header"},
		"escapes for a shell":       {"apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+\\$x\n*** End Patch\nEOF\n", 4, "whose word has no quotes"},
		"a variable in an argument": {"apply_patch \"***\n$x\"\n", 1, "a shell replaces \"$x\""},
	}
	for _, parse := range []func(string) (atomicedit.Plan, error){accepttest.ShellPlan, atomicedit.Parse} {
		checkRefused(t, parse, false, refusedScripts)
	}
	cut := map[string]refused{
		"no last line":           {strings.TrimSuffix(here, "EOF\n"), 8, "here-document was cut off"},
		"no end of the patch":    {strings.Split(here, "*** End")[0], 6, "cut off"},
		"no end of the document": {"apply_patch <<'EOF'\n*** Update File: a.go\n@@\n-a\n+b\n", 6, "cut off"},
		"half an argument":       {"apply_patch '" + portPatch, 1, "is not closed"},
	}
	for _, parse := range []func(string) (atomicedit.Plan, error){accepttest.ShellPlan, atomicedit.Parse} {
		checkRefused(t, parse, true, cut)
	}
	checkRefused(t, accepttest.ShellPlan, false, map[string]refused{
		"a command on the last line":    {strings.TrimSuffix(here, "EOF\n") + "EOF && rm a.go\n", 8, "stands between"},
		"another word on the last line": {strings.TrimSuffix(here, "EOF\n") + "PATCH\n", 8, "stands between"},
		"a command above the last line": {strings.TrimSuffix(here, "EOF\n") + "rm a.go\nEOF\n", 8, "stands between"},
		"nothing":                       {"", 1, "applies no patch"},
		"cd":                            {"cd x\n", 1, "applies no patch"},
		"no patch":                      {"apply_patch\n", 1, "applies no patch"},
		"a file":                        {"cat > a <<'EOF'\nx\nEOF\n", 1, "is more than a patch"},
		"an editor":                     {"sed -i 's/a/b/' a.go", 1, "is more than a patch"},
		"a half word":                   {"apply_patch <<", 1, "needs a word"},
	})
}

func TestTheArgumentsOfACommandAreRead(t *testing.T) {
	want := accepttest.OneEdit("a.go", chunkOf("-a\n+b\n"))
	for _, argv := range [][]string{
		{"apply_patch", portPatch},
		{"applypatch", "<<'EOF'\n" + portPatch + "EOF\n"},
		{"apply_patch <<'EOF'\n" + portPatch + "EOF"},
		{"/bin/zsh", "-l", "-c", "apply_patch <<'EOF'\n" + portPatch + "EOF"},
		{"bash", "-lc", "bash -c 'apply_patch <<EOF\n" + portPatch + "EOF'"},
	} {
		got, err := accepttest.ArgvPlan(argv)
		if diff := cmp.Diff(want, got, accepttest.ButWords); err != nil || diff != "" {
			t.Errorf("%q: %v, plan (-want +got):\n%s", argv, err, diff)
		}
	}
	for _, argv := range [][]string{
		nil, {""}, {"rm", "a.go"}, {"apply_patch"}, {"apply_patch", portPatch, portPatch},
		{"apply_patch", "-p1", portPatch}, {"bash", "-l", portPatch},
		{"bash", "-lc", "apply_patch <<'EOF'\n" + portPatch + "EOF", "x"}, {"bash", "-lc", "rm a.go"},
		{"cd", "sub", "&&", "apply_patch", portPatch},
		{"bash", "-c", "bash -c 'bash -c \"bash -c x\"'"},
	} {
		p, err := accepttest.ArgvPlan(argv)
		if !errors.Is(err, atomicedit.ErrSyntax) || len(p.Ops) > 0 {
			t.Errorf("%q: %v, %+v", argv, err, p)
		}
	}
}

// The tabs of a here-document that a shell removes are not part of the patch; others are.
func TestTabsInFrontOfHereDocument(t *testing.T) {
	plan, err := atomicedit.Parse("apply_patch <<-'EOF'\n\t*** Begin Patch\n\t*** Update File: a\n\t@@\n\t \tkept\n\t-\told\n\t+\tnew\n\t*** End Patch\n\tEOF\n")
	if err != nil {
		t.Fatal(err)
	}
	res, err := plan.Apply([]byte("\tkept\n\told\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(res.Text); got != "\tkept\n\tnew\n" {
		t.Errorf("got %q", got)
	}
}
