package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit/playground/internal/site"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A page is the page in a browser, at a path below the root of a host.
type page struct {
	t    *testing.T
	ctx  context.Context
	host *host

	mu      sync.Mutex
	console []string
}

// A host serves the page, and is the proxy of the browser: it sees every request of the page, of its worker and of the
// browser itself.
type host struct {
	*httptest.Server
	files http.Handler

	mu       sync.Mutex
	requests []string // their addresses
	offline  bool     // it answers no request
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, "http://"+r.Host+r.URL.RequestURI())
	if h.offline || "http://"+r.Host != h.URL {
		http.Error(w, "there is no network", http.StatusBadGateway)
		return
	}
	r.URL.Host, r.URL.Scheme = "", ""
	h.files.ServeHTTP(w, r)
}

func (h *host) page() string { return h.URL + "/some/path/" }

func (h *host) setOffline(offline bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.offline = offline
}

// takeRequests returns the requests since the last call.
func (h *host) takeRequests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.requests
	h.requests = nil
	return all
}

var (
	buildOnce sync.Once
	built     string // the directory of the site
	buildErr  error
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// openPage opens the page in a new browser of the given width, at a fragment.
func openPage(t *testing.T, width, height int, fragment string) *page {
	t.Helper()
	browser := lookBrowser(t, "chromium", "chromium-browser", "google-chrome", "chrome")
	h := serveSite(t)
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(browser), chromedp.NoFirstRun, chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-default-apps", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-features",
			"AutofillServerCommunication,OptimizationHints,MediaRouter,NetworkTimeServiceQuerying"),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("proxy-server", h.URL), chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(width, height),
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)

	p := &page{t: t, ctx: ctx, host: h}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	p.run(call(runtime.Enable, cdp.Empty{}), call(log.Enable, cdp.Empty{}),
		chromedp.EmulateViewport(int64(width), int64(height)))
	p.open(fragment)
	return p
}

// lookBrowser returns the path of the first program that is installed. It skips the test if none is, or with -short.
func lookBrowser(t *testing.T, names ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the tests in a browser are skipped with -short")
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not found: install it to test the page", names[0])
	return ""
}

// serveSite builds the page, once, and serves it.
func serveSite(t *testing.T) *host {
	t.Helper()
	buildOnce.Do(func() {
		if built, buildErr = os.MkdirTemp("", "playground"); buildErr == nil {
			buildErr = site.Build(built)
		}
	})
	if buildErr != nil {
		t.Fatal(buildErr)
	}
	files, err := site.Handler(built)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{files: http.StripPrefix("/some/path", files)}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

// open opens the page at a fragment.
func (p *page) open(fragment string) {
	p.t.Helper()
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.host.page()+fragment))
	p.wait()
}

// call returns the action that sends a command of the protocol.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, command, params)
		return chromedp.Void{}, err
	}
}

// listen records what the page prints to the console.
func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.console = append(p.console, fmt.Sprint(e.Type, e.Args))
	case *runtime.EventExceptionThrown:
		p.console = append(p.console, fmt.Sprintf("%+v", e.ExceptionDetails))
	case *log.EventEntryAdded:
		p.console = append(p.console, e.Entry.Text)
	}
}

func (p *page) run(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err, p.console)
	}
}

// wait waits until the page shows the outcome of what is entered.
func (p *page) wait() {
	p.t.Helper()
	p.until(`document.body.dataset.ready && document.body.dataset.idle === "true"`)
}

// until waits until an expression is true. Right after a navigation, the browser may still be asked for the page
// before: then until asks again.
func (p *page) until(expression string) {
	p.t.Helper()
	var err error
	for range 1000 {
		if _, err = chromedp.Run(p.ctx, chromedp.Poll[bool]("!!("+expression+")")); err == nil ||
			!strings.Contains(err.Error(), "Cannot find context") {
			break
		}
	}
	if err != nil {
		p.t.Fatalf("%s: %v; the console has %q", expression, err, p.console)
	}
}

// eval returns the value of an expression.
func eval[T any](p *page, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// do carries out a statement, and waits until the page shows the outcome.
func (p *page) do(statement string) {
	p.t.Helper()
	p.run(chromedp.Evaluate[chromedp.Void](statement))
	p.wait()
}

// screenshot keeps a picture in the directory that the variable SCREENSHOTS names, if it names one.
func (p *page) screenshot(name string) {
	p.t.Helper()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		return
	}
	p.run(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur(), scrollTo(0, 0)`))
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// pageRequests returns the requests since the last call, but for those that the browser makes on its own account.
func (p *page) pageRequests() []string {
	var all []string
	for _, r := range p.host.takeRequests() {
		if u, err := url.Parse(r); err != nil ||
			!slices.ContainsFunc(browserHosts,
				func(host string) bool { return strings.HasSuffix(u.Hostname(), host) }) {
			all = append(all, r)
		}
	}
	return all
}

// The hosts that a Chromium asks although it was told not to: whether it is up to date, and which forms it should fill
// in.
var browserHosts = []string{"google.com", "googleapis.com", "gvt1.com"}

// checkQuiet fails the test if the page has asked anything of another host, or if the console has anything.
func (p *page) checkQuiet() {
	p.t.Helper()
	for _, r := range p.pageRequests() {
		if !strings.HasPrefix(r, p.host.page()) {
			p.t.Errorf("there is a request for %s", r)
		}
	}
	for _, line := range p.takeConsole() {
		p.t.Errorf("the console has %s", line)
	}
}

// takeConsole returns what the console has since the last call.
func (p *page) takeConsole() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.console
	p.console = nil
	return all
}
