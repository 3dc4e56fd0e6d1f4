package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A request is one that a model wrote, with the files before and after it.
type request struct {
	ID, Format, Request, Truth string
	Files                      map[string]string
	After                      map[string]*string
	Retry                      json.RawMessage // the next request for the file that worked
}

//go:embed accepted.txt
var accepted string

// isAccepted reports whether accepted.txt lists a request.
func isAccepted(id string) bool { return strings.Contains("\n"+accepted, "\n"+id+"\t") }

// plan reads the request.
func (r request) plan() (atomicedit.Plan, error) {
	plan, err := atomicedit.Parse(r.Request)
	if err != nil && r.Format == "v4a" {
		plan, err = atomicedit.ParseV4A(r.Request)
	}
	if len(r.Files) == 1 {
		for path := range r.Files {
			plan = plan.ForFile(path)
		}
	}
	return plan, err
}

// once carries out a request, and compares what comes of it with what the tool made.
func (r request) once() (what, detail string) {
	what, texts := r.carryOut()
	if what == "differs" && isAccepted(r.ID) {
		what = "differs, as accepted.txt says"
	}
	if strings.HasPrefix(r.Truth, "refused") {
		what = "refused by the tool, " + what
	}
	return what, fmt.Sprintf("%s\t%s\t%x", r.ID, what, hash(texts))
}

func hash(texts map[string]string) uint32 {
	h := fnv.New32a()
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(h, "%q %q\n", path, texts[path])
	}
	return h.Sum32()
}

// carryOut says what comes of a request, and returns the texts afterwards.
func (r request) carryOut() (what string, texts map[string]string) {
	plan, err := r.plan()
	if err != nil {
		return "not read", nil
	}
	store := atomicedit.NewMem(r.Files)
	var refusal *atomicedit.Refusal
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); errors.As(err, &refusal) {
		return "refused", nil
	} else if err != nil {
		return "failed", nil
	}
	texts = store.Files()
	if r.After == nil {
		return "done", texts
	}
	for path, want := range r.After {
		got, ok := texts[path]
		if ok != (want != nil) || ok && strings.TrimRight(got, "\r\n") != strings.TrimRight(*want, "\r\n") {
			return "differs", texts
		}
		if ok && got != *want {
			return "differs in the newline at the end", texts
		}
	}
	return "equal", texts
}

const changed = "the second time: changed"

// twice carries out a request, and then once more on its own result. It says what came of the second time.
func (r request) twice() (what, detail string) {
	plan, err := r.plan()
	if err != nil {
		return "the first time: not read", ""
	}
	store := atomicedit.NewMem(r.Files)
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		return "the first time: refused", ""
	}
	report, err := atomicedit.Run(context.Background(), store, plan, nil)
	if err == nil {
		return changed, fmt.Sprintf("== %s\n%s", r.ID, report.Diff)
	}
	for _, kind := range []error{atomicedit.ErrApplied, atomicedit.ErrNoChange, atomicedit.ErrNotFound,
		atomicedit.ErrAmbiguous} {
		if errors.Is(err, kind) {
			return fmt.Sprintf("the second time: refused (%v)", kind), ""
		}
	}
	return "the second time: refused otherwise", ""
}
