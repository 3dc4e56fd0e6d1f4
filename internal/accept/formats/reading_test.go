package formats_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// A requested plan is what a parser makes of a text.
type requested struct {
	text string
	want atomicedit.Plan
}

// checkRead checks that a parser, and [atomicedit.Parse] as well, reads each text as the plan that is wanted.
func checkRead(t *testing.T, parse func(string) (atomicedit.Plan, error), tests map[string]requested) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, accepttest.ButWords); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, accepttest.Must(atomicedit.Parse(tt.text))); diff != "" {
				t.Errorf("Parse differs (-own parser +Parse):\n%s", diff)
			}
		})
	}
}

// A refused request has the line of its problem, and a part of the message.
type refused struct {
	text string
	line int
	msg  string
}

// isNoRequest has the tests of texts that ask for no edit: prose, nothing, and an object without any field of an edit.
var isNoRequest = map[string]bool{
	"TestParseRefuses/nothing": true, "TestParseRefuses/white_space": true, "TestParseRefuses/words": true,
	"TestParseRefuses/JSON_that_is_no_shape": true,
	"TestParseJSONRefuses/nothing":           true, "TestParseJSONRefuses/no_shape": true,
	"TestParseJSONRefuses/no_fields": true,
}

// checkRefused checks that a parser refuses each text, as one that was cut off if cutOff.
func checkRefused(t *testing.T, parse func(string) (atomicedit.Plan, error), cutOff bool, tests map[string]refused) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := parse(tt.text)
			var r *atomicedit.Refusal
			if !errors.As(err, &r) || len(p.Ops) > 0 {
				t.Fatalf("got %+v, %v; want a refusal", p, err)
			}
			if got := r.Problems[0]; got.Line != tt.line || !strings.Contains(got.Msg, tt.msg) || got.Op != -1 ||
				got.Edit != -1 {
				t.Errorf("got %+v; want line %d, a message with %q", got, tt.line, tt.msg)
			}
			want, code := atomicedit.ErrSyntax, "syntax"
			if isNoRequest[t.Name()] {
				want, code = atomicedit.ErrNoRequest, "no_request"
			}
			if !errors.Is(err, want) || errors.Is(err, io.ErrUnexpectedEOF) != cutOff {
				t.Errorf("got %v; want %v, and io.ErrUnexpectedEOF: %v", err, want, cutOff)
			}
			if r.Problems[0].Code != code {
				t.Errorf("got code %q, want %q", r.Problems[0].Code, code)
			}
		})
	}
}

// chunkOf returns the edit that the parsers of patches make of lines with their first column.
func chunkOf(text string) atomicedit.Edit {
	e := atomicedit.Edit{WholeLines: true}
	for line := range strings.Lines(text) {
		switch column := line[:1]; column {
		case " ", "?":
			e.Old, e.New = e.Old+line[1:], e.New+line[1:]
		case "-":
			e.Old += line[1:]
		case "+":
			e.New += line[1:]
		case "\\":
		default:
			panic(line)
		}
		e.Hunk += line[:1]
	}
	return e
}

// near is a chunk with a line.
func near(line int, text string) atomicedit.Edit {
	e := chunkOf(text)
	e.Near = line
	return e
}
