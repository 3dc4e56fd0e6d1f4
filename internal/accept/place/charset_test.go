package place_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

// in returns options with one charset for all texts.
func in(c encoding.Encoding) *atomicedit.Options {
	return &atomicedit.Options{Charset: func(string, []byte) encoding.Encoding { return c }}
}

func TestNewTextIsInTheEncodingOfTheFile(t *testing.T) {
	one := func(old, new string) []atomicedit.Edit { return []atomicedit.Edit{{Old: old, New: new}} }
	latin, sjis := charmap.ISO8859_1, japanese.ShiftJIS
	for _, c := range []struct {
		name    string
		charset encoding.Encoding // nil if nobody knows it
		src     string
		edits   []atomicedit.Edit
		want    string // "" if the edits are refused
	}{
		{"ASCII", nil, "caf\xe9\ntea\n", one("tea", "milk"), "caf\xe9\nmilk\n"},
		{"ASCII beside it", nil, "caf\xe9\ntea\n", one("caf", "our caf"), "our caf\xe9\ntea\n"},
		{"all of it goes", nil, "caf\xe9\ntea\n", []atomicedit.Edit{{First: 1, Last: 1}}, "tea\n"},
		{"not ASCII", nil, "caf\xe9\ntea\n", one("tea", "thé"), ""},
		{"not ASCII in the last of several", nil, "caf\xe9\ntea\nmilk\n", []atomicedit.Edit{{Old: "tea", New: "x"}, {Old: "milk", New: "ü"}}, ""},
		{"not ASCII by line number", nil, "caf\xe9\ntea\n", []atomicedit.Edit{{First: 1, Last: 1, New: "café\n"}}, ""},
		{"not ASCII in whole lines", nil, "caf\xe9\ntea\n", []atomicedit.Edit{accepttest.Lines("tea\n", "tea\nthé\n")}, ""},
		{"not ASCII everywhere", nil, "caf\xe9\ntea\ntea\n", []atomicedit.Edit{accepttest.Everywhere("tea", "thé")}, ""},
		{"what a viewer shows for other bytes", nil, "caf\xe9\ntea\n", one("tea", "caf\ufffd"), ""},
		{"bytes of the file's own encoding", nil, "caf\xe9\ntea\n", one("tea", "th\xe9"), "caf\xe9\nth\xe9\n"},
		{"bytes of two encodings", nil, "caf\xe9\ntea\n", one("tea", "th\xe9é"), ""},
		{"a byte that begins a character", nil, "\xc3\n", one("\xc3", "é"), ""},
		{"bytes that are not UTF-8", nil, "café\ntea\n", one("tea", "th\xe9"), ""},
		{"bytes that are not UTF-8, in a file that has only ASCII", nil, "tea\n", one("tea", "th\xe9"), "th\xe9\n"},
		{"a byte order mark decides", nil, "\xef\xbb\xbfcaf\xe9\ntea\n", one("tea", "thé"), ""},

		{"what may be the second byte of a character", nil, "\x83\x65\n", one("e", "X"), ""},
		{"the same, among several places", nil, "e\n\x83\x65\n", []atomicedit.Edit{{Old: "e", New: "X", Count: atomicedit.All}}, ""},
		{"a character of its own", nil, "\x83\x65 e\n\xe9, x", one(" e", " X"), "\x83\x65 X\n\xe9, x"},
		{"a sign that no character ends in", nil, "\xe9, x\n", one(", x", "; x"), "\xe9; x\n"},

		{"a charset", latin, "caf\xe9\ntea\n", one("tea", "thé"), "caf\xe9\nth\xe9\n"},
		{"found in a charset", latin, "caf\xe9\ntea\n", one("café", "thé"), "th\xe9\ntea\n"},
		{"by line number", latin, "caf\xe9\ntea\n", []atomicedit.Edit{{First: 2, Last: 2, New: "thé\n"}}, "caf\xe9\nth\xe9\n"},
		{"everywhere", latin, "\xe9\ne\ne\n", []atomicedit.Edit{accepttest.Everywhere("e", "é")}, "\xe9\n\xe9\n\xe9\n"},
		{"whole lines, indented", latin, "if a:\n    caf\xe9()\n", []atomicedit.Edit{accepttest.Lines("café()\n", "café()\nthé()\n")}, "if a:\n    caf\xe9()\n    th\xe9()\n"},
		{"one edit after the other", latin, "caf\xe9\n", []atomicedit.Edit{{Old: "é", New: "e"}, {Old: "e", New: "è"}}, "caf\xe8\n"},
		{"CRLF", latin, "caf\xe9\r\ntea\r\n", one("café\ntea", "thé\nlait"), "th\xe9\r\nlait\r\n"},
		{"CR", latin, "caf\xe9\rtea\r", one("café\ntea", "thé\nlait"), "th\xe9\rlait\r"},
		{"a character that it lacks", latin, "caf\xe9\ntea\n", one("tea", "→"), ""},
		{"UTF-8 never asks", latin, "café\ntea\n", one("tea", "→"), "café\n→\n"},
		{"a byte order mark never asks", latin, "\xef\xbb\xbfcaf\xe9\ntea\n", one("tea", "thé"), ""},
		{"UTF-16 never asks", latin, "\xff\xfex\x00\xe9\x00", one("x", "→"), "\xff\xfe\x92\x21\xe9\x00"},
		{"old text that is not UTF-8", latin, "caf\xe9\ntea\n", one("caf\xe9", "x"), ""},
		{"new text that is not UTF-8", latin, "caf\xe9\ntea\n", one("tea", "th\xe9"), ""},
		{"a byte order mark of another encoding", latin, "x\xe9", one("x", "ÿþ"), ""},
		{"one of UTF-8", latin, "x\xe9", one("x", "ï»¿"), ""},

		{"bytes that it does not have", charmap.ISO8859_3, "\xa5 caf\xe9\ntea\n", one("café\ntea", "thé"), "\xa5 th\xe9\n"},
		{"bytes that it does not have, shown in the edit", charmap.ISO8859_3, "\xa5 caf\xe9 \xae\n", one("\ufffd café \ufffd", "\ufffd thé \ufffd"), "\xa5 th\xe9 \xae\n"},
		{"bytes that it does not have, moved", charmap.ISO8859_3, "\xa5 caf\xe9\n", one("\ufffd café", "café \ufffd"), ""},

		{"Shift_JIS", sjis, "\x83\x65\x83\x58\x83\x67\nabc\n", one("テスト", "トス"), "\x83\x67\x83\x58\nabc\n"},
		{"a second byte that is ASCII", sjis, "\x83\x65\x83\x58\ne\n", one("e", "X"), "\x83\x65\x83\x58\nX\n"},
		{"half of a character", sjis, "\x83\x65\x81\n", one("テ\ufffd", "テ\ufffdA"), ""},
		{"half of a character elsewhere", sjis, "\x83\x65\x81\nx\n", one("x", "テ"), "\x83\x65\x81\n\x83\x65\n"},
		{"GBK", simplifiedchinese.GBK, "\xd6\xd0\xce\xc4\nabc\n", one("中文\nabc", "文"), "\xce\xc4\n"},
		{"GB18030", simplifiedchinese.GB18030, "\xd6\xd0\n", one("中", "𝄞"), "\x94\x32\xbe\x34\n"},
		{"EUC-KR", korean.EUCKR, "\xc7\xd1\nx\n", one("x", "한한"), "\xc7\xd1\n\xc7\xd1\xc7\xd1\n"},
		{"Big5", traditionalchinese.Big5, "\xa4\xa4\nx\n", one("x", "中"), "\xa4\xa4\n\xa4\xa4\n"},
		{"an encoding with states", japanese.ISO2022JP, "\xe9 \x1b$B%F\x1b(B\nx\n", one("x", "y"), "\xe9 \x1b$B%F\x1b(B\ny\n"},
		{"an encoding with states, another text", japanese.ISO2022JP, "\xe9 \x1b$B%F\x1b(B\nx\n", one("x", "テ"), "\xe9 \x1b$B%F\x1b(B\n\x1b$B%F\x1b(B\n"},
		{"an encoding with states, within them", japanese.ISO2022JP, "\xe9 \x1b$B%F%F\x1b(B\n", one("テテ", "テxテ"), ""},
		{"UTF-8 with bytes that are wrong", unicode.UTF8, "caf\xe9\ntea\n", one("tea", "thé"), "caf\xe9\nthé\n"},
		{"a charset that writes a mark", unicode.UTF8BOM, "caf\xe9\ntea\n", one("tea", "thé"), ""},
		{"a charset with other line endings", charmap.CodePage037, "\x81\x25\x82", one("b", "c"), ""},
		{"bytes as they are", encoding.Nop, "caf\xe9\ntea\n", one("tea", "thé"), "caf\xe9\nthé\n"},
		{"a charset that reads nothing", encoding.Replacement, "caf\xe9\ntea\n", []atomicedit.Edit{{First: 1, Last: 1, New: "x"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := atomicedit.Apply([]byte(c.src), c.edits, in(c.charset))
			switch {
			case c.want == "" && err == nil:
				t.Fatalf("got %q", res.Text)
			case c.want == "":
				var r *atomicedit.Refusal
				if !errors.As(err, &r) || !errors.Is(err, atomicedit.ErrEncoding) || r.Problems[0].Code != "encoding" {
					t.Errorf("got %v", err)
				}
				return
			case err != nil:
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, string(res.Text)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			accepttest.CheckResult(t, []byte(c.src), res)
		})
	}
}

// A refusal shows the text in UTF-8, and says which character of which line the encoding lacks.
func TestARefusalNamesTheCharacter(t *testing.T) {
	_, err := atomicedit.Apply([]byte("caf\xe9\ntea\n"), []atomicedit.Edit{{Old: "tea", New: "thé\nlait\nсок"}}, in(charmap.ISO8859_1))
	if !strings.Contains(fmt.Sprint(err), `lacks "с" in line 3 of the new text`) {
		t.Error(err)
	}
	_, err = atomicedit.Apply([]byte("un grand caf\xe9\n"), []atomicedit.Edit{accepttest.Lines("un petit café\n", "x\n")}, in(charmap.ISO8859_1))
	if !strings.Contains(fmt.Sprint(err), "un grand café") {
		t.Error(err)
	}
}

func TestCharsetIsAskedOnlyForTextsThatAreNotUTF8(t *testing.T) {
	for src, want := range map[string]bool{
		"": false, "tea": false, "café": false, "caf\xe9": true, "\x00\xe9": false, "\xef\xbb\xbf\xe9": false, "\xff\xfe\xe9\x00": false,
	} {
		asked := false
		o := &atomicedit.Options{Charset: func(path string, data []byte) encoding.Encoding {
			asked = path == "f" && string(data) == src
			return nil
		}}
		plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "x", "y")}}
		plan.Apply([]byte(src), o)
		if asked != want {
			t.Errorf("%q: asked: %v", src, asked)
		}
		asked = false
		atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"f": src}), plan, o)
		if asked != want {
			t.Errorf("%q in a store: asked: %v", src, asked)
		}
	}
}

// The encoding of a file is that of the text that the plan started from, whatever is left of it on the way, and where it goes.
func TestAFileKeepsItsCharsetInTheCourseOfAPlan(t *testing.T) {
	charset := func(path string, _ []byte) encoding.Encoding {
		if path == "a" {
			return charmap.ISO8859_1
		}
		return nil
	}
	var seen []string
	look := func(_ string, text []byte) ([]atomicedit.Note, error) {
		seen = append(seen, string(text))
		return nil, nil
	}
	store := atomicedit.NewMem(map[string]string{"a": "caf\xe9\n"})
	tx, err := atomicedit.Prepare(t.Context(), store, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("a", "é", "e"), accepttest.Edits("a", "cafe", "thé"), accepttest.Move("a", "b", "th", "Th"),
	}}, &atomicedit.Options{Charset: charset, Checks: []atomicedit.Check{look}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("Th\xe9\n", string(tx.Changes()[0].After.Data)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"café\n", "Thé\n"}, seen); d != "" {
		t.Errorf("seen by checks (-want +got):\n%s", d)
	}
	r := tx.Report()
	if !strings.HasSuffix(r.Diff, "@@ -1 +1 @@\n-café\n+Thé\n") || len(r.Files[0].Notes) > 0 {
		t.Errorf("%s%+v", r.Diff, r.Files[0].Notes)
	}
}

// Content is written as it is: the file is in UTF-8 then, and a note says so.
func TestContentMayChangeTheEncoding(t *testing.T) {
	for _, c := range []struct {
		before, content string
		noted           bool
	}{
		{"caf\xe9\n", "thé\n", true},
		{"\xff\xfex\x00", "thé\n", true},
		{"\xff\xfex\x00", "tea\n", true},
		{"caf\xe9\n", "tea\n", false},
		{"café\n", "thé\n", false},
		{"tea\n", "thé\n", false},
	} {
		for _, charset := range []encoding.Encoding{nil, charmap.ISO8859_1} {
			op := accepttest.Over(accepttest.Create("f", c.content))
			tx, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"f": c.before}), atomicedit.Plan{Ops: []atomicedit.Op{op}}, in(charset))
			if err != nil {
				t.Fatal(err)
			}
			if got := tx.Changes()[0].After.Data; string(got) != c.content {
				t.Errorf("%q over %q: %q", c.content, c.before, got)
			}
			if notes := tx.Report().Files[0].Notes; len(notes) > 0 != c.noted {
				t.Errorf("%q over %q: %+v", c.content, c.before, notes)
			}
			res, err := atomicedit.Plan{Ops: []atomicedit.Op{op}}.Apply([]byte(c.before), in(charset))
			if err != nil || string(res.Text) != c.content {
				t.Errorf("%q over %q: %q, %v", c.content, c.before, res.Text, err)
			}
		}
	}
}

func TestAHostShowsATextInUTF8(t *testing.T) {
	host := &atomicedit.Host{Store: atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "caf\xe9\ntea\n"}))}
	host.Options = in(charmap.ISO8859_1)
	view, err := host.View(t.Context(), "f", 0, 0)
	if err != nil || !strings.Contains(view.Text, "1\tcafé\n") {
		t.Fatalf("%s%v", view.Text, err)
	}
	answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "tea", "thé")}})
	if err != nil || !strings.Contains(answer.Text, "1\tcafé\n") || !strings.Contains(answer.Text, "2\tthé\n") {
		t.Fatalf("%s%v", answer.Text, err)
	}
	if now := answer.Changes[0].After.Data; string(now) != "caf\xe9\nth\xe9\n" {
		t.Errorf("%q", now)
	}
}

var charsets = []encoding.Encoding{
	unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), charmap.ISO8859_1, charmap.ISO8859_3, charmap.Windows1252, charmap.KOI8R, japanese.ShiftJIS, japanese.EUCJP, japanese.ISO2022JP, korean.EUCKR,
	simplifiedchinese.GBK, simplifiedchinese.GB18030, simplifiedchinese.HZGB2312, traditionalchinese.Big5, charmap.CodePage037,
	unicode.UTF8, unicode.UTF8BOM,
}

// A session counts the lines of the bytes, which are not those of a text in EBCDIC: a part of such a text is not all of it.
func TestAPartOfATextInACharsetIsNotAllOfIt(t *testing.T) {
	data, err := charmap.CodePage037.NewEncoder().String("a\nb\nc\n")
	if err != nil {
		t.Fatal(err)
	}
	s := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": data}))
	host := &atomicedit.Host{Store: s}
	host.Options = in(charmap.CodePage037)
	whole := accepttest.Create("f", "new\n")
	whole.Overwrite = true
	for last, want := range map[int]error{1: atomicedit.ErrUnread, 2: atomicedit.ErrUnread, 0: nil} {
		accepttest.Restore(t, s, accepttest.SessionState{})
		if answer, err := host.View(t.Context(), "f", 1, last); err != nil || !strings.Contains(answer.Text, "1\ta\n") {
			t.Fatalf("%+v, %v", answer, err)
		}
		if _, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{whole}}, host.Options); !errors.Is(err, want) {
			t.Errorf("seen up to line %d: error %v, want %v", last, err, want)
		}
	}
}

// Whatever bytes a file has, and whatever its charset: an edit does to the bytes what it does to the text.
func TestAnEditInACharsetIsTheEditOfItsText(t *testing.T) {
	piece := rapid.OneOf(rapid.SampledFrom([]string{"a", "b c", "\n", "\r\n", "é", "→", "中", "テ", "\ufffd", "\x81", "\xe9", "\xff", "\x1b$B%F\x1b(B", "~{", "\\"}), rapid.Map(rapid.Byte(), func(b byte) string { return string([]byte{b}) }))
	draw := func(t *rapid.T, most int, name string) string {
		return strings.Join(rapid.SliceOfN(piece, 1, most).Draw(t, name), "")
	}
	rapid.Check(t, func(t *rapid.T) {
		charset := charsets[rapid.IntRange(0, len(charsets)-1).Draw(t, "charset")]
		text, src := draw(t, 12, "text"), ""
		if encoded, err := charset.NewEncoder().String(text); err == nil && rapid.Bool().Draw(t, "encoded") {
			src = encoded
		} else {
			src = text
		}
		asked := false
		o := &atomicedit.Options{Charset: func(string, []byte) encoding.Encoding { asked = true; return charset }}
		decoded, _ := charset.NewDecoder().String(src)
		var all []atomicedit.Edit
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			runes := []rune(decoded)
			from := rapid.IntRange(0, len(runes)).Draw(t, "from")
			to := rapid.IntRange(from, len(runes)).Draw(t, "to")
			e := atomicedit.Edit{Old: string(runes[from:to]), New: strings.ToValidUTF8(draw(t, 4, "new"), ""), WholeLines: rapid.Bool().Draw(t, "lines")}
			if rapid.Bool().Draw(t, "all") && e.Old != "" {
				e.Count = atomicedit.All
			}
			all = append(all, e)
		}
		res, err := atomicedit.Apply([]byte(src), all, o)
		if !asked {
			return
		}
		if utf8.ValidString(src) {
			t.Fatalf("asked for %q", src)
		}
		want, wantErr := atomicedit.Apply([]byte(decoded), all, nil)
		if wantErr != nil && err == nil {
			t.Fatalf("%q: got %q, want %v", src, res.Text, wantErr)
		}
		if err != nil {
			if wantErr == nil && !errors.Is(err, atomicedit.ErrEncoding) {
				t.Fatalf("%q: got %v, want %q", src, err, want.Text)
			}
			return
		}
		switch charset {
		case charsets[0], charmap.CodePage037, japanese.ISO2022JP, simplifiedchinese.HZGB2312:
			// Line endings are other bytes than in the text, or the bytes of an escape may follow them.
		default:
			accepttest.CheckResult(t, []byte(src), res)
		}
		lines := func(r *atomicedit.Result) (all [][4]int) {
			for _, m := range r.Matches {
				all = append(all, [4]int{m.Old.Line, m.Old.Lines, m.New.Line, m.New.Lines})
			}
			return all
		}
		if diff := cmp.Diff(lines(want), lines(res)); diff != "" {
			t.Fatalf("%q in %v: the lines of the matches differ from those of the text (-text +file):\n%s", src, charset, diff)
		}
		if now, err := charset.NewDecoder().Bytes(res.Text); err != nil || !bytes.Equal(now, want.Text) {
			t.Fatalf("%q in %v became %q, which reads %q, %v; want %q", src, charset, res.Text, now, err, want.Text)
		}
	})
}

// Without a charset, no file gets characters in two encodings.
func TestNoFileGetsCharactersInTwoEncodings(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "\n", "é", "\xe9", "\xc3", "\xa9", "→"})
	draw := func(t *rapid.T, name string) string {
		return strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, name), "")
	}
	rapid.Check(t, func(t *rapid.T) {
		src, new := draw(t, "src"), draw(t, "new")
		at := rapid.IntRange(0, len(src)-1).Draw(t, "at")
		res, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{{Old: src[at : at+1], New: new}}, nil)
		if err != nil {
			return
		}
		if utf8.ValidString(src) && !isASCII(src) && utf8.RuneStart(src[at]) && src[at] < utf8.RuneSelf && !utf8.Valid(res.Text) {
			t.Fatalf("%q was in UTF-8, and %q is not", src, res.Text)
		}
		if !utf8.ValidString(src) && utf8.ValidString(new) && !isASCII(new) {
			t.Fatalf("%q was not in UTF-8, and got %q: %q", src, new, res.Text)
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func ExampleOptions_charset() {
	files := atomicedit.NewMem(map[string]string{"menu.txt": "caf\xe9\ntea\n"})
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "menu.txt", Edits: []atomicedit.Edit{{Old: "tea", New: "thé"}}}}}

	_, err := atomicedit.Run(context.Background(), files, plan, nil)
	fmt.Println(errors.Is(err, atomicedit.ErrEncoding))

	report, err := atomicedit.Run(context.Background(), files, plan, &atomicedit.Options{
		Charset: func(path string, data []byte) encoding.Encoding { return charmap.Windows1252 },
	})
	fmt.Print(err, "\n", report)
	// Output:
	// true
	// <nil>
	// modified menu.txt: +1 -1 lines, now 2 lines
	//   changed now: line 2
}
