package shell_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/shell"
)

// A spoken command is a command as the tests below write it down.
type spoken struct {
	Words   []string
	Heres   []string
	Odd     bool
	Expands string
	Then    string
}

func commands(script string) (all []spoken, err error) {
	for r := (shell.Reader{Src: script}); r.At < len(script); {
		line, err := r.Line()
		if err != nil {
			return all, err
		}
		for _, c := range line {
			s := spoken{Odd: c.Odd, Then: c.Then}
			for _, w := range c.Words {
				s.Words = append(s.Words, w.Text)
				s.Expands += w.Expands[:min(len(w.Expands), 1)]
			}
			for _, h := range c.Heres {
				s.Heres = append(s.Heres, script[h.Start:h.End])
			}
			all = append(all, s)
		}
	}
	return all, nil
}

func TestCommandsAreReadAsAShellReadsThem(t *testing.T) {
	words := func(all ...string) spoken { return spoken{Words: all} }
	for name, test := range map[string]struct {
		script string
		want   []spoken
	}{
		"words":               {"a  b\tc\n", []spoken{words("a", "b", "c")}},
		"single quotes":       {`a 'b $c "d" \e'`, []spoken{words("a", `b $c "d" \e`)}},
		"double quotes":       {`a "b \"c\" \\ \$d \n"`, []spoken{words("a", `b "c" \ $d \n`)}},
		"parts of a word":     {`a'b'"c"\ d`, []spoken{words("abc d")}},
		"a quoted line break": {"a 'b\nc'\nd", []spoken{words("a", "b\nc"), words("d")}},
		"a continued line":    {"a \\\nb", []spoken{words("a", "b")}},
		"operators": {"a && b;c || d | e &\n",
			[]spoken{{Words: []string{"a"}, Then: "&&"}, {Words: []string{"b"}, Then: ";"},
				{Words: []string{"c"}, Then: "||"}, {Words: []string{"d"}, Then: "|"},
				{Words: []string{"e"}, Then: "&"}}},
		"comments and empty lines": {"# x\n\n  \na # b\nc#d\n", []spoken{words("a"), words("c#d")}},
		"CRLF":                     {"a b\r\nc\r\n", []spoken{words("a", "b"), words("c")}},
		"a here-document": {"a <<EOF\nx\n EOF\nEOF\nb\n",
			[]spoken{{Words: []string{"a"}, Heres: []string{"x\n EOF\n"}}, words("b")}},
		"two here-documents": {"a <<X; b <<'Y' && c\n1\nX\n2\nY \n",
			[]spoken{{Words: []string{"a"}, Heres: []string{"1\n"}, Then: ";"},
				{Words: []string{"b"}, Heres: []string{"2\n"}, Then: "&&"}, words("c")}},
		"tabs before the last word": {"a <<- \"X\"\n\tx\n\tX\nb",
			[]spoken{{Words: []string{"a"}, Heres: []string{"\tx\n"}}, words("b")}},
		"a here-document cut off": {"a <<EOF\nx\n", []spoken{{Words: []string{"a"}, Heres: []string{"x\n"}}}},
		"a redirection":           {"a > b c\n", []spoken{{Words: []string{"a", "b", "c"}, Odd: true}}},
		"a subshell":              {"(a)", []spoken{{Words: []string{"a"}, Odd: true}}},
		"a variable":              {`cd "$HOME/x"`, []spoken{{Words: []string{"cd", "$HOME/x"}, Expands: "$"}}},
		"a dollar":                {`a "5$" $ '$x'`, []spoken{words("a", "5$", "$", "$x")}},
		"a command in a word": {"a `b` $(c)",
			[]spoken{{Words: []string{"a", "`b`", "$", "c"}, Expands: "`$", Odd: true}}},
		"a pattern, home, ANSI text": {"a *.go ~/b $'c'",
			[]spoken{{Words: []string{"a", "*.go", "~/b", "$c"}, Expands: "*~$"}}},
	} {
		got, err := commands(test.script)
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v, commands (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestAQuoteThatIsNotClosedIsAnError(t *testing.T) {
	for _, script := range []string{"a 'b\n", `a "b\"`, "a\n'", "x <<'EOF"} {
		_, err := commands(script)
		var e *jsonobj.Error
		if !errors.As(err, &e) || !e.CutOff || strings.IndexByte(`'"`, script[e.Offset]) < 0 {
			t.Errorf("%q: %v", script, err)
		}
	}
}

// Reading ends, at the end of the script, whatever it is.
func TestAnyScriptIsReadOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", " ", "\n", "'", "\"", "\\", "$", "`", "<<", "<", "E",
			"-", "&&", "|", ";", "#", "(", "\t", "\r\n", "*"}))
		script := strings.Join(parts.Draw(t, "script"), "")
		for r := (shell.Reader{Src: script}); r.At < len(script); {
			before := r.At
			all, err := r.Line()
			if err != nil {
				return
			}
			if r.At <= before || r.At > len(script) {
				t.Fatalf("from %d to %d", before, r.At)
			}
			for _, c := range all {
				for _, h := range c.Heres {
					if h.Start < c.Start || h.End < h.Start || h.End > r.At {
						t.Fatalf("%+v", h)
					}
				}
			}
		}
	})
}
