// Command build writes the page as static files, which work at any path of any static host:
//
//	go run ./build -o site
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/atomicedit/atomicedit/playground/internal/site"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("o", "site", "the directory to write to")
	best := flag.Bool("brotli", false, "also measure the library compressed by brotli, which takes a minute")
	flag.Parse()
	if err := build(*dir, *best); err != nil {
		log.Fatal(err)
	}
}

func build(dir string, measureBrotli bool) error {
	start := time.Now()
	if err := site.Build(dir); err != nil {
		return err
	}
	wasm, err := os.ReadFile(filepath.Join(dir, site.Wasm))
	if err != nil {
		return err
	}
	fmt.Printf("%s: built in %.1f s\n", dir, time.Since(start).Seconds())
	fmt.Printf("%s: %.2f MB, %.2f MB by gzip", site.Wasm, megabytes(len(wasm)), megabytes(len(site.Gzip(wasm))))
	if measureBrotli {
		var b bytes.Buffer
		w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: 11, LGWin: 24})
		if _, err := w.Write(wasm); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		fmt.Printf(", %.2f MB by brotli", megabytes(b.Len()))
	}
	fmt.Println()
	return nil
}

func megabytes(n int) float64 { return float64(n) / 1e6 }
