package main

import (
	"fmt"
	"strings"

	"github.com/atomicedit/atomicedit"
)

const (
	maxText     = 100_000 // bytes of a text for the model; the host shows at most half as many bytes of a file in it
	maxDiff     = 50_000  // bytes of a diff beside the text
	maxList     = 50_000  // bytes of a list, as text
	maxQuestion = 10_000  // bytes of a question to the user
)

// An answer is what a call returns: a text for the model and, if a flag asks for it, the same for programs.
type answer struct {
	text    string
	summary summary
}

// A summary says what came of a call. It repeats nothing of the text, which some clients hide from the model if there
// is more.
type summary struct {
	Status   string    `json:"status"` // as in [atomicedit.Answer]
	Files    []change  `json:"files,omitempty"`
	Problems []problem `json:"problems,omitempty"`
}

// A change is that of a file.
type change struct {
	Status  string `json:"status"` // "added", "modified", "deleted", "moved"
	Path    string `json:"path"`
	From    string `json:"from,omitempty"`
	Added   int    `json:"added"` // lines
	Removed int    `json:"removed"`
}

// A problem is a reason for a refusal.
type problem struct {
	Code string `json:"code"`
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"` // of the request
}

// maxSummary is how many files, and how many problems, a summary lists.
const maxSummary = 100

// answerOf returns the answer that a host gives.
func answerOf(a *atomicedit.Answer) answer {
	s := summary{Status: a.Status}
	if a.Report != nil {
		for _, f := range a.Report.Files[:min(len(a.Report.Files), maxSummary)] {
			s.Files = append(s.Files, change{f.Status, f.Path, f.From, f.Added, f.Removed})
		}
	}
	for _, p := range a.Problems[:min(len(a.Problems), maxSummary)] {
		s.Problems = append(s.Problems, problem{p.Code, p.Path, p.Line})
	}
	return answer{clip(a.Text, maxText), s}
}

func refused(text string) answer {
	return answerOf(&atomicedit.Answer{Status: "refused", Text: text})
}

func failed(err error) answer {
	return answerOf(&atomicedit.Answer{Status: "failed", Text: "the call failed, and nothing was changed: " +
		err.Error()})
}

// clip returns the first lines of a text, at most max bytes, and says how much is missing.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	head := strings.ToValidUTF8(s[:max], "")
	if end := strings.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	return fmt.Sprintf("%s\n[cut off: the whole text has %d bytes]\n", head, len(s))
}
