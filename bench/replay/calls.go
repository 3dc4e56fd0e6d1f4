package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

// A tally has the sizes in bytes of the calls of one tool.
type tally struct {
	requests, answers, refusals []int
	// refusals that another request followed, and those after which that was carried out
	retried, mended int
}

// replayCalls carries out the requests in a file through a Host, for a conversation that has read the files, and prints
// how long requests, answers and refusals are, by the tool that the identifier of a request begins with.
func replayCalls(name string, verbose bool) error {
	tallies := map[string]*tally{}
	err := jsonlines.Each(name, func(r request) {
		tool, _, _ := strings.Cut(r.ID, "-")
		if tallies[tool] == nil {
			tallies[tool] = &tally{}
		}
		a := tallies[tool].add(r)
		if verbose {
			fmt.Printf("== %s: %s, %d bytes\n%s\n", r.ID, a.Status, len(a.Text), a.Text)
		}
	})
	all := &tally{}
	fmt.Printf("%-10s%18s%26s%26s%26s\n", "tool", "refused and mended", "requests", "answers", "refusals")
	for _, tool := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[tool]
		t.print(tool)
		all.requests = append(all.requests, t.requests...)
		all.answers = append(all.answers, t.answers...)
		all.refusals = append(all.refusals, t.refusals...)
		all.retried, all.mended = all.retried+t.retried, all.mended+t.mended
	}
	all.print("all")
	return err
}

// add carries out a request, and its retry if it is refused.
func (t *tally) add(r request) *atomicedit.Answer {
	s := atomicedit.NewSession(atomicedit.NewMem(r.Files))
	for path, text := range r.Files {
		s.MarkReadText(path, []byte(text), 0, 0)
	}
	h := &atomicedit.Host{Store: s}
	a := r.callOf(h)
	t.requests = append(t.requests, len(r.Request))
	if a.Status == "done" {
		t.answers = append(t.answers, len(a.Text))
		return a
	}
	t.refusals = append(t.refusals, len(a.Text))
	if retry := r.retry(); retry != "" {
		r.Request = retry
		t.retried++
		if r.callOf(h).Status == "done" {
			t.mended++
		}
	}
	return a
}

// callOf returns the answer of a Host to a request.
func (r request) callOf(h *atomicedit.Host) *atomicedit.Answer {
	plan, err := r.plan()
	if err != nil {
		return &atomicedit.Answer{Status: "refused", Text: err.Error()}
	}
	a, _ := h.Do(context.Background(), plan) // the answer says what the error says
	return a
}

// retry returns the request that followed a refused one, "" if none is known.
func (r request) retry() string {
	var s string
	if json.Unmarshal(r.Retry, &s) == nil {
		return s
	}
	return string(r.Retry)
}

func (t *tally) print(name string) {
	mended := "-"
	if t.retried > 0 {
		mended = fmt.Sprintf("%d of %d", t.mended, t.retried)
	}
	fmt.Printf("%-10s%18s%26s%26s%26s\n", name, mended, sizes(t.requests), sizes(t.answers), sizes(t.refusals))
}

// sizes returns how many sizes there are, and their median, 99th percentile and maximum.
func sizes(of []int) string {
	if len(of) == 0 {
		return "0"
	}
	slices.SortFunc(of, cmp.Compare[int])
	at := func(percent int) int { return of[(len(of)-1)*percent/100] }
	return fmt.Sprintf("%d: %d/%d/%d", len(of), at(50), at(99), at(100))
}
