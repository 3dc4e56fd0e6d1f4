//go:build linux

// Attack kills commits, and makes their system calls fail. A child process makes a commit of several files: it edits,
// creates, moves and deletes them, in new directories, in a setgid directory and in one that can be another mount. At
// the N-th file-system call of the whole process, the kernel asks this program what to do (seccomp user notification),
// and one of these happens:
//
//   - the process is killed, and sometimes also the process that recovers after it;
//   - the call fails with EIO, ENOSPC, EDQUOT, EMFILE, EACCES, ERANGE or EINTR;
//   - another process changes the mode, owner, access list or an attribute of a file that is being edited, or takes the
//     state directory away and puts its own there. In half of these jobs, an empty attribute grows while attributes are
//     read.
//
// In the places called roots, the commit is one over several roots, which moves files between them. In those called
// protected, it changes a file that a protected link leads to, so it must be refused.
//
// Then the directory is opened again, and these defects are counted:
//
//	mixed       the files are neither all old nor all new, or another file has changed
//	lost        the answer was nil, but nothing is committed
//	untold      the answer was an error other than ErrNotDurable, but everything is committed
//	widened     somebody has more rights to a file than before
//	attributes  a file has lost its mode, owner, access list or an attribute
//	overtaken   the commit has undone the change of another process
//	panics      the process died without being killed
//	hung        there was no answer for 30 seconds
//	litter      after the next open and commit, internal files of the commit are left
//	stuck       the next open or commit fails
//	misnamed    EIO, ENOSPC, EDQUOT or EMFILE was reported as another error, or as an unsupported operation
//	unsynced    fsync failed with EIO or ENOSPC, but the answer was nil
//	trespass    something was written to, or removed from, a state directory that another process has put there
//	unfair      in a storm, a writer waited more than 20 times as long as the mean
//
// The count of "nil" is not one of defects: the commit could do without the failed call, or tried it again.
//
//	go run ./attack [-n jobs] [-on tmpfs,ext4,overlay,mount,bind,fuse,roots,protected] [-storm 10s] [-short] [-seed N] [-v]
//
// It takes less than ten minutes, or less than one with -short. On a busy machine, it does fewer jobs. It needs Linux
// 5.19 and root, and exits with status 75 if it cannot run. Its mounts are in their own namespace, and are removed in
// the end, even after Ctrl-C.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit/bench/crash"
)

var (
	jobs    = flag.Int("n", 31000, "jobs over all kinds of places: 1/6 kills, 2/3 errors, 1/6 changes by others")
	on      = flag.String("on", strings.Join(kinds, ","), "the kinds of places")
	storms  = flag.Duration("storm", 10*time.Second, "how long writers storm, on tmpfs and on ext4; 0 for never")
	short   = flag.Bool("short", false, "less than a minute: 1800 jobs, a storm of 2s that is not judged for fairness")
	seed    = flag.Uint64("seed", 1, "of the order of calls and errors")
	verbose = flag.Bool("v", false, "print everything bad, not only the first of each sort")
)

// sweepLimit is how long the jobs in one kind of place may take. A busy machine does fewer jobs in that time.
var sweepLimit = 90 * time.Second

// cannotRun is the exit status on a machine that lacks what the attack needs.
const cannotRun = 75

func main() {
	flag.Parse()
	if *short {
		*jobs, *storms, sweepLimit = 1800, 2*time.Second, 7*time.Second
	}
	var err error
	switch os.Getenv("ATTACK_ROLE") {
	case "child":
		err = obey()
	case "fuse":
		err = serveFuse(flag.Arg(0), flag.Arg(1))
	case "writer":
		err = write(flag.Arg(0), flag.Args()[1:])
	case "attack":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM, unix.SIGHUP)
		err = attack(ctx, flag.Arg(0))
		stop()
	default:
		os.Exit(shield())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

// role returns a command that runs this program in a role. It is killed when this process ends, or the context.
func role(ctx context.Context, name string, args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		exe = "/proc/self/exe"
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), "ATTACK_ROLE="+name,
		"GODEBUG=asyncpreemptoff=1,containermaxprocs=0,updatemaxprocs=0")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGKILL}
	return cmd
}

// shield runs the attack in its own mount namespace. Afterwards, it removes the empty directory that is left.
func shield() int {
	if os.Geteuid() != 0 {
		fmt.Fprintln(os.Stderr, "attack: needs root")
		return cannotRun
	}
	base, err := os.MkdirTemp("", "attack")
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		return 1
	}
	defer os.Remove(base)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, unix.SIGTERM, unix.SIGHUP)
	runtime.LockOSThread() // if this thread ended, so would the attack
	cmd := role(context.Background(), "attack", append(os.Args[1:len(os.Args)-flag.NArg()], base)...)
	cmd.Stdout = os.Stdout
	cmd.SysProcAttr.Unshareflags = unix.CLONE_NEWNS
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "attack: needs a mount namespace:", err)
		return cannotRun
	}
	go func() {
		for s := range signals {
			cmd.Process.Signal(s)
		}
	}()
	cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

func attack(ctx context.Context, base string) error {
	unix.Umask(0o022)
	if err := unix.Mount("attack", base, "tmpfs", 0, "size=1g,nr_inodes=100k"); err != nil {
		fmt.Println("skipped: mounts are not allowed here:", err)
		os.Exit(cannotRun)
	}
	os.Setenv("HOME", filepath.Join(base, "home"))
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(base, "home"))
	c, err := startChild(ctx)
	if err != nil {
		fmt.Println("skipped:", err)
		os.Exit(cannotRun)
	}
	c.end()
	start := time.Now()
	total := newTally()
	names := strings.Split(*on, ",")
	fmt.Println(header())
	for _, kind := range names {
		if !slices.Contains(kinds, kind) {
			return fmt.Errorf("unknown kind of place: %s", kind)
		}
		if ctx.Err() != nil {
			break
		}
		t, err := sweep(ctx, kind, filepath.Join(base, kind), *jobs/len(names))
		if err != nil {
			fmt.Printf("%-8s skipped: cannot be set up here: %v\n", kind, err)
			continue
		}
		fmt.Println(t.row(kind))
		t.show()
		total.add(t)
	}
	fmt.Println(total.row("all"))
	for _, kind := range []string{"tmpfs", "ext4"} {
		if ctx.Err() != nil || *storms == 0 || !slices.Contains(names, kind) {
			continue
		}
		t, err := storm(ctx, kind, filepath.Join(base, "storm-"+kind))
		if err != nil {
			fmt.Printf("storm on %s skipped: %v\n", kind, err)
			continue
		}
		t.show()
		total.add(t)
	}
	fmt.Printf("%v\n", time.Since(start).Round(time.Second))
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if n := total.bad(); n > 0 {
		return fmt.Errorf("%d bad outcomes", n)
	}
	if total.count["kills"] == 0 {
		return errors.New("nothing was attacked")
	}
	return nil
}

var (
	neutral = []string{"jobs", "kills", "errors", "changes", "nil"}
	bad     = []string{"mixed", "lost", "untold", "widened", "attributes", "overtaken", "panics", "hung", "litter",
		"stuck", "misnamed", "unsynced", "trespass", "unfair"}
)

// A tally counts what happened.
type tally struct {
	mu    sync.Mutex
	count map[string]int
	first map[string][]string // the first examples of each sort; all if verbose
}

func newTally() *tally { return &tally{count: map[string]int{}, first: map[string][]string{}} }

func (t *tally) note(sort, example string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count[sort]++
	if slices.Contains(bad, sort) && (*verbose || len(t.first[sort]) < 2) {
		t.first[sort] = append(t.first[sort], example)
	}
}

func (t *tally) add(other *tally) {
	for sort, n := range other.count {
		t.count[sort] += n
	}
}

func (t *tally) bad() (n int) {
	for _, sort := range bad {
		n += t.count[sort]
	}
	return n
}

func header() string {
	line := fmt.Sprintf("%-8s", "")
	for _, sort := range slices.Concat(neutral, bad) {
		line += fmt.Sprintf(" %*s", max(6, len(sort)), sort)
	}
	return line
}

func (t *tally) row(name string) string {
	line := fmt.Sprintf("%-8s", name)
	for _, sort := range slices.Concat(neutral, bad) {
		line += fmt.Sprintf(" %*d", max(6, len(sort)), t.count[sort])
	}
	return line
}

func (t *tally) show() {
	for _, sort := range slices.Sorted(maps.Keys(t.first)) {
		for _, example := range t.first[sort] {
			if !*verbose {
				example = strings.Join(strings.Fields(example), " ")
				example = example[:min(len(example), 300)]
			}
			fmt.Printf("\t%s: %s\n", sort, example)
		}
	}
}

// sweep attacks n commits in places of one kind, with one worker for each processor. It fails if it cannot set up such
// a place.
func sweep(ctx context.Context, kind, base string, n int) (*tally, error) {
	t := newTally()
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			p, err := makePlace(ctx, kind, filepath.Join(base, fmt.Sprint(i)))
			defer p.end()
			if err == nil {
				w := worker{ctx: ctx, place: p, tally: t, random: rand.New(rand.NewPCG(*seed, uint64(i)))}
				if err := w.work(n / workers); err != nil && ctx.Err() == nil {
					t.note("stuck", err.Error())
				}
				w.retire()
			}
			errs[i] = err
		})
	}
	wg.Wait()
	return t, errors.Join(errs...)
}

// A worker attacks the commits in one place.
type worker struct {
	ctx context.Context
	*place
	*tally
	child    *child
	random   *rand.Rand
	old, new state
}

func (w *worker) retire() {
	if w.child != nil {
		w.child.end()
	}
}

// do makes a child commit. It reuses the last child if that is still alive.
func (w *worker) do(f fault) (outcome, error) {
	if w.child == nil {
		c, err := startChild(w.ctx)
		if err != nil {
			return outcome{}, err
		}
		w.child = c
	}
	said := &w.child.said
	o := w.child.run(w.kind, w.dir, f)
	switch {
	case w.ctx.Err() != nil: // the end of the context killed the child
	case o.hung:
		w.note("hung", fmt.Sprintf("%v %v", f, o.injection))
	case o.dead && (f.kind != "kill" || o.call == ""):
		w.note("panics", fmt.Sprintf("%v %v: %.300s", f, o.injection, said.String()))
	}
	if o.dead {
		w.child = nil
	}
	return o, nil
}

// rehearse makes the commit without a fault, and records the states before and after.
func (w *worker) rehearse() (calls, attrCalls int, err error) {
	for range 2 { // the first commit of a process makes more calls
		if err := w.reset(); err != nil {
			return 0, 0, err
		}
		if w.old, err = look(w.dir); err != nil {
			return 0, 0, err
		}
		o, err := w.do(fault{n: never})
		if refused := errandOf(w.kind).refused; err == nil && (o.dead || (o.answer.Text != "") != refused) {
			err = fmt.Errorf("the commit without a fault: refused is %v: %s", !refused, o.answer.Text)
		}
		if err != nil {
			return 0, 0, err
		}
		calls, attrCalls = o.calls, o.attrCalls
	}
	if errandOf(w.kind).refused {
		return calls, attrCalls, nil // there is no new state
	}
	w.new, err = look(w.dir)
	for from, to := range map[string]string{"a": "a", "sub/b": "sub/b", "m/x": "m/x", "bound": "bound",
		"sub/moved": "new/deep/moved", "sub/across": "m/across"} {
		was, is := w.old[from].meta, w.new[to].meta
		if was.mode != is.mode || was.uid != is.uid || was.gid != is.gid || !maps.Equal(was.attrs, is.attrs) {
			w.note("attributes", "without a fault: "+to+": "+metaDifference(is, was))
		}
	}
	return calls, attrCalls, err
}

// deck returns a function that deals the numbers below n in random order, over and over.
func deck(r *rand.Rand, n int) func() int {
	var left []int
	return func() int {
		if len(left) == 0 {
			left = r.Perm(n)
		}
		next := left[0]
		left = left[1:]
		return next
	}
}

func (w *worker) work(n int) error {
	start := time.Now()
	calls, attrCalls, err := w.rehearse()
	if err != nil {
		return err
	}
	others, grow := changes(w.kind)
	kills, fails, changed, grown := deck(w.random, calls), deck(w.random, calls*len(errnos)),
		deck(w.random, calls*len(others)), deck(w.random, max(attrCalls, 1))
	for i := 0; i < n && w.ctx.Err() == nil && time.Since(start) < sweepLimit; i++ {
		var f fault
		switch i % 12 {
		case 0, 6:
			f = fault{n: kills(), kind: "kill"}
		case 3:
			f = fault{n: grown(), onAttrs: true, kind: "change", change: grow}
		case 9:
			k := changed()
			f = fault{n: k / len(others), kind: "change", change: others[k%len(others)]}
		default:
			k := fails()
			f = fault{n: k / len(errnos), kind: "error", errno: errnos[k%len(errnos)]}
		}
		f.n++
		if err := w.reset(); err != nil {
			return err
		}
		if err := w.attack(f, calls); err != nil {
			return err
		}
	}
	return nil
}

// attack makes one commit with a fault, and judges what it leaves.
func (w *worker) attack(f fault, calls int) error {
	o, err := w.do(f)
	if err != nil || w.ctx.Err() != nil {
		return err
	}
	w.note("jobs", "")
	if o.call != "" {
		w.note(map[string]string{"kill": "kills", "error": "errors", "change": "changes"}[f.kind], "")
	}
	again := ""
	if o.dead && f.kind == "kill" && w.random.IntN(4) == 0 { // also kill the process that recovers
		second, err := w.do(fault{n: 1 + w.random.IntN(calls), kind: "kill"})
		if err != nil {
			return err
		}
		if second.call != "" {
			w.note("kills", "")
			again = fmt.Sprint(", then killed ", second.injection)
		}
	}
	kept := len(crash.Litter(w.dir)) > 0
	found := w.judge(w.old, w.new, f, o)
	if f.kind == "error" && o.call != "" && !o.dead && !errandOf(w.kind).refused {
		found = append(found, judgeAnswer(f.errno, o, kept)...)
	}
	for _, b := range found {
		said := "no answer"
		if !o.dead {
			said = "answer " + cmp.Or(o.answer.Text, "nil")
		}
		w.note(b.sort, fmt.Sprintf("%v %v%s, %s: %s", f, o.injection, again, said, b.text))
	}
	return nil
}

// judgeAnswer finds the defects in the answer after a failed call. A commit whose record is kept is durable, even if a
// journal could not be removed durably.
func judgeAnswer(errno unix.Errno, o outcome, kept bool) (found []finding) {
	hard := errno == unix.EIO || errno == unix.ENOSPC || errno == unix.EDQUOT
	switch {
	case o.answer.Text == "":
		found = append(found, finding{"nil", ""})
		if hard && !kept && (o.call == "fsync" || o.call == "fdatasync") {
			found = append(found, finding{"unsynced", o.call})
		}
	case (hard || errno == unix.EMFILE) && (o.answer.Unsupported || !slices.Contains(o.answer.Is, errno)):
		found = append(found, finding{"misnamed", errno.Error()})
	}
	return found
}
