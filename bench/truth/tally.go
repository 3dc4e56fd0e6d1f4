package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A group is what cases have in common.
type group struct{ by, name string }

// A tally counts verdicts.
type tally struct {
	kinds  map[group]map[string]int // by kind of verdict
	causes map[string]int           // of refusals, and of what nobody could decide
	wrong  []failure
}

// A failure is a case with a wrong result.
type failure struct {
	c *testCase
	v verdict
}

func newTally() tally { return tally{map[group]map[string]int{}, map[string]int{}, nil} }

func (t *tally) add(from tree, c *testCase, v verdict) {
	groups := []group{{"all", ""}, {"directory", from.dir}, {"kind", c.kind}}
	if len(c.damages) == 0 {
		groups = append(groups, group{"damage", "none"})
	}
	for _, name := range c.damages {
		groups = append(groups, group{"damage", name})
	}
	for _, g := range groups {
		if t.kinds[g] == nil {
			t.kinds[g] = map[string]int{}
		}
		t.kinds[g][v.kind]++
	}
	if v.why != "" {
		t.causes[v.kind+": "+v.why]++
	}
	if v.kind == "wrong" {
		t.wrong = append(t.wrong, failure{c, v})
	}
}

func (t *tally) merge(u tally) {
	for g, kinds := range u.kinds {
		if t.kinds[g] == nil {
			t.kinds[g] = map[string]int{}
		}
		for kind, n := range kinds {
			t.kinds[g][kind] += n
		}
	}
	for why, n := range u.causes {
		t.causes[why] += n
	}
	t.wrong = append(t.wrong, u.wrong...)
	slices.SortFunc(t.wrong, func(a, b failure) int { return cmp.Compare(a.c.number, b.c.number) })
}

var (
	quoted  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	numbers = regexp.MustCompile(`lines? \d+(?:(?:, | and | to )\d+)*(?: and \d+ more)?|twice|\d+`)
)

// cause returns what the message of the first problem of a refusal says, without the names and numbers of the case.
func cause(r *atomicedit.Refusal) string {
	p := r.Problems[0]
	msg, _, _ := strings.Cut(numbers.ReplaceAllString(quoted.ReplaceAllString(p.Msg, "…"), "N"), ": ")
	msg, _, _ = strings.Cut(msg, "\n")
	return p.Code + ": " + msg
}

// commonest returns the keys of a map of counts, the highest count first.
func commonest(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
