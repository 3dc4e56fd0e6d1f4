package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A damaged edit is a JSON object on a line. Without a file, there is an answer to each, in the same order:
//
//	in:  {"id", "old": the text, "hunks": [{"search": [lines], "replace": [lines], "ops": [patch lines]}]}
//	out: {"id", "ok", "new": the new text, "error": message, "ns": nanoseconds spent reading and applying the request}
//
// In a file, a case also has either accept, the texts that are right, or refuse, which is true.
//
// The flag -via sets the format of the request for the hunks: blocks, v4a, or apply, which passes them as edits without
// a request.
type damaged struct {
	ID, Old string
	Hunks   []hunk
	Accept  []string
	Refuse  bool
}

type hunk struct{ Search, Replace, Ops []string }

type answer struct {
	ID    string `json:"id"`
	OK    bool   `json:"ok"`
	New   string `json:"new"`
	Error string `json:"error"`
	NS    int64  `json:"ns"`
}

// serve answers to edits.
func serve(via string, r io.Reader, w io.Writer) error {
	in, out := json.NewDecoder(bufio.NewReader(r)), json.NewEncoder(w)
	for {
		var c damaged
		if err := in.Decode(&c); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		a, err := c.answer(via)
		if err != nil {
			return err
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

// judged says how the answer to an edit compares with what its case accepts.
func (c damaged) judged(via string) (what, detail string) {
	a, err := c.answer(via)
	switch {
	case err != nil:
		return err.Error(), ""
	case !a.OK && c.Refuse, a.OK && !c.Refuse && slices.Contains(c.Accept, a.New):
		what = "right"
	case a.OK:
		what = "wrong"
	default:
		what = "refused"
	}
	return what, fmt.Sprintf("%s\t%s\t%x", c.ID, what, hash(map[string]string{"": a.New}))
}

// answer carries out an edit.
func (c damaged) answer(via string) (answer, error) {
	run, err := applier(via, c)
	if err != nil {
		return answer{}, err
	}
	start := time.Now()
	result, err := run()
	a := answer{ID: c.ID, OK: err == nil, NS: time.Since(start).Nanoseconds()}
	if err != nil {
		a.Error = err.Error()
	} else {
		a.New = string(result.Text)
	}
	return a, nil
}

// applier renders q as a request, and returns a function that parses and applies it.
func applier(via string, q damaged) (func() (*atomicedit.Result, error), error) {
	old := []byte(q.Old)
	parsed := func(parse func(string) (atomicedit.Plan, error), text string) func() (*atomicedit.Result, error) {
		return func() (*atomicedit.Result, error) {
			p, err := parse(text)
			if err != nil {
				return nil, err
			}
			return p.ForFile("f").Apply(old, nil)
		}
	}
	switch via {
	case "apply":
		var edits []atomicedit.Edit
		for _, h := range q.Hunks {
			edits = append(edits, atomicedit.Edit{Old: lines(h.Search), New: lines(h.Replace), WholeLines: true})
		}
		return func() (*atomicedit.Result, error) { return atomicedit.Apply(old, edits, nil) }, nil
	case "blocks":
		return parsed(atomicedit.ParseBlocks, blocks(q.Hunks)), nil
	case "v4a":
		return parsed(atomicedit.ParseV4A, v4a(q.Hunks)), nil
	}
	return nil, fmt.Errorf("unknown format %q", via)
}

// lines joins lines, and ends each with a newline.
func lines(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return strings.Join(s, "\n") + "\n"
}

// blocks renders hunks as SEARCH/REPLACE blocks. Their markers are longer than any run of marker characters in the
// content.
func blocks(hunks []hunk) string {
	n := 7
	for _, h := range hunks {
		for _, part := range [][]string{h.Search, h.Replace} {
			for _, line := range part {
				line = strings.TrimSpace(line)
				for _, c := range "<=>-+" {
					n = max(n, 1+len(line)-len(strings.TrimLeft(line, string(c))))
				}
			}
		}
	}
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString(strings.Repeat("<", n) + " SEARCH\n" + lines(h.Search))
		b.WriteString(strings.Repeat("=", n) + "\n" + lines(h.Replace))
		b.WriteString(strings.Repeat(">", n) + " REPLACE\n\n")
	}
	return b.String()
}

// v4a renders hunks as a V4A patch.
func v4a(hunks []hunk) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n*** Update File: f\n")
	for _, h := range hunks {
		b.WriteString("@@\n" + lines(h.Ops))
	}
	b.WriteString("*** End Patch\n")
	return b.String()
}
