// Nodes lets several processes, the nodes, change the files of one tree, which a server keeps or which is a directory,
// and kills nodes and server at random, for a given time. Each node has several writers. A plan counts one up in each
// of 1 to 20 files out of 500, and writes its name there. In the end, nodes checks that
//
//   - every file was counted up by exactly the plans whose names it has (a lost update would be missing);
//   - every plan that was reported as done is in all of its files, and one that was reported as refused or failed is in
//     none;
//   - no plan is in some of its files only, the history has one commit for each plan, which changed exactly its files,
//     and all files have the plans in one order.
//
// The engines are the stores of this module: a directory, git behind "git daemon" and PostgreSQL. Beside them are what
// people do without: "pull", a clone for each writer with git pull --rebase, commit and push in a loop, and "rows",
// which updates a row at a time. They run one after another, and one line tells what each has done and lost. An engine
// whose programs are not installed is skipped. TMPDIR in the environment chooses the disk.
//
//	go run ./nodes [-t 2m] [-nodes 3] [-writers 4] [-kill=false] [dir git pull postgres rows]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

const (
	files     = 500
	mostFiles = 20
)

func main() {
	var o options
	flag.DurationVar(&o.long, "t", 2*time.Minute, "how long each engine runs")
	flag.IntVar(&o.nodes, "nodes", 3, "how many processes")
	flag.IntVar(&o.writers, "writers", 4, "how many writers in each")
	flag.BoolVar(&o.kill, "kill", true, "kill nodes and the server now and then")
	node := flag.String("node", "", "for its own use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *node != "" {
		if err := work(ctx, *node, flag.Arg(0), flag.Arg(1), flag.Arg(2), o.writers); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "nodes:", err)
			os.Exit(1)
		}
		return
	}
	names := flag.Args()
	if len(names) == 0 {
		names = []string{"dir", "git", "pull", "postgres", "rows"}
	}
	for _, name := range names {
		if engines[name].engine == nil {
			fmt.Fprintf(os.Stderr, "nodes: there is no engine %q\n", name)
			os.Exit(2)
		}
	}
	failed := false
	fmt.Printf("%d nodes with %d writers each, %v\n%s\n", o.nodes, o.writers, o.long, header)
	for _, name := range names {
		t, err := storm(ctx, name, o)
		if errors.Is(err, exec.ErrNotFound) {
			fmt.Printf("%-9s skipped: %v\n", name, err)
			continue
		}
		if err != nil {
			fmt.Printf("%-9s %v\n", name, err)
			failed = true
			continue
		}
		fmt.Println(t.line(name, o.long))
		// The ways that people have today are there to be compared, not to be right.
		failed = failed || t.wrong() > 0 && engines[name].isStore
	}
	if failed {
		os.Exit(1)
	}
}

type options struct {
	long           time.Duration
	nodes, writers int
	kill           bool
}

// An engine keeps a tree for several nodes.
type engine interface {
	// start starts the server. If it was never started below dir, its tree gets files. The nodes find the tree at
	// address.
	start(dir string, files map[string]string) (address string, err error)

	// kill kills the server, so that nothing of it is left running.
	kill() error

	// files returns the texts of all files, and history the paths that each commit after start has changed; nil if the
	// engine has none.
	files() (map[string]string, error)
	history() ([][]string, error)

	// retries tells, from what the server has logged, how often somebody tried again, where done plans went through.
	retries(done int) (int, error)
}

// A tree is a node's view of the tree of an engine.
type tree interface {
	// change edits the files at some paths. The error is errConflict if another writer was first, so that nothing was
	// changed.
	change(ctx context.Context, paths []string, edit func(path, text string) string) error
}

const brief, long = 2 * time.Second, 10 * time.Second

var engines = map[string]struct {
	isStore, hasServer bool
	least, most        time.Duration // how long a node lives
	engine             func() engine
	join               func(ctx context.Context, address, dir string, writers int) (tree, error)
}{
	"dir":      {true, false, 5 * time.Millisecond, time.Second, func() engine { return &sharedDir{} }, joinDir},
	"git":      {true, true, brief, long, func() engine { return &gitServer{} }, joinGit},
	"pull":     {false, true, brief, long, func() engine { return &gitServer{} }, joinPull},
	"postgres": {true, true, brief, long, func() engine { return &postgresStore{} }, joinPostgres},
	"rows":     {false, true, brief, long, func() engine { return &rowsTable{} }, joinRows},
}
