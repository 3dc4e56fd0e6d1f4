package site

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Handler serves a site that Build has written. It sends the library compressed, as a static host does.
func Handler(dir string) (http.Handler, error) {
	wasm, err := os.ReadFile(filepath.Join(dir, Wasm))
	if err != nil {
		return nil, err
	}
	packed := Gzip(wasm)
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		if strings.HasSuffix(r.URL.Path, "/"+Wasm) && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Type", "application/wasm")
			h.Set("Content-Encoding", "gzip")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(packed))
			return
		}
		files.ServeHTTP(w, r)
	}), nil
}

// Gzip compresses data as far as gzip can.
func Gzip(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(data) // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes()
}
