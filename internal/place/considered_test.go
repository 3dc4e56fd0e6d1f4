package place

import "testing"

// A reason without words would say "it is ".
func TestEveryReasonSaysWhyNot(t *testing.T) {
	v := newVersion([]byte("a\n"))
	said := map[string]string{}
	for _, r := range reasons {
		w := &judged{asked: asked{e: &Edit{Anchors: []string{"a"}}}}
		why := v.whyNot(w, step{by: r.by}, candidate{})
		if other, known := said[why]; known || why == "it is " {
			t.Errorf("%s and %s: both %q", other, r.by, why)
		}
		said[why] = r.by
	}
}
