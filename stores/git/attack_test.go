package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A canary is a program that leaves a mark if somebody runs it.
type canary struct{ program, mark string }

func newCanary(t *testing.T) canary {
	t.Helper()
	if filepath.Separator == '\\' {
		t.Skip("the programs of this test are shell scripts")
	}
	dir := t.TempDir()
	c := canary{filepath.Join(dir, "canary"), filepath.Join(dir, "mark")}
	writeFile(t, c.program, fmt.Sprintf("#!/bin/sh\necho \"$0\" \"$@\" >>%s\nexit 1\n", c.mark), 0o755)
	return c
}

// died returns what ran the canary.
func (c canary) died() string {
	said, _ := os.ReadFile(c.mark)
	return string(said)
}

func writeFile(t testing.TB, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func create(path, text string) atomicedit.Change {
	return atomicedit.Change{Path: path, After: &atomicedit.File{Data: []byte(text)}}
}

func edit(path, before, after string) atomicedit.Change {
	return atomicedit.Change{Path: path, Before: &atomicedit.File{Data: []byte(before)},
		After: &atomicedit.File{Data: []byte(after)}}
}

func remove(path, before string) atomicedit.Change {
	return atomicedit.Change{Path: path, Before: &atomicedit.File{Data: []byte(before)}}
}

func commit(t testing.TB, s atomicedit.Store, changes ...atomicedit.Change) {
	t.Helper()
	if err := s.Commit(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
}

func has(t testing.TB, s atomicedit.Store, path, text string) {
	t.Helper()
	if f, err := s.Read(t.Context(), path); err != nil || string(f.Data) != text {
		t.Errorf("Read(%q) = %+v, %v, want %q", path, f, err, text)
	}
}

// hooks are those of any git program, and names that are none yet.
var hooks = []string{"reference-transaction", "pre-push", "pre-commit", "post-commit", "post-update", "pre-receive",
	"update", "post-receive",
	"commit-msg", "prepare-commit-msg", "fsmonitor-watchman", "post-index-change", "pre-auto-gc", "proc-receive",
	"post-checkout", "future"}

// hostile are settings that name a program, a file that is written, or another place. What is allowed is a list in
// private.go that has none of them; this one is only what an attacker would try.
func hostile(program, dir string) map[string]string {
	return map[string]string{
		"alias.cat-file": "!" + program, "alias.update-ref": "!" + program, "commit.gpgSign": "true",
		"core.alternateRefsCommand": program,
		"core.askPass":              program, "core.attributesFile": dir + "/attributes", "core.editor": program,
		"core.fsmonitor": program, "core.gitProxy": program,
		"core.hooksPath": dir + "/hooks", "core.pager": program, "core.sshCommand": program,
		"core.worktree": dir + "/elsewhere", "credential.helper": "!" + program,
		"diff.external": program, "diff.x.textconv": program, "fetch.fsmonitor": program, "filter.x.clean": program,
		"filter.x.process":  program,
		"filter.x.required": "true", "filter.x.smudge": program, "gpg.program": program, "gpg.ssh.program": program,
		"gpg.x509.program": program,
		"http.proxy":       "http://127.0.0.1:1", "include.path": dir + "/included",
		"includeIf.gitdir:/.path": dir + "/included", "maintenance.auto": "true",
		"merge.x.driver": program, "pack.packObjectsHook": program, "protocol.ext.allow": "always",
		"push.gpgSign":            "true",
		"receive.procReceiveRefs": "refs", "remote." + remoteName + ".pushurl": "ext::" + program,
		"remote." + remoteName + ".receivepack": program,
		"remote." + remoteName + ".uploadpack":  program, "remote." + remoteName + ".url": "ext::" + program,
		"remote." + remoteName + ".vcs": "x",
		"sequence.editor":               program, "ssh.variant": "simple", "trace2.eventTarget": dir + "/traced",
		"trace2.normalTarget": dir + "/traced",
		"trailer.x.command":   program, "transfer.bundleURI": "true", "uploadpack.packObjectsHook": program,
		"url.ext::" + program + ".insteadOf": "/",
		"user.signingKey":                    "x", "worktree.x": program,
	}
}

// infect gives a repository every setting, hook and attribute that could run a program.
func infect(t *testing.T, dir string, c canary) {
	t.Helper()
	for name, value := range hostile(c.program, dir) {
		run(t, dir, "config", "--file", filepath.Join(dir, "config"), "--add", name, value)
	}
	writeFile(t, dir+"/included", "[core]\n\tsshCommand = "+c.program+"\n\thooksPath = "+dir+
		"/hooks\n[gpg]\n\tprogram = "+c.program+"\n", 0o644)
	writeFile(t, dir+"/attributes", "* filter=x diff=x merge=x\n", 0o644)
	writeFile(t, dir+"/info/attributes", "* filter=x diff=x merge=x\n", 0o644)
	for _, name := range hooks {
		writeFile(t, dir+"/hooks/"+name, "#!/bin/sh\nexec "+c.program+" hook "+name+"\n", 0o755)
	}
}

// use does with a store all that can be done, and returns the last commit.
func use(t *testing.T, s *Store) {
	t.Helper()
	commit(t, s, create(".gitattributes", "* filter=x diff=x merge=x\n"), create("a.txt", "a"))
	has(t, s, "a.txt", "a")
	commit(t, s, edit("a.txt", "a", "b"))
	has(t, s, "a.txt", "b")
	many := make([]atomicedit.Change, 2*unpackLimit)
	for i := range many {
		many[i] = create(fmt.Sprintf("d%d/f", i), fmt.Sprint(i))
	}
	commit(t, s, many...)
}

func TestAHostileRepositoryRunsNothing(t *testing.T) {
	c, dir := newCanary(t), bare(t)
	infect(t, dir, c)
	use(t, open(t, dir, &Options{CheckedOut: true}))
	if said := c.died(); said != "" {
		t.Errorf("the repository has run:\n%s", said)
	}
	for _, name := range []string{"traced", "elsewhere"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("the repository has written %s", name)
		}
	}
	os.Remove(dir + "/config")
	if got := run(t, dir, "-c", "core.bare=true", "log", "--format=%s", "refs/heads/main"); strings.Count(got,
		"\n") != 2 {
		t.Errorf("the log has:\n%s", got)
	}
}

func TestAHostileMirrorRunsNothing(t *testing.T) {
	c, dir, far := newCanary(t), bare(t), bare(t)
	infect(t, dir, c)
	use(t, open(t, dir, &Options{Remote: far, Ref: "main", CheckedOut: true}))
	if said := c.died(); said != "" {
		t.Errorf("the mirror has run:\n%s", said)
	}
	if got := run(t, far, "show", "main:a.txt"); got != "b" {
		t.Errorf("the remote repository has %q", got)
	}
}

// Each of these settings runs the program, so that the tests above prove something, but only in a repository that is
// trusted.
func TestATrustedRepositoryRunsItsPrograms(t *testing.T) {
	for name, test := range map[string]struct {
		config map[string]string
		remote string
		hook   string
	}{
		"hook of a reference": {hook: "reference-transaction"},
		"hook of a push":      {hook: "pre-push", remote: "FAR"},
		"path of hooks": {hook: "../elsewhere/reference-transaction",
			config: map[string]string{"core.hooksPath": "DIR/elsewhere"}},
		"signature": {config: map[string]string{"commit.gpgSign": "true", "gpg.program": "CANARY",
			"user.signingKey": "x"}},
		"ssh": {config: map[string]string{"core.sshCommand": "CANARY"},
			remote: "ssh://nowhere.invalid/repo"},
		"pack on the far side": {config: map[string]string{"remote." + remoteName + ".receivepack": "CANARY"},
			remote: "FAR"},
	} {
		for _, trusted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, trusted %v", name, trusted), func(t *testing.T) {
				c, dir := newCanary(t), bare(t)
				in := strings.NewReplacer("DIR", dir, "CANARY", c.program, "FAR", bare(t))
				for name, value := range test.config {
					run(t, dir, "config", name, in.Replace(value))
				}
				if test.hook != "" {
					writeFile(t, filepath.Join(dir, "hooks", test.hook), "#!/bin/sh\nexec "+c.program+"\n", 0o755)
				}
				s, err := Open(dir, &Options{Ref: "main", Remote: in.Replace(test.remote), TrustRepository: trusted})
				if err == nil {
					defer s.Close()
					err = s.Commit(t.Context(), []atomicedit.Change{create("a", "a")})
				}
				if ran := c.died() != ""; ran != trusted {
					t.Errorf("the program has run: %v (%s); error %v", ran, c.died(), err)
				}
			})
		}
	}
}

func TestTheEnvironmentDoesNotLeadElsewhere(t *testing.T) {
	c, dir, other := newCanary(t), bare(t), bare(t)
	for name, value := range map[string]string{
		"GIT_DIR": other, "GIT_WORK_TREE": other, "GIT_INDEX_FILE": other + "/index",
		"GIT_OBJECT_DIRECTORY": other + "/objects", "GIT_COMMON_DIR": other,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": other + "/objects", "GIT_NAMESPACE": "elsewhere",
		"GIT_EXEC_PATH": filepath.Dir(c.program), "GIT_SSH": c.program,
		"GIT_SSH_COMMAND": c.program, "GIT_EXTERNAL_DIFF": c.program, "GIT_EDITOR": c.program,
		"GIT_TEMPLATE_DIR": other, "GIT_TRACE": other + "/traced",
		"GIT_TRACE2": other + "/traced", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath",
		"GIT_CONFIG_VALUE_0":    other + "/hooks",
		"GIT_CONFIG_PARAMETERS": "'core.hooksPath'='" + other + "/hooks'", "GIT_CONFIG_GLOBAL": other + "/global",
		"GIT_CONFIG":      other + "/global",
		"GIT_AUTHOR_NAME": "Somebody Else", "GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z",
		"GIT_SHALLOW_FILE": other + "/shallow", "GIT_GRAFT_FILE": other + "/grafts",
		"GIT_REPLACE_REF_BASE": "refs/elsewhere", "GIT_ALLOW_PROTOCOL": "ext", "GIT_PROXY_COMMAND": c.program,
		"GIT_ASKPASS": c.program, "HOME": other, "XDG_CONFIG_HOME": other,
	} {
		t.Setenv(name, value)
	}
	writeFile(t, other+"/hooks/reference-transaction", "#!/bin/sh\nexec "+c.program+"\n", 0o755)
	for _, name := range []string{"/global", "/.gitconfig", "/git/config"} {
		writeFile(t, other+name, "[core]\n\thooksPath = "+other+"/hooks\n", 0o644)
	}
	use(t, open(t, dir, nil))
	if _, err := os.Stat(dir + "/refs/heads/main"); err != nil || c.died() != "" {
		t.Errorf("the commit is elsewhere: %v; %s", err, c.died())
	}
	for _, name := range []string{"/refs/heads/main", "/traced", "/index"} {
		if _, err := os.Stat(other + name); err == nil {
			t.Errorf("there is %s in the other repository", name)
		}
	}
}

func TestNothingIsAnOption(t *testing.T) {
	dir := bare(t)
	for name, o := range map[string]Options{
		"ref": {Ref: "refs/heads/-x..y"}, "ref with a space": {Ref: "refs/heads/a b"},
		"remote": {Remote: "-oProxyCommand=x:y"}, "author": {Author: Person{"a\nb", "x"}},
		"ref with a line": {Ref: "refs/heads/a\ncommit"}, "email": {Committer: Person{"a", "<>"}},
		"config":             {Config: map[string]string{"core.x y": "z"}},
		"config with a line": {Config: map[string]string{"core.x": "z\n[y]"}}, "size": {MaxSize: -1},
		"durability": {Durability: 9},
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := Open(dir, &o); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("Open: %v, want fs.ErrInvalid", err)
				if err == nil {
					s.Close()
				}
			}
		})
	}
	t.Run("ext", func(t *testing.T) {
		c := newCanary(t)
		if _, err := Open(t.TempDir()+"/mirror", &Options{Remote: "ext::" + c.program, Ref: "main"}); err == nil ||
			c.died() != "" {
			t.Errorf("Open: %v; ran: %s", err, c.died())
		}
	})
	s := open(t, dir, &Options{Ref: "refs/heads/-x"})
	commit(t, s, create("--help", "a"), create("-a/-b", "b"), create("HEAD^{tree}", "c"),
		create("line\nfeed \t\"quoted\"", "d"))
	for path, text := range map[string]string{"--help": "a", "-a/-b": "b", "HEAD^{tree}": "c",
		"line\nfeed \t\"quoted\"": "d"} {
		has(t, s, path, text)
	}
}

func TestALinkInTheRepositoryLeadsNowhere(t *testing.T) {
	for _, name := range []string{
		"HEAD", "config", "objects", "objects/info", "objects/info/alternates", "objects/pack", "objects/5b", "refs",
		"packed-refs", "refs/heads", "refs/heads/main",
		"refs/heads/main.lock",
	} {
		t.Run(name, func(t *testing.T) {
			dir, other := bare(t), bare(t)
			commit(t, open(t, other, nil), create("a", "a"))
			run(t, other, "pack-refs", "--all", "--no-prune")
			writeFile(t, other+"/refs/heads/main.lock", "", 0o644)
			before := run(t, other, "rev-parse", "main")
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(other, name), filepath.Join(dir, name)); err != nil {
				t.Skip(err)
			}
			s, err := Open(dir, &Options{Ref: "main"})
			if err == nil {
				defer s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("Open: %v, want an error about a symbolic link", err)
			}
			if after := run(t, other, "rev-parse", "main"); after != before {
				t.Errorf("the other repository is at %s, was at %s", after, before)
			}
		})
	}
}

// Git would wait for a pipe until somebody writes to it.
func TestAPipeInTheRepositoryIsNotRead(t *testing.T) {
	always := []string{
		"HEAD", "config", "commondir", "packed-refs", "shallow", "worktrees", "worktrees/w/HEAD", "refs/heads/main",
		"refs/heads/main.lock", "objects/info/alternates", "objects/pack/multi-pack-index",
	}
	for trusted, names := range map[bool][]string{
		false: append(always, "refs/tags/x/y", "objects/info/http-alternates", "objects/info/packs",
			"objects/ab/"+strings.Repeat("c", 38),
			"objects/pack/pack-"+strings.Repeat("a", 40)+".idx", "objects/pack/pack-"+strings.Repeat("a", 40)+".pack"),
		true: append(always, "index", "info/grafts", "info/attributes", "logs/refs/heads/main"),
	} {
		for _, name := range names {
			dir := bare(t)
			mkfifo(t, filepath.Join(dir, name))
			s, err := Open(dir, &Options{Ref: "main", TrustRepository: trusted, CheckedOut: name == "HEAD"})
			if err == nil {
				s.Close()
			}
			if !strings.Contains(fmt.Sprint(err), "neither a file nor a directory") {
				t.Errorf("Open with a pipe for %s, trusted %v: %v", name, trusted, err)
			}
		}
	}
}

// mkfifo puts a named pipe in place of a file.
func mkfifo(t *testing.T, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", name).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
}

// A file of a terabyte, all of it a hole, would fill the memory.
func TestAHugeHEADIsNotRead(t *testing.T) {
	dir := bare(t)
	if err := os.Truncate(dir+"/HEAD", 1<<40); err != nil {
		t.Skip("this file system has no such large files: ", err)
	}
	if _, err := Open(dir, &Options{Ref: "main"}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Open: %v", err)
	}
}
