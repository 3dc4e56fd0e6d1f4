package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/playground/trial"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

func TestPage(t *testing.T) {
	p := openPage(t, 1440, 1000, "")
	for _, test := range []struct {
		name string
		run  func(*page)
	}{
		{"each example has its outcome", eachExample},
		{"the outcome is the library's", outcomeOfTheLibrary},
		{"a refusal shows its message and every candidate", refusal},
		{"typing shows the new outcome", typing},
		{"operations on whole files are drawn", wholeFiles},
		{"a looser fit is offered, and accepted", looserFit},
		{"a request is replayed as a stream", stream},
		{"a link is opened again", link},
		{"a damaged link shows an example", damagedLink},
		{"the keyboard alone is enough", keyboard},
		{"the page works without a network, and asks for nothing", offline},
		{"the policy forbids every connection", policy},
		{"a megabyte is answered", megabyte},
		{"axe finds nothing", axe},
		{"screenshots", screenshots},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.t = t
			p.open("")
			test.run(p)
			p.checkQuiet()
		})
	}
}

// choose chooses an example.
func (p *page) choose(name string) {
	p.t.Helper()
	p.do(`document.querySelector("[data-example=` + name + `]").click()`)
}

// show shows a view.
func (p *page) show(view string) {
	p.t.Helper()
	p.do(`document.getElementById("tab-` + view + `").click()`)
}

// enter types a request.
func (p *page) enter(request string) {
	p.t.Helper()
	p.do(`(() => { const area = document.getElementById("request"); area.value = ` + quote(request) +
		`; area.dispatchEvent(new Event("input")) })()`)
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string has no error
	return string(b)
}

func (p *page) text(selector string) string {
	p.t.Helper()
	return eval[string](p, `document.querySelector(`+quote(selector)+`).innerText`)
}

func (p *page) count(selector string) int {
	p.t.Helper()
	return eval[int](p, `document.querySelectorAll(`+quote(selector)+`).length`)
}

// input returns what is entered.
func (p *page) input() trial.Input {
	p.t.Helper()
	var in trial.Input
	in.Request = eval[string](p, `document.getElementById("request").value`)
	in.Files = eval[[]trial.File](p,
		`[...document.querySelectorAll(".input-file")].map((f) => ({ path: f.querySelector("input").value, text: f.querySelector("textarea").value, read: f.querySelector(".as-read").hidden ? "" : f.querySelector(".as-read textarea").value }))`)
	return in
}

func (p *page) examples() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll("[data-example]")].map((b) => b.dataset.example)`)
}

func eachExample(p *page) {
	examples := p.examples()
	if len(examples) < 8 {
		p.t.Errorf("there are %d examples", len(examples))
	}
	for _, name := range examples {
		p.choose(name)
		want := eval[string](p, `document.querySelector("[data-example=`+name+`]").dataset.outcome`)
		if got := eval[string](p, `document.getElementById("banner").className`); got != "banner "+want {
			p.t.Errorf("%s: the banner is %q, want %s", name, got, want)
		}
		p.until(`document.querySelector("#view-places .band")`)
		for _, view := range []string{"diff", "stream", "plan", "test", "places"} {
			p.show(view)
			if p.text("#view-"+view) == "" {
				p.t.Errorf("%s: the view %s is empty", name, view)
			}
		}
	}
}

func outcomeOfTheLibrary(p *page) {
	for _, name := range p.examples() {
		p.choose(name)
		in := p.input()
		a := trial.Try(in)
		if a.Outcome == "refused" {
			if diff := cmp.Diff(a.Message,
				eval[string](p, `document.querySelector("#message pre").textContent`)); diff != "" {
				p.t.Errorf("%s: message (-want +got):\n%s", name, diff)
			}
			continue
		}
		p.show("diff")
		if added := p.count("#view-diff tr.added"); added != a.Report.Files[0].Added+sumOfAdded(a.Report.Files[1:]) {
			p.t.Errorf("%s: the diff has %d added lines", name, added)
		}
		p.do(`document.querySelectorAll("#view-diff .actions button")[1].click()`)
		if p.count("#view-diff .split") != 1 {
			p.t.Errorf("%s: the diff is not side by side", name)
		}
		p.do(`document.querySelectorAll("#view-diff .actions button")[0].click()`)
		p.show("places")
	}
}

func sumOfAdded(files []atomicedit.FileReport) int {
	n := 0
	for _, f := range files {
		n += f.Added
	}
	return n
}

func refusal(p *page) {
	p.choose("ambiguous")
	if got := p.text("#outcome"); !strings.Contains(got, "Refused: it fits in several places") {
		p.t.Errorf("the outcome is %q", got)
	}
	if got := p.text("#message pre"); !strings.Contains(got, "show more lines around the one you mean") {
		p.t.Errorf("the message is %q", got)
	}
	if got := p.count(".file .row.candidate"); got != 4 {
		p.t.Errorf("%d lines are marked as candidates, want 2 of each place", got)
	}
	for i, want := range []string{"it fits as well as the others, and nothing tells them apart",
		"it fits as well as the others, and nothing tells them apart"} {
		if got := eval[string](p, `document.querySelectorAll(".verdict")[`+string(rune('0'+i))+
			`].innerText`); !strings.Contains(got, want) || !strings.Contains(got, "not taken") {
			p.t.Errorf("verdict %d is %q", i, got)
		}
	}
	p.do(`document.querySelector(".edit .jump").click()`)
	if got := eval[string](p, `(() => { const a = document.activeElement; return a.value.slice(a.selectionStart, a.selectionEnd) })()`); got != "\ttotal := 0\n\tfor _, item := range c.Items {" {
		p.t.Errorf("the candidate in the editor is %q", got)
	}
}

func typing(p *page) {
	in := p.input()
	p.enter(in.Request[:len(in.Request)-9])
	if got := p.text("#outcome"); !strings.Contains(got, "Refused: the request cannot be read") {
		p.t.Errorf("the outcome of a request that was cut off is %q", got)
	}
	p.enter("")
	if got := p.text("#outcome"); !strings.Contains(got, "Nothing to do yet") {
		p.t.Errorf("the outcome of no request is %q", got)
	}
	p.enter(in.Request)
	if got := p.text("#outcome"); !strings.Contains(got, "Carried out") {
		p.t.Errorf("the outcome is %q", got)
	}
}

func wholeFiles(p *page) {
	p.choose("v4a")
	p.enter("*** Begin Patch\n*** Add File: src/new.js\n+export {};\n*** Delete File: src/config.js\n" +
		"*** Update File: src/server.js\n*** Move to: src/main.js\n@@\n-  app.listen(config.port);\n+  app.listen(80);\n*** End Patch\n")
	if got := p.text("#outcome"); !strings.Contains(got, "Carried out") {
		p.t.Fatalf("the outcome is %q: %s", got, p.text("#message"))
	}
	for _, want := range []string{"src/new.js", "This file does not exist before the request.", "deleted",
		"→ src/main.js"} {
		if got := p.text("#view-places"); !strings.Contains(got, want) {
			p.t.Errorf("the view lacks %q:\n%s", want, got)
		}
	}
	p.screenshot("files")
	p.enter("src/lost.js\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")
	p.enter("src/new.js\n<<<<<<< SEARCH\n=======\n" + strings.Repeat("a line\n", 200_000) + ">>>>>>> REPLACE\n")
	if got := p.text("#view-places"); !strings.Contains(got, "199,600 lines not shown") {
		p.t.Errorf("a long edit is drawn in %d bytes", len(got))
	}
	p.enter("src/lost.js\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")
	if got := p.text("#outcome"); !strings.Contains(got, "there is no such file") {
		p.t.Errorf("the outcome is %q", got)
	}
	p.screenshot("lost")
}

func looserFit(p *page) {
	p.choose("quotes")
	p.do(`document.querySelector("#fits [value=exact]").click()`)
	if got := p.text("#outcome"); !strings.Contains(got, "accept “notation”") {
		p.t.Errorf("the outcome is %q", got)
	}
	p.do(`document.querySelector("#outcome button").click()`)
	if got := p.text("#outcome"); !strings.Contains(got, "Carried out") {
		p.t.Errorf("the outcome is %q", got)
	}
	if p.count("#view-places mark") == 0 {
		p.t.Error("no difference is marked")
	}
}

func stream(p *page) {
	p.choose("json")
	p.show("stream")
	in := p.input()
	for _, m := range trial.Milestones(in) {
		p.seek(m.At)
		frame := trial.NewReplay(in).At(m.At)
		if got := p.count(".preview .edit"); got != frame.Edits {
			p.t.Errorf("byte %d: %d edits are shown, want %d", m.At, got, frame.Edits)
		}
	}
	p.run(chromedp.Evaluate[chromedp.Void](`document.querySelector(".player button").click()`))
	p.until(`document.body.dataset.frame === document.getElementById("stream-position").max`)
}

// seek moves the slider of the stream to a byte.
func (p *page) seek(at int) {
	p.t.Helper()
	p.run(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.getElementById("stream-position"); s.value = ` +
		number(at) + `; s.dispatchEvent(new Event("input")) })()`))
	p.until(`document.body.dataset.frame === "` + number(at) + `"`)
}

func number(n int) string {
	b, _ := json.Marshal(n) // a number has no error
	return string(b)
}

func link(p *page) {
	p.choose("quotes")
	p.enter(p.input().Request + "\nDone – “quotes” and 漢字 stay.\n")
	p.do(`document.querySelector("#fits [value=notation]").click()`)
	p.until(`location.hash.startsWith("#v1.")`)
	p.do(`document.querySelector("#share button").click()`)
	p.until(`document.querySelector("#share button").textContent !== "Copy link"`)
	want, fragment := p.input(), eval[string](p, `location.hash`)
	p.open(fragment)
	if diff := cmp.Diff(want, p.input()); diff != "" {
		p.t.Errorf("input (-want +got):\n%s", diff)
	}
	if got := eval[string](p, `document.querySelector("#fits :checked").value`); got != "notation" {
		p.t.Errorf("the loosest fit is %s", got)
	}
}

func damagedLink(p *page) {
	p.open("#v1.AAAA")
	if got := p.text("#outcome"); !strings.Contains(got, "Carried out") {
		p.t.Errorf("the outcome is %q", got)
	}
}

func keyboard(p *page) {
	focused := func() string {
		return eval[string](p, `(() => { const a = document.activeElement; return a.id || a.dataset.example || a.textContent })()`)
	}
	press := func(key string) { p.run(chromedp.KeyEvent(key)) }
	press("\t")
	if got := focused(); got != "Skip to the outcome" {
		p.t.Fatalf("the first stop is %q", got)
	}
	hash := eval[string](p, `location.hash`)
	press("\r")
	if got := focused(); got != "result" || eval[string](p, `location.hash`) != hash {
		p.t.Errorf("the link to the outcome leads to %q", got)
	}
	p.run(chromedp.Evaluate[chromedp.Void](`document.querySelector(".skip").focus()`))
	stops := map[string]bool{}
	for range 60 {
		press("\t")
		stops[focused()] = true
	}
	for _, want := range append(p.examples(), "request", "add-file", "open-files", "Copy link", "Copy as Go test",
		"tab-places") {
		if !stops[want] {
			p.t.Errorf("Tab does not stop at %s; it stops at %v", want, stops)
		}
	}
	p.run(chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-example=ambiguous]").focus()`))
	press("\r")
	p.wait()
	if got := p.text("#outcome"); !strings.Contains(got, "Refused") {
		p.t.Errorf("Enter does not choose an example: %q", got)
	}
	p.run(chromedp.Evaluate[chromedp.Void](`document.getElementById("tab-places").focus()`))
	press(kb.ArrowRight)
	p.wait()
	if got := focused(); got != "tab-diff" || p.count("#view-diff[hidden]") != 0 {
		p.t.Errorf("the right arrow leads to %s", got)
	}
}

func offline(p *page) {
	p.pageRequests()
	p.host.setOffline(true)
	defer p.host.setOffline(false)
	eachExample(p)
	p.enter("nothing that anybody can read")
	p.enter("a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")
	for _, r := range p.pageRequests() {
		p.t.Errorf("there is a request for %s", r)
	}
}

func policy(p *page) {
	p.pageRequests()
	blocked := eval[[]string](p, `(async () => {
		const outcomes = [];
		const attempt = async (name, f) => outcomes.push(name + ": " + await f().then(() => "done", () => "blocked"));
		await attempt("fetch", () => fetch("https://example.com/"));
		await attempt("fetch of this host", () => fetch(location.href));
		await attempt("image", () => new Promise((done, fail) => Object.assign(new Image(), { onload: done, onerror: fail, src: "https://example.com/x.png" })));
		await attempt("script", () => import("https://example.com/x.js"));
		await attempt("eval", async () => Function("return 1")());
		return outcomes;
	})()`)
	if diff := cmp.Diff([]string{"fetch: blocked", "fetch of this host: blocked", "image: blocked", "script: blocked",
		"eval: blocked"}, blocked); diff != "" {
		p.t.Errorf("attempts (-want +got):\n%s", diff)
	}
	for _, r := range p.pageRequests() {
		p.t.Errorf("there is a request for %s", r)
	}
	p.takeConsole() // it tells of what was blocked
}

func megabyte(p *page) {
	p.t.Logf("the library is ready after %s ms", eval[string](p, `document.body.dataset.ready`))
	const text, goText = "line %d of a long text, which has about as many words as a line of a program\n",
		"var name%d = \"a line of a program in Go, which is also parsed for warnings\"\n"
	for _, kind := range []struct{ path, line, edited, outcome string }{
		{"big.txt", text, "an edited line", "Carried out"},
		{"big.go", goText, "var edited = 0", "Carried out"},
		{"broken.go", goText, "var edited = = 0", "1 note"},
	} {
		p.do(`document.querySelectorAll(".input-file button").forEach((b) => b.click()), document.getElementById("add-file").click()`)
		p.do(`(() => {
			let text = "package p\n";
			for (let n = 1; text.length < 1e6; n++) text += ` + quote(kind.line) + `.replace("%d", n);
			const [path, area] = document.querySelector(".input-file").querySelectorAll("input, textarea");
			path.value = ` + quote(kind.path) + `;
			area.value = text;
			area.dispatchEvent(new Event("input"));
		})()`)
		old := strings.TrimSuffix(strings.Replace(kind.line, "%d", "7777", 1), "\n")
		var answered, shown []int
		for n := range 9 {
			shown = append(shown, p.timeOf(kind.path+"\n<<<<<<< SEARCH\n"+old+"\n=======\n"+kind.edited+number(n)+
				"\n>>>>>>> REPLACE\n"))
			if got := p.text("#outcome"); !strings.Contains(got, kind.outcome) {
				p.t.Errorf("the outcome is %q", got)
			}
			answered = append(answered, eval[int](p, `Math.round(document.getElementById("timing").dataset.ms)`))
		}
		slices.Sort(answered)
		slices.Sort(shown)
		p.t.Logf("%s, 1 MB: answered in %d ms, at best in %d ms; shown in %d ms, at best in %d ms", kind.path,
			answered[len(answered)/2], answered[0], shown[len(shown)/2], shown[0])
	}
}

// timeOf returns how many milliseconds it takes until the outcome of a request that is typed is shown.
func (p *page) timeOf(request string) int {
	p.t.Helper()
	return eval[int](p, `new Promise((done) => {
		const area = document.getElementById("request"), start = performance.now();
		area.value = `+quote(request)+`;
		area.dispatchEvent(new Event("input"));
		new MutationObserver((_, observer) => {
			if (document.body.dataset.idle !== "true") return;
			observer.disconnect();
			done(Math.round(performance.now() - start));
		}).observe(document.body, { attributes: true });
	})`)
}

// axe checks each view with axe-core, which comes from the npm registry.
func axe(p *page) {
	dir := p.t.TempDir()
	pack := exec.Command("npm", "pack", "--silent", "axe-core@4")
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		p.t.Skipf("axe-core cannot be had from the npm registry: %v %s", err, out)
	}
	archives, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if out, err := exec.Command("tar", "xzf", archives[0], "-C", dir).CombinedOutput(); err != nil {
		p.t.Skipf("axe-core cannot be unpacked: %v %s", err, out)
	}
	script, err := os.ReadFile(filepath.Join(dir, "package", "axe.min.js"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.run(chromedp.Evaluate[chromedp.Void](string(script)))
	views := []string{"places", "diff", "stream", "plan", "test"}
	for _, scheme := range []string{"light", "dark"} {
		p.colors(scheme)
		for example, views := range map[string][]string{"indentation": views, "missing": views[:1]} {
			p.choose(example)
			for _, view := range views {
				p.show(view)
				for _, violation := range eval[[]string](p,
					`axe.run().then((r) => (r.passes.length > 20 ? r.violations : [{ id: "few checks", help: "", nodes: [] }]).map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).join("\n")))`) {
					p.t.Errorf("%s, %s, %s: %s", scheme, example, view, violation)
				}
			}
		}
	}
	p.colors("light")
}

// colors sets what the reader prefers.
func (p *page) colors(scheme string) {
	p.t.Helper()
	p.run(call(emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme",
			Value: scheme}}}))
}

func screenshots(p *page) {
	p.choose("indentation")
	p.screenshot("wide")
	p.choose("ambiguous")
	p.screenshot("refusal")
	p.colors("dark")
	p.choose("missing")
	p.screenshot("dark")
	p.colors("light")
	p.choose("v4a")
	p.show("stream")
	p.seek(trial.Milestones(p.input())[1].At)
	p.screenshot("stream")
	p.show("places")
	p.run(chromedp.EmulateViewport(390, 1400))
	p.choose("ambiguous")
	p.screenshot("narrow")
	p.run(chromedp.EmulateViewport(320, 1400))
	for _, view := range []string{"diff", "stream", "plan", "test", "places"} {
		p.show(view)
		if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > 320 {
			p.t.Errorf("on a screen of 320 pixels, the view %s is %d wide", view, wide)
		}
	}
	p.run(chromedp.EmulateViewport(1440, 1000))
}
