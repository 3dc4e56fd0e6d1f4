package main

import "testing"

func TestATaskIsCarriedOutInEveryFormat(t *testing.T) {
	x := task{ID: "x",
		Before: map[string]string{"a.txt": "one\r\ntwo\u00a0words \r\nthree\r\n", "b.txt": "same\n"},
		After:  map[string]string{"a.txt": "one\r\ntwo\u00a0words \r\nTHREE\r\n", "b.txt": "same\n"},
	}
	for _, l := range levels {
		p, err := x.plan(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formats {
			if outcome, why := x.carryOut(p, f.print); outcome != "equal" {
				t.Errorf("%s, %s: %s\n%s", l.name, f.name, outcome, why)
			}
		}
	}
}

func TestScenarios(t *testing.T) {
	now, rewant, other := "a\nx\nc\n", "a\nX\nc\n", "top\na\nb\nc\n"
	for want, s := range map[string]scenario{
		outcomes[0]: {Now: &other, Want: "a\nB\nc\n", Accept: []string{"top\na\nB\nc\n"}},
		outcomes[1]: {Now: &now, Want: "a\nB\nc\n", Rewant: &rewant, Accept: []string{rewant}},
		outcomes[2]: {Noop: "b", Accept: []string{"a\nb\nc\n"}},
		outcomes[4]: {Want: "a\nB\nc\n", Accept: []string{"a\n"}},
	} {
		s.File, s.Seen = "f", "a\nb\nc\n"
		for _, set := range sets {
			if got, said, err := s.play(set.calls); got != want || err != nil {
				t.Errorf("%s: %s, want %s: %s%v", set.name, got, want, said, err)
			}
		}
	}
}
