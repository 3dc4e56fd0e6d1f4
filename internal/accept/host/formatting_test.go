package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

func wide(s string) string {
	encoded, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
	return encoded
}

// A formatter has the text alone. Mark, encoding and the endings of lines that stay are those of the file.
func TestFormatKeepsTheFormOfTheFile(t *testing.T) {
	for _, tt := range []struct {
		name, before string
		op           atomicedit.Op
		asked, want  string
	}{
		{"lines that end in \\n", "a\nb \nc\n", accepttest.Edits("f", "a", "{é"), "{é\nb \nc\n", "{\né\nb\nc\n"},
		{"lines that end in \\r\\n", "a\r\nb \r\nc", accepttest.Edits("f", "a", "{é"), "{é\nb \nc",
			"{\r\né\r\nb\r\nc\r\n"},
		{"lines that end in \\r", "a\rb \rc\r", accepttest.Edits("f", "a", "{é"), "{é\nb \nc\n", "{\ré\rb\rc\r"},
		{"mostly \\r\\n", "a\r\nb \nc\nd\r\ne\r\n", accepttest.Edits("f", "a", "{é"), "{é\nb \nc\nd\ne\n",
			"{\r\né\r\nb\r\nc\nd\r\ne\r\n"},
		{"mostly \\n", "a\r\nb \nc\nd\r\ne\n", accepttest.Edits("f", "a", "{é"), "{é\nb \nc\nd\ne\n",
			"{\né\nb\nc\nd\r\ne\n"},
		{"a byte order mark", "\ufeffa\nb \n", accepttest.Edits("f", "a", "{é"), "{é\nb \n", "\ufeff{\né\nb\n"},
		{"UTF-16", wide("a\r\nb \r\n"), accepttest.Edits("f", "a", "{é"), "{é\nb \n", wide("{\r\né\r\nb\r\n")},
		{"a charset", "a\xe9\nb \n\xe4\n", accepttest.Edits("f", "aé", "{é"), "{é\nb \nä\n", "{\n\xe9\nb\n\xe4\n"},
		{"a new file", "", accepttest.Create("new", "{é\r\n}"), "{é\n}", "{\r\né\r\n\r\n}\r\n"},
		{"a file that is replaced", "b \r\n", accepttest.Over(accepttest.Create("f", "a \n")), "a \n", "a\n"},
		{"a file that moves", "a \n", accepttest.Move("f", "new", "a", "b"), "b \n", "b\n"},
		{"a file that loses its line ending", "a\r\nb", accepttest.Edits("f", "a\nb", "{é"), "{é",
			"{\r\né\r\n"},
		{"an empty file", "a\n", accepttest.Edits("f", "a\n", ""), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem := atomicedit.NewMem(map[string]string{"f": tt.before})
			path := "f"
			if tt.op.Path == "new" || tt.op.To == "new" {
				path = "new"
			}
			var asked []string
			o := &atomicedit.Options{
				Format: func(ctx context.Context, of string, text []byte) ([]byte, error) {
					if asked = append(asked, string(text)); of != path {
						t.Errorf("asked for %s", of)
					}
					return accepttest.Tidy(ctx, of, text)
				},
				Charset: func(string, []byte) encoding.Encoding { return charmap.ISO8859_1 },
			}
			report, err := atomicedit.Run(t.Context(), mem, atomicedit.Plan{Ops: []atomicedit.Op{tt.op}}, o)
			if err != nil {
				t.Fatal(err)
			}
			if !cmp.Equal(asked, []string{tt.asked}) {
				t.Errorf("asked for %q, want %q", asked, tt.asked)
			}
			if got := mem.Files()[path]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			f := report.Files[0]
			if f.Formatted != (tt.asked != "") || f.After != atomicedit.VersionOf([]byte(tt.want)) ||
				f.Bytes != len(tt.want) {
				t.Errorf("the report is %+v", f)
			}
		})
	}
}

// A formatter is asked once for each file that has another text in the end.
func TestFormatIsAskedOnce(t *testing.T) {
	var asked []string
	o := &atomicedit.Options{Format: func(_ context.Context, path string, text []byte) ([]byte, error) {
		asked = append(asked, path)
		clear(text) // it may do with it as it likes
		return append([]byte("formatted "+path+"\n"), "\n"...), nil
	}}
	mem := atomicedit.NewMem(map[string]string{"f": "one\n", "gone": "x\n", "moved": "x\n", "same": "x\n",
		"binary": "\x00", "turn": "x\n"})
	report, err := atomicedit.Run(t.Context(), mem, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("./f", "one", "two"), accepttest.Edits("f", "two", "three"), accepttest.Remove("gone"),
		accepttest.Move("moved", "there"), accepttest.Over(accepttest.Create("same", "x\n")),
		accepttest.Over(accepttest.Create("binary", "\x00\x00")), accepttest.Create("new", "n"),
		accepttest.Edits("turn", "x", "y"), accepttest.Edits("turn", "y", "x"),
	}}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "formatted f\n\n", "new": "formatted new\n\n", "there": "x\n", "same": "x\n",
		"binary": "\x00\x00", "turn": "x\n"}
	if diff := cmp.Diff(want, mem.Files()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !cmp.Equal(asked, []string{"f", "new"}) {
		t.Errorf("asked for %q", asked)
	}
	for _, f := range report.Files {
		if f.Formatted != (f.Path == "f" || f.Path == "new") {
			t.Errorf("%s: formatted: %t", f.Path, f.Formatted)
		}
	}
}

// If a file cannot be formatted, it is as the request says, with a note.
func TestFormatThatFails(t *testing.T) {
	returns := func(s string) func(context.Context, string, []byte) ([]byte, error) {
		return func(context.Context, string, []byte) ([]byte, error) { return []byte(s), nil }
	}
	for _, tt := range []struct {
		name, before string
		format       func(context.Context, string, []byte) ([]byte, error)
		want         string
	}{
		{"an error", "one\n", func(context.Context, string, []byte) ([]byte, error) {
			return []byte("x"),
				errors.New("line 1:\nno\n")
		}, "line 1:; no"},
		{"its own time is up", "one\n",
			func(context.Context, string, []byte) ([]byte, error) { return nil, context.DeadlineExceeded },
			context.DeadlineExceeded.Error()},
		{"nothing", "one\n", returns(""), "the formatter has returned nothing"},
		{"no text", "one\n", returns("a\x00"), "the formatter has returned bytes that are not text in UTF-8"},
		{"not UTF-8", "one\n", returns("a\xff"), "the formatter has returned bytes that are not text in UTF-8"},
		{"other endings", "one\r", returns("a\rb\n"),
			"the formatter has returned text that would read otherwise in this file"},
		{"a file in an unknown encoding", "one\xe9\n", returns("x"), "the encoding of the file is not known"},
		{"a character that the file cannot have", "one\xe9 \n",
			func(_ context.Context, _ string, text []byte) ([]byte, error) {
				return bytes.ReplaceAll(text, []byte(" "), []byte("→")), nil
			}, `the encoding of the file does not have "→"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem := atomicedit.NewMem(map[string]string{"f": tt.before})
			o := &atomicedit.Options{Format: tt.format, Charset: func(_ string, data []byte) encoding.Encoding {
				if bytes.Contains(data, []byte(" ")) {
					return charmap.ISO8859_1
				}
				return nil
			}}
			report, err := atomicedit.Run(t.Context(), mem,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one", "two")}}, o)
			if err != nil {
				t.Fatal(err)
			}
			want := []atomicedit.Note{{Op: -1, Edit: -1, Msg: "not formatted: " + tt.want}}
			if diff := cmp.Diff(want, report.Files[0].Notes); diff != "" || report.Files[0].Formatted {
				t.Errorf("formatted: %t, (-want +got):\n%s", report.Files[0].Formatted, diff)
			}
			if got := mem.Files()["f"]; got != strings.Replace(tt.before, "one", "two", 1) {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o := &atomicedit.Options{Format: func(ctx context.Context, _ string, text []byte) ([]byte,
			error) {
			cancel()
			return text, ctx.Err()
		}}
		_, err := atomicedit.Prepare(ctx, atomicedit.NewMem(map[string]string{"f": "one\n"}),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one", "two")}}, o)
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("a panic", func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		o := &atomicedit.Options{Format: func(context.Context, string, []byte) ([]byte, error) { panic("a defect") }}
		atomicedit.Prepare(t.Context(), atomicedit.NewMem(nil),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("f", "x")}}, o)
	})
}

func TestFormatThatTakesTheChangeBack(t *testing.T) {
	mem := atomicedit.NewMem(map[string]string{"f": "one\n"})
	_, err := atomicedit.Run(t.Context(), mem,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one", "one  ")}},
		&atomicedit.Options{Format: accepttest.Tidy})
	if !errors.Is(err, atomicedit.ErrNoChange) ||
		!strings.Contains(err.Error(), "the formatter takes its changes back") {
		t.Error(err)
	}
}

// What is formatted is what is checked, approved, committed and shown; a session knows which of its numbers a model can
// know.
func TestAFormattedFileIsShownAndApproved(t *testing.T) {
	long := strings.Repeat("line\n", 20)
	for _, tt := range []struct {
		name, call, after string
		shown             string // in the answer
		lines             [][2]int
	}{
		{"an edit", `{"command": "str_replace", "path": "f", "old_str": "one", "new_str": "f() {1}"}`,
			"f() {\n1\n}\ntwo\n" + long,
			"     1\tf() {\n     2\t1\n     3\t}\n     4\ttwo\n     5\tline\n", nil},
		{"an edit that keeps the number of lines",
			`{"command": "str_replace", "path": "f", "old_str": "one", "new_str": "1"}`, "1\ntwo\n" + long,
			"     1\t1\n     2\ttwo\n     3\tline\n", nil},
		{"a new file", `{"command": "create", "path": "new", "file_text": "a \nb\nc\nd\ne\nf\n"}`, "a\nb\nc\nd\ne\nf\n",
			"     1\ta\n     2\tb\n", nil},
		{"a new file whose lines have other numbers",
			`{"command": "create", "path": "new", "file_text": "{a\nb\nc\nd\ne\n"}`, "{\na\nb\nc\nd\ne\n",
			"     1\t{\n     2\ta\n     3\tb\n     4\tc\n     5\td\n     6\te\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem := atomicedit.NewMem(map[string]string{"f": "one\ntwo \n" + long})
			session := atomicedit.NewSession(mem)
			session.View(t.Context(), "f", 0, 0)
			host := &atomicedit.Host{Store: session}
			var checked, approved string
			host.Options = &atomicedit.Options{Format: accepttest.Tidy,
				Checks: []atomicedit.Check{func(_ string, text []byte) ([]atomicedit.Note, error) {
					checked = string(text)
					return nil, nil
				}}}
			host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
				approved = string(tr.Changes()[0].After.Data)
				return tr, nil
			}
			answer, err := host.Call(t.Context(), "str_replace_editor", []byte(tt.call))
			if err != nil {
				t.Fatal(answer.Text)
			}
			path := answer.Report.Files[0].Path
			if checked != tt.after || approved != tt.after || mem.Files()[path] != tt.after {
				t.Errorf("checked %q, approved %q, committed %q", checked, approved, mem.Files()[path])
			}
			if !strings.HasSuffix(answer.Text, tt.shown) ||
				!strings.Contains(answer.Text, "\n  formatted after the change\n") {
				t.Errorf("shown:\n%s", answer.Text)
			}
			if v, lines, ok := session.Seen(path); !ok || v != atomicedit.VersionOf([]byte(tt.after)) ||
				!cmp.Equal(lines, tt.lines) {
				t.Errorf("seen: %v, %t", lines, ok)
			}
			for line := range strings.Lines(answer.Report.Diff) {
				if strings.HasPrefix(line, "+") && strings.HasSuffix(line, " \n") {
					t.Errorf("the diff is\n%s", answer.Report.Diff)
				}
			}
		})
	}
}

func TestFormatterOfGo(t *testing.T) {
	mem := atomicedit.NewMem(map[string]string{"a.go": "package a\r\n\r\nvar x = 1\r\n", "a.txt": "x  =  1\n"})
	o := &atomicedit.Options{Format: accepttest.GoFormat}
	report, err := atomicedit.Run(t.Context(), mem, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("a.go", "var x = 1\n", "var x = 1\nfunc f( ) { x = 2\n}\n"),
		accepttest.Edits("a.txt", "1", "2"), accepttest.Create("bad.go", "package a\nfunc {\n"),
		accepttest.Create("part.go", "x:=1\n"), accepttest.Create("blank.go", "\n\n"),
	}}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.go": "package a\r\n\r\nvar x = 1\r\n\r\nfunc f() {\r\n\tx = 2\r\n}\r\n",
		"a.txt": "x  =  2\n", "bad.go": "package a\nfunc {\n",
		"part.go": "x:=1\n", "blank.go": "\n\n"}
	if diff := cmp.Diff(want, mem.Files()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, note := range []string{"2:6: expected 'IDENT', found '{'", "1:1: expected 'package', found x"} {
		if got := report.String(); !strings.Contains(got, "  note: not formatted: "+note) {
			t.Error(got)
		}
	}
}

// Lines that a formatter keeps have the bytes that they had.
func TestFormatLeavesTheOtherBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[ab é]{0,2}`)
		var file, want strings.Builder
		file.WriteString("first\n")
		want.WriteString("FIRST\n")
		var added []bool
		for i := range rapid.IntRange(0, 10).Draw(t, "lines") {
			eol := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ending")
			text := fmt.Sprint(i, line.Draw(t, "line")) + eol // of equal lines, nobody knows which is kept
			file.WriteString(text)
			added = append(added, rapid.IntRange(0, 2).Draw(t, "added") == 0)
			want.WriteString(text)
		}
		o := &atomicedit.Options{Format: func(_ context.Context, _ string, text []byte) ([]byte, error) {
			first, rest, _ := strings.Cut(string(text), "\n")
			b := first + "\n"
			for i, line := range strings.SplitAfter(rest, "\n")[:len(added)] {
				if added[i] {
					b += "new\n"
				}
				b += line
			}
			return []byte(b), nil
		}}
		mem := atomicedit.NewMem(map[string]string{"f": file.String()})
		if _, err := atomicedit.Run(t.Context(), mem,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "first", "FIRST")}}, o); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.ReplaceAll(mem.Files()["f"], "new\r\n", ""), "new\n", "")
		if got != want.String() {
			t.Fatalf("%q became %q", file.String(), mem.Files()["f"])
		}
	})
}

// Whatever the file and the formatter, the outcome has the formatter's text, and the mark of the file.
func TestFormatDecidesTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := anyFile(t)
		unix := func(s string) string { // in UTF-8, with the endings "\n"
			if rest, ok := strings.CutPrefix(s, "\xff\xfe"); ok {
				s, _ = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().String(rest)
			}
			s = strings.TrimPrefix(s, "\ufeff")
			if !strings.Contains(s, "\n") {
				return strings.ReplaceAll(s, "\r", "\n")
			}
			return strings.ReplaceAll(s, "\r\n", "\n")
		}
		var asked, answered string
		o := &atomicedit.Options{Format: func(_ context.Context, _ string, text []byte) ([]byte, error) {
			asked = string(text)
			var b strings.Builder
			for i, line := range strings.SplitAfter(asked, "\n") {
				switch rapid.IntRange(0, 5).Draw(t, fmt.Sprint("line ", i)) {
				case 0:
				case 1:
					b.WriteString("new\n" + line)
				case 2:
					b.WriteString("é" + line)
				default:
					b.WriteString(line)
				}
			}
			answered = b.String()
			return []byte(answered), nil
		}}
		first := strings.SplitAfterN(unix(file), "\n", 2)[0]
		mem := atomicedit.NewMem(map[string]string{"f": file})
		_, err := atomicedit.Run(t.Context(), mem,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f",
				accepttest.LineEdit(1, 1, strings.TrimSuffix(first, "\n")+"changed\n"))}}, o)
		if errors.Is(err, atomicedit.ErrNoChange) {
			return
		}
		if err != nil {
			t.Skip(err)
		}
		got := mem.Files()["f"]
		if want := answered; unix(got) != want &&
			!(unix(got) == asked && (want == "" || !strings.Contains(want, "\n") && strings.Contains(want, "\r"))) {
			t.Fatalf("%q became %q, asked for %q, formatted %q", file, got, asked, answered)
		}
		for _, mark := range []string{"\xff\xfe", "\ufeff"} {
			if strings.HasPrefix(file, mark) && !strings.HasPrefix(got, mark) {
				t.Fatalf("%q became %q", file, got)
			}
		}
	})
}
