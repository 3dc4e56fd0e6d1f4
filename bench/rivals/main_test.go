package main

import (
	"os"
	"strings"
	"testing"
)

// Without the kills, which take a minute.
func TestREADMEHasWhatIsPrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts programs")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string][]string{} // of the lines of tables, by the first one
	for line := range strings.Lines(string(readme)) {
		if row := strings.Split(strings.Trim(line, "|\n"), "|"); strings.HasPrefix(line, "|") {
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			cells[row[0]] = row
			if len(row) > 1 && row[1] == "atomicedit" {
				cells["names"] = row
			}
		}
	}
	for i, r := range rivals {
		if len(cells["names"]) != len(rivals)+1 || cells["names"][i+1] != r.name {
			t.Fatalf("README.md names the columns %q", cells["names"])
		}
		for _, trial := range trials {
			says := cells[trial.name]
			if len(says) != len(rivals)+1 {
				t.Fatalf("README.md has no row %q", trial.name)
			}
			if trial.slow || !available(r) {
				continue
			}
			if got := trial.run(r); got != says[i+1] {
				t.Errorf("%s, %s: %q, and README.md says %q", trial.name, r.name, got, says[i+1])
			}
		}
	}
}
