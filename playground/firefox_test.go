package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The page works in Firefox: each example has its outcome and every view, and so has a request that is typed.
func TestPageInFirefox(t *testing.T) {
	path := lookBrowser(t, "firefox-esr", "firefox")
	h := serveSite(t)
	f := startFirefox(t, path)
	f.call("WebDriver:Navigate", map[string]any{"url": h.page()})
	f.wait()
	names := f.eval(`[...document.querySelectorAll("[data-example]")].map((b) => b.dataset.example).join(" ")`)
	for name := range strings.FieldsSeq(names) {
		f.eval(`document.querySelector("[data-example=` + name + `]").click()`)
		f.wait()
		want := f.eval(`document.querySelector("[data-example=` + name + `]").dataset.outcome`)
		if got := f.eval(`document.getElementById("banner").className`); got != "banner "+want {
			t.Errorf("%s: the banner is %q, want %s", name, got, want)
		}
		for _, view := range []string{"diff", "stream", "plan", "test", "places"} {
			f.eval(`document.getElementById("tab-` + view + `").click()`)
			f.wait()
			if f.eval(`document.getElementById("view-`+view+`").innerText.trim()`) == "" {
				t.Errorf("%s: the view %s is empty", name, view)
			}
		}
	}
	f.eval(`(() => { const area = document.getElementById("request"); area.value = "{"; area.dispatchEvent(new Event("input")) })()`)
	f.wait()
	if got := f.eval(`document.getElementById("banner").className`); got != "banner refused" {
		t.Errorf("a request that is cut off: the banner is %q", got)
	}
}

// A firefox is a Firefox that is driven by its protocol Marionette:
// https://firefox-source-docs.mozilla.org/testing/marionette/
type firefox struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	id   int
}

func startFirefox(t *testing.T, path string) *firefox {
	t.Helper()
	profile := t.TempDir()
	prefs := "user_pref(\"marionette.port\", 0);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n"
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--marionette", "--no-remote", "--profile", profile)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	cmd.WaitDelay = 10 * time.Second
	messages, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill() // it has nothing to lose
		cmd.Wait()
	})
	var said strings.Builder
	lines := bufio.NewScanner(io.TeeReader(messages, &said))
	for lines.Scan() {
		_, port, ok := strings.Cut(lines.Text(), "Listening on port ")
		if !ok {
			continue
		}
		go io.Copy(io.Discard, messages) // so that it is never blocked
		conn, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(port))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		f := &firefox{t: t, conn: conn, in: bufio.NewReader(conn)}
		f.read() // its greeting
		f.call("WebDriver:NewSession", map[string]any{})
		return f
	}
	t.Fatalf("firefox does not listen:\n%s", said.String())
	return nil
}

// call sends a command, and returns its result.
func (f *firefox) call(name string, params map[string]any) json.RawMessage {
	f.t.Helper()
	f.id++
	message, err := json.Marshal([]any{0, f.id, name, params})
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(message), message); err != nil {
		f.t.Fatal(err)
	}
	var answer []json.RawMessage
	if err := json.Unmarshal(f.read(), &answer); err != nil || len(answer) != 4 {
		f.t.Fatalf("%s: %s, %v", name, answer, err)
	}
	if string(answer[2]) != "null" {
		f.t.Fatalf("%s: %s", name, answer[2])
	}
	return answer[3]
}

// read reads a message: its length in bytes, a colon, and JSON.
func (f *firefox) read() []byte {
	f.t.Helper()
	var n int
	if _, err := fmt.Fscanf(f.in, "%d:", &n); err != nil {
		f.t.Fatal(err)
	}
	message := make([]byte, n)
	if _, err := io.ReadFull(f.in, message); err != nil {
		f.t.Fatal(err)
	}
	return message
}

// eval returns the value of an expression as a string.
func (f *firefox) eval(expression string) string {
	f.t.Helper()
	result := f.call("WebDriver:ExecuteScript",
		map[string]any{"script": "return String(" + expression + ")", "args": []any{}})
	var value struct{ Value string }
	if err := json.Unmarshal(result, &value); err != nil {
		f.t.Fatalf("%s: %v", result, err)
	}
	return value.Value
}

// wait waits until the page shows the outcome of what is entered.
func (f *firefox) wait() {
	f.t.Helper()
	f.call("WebDriver:ExecuteAsyncScript",
		map[string]any{"args": []any{}, "script": `const done = arguments[arguments.length - 1];
(function look() {
	if (document.body.dataset.ready && document.body.dataset.idle === "true") done(true);
	else setTimeout(look, 20);
})()`})
}
