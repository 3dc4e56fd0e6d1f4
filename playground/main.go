// Command playground serves a page for trying the library:
//
//	go run .
//
// It builds the page into a temporary directory, and serves it on the loopback interface until it is interrupted. To build the page
// for a static host, run
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
	server := &http.Server{Handler: handler}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
