package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/atomicedit/atomicedit"
)

const greeting = "package main\n\nfunc main() {\n\tprintln(\"Hello, world\")\n}\n"

// A request is the part of the body of a request that the tests look at.
type request struct {
	Tools []struct {
		FunctionDeclarations []struct {
			Name                 string
			ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
		}
	}
	Contents []struct {
		Role  string
		Parts []struct {
			ThoughtSignature string
			FunctionResponse struct {
				ID, Name string
				Response map[string]string
			}
		}
	}
}

// play serves recorded answers, one for each request, and collects the requests.
func play(t *testing.T, recording string) (url string, requests *[]request) {
	data, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	var answers []json.RawMessage
	if err := json.Unmarshal(data, &answers); err != nil {
		t.Fatal(err)
	}
	requests = new([]request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got request
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil ||
			!strings.HasSuffix(r.URL.Path, ":generateContent") || len(*requests) == len(answers) {
			http.Error(w, "unexpected", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answers[len(*requests)])
		*requests = append(*requests, got)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func newClient(t *testing.T, url string) *genai.Client {
	t.Helper()
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: url},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// The model looks at a file, remembers a line wrongly, and corrects itself from the refusal.
func TestARefusedEditIsCorrected(t *testing.T) {
	url, requests := play(t, "testdata/contents.json")
	store := atomicedit.NewMem(map[string]string{"hello.go": greeting})
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	tools, err := atomicedit.Tools("multi_edit_file", "text_editor")
	if err != nil {
		t.Fatal(err)
	}
	host.Tools = tools
	var out bytes.Buffer
	if err := work(t.Context(), newClient(t, url), "gemini-2.5-pro", host, "Greet the moon in hello.go.",
		&out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if got, want := store.Files()["hello.go"], strings.Replace(greeting, "world", "moon", 1); got != want {
		t.Errorf("hello.go: %s", got)
	}
	if !strings.HasSuffix(out.String(), "The program greets the moon now.\n") {
		t.Errorf("printed:\n%s", &out)
	}
	offered := (*requests)[0].Tools[0].FunctionDeclarations
	if len(offered) != len(host.Tools) {
		t.Fatalf("offered %+v", offered)
	}
	for i, f := range offered {
		if want := host.Tools[i]; f.Name != want.Name || !sameJSON(f.ParametersJSONSchema, want.Strict) {
			t.Errorf("offered %s: %s", f.Name, f.ParametersJSONSchema)
		}
	}
	if got := (*requests)[1].Contents[1].Parts[1].ThoughtSignature; got != "c2lnbmVk" {
		t.Errorf("the signature of a thought goes back as %q", got)
	}
	results := (*requests)[1].Contents[2].Parts
	if len(results) != 2 || !strings.Contains(results[0].FunctionResponse.Response["output"], "     4\t\tprintln") {
		t.Errorf("the view: %+v", results)
	}
	if r := results[1].FunctionResponse; r.ID != "call_2" ||
		!strings.Contains(r.Response["error"], "old_string is not there") {
		t.Errorf("the refusal: %+v", r)
	}
	if r := (*requests)[2].Contents[4].Parts[0].FunctionResponse; !strings.Contains(r.Response["output"],
		"modified hello.go") {
		t.Errorf("the edit: %+v", r)
	}
}

func sameJSON(a, b []byte) bool {
	compact := func(data []byte) string {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return err.Error()
		}
		sorted, _ := json.Marshal(v)
		return string(sorted)
	}
	return compact(a) == compact(b)
}

// A failure of the API ends the work.
func TestAFailingAPIEndsTheWork(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if err := work(t.Context(), newClient(t, server.URL), "none", &atomicedit.Host{Store: atomicedit.NewMem(nil)}, "x",
		io.Discard); err == nil {
		t.Error("no error")
	}
}
