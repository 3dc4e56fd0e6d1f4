package host_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"pgregory.net/rapid"
)

// anyFile draws a text of a few lines, in any of the encodings and with any endings.
func anyFile(t *rapid.T) string {
	line := rapid.StringOfN(rapid.SampledFrom([]rune("ab \t,“\u00a0é😀\\$\u2028")), 0, 6, -1)
	eol := rapid.SampledFrom([][]string{{"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n"}}).Draw(t, "endings")
	var b strings.Builder
	for range rapid.IntRange(1, 8).Draw(t, "lines") {
		b.WriteString(line.Draw(t, "line") + rapid.SampledFrom(eol).Draw(t, "ending"))
	}
	text := b.String()
	if rapid.Bool().Draw(t, "no final newline") {
		text = strings.TrimRight(text, "\r\n") + "z"
	}
	switch rapid.IntRange(0, 3).Draw(t, "encoding") {
	case 1:
		return "\ufeff" + text
	case 2, 3:
		wide := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(text)) {
			wide = append(wide, byte(u), byte(u>>8))
		}
		return string(wide)
	}
	return text
}

// seen returns the lines that an answer shows.
func seen(t *rapid.T, host *atomicedit.Host) []string {
	answer, err := host.View(t.Context(), "f", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(answer.Text) {
		if number, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok &&
			strings.TrimSpace(number) == fmt.Sprint(len(lines)+1) {
			lines = append(lines, text)
		}
	}
	if len(lines) != answer.Lines {
		t.Fatalf("%d lines of %d in %q", len(lines), answer.Lines, answer.Text)
	}
	return lines
}

// What a model was shown it can edit, by the text and by the numbers that it was shown, whatever bytes the file has.
func TestWhatWasSeenCanBeEdited(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := anyFile(t)
		store := atomicedit.NewMem(map[string]string{"f": file})
		host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
		lines := seen(t, host)
		first := rapid.IntRange(0, len(lines)-1).Draw(t, "first")
		last := rapid.IntRange(first, len(lines)-1).Draw(t, "last")
		old := strings.Join(lines[first:last+1], "\n")
		want := slices.Concat(lines[:first], []string{"new"}, lines[last+1:])
		check := func(answer *atomicedit.Answer, err error, may ...string) {
			if err != nil {
				if !slices.Contains(may, answer.Problems[0].Code) {
					t.Fatalf("%q, lines %d to %d: %s", file, first+1, last+1, answer.Text)
				}
				return
			}
			got := seen(t, host)
			if !slices.Equal(got, want) {
				t.Fatalf("%q, lines %d to %d: got %q, want %q", file, first+1, last+1, got, want)
			}
			shown := 0
			now := answer.Text
			if _, below, ok := strings.Cut(now, "\nnow:\n"); ok { // what was replaced is shown above
				now = below
			}
			for line := range strings.Lines(now) {
				var n int
				number, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				if _, err := fmt.Sscan(number, &n); ok && err == nil {
					if shown++; n > len(got) || text != got[n-1] {
						t.Fatalf("look again at line %d: %q, but the file has %q", n, text, got)
					}
				}
			}
			if shown == 0 {
				t.Fatalf("not shown: %q", answer.Text)
			}
			if err := store.Commit(t.Context(), atomicedit.Invert(answer.Changes)); err != nil {
				t.Fatal(err)
			}
			host.View(t.Context(), "f", 0, 0)
		}
		answer, err := host.Call(t.Context(), "text_editor",
			[]byte(accepttest.Args(accepttest.Object{"action": "patch", "path": "f",
				"edits": []accepttest.Object{{"from": first + 1, "to": last + 1, "content": "new\n"}}})))
		check(answer, err)
		blocks := "<<<<<<< SEARCH\n" + old + "\n=======\nnew\n>>>>>>> REPLACE\n"
		answer, err = host.Call(t.Context(), "file_write_or_edit",
			[]byte(accepttest.Args(accepttest.Object{"file_path": "f", "percentage_to_change": 1,
				"text_or_search_replace_blocks": blocks})))
		check(answer, err, "ambiguous")
		if old != "" {
			answer, err = host.Call(t.Context(), "multi_edit",
				[]byte(accepttest.Args(accepttest.Object{"file_path": "f",
					"edits": []accepttest.Object{{"old_string": old, "new_string": "new"}}})))
			check(answer, err, "ambiguous")
		}
	})
}

func TestALineOfSpecialSpacesIsNoBlankLine(t *testing.T) {
	const text = "a\n\u00a0\na\n"
	result, err := atomicedit.Apply([]byte(text), []atomicedit.Edit{{Old: text, New: "b\n", WholeLines: true}}, nil)
	if err != nil || string(result.Text) != "b\n" {
		t.Errorf("%q, %v", result, err)
	}
}
