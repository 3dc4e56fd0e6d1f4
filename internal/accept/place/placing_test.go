package place_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// A placingCase is one picture of a rule in docs/PLACING.md: a text, edits of it, and what comes of them. The cases are
// in testdata/placing.txtar, several with the code of one rule:
//
//	-- case: P1 --                      a text
//	-- old lines --                     an edit, as in testdata/attacks
//	-- patch --                         or the lines of a chunk
//	-- new --                           the new text of the edit above, unless it is a chunk
//	-- above: B1 --                     or what stands above a block, and below a block for src/a.go
type placingCase struct {
	rule    string
	src     string
	edits   []atomicedit.Edit
	patches map[int]string // the chunks of edits that are in a patch
	above   string         // what stands above a block
}

func placingCases(t *testing.T) (all []placingCase) {
	t.Helper()
	for _, s := range accepttest.ReadArchives(t, "testdata/placing.txtar", "case: ", "above: ") {
		kind, title, _ := strings.Cut(s.Title, ": ")
		switch kind {
		case "case":
			all = append(all, placingCase{rule: title, src: accepttest.Written(s.Text), patches: map[int]string{}})
			continue
		case "above":
			all = append(all, placingCase{rule: title, above: s.Text})
			continue
		}
		c := &all[len(all)-1]
		switch s.Title {
		case "new":
			c.edits[len(c.edits)-1].New = accepttest.Written(s.Text)
		case "patch":
			plan, err := atomicedit.ParseV4A("*** Begin Patch\n*** Update File: a\n@@\n" + accepttest.Written(s.Text) +
				"*** End Patch\n")
			if err != nil {
				t.Fatalf("%s: %v", c.rule, err)
			}
			c.patches[len(c.edits)] = accepttest.Written(s.Text)
			c.edits = append(c.edits, plan.Ops[0].Edits...)
		default:
			kind, fields, found := strings.Cut(s.Title, " {")
			e := atomicedit.Edit{Old: accepttest.Written(s.Text), WholeLines: kind != "old string"}
			if found {
				if err := json.Unmarshal([]byte("{"+fields), &e); err != nil {
					t.Fatalf("%s: %s: %v", c.rule, s.Title, err)
				}
			}
			c.edits = append(c.edits, e)
		}
	}
	return all
}

// A pictureColumn is a part of a picture: a heading, and lines below it.
type pictureColumn struct {
	head  string
	lines []string
}

// visible returns the lines of a text, with signs for what could not be seen.
func visible(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		line, returns := strings.CutSuffix(line, "\r")
		bare := strings.TrimRight(line, " ")
		lines[i] = bare + strings.Repeat("␣", len(line)-len(bare))
		if returns {
			lines[i] += "␍"
		}
	}
	if last := len(lines) - 1; lines[last] == "" && last > 0 {
		lines[last] = "¶"
	}
	return lines
}

// columns carries the case out.
func (c placingCase) columns(t *testing.T) []pictureColumn {
	t.Helper()
	if c.above != "" {
		return []pictureColumn{{"ABOVE A BLOCK", visible(c.above)}, {"ITS FILE", []string{fileBelow(c.above)}}}
	}
	all := []pictureColumn{{"FILE", visible(c.src)}}
	for i, e := range c.edits {
		if patch, ok := c.patches[i]; ok {
			all = append(all, pictureColumn{"PATCH", visible(patch)})
			continue
		}
		all = append(all, oldColumns(e)...)
		all = append(all, pictureColumn{"NEW", visible(e.New)})
		if e.New == "" {
			all[len(all)-1].lines = []string{"(empty)"}
		}
	}
	result, err := atomicedit.Apply([]byte(c.src), c.edits, nil)
	if err != nil {
		return append(all, pictureColumn{"REFUSED", []string{sentinelOf(t, err)}})
	}
	return append(all, pictureColumn{"RESULT", visible(string(result.Text))})
}

// oldColumns says where an edit goes.
func oldColumns(e atomicedit.Edit) []pictureColumn {
	if len(e.Tags) > 0 {
		return []pictureColumn{{"LINE", []string{fmt.Sprint(e.First)}}, {"TAG", []string{e.Tags[0].Hash}}}
	}
	head := "OLD"
	if !e.WholeLines {
		head += " STRING"
	}
	if e.Count == atomicedit.All {
		head += ", all"
	}
	if e.Near > 0 {
		head += fmt.Sprintf(", near %d", e.Near)
	}
	for _, anchor := range e.Anchors {
		head += " @@ " + anchor
	}
	return []pictureColumn{{head, visible(e.Old)}}
}

// fileBelow returns the file of a block below the given lines, which stand below a block for src/a.go.
func fileBelow(above string) string {
	block := "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	plan, err := atomicedit.ParseBlocks("src/a.go\n" + block + "\n" + above + block)
	if err != nil {
		return "refused"
	}
	return plan.Ops[len(plan.Ops)-1].Path
}

// sentinelOf returns the name of the error that err is.
func sentinelOf(t *testing.T, err error) string {
	t.Helper()
	for name, sentinel := range accepttest.PlacingErrors {
		if errors.Is(err, sentinel) {
			return name
		}
	}
	t.Fatalf("an unknown error: %v", err)
	return ""
}

// grid is a picture that is being drawn, line by line.
type grid []string

func (g *grid) width() (most int) {
	for _, line := range *g {
		most = max(most, utf8.RuneCountInString(line))
	}
	return most
}

// beside puts lines beside the others, with a gap between them.
func (g *grid) beside(lines []string, gap string) {
	column := g.width()
	for len(*g) < len(lines) {
		*g = append(*g, "")
	}
	for i, line := range *g {
		here := ""
		if i < len(lines) {
			here = lines[i]
		}
		if column > 0 {
			line += strings.Repeat(" ", column-utf8.RuneCountInString(line)) + gap
		}
		(*g)[i] = line + here
	}
}

// picture draws the cases of a rule: beside each other, as far as there is room.
func picture(t *testing.T, cases []placingCase) string {
	const room = 104 // columns, so that no page scrolls
	var rows []grid
	var row grid
	drawn := make([][]pictureColumn, len(cases))
	for i, c := range cases {
		drawn[i] = c.columns(t)
	}
	for _, columns := range oneBelowTheOther(drawn) {
		var one grid
		for _, column := range columns {
			one.beside(append([]string{column.head}, column.lines...), "   ")
		}
		if len(row) > 0 && row.width()+len("   | ")+one.width() > room {
			rows, row = append(rows, row), nil
		}
		for len(one) < len(row) {
			one = append(one, "")
		}
		row.beside(one, "   │ ")
	}
	var b strings.Builder
	for i, row := range append(rows, row) {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, line := range row {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// oneBelowTheOther makes one case of all, if each is a single line below the same headings.
func oneBelowTheOther(cases [][]pictureColumn) [][]pictureColumn {
	all := slices.Clone(cases[0])
	for i, columns := range cases {
		for j, column := range columns {
			if len(columns) != len(all) || column.head != all[j].head || len(column.lines) != 1 {
				return cases
			}
			if i > 0 {
				all[j].lines = append(all[j].lines, column.lines...)
			}
		}
	}
	return [][]pictureColumn{all}
}

var (
	caseMark = regexp.MustCompile(`^( *)<!-- case (\w+) -->\n$`)
	ruleMark = regexp.MustCompile(`^- \*\*([A-Z]\d)\*\* `)
)

// TestPlacingPictures keeps the pictures in docs/PLACING.md up to date: they are drawn below each line <!-- case P1
// -->, with what comes of the cases of that rule. Every rule has one.
func TestPlacingPictures(t *testing.T) {
	cases := map[string][]placingCase{}
	for _, c := range placingCases(t) {
		cases[c.rule] = append(cases[c.rule], c)
	}
	placing, err := os.ReadFile("docs/PLACING.md")
	if err != nil {
		t.Fatal(err)
	}
	var rules, drawn []string
	var b strings.Builder
	for line := range strings.Lines(withoutPictures(string(placing))) {
		b.WriteString(line)
		if m := ruleMark.FindStringSubmatch(line); m != nil {
			rules = append(rules, m[1])
		}
		if m := caseMark.FindStringSubmatch(line); m != nil && len(cases[m[2]]) > 0 {
			drawn = append(drawn, m[2])
			drawing := picture(t, cases[m[2]])
			if strings.Count(drawing, "\n") > 12 {
				t.Errorf("the picture of %s has more than 12 lines", m[2])
			}
			b.WriteString(accepttest.IndentedBy(m[1], fencedPicture(drawing)))
			delete(cases, m[2])
		}
	}
	for rule := range cases {
		t.Errorf("docs/PLACING.md has no line <!-- case %s -->", rule)
	}
	for _, rule := range rules {
		if !slices.Contains(drawn, rule) {
			t.Errorf("rule %s has no picture: add a case to testdata/placing.txtar, and <!-- case %s --> to docs/PLACING.md", rule, rule)
		}
	}
	accepttest.CheckGenerated(t, "docs/PLACING.md", b.String())
}

// withoutPictures returns a document without the fenced blocks right below the lines that name cases.
func withoutPictures(document string) string {
	var b strings.Builder
	closing := "" // the line that ends the picture
	below := false
	for line := range strings.Lines(document) {
		bare := strings.TrimSpace(line)
		switch {
		case closing != "":
			if bare == closing {
				closing = ""
			}
		case below && (strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")):
			closing = bare[:3]
		default:
			b.WriteString(line)
		}
		below = caseMark.MatchString(line)
	}
	return b.String()
}

// fencedPicture returns a picture between marks that it does not have.
func fencedPicture(s string) string {
	mark := "```"
	if strings.Contains(s, mark) {
		mark = "~~~"
	}
	return mark + "text\n" + s + mark + "\n"
}
