package speed

import (
	"strings"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

// Cases reads the edits of the set robust of the program replay, from a gzip file with one JSON object per line. It
// returns a function for each edit that applies it.
func Cases(name string) (all []func(), err error) {
	lines := func(s []string) string {
		if len(s) == 0 {
			return ""
		}
		return strings.Join(s, "\n") + "\n"
	}
	type edited struct {
		Old   string
		Hunks []struct{ Search, Replace []string }
	}
	err = jsonlines.Each(name, func(c edited) {
		var edits []atomicedit.Edit
		for _, h := range c.Hunks {
			edits = append(edits, atomicedit.Edit{Old: lines(h.Search), New: lines(h.Replace), WholeLines: true})
		}
		old := []byte(c.Old)
		all = append(all, func() { atomicedit.Apply(old, edits, nil) })
	})
	return all, err
}
