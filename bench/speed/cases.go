package speed

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// Cases reads the edits that the program robust applies, from a gzip file with one JSON object per line. It returns a function for
// each edit that applies it.
func Cases(name string) (all []func(), err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	lines := func(s []string) string {
		if len(s) == 0 {
			return ""
		}
		return strings.Join(s, "\n") + "\n"
	}
	for in := json.NewDecoder(z); ; {
		var c struct {
			Old   string
			Hunks []struct{ Search, Replace []string }
		}
		if err := in.Decode(&c); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		var edits []atomicedit.Edit
		for _, h := range c.Hunks {
			edits = append(edits, atomicedit.Edit{Old: lines(h.Search), New: lines(h.Replace), WholeLines: true})
		}
		old := []byte(c.Old)
		all = append(all, func() { atomicedit.Apply(old, edits, nil) })
	}
}
