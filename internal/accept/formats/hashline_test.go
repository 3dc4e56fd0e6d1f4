package formats_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseHashline(t *testing.T) {
	atEnd := atomicedit.Edit{AtEnd: true, WholeLines: true, New: "n\n"}
	lines := func(edits ...atomicedit.Edit) []atomicedit.Op { return []atomicedit.Op{{Path: "a", Edits: edits}} }
	for name, c := range map[string]struct {
		request string
		want    []atomicedit.Op
	}{
		"lines are replaced": {"[a]\nPUT 2-3:\n+n\n", lines(accepttest.LineEdit(2, 3, "n\n"))},
		"one line":           {"[a]\nPUT 2:\n+n", lines(accepttest.LineEdit(2, 2, "n\n"))},
		"other ranges": {"[a]\nPUT 2.=3:\n+n\nPUT 5..6:\n+n\n",
			lines(accepttest.LineEdit(2, 3, "n\n"), accepttest.LineEdit(5, 6, "n\n"))},
		"lines are inserted": {"[a]\nPUT <2:\n+n\nPUT >4:\n+n\nPUT >$:\n+n\n",
			lines(accepttest.LineEdit(2, 0, "n\n"), accepttest.LineEdit(5, 0, "n\n"), atEnd)},
		"lines are removed": {"[a]\nCUT 2\nCUT 4-5\n",
			lines(accepttest.LineEdit(2, 2, ""), accepttest.LineEdit(4, 5, ""))},
		"older verbs for lines": {"[a]\nSWAP 2.=3:\n+n\nDEL 5\n",
			lines(accepttest.LineEdit(2, 3, "n\n"), accepttest.LineEdit(5, 5, ""))},
		"older verbs for new lines": {"[a]\nINS.PRE 2:\n+n\nINS.POST 4:\n+n\nINS.HEAD:\n+n\nINS.TAIL:\n+n\n",
			lines(accepttest.LineEdit(2, 0, "n\n"), accepttest.LineEdit(5, 0, "n\n"), accepttest.LineEdit(1, 0, "n\n"),
				atEnd)},
		"only one plus sign is a prefix": {"[a]\nPUT 2:\n++n\n+-n\n+ PUT 3:\n+[b]\n",
			lines(accepttest.LineEdit(2, 2, "+n\n-n\n PUT 3:\n[b]\n"))},
		"empty lines": {"[a]\nPUT 2:\n\n+\n+n\n\n+m\n\n\nCUT 4\n",
			lines(accepttest.LineEdit(2, 2, "\nn\n\nm\n"), accepttest.LineEdit(4, 4, ""))},
		"CRLF": {"[a]\r\nPUT 2:\r\n+n\r\n", lines(accepttest.LineEdit(2, 2, "n\n"))},
		"a file named elsewhere": {"PUT 2:\n+n\n",
			[]atomicedit.Op{{Edits: []atomicedit.Edit{accepttest.LineEdit(2, 2, "n\n")}}}},
		"a tag of the file": {"[a#1a2B]\nCUT 2\n",
			[]atomicedit.Op{{Path: "a", Version: "hashline:1A2B",
				Edits: []atomicedit.Edit{accepttest.LineEdit(2, 2, "")}}}},
		"a file goes": {"[a]\nREM\n", []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "a"}}},
		"a file moves": {"[a]\nCUT 2\nMV b c",
			[]atomicedit.Op{{Kind: atomicedit.OpMove, Path: "a", To: "b c",
				Edits: []atomicedit.Edit{accepttest.LineEdit(2, 2, "")}}}},
		"an envelope": {"Sure:\n*** Begin Patch\n[a]\nCUT 2\n*** End Patch\nDone.\n",
			lines(accepttest.LineEdit(2, 2, ""))},
		"a fence": {"Sure:\n\n```text\n[a]\nCUT 2\n\n```\nDone.\n", lines(accepttest.LineEdit(2, 2, ""))},
		"sections of one file are one operation": {"[a]\nCUT 2\n[b]\nCUT 1\n[./a]\nCUT 4\n", []atomicedit.Op{
			{Path: "a", Edits: []atomicedit.Edit{accepttest.LineEdit(2, 2, ""), accepttest.LineEdit(4, 4, "")}},
			{Path: "b", Edits: []atomicedit.Edit{accepttest.LineEdit(1, 1, "")}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for parser, parse := range map[string]func(string) (atomicedit.Plan, error){"Parse": atomicedit.Parse,
				"ParseHashline": atomicedit.Parse} {
				p, err := parse(c.request)
				if diff := cmp.Diff(atomicedit.Plan{Ops: c.want, Format: "hashline"}, p,
					cmpopts.EquateEmpty()); err != nil || diff != "" {
					t.Errorf("%s: %v\n%s", parser, err, diff)
				}
			}
		})
	}
}

func TestParseHashlineRefuses(t *testing.T) {
	for name, c := range map[string]struct{ request, want string }{
		"a block of code":                {"[a]\nPUT 2*:\n+n\n", "parser of the language"},
		"a block of code, older":         {"[a]\nSWAP.BLK 2:\n+n\n", "parser of the language"},
		"a register":                     {"[a]\nCUT 2-3 @x\nPUT >5 @x\n", "register"},
		"the register without a name":    {"[a]\nCUT 2-3\nPUT >5\n", "register"},
		"a range backwards":              {"[a]\nCUT 3-2\n", "before the first"},
		"a place without lines":          {"[a]\nCUT <2\n", "the lines to remove"},
		"no colon":                       {"[a]\nPUT 2\n+n\n", "lacks the \":\""},
		"no new lines":                   {"[a]\nPUT 2-3:\nCUT 5\n", "or \"CUT\""},
		"new lines for a removal":        {"[a]\nCUT 2\n+n\n", "only removes lines"},
		"a new line without a plus sign": {"[a]\nPUT 2:\n+n\n3:m\n", "neither an operation nor a new line"},
		"a line that is removed":         {"[a]\nPUT 2:\n-m\n+n\n", "neither an operation nor a new line"},
		"a hunk header":                  {"[a]\n@@ -1,3 +1,3 @@\nPUT <1:\n+x", "is not a line of a hunk"},
		"a new line without a place":     {"[a]\nREM\n+n\n", "without a place"},
		"a file removed and edited":      {"[a]\nCUT 2\nREM\n", "no other operation"},
		"a file edited once removed":     {"[a]\nREM\n[a]\nCUT 2\n", "no other operation"},
		"two moves":                      {"[a]\nMV b\nMV c\n", "a second MV"},
		"a tag of another kind":          {"[a#QKVR]\nCUT 2\n", "unknown kind"},
		"two tags":                       {"[a#1A2B]\nCUT 2\n[a#1A2C]\nCUT 4\n", "another tag"},
		"a section without a path":       {"[a]\nCUT 2\n[#1A2B]\nCUT 2\n", "names no file"},
		"a path without its end":         {"Sure:\n[a\nCUT 2\n", "names no file"},
		"a section without operations":   {"[a]\n[b]\nCUT 2\n", "has no operation"},
		"a line 0":                       {"[a]\nCUT 0\n[b]\nCUT 1\n", "its place cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := atomicedit.Parse(c.request)
			if !errors.Is(err, atomicedit.ErrSyntax) || errors.Is(err, io.ErrUnexpectedEOF) ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAHashlineRequestThatWasCutOff(t *testing.T) {
	const whole = "[a]\nPUT 2:\n+n\n"
	for _, rest := range []string{"PU", "PUT 4-", "PUT 4-5:\n", "[b]\n", "*** Begin Patch\n", "```\n"} {
		request := whole + rest
		switch {
		case rest == "```\n": // that does not end
			request = rest + strings.TrimSuffix(whole, "\n")
		case strings.HasPrefix(rest, "***"):
			request = rest + whole
		}
		_, err := atomicedit.Parse(request)
		var r *atomicedit.Refusal
		if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &r) {
			t.Errorf("%q: %v", request, err)
			continue
		}
		if len(r.Partial.Ops) > 1 || len(r.Partial.Ops) == 1 && r.Partial.Ops[0].Path != "a" {
			t.Errorf("%q: partial %+v", request, r.Partial)
		}
	}
}

// Numbers count the lines of the file before the request, in every section.
func TestHashlineNumbersCountTheFileBeforeTheRequest(t *testing.T) {
	p := accepttest.Must(atomicedit.Parse("[a]\nPUT <1:\n+top\nCUT 2\n[b]\nREM\n[a]\nPUT 4:\n+D\nPUT >$:\n+end\nMV c\n"))
	store := atomicedit.NewMem(map[string]string{"a": "a\nb\nc\nd\n", "b": "x\n"})
	if _, err := atomicedit.Run(t.Context(), store, p, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"c": "top\na\nc\nD\nend\n"}, store.Files()); diff != "" {
		t.Error(diff)
	}
}

// The tag of a file is compared with the whole file, whatever its line endings and encoding.
func TestTheTagOfAFile(t *testing.T) {
	for name, text := range map[string]string{"plain": "abc", "space": "abc \t", "CRLF": "abc\r\n",
		"marked": "\xef\xbb\xbfabc", "UTF-16": "\xff\xfea\x00b\x00c\x00"} {
		for tag, want := range map[string]error{"53FF": nil, "53FE": atomicedit.ErrStale} {
			if name == "CRLF" && want == nil {
				continue // has an ending, and so another tag
			}
			p := accepttest.Must(atomicedit.Parse("[a#" + tag + "]\nPUT 1:\n+n\n"))
			store := atomicedit.NewMem(map[string]string{"a": text})
			if _, err := atomicedit.Run(t.Context(), store, p, nil); !errors.Is(err, want) {
				t.Errorf("%s, %s: %v", name, tag, err)
			}
			if _, err := p.Apply([]byte(text), nil); !errors.Is(err, want) {
				t.Errorf("%s, %s: %v", name, tag, err)
			}
		}
	}
}
