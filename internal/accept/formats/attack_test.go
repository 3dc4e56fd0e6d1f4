package formats_test

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// An attack is a request that a careless applier carries out in the wrong place, or with the wrong text. Each is
// refused, or does exactly what is written down, with a note where something was taken by default. The attacks are in
// testdata/attacks, below the rules of docs/PLACING.md that they test:
//
//	-- rule: P1 --                      a rule, in short
//	-- attack: NAME --                  a text
//	-- old lines --                     an edit of whole lines: the old ones
//	-- old lines {"near":3} --          the same, with other fields of the edit
//	-- old string --                    an edit of a string
//	-- old range {"first":2} --         an edit by line number
//	-- new --                           the new text of the edit above
//	-- result --                        the text after all edits
//	-- result, with a note: WORDS --    the same, with a note that has these words
//	-- refused: ErrNotFound --          or the error
//
// The number in a name tells the order in which the attacks were found.
type attack struct {
	rule, name string
	src        string
	edits      []atomicedit.Edit
	want       string
	note       string
	err        error
}

func attacks(t *testing.T) (all []attack) {
	t.Helper()
	rule := ""
	for _, s := range accepttest.ReadArchives(t, "testdata/attacks/*.txtar", "rule: ", "attack: ") {
		kind, title, _ := strings.Cut(s.Title, ": ")
		switch kind {
		case "rule":
			rule = title
			continue
		case "attack":
			all = append(all, attack{rule: rule, name: title, src: accepttest.Written(s.Text)})
			continue
		}
		a := &all[len(all)-1]
		switch kind {
		case "new":
			a.edits[len(a.edits)-1].New = accepttest.Written(s.Text)
		case "result", "result, with a note":
			a.want, a.note = accepttest.Written(s.Text), title
		case "refused":
			if a.err = accepttest.PlacingErrors[title]; a.err == nil {
				t.Fatalf("%s: an unknown error %s", a.name, title)
			}
		default:
			kind, fields, found := strings.Cut(s.Title, " {")
			e := atomicedit.Edit{Old: accepttest.Written(s.Text), WholeLines: kind == "old lines"}
			if found {
				if err := json.Unmarshal([]byte("{"+fields), &e); err != nil {
					t.Fatalf("%s: %s: %v", a.name, s.Title, err)
				}
			}
			if !strings.HasPrefix(kind, "old ") {
				t.Fatalf("%s: an unknown section %q", a.name, s.Title)
			}
			a.edits = append(a.edits, e)
		}
	}
	return all
}

func TestEveryAttackHasANumberOfItsOwn(t *testing.T) {
	names := map[string]string{}
	for _, a := range attacks(t) {
		number, _, _ := strings.Cut(a.name, " ")
		if _, err := strconv.Atoi(number); err != nil {
			continue
		}
		if other, ok := names[number]; ok {
			t.Errorf("%q and %q have the same number", other, a.name)
		}
		names[number] = a.name
	}
}

func TestAttacks(t *testing.T) {
	for _, a := range attacks(t) {
		t.Run(a.name, func(t *testing.T) {
			t.Logf("rule %s", a.rule)
			res, err := atomicedit.Apply([]byte(a.src), a.edits, nil)
			if a.err != nil {
				if !errors.Is(err, a.err) {
					if err == nil {
						t.Fatalf("got %q, want refusal: %v", res.Text, a.err)
					}
					t.Fatalf("got %v, want %v", err, a.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(a.want, string(res.Text)); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
			var notes []string
			for _, n := range res.Notes {
				notes = append(notes, n.Msg)
			}
			said := notes
			for _, m := range res.Matches {
				said = append(said, m.Fit.String())
			}
			if a.note != "" && (len(notes) == 0 || !strings.Contains(strings.Join(said, "\n"), a.note)) {
				t.Errorf("notes %q, and fits, lack %q", notes, a.note)
			}
		})
	}
}

// Every rule that an attack is about is in docs/PLACING.md under that name.
func TestTheRulesOfAttacksAreWrittenDown(t *testing.T) {
	placing, err := os.ReadFile("docs/PLACING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks(t) {
		if a.rule != "none" && !strings.Contains(string(placing), "**"+a.rule+"**") {
			t.Errorf("%s: docs/PLACING.md has no rule %s", a.name, a.rule)
		}
	}
}

// A search that would take more than its share is given up.
func TestEqualLinesWithoutEndAreGivenUp(t *testing.T) {
	same := strings.Repeat("same line\n", 1000)
	text := []byte(strings.Repeat(same+"\n", 60) + "  " + strings.ReplaceAll(strings.TrimSuffix(same, "\n"), "\n",
		"\n  ") + "\n")
	// Only the last thousand lines are indented so; the candidates before take all the budget there is.
	edits := []atomicedit.Edit{accepttest.Lines(strings.ReplaceAll("\n"+same, "\nsame", "\n  same")[1:len(same)],
		"x\n")}
	_, err := atomicedit.Apply(text, edits, &atomicedit.Options{Loosest: atomicedit.Spacing})
	if !errors.Is(err, atomicedit.ErrAmbiguous) && !errors.Is(err, atomicedit.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
