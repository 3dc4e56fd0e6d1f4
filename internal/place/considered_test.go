package place

import "testing"

// A reason that considered.go has no words for would get those of the last.
func TestEveryReasonSaysWhyNot(t *testing.T) {
	v := newVersion([]byte("a\n"))
	said := map[string]string{}
	for _, r := range reasons {
		w := &judged{found: found{asked: &asked{e: &Edit{Anchors: []string{"a"}}}}}
		why := v.whyNot(w, step{by: r.by}, candidate{})
		if other, known := said[why]; known || why == "" {
			t.Errorf("%s and %s: both %q", other, r.by, why)
		}
		said[why] = r.by
	}
	if why := v.whyNot(&judged{}, step{by: "a reason that is not there"}, candidate{}); why != "" {
		t.Errorf("a reason that is not there: %q", why)
	}
}
