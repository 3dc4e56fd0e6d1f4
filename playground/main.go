// Command playground serves a page for trying the library:
//
//	go run .
//
// It builds the page into a temporary directory, and serves it on the loopback interface until it is interrupted. To
// build the page for a static host, run
//
//	go run ./build -o site
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/atomicedit/atomicedit/playground/internal/site"
)

func main() {
	log.SetFlags(0)
	port := flag.Int("port", 8099, "the port on the loopback interface; 0 takes a free one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *port); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, port int) error {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("building …")
	if err := site.Build(dir); err != nil {
		return err
	}
	handler, err := site.Handler(dir)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	server := &http.Server{Handler: onlyFor(listener.Addr().String(), handler), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// onlyFor answers requests to the address, or to localhost with its port, and refuses all others: they come from pages
// of another site whose name leads here.
func onlyFor(address string, h http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(address)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != address && r.Host != net.JoinHostPort("localhost", port) {
			http.Error(w, "this server is only for http://"+address+"/", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}
