package git

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A private directory is what git runs in unless the repository is trusted. It has
//
//	lock          that the process has locked, and every git that it has started
//	config        what counts as configuration
//	home          nothing
//	repository    what git takes for the repository: a HEAD and a config of its own, and links to what counts of the real one
//
// Git finds no configuration, hook or attribute of the repository, because there is none where it looks: linkedNames
// lists what counts, not what does not. The objects are found by GIT_OBJECT_DIRECTORY.
type private string

// linkedNames are the parts of a repository that count: they are data, and name no programs.
var linkedNames = []string{"refs", "packed-refs", "shallow"}

func (p private) config() string     { return filepath.Join(string(p), "config") }
func (p private) repository() string { return filepath.Join(string(p), "repository") }

// newPrivate makes a private directory with an empty repository in it. The directory is in use until the lock is
// closed, by every process that has inherited it. Where the lock is nil, nobody else removes the directory. Those of
// dead processes are removed.
func newPrivate(o Options) (p private, lock *os.File, err error) {
	removeAbandoned(os.TempDir())
	dir, err := os.MkdirTemp("", privatePrefix)
	if err != nil {
		return "", nil, err
	}
	p = private(dir)
	lock = p.lock()
	text, err := configText(o)
	if err == nil {
		err = cmp.Or(os.WriteFile(p.config(), []byte(text), 0o600), os.Mkdir(filepath.Join(dir, "home"), 0o700),
			initBare(p.repository(), facts{format: formatSHA1}))
	}
	if err != nil {
		p.remove(lock)
	}
	return p, lock, err
}

// initBare makes an empty bare repository, as git init would without templates.
func initBare(dir string, is facts) error {
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return err
		}
	}
	return is.writeTo(dir)
}

// writeTo writes the files by which git recognizes a repository.
func (is facts) writeTo(dir string) error {
	head := cmp.Or(is.head, "ref: refs/heads/main\n")
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if is.format.name == formatSHA256.name {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
	}
	if is.shared != "" {
		line, err := configLine("core.sharedRepository", is.shared)
		if err != nil {
			return err
		}
		config += line
	}
	return cmp.Or(os.WriteFile(filepath.Join(dir, "HEAD"), []byte(head), 0o666),
		os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o666))
}

// standFor makes the repository in p stand for the one in dir.
func (p private) standFor(dir string, is facts) error {
	if err := os.RemoveAll(filepath.Join(p.repository(), "refs")); err != nil {
		return err
	}
	for _, name := range linkedNames {
		if err := os.Symlink(filepath.Join(dir, name), filepath.Join(p.repository(), name)); err != nil {
			return fmt.Errorf("git: a repository that is not trusted needs symbolic links (on Windows, developer "+
				"mode); or set Options.TrustRepository: %w", err)
		}
	}
	return is.writeTo(p.repository())
}

// detach lets HEAD name a branch that nobody moves, so that git need not lock it.
func (p private) detach() error {
	return os.WriteFile(filepath.Join(p.repository(), "HEAD"), []byte("ref: refs/heads/.none\n"), 0o666)
}

// settings is the configuration that every git command has. A reference is synced before it gets its name (git 2.36 and
// later); the store syncs loose objects. What is fetched stays in a pack, which is there whole or not at all. A
// commit-graph is not part of the history that it describes, so it is not believed. References have their full names,
// so git would warn in vain, at every read, that another one has a similar name.
const settings = `[core]
	fsync = pack,pack-metadata,reference
	filesRefLockTimeout = 1000
	packedRefsTimeout = 1000
	commitGraph = false
	warnAmbiguousRefs = false
[fetch]
	unpackLimit = 1
[gc]
	auto = 0
[maintenance]
	auto = false
`

// privateSettings are for a repository that is not trusted. A reflog would be appended to whatever has its name. Ssh is
// kept from asking on a terminal.
const privateSettings = `[core]
	logAllRefUpdates = false
	sshCommand = ssh -o BatchMode=yes
`

// remoteName is what the configuration calls the remote repository, so that its URL is in no argument of the program.
const remoteName = "atomicedit"

// configText returns the configuration of a private directory. What the caller says comes last, so it counts.
func configText(o Options) (string, error) {
	text := settings
	if !o.TrustRepository {
		text += privateSettings
	}
	if o.Durability == atomicedit.DurableNone {
		text = strings.Replace(text, "pack,pack-metadata,reference", "none", 1)
	}
	own := map[string]string{}
	for name, value := range o.Config {
		own[name] = value
	}
	if o.Remote != "" {
		own["remote."+remoteName+".url"] = o.Remote
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		line, err := configLine(name, own[name])
		if err != nil {
			return "", err
		}
		text += line
	}
	return text, nil
}

// configLine returns a setting as a configuration file has it.
func configLine(name, value string) (string, error) {
	first, last := strings.IndexByte(name, '.'), strings.LastIndexByte(name, '.')
	if first < 1 || last == len(name)-1 || !isConfigWord(name[:first]) || !isConfigWord(name[last+1:]) ||
		strings.ContainsAny(name+value, "\n\x00") {
		return "", fmt.Errorf("git: Options.Config cannot have %q = %q: %w", name, value, fs.ErrInvalid)
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	section := name[:first]
	if first < last {
		section += ` "` + quote.Replace(name[first+1:last]) + `"`
	}
	return fmt.Sprintf("[%s]\n\t%s = \"%s\"\n", section, name[last+1:], quote.Replace(value)), nil
}

func isConfigWord(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
}

// inherited are the variables of the environment that git gets from this process: none by which it could find another
// repository, configuration or program, except for PATH.
var inherited = []string{
	"PATH", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "COMSPEC", "PATHEXT", "SSH_AUTH_SOCK",
	"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE",
	"SSL_CERT_DIR",
}

// inheritedByTrusted are the variables of git that a trusted repository may use.
var inheritedByTrusted = []string{
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
	"GIT_CONFIG_NOSYSTEM",
}

// environment returns the environment of git: in the private directory or, with TrustRepository, in the repository
// itself.
func (p private) environment(repo string, trusted bool) []string {
	env := []string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_ALLOW_PROTOCOL=file:git:http:https:ssh", "GIT_NO_LAZY_FETCH=1"}
	if trusted {
		for _, v := range os.Environ() {
			if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "GIT_") && name != "LC_ALL" ||
				slices.Contains(inheritedByTrusted, name) {
				env = append(env, v)
			}
		}
		return append(env, "GIT_DIR="+cmp.Or(repo, p.repository()))
	}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	home := filepath.Join(string(p), "home")
	env = append(env, "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_DIR="+p.repository())
	if repo != "" {
		env = append(env, "GIT_OBJECT_DIRECTORY="+filepath.Join(repo, "objects"))
	}
	return env
}
