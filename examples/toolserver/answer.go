package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

const (
	maxText     = 100_000 // bytes of a text for the model; the host shows at most half as many bytes of a file in it
	maxDiff     = 50_000  // bytes of a diff beside the text
	maxList     = 50_000  // bytes of a list, as JSON
	maxQuestion = 10_000  // bytes of a question to the user
)

// An answer is the structured result of a call. Its texts and lists are as long as they may be; Cut says that some would be longer.
type answer struct {
	atomicedit.Answer
	Listing *listing `json:"listing,omitempty"`
	Cut     bool     `json:"cut,omitempty"`
}

// bounded returns an answer within its bounds. It modifies no argument.
func bounded(a *atomicedit.Answer) *answer {
	b := &answer{Answer: *a}
	b.Text = clip(a.Text, maxText, &b.Cut)
	b.Problems = first(a.Problems, maxList, &b.Cut)
	if a.Report != nil {
		files := slices.Clone(a.Report.Files)
		for i, f := range files {
			files[i].Matches = first(f.Matches, maxList/4, &b.Cut)
			files[i].Notes = first(f.Notes, maxList/4, &b.Cut)
		}
		b.Report = &atomicedit.Report{Files: first(files, maxList, &b.Cut), Diff: clip(a.Report.Diff, maxDiff, &b.Cut)}
	}
	return b
}

func refused(text string) *answer {
	return bounded(&atomicedit.Answer{Status: "refused", Text: text})
}

func failed(err error) *answer {
	return bounded(&atomicedit.Answer{Status: "failed", Text: "the call failed, and nothing was changed: " + err.Error()})
}

// clip returns the first lines of a text, at most max bytes, and says how much is missing.
func clip(s string, max int, cut *bool) string {
	if len(s) <= max {
		return s
	}
	*cut = true
	head := strings.ToValidUTF8(s[:max], "")
	if end := strings.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	return fmt.Sprintf("%s\n[cut off: the whole text has %d bytes]\n", head, len(s))
}

// first returns the first elements of a list, as many as have at most max bytes in JSON.
func first[T any](list []T, max int, cut *bool) []T {
	for i := range list {
		data, err := json.Marshal(list[i])
		if max -= len(data); err != nil || max < 0 {
			*cut = true
			return list[:i]
		}
	}
	return list
}
