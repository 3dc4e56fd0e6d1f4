// Toolserver offers the editing tools of atomicedit over the Model Context Protocol, on standard input and output or as
// streamable HTTP on the loopback interface.
//
//	toolserver [-root dir]... [-store store] [-http address] [-tools name,...] [-read-only] [-structured]
//	           [-approve when] [-approve-timeout duration] [-client-roots what]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type values []string

func (v *values) String() string     { return strings.Join(*v, ", ") }
func (v *values) Set(s string) error { *v = append(*v, s); return nil }

func main() {
	var dirs values
	o := options{approve: "auto"}
	flag.Var(&dirs, "root", "a `directory` to work on; may be given several times (default: the current one)")
	flag.StringVar(&o.store, "store", "",
		"work on a `store` instead of directories: git:/srv/tree.git, sqlite:/var/lib/tree.db or postgres://user@host/database")
	address := flag.String("http", "",
		"serve HTTP on this loopback `address`, such as 127.0.0.1:8080, instead of standard input and output")
	flag.Func("tools", "the `names` of the tools to offer, with commas between them (default: all)", o.chooseTools)
	flag.BoolVar(&o.readOnly, "read-only", false, "offer only tools that read")
	flag.BoolVar(&o.structured, "structured", false,
		"add structured content to each answer, for clients that are programs")
	flag.Func("approve", "`when` to ask the user before a change: auto, if the client can ask; always, and refuse if "+
		"it cannot; never (default: auto)",
		oneOf(&o.approve, "auto", "always", "never"))
	flag.DurationVar(&o.approveTimeout, "approve-timeout", 10*time.Minute,
		"how long to wait for the answer of the user")
	flag.Func("client-roots", "what the roots of a client `do`: replace the directories of -root, narrow them, or "+
		"ignore (default: replace, and narrow over HTTP)",
		oneOf(&o.clientRoots, "replace", "narrow", "ignore"))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, dirs, *address, o); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "toolserver:", err)
		os.Exit(1)
	}
}

// oneOf sets a flag to one of its values.
func oneOf(flag *string, values ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(values, s) {
			return fmt.Errorf("expected one of %s", strings.Join(values, ", "))
		}
		*flag = s
		return nil
	}
}

func run(ctx context.Context, dirs []string, address string, o options) error {
	if len(dirs) == 0 {
		dirs = []string{"."}
	} else if o.store != "" {
		return errors.New("-root and -store exclude each other")
	}
	if o.readOnly && o.tools != nil && len(readers(o.tools)) == 0 {
		return errors.New("-read-only leaves none of the tools of -tools, because none of them reads")
	}
	if o.clientRoots == "" {
		o.clientRoots = "replace"
		if address != "" {
			o.clientRoots = "narrow" // other users of the machine can connect
		}
	}
	tree, err := o.open(ctx, dirs)
	if err != nil {
		return err
	}
	defer tree.Close()
	s := newServer(ctx, tree, o)
	if address == "" {
		return s.Run(ctx, overLines(os.Stdin, os.Stdout))
	}
	l, err := listen(ctx, address)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "http://%s/mcp\n", l.Addr())
	return serve(ctx, l, s)
}

// open opens the store that the server was started with.
func (o *options) open(ctx context.Context, dirs []string) (tree, error) {
	if o.store == "" {
		return openRoots(dirs, o.dirOptions())
	}
	o.clientRoots = "ignore" // they are directories
	return openStore(ctx, o.store)
}

// listen listens only on an address of this machine: anyone who can reach the server can change files.
func listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%q is no loopback address: use 127.0.0.1, [::1] or localhost", address)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", address)
}

// maxSessions bounds the sessions over HTTP at a time: each remembers what was read in it, until it expires.
const maxSessions = 100

// few refuses a request that would begin a session while there are too many.
func few(h http.Handler, s *mcp.Server) http.Handler {
	var beginning sync.Mutex // nothing that is begun meanwhile goes uncounted
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" {
			beginning.Lock()
			defer beginning.Unlock()
			if len(slices.Collect(s.Sessions())) >= maxSessions {
				http.Error(w, "too many sessions: end one, or try again later", http.StatusServiceUnavailable)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// serve serves HTTP until the context ends.
func serve(ctx context.Context, l net.Listener, s *mcp.Server) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.NewCrossOriginProtection().Handler(deliverable(few(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{SessionTimeout: time.Hour, MaxRequestBodyBytes: maxFrame},
	), s), 30*time.Second)))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	err := server.Serve(l)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
