package git

import (
	"errors"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// serve serves a bare repository over HTTP, to those who know the password. If lose is set, the answer to the next push
// is lost: before the push is carried out if it is 1, afterwards if it is 2.
func serve(t *testing.T, far string, lose *atomic.Int32) (url string) {
	t.Helper()
	backend := filepath.Join(run(t, far, "--exec-path"), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git cannot serve HTTP here:", err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(backend), "git-remote-http")); err != nil {
		t.Skip("git has no HTTP here:", err)
	}
	run(t, far, "config", "http.receivepack", "true")
	handler := &cgi.Handler{Path: backend,
		Env: []string{"GIT_PROJECT_ROOT=" + far, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=agent"}, Stderr: os.Stderr}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		losing := int32(0)
		if strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
			losing = lose.Swap(0)
		}
		switch losing {
		case 2:
			handler.ServeHTTP(httptest.NewRecorder(), r)
			fallthrough
		case 1:
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	far := bare(t)
	var lose atomic.Int32
	url := serve(t, far, &lose)
	if _, err := Open(t.TempDir()+"/mirror", &Options{Remote: url, Ref: "main"}); err == nil ||
		!strings.Contains(err.Error(), "403") {
		t.Errorf("Open without the password: %v", err)
	}
	withPassword := strings.Replace(url, "http://", "http://agent:hunter2@", 1)
	if _, err := Open(t.TempDir()+"/mirror", &Options{Remote: withPassword, Ref: "main"}); err == nil ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Open with another password: %v", err)
	}
	s := open(t, t.TempDir()+"/mirror",
		&Options{Remote: url, Ref: "main",
			Config: map[string]string{"http.extraHeader": "Authorization: Bearer secret"}})
	commit(t, s, create("a", "1"))
	for i, c := range []atomicedit.Change{edit("a", "1", "2"), edit("a", "2", "3")} {
		lose.Store(int32(i + 1))
		commit(t, s, c)
		if lose.Load() != 0 {
			t.Error("no answer was lost")
		}
		tally("answers of a push over HTTP lost")
	}
	has(t, s, "a", "3")
	if got := run(t, far, "rev-list", "--count", "main"); got != "3" {
		t.Errorf("there are %s commits, want 3", got)
	}
	other := open(t, far, nil)
	commit(t, other, edit("a", "3", "4"))
	if err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "3", "5")}); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("Commit of what has changed: %v", err)
	}
}

// A server that answers the push itself with one of some statuses has not carried it out, so nobody has to find out
// what became of it.
func TestHTTPServerThatTakesNoPush(t *testing.T) {
	t.Parallel()
	for status, certain := range map[int]bool{
		http.StatusUnauthorized: true, http.StatusForbidden: true, http.StatusRequestEntityTooLarge: true,
		http.StatusOK: false, http.StatusRequestTimeout: false, http.StatusBadGateway: false,
	} {
		far := bare(t)
		commit(t, open(t, far, nil), create("a", "1"))
		var refusing atomic.Bool
		refusing.Store(true)
		s := open(t, t.TempDir()+"/mirror", &Options{Remote: serveExcept(t, far, status, &refusing), Ref: "main"})
		err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "1", "2")})
		if err == nil || errors.Is(err, atomicedit.ErrUnfinished) == certain || errors.Is(err, atomicedit.ErrDenied) {
			t.Errorf("Commit, with status %d: %v", status, err)
		}
		if certain {
			has(t, s, "a", "1")
			err = s.Commit(t.Context(), []atomicedit.Change{edit("a", "1", "2")})
			if err == nil || errors.Is(err, atomicedit.ErrUnfinished) {
				t.Errorf("the next Commit, with status %d: %v", status, err)
			}
		}
		refusing.Store(false)
		if err := s.Recover(t.Context()); err != nil {
			t.Errorf("Recover, after status %d: %v", status, err)
		}
		has(t, s, "a", map[bool]string{true: "1", false: "2"}[certain])
	}
}

// serveExcept serves a bare repository over HTTP. While refusing is set, a push is answered with a status.
func serveExcept(t *testing.T, far string, status int, refusing *atomic.Bool) (url string) {
	t.Helper()
	served, err := neturl.Parse(serve(t, far, new(atomic.Int32)))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(served)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/git-receive-pack") && refusing.Load() {
			w.Header().Set("WWW-Authenticate", `Basic realm="pushes"`)
			http.Error(w, "no pushes here", status)
			return
		}
		r.Header.Set("Authorization", "Bearer secret")
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
