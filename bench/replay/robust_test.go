package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEveryWayGivesTheSameAnswer(t *testing.T) {
	const requests = `
		{"id": "done", "old": "a\n=======\nc\n",
			"hunks": [{"search": ["a", "======="], "replace": ["b", "======="], "ops": ["-a", "+b", " ======="]}]}
		{"id": "refused", "old": "a\n",
			"hunks": [{"search": ["no such line"], "replace": ["b"], "ops": ["-no such line", "+b"]}]}`
	for _, via := range []string{"apply", "blocks", "v4a"} {
		var out strings.Builder
		if err := serve(via, strings.NewReader(requests), &out); err != nil {
			t.Fatal(err)
		}
		answers := json.NewDecoder(strings.NewReader(out.String()))
		var done, refused answer
		if answers.Decode(&done) != nil || answers.Decode(&refused) != nil || answers.More() {
			t.Fatalf("%s: %s", via, &out)
		}
		if done.ID != "done" || !done.OK || done.New != "b\n=======\nc\n" || done.Error != "" || done.NS <= 0 {
			t.Errorf("%s: %+v", via, done)
		}
		if refused.ID != "refused" || refused.OK || refused.New != "" || refused.Error == "" {
			t.Errorf("%s: %+v", via, refused)
		}
	}
	if serve("unknown", strings.NewReader(requests), &strings.Builder{}) == nil {
		t.Error("an unknown way is accepted")
	}
}
